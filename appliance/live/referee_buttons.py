"""What the referee's buttons mean as the game stands: confirm, and each player's claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.consequences import FORBIDDEN_CODES
from appliance.arbiter.decisions import ClaimForbidden, ClaimTime, Confirm, DeclareFive
from appliance.arbiter.rulings import Certainty
from appliance.game.points import Seat
from clock.press import Button

if TYPE_CHECKING:
    from appliance.arbiter.arbiter import Arbiter
    from appliance.arbiter.decisions import Act
    from appliance.arbiter.rulings import Ruling


def confirmed(arbiter: Arbiter) -> Act:
    """The newest ruling that is open and certain takes effect. Raises ValueError where there is none."""
    ruling = next(reversed(_open(arbiter)), None)
    if ruling is None:
        raise ValueError("there is no ruling to confirm: what could not be seen is decided on the referee's page")
    return Confirm(ruling=ruling.number)


def claimed(arbiter: Arbiter, button: Button) -> Act | None:
    """What a player who presses the claim button may mean, where no referee is at hand; None: it calls the referee.

    The player's own five, the opponent's flag, a forbidden move or an act of the opponent's, whichever stands.
    """
    if not arbiter.state.self_ruled:
        return None
    seat = Seat.FIRST if button is Button.CLAIM_FIRST else Seat.SECOND
    for ruling in reversed(_open(arbiter)):
        if ruling.code == "five" and ruling.seat is seat:
            return DeclareFive(seat=seat)
        if ruling.seat is not seat.other:
            continue
        if ruling.code in FORBIDDEN_CODES:
            return ClaimForbidden(by=seat, point=ruling.points[0])
        if ruling.code == "flag":
            return ClaimTime()
        if ruling.code in arbiter.ruleset.acts:
            return Confirm(ruling=ruling.number, by=seat)
    return None


def _open(arbiter: Arbiter) -> list[Ruling]:
    return [one for one in arbiter.rulings if one.standing is None and one.certainty is Certainty.CERTAIN]
