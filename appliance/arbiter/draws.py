"""Passes, offers of a draw, and what both agree on (D1, D2, D6, D7, W7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.arbiter.ledger import Accusation, Terms, Turn
from appliance.arbiter.outcomes import Standing
from appliance.game.ruleset import Penalty, Raiser, Until

if TYPE_CHECKING:
    from appliance.arbiter.ledger import Ledger, Step
    from appliance.arbiter.occurrences import DrawAgreed, DrawAnswered, DrawOffered, Passed, ResultAgreed

MOST_OFFERS_MORE = 2
"""By how many offers one side may be ahead of the other (D6)."""

IMPROPER_OFFER = Terms(
    remedies=(), penalty=Penalty.VIOLATION, by=(Raiser.OPPONENT, Raiser.REFEREE), until=Until.NEXT_MOVE
)
"""D6: a violation may be given for it: like an act on the board it counts only when raised."""


def passed(ledger: Ledger, given_up: Passed) -> Step:
    """D7; two passes one after the other are "the same round" and draw the game (D2).

    A pass lays no stone: it ends no time in which something may be claimed or raised. On a full board, where nobody
    can lay another, it draws the game unless a five stands on it (D3).
    """
    number = ledger.number + 1
    allowed = ledger.ruleset.passes
    if not allowed.allowed or number < allowed.from_move:
        first = f"before move {allowed.from_move}" if allowed.allowed else "under these rules"
        return ledger.refused(given_up.t_ns, "early_pass", given_up.seat, f"no pass {first}: the player is to move")
    before = ledger.turns[-1] if ledger.turns else None
    offering = None if ledger.offering is given_up.seat.other else ledger.offering
    turn = Turn(number=number, seat=given_up.seat)
    after = replace(ledger, turns=(*ledger.turns, turn), offering=offering, to_press=None)
    if ledger.full and not ledger.has_five:
        outcome = ledger.outcome(given_up.t_ns, "board_full", None, Standing.ACCEPTED, "no point is free")
        return after.ended(outcome, winner=None, drawn=True)
    if before is not None and before.point is None and before.seat is given_up.seat.other:
        outcome = ledger.outcome(given_up.t_ns, "double_pass", None, Standing.ACCEPTED, "both passed in the same round")
        return after.ended(outcome, winner=None, drawn=True)
    return after, ()


def draw_offered(ledger: Ledger, offer: DrawOffered) -> Step:
    """D6. An improper offer stands as an offer all the same; it may be raised until the opponent's next move."""
    offers = (*ledger.draw_offers, offer.seat)
    after = replace(ledger, draw_offers=offers, offering=offer.seat)
    ahead = offers.count(offer.seat) - offers.count(offer.seat.other)
    fault = None
    if ledger.to_press is not offer.seat:
        fault = "a draw is offered after one's own stone and before the press"
    elif ahead > MOST_OFFERS_MORE:
        fault = f"{ahead} offers more than the opponent's; at most {MOST_OFFERS_MORE} are allowed"
    if fault is None:
        return after, ()
    act = Accusation(code="draw_offer_improper", terms=IMPROPER_OFFER, seat=offer.seat, number=ledger.number)
    after = replace(after, accusations=(*ledger.accusations, act))
    return after, (ledger.outcome(offer.t_ns, act.code, offer.seat, Standing.RECORDED, fault),)


def draw_answered(ledger: Ledger, answer: DrawAnswered) -> Step:
    """D6: yes draws the game; no, like a move, ends the offer."""
    if ledger.offering is not answer.seat.other:
        return ledger.refused(answer.t_ns, "draw_agreed", answer.seat, "no offer of the opponent's stands")
    if answer.accepts:
        outcome = ledger.outcome(answer.t_ns, "draw_agreed", None, Standing.ACCEPTED, "the offer was accepted")
        return ledger.ended(outcome, winner=None, drawn=True)
    return replace(ledger, offering=None), ()


def draw_agreed(ledger: Ledger, agreed: DrawAgreed) -> Step:
    """D1."""
    outcome = ledger.outcome(agreed.t_ns, "draw_agreed", None, Standing.ACCEPTED, "both agreed on a draw")
    return ledger.ended(outcome, winner=None, drawn=True)


def result_agreed(ledger: Ledger, agreed: ResultAgreed) -> Step:
    """W7: what both agree on, both clocks stopped, is final; so is a result already ruled that both accept."""
    if ledger.final:
        return ledger.refused(agreed.t_ns, "result_agreed", None, "the result is final")
    if not agreed.clocks_stopped:
        return ledger.refused(agreed.t_ns, "result_agreed", None, "a clock still runs")
    outcome = ledger.outcome(agreed.t_ns, "result_agreed", None, Standing.ACCEPTED, "both agree and both clocks stand")
    final = replace(ledger, final=True)
    if ledger.end is None:
        return final.ended(outcome, winner=agreed.winner, drawn=agreed.winner is None)
    if (ledger.end.winner, ledger.end.drawn) != (agreed.winner, agreed.winner is None):
        return ledger.refused(agreed.t_ns, "result_agreed", None, "the game has ended otherwise")
    return final, (outcome,)
