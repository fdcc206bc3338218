"""The rules of conduct: what follows from moves, passes, presses, claims, offers and acts that are raised.

Pure: an occurrence and the game so far make the game after it, and the outcomes. Whose turn it is, is the protocol's;
what was seen when, and who may hear of it, the arbiter's. Where the texts leave something open, the docstring of the
function that decides it says how it is read here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.arbiter import accusations, claims, draws
from appliance.arbiter.ledger import Ledger, Step, Turn, judged
from appliance.arbiter.occurrences import (
    ActRaised,
    ActSeen,
    BackTo,
    DrawAgreed,
    DrawAnswered,
    DrawOffered,
    FiveDeclared,
    FlagsCalled,
    ForbiddenClaimed,
    LossEntered,
    Moved,
    Passed,
    Pressed,
    Restood,
    ResultAgreed,
    ResultRuled,
    SealedIllegal,
    TakenBack,
    TooLate,
    ViolationGiven,
)
from appliance.arbiter.outcomes import Standing
from appliance.game.points import Colour

if TYPE_CHECKING:
    from appliance.arbiter.occurrences import Occurrence
    from appliance.game.points import Point
    from appliance.game.position import Position

ENTERED = {
    "resignation": "resigned",
    "abandoned": "left the game",
    "refusal": "refused to record, to sign or to keep the rules",
    "outside_help": "took help from outside",
    "stopped_clock": "stopped the clock",
}
"""What the referee enters and a player loses by (W6), in words."""


def after(ledger: Ledger, occurrence: Occurrence) -> Step:
    """The game after ``occurrence``, and what follows from it.

    A game that has ended changes no more: claims and acts are then rejected, everything else passes without a word.
    But both agreeing on its result makes that final (W7), and the stone that ended it may be taken back. Raises
    KeyError for the code of an act that no ruleset knows, ValueError for what no game can have: a remedy or an amount
    that the ruleset does not allow, a code that is not of W6, a stone that is no move.
    """
    if ledger.end is not None and not isinstance(occurrence, ResultAgreed):
        ledger = _reopened(ledger, occurrence)
        if ledger.end is not None:
            return _after_the_end(ledger, occurrence)
    match occurrence:
        case Moved():
            return _moved(ledger, occurrence)
        case Restood():
            return _restood(ledger, occurrence)
        case TakenBack():
            return _taken_back(ledger, occurrence), ()
        case BackTo():
            return _back_to(ledger, occurrence), ()
        case Pressed():
            return _pressed(ledger, occurrence)
        case Passed():
            return draws.passed(ledger, occurrence)
        case DrawOffered():
            return draws.draw_offered(ledger, occurrence)
        case DrawAnswered():
            return draws.draw_answered(ledger, occurrence)
        case DrawAgreed():
            return draws.draw_agreed(ledger, occurrence)
        case ResultAgreed():
            return draws.result_agreed(ledger, occurrence)
        case ActSeen():
            return accusations.seen(ledger, occurrence)
        case ActRaised():
            return accusations.raised(ledger, occurrence)
        case ViolationGiven():
            return accusations.violation_given(ledger, occurrence)
        case FiveDeclared():
            return claims.five_declared(ledger, occurrence)
        case ForbiddenClaimed():
            return claims.forbidden_claimed(ledger, occurrence)
        case FlagsCalled():
            return claims.flags_called(ledger, occurrence)
        case TooLate():
            return claims.too_late(ledger, occurrence)
        case LossEntered():
            return _loss_entered(ledger, occurrence)
        case ResultRuled():
            ruled = ledger.outcome(occurrence.t_ns, "result_ruled", None, Standing.ACCEPTED, occurrence.reason)
            return ledger.ended(ruled, winner=occurrence.winner, drawn=occurrence.drawn)
        case SealedIllegal():
            reason = f"the sealed move {occurrence.point} is not free"
            return ledger.lost(occurrence.t_ns, "sealed_move_illegal", occurrence.seat, reason)


def _after_the_end(ledger: Ledger, occurrence: Occurrence) -> Step:
    match occurrence:
        case ActRaised() | ViolationGiven() | LossEntered():
            code, seat = occurrence.code, occurrence.seat
        case FiveDeclared():
            code, seat = "five", occurrence.seat
        case ForbiddenClaimed():
            code, seat = "double_three", occurrence.by
        case FlagsCalled():
            code, seat = "flag", None
        case TooLate():
            code, seat = "late", None
        case ResultRuled():
            code, seat = "result_ruled", None
        case DrawAgreed():
            code, seat = "draw_agreed", None
        case DrawAnswered():
            code, seat = "draw_agreed", occurrence.seat
        case _:
            return ledger, ()
    return ledger.refused(occurrence.t_ns, code, seat, "the game has ended")


def _moved(ledger: Ledger, move: Moved) -> Step:
    """A stone: it plays on over what nobody raised, answers an offer, ends a claim's time, and makes something."""
    turn = Turn(number=ledger.number + 1, seat=move.seat, colour=move.colour)
    turn = judged(ledger.ruleset, turn, move.position, move.point)
    ledger, waived = accusations.played_on(ledger, turn, move.t_ns)
    turns = ledger.turns
    if move.colour is Colour.WHITE:
        turns = tuple(_claim_lost(before, turn.number) for before in turns)
    ledger = replace(
        ledger,
        turns=(*turns, turn),
        to_press=move.seat,
        offering=None if ledger.offering is move.seat.other else ledger.offering,
        full=_full(move.position),
    )
    ledger, ends = _made(ledger, turn, move.t_ns)
    return ledger, (*waived, *ends)


