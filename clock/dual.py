"""The clock of both seats as a fold over facts: a value, told one fact after the other, that never reads the time.

Facts come in the order of :func:`clock.facts.order`. One that is known late (older than the newest told) is refused:
tell the whole again with :func:`told`, which puts the facts in order first. What time does by itself (a flag, a lost
period) has the exact instant at which it happens, however late anybody asks, and comes before facts of that instant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from clock import purse as purses
from clock.control import ByoYomi, Lateness, Sharing, TimeControl
from clock.events import (
    Arrived,
    Event,
    FlagFell,
    Forfeited,
    Ignored,
    Intervened,
    NothingDone,
    PeriodLost,
    Pressed,
    StageBegan,
    Started,
)
from clock.facts import AddTime, Arrive, Fact, Resume, SetTime, Split, Start, Stop, TakeTime, Undo, order
from clock.falls import Fall, FirstFall, first_of
from clock.press import Press
from clock.purse import Ending, Lapse, Purse
from clock.reading import Face, Reading
from clock.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One seat's purse, the error its stamps add up to, and its flag's fall."""

    purse: Purse
    error_ns: int = 0
    fall: Fall | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Before:
    """Both sides as they were when ``seat`` pressed at ``at_ns``: what an undo gives back."""

    at_ns: int
    seat: Seat
    first: Side
    second: Side


