"""What the referee's decisions do to the game."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from appliance.arbiter import decisions, judging, occurrences, remedies
from appliance.arbiter.articles import codes
from appliance.arbiter.consequences import FORBIDDEN_CODES
from appliance.arbiter.outcomes import Standing
from appliance.arbiter.protocol import Protocol
from appliance.arbiter.rulings import Certainty
from appliance.arbiter.state import Finding, Move, State, changed
from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.game.ruleset import Remedy
from clock import facts as clock_facts
from clock.control import Sharing
from clock.events import NothingDone
from vision.acts import Bracket

if TYPE_CHECKING:
    from appliance.arbiter.decisions import Act
    from appliance.arbiter.facts import Decision
    from appliance.arbiter.outcomes import Outcome

_NS = 1_000_000_000


def decided(state: State, decision: Decision) -> State:
    """The game after ``decision``. Raises ValueError, one line, where it cannot be."""
    act, t_ns = decision.act, decision.t_ns
    match act:
        case decisions.Confirm() | decisions.Dismiss() | decisions.Amend():
            return _on_ruling(state, decision)
        case decisions.TakeBack():
            return _back_to(state, t_ns, act)
        case decisions.CorrectPosition():
            return _position_corrected(state, t_ns, act)
        case decisions.Adjourn() | decisions.Seal() | decisions.OpenSealed():
            return _adjournment(state, t_ns, act)
        case decisions.Sign():
            return _signed(state, t_ns, act.seat)
        case decisions.Undo():
            return state  # what it undoes is not told
        case decisions.Pass() | decisions.Announce() | decisions.Choose():
            return _in_the_order_of_play(state, t_ns, act)
        case (
            decisions.StartClock()
            | decisions.Arrived()
            | decisions.StopClock()
            | decisions.ResumeClock()
            | decisions.SetTime()
            | decisions.AddTime()
            | decisions.TakeTime()
            | decisions.UndoPress()
            | decisions.SplitTime()
        ):
            return _clock_set(state, t_ns, act)
    return _in_conduct(state, t_ns, act)


# Rulings


def _on_ruling(state: State, decision: Decision) -> State:
    act, t_ns = decision.act, decision.t_ns
    assert isinstance(act, decisions.Confirm | decisions.Dismiss | decisions.Amend)
    finding = next((one for one in state.findings if one.key == decision.about), None)
    if finding is None:
        raise ValueError(f"there is no ruling {act.ruling} that stands: look at those that do")
    if finding.key in state.verdicts:
        raise ValueError(f"ruling {act.ruling} has been {_WORD[state.verdicts[finding.key]]}: undo that decision first")
    match act:
        case decisions.Confirm():
            return raised(
                state,
                t_ns,
                finding,
                by=act.by,
                remedy=act.remedy,
                opponent_gains_s=act.opponent_gains_s,
                offender_loses_s=act.offender_loses_s,
            )
        case decisions.Dismiss():
            state = _without_accusation(_judged(state, finding, Standing.REJECTED), finding)
            return state.noted(
                state.ledger.outcome(t_ns, finding.code, finding.seat, Standing.REJECTED, f"dismissed: {act.reason}")
            )
        case decisions.Amend():
            return _amended(state, t_ns, finding, act)


_WORD = {Standing.ACCEPTED: "confirmed", Standing.REJECTED: "dismissed", Standing.RECORDED: "decided"}


def raised(
    state: State,
    t_ns: int,
    finding: Finding,
    *,
    by: Seat | None,
    remedy: Remedy | None = None,
    opponent_gains_s: int | None = None,
    offender_loses_s: int | None = None,
) -> State:
    """The game in which what was found takes effect; ``by``: who raised it, None: the referee.

    Raises ValueError where an amount or a remedy is asked for that the ruleset does not allow.
    """
    code, seat = finding.code, finding.seat
    if code in state.ruleset.acts or code == "draw_offer_improper":
        claim = occurrences.ActRaised(
            t_ns=t_ns,
            code=code,
            seat=seat,
            by=by,
            happened_after=finding.number,
            remedy=remedy,
            opponent_gains_s=opponent_gains_s,
            offender_loses_s=offender_loses_s,
        )
        told = act_raised(state, claim, finding)
    elif remedy is not None or opponent_gains_s is not None or offender_loses_s is not None:
        raise ValueError(f"{code}: no remedy and no time goes with it: leave them out")
    else:
        told = _claimed(state, t_ns, finding, by)
    came = told.outcomes[len(state.outcomes) :]
    refused = bool(came) and all(outcome.standing is Standing.REJECTED for outcome in came)
    return _judged(told, finding, Standing.REJECTED if refused else Standing.ACCEPTED)


def _claimed(state: State, t_ns: int, finding: Finding, by: Seat | None) -> State:
    """What comes of a finding that is no act of section 4."""
    code, seat = finding.code, finding.seat
    match code:
        case "five":
            if seat is None:
                raise ValueError("whose five it is, is left open: amend the ruling first")
            return state.happened(occurrences.FiveDeclared(t_ns=t_ns, seat=seat))
        case "flag" | "both_flags":
            return _time_called(state, t_ns)
        case "late":
            # Who has come since was late all the same.
            late = frozenset(
                one.seat
                for one in state.findings
                if one.code == code and one.seat is not None and state.verdicts.get(one.key) is not Standing.REJECTED
            )
            return state.happened(occurrences.TooLate(t_ns=t_ns, seats=late))
    if code in FORBIDDEN_CODES:
        if not finding.points:
            raise ValueError("which stone it is, is left open: amend the ruling first")
        claimant = by or state.protocol.seat_of(Colour.WHITE)
        return state.happened(occurrences.ForbiddenClaimed(t_ns=t_ns, by=claimant, point=finding.points[0]))
    return state.noted(state.ledger.outcome(t_ns, code, seat, Standing.RECORDED, "confirmed: nothing follows from it"))


def act_raised(state: State, claim: occurrences.ActRaised, finding: Finding) -> State:
    """The game after an act was raised: with its time penalty on the clocks, and its remedy to be carried out."""
    left = state.clock.reading(max(claim.t_ns, state.clock.since_ns)).face(claim.seat).left_ns if claim.seat else 0
    claim = replace(claim, offender_left_s=left / _NS if state.timed else None)
    before = len(state.outcomes)
    state = state.happened(claim)
    for outcome in state.outcomes[before:]:
        if outcome.standing is not Standing.ACCEPTED:
            continue
        state = _time_given(state, outcome)
        if not state.over:
            state = _ordered(state, claim.t_ns, finding, outcome.remedy)
    return state


def _ordered(state: State, t_ns: int, finding: Finding, remedy: Remedy | None) -> State:
    """The game in which ``remedy`` is to be carried out, as far as it is one for the board."""
    match remedy:
        case Remedy.NEW_OPENING if state.moves:
            return _back_to(state, t_ns, decisions.TakeBack(number=0, reason="the opening is played anew"))
        case Remedy.REBUILD if state.rebuilding is None:
            return _to_be_rebuilt(state, t_ns)
        case Remedy.STANDS if finding.code == "stone_displaced" and len(finding.points) == 2:
            return judging.stands(state, *finding.points)
        case Remedy.MEND_POINTS if state.protocol.choosing:
            protocol = state.protocol.offer_reopened()
            state = changed(state, protocol=protocol).turned(t_ns, protocol.seat, "the points for move 5 are mended")
    due = remedies.due(state, finding, remedy)
    return state if due is None else remedies.settled(changed(state, dues=(*state.dues, due)))


def _time_given(state: State, outcome: Outcome) -> State:
    reason = f"{outcome.article.rule} {outcome.code}"
    for seat in Seat:
        seconds = outcome.seconds(seat)
        if seconds > 0:
            state = state.clocked(clock_facts.AddTime(at_ns=outcome.t_ns, seat=seat, ns=seconds * _NS, reason=reason))
        elif seconds < 0:
            state = state.clocked(clock_facts.TakeTime(at_ns=outcome.t_ns, seat=seat, ns=-seconds * _NS, reason=reason))
    return state


def _judged(state: State, finding: Finding, standing: Standing) -> State:
    return changed(state, verdicts=MappingProxyType({**state.verdicts, finding.key: standing}))


def _without_accusation(state: State, finding: Finding) -> State:
    """What was dismissed cannot be waived or raised as it was seen."""
    accusations = tuple(
        replace(act, closed=True)
        if act.code == finding.code and act.seat is finding.seat and act.points == finding.points
        else act
        for act in state.ledger.accusations
    )
    return changed(state, ledger=replace(state.ledger, accusations=accusations))


def _amended(state: State, t_ns: int, finding: Finding, act: decisions.Amend) -> State:
    if act.code is not None and act.code not in codes():
        raise ValueError(f"{act.code!r} is no code that a ruling can bear: see `caipan rules`")
    points = finding.points if act.points is None else _on_board(state, act.points)
    new = replace(
        finding,
        code=act.code or finding.code,
        seat=act.seat or finding.seat,
        points=points,
        certainty=Certainty.CERTAIN,
        settled=True,
    )
    if new.key == finding.key and finding.certainty is Certainty.CERTAIN:
        raise ValueError("that is what the ruling says already")
    if any(one.key == new.key for one in state.findings if one is not finding):
        raise ValueError("another ruling says that already: dismiss this one")
    state = _without_accusation(state, finding)
    state = changed(state, findings=tuple(new if one is finding else one for one in state.findings)).accusable(new)
    return state.noted(
        state.ledger.outcome(t_ns, new.code, new.seat, Standing.RECORDED, f"amended by the referee: {act.reason}")
    )


def _on_board(state: State, points: tuple[Point, ...]) -> tuple[Point, ...]:
    size = state.position.size
    for point in points:
        if point.file >= size or point.rank >= size:
            raise ValueError(f"{point} is not a point of a {size} x {size} board")
    return points


# Claims and words


def _in_conduct(state: State, t_ns: int, act: Act) -> State:
    match act:
        case decisions.RaiseAct():
            if act.code not in state.ruleset.acts and act.code != "draw_offer_improper":
                raise ValueError(f"{act.code!r} is no act of this ruleset: see `caipan rules {state.ruleset.name}`")
            if act.happened_after is not None and not 0 <= act.happened_after <= state.ledger.number:
                raise ValueError(f"there is no move {act.happened_after}: the last is {state.ledger.number}")
            claim = occurrences.ActRaised(
                t_ns=t_ns,
                code=act.code,
                seat=act.seat,
                by=act.by,
                happened_after=act.happened_after,
                remedy=act.remedy,
                opponent_gains_s=act.opponent_gains_s,
                offender_loses_s=act.offender_loses_s,
            )
            return act_raised(state, claim, Finding(code=act.code, t_ns=t_ns, seat=act.seat))
        case decisions.GiveViolation():
            if act.code not in codes():
                raise ValueError(f"{act.code!r} is no code that an article stands for")
            return state.happened(occurrences.ViolationGiven(t_ns=t_ns, seat=act.seat, code=act.code))
        case decisions.DeclareFive():
            return state.happened(occurrences.FiveDeclared(t_ns=t_ns, seat=act.seat))
        case decisions.ClaimForbidden():
            (point,) = _on_board(state, (act.point,))
            return state.happened(occurrences.ForbiddenClaimed(t_ns=t_ns, by=act.by, point=point))
        case decisions.ClaimTime():
            return _time_called(state, t_ns)
        case decisions.OfferDraw():
            return state.happened(occurrences.DrawOffered(t_ns=t_ns, seat=act.seat))
        case decisions.AnswerDraw():
            return state.happened(occurrences.DrawAnswered(t_ns=t_ns, seat=act.seat, accepts=act.accepts))
        case decisions.AgreeDraw():
            return state.happened(occurrences.DrawAgreed(t_ns=t_ns))
        case decisions.Lose():
            return state.happened(occurrences.LossEntered(t_ns=t_ns, seat=act.seat, code=act.code))
        case decisions.EndGame():
            if act.drawn and act.winner is not None:
                raise ValueError("a drawn game has no winner: leave out one of them")
            ended = occurrences.ResultRuled(t_ns=t_ns, winner=act.winner, drawn=act.drawn, reason=act.reason)
            return state.happened(ended)
        case decisions.AgreeResult():
            stopped = not state.clock.ticking or not state.timed
            return state.happened(occurrences.ResultAgreed(t_ns=t_ns, winner=act.winner, clocks_stopped=stopped))
    raise TypeError(f"no way to take {type(act).__name__}")


def _time_called(state: State, t_ns: int) -> State:
    state = state.passed(t_ns)
    at_ns = max(t_ns, state.clock.since_ns)
    reading = state.clock.reading(at_ns)
    down = frozenset(seat for seat in Seat if reading.face(seat).flagged)
    if state.clock.control.sharing is Sharing.SHARED and down:
        down = frozenset({state.clock.turn})  # the one flag is the running side's
    first = state.clock.first_fall(at_ns)
    known = first.seat if first is not None and first.certain else None
    return state.happened(occurrences.FlagsCalled(t_ns=t_ns, down=down, first=known))


def _in_the_order_of_play(state: State, t_ns: int, act: Act) -> State:
    protocol = state.protocol
    if state.over:
        raise ValueError("the game has ended")
    match act:
        case decisions.Announce():
            return remedies.settled(changed(state, protocol=protocol.declare(act.points)))
        case decisions.Choose():
            return changed(state, protocol=protocol.choose(act.choice))
    assert isinstance(act, decisions.Pass)
    if protocol.seat is not act.seat:
        raise ValueError(f"the {act.seat.value} player is not to move")
    number = state.ledger.number
    state = state.happened(occurrences.Passed(t_ns=t_ns, seat=act.seat))
    if state.ledger.number == number:
        return state  # it was too early for a pass (D7)
    passing = act.seat if state.running is act.seat else None
    return changed(state, protocol=protocol.skip(), passing=passing)


# The clock


def _clock_set(state: State, t_ns: int, act: Act) -> State:
    match act:
        case decisions.StartClock():
            if state.over:
                raise ValueError("the game has ended: undo what ended it first")
            fact: clock_facts.Fact = clock_facts.Start(at_ns=t_ns, absent=frozenset(act.absent))
        case decisions.Arrived():
            fact = clock_facts.Arrive(at_ns=t_ns, seat=act.seat)
        case decisions.StopClock():
            fact = clock_facts.Stop(at_ns=t_ns, reason=act.reason)
        case decisions.ResumeClock():
            if state.over:
                raise ValueError("the game has ended: undo what ended it first")
            if state.sealed is not None:
                raise ValueError("a move is sealed: open it first")
            if state.adjourned and state.sealed_point is None:
                state = _to_be_rebuilt(state, t_ns)
            if state.rebuilding is not None and not state.differing:
                state = changed(state, rebuilding=None)
            elif state.rebuilding is not None and not state.self_ruled:
                raise ValueError(
                    f"the board does not show the record yet, as on {state.differing[0]}: put it right, or correct the "
                    "position"
                )
            fact = clock_facts.Resume(at_ns=t_ns, reason=act.reason, turn=act.turn or state.turn_after)
            state = changed(state, adjourned=False)
        case decisions.SetTime():
            fact = clock_facts.SetTime(
                at_ns=t_ns,
                reason=act.reason,
                seat=act.seat,
                left_ns=round(act.left_s * _NS),
                stage=act.stage,
                moves_left=act.moves_left,
                periods_left=act.periods_left,
            )
        case decisions.AddTime():
            fact = clock_facts.AddTime(at_ns=t_ns, reason=act.reason, seat=act.seat, ns=round(act.seconds * _NS))
        case decisions.TakeTime():
            fact = clock_facts.TakeTime(at_ns=t_ns, reason=act.reason, seat=act.seat, ns=round(act.seconds * _NS))
        case decisions.UndoPress():
            fact = clock_facts.Undo(at_ns=t_ns, reason=act.reason)
        case decisions.SplitTime():
            fact = clock_facts.Split(at_ns=t_ns, reason=act.reason)
        case _:
            raise TypeError(f"no way to take {type(act).__name__}")
    before = len(state.clock_events)
    told = state.clocked(fact)
    for event in told.clock_events[before:]:
        if isinstance(event, NothingDone):
            raise ValueError(event.why)
    match act:
        case decisions.ResumeClock():
            return changed(told, turn_after=None)
        case decisions.UndoPress():
            return _press_undone(told)
    return told


def _press_undone(state: State) -> State:
    """What the last press made of the game is undone as well: its side may press again, a swap or an offer is open."""
    *presses, last = state.presses
    protocol = state.protocol
    offered = {move.point for move in state.moves if move.press == last}
    if protocol.choosing and offered and offered <= {*protocol.offered}:
        protocol = protocol.offer_reopened()
    elif last in state.swaps:
        protocol = protocol.swapped_back()
    moves = tuple(replace(one, press=None, thinking_ns=None) if one.press == last else one for one in state.moves)
    to_press = last.seat if moves != state.moves else state.ledger.to_press
    return changed(
        state,
        presses=tuple(presses),
        thought=state.thought[:-1],
        open_presses=tuple(press for press in state.open_presses if press != last),
        swaps=tuple(press for press in state.swaps if press != last),
        moves=moves,
        protocol=protocol,
        ledger=replace(state.ledger, to_press=to_press),
    )


# The board


def _back_to(state: State, t_ns: int, act: decisions.TakeBack) -> State:
    """The first ``number`` moves stand; what was laid since is to be taken off, and the times are the referee's."""
    if act.number > len(state.moves):
        raise ValueError(f"there is no move {act.number}: the last is {len(state.moves)}")
    if act.number == len(state.moves):
        raise ValueError(f"move {act.number} is the last: there is nothing to take back")
    kept, gone = state.moves[: act.number], {move.point for move in state.moves[act.number :]}
    protocol = _protocol_after(state, kept)
    # A pass before the first stone that goes stands: it is undone for itself.
    first = next((turn for turn in state.ledger.turns if turn.point in gone), None)
    number = state.ledger.number if first is None else first.number - 1
    state = _still_open(state.happened(occurrences.BackTo(t_ns=t_ns, number=number)))
    state = changed(
        state,
        moves=kept,
        protocol=protocol,
        open_presses=(),
        gone=(),
        lost=MappingProxyType({}),
        stray=None,
        handed_over=None,
        passing=None,
        dues=(),
    )
    return _to_be_rebuilt(state.turned(t_ns, protocol.seat, act.reason), t_ns)


