"""Acts against the rules: who may raise them, until when, what it costs, and what playing on does (P1 to P17, D6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from appliance.arbiter.draws import IMPROPER_OFFER
from appliance.arbiter.ledger import Accusation, Terms
from appliance.arbiter.outcomes import Standing
from appliance.game.ruleset import Penalty, Raiser, Remedy, Until

if TYPE_CHECKING:
    from appliance.arbiter.ledger import Ledger, Step, Turn
    from appliance.arbiter.occurrences import ActRaised, ActSeen, ViolationGiven
    from appliance.arbiter.outcomes import Outcome
    from appliance.game.points import Seat
    from appliance.game.ruleset import Ruleset

_ENDS_AT = {Until.WHITE_4: 4, Until.MOVE_5: 5, Until.WHITE_6: 6}


class Seconds(NamedTuple):
    """What a time penalty sets on the clocks."""

    opponent_gains: int
    offender_loses: int


def terms(ruleset: Ruleset, code: str) -> Terms | None:
    """How an act is judged; None when the ruleset's opening does not know it. Raises KeyError for an unknown code."""
    if code == "draw_offer_improper":
        return IMPROPER_OFFER
    act = ruleset.act(code)
    if act is None:
        return None
    return Terms(remedies=act.remedies, penalty=act.penalty, by=act.by, until=act.until)


def seen(ledger: Ledger, act: ActSeen) -> Step:
    """An act that can be raised from now on. Nothing follows from it until somebody does."""
    known = terms(ledger.ruleset, act.code)
    if known is None:
        return ledger, ()
    number = ledger.number if act.number is None else act.number
    accusation = Accusation(code=act.code, terms=known, seat=act.seat, number=number, points=act.points)
    return replace(ledger, accusations=(*ledger.accusations, accusation)), ()


def played_on(ledger: Ledger, turn: Turn, t_ns: int) -> Step:
    """What the stone of ``turn`` does to the acts that nobody has raised.

    Under text B the opponent who lays the next stone has accepted what he might have raised; else an act lapses when
    its time is over.
    """
    outcomes: list[Outcome] = []
    accusations = []
    for act in ledger.accusations:
        if not act.closed and _ends(ledger.ruleset, act, turn):
            if _waives(ledger.ruleset, act, turn):
                accepted = f"{act.code}: the opponent played on without telling the referee: the act stands"
                outcomes.append(ledger.outcome(t_ns, "waived", act.seat, Standing.RECORDED, accepted))
            act = replace(act, closed=True)
        accusations.append(act)
    return replace(ledger, accusations=tuple(accusations)), tuple(outcomes)


def _ends(ruleset: Ruleset, act: Accusation, turn: Turn) -> bool:
    """Whether ``act`` may no more be raised after the stone of ``turn``; a "next move" is the opponent's next one."""
    if _waives(ruleset, act, turn):
        return True
    if act.terms.until is Until.NEXT_MOVE:
        return turn.seat is not act.seat
    end = _end(ruleset, act)
    return end is not None and turn.number >= end


def _end(ruleset: Ruleset, act: Accusation) -> int | None:
    """The number of the move that ends the time for ``act``, where it does not depend on who plays it."""
    if act.terms.until is Until.WHITE_ANSWER:
        last = ruleset.opening.turn_end(act.number)
        return last + (1 if last % 2 else 2)
    return _ENDS_AT.get(act.terms.until)


def _waives(ruleset: Ruleset, act: Accusation, turn: Turn) -> bool:
    by_opponent = act.seat is not None and turn.seat is act.seat.other
    return ruleset.waiver_by_playing_on and by_opponent and Raiser.OPPONENT in act.terms.by


def raised(ledger: Ledger, claim: ActRaised) -> Step:
    """An act is raised: by whom it may be and in time, it counts; else nothing follows.

    Raises KeyError for an unknown code, ValueError for a remedy or an amount that the ruleset does not allow.
    """
    known = terms(ledger.ruleset, claim.code)
    if known is None:
        return ledger.refused(claim.t_ns, claim.code, claim.seat, "this ruleset's opening does not know the act")
    before = _seen_before(ledger, claim)
    act = _meant(ledger, known, claim, before)
    fault = _fault(ledger, act, claim)
    if fault is not None:
        return ledger.refused(claim.t_ns, claim.code, act.seat, fault)
    ruled = replace(act, closed=True, raised=True)
    others = tuple(one for one in ledger.accusations if one is not before)
    return _ruled(replace(ledger, accusations=(*others, ruled)), ruled, claim)


def _seen_before(ledger: Ledger, claim: ActRaised) -> Accusation | None:
    """The act that is meant, where it was seen."""
    meant = [
        act
        for act in reversed(ledger.accusations)
        if act.code == claim.code
        and (None in (act.seat, claim.seat) or act.seat is claim.seat)
        and claim.happened_after in (None, act.number)
    ]
    # Of several after one move, what has been ruled on is not what is raised now.
    return next((act for act in meant if not act.raised), meant[0] if meant else None)