Step: TypeAlias = tuple["DualClock", tuple[Event, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class DualClock:
    """Both sides at ``since_ns``, the instant of the newest fact. Make one with :meth:`of`."""

    control: TimeControl
    late: Lateness
    first: Side
    second: Side
    turn: Seat = Seat.FIRST
    """Whose move it is."""
    ticking: bool = False
    """Started, and not stopped."""
    started_ns: int | None = None
    since_ns: int = 0
    since_error_ns: int = 0
    """How far the instant at which the running side began to run may be off."""
    absent: frozenset[Seat] = frozenset()
    absence_ns: int = 0
    """How long the clock has run while somebody was absent."""
    presses: tuple[Pressed, ...] = ()
    """Every press, the ignored ones too."""
    undoable: tuple[Before, ...] = ()
    """Before every press since the times were last corrected."""
    newest: tuple[int, int] | None = None

    @classmethod
    def of(cls, control: TimeControl, late: Lateness | None = None) -> Self:
        """The clock before the game; ``late``: the limit announced beforehand, 15 minutes if none was (C9)."""
        return cls(
            control=control,
            late=late or Lateness(),
            first=Side(purse=purses.opened(control.first)),
            second=Side(purse=purses.opened(control.second)),
        )

    def side(self, seat: Seat) -> Side:
        """The side of ``seat``."""
        return self.first if seat is Seat.FIRST else self.second

    @property
    def running(self) -> Seat | None:
        """The side whose time passes: whose turn it is, but an absent player's first (C9); None: stopped."""
        if not self.ticking:
            return None
        if len(self.absent) == 1:
            return next(iter(self.absent))
        return self.turn

    # What the clock shows and will do

    def reading(self, at_ns: int) -> Reading:
        """What it shows at ``at_ns`` if nothing is told until then. Raises ValueError for before the newest fact."""
        clock, _ = self._passed(at_ns)
        return Reading(
            at_ns=at_ns,
            first=_face(Seat.FIRST, clock.first.purse),
            second=_face(Seat.SECOND, clock.second.purse),
            running=clock.running,
            started=clock.started_ns is not None,
        )

    def due(self, after_ns: int, until_ns: int) -> tuple[Event, ...]:
        """What time does by itself in ``(after_ns, until_ns]`` if nothing is told until then.

        :meth:`apply` tells the same again with the next fact, for those who only fold.
        """
        if until_ns < self.since_ns:
            return ()
        _, events = self._passed(until_ns)
        return tuple(event for event in events if event.at_ns > after_ns)

    def next_due_ns(self) -> int | None:
        """When time next does something by itself if nothing is told; None: never."""
        seat = self.running
        if seat is None:
            return None
        purse = self.side(seat).purse
        instants = [] if purse.flagged else [self.instant_after(purse.lasts_ns)]
        forfeit_ns = self.forfeit_ns()
        return min(instants if forfeit_ns is None else [*instants, forfeit_ns], default=None)

    def flag_ns(self) -> int | None:
        """When the running side's flag falls if nothing is told; None: stopped, fallen, or forfeited before it."""
        seat = self.running
        after_ns = None if seat is None else purses.flag_after(self.side(seat).purse)
        if after_ns is None:
            return None
        instant, forfeit_ns = self.instant_after(after_ns), self.forfeit_ns()
        return instant if forfeit_ns is None or instant <= forfeit_ns else None

    def instant_after(self, cost_ns: int) -> int:
        """When the running side will have been charged ``cost_ns`` more; lateness may count double (C9)."""
        return self.since_ns + -(-cost_ns // self._pace)

    def forfeit_ns(self) -> int | None:
        """The first instant that is more than the limit late (C9); None: nobody is awaited, or the clock is stopped."""
        if not (self.absent and self.ticking):
            return None
        return self.since_ns + max(0, self.late.limit_ns - self.absence_ns + 1)

    def first_fall(self, at_ns: int) -> FirstFall | None:
        """Whose flag had fallen first by ``at_ns``, and whether that is beyond the stamps' error; None: nobody's."""
        clock, _ = self._passed(at_ns)
        return first_of(side.fall for side in (clock.first, clock.second) if side.fall)

    # Facts

    def apply(self, fact: Fact) -> Step:
        """The clock after ``fact``, and all that happened since the fact before it.

        Raises ValueError, one line, for a fact that belongs before the newest one, or that the control does not know;
        the clock is then as it was.
        """
        place = order(fact)
        if self.newest is not None and place < self.newest:
            raise ValueError(
                f"what happened at {fact.at_ns} ns belongs before what the clock was told at {self.newest[0]} ns: "
                "tell all of it again in order"
            )
        clock, events = self._passed(fact.at_ns)
        clock, more = clock._told(fact)
        return replace(clock, newest=place), events + more

    def _told(self, fact: Fact) -> Step:
        match fact:
            case Press():
                return self._press(fact)
            case Start():
                return self._start(fact)
            case Arrive():
                return self._arrive(fact)
            case Stop():
                return self._intervened(fact, self._stop(fact))
            case Resume():
                return self._intervened(fact, self._resume(fact))
            case SetTime():
                return self._intervened(fact, self._set(fact))
            case AddTime():
                return self._intervened(fact, self._add(fact))
            case TakeTime():
                return self._take(fact)
            case Undo():
                return self._intervened(fact, self._undo(fact))
            case Split():
                return self._intervened(fact, self._split())

    def _start(self, fact: Start) -> Step:
        if self.started_ns is not None:
            return self._nothing(fact, "the clock has been started before")
        clock = replace(
            self, started_ns=fact.at_ns, ticking=True, since_error_ns=fact.error_ns, absent=frozenset(fact.absent)
        )
        return clock, (Started(at_ns=fact.at_ns, running=clock.running or clock.turn),)

    def _arrive(self, fact: Arrive) -> Step:
        if self.started_ns is None:
            return self._nothing(fact, "the clock has not been started: whoever comes now is not late")
        if fact.seat not in self.absent:
            return self._nothing(fact, "this player is here")
        clock = self._halted(fact.error_ns)
        charged: tuple[tuple[Seat, int], ...] = ()
        events: tuple[Event, ...] = ()
        if len(self.absent) == 2 and self.control.sharing is not Sharing.SHARED:
            # One clock was run for both. Each player's own lateness is its own loss (A 7.5, B 计时 5), so that what
            # only the one clock shows is charged to the other side now.
            seat, ns = self.turn.other, self.late.factor * self.absence_ns
            if ns:
                charged = ((seat, ns),)
                clock, events = clock._charged(seat, ns, fact.at_ns)
        clock = replace(clock._new_turn(), absent=self.absent - {fact.seat}, since_error_ns=fact.error_ns)
        arrived = Arrived(at_ns=fact.at_ns, seat=fact.seat, late_ns=self.absence_ns, charged=charged)
        return clock, (arrived, *events)

    def _press(self, fact: Press) -> Step:
        seat = fact.button.seat
        if seat is None:
            raise ValueError(f"the button {fact.button} is the referee's: tell the clock what the referee does with it")
        ignored = self._ignored(seat, fact.at_ns)
        if ignored is not None:
            pressed = _pressed(fact, seat, self.side(seat).purse, ignored=ignored)
            return replace(self, presses=(*self.presses, pressed)), (pressed,)
        clock = self._halted(fact.error_ns)
        side = clock.side(seat)
        moved = purses.moved(side.purse)
        pressed = _pressed(fact, seat, moved, took_ns=side.purse.turn_ns)
        clock = clock._with(
            seat,
            replace(side, purse=moved, fall=side.fall and replace(side.fall, turn_over=True)),
            turn=seat.other,
            since_error_ns=fact.error_ns,
            presses=(*self.presses, pressed),
            undoable=(*self.undoable, Before(at_ns=fact.at_ns, seat=seat, first=clock.first, second=clock.second)),
        )
        return clock, (pressed,)

    def _ignored(self, seat: Seat, at_ns: int) -> Ignored | None:
        if self.started_ns is None:
            return Ignored.NOT_STARTED
        if not self.ticking:
            return Ignored.STOPPED
        if seat in self.absent:
            return Ignored.ABSENT
        if seat is not self.turn:
            return Ignored.NOT_RUNNING
        if self.undoable and self.undoable[-1].at_ns == at_ns:
            return Ignored.AT_ONCE
        return None

    # What the referee does: the clock after it, or why it changes nothing

    def _stop(self, fact: Stop) -> Self | str:
        if not self.ticking:
            return "the clock is not running"
        return replace(self._halted(fact.error_ns), ticking=False)

    def _resume(self, fact: Resume) -> Self | str:
        if self.started_ns is None:
            return "the clock has not been started: start it"
        if self.ticking:
            return "the clock is running"
        if self.absent and self.absence_ns > self.late.limit_ns:
            return "a player who is not here has forfeited: tell first that the player has come"
        clock = replace(self, ticking=True, since_error_ns=fact.error_ns)
        if fact.turn is None or fact.turn is self.turn:
            return clock
        return replace(clock._new_turn(), turn=fact.turn)

    def _set(self, fact: SetTime) -> Self:
        clock = self
        for seat in self._seats_of(fact.seat):
            purse = purses.set_to(
                self.side(seat).purse,
                fact.left_ns,
                stage=fact.stage,
                moves_left=fact.moves_left,
                periods_left=fact.periods_left,
            )
            clock = clock._with(seat, Side(purse=purse))
        from_here = fact.seat is self.running or self.control.sharing is Sharing.SHARED
        return replace(clock, undoable=(), since_error_ns=fact.error_ns if from_here else self.since_error_ns)

    def _add(self, fact: AddTime) -> Self:
        clock = self
        for seat in self._seats_of(fact.seat):
            side = self.side(seat)
            clock = clock._with(seat, replace(side, purse=purses.added(side.purse, fact.ns), fall=None))
        return replace(clock, undoable=())

    def _take(self, fact: TakeTime) -> Step:
        clock, events = self._charged(fact.seat, fact.ns, fact.at_ns)
        clock, told = self._intervened(fact, replace(clock, undoable=()))
        return clock, told + events

    def _undo(self, fact: Undo) -> Self | str:
        if not self.undoable:
            return "there is no press to undo since the times were last corrected: set the times instead"
        *kept, before = self.undoable
        return replace(
            self,
            first=before.first,
            second=before.second,
            turn=before.seat,
            since_error_ns=fact.error_ns,
            undoable=tuple(kept),
        )

    def _split(self) -> Self | str:
        if self.control.sharing is not Sharing.SHARED:
            return "the time is not shared"
        if self.first.purse.left_ns < 2:
            return "nothing is left to be halved"
        halves = purses.halved(self.first.purse)
        first, second = (
            replace(side, purse=replace(side.purse, left_ns=half.left_ns, lowest_ns=half.lowest_ns))
            for side, half in zip((self.first, self.second), halves, strict=True)
        )
        control = replace(self.control, sharing=Sharing.OWN)
        return replace(self, control=control, first=first, second=second, undoable=())

    def _intervened(self, fact: Fact, done: Self | str) -> Step:
        if isinstance(done, str):
            return self._nothing(fact, done)
        before, after = self.reading(fact.at_ns), done.reading(fact.at_ns)
        return done, (Intervened(at_ns=fact.at_ns, fact=fact, before=before, after=after),)

    def _nothing(self, fact: Fact, why: str) -> Step:
        return self, (NothingDone(at_ns=fact.at_ns, fact=fact, why=why),)

    def _seats_of(self, seat: Seat) -> tuple[Seat, ...]:
        """Whose time it is when ``seat``'s is corrected: a shared time is both's."""
        return tuple(Seat) if self.control.sharing is Sharing.SHARED else (seat,)

    def _charged(self, seat: Seat, ns: int, at_ns: int) -> Step:
        """``ns`` less for ``seat``, in one piece."""
        side = self.side(seat)
        purse, endings = purses.taken(side.purse, ns)
        # A flag falls by this stroke: no stamp has a part in it.
        fall = side.fall or (Fall(seat=seat, at_ns=at_ns, error_ns=0) if purse.flagged else None)
        clock = self._with(seat, replace(side, purse=purse, fall=fall))
        if self.control.sharing is Sharing.SHARED:
            other = self.side(seat.other)
            clock = clock._with(seat.other, replace(other, purse=purses.holding(other.purse, purse)))
        return clock, tuple(_ended(seat, ending, at_ns, 0) for ending in endings)

    def _new_turn(self) -> Self:
        """What the turn took until now is no part of a move, and no press before it can be undone."""
        first, second = (replace(side, purse=replace(side.purse, turn_ns=0)) for side in (self.first, self.second))
        return replace(self, first=first, second=second, undoable=())

    # Time passes

    @property
    def _pace(self) -> int:
        """What each nanosecond costs the running side: more than one where being late counts more (C9)."""
        return self.late.factor if self.absent else 1

    def _passed(self, at_ns: int) -> Step:
        """The clock at ``at_ns`` if nothing is told until then, and what time did by itself."""
        if self.newest is not None and at_ns < self.since_ns:
            raise ValueError(f"the clock was told what happened at {self.since_ns} ns: it cannot go back to {at_ns} ns")
        if not self.ticking:
            return replace(self, since_ns=at_ns), ()
        forfeit_ns = self.forfeit_ns()
        if forfeit_ns is not None and forfeit_ns <= at_ns:
            clock, events = self._flowed(forfeit_ns)
            gone = tuple(Forfeited(at_ns=forfeit_ns, seat=seat) for seat in sorted(self.absent))
            return replace(clock, ticking=False, since_ns=at_ns), (*events, *gone)
        return self._flowed(at_ns)

    def _flowed(self, at_ns: int) -> Step:
        """The running side's time passes until ``at_ns``."""
        seat = self.running
        assert seat is not None
        side, elapsed_ns = self.side(seat), at_ns - self.since_ns
        purse, endings = purses.spent(side.purse, elapsed_ns * self._pace)
        error_ns = side.error_ns + self.since_error_ns
        events = tuple(_ended(seat, ending, self.instant_after(ending.after_ns), error_ns) for ending in endings)
        fall = side.fall
        if fall is None and purse.flagged:
            fell_ns = events[-1].at_ns
            fall = Fall(seat=seat, at_ns=fell_ns, error_ns=error_ns, ran_on_ns=at_ns - fell_ns)
        elif fall is not None and not fall.turn_over:
            fall = replace(fall, ran_on_ns=fall.ran_on_ns + elapsed_ns)
        other = self.side(seat.other)
        match self.control.sharing:
            case Sharing.HOURGLASS:
                used_ns = side.purse.left_ns - purse.left_ns
                other = replace(other, purse=purses.received(other.purse, used_ns))
            case Sharing.SHARED:
                other = replace(other, purse=purses.holding(other.purse, purse))
        clock = self._with(
            seat,
            replace(side, purse=purse, fall=fall),
            **{seat.other.value: other},
            since_ns=at_ns,
            absence_ns=self.absence_ns + (elapsed_ns if self.absent else 0),
        )
        return clock, events

    def _halted(self, error_ns: int) -> Self:
        """The running side stops running, at an instant that may be off by ``error_ns``."""
        seat = self.running
        if seat is None:
            return self
        side = self.side(seat)
        fall = side.fall
        if fall is not None and not fall.turn_over:
            fall = replace(fall, error_ns=fall.error_ns + error_ns)
        return self._with(seat, replace(side, error_ns=side.error_ns + self.since_error_ns + error_ns, fall=fall))

    def _with(self, seat: Seat, side: Side, **changes: Any) -> Self:
        """With another side of ``seat``, whose name is its field's."""
        changes[seat.value] = side
        return replace(self, **changes)


def told(clock: DualClock, facts: Iterable[Fact]) -> Step:
    """``clock`` after all ``facts``, put in order first, and all that happened. Raises as :meth:`DualClock.apply`."""
    events: list[Event] = []
    for fact in sorted(facts, key=order):
        clock, more = clock.apply(fact)
        events += more
    return clock, tuple(events)


def _pressed(fact: Press, seat: Seat, purse: Purse, *, ignored: Ignored | None = None, took_ns: int = 0) -> Pressed:
    return Pressed(
        at_ns=fact.at_ns,
        seat=seat,
        error_ns=fact.error_ns,
        ignored=ignored,
        took_ns=took_ns,
        left_ns=purse.left_ns,
        moves_made=purse.moves_made,
    )


def _ended(seat: Seat, ending: Ending, at_ns: int, error_ns: int) -> Event:
    match ending.lapse:
        case Lapse.STAGE:
            return StageBegan(at_ns=at_ns, seat=seat, stage=ending.purse.index)
        case Lapse.PERIOD:
            return PeriodLost(at_ns=at_ns, seat=seat, periods_left=ending.purse.periods_left or 0)
        case Lapse.FLAG:
            return FlagFell(at_ns=at_ns, seat=seat, error_ns=error_ns)


def _face(seat: Seat, purse: Purse) -> Face:
    return Face(
        seat=seat,
        left_ns=purse.left_ns,
        moves_left=purse.moves_left,
        periods_left=purse.periods_left,
        moves_made=purse.moves_made,
        counting=purse.counting and isinstance(purse.stage, ByoYomi),
        flagged=purse.flagged,
    )
