"""The clock at the table: what is heard in, records and calls out. No thread and no clock of its own."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from appliance.plain_clock.appointment import AppointedHour
from appliance.plain_clock.keys import End, Hint, Key, Keys
from appliance.plain_clock.records import Note, Revoked, in_words
from clock.debounce import HeldAtStart, Stuck
from clock.dual import DualClock
from clock.events import Forfeited
from clock.facts import Arrive, Fact, Resume, Start, Stop
from clock.live import LiveClock, News
from clock.press import Button, Press
from clock.seats import Seat
from clock.show import DisplayBack, DisplayLost

if TYPE_CHECKING:
    from appliance.plain_clock.records import Record
    from clock.control import Lateness, TimeControl
    from clock.count import Announcement
    from clock.reading import Reading

KEPT_LINES = 40
"""What of the past a page can show."""

Heard: TypeAlias = Key | End | Press | AppointedHour | HeldAtStart | Stuck | DisplayLost | DisplayBack | Note
"""What comes to the table."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Something that has happened, ``since_ns`` after the clock was started; None: before that."""

    since_ns: int | None
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Board:
    """What a page shows beside the clock's faces; a value, so that a display's thread sees one state."""

    lines: tuple[Line, ...] = ()
    """The newest last."""
    lines_in_all: int = 0
    """How many there have been, the forgotten ones too."""
    question: str = ""
    typed: str = ""
    """The answer so far."""
    hint: str = ""
    help: str = ""
    notice: str = ""
    """What is awaited: the appointed hour, players; may be empty."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What came of it: ``records`` in order, ``calls`` to be called out."""

    records: tuple[Record, ...] = ()
    calls: tuple[Announcement, ...] = ()


