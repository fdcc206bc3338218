"""The game as it stands after some facts. Nothing here changes in place; see ``telling`` for what makes the next."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from math import hypot
from types import MappingProxyType
from typing import TYPE_CHECKING

from appliance.arbiter import conduct, occurrences
from appliance.arbiter.rulings import Certainty, OutOfTurn
from appliance.arbiter.timing import Order, order
from appliance.game.points import Colour, Point
from appliance.game.position import Position
from clock.events import FlagFell, Forfeited
from clock.facts import Resume, Stop
from clock.facts import order as clock_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from appliance.arbiter.facts import Press
    from appliance.arbiter.ledger import Ledger
    from appliance.arbiter.occurrences import Occurrence
    from appliance.arbiter.outcomes import Outcome, Standing
    from appliance.arbiter.protocol import Protocol
    from appliance.arbiter.remedies import Due
    from appliance.game.points import Seat
    from appliance.game.ruleset import Ruleset
    from clock.dual import DualClock
    from clock.events import Event
    from clock.facts import Fact as ClockFact
    from vision.acts import Bracket, Removed
    from vision.observation import Content, Intersection


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

    ``certainty``: as far as the facts behind it carry; the rest as in a ruling. ``number``: of the last move before it.
    """

    code: str
    t_ns: int
    seat: Seat | None = None
    points: tuple[Point, ...] = ()
    bracket: Bracket | None = None
    press_ns: int | None = None
    colour: Colour | None = None
    out_of_turn: OutOfTurn | None = None
    certainty: Certainty = Certainty.CERTAIN
    settled: bool = False
    number: int = field(default=0, compare=False)

    def __hash__(self) -> int:
        return hash((self.code, self.t_ns, self.press_ns))  # findings are looked up often, and rarely alike in these

    @cached_property
    def key(self) -> Finding:
        """The same finding, however much is known of it."""
        return replace(self, settled=False, certainty=Certainty.CERTAIN)


if TYPE_CHECKING:
    changed = replace
else:

    def changed(state: State, **changes: object) -> State:
        """``dataclasses.replace`` for a state, which has many fields and is changed many times in each telling."""
        new = object.__new__(State)
        new.__dict__.update(state.__dict__)
        new.__dict__.update(changes)
        return new