def _claim_lost(turn: Turn, number: int) -> Turn:
    """W2: White's stone ends the time for a claim on a double three or four."""
    if turn.code in ("double_three", "double_four") and turn.lost_by is None:
        return replace(turn, lost_by=number)
    return turn


def _made(ledger: Ledger, turn: Turn, t_ns: int) -> Step:
    """What a stone makes that needs no claim ends the game at once (W1 to W3 in the rulesets that say so; D3)."""
    made = turn.made
    if made is None or not (made.winner or made.drawn):
        return ledger, ()
    if made.winner is None:
        if ledger.has_five:
            return ledger, ()
        outcome = ledger.outcome(t_ns, made.code, None, Standing.ACCEPTED, "no point is free and nobody has made five")
        return ledger.ended(outcome, winner=None, drawn=True)
    winner = turn.seat if made.winner is turn.colour else turn.seat.other
    outcome = ledger.outcome(t_ns, made.code, turn.seat, Standing.ACCEPTED, made.code)
    return ledger.ended(outcome, winner=winner)


def _restood(ledger: Ledger, moved: Restood) -> Step:
    turn = _turn_on(ledger, moved.origin)
    told = judged(ledger.ruleset, replace(turn, lost_by=None, handed_over=False), moved.position, moved.point)
    since = (one.number for one in ledger.turns if one.colour is Colour.WHITE and one.number > turn.number)
    answer = next(since, None)
    if answer is not None:
        told = _claim_lost(told, answer)
    turns = tuple(told if one is turn else one for one in ledger.turns)
    return _made(replace(ledger, turns=turns), told, moved.t_ns)


def _taken_back(ledger: Ledger, back: TakenBack) -> Ledger:
    """What the stone ended stays ended: White, having laid one, cannot claim by picking it up again."""
    turn = _turn_on(ledger, back.point)
    turns = tuple(one for one in ledger.turns if one is not turn)
    to_press = None if ledger.to_press is turn.seat else ledger.to_press
    return replace(ledger, turns=turns, to_press=to_press, full=False)


def _reopened(ledger: Ledger, occurrence: Occurrence) -> Ledger:
    """A game that a stone ended by itself has not ended once that stone is taken back; nor is it final then."""
    match occurrence:
        case BackTo():
            gone = [turn for turn in ledger.turns if turn.number > occurrence.number]
        case TakenBack():
            gone = [turn for turn in ledger.turns if turn.point == occurrence.point]
        case _:
            return ledger
    ended_by = any(
        turn.made is not None
        and (turn.made.winner or turn.made.drawn)
        and ledger.end is not None
        and turn.made.code == ledger.end.code
        for turn in gone
    )
    return replace(ledger, end=None) if ended_by and not ledger.final else ledger


def _turn_on(ledger: Ledger, point: Point) -> Turn:
    turn = next((turn for turn in reversed(ledger.turns) if turn.point == point), None)
    if turn is None:
        raise ValueError(f"no move stands on {point}: name the point of one")
    return turn


def _back_to(ledger: Ledger, back: BackTo) -> Ledger:
    """The moves that are left stand as when they were made; violations and offers stay on record.

    Raises ValueError for a negative number; 0 is the empty board.
    """
    if back.number < 0:
        raise ValueError(f"there is no move {back.number} to go back to: 0 is the empty board")
    turns = tuple(
        replace(turn, lost_by=None) if turn.lost_by is not None and turn.lost_by > back.number else turn
        for turn in ledger.turns
        if turn.number <= back.number
    )
    accusations = tuple(replace(act, closed=act.closed or act.number > back.number) for act in ledger.accusations)
    full = ledger.full and turns == ledger.turns
    return replace(ledger, turns=turns, accusations=accusations, offering=None, to_press=None, full=full)


def _pressed(ledger: Ledger, press: Pressed) -> Step:
    """A five that was not declared before the press: the turn is the opponent's, and the game goes on (A 10.1(10)).

    Text B has left that sentence out; there, too, only who declares a five wins.
    """
    if ledger.to_press is not press.seat:
        return ledger, ()
    ledger = replace(ledger, to_press=None)
    turn = ledger.turns[-1]
    if turn.code != "five" or turn.handed_over:
        return ledger, ()
    turns = (*ledger.turns[:-1], replace(turn, handed_over=True))
    reason = "five not declared before the press: the opponent is to move, the game goes on"
    outcome = ledger.outcome(press.t_ns, "undeclared_five", press.seat, Standing.RECORDED, reason)
    return replace(ledger, turns=turns), (outcome,)


def _loss_entered(ledger: Ledger, entry: LossEntered) -> Step:
    if entry.code not in ENTERED:
        raise ValueError(f"{entry.code!r} is nothing that the referee enters: use one of {', '.join(ENTERED)}")
    return ledger.lost(entry.t_ns, entry.code, entry.seat, ENTERED[entry.code])


def _full(position: Position) -> bool:
    return len(position.stones) == position.size**2
