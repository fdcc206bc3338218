"""What a stone makes the moment it counts as a move, and whether it breaks the opening."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.arbiter import occurrences, remedies
from appliance.arbiter.consequences import Consequence, made_by, offer_faults, opening_faults
from appliance.arbiter.rulings import Certainty
from appliance.arbiter.state import Finding, Move, State, changed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from appliance.arbiter.facts import Press
    from appliance.game.points import Point
    from appliance.game.position import Position


def completed(state: State, move: Move) -> State:
    """The game after ``move`` has come to count, with all that it makes."""
    faults = _opening_faults(state, move)
    state = _counted(state, move)
    return state.found(*faults, *_makes(state, move))


def made(state: State, move: Move) -> State:
    """The game after ``move`` has come to count, its place in the opening left aside."""
    state = _counted(state, move)
    return state.found(*_makes(state, move))


def waived(state: State, move: Move, before: Point) -> State:
    """The opponent plays on: the wrong stone of ``move`` stands as a move, without that on ``before`` (B 不合规则2)."""
    position = state.position
    return changed(made(state.lifted(before), move), position=position)


def _counted(state: State, move: Move) -> State:
    if state.dues:
        state = remedies.overdue(remedies.settled(state), move.seat)
    if state.sealed_point is not None:
        if move.point != state.sealed_point:
            differing = Consequence(code="sealed_move_differs", points=(move.point,))
            state = state.found(*_findings(state, [differing], move))
        # The sealed move ended its turn when it was sealed: the other clock starts.
        turn_after = state.turn_after if state.clock.ticking else (move.seat or state.protocol.seat.other).other
        state = changed(state, sealed_point=None, turn_after=turn_after)
    state = state.happened(
        occurrences.Moved(
            t_ns=move.bracket.by_ns,
            seat=move.seat or state.protocol.seat_of(move.colour),
            colour=move.colour,
            point=move.point,
            position=_with(state.position, move),
        )
    )
    if move.press is None:
        return state
    return state.happened(occurrences.Pressed(t_ns=move.press.t_ns, seat=move.press.seat))


def _with(position: Position, move: Move) -> Position:
    """``position`` with the stone of ``move``, which may have left the board by the time it counts."""
    if position.at(move.point) is move.colour:
        return position
    return position.removed([move.point]).placed(move.point, move.colour)


def restood(state: State, before: Point, move: Move) -> State:
    """The game after the stone of ``move`` came from ``before`` to where it stands now."""
    faults = _opening_faults(state, move)
    if any(turn.point == before for turn in state.ledger.turns):
        state = state.happened(
            occurrences.Restood(t_ns=move.bracket.by_ns, origin=before, point=move.point, position=state.position)
        )
    return state.found(*faults, *_makes(state, move))


def stands(state: State, before: Point, point: Point) -> State:
    """The game after it was ruled, or is a remedy, that the stone from ``before`` stands on ``point``."""
    move = state.move_at(before)
    if move is not None:
        final = replace(move, point=point)
        return restood(state.with_move(move, final), before, final)
    colour = state.start.at(before)
    if colour is None:
        return state
    return changed(state, start=state.start.removed([before]).placed(point, colour))


def taken_back(state: State, move: Move, t_ns: int) -> State:
    """The game in which ``move`` no longer counts."""
    if not any(turn.point == move.point for turn in state.ledger.turns):
        return state
    return state.happened(occurrences.TakenBack(t_ns=t_ns, point=move.point))


def alone(state: State) -> State:
    """The game in which a stone that might have been the first of an offer is the move."""
    offered = state.protocol.offered
    move = state.move_at(offered[0]) if len(offered) == 1 else None
    return completed(state, move) if move is not None else state


def offered(state: State, press: Press) -> State:
    """P16: the points for move 5 must be as many as they should, and differ in shape."""
    points = state.protocol.offered
    before = state.position.removed(points)
    return state.found(
        *(
            Finding(code=fault.code, t_ns=press.t_ns, seat=press.seat, points=fault.points)
            for fault in offer_faults(state.ruleset, before, points, state.protocol.wanted)
        )
    )


def _opening_faults(state: State, move: Move) -> tuple[Finding, ...]:
    played = [m.point for m in state.moves] if state.from_start else []
    return _findings(state, opening_faults(state.ruleset, played, state.position.size), move)


def _makes(state: State, move: Move) -> tuple[Finding, ...]:
    """What the stone makes; a full board is drawn only without a five (D3)."""
    turn = next((turn for turn in reversed(state.ledger.turns) if turn.point == move.point), None)
    one = turn.made if turn is not None else made_by(state.ruleset, _with(state.position, move), move.point)
    if one is None or (one.drawn and state.ledger.has_five):
        return ()
    return _findings(state, [one], move)


def _findings(state: State, made: Iterable[Consequence], move: Move) -> tuple[Finding, ...]:
    """Not for certain when the stone may be none: the camera looked on, and no hand was seen to bring it."""
    watched = move.bracket.after_ns is not None and state.watched(move.bracket.after_ns, move.bracket.by_ns)
    return tuple(
        Finding(
            code=one.code,
            t_ns=move.bracket.by_ns,
            seat=move.seat,
            points=one.points,
            bracket=move.bracket,
            certainty=Certainty.COULD_NOT_SEE if watched and not move.handed else Certainty.CERTAIN,
        )
        for one in made
    )
