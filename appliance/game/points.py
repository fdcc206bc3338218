"""Points of the board, colours and seats (rules E1, O3).

From Black's seat at the start of the game files run A, B, … from left to right and ranks 1, 2, … from near to far;
every letter is used, I too, so that H8 is the centre (tengen) of a 15 × 15 board.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from clock.seats import Seat as Seat  # one Seat for the clock and the game

MIN_SIZE, MAX_SIZE = 5, 19
"""Smallest and largest board the appliance handles, in lines."""

_POINT = re.compile(r"([A-Sa-s])([1-9][0-9]?)")


class Colour(StrEnum):
    """A stone's colour; the value is its letter in positions and records."""

    BLACK = "B"
    WHITE = "W"

    @property
    def other(self) -> Colour:
        """The opposite colour."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK


class Point(NamedTuple):
    """An intersection; ``file`` and ``rank`` count from 0, so ``Point(7, 7)`` is H8."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.file)}{self.rank + 1}"

    @classmethod
    def parse(cls, text: str, size: int = 15) -> Point:
        """Read algebraic notation such as ``"H8"``.

        Raises ValueError, in one line for people, when ``text`` is no point of a ``size`` × ``size`` board.
        """
        match = _POINT.fullmatch(text.strip())
        if match:
            point = cls(ord(match[1].upper()) - ord("A"), int(match[2]) - 1)
            if point.file < size and point.rank < size:
                return point
        last = cls(size - 1, size - 1)
        raise ValueError(f"{text!r} is not a point of a {size} x {size} board: write a file and a rank, A1 to {last}")


def tengen(size: int) -> Point:
    """The centre point of a board of odd ``size``."""
    return Point(size // 2, size // 2)


def star_points(size: int) -> tuple[Point, ...]:
    """The marked points: tengen and, from 9 lines up, the four stars (E1: D4, D12, L12, L4 on 15 lines)."""
    centre = (tengen(size),) if size % 2 else ()
    if size < 9:
        return centre
    low = 3 if size >= 13 else 2
    high = size - 1 - low
    return (*centre, Point(low, low), Point(low, high), Point(high, high), Point(high, low))
