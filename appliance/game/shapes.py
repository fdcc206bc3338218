"""Fives and overlines for both colours, and where Black may not play (rules T2 to T5).

Threes are judged by the text: a three counts only if Black may play a point that makes it an open four, and that
point is judged in the same way with the stone in question on the board.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from appliance.game.cells import Layout, cells_of, layout, run_through, with_stone
from appliance.game.lines import LineShape, LineShapes, LineThree, WindowShapes
from appliance.game.points import Colour, Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from appliance.game.position import Position


class Verdict(StrEnum):
    """What a black stone makes; where it makes several, the first in this order holds (T5)."""

    FIVE = "five"
    OVERLINE = "overline"
    DOUBLE_FOUR = "double_four"
    DOUBLE_THREE = "double_three"
    LEGAL = "legal"

    @property
    def forbidden(self) -> bool:
        """Whether Black may not play so."""
        return self not in (Verdict.FIVE, Verdict.LEGAL)


class FiveEye(StrEnum):
    """How to count a three whose only open-four point also completes a five on another line (T4)."""

    RIF = "rif"
    """Not a three: the open four must be made "without at the same time a five"."""
    SEKAI = "sekai"
    """A three: a move that makes a five is never forbidden."""

    def counts(self, verdict: Verdict) -> bool:
        """Whether a three counts that can be made an open four by a stone with this ``verdict``."""
        return verdict is Verdict.LEGAL or (verdict is Verdict.FIVE and self is FiveEye.SEKAI)


_windows = WindowShapes()
_lines = LineShapes(_windows)


def judge(position: Position, point: Point, five_eye: FiveEye = FiveEye.RIF) -> Verdict:
    """What a black stone laid on ``point`` makes. Raises ValueError when ``point`` is taken or off the board."""
    require_empty(position, point)
    board = layout(position.size)
    return verdict_at(board, cells_of(position), board.index(point), five_eye)


def forbidden_points(position: Position, five_eye: FiveEye = FiveEye.RIF) -> dict[Point, Verdict]:
    """Every empty point where Black may not play, and why; rank by rank from A1."""
    board = layout(position.size)
    cells = cells_of(position)
    weights: dict[int, int] = {}
    for line, indices in board.lines:
        for i, shape in _lines[cells[line]]:
            index = indices[i]
            weights[index] = weights.get(index, 0) + shape.weight
    suspects = sorted(index for index, weight in weights.items() if weight >= 2)
    verdicts = ((board.points[index], verdict_at(board, cells, index, five_eye)) for index in suspects)
    return {point: verdict for point, verdict in verdicts if verdict.forbidden}


def five_points(position: Position, colour: Colour, *, exact: bool) -> list[Point]:
    """Every empty point where a stone of ``colour`` makes a five, rank by rank from A1.

    ``exact``: six or more is no five (Black in renju, both in standard gomoku).
    """
    board = layout(position.size)
    cells = cells_of(position, colour)
    found = {
        indices[i]
        for line, indices in board.lines
        for i, shape in _lines[cells[line]]
        if shape.run == 5 or (shape.run > 5 and not exact)
    }
    return [board.points[index] for index in sorted(found)]


def winning_line(position: Position, point: Point, *, exact: bool) -> tuple[Point, ...]:
    """The five that the stone on ``point`` is part of, in order along its line; empty when there is none.

    ``exact`` as in :func:`five_points`. Raises ValueError when ``point`` holds no stone.
    """
    return next((run for run in _runs(position, point) if len(run) == 5 or (len(run) > 5 and not exact)), ())


def overline(position: Position, point: Point) -> tuple[Point, ...]:
    """The six or more stones in a row that the stone on ``point`` is part of, as in :func:`winning_line`."""
    return next((run for run in _runs(position, point) if len(run) > 5), ())


def _runs(position: Position, point: Point) -> Iterator[tuple[Point, ...]]:
    colour = position.at(point)
    if colour is None:
        raise ValueError(f"no stone stands on {point}: name the point of a stone")
    board = layout(position.size)
    cells = cells_of(position, colour)
    for step in board.steps:
        yield tuple(board.points[index] for index in run_through(cells, board.index(point), step))


def require_empty(position: Position, point: Point) -> None:
    """Raise ValueError, in one line for people, unless ``point`` is an empty point of the board."""
    position.placed(point, Colour.BLACK)


def shapes_at(board: Layout, cells: bytes, index: int) -> list[LineShape | None]:
    """What a stone at ``index`` makes on each of its lines, in the order of the layout's steps."""
    return [_windows[cells[window]] for window in board.windows[index]]


def verdict_at(board: Layout, cells: bytes, index: int, five_eye: FiveEye) -> Verdict:
    """:func:`judge` on a position laid out as ``cells``."""
    longest = fours = 0
    threes: list[tuple[int, LineThree]] = []
    for step, shape in zip(board.steps, shapes_at(board, cells, index), strict=True):
        if shape is None:
            continue
        if shape.run == 5:
            return Verdict.FIVE
        if shape.run > longest:
            longest = shape.run
        if shape.three is not None:
            threes.append((step, shape.three))
        else:
            fours += len(shape.fours)
    if longest > 5:
        return Verdict.OVERLINE
    if fours >= 2:
        return Verdict.DOUBLE_FOUR
    if len(threes) < 2:
        return Verdict.LEGAL
    laid = with_stone(cells, index)
    missing = 2
    while missing and len(threes) >= missing:
        step, three = threes.pop()
        for offset in three.open_four_points:
            if five_eye.counts(verdict_at(board, laid, index + offset * step, five_eye)):
                missing -= 1
                break
    return Verdict.LEGAL if missing else Verdict.DOUBLE_THREE
