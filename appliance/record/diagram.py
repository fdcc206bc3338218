"""The game as plain text for a terminal: the record sheet's board in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.game.points import Colour, Point, star_points
from appliance.record.game_record import points_and_repeats

if TYPE_CHECKING:
    from appliance.record.game_record import GameRecord

_DISC = {Colour.BLACK: "●", Colour.WHITE: "○"}


def diagram(record: GameRecord) -> str:
    """The board with its moves from Black's seat at the start, one rank per line, no line end at the end.

    ``(7)``: move 7, black, as in a circle on paper; ``8``: move 8, white; ``●`` ``○``: stones that stood before move 1;
    ``+``: a star point. Passes and moves to a point that was already drawn on are named below.
    """
    size = record.board_size
    drawn, repeats = points_and_repeats(record)
    digits = max((len(str(move.number)) for move in record.moves), default=1)
    stars = star_points(size)

    def mark(point: Point) -> str:
        if point in record.start_stones:
            return f" {_DISC[record.start_stones[point]]:>{digits}} "
        if point not in drawn:
            return f" {'+' if point in stars else '·':>{digits}} "
        move = drawn[point]
        return f"({move.number:>{digits}})" if move.colour is Colour.BLACK else f" {move.number:>{digits}} "

    files = "   " + " ".join(f" {chr(ord('A') + file):>{digits}} " for file in range(size))
    ranks = [
        f"{rank + 1:>2} " + " ".join(mark(Point(file, rank)) for file in range(size)) + f" {rank + 1:>2}"
        for rank in reversed(range(size))
    ]
    notes = [f"{m.number} {_DISC[m.colour]} pass" for m in record.moves if m.point is None]
    notes += [f"{m.number} {_DISC[m.colour]} {m.point} (taken point)" for m in repeats]
    return "\n".join([files.rstrip(), *ranks, files.rstrip(), *notes])
