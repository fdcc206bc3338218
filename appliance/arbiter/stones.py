"""What stones do to the game: laid, moved, taken up, and the board scattered."""

from __future__ import annotations

from dataclasses import replace
from itertools import dropwhile, islice, takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING

from appliance.arbiter import judging, lateness, remedies
from appliance.arbiter.protocol import Phase
from appliance.arbiter.rulings import Certainty, OutOfTurn
from appliance.arbiter.state import Finding, Move, State, apart, changed, colour_of
from appliance.arbiter.timing import Order, order
from appliance.game.points import Colour, Point, tengen
from appliance.game.ruleset import Remedy
from vision.acts import BoardAct, Bracket, Dropped, Hand, Manner, Placed, Relocated, Removed, Scattered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from appliance.arbiter.facts import Press

NUDGE_REACH = 1.5
"""Cells; a stone that was laid before and a stone that is due, farther apart than this, are not the same one."""

UNSEEN_NS = 5_000_000_000
"""For so long a hand hides a point when one stone is laid there; in longer, anything may have been done and undone."""

_MANNER = {Manner.SLID: "stone_slid", Manner.LIFTED: "stone_lifted", Manner.UNKNOWN: "stone_relocated"}


# Stones that come


def placed(state: State, act: Placed) -> State:
    point, colour = state.point(act.at), colour_of(act.content)
    state = state.put(point, colour)
    if state.missing(colour, point) == point:
        # Taken up and put back where it stood.
        return state.not_missing(point)
    lifted = _lifted_before(state, act, colour)
    if lifted is not None:
        gone = next(one.hand for one in state.gone if state.point(one.at) == lifted.point)
        sure = act.alone and act.hand is Hand.OVER and gone is Hand.OVER and _in_view(act.bracket)
        return _moved_in_hand(state.not_missing(lifted.point), "stone_lifted", lifted, point, act.bracket, sure=sure)
    waived = state.handed_over is not None and state.protocol.skip().may_lay(colour)
    if waived and not state.protocol.may_lay(colour):
        # The opponent plays on: the wrong stone stands as a move (B 不合规则2).
        assert state.handed_over is not None
        wrong = replace(state.handed_over, seat=state.handed_over.seat or state.protocol.seat)
        state = judging.waived(state, wrong, point)
        state = changed(state, handed_over=None, protocol=state.protocol.skip())
    if not state.protocol.may_lay(colour):
        return _out_of_turn(state, act, point, colour)
    state = given_up(state)
    if not state.protocol.may_lay(colour):
        return _out_of_turn(state, act, point, colour)
    return _in_turn(stray_told(state, None), act, point, colour)


def asked_about(state: State, act: Placed) -> State:
    """The stone counts for the nearest point until the referee says otherwise."""
    return state.found(
        Finding(
            code="stone_beside_point",
            t_ns=act.bracket.by_ns,
            points=(state.point(act.at),),
            bracket=act.bracket,
            certainty=Certainty.COULD_NOT_SEE,
        )
    )


def _in_turn(state: State, act: Placed, point: Point, colour: Colour) -> State:
    """A stone that is due."""
    seat = state.protocol.seat_to_lay(colour)
    if colour is Colour.WHITE and not state.protocol.choosing:
        state = judging.alone(state)
    press = next((press for press in state.open_presses if press.seat is seat), None)
    move = Move(
        point=point,
        first=point,
        colour=colour,
        seat=seat,
        bracket=act.bracket,
        press=press,
        alone=act.alone,
        handed=_brought(state, act),
        thinking_ns=state.took_ns(press) if press else None,
    )
    state = _asked_whether_laid(state, act, point)
    state = changed(state, moves=(*state.moves, move), handed_over=None, protocol=state.protocol.lay(point, colour))
    offering = state.protocol.phase is Phase.OFFER and point in state.protocol.offered
    if press is not None:
        state = lateness.judged(_press_met(state, press), press, move)
    return state if offering else judging.completed(state, move)


def _brought(state: State, act: Placed) -> bool:
    """Whether a hand was seen to bring the stone, and not the one before it as well."""
    return act.hand is Hand.OVER and not shares_hand(act.bracket, [move.bracket for move in state.moves[-1:]])


def shares_hand(bracket: Bracket, others: Sequence[Bracket]) -> bool:
    """Whether what came in ``bracket`` was hidden at one time with any of ``others``, and not just as long."""
    return any(other != bracket and bracket.overlaps(other) for other in others)


