"""What a stone makes the moment it stands: opening faults, five, forbidden moves, a full board (P1, P2, W1–W4, D3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.game.fifth_move import same_shape_groups
from appliance.game.points import Colour, tengen
from appliance.game.shapes import FiveEye, Verdict, judge, overline, winning_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from appliance.game.points import Point
    from appliance.game.position import Position
    from appliance.game.ruleset import Ruleset

_FORBIDDEN = {
    Verdict.DOUBLE_THREE: "double_three",
    Verdict.DOUBLE_FOUR: "double_four",
    Verdict.OVERLINE: "overline",
}
FORBIDDEN_CODES = frozenset(_FORBIDDEN.values())


@dataclass(frozen=True, kw_only=True)
class Consequence:
    """One thing that a stone makes. ``winner``: who won by it where no claim is needed; ``drawn``: the game ends."""

    code: str
    points: tuple[Point, ...]
    winner: Colour | None = None
    drawn: bool = False


def opening_faults(ruleset: Ruleset, played: Sequence[Point], size: int) -> Iterator[Consequence]:
    """What the last of the moves ``played`` from an empty board breaks: the squares around tengen (O1, O8).

    Stones of one turn are judged with its last one; where Black 1 is off tengen (P1), the others are not.
    """
    if not played:
        return
    centre = tengen(size)
    if played[0] != centre and ruleset.act("first_stone_off_tengen"):
        if len(played) == 1:
            yield Consequence(code="first_stone_off_tengen", points=(played[0],))
        return
    squares = ruleset.opening.squares_ending_at(len(played))
    turn = played[-len(squares) :] if squares else ()
    inside = all(in_square(point, side, size) for point, side in zip(turn, squares, strict=True))
    code = "opening_outside_26" if len(played) <= 3 else "stone_outside_square"
    if not inside and ruleset.act(code):
        yield Consequence(code=code, points=(played[-1],))


def in_square(point: Point, side: int, size: int) -> bool:
    """Whether ``point`` lies in the square of ``side`` points around tengen; 0: anywhere."""
    centre = tengen(size)
    return not side or max(abs(point.file - centre.file), abs(point.rank - centre.rank)) <= side // 2


def offer_faults(
    ruleset: Ruleset, position: Position, offered: Sequence[Point], wanted: int | None = None
) -> Iterator[Consequence]:
    """What the points ``offered`` for move 5, on top of ``position``, break (P16).

    ``wanted``: how many are due; None: as many as the ruleset says, if it does.
    """
    if not ruleset.act("points_equivalent"):
        return
    fixed = ruleset.opening.fifth_points
    due = fixed if wanted is None and isinstance(fixed, int) else wanted
    groups = same_shape_groups(position, offered)
    if groups:
        yield Consequence(code="points_equivalent", points=groups[0])
    elif due is not None and len(offered) != due:
        yield Consequence(code="points_equivalent", points=tuple(offered))


def made_by(ruleset: Ruleset, position: Position, point: Point) -> Consequence | None:
    """What the stone on ``point`` of ``position`` makes, if anything: a five goes before all else (W4)."""
    colour = position.at(point)
    if colour is None:
        raise ValueError(f"no stone stands on {point}")
    exact = ruleset.five.black_exact if colour is Colour.BLACK else ruleset.five.white_exact
    five = winning_line(position, point, exact=exact)
    if five:
        return Consequence(code="five", points=five, winner=None if ruleset.claims.five else colour)
    code = _forbidden(ruleset, position, point) if colour is Colour.BLACK else None
    if code is not None:
        winner = None if ruleset.claims.forbidden else Colour.WHITE
        return Consequence(code=code, points=(point,), winner=winner)
    if len(position.stones) == position.size**2:
        return Consequence(code="board_full", points=(), drawn=True)
    return None


def _forbidden(ruleset: Ruleset, position: Position, point: Point) -> str | None:
    """The code of the forbidden move that a black stone is, if the ruleset knows it (T5)."""
    forbidden = ruleset.forbidden
    if overline(position, point):
        return "overline" if forbidden.overline else None
    if not (forbidden.double_three or forbidden.double_four):
        return None
    code = _FORBIDDEN.get(judge(position.removed([point]), point, FiveEye(forbidden.five_eye)))
    known = {"double_three": forbidden.double_three, "double_four": forbidden.double_four}
    return code if code is not None and known.get(code, False) else None