class Table:
    """One game's clock and what is said about it. ``players_on_keys``: their two keys of the keyboard count.

    ``late``: see :meth:`DualClock.of`. ``absent``: who is not here yet; a player's first press says that the player has
    come (C9). ``hour``: the appointed hour as people write it, if the clock is to start by itself (C8).
    """

    def __init__(
        self,
        control: TimeControl,
        *,
        players_on_keys: bool,
        late: Lateness | None = None,
        absent: frozenset[Seat] = frozenset(),
        hour: str = "",
    ) -> None:
        self._live = LiveClock(DualClock.of(control, late))
        self._absent, self._hour = absent, hour
        self.forfeits: set[Seat] = set()
        """Who has come too late (C9)."""
        self._keys = Keys(players=players_on_keys)
        self._lines: deque[Line] = deque(maxlen=KEPT_LINES)
        self._lines_in_all = 0
        self._hint = ""
        self.ended: End | None = None
        self.board = Board()
        self._lay_out()

    @property
    def clock(self) -> DualClock:
        """The clock as it is now."""
        return self._live.clock

    def reading(self, at_ns: int) -> Reading:
        """What the clock shows; for any thread."""
        return self._live.reading(at_ns)

    def next_ns(self) -> int | None:
        """When :meth:`pass_to` next has something to tell; None: never."""
        return self._live.next_ns()

    def hear(self, heard: Heard) -> Outcome:
        """Something came to the table."""
        match heard:
            case Key():
                self._hint = ""
                outcome = self._outcome([self._meant(meant) for meant in self._keys.key(heard, self.clock)])
            case End():
                outcome = self._end(heard)
            case AppointedHour():
                outcome = self._appointed(heard)
            case Press(button=Button.STOP):
                outcome = self._outcome([self._tell(self._stop_button(heard))], heard)
            case Press() if heard.button.seat is not None:
                outcome = self._tell(heard)
            case _:
                outcome = Outcome(records=(heard,))
        self._keep(outcome)
        return outcome

    def pass_to(self, now_ns: int) -> Outcome:
        """Time has come to ``now_ns``."""
        outcome = _outcome_of(self._live.pass_to(now_ns))
        if outcome.records:
            self._keep(outcome)
        return outcome

    def _meant(self, meant: Fact | End | Hint) -> Outcome:
        match meant:
            case Hint():
                self._hint = meant.text
                return Outcome()
            case End():
                return self._end(meant)
        return self._tell(meant)

    def _appointed(self, hour: AppointedHour) -> Outcome:
        if self.clock.started_ns is not None:
            return Outcome()
        started = self._tell(Start(at_ns=hour.at_ns))
        if not hour.set_past:
            return started
        told = Note(at_ns=hour.at_ns, text=f"the time of day was set past {self._hour}, so that the clock starts now")
        return self._outcome([Outcome(records=(told,)), started])

    def _awaited(self) -> frozenset[Seat]:
        return self._absent if self.clock.started_ns is None else self.clock.absent

    def _tell(self, fact: Fact) -> Outcome:
        match fact:
            case Start():
                fact = replace(fact, absent=self._absent)
            case Press() if fact.button.seat in self._awaited():
                seat = Seat(fact.button.seat)
                if self.clock.started_ns is None:
                    self._absent -= {seat}
                    return Outcome(records=(fact, Note(at_ns=fact.at_ns, text=f"{seat} is here")))
                fact = Arrive(at_ns=fact.at_ns, error_ns=fact.error_ns, seat=seat)
        try:
            news = self._live.tell(fact)
        except ValueError as error:
            return Outcome(records=(Note(at_ns=fact.at_ns, text=str(error)),))
        return self._outcome([_outcome_of(news)], fact)

    def _end(self, end: End) -> Outcome:
        """The clock stands from then on, so that both sides' times are those of that instant."""
        self.ended = end
        if not self.clock.ticking:
            return Outcome()
        at_ns = max(end.at_ns, self.clock.since_ns)
        return self._tell(Stop(at_ns=at_ns, reason=f"the clock was put away ({end.why})"))

    def _stop_button(self, press: Press) -> Fact:
        """The referee's button starts the clock, stops it, and lets it go on."""
        clock, at_ns, error_ns = self.clock, press.at_ns, press.error_ns
        if clock.started_ns is None:
            return Start(at_ns=at_ns, error_ns=error_ns)
        if clock.ticking:
            return Stop(at_ns=at_ns, error_ns=error_ns, reason="stop button")
        return Resume(at_ns=at_ns, error_ns=error_ns, reason="stop button")

    def _outcome(self, outcomes: list[Outcome], *before: Record) -> Outcome:
        records = [*before, *(record for outcome in outcomes for record in outcome.records)]
        return Outcome(records=tuple(records), calls=tuple(call for outcome in outcomes for call in outcome.calls))

    def _keep(self, outcome: Outcome) -> None:
        started_ns = self.clock.started_ns
        for record in outcome.records:
            match record:
                case Forfeited():
                    self.forfeits.add(record.seat)
                case Revoked(event=Forfeited() as event):
                    self.forfeits.discard(event.seat)
            text = in_words(record, self.clock.control)
            if text is not None:
                since_ns = None if started_ns is None or record.at_ns < started_ns else record.at_ns - started_ns
                self._lines.append(Line(since_ns=since_ns, text=text))
                self._lines_in_all += 1
        self._lay_out()

    def _lay_out(self) -> None:
        self.board = Board(
            lines=tuple(self._lines),
            lines_in_all=self._lines_in_all,
            question=self._keys.question,
            typed=self._keys.typed,
            hint=self._keys.fault or self._hint,
            help=self._keys.help(self.clock),
            notice=self._notice(),
        )

    def _notice(self) -> str:
        hour = [f"starts at {self._hour}"] if self._hour and self.clock.started_ns is None else []
        awaited = [f"waiting for {' and '.join(sorted(self._awaited()))}"] if self._awaited() else []
        return ", ".join([*hour, *awaited])


def _outcome_of(news: News) -> Outcome:
    revoked = tuple(Revoked(at_ns=event.at_ns, event=event) for event in news.revoked)
    return Outcome(records=(*revoked, *news.events, *news.calls), calls=news.calls)
