"""What one stone makes on one line (rules T1 to T4): a five, an overline, fours, a three.

A line is written as bytes, one character a point: ``.`` empty, ``B`` black, ``#`` barred by a white stone or the edge.
Only exactly five is a five here, and a four that could only grow to six is none, as it is for Black.
"""

from __future__ import annotations

from dataclasses import dataclass

EMPTY, BLACK, BARRED = b".B#"

REACH = 5
"""How far a stone's line matters to it: its fours end 4 points away, and a stone one point farther spoils them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFour:
    """Four stones that one more makes a five; all numbers are offsets along the line from the stone laid."""

    stones: tuple[int, ...]
    five_points: tuple[int, ...]
    """Where the five is made: two points for an open four, one for a simple four (T3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineThree:
    """Three stones that one more makes an open four; offsets as in :class:`LineFour`."""

    stones: tuple[int, ...]
    open_four_points: tuple[int, ...]
    """One or two points, not yet asked whether Black may play there (T4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineShape:
    """All that one stone makes on one line.

    A run of five or more leaves room for nothing else; fours (two at most) and a three exclude each other.
    """

    run: int
    """How many stones stand unbroken through the stone laid, itself included, as far as ``REACH``."""
    fours: tuple[LineFour, ...] = ()
    three: LineThree | None = None

    @property
    def weight(self) -> int:
        """How many threes and fours it counts for, an overline as two: below two on all its lines a stone is legal."""
        return 2 * (self.run > 5) + len(self.fours) + (self.three is not None)


def shape_of(window: bytes) -> LineShape | None:
    """What a black stone in the empty middle of ``window`` makes; None for nothing.

    ``window`` holds ``REACH`` points to both sides of the middle.
    """
    within = window[:REACH].rpartition(b"#")[2] + window[REACH + 1 :].partition(b"#")[0]
    if len(within) < 4 or within.count(BLACK) < 2:
        return None
    window = window[:REACH] + b"B" + window[REACH + 1 :]
    run = 1 + _leading_stones(window[REACH + 1 :]) + _leading_stones(window[REACH - 1 :: -1])
    if run >= 5:
        return LineShape(run=run)
    fours = _fours(window)
    three = None if fours else _three(window)
    return LineShape(run=run, fours=fours, three=three) if fours or three else None


def _leading_stones(cells: bytes) -> int:
    return len(cells) - len(cells.lstrip(b"B"))


def _fours(window: bytes) -> tuple[LineFour, ...]:
    five_points: dict[tuple[int, ...], list[int]] = {}
    for start in range(REACH - 4, REACH + 1):
        five = window[start : start + 5]
        if five.count(BLACK) == 4 and EMPTY in five and BLACK not in (window[start - 1], window[start + 5]):
            stones = tuple(start + i - REACH for i in range(5) if five[i] == BLACK)
            five_points.setdefault(stones, []).append(start + five.index(EMPTY) - REACH)
    return tuple(LineFour(stones=stones, five_points=tuple(points)) for stones, points in five_points.items())


def _three(window: bytes) -> LineThree | None:
    stones: tuple[int, ...] = ()
    points: list[int] = []
    for start in range(REACH - 3, REACH + 1):
        four = window[start : start + 4]
        if four.count(BLACK) == 3 and EMPTY in four:
            open_ends = window[start - 1] == window[start + 4] == EMPTY
            if open_ends and BLACK not in (window[start - 2], window[start + 5]):
                # Open ends leave room for one three a line: a second point lengthens the same stones.
                stones = tuple(start + i - REACH for i in range(4) if four[i] == BLACK)
                points.append(start + four.index(EMPTY) - REACH)
    return LineThree(stones=stones, open_four_points=tuple(points)) if points else None


class WindowShapes(dict[bytes, LineShape | None]):
    """:func:`shape_of`, remembered; there are no more than 3 ** 10 windows."""

    def __missing__(self, window: bytes) -> LineShape | None:
        shape = self[window] = shape_of(window)
        return shape


class LineShapes(dict[bytes, tuple[tuple[int, LineShape], ...]]):
    """Of a line from edge to edge, each empty point's index where a stone makes something, and what; remembered."""

    LIMIT = 1 << 16
    """Lines kept, some 10 MB, before starting afresh."""

    def __init__(self, windows: WindowShapes) -> None:
        super().__init__()
        self._windows = windows

    def __missing__(self, line: bytes) -> tuple[tuple[int, LineShape], ...]:
        if len(self) >= self.LIMIT:
            self.clear()
        shapes = self[line] = tuple(self._shapes(line)) if line.count(BLACK) >= 2 else ()
        return shapes

    def _shapes(self, line: bytes) -> list[tuple[int, LineShape]]:
        border = bytes([BARRED]) * REACH
        padded = border + line + border
        windows = self._windows
        found = []
        for i, cell in enumerate(line):
            if cell == EMPTY:
                shape = windows[padded[i : i + 2 * REACH + 1]]
                if shape is not None:
                    found.append((i, shape))
        return found
