"""What each player did and used in one game, in sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.arbiter.consequences import FORBIDDEN_CODES
from appliance.arbiter.rulings import Certainty
from appliance.game.points import Colour, Seat

if TYPE_CHECKING:
    from appliance.arbiter.arbiter import Arbiter
    from appliance.arbiter.facts import Press
    from appliance.arbiter.rulings import Ruling


@dataclass(frozen=True, kw_only=True)
class Totals:
    """One player's sums.

    ``colour``: in the end. ``moves``: stones of the record that this player laid. ``used_ns``: nanoseconds of the turns
    that ended with this player's press, None where no clock was pressed. ``flags``: acts against the rules and
    forbidden moves that this player was certainly seen to make.
    """

    seat: Seat
    colour: Colour
    moves: int
    used_ns: int | None
    flags: int


def totals(arbiter: Arbiter) -> tuple[Totals, ...]:
    """The sums of the first player, then of the second. A stone that nobody is named for counts for neither."""
    return tuple(_of(arbiter, seat) for seat in Seat)


def presses_without_stone(arbiter: Arbiter) -> dict[Press, int]:
    """The presses that switched the clock and completed no move of the record, with the nanoseconds of the turn."""
    completing = {move.press for move in arbiter.moves}
    return {press: used for press, used in arbiter.turns.items() if press not in completing}


def _of(arbiter: Arbiter, seat: Seat) -> Totals:
    return Totals(
        seat=seat,
        colour=Colour.BLACK if seat is arbiter.protocol.black else Colour.WHITE,
        moves=sum(move.seat is seat for move in arbiter.moves),
        used_ns=sum(used for press, used in arbiter.turns.items() if press.seat is seat) if arbiter.turns else None,
        flags=sum(ruling.seat is seat and _is_flag(ruling, arbiter) for ruling in arbiter.rulings),
    )


def _is_flag(ruling: Ruling, arbiter: Arbiter) -> bool:
    """Whether a ruling stands against its player: a five, a notice and what could not be seen do not."""
    against = ruling.code in arbiter.ruleset.acts or ruling.code in FORBIDDEN_CODES
    return against and ruling.certainty is Certainty.CERTAIN