def _still_open(state: State) -> State:
    if state.over:
        raise ValueError("the game has ended: undo the decision that ended it first")
    return state


def _protocol_after(state: State, kept: tuple[Move, ...]) -> Protocol:
    """The order of play as it stood after the moves ``kept``."""
    protocol = state.protocol
    while protocol.before is not None and _stones(protocol) > len(kept):
        protocol = protocol.before
    if _stones(protocol) == len(kept):
        return protocol
    due = kept[-1].colour.other if kept else state.moves[0].colour
    begun = Protocol.resumed(state.ruleset.opening, due, len(kept))
    return replace(begun, black=state.protocol.black)


def _stones(protocol: Protocol) -> int:
    return protocol.laid + len(protocol.offered) - (1 if protocol.choosing else 0)


def _to_be_rebuilt(state: State, t_ns: int) -> State:
    """With the record's position to be put back on the board, while the clock stands where a referee resumes it."""
    wanted = state.recorded
    if state.position == wanted:
        return changed(state, rebuilding=None)
    if not state.self_ruled:
        state = state.stopped(t_ns, "the position is to be put back")
    return changed(state, rebuilding=wanted, gone=(), lost=MappingProxyType({}), stray=None, handed_over=None)


def _position_corrected(state: State, t_ns: int, act: decisions.CorrectPosition) -> State:
    wanted, shown = state.rebuilding or state.recorded, state.position
    if wanted == shown:
        raise ValueError("board and record agree: there is nothing to correct")
    if act.to_move is not None and act.right == "record":
        raise ValueError("the record knows who is to move: leave to_move out")
    if act.right == "record":
        return _to_be_rebuilt(state, t_ns)
    gone = {point for point, colour in wanted.stones.items() if shown.at(point) is not colour}
    new = [(point, colour) for point, colour in sorted(shown.stones.items()) if wanted.at(point) is not colour]
    for move in [move for move in state.moves if move.point in gone]:
        state = judging.taken_back(state, move, t_ns)
    state = _still_open(state)
    start = Position(shown.size, {point: of for point, of in state.start.stones.items() if point not in gone})
    kept = tuple(move for move in state.moves if move.point not in gone)
    added = tuple(_entered(state, point, colour, t_ns) for point, colour in new)
    due = act.to_move or _due(shown)
    protocol = state.protocol
    if gone or new:
        black = protocol.black
        protocol = replace(Protocol.resumed(state.ruleset.opening, due, len(shown.stones)), black=black)
    state = changed(
        state,
        start=start,
        moves=(*kept, *added),
        protocol=protocol,
        from_start=False,
        rebuilding=None,
        gone=(),
        lost=MappingProxyType({}),
        stray=None,
        handed_over=None,
        open_presses=(),
        dues=(),
    )
    for move in added:
        state = judging.made(state, move)
    return state if protocol.seat is state.running else state.turned(t_ns, protocol.seat, act.reason)


