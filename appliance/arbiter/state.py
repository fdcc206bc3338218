"""The game as it stands after some facts, and what each further fact makes of it. Nothing here changes in place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import dropwhile, islice, takewhile
from math import hypot
from types import MappingProxyType
from typing import TYPE_CHECKING

from appliance.arbiter.consequences import in_square, made_by, offer_faults, opening_faults
from appliance.arbiter.facts import Press
from appliance.arbiter.protocol import Phase, PressMeaning, Protocol
from appliance.arbiter.rulings import Certainty
from appliance.arbiter.timing import Order, order
from appliance.game.points import Colour, Point, Seat, tengen
from appliance.game.position import Position
from vision.acts import (
    BoardMoved,
    Bracket,
    CameraCovered,
    Displaced,
    Dropped,
    Hand,
    Manner,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from appliance.arbiter.consequences import Consequence
    from appliance.arbiter.ordering import Fact
    from appliance.game.ruleset import Ruleset
    from clock.turns import TurnTimer
    from vision.observation import Content, Intersection

NUDGE_REACH = 1.5
"""Cells; a stone that was laid before and a stone that is due, farther apart than this, are not the same one."""

UNSEEN_NS = 5_000_000_000
"""For so long a hand hides a point when one stone is laid there; in longer, anything may have been done and undone."""

_MANNER = {Manner.SLID: "stone_slid", Manner.LIFTED: "stone_lifted", Manner.UNKNOWN: "stone_relocated"}


@dataclass(frozen=True, kw_only=True)
class Move:
    """A stone of the game. ``seat``: who laid it, None where that is open. ``press``: the one that completed it.

    ``first``: the point that it touched first. ``in_turn``: it was due; a stone out of turn stands in the record until
    it is taken back. ``alone``: it was seen on its point with no hand at it. ``handed``: a hand was seen to bring it,
    and it alone. ``thinking_ns``: the turn's time, once its press came.
    """

    point: Point
    first: Point
    colour: Colour
    seat: Seat | None
    bracket: Bracket
    press: Press | None = None
    in_turn: bool = True
    alone: bool = True
    handed: bool = True
    thinking_ns: int | None = None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What is to be ruled. ``settled``: the whole board was seen since, so that no hidden stone can overturn it.

    ``certainty``: as far as the facts behind it carry; the rest as in a ruling.
    """

    code: str
    t_ns: int
    seat: Seat | None = None
    points: tuple[Point, ...] = ()
    bracket: Bracket | None = None
    press_ns: int | None = None
    certainty: Certainty = Certainty.CERTAIN
    settled: bool = False


