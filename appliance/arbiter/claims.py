"""What players must declare or point out to have it count: fives, forbidden moves, flags (W1 to W5, D4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.consequences import FORBIDDEN_CODES
from appliance.arbiter.outcomes import Standing
from appliance.game.points import Colour

if TYPE_CHECKING:
    from appliance.arbiter.ledger import Ledger, Step, Turn
    from appliance.arbiter.occurrences import FiveDeclared, FlagsCalled, ForbiddenClaimed, TooLate


def five_declared(ledger: Ledger, claim: FiveDeclared) -> Step:
    """W1: the first to declare a five wins, whoever made one first.

    A five that was not declared before the press costs its player the turn (A 10.1(10)), not the right to declare it.
    """
    five = next((turn for turn in ledger.turns if turn.code == "five" and turn.seat is claim.seat), None)
    if five is None:
        return ledger.refused(claim.t_ns, "five", claim.seat, "no five of this player's stands on the board")
    reason = "five" if len(five.row) == 5 else "five (overline)"
    outcome = ledger.outcome(claim.t_ns, "five", claim.seat, Standing.ACCEPTED, reason)
    return ledger.ended(outcome, winner=claim.seat)


def forbidden_claimed(ledger: Ledger, claim: ForbiddenClaimed) -> Step:
    """W2 to W4: only White may, a double three or four until White's next stone, an overline until the game ends.

    A pass lays no stone (A 10.1(3), B 终局1(2): 又落下一白子), so it leaves the time for a claim as it was.
    """
    turn = _claimed(ledger, claim)
    if turn is None:
        rejected = "no move is forbidden under these rules"
        if ledger.ruleset.forbidden.any:
            rejected = f"no forbidden move of Black's was made with the stone on {claim.point}"
        return ledger.refused(claim.t_ns, "double_three", claim.by, rejected)
    assert turn.code is not None
    if claim.by is turn.seat:
        return ledger.refused(claim.t_ns, turn.code, claim.by, "only the opponent may point out a forbidden move")
    if turn.code == "five":
        return ledger.refused(
            claim.t_ns, "five_and_forbidden", claim.by, f"the stone on {turn.point} makes five: nothing it makes counts"
        )
    if turn.lost_by is not None:
        reason = f"claim lost: White has laid move {turn.lost_by} since"
        return ledger.refused(claim.t_ns, "claim_too_late", claim.by, reason)
    outcome = ledger.outcome(claim.t_ns, turn.code, claim.by, Standing.ACCEPTED, turn.code)
    return ledger.ended(outcome, winner=claim.by)


def _claimed(ledger: Ledger, claim: ForbiddenClaimed) -> Turn | None:
    """The black move that is meant: the stone on the point itself rather than one of an overline through it."""
    if not ledger.ruleset.forbidden.any:
        return None
    codes = FORBIDDEN_CODES | {"five"}
    black = [turn for turn in ledger.turns if turn.colour is Colour.BLACK and turn.code in codes]
    on_point = (turn for turn in black if turn.point == claim.point)
    through = (turn for turn in black if turn.code == "overline" and claim.point in turn.row)
    return next(on_point, None) or next(through, None)


def flags_called(ledger: Ledger, call: FlagsCalled) -> Step:
    """W5: who is over the time loses; D4: a draw when both are and nobody can tell who was first."""
    if not call.down:
        return ledger.refused(call.t_ns, "flag", None, "no flag is down")
    loser = call.first if len(call.down) > 1 else next(iter(call.down))
    if loser is None:
        outcome = ledger.outcome(
            call.t_ns, "both_flags", None, Standing.ACCEPTED, "both flags are down; which fell first is not known"
        )
        return ledger.ended(outcome, winner=None, drawn=True)
    return ledger.lost(call.t_ns, "flag", loser, "the time is over")


def too_late(ledger: Ledger, late: TooLate) -> Step:
    """C9: who comes later than the limit forfeits; so do both."""
    if not late.seats:
        return ledger.refused(late.t_ns, "late", None, "nobody is late")
    if len(late.seats) == 1:
        return ledger.lost(late.t_ns, "late", next(iter(late.seats)), "late beyond the limit")
    outcome = ledger.outcome(late.t_ns, "late", None, Standing.ACCEPTED, "both late beyond the limit: both forfeit")
    return ledger.ended(outcome, winner=None)
