"""Why a point is forbidden to Black, or is not: as data that can be drawn, and in plain words (rules T2 to T5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.game.cells import Layout, cells_of, layout, run_through, with_stone
from appliance.game.shapes import FiveEye, Verdict, require_empty, shapes_at, verdict_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from appliance.game.points import Point
    from appliance.game.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Five stones or more without a gap, the judged one among them, in order along their line."""

    stones: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Four:
    """Four stones, the judged one among them, that one more makes a five (T3)."""

    stones: tuple[Point, ...]
    five_points: tuple[Point, ...]
    """Where the five can be made: two points for an open four, one for a simple four."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFourPoint:
    """A point that makes a three an open four."""

    point: Point
    obstacle: Explanation | None
    """Why Black may not use it, judged with the stone in question on the board; None when nothing hinders Black."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Three:
    """Three stones, the judged one among them, that look like an open three (T4)."""

    stones: tuple[Point, ...]
    open_four_points: tuple[OpenFourPoint, ...]

    @property
    def counts(self) -> bool:
        """Whether it is an open three: Black may play one of the points that make an open four."""
        return any(point.obstacle is None for point in self.open_four_points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that a black stone on ``point`` makes, and what follows from it."""

    point: Point
    verdict: Verdict
    rows: tuple[Row, ...]
    """Fives and overlines; more than one when several lines have them."""
    fours: tuple[Four, ...]
    threes: tuple[Three, ...]


def explain(position: Position, point: Point, five_eye: FiveEye = FiveEye.RIF) -> Explanation:
    """Why Black may or may not play ``point``. Raises ValueError when ``point`` is taken or off the board."""
    require_empty(position, point)
    board = layout(position.size)
    return _explain(board, cells_of(position), board.index(point), five_eye)


def _explain(board: Layout, cells: bytes, index: int, five_eye: FiveEye) -> Explanation:
    laid = with_stone(cells, index)
    rows, fours, threes = [], [], []
    for step, shape in zip(board.steps, shapes_at(board, cells, index), strict=True):
        if shape is None:
            continue
        if shape.run >= 5:
            rows.append(Row(stones=tuple(board.points[i] for i in run_through(laid, index, step))))
        for four in shape.fours:
            stones = _points(board, index, step, four.stones)
            fours.append(Four(stones=stones, five_points=_points(board, index, step, four.five_points)))
        if shape.three is not None:
            rises = [index + offset * step for offset in shape.three.open_four_points]
            open_four_points = tuple(_open_four_point(board, laid, rise, five_eye) for rise in rises)
            stones = _points(board, index, step, shape.three.stones)
            threes.append(Three(stones=stones, open_four_points=open_four_points))
    return Explanation(
        point=board.points[index],
        verdict=verdict_at(board, cells, index, five_eye),
        rows=tuple(rows),
        fours=tuple(fours),
        threes=tuple(threes),
    )


def _open_four_point(board: Layout, cells: bytes, index: int, five_eye: FiveEye) -> OpenFourPoint:
    usable = five_eye.counts(verdict_at(board, cells, index, five_eye))
    obstacle = None if usable else _explain(board, cells, index, five_eye)
    return OpenFourPoint(point=board.points[index], obstacle=obstacle)


def _points(board: Layout, index: int, step: int, offsets: Iterable[int]) -> tuple[Point, ...]:
    return tuple(board.points[index + offset * step] for offset in offsets)


_IN_WORDS = {
    Verdict.FIVE: "makes five",
    Verdict.OVERLINE: "makes an overline, forbidden",
    Verdict.DOUBLE_FOUR: "makes a double four, forbidden",
    Verdict.DOUBLE_THREE: "makes a double three, forbidden",
    Verdict.LEGAL: "is allowed",
}


def in_words(explanation: Explanation) -> list[str]:
    """The explanation as lines of plain English; what explains a line follows it, two spaces further in."""
    return [f"{explanation.point} {_IN_WORDS[explanation.verdict]}.", *("  " + line for line in _shapes(explanation))]


def _shapes(explanation: Explanation) -> Iterator[str]:
    for row in explanation.rows:
        yield f"{'Five' if len(row.stones) == 5 else f'{len(row.stones)} in a row'}: {_listed(row.stones)}."
    if explanation.rows:
        return
    if not (explanation.fours or explanation.threes):
        yield "It makes no four, which one more stone would make exactly five, and no three that could be an open four."
    for four in explanation.fours:
        kind = "Open four" if len(four.five_points) == 2 else "Four"
        yield f"{kind}: {_listed(four.stones)}; five at {_listed(four.five_points, ' or ')}."
    for three in explanation.threes:
        free = [point.point for point in three.open_four_points if point.obstacle is None]
        barred = [point.obstacle for point in three.open_four_points if point.obstacle is not None]
        if free:
            yield f"Open three: {_listed(three.stones)}; open four at {_listed(free, ' or ')}."
        else:
            yield f"No open three: {_listed(three.stones)}, for want of an open four that counts:"
            for obstacle in barred:
                yield from ("  " + line for line in in_words(obstacle))
                if obstacle.verdict is Verdict.FIVE:
                    yield "    As the RIF reads it, a five is no open four; read the other way the three counts (T4)."


def _listed(points: Iterable[Point], between: str = " ") -> str:
    return between.join(str(point) for point in points)