def _asked_whether_laid(state: State, act: Placed, point: Point) -> State:
    """A stone that no hand was seen to lay though there were frames, or not it alone, is on record; nobody saw a move.

    From one photograph to the next, one stone is what is to be expected.
    """
    bracket = act.bracket
    if act.hand is not Hand.NONE:
        return state
    watched = bracket.after_ns is None or state.watched(bracket.after_ns, bracket.by_ns)
    covered = bracket.after_frame is None or bracket.by_frame > bracket.after_frame + 1
    with_it = [move.point for move in state.moves[-1:] if move.bracket.overlaps(bracket)]
    if not (watched or covered or with_it):
        return state
    return state.found(
        Finding(
            code="laid_unseen",
            t_ns=bracket.by_ns,
            points=(*with_it, point),
            bracket=bracket,
            certainty=Certainty.COULD_NOT_SEE,
        )
    )


def _press_met(state: State, press: Press) -> State:
    """The stone came for which a press had been waiting."""
    state = changed(state, open_presses=tuple(p for p in state.open_presses if p != press))
    return changed(state, protocol=state.protocol.press(press.seat, has_laid=True))


def _out_of_turn(state: State, act: Placed, point: Point, colour: Colour) -> State:
    """A stone that is not due: one that was missing, one after a turn without a stone, or out of turn (P4, P17)."""
    missing = state.missing(colour, point)
    if missing is not None:
        return _found_again(state, missing, point, act.bracket)
    state = stray_told(state, None)
    due = state.protocol.seat
    passed = next((press for press in state.open_presses if press.seat is due), None)
    stray = Move(
        point=point,
        first=point,
        colour=colour,
        seat=None,
        bracket=act.bracket,
        in_turn=False,
        alone=act.alone,
        handed=_brought(state, act),
    )
    lay_there = Order.PRESS_FIRST if passed is None else order(passed, act.bracket, state.frame_error_ns)
    if passed is not None and lay_there is not Order.PRESS_FIRST:
        # It lay there when the side that was due pressed: that side's wrong stone; or it may have, then that is open.
        seat = due if lay_there is Order.STONE_FIRST else None
        stray = replace(stray, seat=seat, press=passed, thinking_ns=state.took_ns(passed))
        open_presses = tuple(press for press in state.open_presses if press != passed)
        state = changed(state, open_presses=open_presses, moves=(*state.moves, stray), handed_over=stray)
        return state.found(_strayed(state, stray))
    if passed is not None and state.protocol.skip().may_lay(colour):
        skipped = Finding(code="pressed_without_move", t_ns=passed.t_ns, seat=due, press_ns=passed.t_ns)
        open_presses = tuple(press for press in state.open_presses if press != passed)
        state = changed(state, open_presses=open_presses, protocol=state.protocol.skip()).found(skipped)
        return _in_turn(state, act, point, colour)
    owner = state.protocol.seat_to_lay(colour)
    own_time = state.has_clock and state.running is owner
    stray = replace(stray, seat=owner if own_time else None)
    state = changed(state, moves=(*state.moves, stray))
    if not own_time and not state.unpressed(owner):
        return changed(state, stray=stray)
    return state.found(_strayed(state, stray))


def stray_told(state: State, press: Press | None) -> State:
    """Whose is a stone that was laid in the time of the side that was due? The press tells; without one, nothing."""
    stray = state.stray
    if stray is None:
        return state
    known = replace(stray, seat=press.seat if press else None)
    state = replace(state.with_move(stray, known), stray=None)
    if press is not None and press.seat is not state.protocol.seat_to_lay(known.colour):
        state = changed(state, handed_over=known)
    return state.found(_strayed(state, known))


def _strayed(state: State, stray: Move) -> Finding:
    """P4 by the colour's owner, P17 by the other side; with a clock and nobody to name, something was missed before.

    So it was when no hand was seen to bring it, or the move before it.
    """
    known = (stray.seat is not None or not state.has_clock) and stray.handed and _in_view(stray.bracket)
    # Where the move before it was none, this stone was due.
    since = dropwhile(lambda move: not move.in_turn, reversed(state.moves))
    strays = takewhile(lambda move: not move.in_turn, reversed(state.moves))
    known = known and all(move.handed for move in [*strays, *islice(since, 1)])
    return Finding(
        code=state.protocol.breach_of(stray.colour, stray.seat),
        t_ns=stray.bracket.by_ns,
        seat=stray.seat,
        points=(stray.point,),
        bracket=stray.bracket,
        colour=stray.colour,
        out_of_turn=_how_out_of_turn(state, stray),
        certainty=Certainty.CERTAIN if known else Certainty.COULD_NOT_SEE,
    )