@dataclass(frozen=True, kw_only=True)
class State:
    """A game in progress.

    ``start``: the stones that stood before the first move. ``scattered``: what should stand, while the board is
    scattered. ``running``: whose clock runs. ``presses``: those that switched it. ``open_presses``: those whose stones
    have not come. ``gone``: stones that left the board and may come back; ``lost``: those given up, by their points.
    ``stray``: a stone laid in the time of the side that was due; the next press tells whose it is. ``handed_over``: the
    wrong stone with which a turn was ended. ``gaps``: from when to when no frame came for longer than GAP_NS.
    """

    ruleset: Ruleset
    frame_error_ns: int
    from_start: bool
    protocol: Protocol
    running: Seat
    start: Position
    position: Position
    turn: TurnTimer
    scattered: Position | None = None
    moves: tuple[Move, ...] = ()
    presses: tuple[Press, ...] = ()
    thought: Mapping[Press, int] = field(default_factory=lambda: MappingProxyType({}))
    open_presses: tuple[Press, ...] = ()
    gone: tuple[Removed, ...] = ()
    lost: Mapping[Point, Colour] = field(default_factory=lambda: MappingProxyType({}))
    stray: Move | None = None
    handed_over: Move | None = None
    gaps: tuple[tuple[int, int], ...] = ()
    result: Colour | None = None
    drawn: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None or self.drawn

    @property
    def recorded(self) -> Position:
        """What should stand on the board after the moves of the record."""
        stones = {**self.start.stones, **{move.point: move.colour for move in self.moves}}
        return Position(self.position.size, stones)

    def watched(self, from_ns: int, until_ns: int) -> bool:
        """Whether frames came all the time: a stone may come and go in a gap."""
        return not any(begun < until_ns and ended > from_ns for begun, ended in self.gaps)

    def point(self, at: Intersection) -> Point:
        """What the camera calls ``at``."""
        return Point(at.col, self.position.size - 1 - at.row)

    def found(self, *findings: Finding) -> State:
        """With some findings more."""
        return replace(self, findings=(*self.findings, *findings))

    def with_move(self, old: Move, new: Move) -> State:
        """With ``new`` in the place of ``old``."""
        return replace(self, moves=tuple(new if move is old else move for move in self.moves))

    def unpressed(self, seat: Seat) -> list[Move]:
        """The stones of ``seat`` for which it has not pressed yet."""
        mine = [move for move in self.moves if move.seat is seat]
        return list(takewhile(lambda move: move.press is None, reversed(mine)))

    def move_at(self, point: Point) -> Move | None:
        """The last move that stands on ``point``."""
        return next((move for move in reversed(self.moves) if move.point == point), None)

    def missing(self, colour: Colour, near: Point) -> Point | None:
        """The nearest point from which a stone of ``colour`` is missing."""
        gone = [self.point(act.at) for act in self.gone if colour_of(act.content) is colour]
        lost = [point for point, of in self.lost.items() if of is colour]
        return min([*gone, *lost], key=lambda point: apart(point, near), default=None)

    def not_missing(self, point: Point) -> State:
        """After the stone that was missing from ``point`` was found."""
        return replace(
            self,
            gone=tuple(act for act in self.gone if self.point(act.at) != point),
            lost=MappingProxyType({at: colour for at, colour in self.lost.items() if at != point}),
        )

    def in_hand(self, move: Move, bracket: Bracket) -> bool:
        """Whether a stone that moved may still have been its player's to lay: the last, not pressed for before that."""
        if move is not self.moves[-1] or move.seat is None:
            return False
        return move.press is None or order(move.press, bracket, self.frame_error_ns) is not Order.PRESS_FIRST


def choices(state: State, possible: Sequence[Fact]) -> list[Fact]:
    """Which of the ``possible`` next facts to take, the likelier first; more than one where all depends on it.

    What is in order goes before what is not, so that nobody is accused of more than he must have done. While the
    opening's protocol lasts, a press and a stone of the side that is to act may mean different things by their order
    (O3, O5); then both are to be tried.
    """
    best = min(possible, key=lambda fact: _readiness(state, fact))
    if not isinstance(best, Placed) or not state.protocol.open_ended:
        return [best]
    stones = [fact for fact in possible if isinstance(fact, Placed) and _readiness(state, fact) < 2]
    turn_ends = [fact for fact in possible if isinstance(fact, Press) and fact.seat is state.protocol.seat]
    return [*stones, *turn_ends[:1]] if turn_ends else [best]


def _readiness(state: State, fact: Fact) -> int:
    """How well ``fact`` fits as the next one, where the camera leaves the order open: less is better."""
    match fact:
        case Scattered():
            return -2  # the acts of the single stones come after it
        case Restored():
            return 7  # and before this
        case Placed():
            if not state.protocol.may_lay(colour_of(fact.content)):
                return 5
            return 0 if in_square(state.point(fact.at), state.protocol.square, state.position.size) else 1
        case Press():
            if not state.unpressed(fact.seat):
                return 4 if fact.seat is state.running else 3
            # The turn is complete, unless its player is to lay more stones in it.
            return 3 if state.protocol.seat is fact.seat else -1
        case Removed():
            return 2 if state.position.at(state.point(fact.at)) is colour_of(fact.content) else 6
        case Relocated():
            return 2 if state.position.at(state.point(fact.origin)) is colour_of(fact.content) else 6
    return 2


def strangeness(state: State) -> int:
    """How much in a game's telling is out of order or unexplained: of two tellings, the less strange one is right."""
    certain = [finding for finding in state.findings if finding.certainty is Certainty.CERTAIN]
    return len(certain) + len(state.open_presses) + (state.stray is not None)


