"""The page on a terminal: both sides in large digits, what has happened, the keys. Pure: a reading in, text out.

The digits are those of the wired displays, drawn with seven segments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from appliance.plain_clock.records import shortly
from clock.digits import side
from clock.segments import SEGMENTS

if TYPE_CHECKING:
    from appliance.plain_clock.table import Board, Line
    from clock.digits import Digits
    from clock.reading import Face, Reading

_LARGE_WIDTH, _LARGE_HEIGHT = 76, 14
"""A terminal smaller than this gets one line for each side."""
_RUNNING, _WAITING, _FALLEN, _FAINT = "bold green", "default", "bold white on red", "dim"


@dataclass(frozen=True, kw_only=True)
class Page:
    """All that is on the page: equal pages look the same."""

    lines: tuple[Text, ...]


def page(reading: Reading, board: Board, title: str, width: int, height: int, *, tenths: bool = False) -> Page:
    """The page for a terminal of ``width`` by ``height`` cells; every line fits."""
    large = width >= _LARGE_WIDTH and height >= _LARGE_HEIGHT
    faces = _large(reading, width, tenths) if large else _small(reading, tenths)
    head = [_ends(title, board.notice or _state(reading), width), Text()] if large else []
    talk = _talk(board, width)
    foot = talk if not large and talk else [*(talk or [Text()]), Text(board.help, style=_FAINT)]
    room = max(0, height - len(head) - len(faces) - len(foot) - large)
    past = [_past(line) for line in board.lines[-room:]] if room else []
    lines = [*head, *faces, *[Text()] * large, *past, *[Text()] * (room - len(past)), *foot]
    if len(lines) > height:  # what is asked goes before what is shown
        lines = [*lines[: max(0, height - len(talk))], *talk][-height:]
    for line in lines:
        line.no_wrap = True
        line.truncate(width, overflow="ellipsis")
    return Page(lines=tuple(lines))


def _talk(board: Board, width: int) -> list[Text]:
    """What the one at the keyboard is asked, and told."""
    lines = [Text(board.hint, style="yellow")] if board.hint else []
    if board.question:
        # The end of what is typed stays in sight.
        room = width - cell_len(board.question) - 3
        typed = board.typed if cell_len(board.typed) <= room else f"…{board.typed[-max(1, room // 2) :]}"
        lines.append(Text(f"{board.question} {typed}_", style="bold yellow"))
    return lines


def _state(reading: Reading) -> str:
    if not reading.started:
        return "not started"
    return "stopped" if reading.running is None else f"{reading.running} runs"


def in_line(line: Line) -> str:
    """Something that happened, with its time since the start."""
    return f" {_when(line):>9}  {line.text}"


def _past(line: Line) -> Text:
    return Text.assemble((f" {_when(line):>9}  ", _FAINT), line.text)


def _when(line: Line) -> str:
    return "" if line.since_ns is None else shortly(line.since_ns).removesuffix(" s")


def _ends(left: str, right: str, width: int) -> Text:
    room = max(0, width - cell_len(right) - 3)
    text = left if cell_len(left) <= room else set_cell_size(left, max(0, room - 1)) + "…"
    return Text(f" {set_cell_size(text, room)} {right} ", style="reverse")


def _style(face: Face, reading: Reading) -> str:
    if face.flagged:
        return _FALLEN
    return _RUNNING if reading.running is face.seat else _WAITING


def _details(face: Face) -> str:
    """Moves and periods in words."""
    parts = [_count(face.moves_made, "move")]
    if face.moves_left is not None:
        parts.append(f"{face.moves_left} to go")
    if face.periods_left is not None:
        parts.append(_count(face.periods_left, "period"))
    if face.flagged:
        parts.append("FLAG")
    return " · ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# Small: one line for each side


def _small(reading: Reading, tenths: bool) -> list[Text]:
    lines = []
    for face in (reading.first, reading.second):
        mark = ">" if reading.running is face.seat else " "
        digits = side(reading, face.seat, tenths=tenths)
        time = _plain(digits)
        lines.append(Text(f"{mark}{face.seat:6} {time:5} {_details(face)}", style=_style(face, reading)))
    return lines


def _plain(digits: Digits) -> str:
    """``12:34``, ``9h59``, `` 9.3``."""
    text, (_, _, decimal, _) = digits.text, digits.points
    if text.isdigit():
        return f"{text[:2]}:{text[2:]}"
    return f"{text[:3]}.{text[3:]}" if decimal else text


# Large: seven segments


_CELLS = 6
_ROWS = 5
_GAP = 4


def _large(reading: Reading, width: int, tenths: bool) -> list[Text]:
    half = width // 2
    sides = [_one_large(reading, face, half, tenths) for face in (reading.first, reading.second)]
    return [Text.assemble(left, right) for left, right in zip(*sides, strict=True)]


def _one_large(reading: Reading, face: Face, width: int, tenths: bool) -> list[Text]:
    style = _style(face, reading)
    name = f"{'▶ ' if reading.running is face.seat else '  '}{face.seat}"
    rows = _drawn(side(reading, face.seat, tenths=tenths))
    lines = [Text(name, style=style), Text(), *(Text(row, style=style) for row in rows), Text(), Text(_details(face))]
    return [_centred(line, width) for line in lines]


def _centred(line: Text, width: int) -> Text:
    left = max(0, (width - line.cell_len) // 2)
    return Text.assemble(" " * left, line, " " * max(0, width - left - line.cell_len))


def _drawn(digits: Digits) -> list[str]:
    """Five rows of blocks; where the point in the middle parts minutes from seconds it is a colon."""
    rows = [""] * _ROWS
    for place, (char, point) in enumerate(zip(digits.text, digits.points, strict=True)):
        colon = place == 1 and digits.text.isdigit()
        for number, row in enumerate(_drawn_digit(SEGMENTS[char])):
            dot = point and (number in (1, 3) if colon else number == _ROWS - 1)
            rows[number] += row + (" ██ " if dot else " " * _GAP)
    return [row[:-_GAP] for row in rows]


def _drawn_digit(lit: str) -> list[str]:
    def row(left: str, across: str, right: str) -> str:
        """A row whose ends belong to several segments, each of which lights them."""
        middle = "█" if across and across in lit else " "
        ends = ["██" if set(end) & set(lit) else "  " for end in (left, right)]
        return ends[0] + middle * (_CELLS - 4) + ends[1]

    return [row("af", "a", "ab"), row("f", "", "b"), row("fge", "g", "bgc"), row("e", "", "c"), row("ed", "d", "cd")]