def _how_out_of_turn(state: State, stray: Move) -> OutOfTurn | None:
    """In what ``stray`` was out of turn; None where there is no clock, or nobody to name, to tell it by."""
    if stray.seat is None or not state.has_clock:
        return None
    if stray.seat is not state.protocol.seat_to_lay(stray.colour):
        return OutOfTurn.OTHER_COLOUR
    own_time = stray.press is not None or state.running is stray.seat
    return OutOfTurn.SECOND_STONE if own_time else OutOfTurn.OPPONENTS_TIME


# Stones that move or leave


def relocated(state: State, act: Relocated) -> State:
    """A stone went to another point: in its player's hand (P5, P6), or by accident (P11)."""
    origin, point, colour = state.point(act.origin), state.point(act.at), colour_of(act.content)
    move = state.move_at(origin)
    standing = state.position.at(origin) is colour
    if move is not None and state.in_hand(move, act.way) and (standing or origin == state.missing(colour, origin)):
        state = state.not_missing(origin).lifted(origin).put(point, colour)
        sure = act.alone and (act.hand is Hand.OVER or act.manner is Manner.SLID) and _in_view(act.way)
        return _moved_in_hand(state, _MANNER[act.manner], move, point, act.way, sure=sure)
    if standing:
        left = Removed(at=act.origin, content=act.content, hand=act.hand, bracket=act.left, seen_ns=act.seen_ns)
        state = removed(state, left)
    missing = state.missing(colour, origin) == origin
    if missing and not (state.protocol.may_lay(colour) and apart(origin, point) > NUDGE_REACH):
        return _found_again(state.put(point, colour), origin, point, act.way)
    # The stone at the origin was taken back, or is gone for itself: this is another one.
    return placed(
        state,
        Placed(
            at=act.at, content=act.content, bracket=act.bracket, seen_ns=act.seen_ns, alone=act.alone, hand=act.hand
        ),
    )


def _found_again(state: State, origin: Point, point: Point, bracket: Bracket) -> State:
    """P11: a stone that was missing stands elsewhere; back where it stood before, it was put right."""
    state = state.not_missing(origin)
    if remedies.asked_for(state, point, Remedy.BACK_TO_FIRST_POINT, Remedy.MOVE_TO_TENGEN):
        return judging.stands(state, origin, point)
    if any(finding.code == "stone_displaced" and finding.points == (point, origin) for finding in state.findings):
        return state
    return state.found(
        Finding(
            code="stone_displaced",
            t_ns=bracket.by_ns,
            points=(origin, point),
            bracket=bracket,
            certainty=Certainty.CERTAIN if _in_view(bracket) else Certainty.COULD_NOT_SEE,
        )
    )


def _in_view(bracket: Bracket) -> bool:
    """Whether the point was not out of sight for so long that what was seen there says little of what happened."""
    return bracket.after_ns is not None and bracket.by_ns - bracket.after_ns <= UNSEEN_NS


def _moved_in_hand(state: State, code: str, move: Move, point: Point, bracket: Bracket, *, sure: bool) -> State:
    """P5, P6: the stone of this turn came to another point. It now stands there; the first one is on record.

    Where a hand was at the first point all the while, it may never have stood there; ``sure``: it was seen well that it
    moved. Back on the first point it touched, or as the first of all on tengen, it was put right.
    """
    final = replace(move, point=point, alone=move.alone and sure)
    before_press = move.press is None or order(move.press, bracket, state.frame_error_ns) is Order.STONE_FIRST
    state = state.with_move(move, final)
    mends_opening = point == tengen(state.position.size) and any(
        finding.code == "first_stone_off_tengen" and finding.points == (move.point,) for finding in state.findings
    )
    if point != move.first and not mends_opening:
        state = state.found(
            Finding(
                code=code,
                t_ns=bracket.by_ns,
                seat=move.seat,
                points=(move.point, point),
                bracket=bracket,
                certainty=Certainty.CERTAIN
                if final.alone and move.handed and before_press
                else Certainty.COULD_NOT_SEE,
            )
        )
    return judging.restood(state, move.point, final)


def _lifted_before(state: State, act: Placed, colour: Colour) -> Move | None:
    """This turn's stone, when it was seen to leave its point before another of its colour came."""
    for gone in state.gone:
        move = state.move_at(state.point(gone.at))
        if colour_of(gone.content) is colour and move is not None and move.in_turn and state.in_hand(move, act.bracket):
            return move
    return None