def after(state: State, fact: Fact) -> State:
    """The game after ``fact``."""
    if isinstance(fact, Restored):
        return _restored(state)
    if state.over or state.scattered is not None:
        return _only_watched(state, fact)
    match fact:
        case Press():
            return _pressed(state, fact)
        case Placed():
            return _asked_about(_placed(state, fact), fact) if fact.beside else _placed(state, fact)
        case Relocated():
            return _relocated(state, fact)
        case Removed():
            return _removed(state, fact)
        case Dropped():
            return state.found(_dropped(state, fact))
        case Displaced():
            return state.found(
                Finding(
                    code="stone_displaced",
                    t_ns=fact.bracket.by_ns,
                    points=(state.point(fact.at),),
                    bracket=fact.bracket,
                )
            )
        case Straightened():
            return state.found(
                # Whether it was announced, and by whom it was done, no camera sees.
                Finding(
                    code="stones_straightened",
                    t_ns=fact.bracket.by_ns,
                    points=tuple(sorted(map(state.point, fact.points))),
                    bracket=fact.bracket,
                    certainty=Certainty.COULD_NOT_SEE,
                )
            )
        case BoardMoved():
            return state.found(Finding(code="board_moved", t_ns=fact.bracket.by_ns, bracket=fact.bracket))
        case Scattered():
            return _scattered(state, fact)
        case CameraCovered():
            return state.found(Finding(code="camera_covered", t_ns=fact.bracket.by_ns, bracket=fact.bracket))
    raise TypeError(f"no way to take {type(fact).__name__}")


def closed(state: State) -> State:
    """The game when no more facts come: what waited for one is found as it stands."""
    return _given_up(_stray_told(state, None))


# Presses


def _pressed(state: State, press: Press) -> State:
    """A press; one by the side whose clock does not run only tells whose a stray stone is."""
    state = _stray_told(_given_up(state), press)
    if press.seat is not state.running:
        return state
    thought, turn = state.turn.switch(max(press.t_ns, state.turn.since_ns))
    state = replace(
        state,
        presses=(*state.presses, press),
        thought=MappingProxyType({**state.thought, press: thought}),
        turn=turn,
        running=press.seat.other,
    )
    laid = state.unpressed(press.seat)
    for move in laid:
        state = state.with_move(move, replace(move, press=press, thinking_ns=thought))
        if move.in_turn:
            state = _press_judged(state, press, move)
    state = _doubted(state, press)
    meaning = state.protocol.press_meaning(press.seat, has_laid=bool(laid))
    if not laid and meaning is not PressMeaning.SWAP:
        state = replace(state, open_presses=(*state.open_presses, press))
    match meaning:
        case PressMeaning.OFFER:
            state = _offer_judged(state, press)
        case PressMeaning.STONE:
            state = _alone_judged(state)
    return replace(state, protocol=state.protocol.press(press.seat, has_laid=bool(laid)))


def _press_judged(state: State, press: Press, move: Move) -> State:
    """P8: was the stone down before the press?

    When the opponent has pressed since, another stone may have been missed, and this is not the one of that press; nor
    is it while another may be hidden that was laid in time, or when one may have come and gone while no frame came;
    nor of a stone that no hand was seen to bring.
    """
    verdict = order(press, move.bracket, state.frame_error_ns)
    if verdict is Order.STONE_FIRST:
        return state
    turn_ns = max((other.t_ns for other in state.presses if other.t_ns < press.t_ns), default=0)
    watched = state.watched(turn_ns, move.bracket.by_ns)
    sure = verdict is Order.PRESS_FIRST and state.presses[-1] == press and watched and move.handed
    return state.found(
        Finding(
            code="press_before_placing",
            t_ns=press.t_ns,
            seat=press.seat,
            points=(move.point,),
            bracket=move.bracket,
            press_ns=press.t_ns,
            certainty=Certainty.CERTAIN if sure else Certainty.COULD_NOT_SEE,
        )
    )


