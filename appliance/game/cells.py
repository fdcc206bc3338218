"""A position laid out as bytes, so that every line of the board is a slice with a step (T1).

The board lies row after row with a border ``REACH`` points wide; a row's right border serves as the next row's left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from appliance.game.lines import BARRED, BLACK, EMPTY, REACH
from appliance.game.points import Colour, Point

if TYPE_CHECKING:
    from appliance.game.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where points and lines of a board lie in the bytes; one per board size."""

    empty: bytes
    """The board without stones."""
    stride: int
    """From a point to the next rank."""
    first: int
    """The index of A1."""
    points: dict[int, Point]
    """Index to point, rank by rank from A1."""
    steps: tuple[int, ...]
    """Along a rank, along a file, along the rising diagonal, along the falling one."""
    lines: tuple[tuple[slice, range], ...]
    """Each line of five points or more: its slice, and the indices of its points."""
    windows: dict[int, tuple[slice, ...]]
    """The part of each of a point's four lines that matters to it, in the order of ``steps``."""

    def index(self, point: Point) -> int:
        """Where ``point`` lies in the bytes."""
        return self.first + point.rank * self.stride + point.file


@cache
def layout(size: int) -> Layout:
    """The layout for a board of ``size`` lines."""
    stride = size + REACH
    first = REACH * stride + REACH
    points = {first + rank * stride + file: Point(file, rank) for rank in range(size) for file in range(size)}
    empty = bytearray([BARRED]) * ((size + 2 * REACH) * stride + 2 * REACH)
    for index in points:
        empty[index] = EMPTY
    steps = (1, stride, stride + 1, stride - 1)
    lines = []
    for step in steps:
        for start in points:
            if start - step not in points:
                stop = start
                while stop in points:
                    stop += step
                if stop - start >= 5 * step:
                    lines.append((slice(start, stop, step), range(start, stop, step)))
    return Layout(
        empty=bytes(empty),
        stride=stride,
        first=first,
        points=points,
        steps=steps,
        lines=tuple(lines),
        windows={i: tuple(slice(i - REACH * step, i + REACH * step + 1, step) for step in steps) for i in points},
    )


def cells_of(position: Position, mine: Colour = Colour.BLACK) -> bytes:
    """The stones of ``position`` in its size's layout: ``mine`` as ``B``, the others as ``#``."""
    board = layout(position.size)
    first, stride = board.first, board.stride
    cells = bytearray(board.empty)
    for (file, rank), colour in position.stones.items():
        cells[first + rank * stride + file] = BLACK if colour is mine else BARRED
    return bytes(cells)


def with_stone(cells: bytes, index: int) -> bytes:
    """``cells`` with one ``B`` more."""
    return cells[:index] + b"B" + cells[index + 1 :]


def run_through(cells: bytes, index: int, step: int) -> range:
    """The unbroken stones of one kind through ``index`` along ``step``, as indices."""
    stone = cells[index]
    first = last = index
    while cells[first - step] == stone:
        first -= step
    while cells[last + step] == stone:
        last += step
    return range(first, last + 1, step)
