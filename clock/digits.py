"""What four seven-segment digits show of one side of the clock, pure.

=================  =======  ============================================================
left               shown
=================  =======  ============================================================
10 h and more      ``10h``  whole hours
100 min to 10 h    ``9h59`` hours and minutes of the time as it would stand in h:mm:ss
up to 100 min      ``12.34`` minutes and seconds
below 10 s         ``9.3``  seconds and tenths, if wished
in byo-yomi        ``3 27`` periods left and, up to a minute, seconds left in this one
flag fallen        ``FLAG``
=================  =======  ============================================================

Seconds, and tenths, are rounded up, as chess clocks do: a side set to 5 minutes begins with ``05.00``, shows each
second once, and ``00.01`` until the very end. So a zero is never shown to a side that has time left.

The point after the second digit blinks on the running side, lit for the first half of each second of the reading's
instant; where it parts minutes from seconds it stands still on the other side. A side that waits and must complete a
number of moves shows it for one second in five: ``n  7``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clock.seats import Seat

if TYPE_CHECKING:
    from clock.reading import Face, Reading

SECOND_NS = 1_000_000_000
_TENTH_NS = SECOND_NS // 10
_MANY = "P"
"""Stands for more than nine periods."""


@dataclass(frozen=True, kw_only=True)
class Digits:
    """Four characters, and for each whether the point after it is lit."""

    text: str
    points: tuple[bool, bool, bool, bool]

    def __str__(self) -> str:
        return "".join(self.cells())

    def cells(self) -> tuple[str, ...]:
        """Each character with its point, if lit: ``("1", "2.", "3", "4")``."""
        return tuple(char + "." * lit for char, lit in zip(self.text, self.points, strict=True))


def digits_of(face: Face, *, running: bool, at_ns: int, tenths: bool = False) -> Digits:
    """What a side shows at the instant of its reading. ``tenths``: below 10 s show tenths, too."""
    lamp = running and at_ns % SECOND_NS < SECOND_NS // 2
    if face.flagged:
        return _digits("FLAG")
    if not running and face.moves_left is not None and at_ns // SECOND_NS % 5 == 4:
        return _digits(f"n{min(face.moves_left, 999):3}")
    left_s = -(-face.left_ns // SECOND_NS)
    left_tenths = -(-face.left_ns // _TENTH_NS)
    periods = face.periods_left if face.counting and left_s <= 60 else None
    before = " " if periods is None else str(periods) if periods <= 9 else _MANY
    if tenths and 0 < left_tenths < 100:
        return _digits(f"{before} {left_tenths:02}", lamp=lamp, decimal=True)
    if periods is not None:
        return _digits(f"{before} {left_s:02}", lamp=lamp)
    if left_s < 100 * 60:
        return _digits(f"{left_s // 60:02}{left_s % 60:02}", lamp=lamp or not running)
    if left_s < 10 * 3600:
        return _digits(f"{left_s // 3600}h{left_s // 60 % 60:02}", lamp=lamp)
    return _digits(f"{min(left_s // 3600, 99)}h ", lamp=lamp)


def both_sides(reading: Reading, *, tenths: bool = False) -> tuple[Digits, Digits]:
    """Both sides, ``first`` first."""
    return side(reading, Seat.FIRST, tenths=tenths), side(reading, Seat.SECOND, tenths=tenths)


def side(reading: Reading, seat: Seat, *, tenths: bool = False) -> Digits:
    """The side of ``seat``."""
    return digits_of(reading.face(seat), running=reading.running is seat, at_ns=reading.at_ns, tenths=tenths)


def one_side(reading: Reading, *, tenths: bool = False) -> Digits:
    """For a display of four digits alone: the running side; while none runs, both in turn, two seconds each.

    The point after the last digit is lit for ``second``.
    """
    turn = Seat.FIRST if reading.at_ns // (2 * SECOND_NS) % 2 == 0 else Seat.SECOND
    seat = reading.running or turn
    shown = side(reading, seat, tenths=tenths)
    return Digits(text=shown.text, points=(*shown.points[:3], seat is Seat.SECOND))


def _digits(text: str, *, lamp: bool = False, decimal: bool = False) -> Digits:
    return Digits(text=text, points=(False, lamp, decimal, False))