def _doubted(state: State, press: Press) -> State:
    """A stone called late may have come only after this press: then it is not the one of the press before."""
    return replace(
        state,
        findings=tuple(
            replace(finding, certainty=Certainty.COULD_NOT_SEE)
            if finding.code == "press_before_placing"
            and finding.bracket is not None
            and finding.press_ns != press.t_ns
            and order(press, finding.bracket, state.frame_error_ns) is not Order.STONE_FIRST
            else finding
            for finding in state.findings
        ),
    )


def _offer_judged(state: State, press: Press) -> State:
    """P16: the points for move 5 must be as many as they should, and differ in shape."""
    offered = state.protocol.offered
    before = state.position.removed(offered)
    return state.found(
        *(
            Finding(code=fault.code, t_ns=press.t_ns, seat=press.seat, points=fault.points)
            for fault in offer_faults(state.ruleset, before, offered, state.protocol.wanted)
        )
    )


def _alone_judged(state: State) -> State:
    """A stone that might have been the first of an offer is the move."""
    offered = state.protocol.offered
    move = state.move_at(offered[0]) if len(offered) == 1 else None
    return _judged(state, move) if move is not None else state


# Stones that come


def _placed(state: State, act: Placed) -> State:
    point, colour = state.point(act.at), colour_of(act.content)
    state = _put(state, point, colour)
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
        state = replace(state, handed_over=None, protocol=state.protocol.skip())
    if not state.protocol.may_lay(colour):
        return _out_of_turn(state, act, point, colour)
    state = _given_up(state)
    if not state.protocol.may_lay(colour):
        return _out_of_turn(state, act, point, colour)
    return _in_turn(_stray_told(state, None), act, point, colour)


def _asked_about(state: State, act: Placed) -> State:
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
        state = _alone_judged(state)
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
        thinking_ns=state.thought[press] if press else None,
    )
    state = _asked_whether_laid(state, act, point)
    state = replace(state, moves=(*state.moves, move), handed_over=None, protocol=state.protocol.lay(point, colour))
    offering = state.protocol.phase is Phase.OFFER and point in state.protocol.offered
    if press is not None:
        state = _press_judged(_press_met(state, press), press, move)
    return state if offering else _judged(state, move)


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
    state = replace(state, open_presses=tuple(p for p in state.open_presses if p != press))
    return replace(state, protocol=state.protocol.press(press.seat, has_laid=True))


def _out_of_turn(state: State, act: Placed, point: Point, colour: Colour) -> State:
    """A stone that is not due: one that was missing, one after a turn without a stone, or out of turn (P4, P17)."""
    missing = state.missing(colour, point)
    if missing is not None:
        return _found_again(state, missing, point, act.bracket)
    state = _stray_told(state, None)
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
        stray = replace(stray, seat=seat, press=passed, thinking_ns=state.thought[passed])
        open_presses = tuple(press for press in state.open_presses if press != passed)
        state = replace(state, open_presses=open_presses, moves=(*state.moves, stray), handed_over=stray)
        return state.found(_strayed(state, stray))
    if passed is not None and state.protocol.skip().may_lay(colour):
        skipped = Finding(code="pressed_without_move", t_ns=passed.t_ns, seat=due, press_ns=passed.t_ns)
        open_presses = tuple(press for press in state.open_presses if press != passed)
        state = replace(state, open_presses=open_presses, protocol=state.protocol.skip()).found(skipped)
        return _in_turn(state, act, point, colour)
    owner = state.protocol.seat_to_lay(colour)
    own_time = bool(state.presses) and state.running is owner
    stray = replace(stray, seat=owner if own_time else None)
    state = replace(state, moves=(*state.moves, stray))
    if not own_time and not state.unpressed(owner):
        return replace(state, stray=stray)
    return state.found(_strayed(state, stray))


def _stray_told(state: State, press: Press | None) -> State:
    """Whose is a stone that was laid in the time of the side that was due? The press tells; without one, nothing."""
    stray = state.stray
    if stray is None:
        return state
    known = replace(stray, seat=press.seat if press else None)
    state = replace(state.with_move(stray, known), stray=None)
    if press is not None and press.seat is not state.protocol.seat_to_lay(known.colour):
        state = replace(state, handed_over=known)
    return state.found(_strayed(state, known))