def _entered(state: State, point: Point, colour: Colour, t_ns: int) -> Move:
    """A stone that the referee says is a move."""
    bracket = Bracket(after_ns=None, by_ns=t_ns, after_frame=None, by_frame=-1)
    return Move(
        point=point, first=point, colour=colour, seat=state.protocol.seat_of(colour), bracket=bracket, handed=False
    )


def _due(position: Position) -> Colour:
    count = {colour: sum(1 for of in position.stones.values() if of is colour) for colour in Colour}
    return Colour.WHITE if count[Colour.BLACK] > count[Colour.WHITE] else Colour.BLACK


# Adjournment, end


def _adjournment(state: State, t_ns: int, act: Act) -> State:
    match act:
        case decisions.Adjourn():
            if state.over:
                raise ValueError("the game has ended")
            if state.adjourned:
                raise ValueError("the game is adjourned already")
            return changed(state.stopped(t_ns, act.reason), adjourned=True)
        case decisions.Seal():
            if not state.adjourned:
                raise ValueError("a move is sealed at an adjournment: adjourn the game first")
            if state.sealed is not None:
                raise ValueError("a move has been sealed: undo that decision first")
            return changed(state, sealed=act.token)
    assert isinstance(act, decisions.OpenSealed)
    if state.sealed is None:
        raise ValueError("no move is sealed")
    (point,) = _on_board(state, (act.point,))
    if state.position != state.recorded:
        raise ValueError(
            "board and record differ: put the board right, or correct the position, then open the envelope"
        )
    seat = state.protocol.seat
    state = changed(state, sealed=None, sealed_point=point)
    if state.recorded.at(point) is not None:
        return state.happened(occurrences.SealedIllegal(t_ns=t_ns, seat=seat, point=point))
    return state.noted(
        state.ledger.outcome(t_ns, "sealed_move", seat, Standing.RECORDED, f"the sealed move is {point}: lay it")
    )


def _signed(state: State, t_ns: int, seat: Seat) -> State:
    if not state.over:
        raise ValueError("the record is signed when the game has ended")
    if seat in state.signed:
        raise ValueError(f"the {seat.value} player has signed")
    state = changed(state, signed=state.signed | {seat})
    return state.noted(state.ledger.outcome(t_ns, "signed", seat, Standing.RECORDED, "signed the record"))