def _meant(ledger: Ledger, known: Terms, claim: ActRaised, before: Accusation | None) -> Accusation:
    """The act as it is raised, whether seen ``before`` or not."""
    if before is not None:
        return replace(before, seat=before.seat or claim.seat)
    number = ledger.number if claim.happened_after is None else claim.happened_after
    return Accusation(code=claim.code, terms=known, seat=claim.seat, number=number)


def _fault(ledger: Ledger, act: Accusation, claim: ActRaised) -> str | None:
    """Why an act may not be raised so, if it may not."""
    by = act.terms.by
    if Raiser.ANYONE not in by:
        allowed = Raiser.REFEREE in by if claim.by is None else Raiser.OPPONENT in by and claim.by is not act.seat
        if not allowed:
            return f"to be raised by {' or '.join(by)} only"
    if not 0 <= act.number <= ledger.number:
        return f"there is no move {act.number}: the last is {ledger.number}"
    if act.raised:
        return "it has been ruled on: if it happened again, say after which move"
    since = (turn for turn in ledger.turns if turn.number > act.number and turn.point is not None)
    ended_by = next((turn.number for turn in since if _ends(ledger.ruleset, act, turn)), None)
    if ended_by is not None:
        return f"too late: move {ended_by} was played without it"
    end = _end(ledger.ruleset, act)
    if act.closed or (end is not None and ledger.number >= end):
        return "too late: the game went on without it"
    return None


def _ruled(ledger: Ledger, act: Accusation, claim: ActRaised) -> Step:
    """The remedy and the penalty of an act that counts."""
    known, seat = act.terms, act.seat
    remedy = claim.remedy or next(iter(known.remedies), None)
    if remedy is not None and remedy not in known.remedies:
        raise ValueError(f"{claim.code}: {remedy} is no remedy here: use one of {', '.join(known.remedies) or 'none'}")
    outcome = replace(
        ledger.outcome(claim.t_ns, claim.code, seat, Standing.ACCEPTED, "raised in time"),
        remedy=remedy,
        penalty=known.penalty,
    )
    if remedy is Remedy.DRAW:
        drawn = ledger.outcome(claim.t_ns, "draw_ruled", None, Standing.ACCEPTED, f"{claim.code}: ruled a draw")
        after, ends = ledger.ended(drawn, winner=None, drawn=True)
        return after, (outcome, *ends)
    if seat is None:
        if known.penalty is not Penalty.NONE:
            outcome = replace(outcome, penalty=None, reason="whose act it was is left open: no penalty")
        return ledger, (outcome,)
    if known.penalty is Penalty.LOSS or remedy is Remedy.OFFENDER_LOSES:
        return ledger.ended(replace(outcome, penalty=Penalty.LOSS), winner=seat.other)
    if known.penalty is Penalty.TIME_AND_VIOLATION:
        amounts = _seconds(ledger.ruleset, claim)
        outcome = replace(outcome, opponent_gains_s=amounts.opponent_gains, offender_loses_s=amounts.offender_loses)
    if known.penalty in (Penalty.VIOLATION, Penalty.TIME_AND_VIOLATION):
        return _with_violation(ledger, outcome, seat)
    return ledger, (outcome,)


def violation_given(ledger: Ledger, given: ViolationGiven) -> Step:
    """A violation, or a warning, of the referee's own accord."""
    outcome = ledger.outcome(given.t_ns, given.code, given.seat, Standing.ACCEPTED, "given by the referee")
    return _with_violation(ledger, replace(outcome, penalty=Penalty.VIOLATION), given.seat)


def _with_violation(ledger: Ledger, outcome: Outcome, seat: Seat) -> Step:
    """``seat`` has one violation more: the last that the ruleset allows loses the game."""
    limit = ledger.ruleset.violations
    after = replace(ledger, violations=(*ledger.violations, seat))
    count = after.violations.count(seat)
    outcome = replace(outcome, violations=count)
    if count < limit.limit:
        return after, (outcome,)
    after, ends = after.lost(outcome.t_ns, limit.code, seat, f"{count} of at most {limit.limit - 1}: the game is lost")
    return after, (outcome, *ends)


def _seconds(ruleset: Ruleset, claim: ActRaised) -> Seconds:
    """What the clocks are set by (P8): nothing where no time is kept.

    Raises ValueError for an amount of the referee's that the ruleset does not leave to him.
    """
    penalty = ruleset.time_penalty
    if claim.offender_left_s is None:
        return Seconds(0, 0)
    gains, loses = penalty.seconds(claim.offender_left_s)
    for chosen, most in ((claim.opponent_gains_s, gains), (claim.offender_loses_s, loses)):
        if chosen is not None and chosen != most and not (penalty.referee_chooses and 0 <= chosen <= most):
            allowed = f"0 to {most} s" if penalty.referee_chooses else f"{most} s"
            raise ValueError(f"{claim.code}: {chosen} s will not do: the ruleset allows {allowed}")
    if claim.opponent_gains_s is not None:
        gains = claim.opponent_gains_s
    if claim.offender_loses_s is not None:
        loses = claim.offender_loses_s
    return Seconds(gains, loses)