def _strayed(state: State, stray: Move) -> Finding:
    """P4 by the colour's owner, P17 by the other side; with a clock and nobody to name, something was missed before.

    So it was when no hand was seen to bring it, or the move before it.
    """
    known = (stray.seat is not None or not state.presses) and stray.handed and _in_view(stray.bracket)
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
        certainty=Certainty.CERTAIN if known else Certainty.COULD_NOT_SEE,
    )


# Stones that move or leave


def _relocated(state: State, act: Relocated) -> State:
    """A stone went to another point: in its player's hand (P5, P6), or by accident (P11)."""
    origin, point, colour = state.point(act.origin), state.point(act.at), colour_of(act.content)
    move = state.move_at(origin)
    standing = state.position.at(origin) is colour
    if move is not None and state.in_hand(move, act.way) and (standing or origin == state.missing(colour, origin)):
        state = _put(_lifted(state.not_missing(origin), origin), point, colour)
        sure = act.alone and (act.hand is Hand.OVER or act.manner is Manner.SLID) and _in_view(act.way)
        return _moved_in_hand(state, _MANNER[act.manner], move, point, act.way, sure=sure)
    if standing:
        left = Removed(at=act.origin, content=act.content, hand=act.hand, bracket=act.left, seen_ns=act.seen_ns)
        state = _removed(state, left)
    missing = state.missing(colour, origin) == origin
    if missing and not (state.protocol.may_lay(colour) and apart(origin, point) > NUDGE_REACH):
        return _found_again(_put(state, point, colour), origin, point, act.way)
    # The stone at the origin was taken back, or is gone for itself: this is another one.
    came = Placed(
        at=act.at, content=act.content, bracket=act.bracket, seen_ns=act.seen_ns, alone=act.alone, hand=act.hand
    )
    return _placed(state, came)


def _found_again(state: State, origin: Point, point: Point, bracket: Bracket) -> State:
    """P11: a stone that was missing stands elsewhere; back where it stood before, it was put right."""
    state = state.not_missing(origin)
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
    return _judged(state, final)


def _lifted_before(state: State, act: Placed, colour: Colour) -> Move | None:
    """This turn's stone, when it was seen to leave its point before another of its colour came."""
    for gone in state.gone:
        move = state.move_at(state.point(gone.at))
        if colour_of(gone.content) is colour and move is not None and move.in_turn and state.in_hand(move, act.bracket):
            return move
    return None


def _removed(state: State, act: Removed) -> State:
    point = state.point(act.at)
    state = _lifted(state, point)
    if point in state.protocol.removable:
        state = replace(
            state,
            protocol=state.protocol.take_away(point),
            moves=tuple(move for move in state.moves if move.point != point),
        )
        left = state.protocol.offered
        fifth = state.move_at(left[0]) if len(left) == 1 else None
        return _made(state, fifth) if fifth is not None else state
    move = state.move_at(point)
    if move is not None and not move.in_turn:
        return _taken_back(_stray_told(state, None), point)
    second = _second_of_turn(state, move) if move is not None else None
    if move is not None and second is not None:
        # Of two stones laid in one turn the first was taken back: the second is the move.
        state = state.with_move(second, replace(second, in_turn=True))
        return replace(state, moves=tuple(m for m in state.moves if m is not move))
    return replace(state, gone=(*state.gone, act))


def _second_of_turn(state: State, move: Move) -> Move | None:
    """The stone out of turn that its player laid after ``move``, before the press."""
    if move.press is not None or move is state.moves[-1]:
        return None
    last = state.moves[-1]
    return last if not last.in_turn and last.seat is move.seat and last.seat is not None else None


def _taken_back(state: State, point: Point) -> State:
    """The remedy was carried out: a stone out of turn is off the board, and its player has the turn again."""
    handed_over = state.handed_over
    state = replace(state, moves=tuple(move for move in state.moves if move.point != point))
    if handed_over is None or handed_over.point != point:
        return state
    seat = handed_over.press.seat if handed_over.press else handed_over.seat
    return replace(state, running=seat or state.running, handed_over=None)