def removed(state: State, act: Removed) -> State:
    point = state.point(act.at)
    state = state.lifted(point)
    if point in state.protocol.offered and remedies.mending(state):
        protocol = state.protocol.offer_withdrawn(point)
        return changed(state, protocol=protocol, moves=tuple(move for move in state.moves if move.point != point))
    if point in state.protocol.removable:
        state = changed(
            state,
            protocol=state.protocol.take_away(point),
            moves=tuple(move for move in state.moves if move.point != point),
        )
        left = state.protocol.offered
        fifth = state.move_at(left[0]) if len(left) == 1 else None
        return judging.made(state, fifth) if fifth is not None else state
    move = state.move_at(point)
    if move is not None and not move.in_turn:
        return _taken_back(stray_told(state, None), point)
    if move is not None and move is state.moves[-1] and remedies.asked_for(state, point, Remedy.TAKE_BACK):
        state = judging.taken_back(state, move, act.bracket.by_ns)
        state = changed(state, moves=state.moves[:-1], protocol=state.protocol.undone())
        seat = state.protocol.seat
        if seat is state.running or not state.self_ruled:
            return state
        return state.turned(state.clock.since_ns, seat, "a stone was taken back under a ruling: its player is to move")
    second = _second_of_turn(state, move) if move is not None else None
    if move is not None and second is not None:
        # Of two stones laid in one turn the first was taken back: the second is the move.
        state = judging.taken_back(state, move, act.bracket.by_ns)
        kept = replace(second, in_turn=True)
        state = state.with_move(second, kept)
        state = changed(state, moves=tuple(m for m in state.moves if m is not move))
        return judging.made(state, kept)
    return changed(state, gone=(*state.gone, act))


def _second_of_turn(state: State, move: Move) -> Move | None:
    """The stone out of turn that its player laid after ``move``, before the press."""
    if move.press is not None or move is state.moves[-1]:
        return None
    last = state.moves[-1]
    return last if not last.in_turn and last.seat is move.seat and last.seat is not None else None


def _taken_back(state: State, point: Point) -> State:
    """The remedy was carried out: a stone out of turn is off the board, and its player has the turn again."""
    handed_over = state.handed_over
    state = changed(state, moves=tuple(move for move in state.moves if move.point != point))
    if handed_over is None or handed_over.point != point:
        return state
    state = changed(state, handed_over=None)
    seat = handed_over.press.seat if handed_over.press else handed_over.seat
    if seat is None or seat is state.running or not state.self_ruled:
        return state
    # What has passed since the wrong stone was handed over is its player's.
    return state.turned(state.clock.since_ns, seat, "a stone laid out of turn was taken back: its player is to move")


def given_up(state: State) -> State:
    """Stones that left the board and were not put back."""
    for act in state.gone:
        point = state.point(act.at)
        last = state.moves[-1] if state.moves else None
        if last is not None and last.point == point and last.press is None and last.in_turn:
            # Its player took it back before pressing: no move was made by it.
            state = judging.taken_back(state, last, act.bracket.by_ns)
            state = changed(state, moves=state.moves[:-1], protocol=state.protocol.undone())
        else:
            state = changed(state, lost=MappingProxyType({**state.lost, point: colour_of(act.content)}))
        state = state.found(Finding(code="stone_removed", t_ns=act.bracket.by_ns, points=(point,), bracket=act.bracket))
    return changed(state, gone=())


def dropped(state: State, act: Dropped) -> Finding:
    """P7, by the owner in the owner's own time; else it is left open who it was."""
    owner = state.protocol.seat_to_lay(colour_of(act.content))
    return Finding(
        code="stone_dropped",
        t_ns=act.bracket.by_ns,
        seat=owner if state.running is owner or not state.has_clock else None,
        points=(state.point(act.near),),
        bracket=act.bracket,
        certainty=Certainty.COULD_NOT_SEE if act.hand is Hand.NONE else Certainty.CERTAIN,
    )


def scattered(state: State, act: Scattered) -> State:
    """P13: until the board is as it was, nothing that happens on it is a move or an act of a player."""
    found = Finding(
        code="board_scattered",
        t_ns=act.bracket.by_ns,
        points=tuple(sorted(state.point(at) for at in act.points)),
        bracket=act.bracket,
    )
    return changed(state, rebuilding=state.recorded, gone=()).found(found)


def restored(state: State) -> State:
    """The board is as it was before it was scattered."""
    return changed(state, rebuilding=None, position=state.rebuilding or state.position)


def only_watched(state: State, fact: BoardAct) -> State:
    """After the end stones are cleared away, after a scatter they are put back; neither is anybody's move."""
    match fact:
        case Placed():
            state = state.put(state.point(fact.at), colour_of(fact.content))
        case Removed():
            state = state.lifted(state.point(fact.at))
        case Relocated():
            state = state.lifted(state.point(fact.origin)).put(state.point(fact.at), colour_of(fact.content))
    if state.rebuilding is not None and state.position == state.rebuilding:
        return changed(state, rebuilding=None)
    return state
