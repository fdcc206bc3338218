"""The referee's judgement: facts in, rulings out.

The order of stones on the board says whose move is due; the clock says in whose time a stone was laid. Where the two
leave open who did it, the seat is left open; where the camera could not see, nobody is accused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from math import hypot
from typing import TYPE_CHECKING

from appliance.arbiter.articles import article
from appliance.arbiter.consequences import FORBIDDEN_CODES, made_by, opening_faults
from appliance.arbiter.protocol import Protocol
from appliance.arbiter.rulings import Audience, Certainty, Ruling
from appliance.arbiter.timing import Order, order
from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from clock.turns import TurnTimer
from vision.acts import BoardAct, BoardMoved, Bracket, Displaced, Dropped, Manner, Placed, Relocated, Removed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from appliance.arbiter.facts import Press
    from appliance.game.ruleset import Ruleset
    from vision.observation import Content, Intersection

FRAME_ERROR_NS = 1_000_000
"""How far a frame's instant may be off where nothing better is known: recordings keep whole milliseconds."""

NUDGE_REACH = 1.5
"""Cells; a stone that was laid before and a stone that is due, farther apart than this, are not the same one."""

_MANNER = {Manner.SLID: "stone_slid", Manner.LIFTED: "stone_lifted", Manner.UNKNOWN: "stone_relocated"}
_NOTICES = frozenset({"board_moved", "pressed_without_move", "stone_removed"})


@dataclass(frozen=True, kw_only=True)
class Move:
    """A stone of the game. ``seat``: who laid it, None where that is open. ``press``: the one that completed it.

    ``in_turn``: it was due; a stone out of turn stands in the record until it is taken back. ``alone``: it was seen on
    its point with no hand at it.
    """

    point: Point
    colour: Colour
    seat: Seat | None
    bracket: Bracket
    press: Press | None = None
    in_turn: bool = True
    alone: bool = True
    thinking_ns: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Swap:
    """A press that was taken for a swap, and the order of play before it."""

    before: Protocol
    press: Press


@dataclass(frozen=True, kw_only=True)
class _Gap:
    """A turn in which the side due laid no stone that could be seen, while the other side's stone came.

    ``colour``: of the stone that was due. ``index``: where among the moves it belongs. ``press``: by which its player
    ended the turn; None: the clock tells of no turn, so the stone that came is out of turn, and ``stray`` is it.
    ``seat``: who laid the stray, once ``told`` says that nothing more will be known. ``seen``: the whole board has
    been seen since.
    """

    colour: Colour
    index: int
    press: Press | None = None
    stray: Move | None = None
    seat: Seat | None = None
    told: bool = False
    seen: bool = False