def _given_up(state: State) -> State:
    """Stones that left the board and were not put back."""
    for act in state.gone:
        point = state.point(act.at)
        last = state.moves[-1] if state.moves else None
        if last is not None and last.point == point and last.press is None and last.in_turn:
            # Its player took it back before pressing: no move was made by it.
            state = replace(state, moves=state.moves[:-1], protocol=state.protocol.undone())
        else:
            state = replace(state, lost=MappingProxyType({**state.lost, point: colour_of(act.content)}))
        state = state.found(Finding(code="stone_removed", t_ns=act.bracket.by_ns, points=(point,), bracket=act.bracket))
    return replace(state, gone=())


def _dropped(state: State, act: Dropped) -> Finding:
    """P7, by the owner in the owner's own time; else it is left open who it was."""
    owner = state.protocol.seat_to_lay(colour_of(act.content))
    return Finding(
        code="stone_dropped",
        t_ns=act.bracket.by_ns,
        seat=owner if state.running is owner or not state.presses else None,
        points=(state.point(act.near),),
        bracket=act.bracket,
        certainty=Certainty.COULD_NOT_SEE if act.hand is Hand.NONE else Certainty.CERTAIN,
    )


def _scattered(state: State, act: Scattered) -> State:
    """P13: until the board is as it was, nothing that happens on it is a move or an act of a player."""
    found = Finding(
        code="board_scattered",
        t_ns=act.bracket.by_ns,
        points=tuple(sorted(state.point(at) for at in act.points)),
        bracket=act.bracket,
    )
    return replace(state, scattered=state.recorded, gone=()).found(found)


def _restored(state: State) -> State:
    return replace(state, scattered=None, position=state.scattered or state.position)


def _only_watched(state: State, fact: Fact) -> State:
    """After the end stones are cleared away, after a scatter they are put back; neither is anybody's move."""
    match fact:
        case Placed():
            return _put(state, state.point(fact.at), colour_of(fact.content))
        case Removed():
            return _lifted(state, state.point(fact.at))
        case Relocated():
            return _put(_lifted(state, state.point(fact.origin)), state.point(fact.at), colour_of(fact.content))
    return state


# What a stone makes


def _judged(state: State, move: Move) -> State:
    """What the stone makes that came to stand, and whether it breaks the opening."""
    played = [m.point for m in state.moves] if state.from_start else []
    faults = opening_faults(state.ruleset, played, state.position.size)
    return _made(state.found(*(_finding(state, one, move) for one in faults)), move)


def _made(state: State, move: Move) -> State:
    """What the stone makes that came to stand."""
    made = made_by(state.ruleset, state.position, move.point)
    if made is None or (made.drawn and any(finding.code == "five" for finding in state.findings)):
        return state  # a full board is drawn only without a five (D3)
    state = replace(state, result=state.result or made.winner, drawn=state.drawn or made.drawn)
    return state.found(_finding(state, made, move))


def _finding(state: State, made: Consequence, move: Move) -> Finding:
    """Not for certain when the stone may be none: the camera looked on, and no hand was seen to bring it."""
    watched = move.bracket.after_ns is not None and state.watched(move.bracket.after_ns, move.bracket.by_ns)
    return Finding(
        code=made.code,
        t_ns=move.bracket.by_ns,
        seat=move.seat,
        points=made.points,
        bracket=move.bracket,
        certainty=Certainty.COULD_NOT_SEE if watched and not move.handed else Certainty.CERTAIN,
    )


def _put(state: State, point: Point, colour: Colour) -> State:
    return replace(state, position=state.position.removed([point]).placed(point, colour))


def _lifted(state: State, point: Point) -> State:
    return replace(state, position=state.position.removed([point]))


def apart(a: Point, b: Point) -> float:
    """Distance of two points in cells."""
    return hypot(a.file - b.file, a.rank - b.rank)


def colour_of(content: Content) -> Colour:
    """The colour of a stone that the camera saw."""
    return Colour(content.value)