@dataclass(frozen=True, kw_only=True)
class State:
    """A game in progress.

    ``self_ruled``: no referee is at hand: what is put right on the board counts without a decision. ``timed``: the
    clock is the game's; else it only orders the turns. ``start``: the stones that stood before the first move.
    ``rebuilding``: what should stand, while the board is scattered or to be put back. ``presses``: those that switched
    the clock; ``thought``: how long the turn of each took. ``open_presses``: those whose stones have not come.
    ``passing``: who gave up the turn, without a press yet. ``gone``: stones that left the board and may come back;
    ``lost``: those given up, by their points. ``stray``:
    a stone laid in the time of the side that was due; the next press tells whose it is. ``handed_over``: the wrong
    stone with which a turn was ended. ``gaps``: from when to when no frame came. ``dues``: remedies that were ruled
    and are still to be carried out. ``verdicts``: what the referee made of findings, by their keys. ``swaps``: the
    presses that took the other colour. ``turn_after``: whose turn it is once the clock is resumed. ``adjourned``,
    ``sealed``: C13; the token of the sealed move, and ``sealed_point`` once it was opened.
    """

    ruleset: Ruleset
    frame_error_ns: int
    from_start: bool
    self_ruled: bool
    timed: bool
    protocol: Protocol
    start: Position
    position: Position
    clock: DualClock
    ledger: Ledger
    rebuilding: Position | None = None
    moves: tuple[Move, ...] = ()
    presses: tuple[Press, ...] = ()
    thought: tuple[int, ...] = ()
    open_presses: tuple[Press, ...] = ()
    passing: Seat | None = None
    gone: tuple[Removed, ...] = ()
    lost: Mapping[Point, Colour] = field(default_factory=lambda: MappingProxyType({}))
    stray: Move | None = None
    handed_over: Move | None = None
    gaps: tuple[tuple[int, int], ...] = ()
    findings: tuple[Finding, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    clock_events: tuple[Event, ...] = ()
    dues: tuple[Due, ...] = ()
    verdicts: Mapping[Finding, Standing] = field(default_factory=lambda: MappingProxyType({}))
    swaps: tuple[Press, ...] = ()
    turn_after: Seat | None = None
    adjourned: bool = False
    sealed: str | None = None
    sealed_point: Point | None = None
    signed: frozenset[Seat] = frozenset()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.ledger.end is not None

    @property
    def result(self) -> Colour | None:
        """The winner, if there is one."""
        end = self.ledger.end
        if end is None or end.winner is None:
            return None
        return next(colour for colour in Colour if self.protocol.seat_of(colour) is end.winner)

    @property
    def drawn(self) -> bool:
        """Whether the game ended drawn."""
        return self.ledger.end is not None and self.ledger.end.drawn

    @property
    def has_clock(self) -> bool:
        """Whether a clock tells in whose time something happened: where it is the game's, or has been pressed."""
        return bool(self.presses) or (self.timed and self.clock.started_ns is not None)

    @property
    def put_away(self) -> bool:
        """Whether the game is adjourned, and what happens on the board is no move: until an envelope is opened."""
        return self.adjourned and self.sealed_point is None

    @property
    def running(self) -> Seat:
        """Whose clock runs, or will when it goes on."""
        return self.clock.turn

    @property
    def recorded(self) -> Position:
        """What should stand on the board after the moves of the record."""
        stones = {**self.start.stones, **{move.point: move.colour for move in self.moves}}
        return Position(self.position.size, stones)

    @property
    def wanted(self) -> Position:
        """What should stand on the board."""
        return self.rebuilding or self.recorded

    @property
    def differing(self) -> tuple[Point, ...]:
        """The points that do not show what should stand on them."""
        wanted, shown = self.wanted, self.position
        points = {*wanted.stones, *shown.stones}
        return tuple(sorted(point for point in points if wanted.at(point) is not shown.at(point)))

    def watched(self, from_ns: int, until_ns: int) -> bool:
        """Whether frames came all the time: a stone may come and go in a gap."""
        return not any(begun < until_ns and ended > from_ns for begun, ended in self.gaps)

    def point(self, at: Intersection) -> Point:
        """What the camera calls ``at``."""
        return Point(at.col, self.position.size - 1 - at.row)

    # What is noted

    def found(self, *findings: Finding) -> State:
        """With some findings more; what accuses with certainty can be raised from now on."""
        state = self
        for finding in findings:
            if any(known.key == finding.key for known in state.findings):
                continue
            numbered = replace(finding, number=state.ledger.number)
            state = changed(state, findings=(*state.findings, numbered)).accusable(numbered)
        return state

    def accusable(self, finding: Finding) -> State:
        """With what was found, if it accuses with certainty, as something that can be raised from now on."""
        if finding.certainty is not Certainty.CERTAIN or finding.code not in self.ruleset.acts:
            return self
        seen = occurrences.ActSeen(
            t_ns=finding.t_ns, code=finding.code, seat=finding.seat, number=finding.number, points=finding.points
        )
        return self.happened(seen)

    def happened(self, occurrence: Occurrence) -> State:
        """After what concerns the rules of conduct. When it ends the game the clock stops.

        Raises as :func:`appliance.arbiter.conduct.after`.
        """
        ledger, outcomes = conduct.after(self.ledger, occurrence)
        state = changed(self, ledger=ledger, outcomes=(*self.outcomes, *outcomes))
        if ledger.end is not None and self.ledger.end is None:
            state = state.stopped(occurrence.t_ns, "the game has ended")
        return state

    def noted(self, *outcomes: Outcome) -> State:
        """With some outcomes more."""
        return changed(self, outcomes=(*self.outcomes, *outcomes))

    # The clock

    def clocked(self, fact: ClockFact) -> State:
        """After a fact of the clock's; flags and forfeits are found. Raises ValueError for what it does not know.

        A stone's instant is known less well than a stamp: what follows from one may seem older than the newest stamp.
        """
        newest = self.clock.newest
        if newest is not None and clock_order(fact) < newest:
            fact = replace(fact, at_ns=newest[0] + (clock_order(fact)[1] < newest[1]))
        clock, events = self.clock.apply(fact)
        return changed(self, clock=clock)._with_events(events, clock.since_ns)

    def stopped(self, t_ns: int, reason: str) -> State:
        """With both sides standing still since ``t_ns``."""
        return self.clocked(Stop(at_ns=t_ns, reason=reason)) if self.clock.ticking else self

    def turned(self, t_ns: int, seat: Seat, reason: str) -> State:
        """With ``seat`` to move: its time runs, or will when the clock is resumed."""
        if not self.clock.ticking:
            return changed(self, turn_after=seat)
        return self.stopped(t_ns, reason).clocked(Resume(at_ns=t_ns, reason=reason, turn=seat))

    def passed(self, t_ns: int) -> State:
        """At ``t_ns``: what time has done by itself is found."""
        if t_ns <= self.clock.since_ns:
            return self
        return self._with_events(self.clock.due(self.clock.since_ns, t_ns), t_ns)

    def _with_events(self, events: tuple[Event, ...], until_ns: int) -> State:
        """With what the clock told, as far as it has not told that before: what time does it tells with each fact."""
        known = (
            [*takewhile(lambda event: event.at_ns >= events[0].at_ns, reversed(self.clock_events))] if events else []
        )
        fresh = tuple(event for event in events if event not in known)
        state = changed(self, clock_events=(*self.clock_events, *fresh))
        if not self.timed:
            return state
        found = []
        for event in fresh:
            match event:
                case FlagFell():
                    doubtful = Certainty.COULD_NOT_SEE
                    found.append(Finding(code="flag", t_ns=event.at_ns, seat=event.seat, certainty=doubtful))
                case Forfeited():
                    found.append(Finding(code="late", t_ns=event.at_ns, seat=event.seat))
        return state.found(*found)._flags_judged(until_ns)

    def _flags_judged(self, until_ns: int) -> State:
        """With the flags whose fall is beyond the stamps' errors by ``until_ns`` called certain."""
        if not any(one.code == "flag" and one.certainty is not Certainty.CERTAIN for one in self.findings):
            return self
        first = self.clock.first_fall(until_ns)
        if first is None or not first.certain:
            return self
        findings = tuple(
            replace(one, certainty=Certainty.CERTAIN) if one.code == "flag" and one.seat is first.seat else one
            for one in self.findings
        )
        return changed(self, findings=findings)

    # Stones

    def put(self, point: Point, colour: Colour) -> State:
        """With a stone on ``point``, whatever stood there."""
        return changed(self, position=self.position.removed([point]).placed(point, colour))

    def lifted(self, point: Point) -> State:
        """With no stone on ``point``."""
        return changed(self, position=self.position.removed([point]))

    def with_move(self, old: Move, new: Move) -> State:
        """With ``new`` in the place of ``old``."""
        return changed(self, moves=tuple(new if move is old else move for move in self.moves))

    def unpressed(self, seat: Seat) -> list[Move]:
        """The stones of ``seat`` for which it has not pressed yet."""
        mine = [move for move in self.moves if move.seat is seat]
        return list(takewhile(lambda move: move.press is None, reversed(mine)))

    def took_ns(self, press: Press) -> int:
        """How long the turn took that ``press`` ended."""
        return next(ns for one, ns in zip(reversed(self.presses), reversed(self.thought), strict=True) if one == press)

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
        return changed(
            self,
            gone=tuple(act for act in self.gone if self.point(act.at) != point),
            lost=MappingProxyType({at: colour for at, colour in self.lost.items() if at != point}),
        )

    def in_hand(self, move: Move, bracket: Bracket) -> bool:
        """Whether a stone that moved may still have been its player's to lay: the last, not pressed for before that."""
        if move is not self.moves[-1] or move.seat is None:
            return False
        return move.press is None or order(move.press, bracket, self.frame_error_ns) is not Order.PRESS_FIRST


def apart(a: Point, b: Point) -> float:
    """Distance of two points in cells."""
    return hypot(a.file - b.file, a.rank - b.rank)


def colour_of(content: Content) -> Colour:
    """The colour of a stone that the camera saw."""
    return Colour(content.value)