class Arbiter:
    """One game, from the first fact to the last. Facts come in the order in which they become known."""

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        size: int = 15,
        start: Position | None = None,
        to_move: Colour = Colour.BLACK,
        start_ns: int = 0,
        frame_error_ns: int = FRAME_ERROR_NS,
    ) -> None:
        self.ruleset = ruleset
        self.size = size
        self.position = start or Position(size)
        self.moves: list[Move] = []
        self.rulings: list[Ruling] = []
        self.result: Colour | None = None
        self.drawn = False
        self.protocol = (
            Protocol.resumed(ruleset.opening, to_move, len(start.stones)) if start else Protocol.start(ruleset.opening)
        )
        self.running = self.protocol.seat
        self._start = start
        self._frame_error_ns = frame_error_ns
        self._presses: list[Press] = []
        self._turn = TurnTimer(since_ns=start_ns)
        self._thought: dict[Press, int] = {}
        # Presses whose stones have not been seen yet; a turn in which no stone was seen; stones that left the board
        # and may come back, untold and told; the wrong stone for which a press handed over the turn; a press taken for
        # a swap.
        self._open_presses: list[Press] = []
        self._gap: _Gap | None = None
        self._gone: dict[Point, Removed] = {}
        self._lost: dict[Point, Colour] = {}
        self._handed_over: Move | None = None
        self._swap: _Swap | None = None

    def press(self, press: Press) -> list[Ruling]:
        """A clock button went down. Presses by the side whose clock does not run change nothing."""
        if self.over:
            return []
        made = [*self._settle_gone(press.t_ns), *self._who_strayed(press)]
        if press.seat is self.running:
            self._presses.append(press)
            self._thought[press], self._turn = self._turn.switch(press.t_ns)
            self.running = press.seat.other
            made += self._pressed(press)
        return self._keep(made)

    def see(self, acts: Sequence[BoardAct], *, whole_board: bool = True) -> list[Ruling]:
        """What happened on the board, as one observation made it certain.

        ``whole_board``: in it every point could be seen. Who laid out of turn is ruled only then: a stone that was
        not seen may have been laid before.
        """
        if self.over:
            self._only_watch(acts)
            return []
        made: list[Ruling] = []
        waiting = list(acts)
        while waiting:
            act = self._next(waiting)
            waiting.remove(act)
            match act:
                case Placed():
                    made += self._placed(act)
                case Relocated():
                    made += self._relocated(act)
                case Removed():
                    made += self._removed(act)
                case Dropped():
                    made.append(self._dropped(act))
                case Displaced():
                    made.append(self._displaced(act))
                case BoardMoved():
                    made.append(self._rule("board_moved", act.bracket.by_ns, act.seen_ns, bracket=act.bracket))
        if whole_board:
            made += self._saw_whole_board()
        return self._keep(made)

    def finish(self, t_ns: int) -> list[Ruling]:
        """No more facts come: what waited for one is ruled as it stands."""
        return self._keep([*self._settle_gone(t_ns), *self._close_gap()])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None or self.drawn

    def _only_watch(self, acts: Sequence[BoardAct]) -> None:
        """After the end stones are cleared away; that concerns nobody."""
        for act in acts:
            match act:
                case Placed():
                    self._put(self._point(act.at), _colour(act.content))
                case Removed():
                    self._lift(self._point(act.at))
                case Relocated():
                    self._lift(self._point(act.origin))
                    self._put(self._point(act.at), _colour(act.content))

    def _next(self, waiting: list[BoardAct]) -> BoardAct:
        """The first act; but of stones that the camera cannot put in order, the one whose colour is due."""
        first = waiting[0]
        if isinstance(first, Placed) and not self.protocol.may_lay(_colour(first.content)):
            for act in waiting:
                overlaps = (act.bracket.after_ns or 0) < first.bracket.by_ns
                if isinstance(act, Placed) and overlaps and self.protocol.may_lay(_colour(act.content)):
                    return act
        return first

    # Presses

    def _pressed(self, press: Press) -> Iterator[Ruling]:
        """The running side pressed: its move is complete, or it has not laid a stone that could be seen."""
        laid = self._unpressed(press.seat)
        for move in laid:
            self._replace(move, replace(move, press=press, thinking_ns=self._thought[press]))
            if move.in_turn:
                yield from self._judge_press(press, move)
        if not laid:
            if self.protocol.swap_is_open() and press.seat is self.protocol.seat:
                self._swap = _Swap(before=self.protocol, press=press)
            else:
                self._open_presses.append(press)
        self.protocol = self.protocol.press(press.seat, has_laid=bool(laid))

    def _unpressed(self, seat: Seat) -> list[Move]:
        """The stones of ``seat`` for which it has not pressed yet."""
        mine = [move for move in self.moves if move.seat is seat]
        return list(takewhile(lambda move: move.press is None, reversed(mine)))

    def _judge_press(self, press: Press, move: Move) -> Iterator[Ruling]:
        """P8: was the stone down before the press?

        When the opponent has pressed since, another stone may have been missed, and this is not the one of that press.
        """
        verdict = order(press, move.bracket, self._frame_error_ns)
        if verdict is Order.STONE_FIRST:
            return
        sure = verdict is Order.PRESS_FIRST and self._presses[-1] is press
        yield self._rule(
            "press_before_placing",
            press.t_ns,
            move.bracket.by_ns,
            seat=press.seat,
            points=(move.point,),
            bracket=move.bracket,
            press_ns=press.t_ns,
            certainty=Certainty.CERTAIN if sure else Certainty.COULD_NOT_SEE,
        )

    # Stones

    def _placed(self, act: Placed) -> Iterator[Ruling]:
        point, colour = self._point(act.at), _colour(act.content)
        self._put(point, colour)
        if self._missing(colour, point) == point:
            # Taken up and put back where it stood.
            self._gone.pop(point, None)
            self._lost.pop(point, None)
            return
        lifted = self._lifted_before(act, colour)
        if lifted is not None:
            yield from self._moved_in_hand("stone_lifted", lifted, point, act.bracket, act.seen_ns)
            return
        self._reconsider_swap(act, colour)
        if self._fills_gap(act, colour):
            yield from self._fill_gap(act, point, colour)
            return
        if self._handed_over is not None and self.protocol.seat_of(colour) is self.running:
            # The opponent plays on: the wrong stone stands as a move (B 不合规则2).
            self._handed_over = None
            self.protocol = self.protocol.skip()
        if not self.protocol.may_lay(colour):
            yield from self._out_of_turn(act, point, colour)
            return
        yield from self._settle_gone(act.seen_ns)
        yield from self._close_gap()
        yield from self._in_turn(act, point, colour)

    def _in_turn(self, act: Placed, point: Point, colour: Colour) -> Iterator[Ruling]:
        """A stone that is due."""
        seat = self.protocol.seat
        press = next((press for press in self._open_presses if press.seat is seat), None)
        move = Move(
            point=point,
            colour=colour,
            seat=seat,
            bracket=act.bracket,
            press=press,
            alone=act.alone,
            thinking_ns=self._thought[press] if press else None,
        )
        self.moves.append(move)
        if press is not None:
            self._open_presses.remove(press)
            yield from self._judge_press(press, move)
        yield from self._lay(move, act.seen_ns)

    def _lay(self, move: Move, seen_ns: int) -> Iterator[Ruling]:
        """A move that is due is on the board."""
        self._handed_over = None
        self.protocol = self.protocol.lay(move.point, move.colour)
        yield from self._judge_move(move, seen_ns)

    def _reconsider_swap(self, act: Placed, colour: Colour) -> None:
        """A press at the swap moment was no swap after all when white 4 lay there but was seen late (O3)."""
        swap, self._swap = self._swap, None
        if swap is None or colour is not Colour.WHITE:
            return
        if order(swap.press, act.bracket, self._frame_error_ns) is not Order.PRESS_FIRST:
            self.protocol = swap.before
            self._open_presses.append(swap.press)

    def _out_of_turn(self, act: Placed, point: Point, colour: Colour) -> Iterator[Ruling]:
        """A stone that is not due: one that was missing, one after a turn without a stone, or out of turn (P4, P17)."""
        missing = self._missing(colour, point)
        if missing is not None:
            yield self._found_again(missing, point, act.bracket, act.seen_ns)
            return
        yield from self._close_gap()
        owner = self.protocol.seat_of(colour)
        passed = next((press for press in self._open_presses if press.seat is owner.other), None)
        if passed is not None and order(passed, act.bracket, self._frame_error_ns) is Order.STONE_FIRST:
            # It lay there when the side that was due pressed: that side's wrong stone.
            self._open_presses.remove(passed)
            stray = Move(
                point=point,
                colour=colour,
                seat=passed.seat,
                bracket=act.bracket,
                press=passed,
                in_turn=False,
                alone=act.alone,
                thinking_ns=self._thought[passed],
            )
            self._gap = _Gap(colour=colour.other, index=len(self.moves), stray=stray, seat=passed.seat, told=True)
            self._handed_over = stray
            self.moves.append(stray)
            return
        if passed is not None and self.protocol.skip().may_lay(colour):
            self._open_presses.remove(passed)
            self._gap = _Gap(colour=colour.other, index=len(self.moves), press=passed)
            self.protocol = self.protocol.skip()
            yield from self._in_turn(act, point, colour)
            return
        own_time = bool(self._presses) and self.running is owner
        in_other_time = bool(self._presses) and not own_time and not self._unpressed(owner)
        stray = Move(
            point=point,
            colour=colour,
            seat=owner if own_time else None,
            bracket=act.bracket,
            in_turn=False,
            alone=act.alone,
        )
        # In the opponent's time the press that follows tells whose stone it is.
        self._gap = _Gap(
            colour=colour.other, index=len(self.moves), stray=stray, seat=stray.seat, told=not in_other_time
        )
        self.moves.append(stray)

    def _who_strayed(self, press: Press) -> Iterator[Ruling]:
        """A press tells who laid a stone in the time of the side that was due: the side that pressed."""
        gap = self._gap
        if gap is None or gap.stray is None or gap.told:
            return
        known = replace(gap.stray, seat=press.seat)
        self._replace(gap.stray, known)
        self._gap = replace(gap, stray=known, seat=press.seat, told=True)
        if press.seat is not self.protocol.seat_of(known.colour):
            self._handed_over = known
        if gap.seen:
            yield from self._close_gap()

    def _saw_whole_board(self) -> Iterator[Ruling]:
        """No stone is hidden anywhere: a turn without one was without one."""
        if self._gap is not None:
            self._gap = replace(self._gap, seen=True)
            if self._gap.stray is None or self._gap.told:
                yield from self._close_gap()

    def _close_gap(self) -> Iterator[Ruling]:
        """Rule on a turn without a stone, as far as it is known."""
        gap, self._gap = self._gap, None
        if gap is None:
            return
        # With a clock, a stone that nobody can be said to have laid means that something was missed before.
        known = gap.stray is None or gap.seat is not None or not self._presses
        certainty = Certainty.CERTAIN if gap.seen and known else Certainty.COULD_NOT_SEE
        if gap.stray is not None:
            wrong = gap.seat is self.protocol.seat_of(gap.stray.colour).other
            bracket = gap.stray.bracket
            yield self._rule(
                "wrong_stone" if wrong else "two_moves",
                bracket.by_ns,
                bracket.by_ns,
                seat=gap.seat,
                points=(gap.stray.point,),
                bracket=bracket,
                certainty=certainty,
            )
        elif gap.press is not None:
            t_ns = gap.press.t_ns
            yield self._rule(
                "pressed_without_move", t_ns, t_ns, seat=gap.press.seat, press_ns=t_ns, certainty=certainty
            )

    def _fills_gap(self, act: Placed, colour: Colour) -> bool:
        """Whether a stone may have lain there, unseen, before the one that seemed out of turn."""
        gap = self._gap
        if gap is None or colour is not gap.colour:
            return False
        return act.bracket.after_ns is None or act.bracket.after_ns < self.moves[gap.index].bracket.by_ns

    def _fill_gap(self, act: Placed, point: Point, colour: Colour) -> Iterator[Ruling]:
        """The stone that was missing was there all the while: nothing was out of turn."""
        gap, self._gap = self._gap, None
        assert gap is not None
        seat = self.protocol.seat_of(colour)
        thought = self._thought[gap.press] if gap.press else None
        move = Move(
            point=point,
            colour=colour,
            seat=seat,
            bracket=act.bracket,
            press=gap.press,
            alone=act.alone,
            thinking_ns=thought,
        )
        self.moves.insert(gap.index, move)
        if gap.stray is None:
            if gap.press is not None:
                yield from self._judge_press(gap.press, move)
            yield from self._judge_move(move, act.seen_ns)
            return
        yield from self._lay(move, act.seen_ns)
        after = self.moves[gap.index + 1]
        if self.protocol.may_lay(after.colour):
            due = replace(after, in_turn=True, seat=self.protocol.seat)
            self._replace(after, due)
            yield from self._lay(due, act.seen_ns)

    def _relocated(self, act: Relocated) -> Iterator[Ruling]:
        """A stone went to another point: in its player's hand (P5, P6), or by accident (P11)."""
        origin, point, colour = self._point(act.origin), self._point(act.at), _colour(act.content)
        move = self._move_at(origin)
        if move is not None and self._in_hand(move, act.way):
            self._gone.pop(origin, None)
            self._put(point, colour)
            yield from self._moved_in_hand(_MANNER[act.manner], move, point, act.way, act.seen_ns)
            return
        missing = origin in self._gone or origin in self._lost
        if missing and not (self.protocol.may_lay(colour) and _apart(origin, point) > NUDGE_REACH):
            self._put(point, colour)
            yield self._found_again(origin, point, act.way, act.seen_ns)
            return
        # The stone at the origin was taken back, or is gone for itself: this is another one.
        yield from self._placed(
            Placed(at=act.at, content=act.content, bracket=act.bracket, seen_ns=act.seen_ns, alone=act.alone)
        )

    def _found_again(self, origin: Point, point: Point, bracket: Bracket, seen_ns: int) -> Ruling:
        """P11: a stone that was missing stands elsewhere."""
        self._gone.pop(origin, None)
        self._lost.pop(origin, None)
        return self._rule("stone_displaced", bracket.by_ns, seen_ns, points=(origin, point), bracket=bracket)

    def _missing(self, colour: Colour, near: Point) -> Point | None:
        """The nearest point from which a stone of ``colour`` is missing."""
        gone = [point for point, act in self._gone.items() if _colour(act.content) is colour]
        lost = [point for point, of in self._lost.items() if of is colour]
        return min([*gone, *lost], key=lambda point: _apart(point, near), default=None)

    def _moved_in_hand(self, code: str, move: Move, point: Point, bracket: Bracket, seen_ns: int) -> Iterator[Ruling]:
        """P5, P6: the stone of this turn came to another point. It now stands there; the first one is on record.

        Where a hand was at the first point all the while, it may never have stood there.
        """
        final = replace(move, point=point)
        self._replace(move, final)
        yield self._rule(
            code,
            bracket.by_ns,
            seen_ns,
            seat=move.seat,
            points=(move.point, point),
            bracket=bracket,
            certainty=Certainty.CERTAIN if move.alone else Certainty.COULD_NOT_SEE,
        )
        yield from self._judge_move(final, seen_ns)

    def _in_hand(self, move: Move, bracket: Bracket) -> bool:
        """Whether a stone that moved was still its player's to lay: the last one, not pressed for when it moved."""
        if move is not self.moves[-1] or move.seat is None:
            return False
        return move.press is None or bracket.by_ns + self._frame_error_ns <= move.press.t_ns - move.press.error_ns

    def _lifted_before(self, act: Placed, colour: Colour) -> Move | None:
        """This turn's stone, when it was seen to leave its point before another of its colour came."""
        for point, gone in self._gone.items():
            move = self._move_at(point)
            if (
                _colour(gone.content) is colour
                and move is not None
                and move.in_turn
                and self._in_hand(move, act.bracket)
            ):
                del self._gone[point]
                return move
        return None

    def _removed(self, act: Removed) -> Iterator[Ruling]:
        point = self._point(act.at)
        self._lift(point)
        if point in self.protocol.offered:
            self.protocol = self.protocol.take_away(point)
            self.moves = [move for move in self.moves if move.point != point]
            return
        move = self._move_at(point)
        if move is not None and not move.in_turn:
            yield from self._close_gap()
            self._taken_back(point)
            return
        self._gone[point] = act

    def _taken_back(self, point: Point) -> None:
        """The remedy was carried out: a stone out of turn is off the board, and its player has the turn again."""
        self.moves = [move for move in self.moves if move.point != point]
        if self._handed_over is not None and self._handed_over.point == point:
            if self._handed_over.seat is not None:
                self.running = self._handed_over.seat
            self._handed_over = None

    def _settle_gone(self, t_ns: int) -> Iterator[Ruling]:
        """Stones that left the board and were not put back."""
        gone, self._gone = self._gone, {}
        for point, act in gone.items():
            if not self._forget_last(point):
                self._lost[point] = _colour(act.content)
            yield self._rule(
                "stone_removed", act.bracket.by_ns, max(t_ns, act.seen_ns), points=(point,), bracket=act.bracket
            )

    def _forget_last(self, point: Point) -> bool:
        """A last stone that its player took back before pressing was no move."""
        if not self.moves or self.moves[-1].point != point or self.moves[-1].press is not None:
            return False
        self.moves.pop()
        self.protocol = self.protocol.skip()
        return True

    def _dropped(self, act: Dropped) -> Ruling:
        owner = self.protocol.seat_of(_colour(act.content))
        seat = owner if self.running is owner or not self._presses else None
        near = self._point(act.near)
        return self._rule(
            "stone_dropped", act.bracket.by_ns, act.seen_ns, seat=seat, points=(near,), bracket=act.bracket
        )

    def _displaced(self, act: Displaced) -> Ruling:
        at = self._point(act.at)
        return self._rule("stone_displaced", act.bracket.by_ns, act.seen_ns, points=(at,), bracket=act.bracket)

    def _judge_move(self, move: Move, seen_ns: int) -> Iterator[Ruling]:
        """What the stone makes that came to stand."""
        made = [] if self._start else list(opening_faults(self.ruleset, [m.point for m in self.moves], self.size))
        consequence = made_by(self.ruleset, self.position, move.point)
        if consequence is not None:
            made.append(consequence)
            self.result = self.result or consequence.winner
            self.drawn = self.drawn or consequence.drawn
        for one in made:
            yield self._rule(
                one.code, move.bracket.by_ns, seen_ns, seat=move.seat, points=one.points, bracket=move.bracket
            )

    # Making rulings

    def _rule(
        self,
        code: str,
        t_ns: int,
        seen_ns: int,
        *,
        seat: Seat | None = None,
        points: tuple[Point, ...] = (),
        bracket: Bracket | None = None,
        press_ns: int | None = None,
        certainty: Certainty = Certainty.CERTAIN,
    ) -> Ruling:
        act = self.ruleset.act(code) if code in self.ruleset.acts else None
        silent = act is not None or code in _NOTICES or self._waits_for_claim(code)
        return Ruling(
            code=code,
            article=article(code, self.ruleset.cited_text),
            certainty=certainty,
            seat=seat,
            points=points,
            t_ns=t_ns,
            seen_ns=seen_ns,
            bracket=bracket,
            press_ns=press_ns,
            remedies=act.remedies if act else (),
            penalty=act.penalty if act else None,
            audience=Audience.REFEREE if silent else Audience.EVERYBODY,
        )

    def _waits_for_claim(self, code: str) -> bool:
        if code == "five":
            return self.ruleset.claims.five
        return code in FORBIDDEN_CODES and self.ruleset.claims.forbidden

    def _keep(self, made: list[Ruling]) -> list[Ruling]:
        self.rulings += made
        return made

    # The board and the list of moves

    def _point(self, at: Intersection) -> Point:
        return Point(at.col, self.size - 1 - at.row)

    def _put(self, point: Point, colour: Colour) -> None:
        self.position = self.position.removed([point]).placed(point, colour)

    def _lift(self, point: Point) -> None:
        self.position = self.position.removed([point])

    def _move_at(self, point: Point) -> Move | None:
        return next((move for move in reversed(self.moves) if move.point == point), None)

    def _replace(self, old: Move, new: Move) -> None:
        self.moves[self.moves.index(old)] = new


def _apart(a: Point, b: Point) -> float:
    return hypot(a.file - b.file, a.rank - b.rank)


def _colour(content: Content) -> Colour:
    return Colour(content.value)
