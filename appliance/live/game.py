"""One game while it is played: the clock answers at once, the arbiter judges, and what is new is told.

No thread and no clock of its own: instants are nanoseconds of game time. The same facts in the same order make the
same game again, which is how a journal is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from appliance.arbiter.arbiter import Arbiter, News
from appliance.arbiter.decisions import StopClock
from appliance.arbiter.fact_data import data_of_fact, fact_of
from appliance.arbiter.facts import Decision, Outage, Press, TimePassed, instant
from appliance.game.position import Position
from appliance.journal.entries import Kind
from appliance.lines import clock_line, outcome_line, ruling_line
from appliance.record.game_record import milliseconds
from clock.live import LiveClock
from clock.press import Button
from clock.press import Press as ClockPress

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from appliance.arbiter.decisions import Act
    from appliance.arbiter.facts import Fact
    from appliance.arbiter.rulings import Ruling
    from appliance.game.points import Point
    from appliance.journal.entries import Entry
    from clock.count import Announcement
    from clock.events import Event
    from clock.reading import Reading
    from vision.eyes import Sighting


@dataclass(frozen=True, kw_only=True)
class Told:
    """What was new. ``entries``: for the journal, each its kind and what it says. ``calls``: to be called out now."""

    entries: tuple[tuple[Kind, Mapping[str, Any]], ...] = ()
    calls: tuple[Announcement, ...] = ()
    news: News = field(default_factory=News)

    def then(self, other: Told) -> Told:
        """With what was told right afterwards."""
        one, two = self.news, other.news
        news = News(**{part.name: getattr(one, part.name) + getattr(two, part.name) for part in fields(News)})
        return Told(entries=self.entries + other.entries, calls=self.calls + other.calls, news=news)


class LiveGame:
    """The game that ``arbiter`` judges. ``clock`` shows what the players see; other threads may read it."""

    def __init__(self, arbiter: Arbiter) -> None:
        self.arbiter = arbiter
        self.clock = LiveClock(arbiter.clock)
        self.out_of_step: tuple[str, ...] = ()
        """Where board and record differed when the whole board was last seen with nobody about."""

    def press(self, press: Press) -> Told:
        """A clock button went down: the clock first, then the judgement."""
        told = ClockPress(button=Button(press.seat.value), at_ns=press.t_ns, error_ns=press.error_ns)
        try:
            calls = self.clock.tell(told).calls
        except ValueError:  # known too late for the clock to put it in its place: the arbiter tells all of it again
            calls = ()
        return self._judged((press,), calls)

    def see(self, sighting: Sighting) -> Told:
        """The camera saw something."""
        facts = self.arbiter.facts_of(sighting.acts, whole_board=sighting.whole, now_ns=sighting.seen_ns)
        stood = self.arbiter.state.rebuilding is None
        told = self._judged(tuple(facts)) if facts else Told()
        if stood and self._is_scattered():
            stop = StopClock(reason="the board was scattered: put it back as it was")
            told = told.then(self.decide(stop, max(map(instant, facts))))
        if sighting.whole and sighting.quiet:
            self.out_of_step = tuple(map(str, self.arbiter.differing))
        return told

    def _is_scattered(self) -> bool:
        """Whether the clock must be stopped for it here: with a referee it is the referee who does."""
        state = self.arbiter.state
        return state.rebuilding is not None and state.self_ruled and state.timed and state.clock.ticking

    def decide(self, act: Act, t_ns: int) -> Told:
        """The referee decided. Raises ValueError, one line, where that cannot be; nothing has changed then."""
        return self._judged((Decision(t_ns=t_ns, act=act),))

    def stood_still(self, outage: Outage, goes_on: Act | None = None) -> Told:
        """The box was away; a clock that ran until then is set going again by ``goes_on``."""
        ran = self.arbiter.clock.ticking
        told = self._judged((outage,))
        if not ran or goes_on is None or self.arbiter.over:  # its time may have run out before
            return told
        return told.then(self.decide(goes_on, outage.until_ns))

    def pass_to(self, now_ns: int) -> Told:
        """What time has done by itself until ``now_ns``."""
        told = self.clock.pass_to(now_ns)
        if not told.events:
            return Told(calls=told.calls)
        return self._judged((TimePassed(t_ns=now_ns),), told.calls)

    def take(self, facts: Sequence[Fact]) -> Told:
        """Facts as a journal holds them, that became known together."""
        told, _ = self._told(tuple(facts))
        return told

    def next_ns(self) -> int | None:
        """When :meth:`pass_to` next has something to tell; None: never."""
        return self.clock.next_ns()

    def reading(self, at_ns: int) -> Reading:
        """What the clock shows."""
        return self.clock.reading(at_ns)

    def snapshot(self, now_ns: int) -> dict[str, Any]:
        """The game as it stands, as plain data."""
        arbiter, state = self.arbiter, self.arbiter.state
        wanted = arbiter.wanted
        return {
            "t_ms": milliseconds(now_ns),
            "ruleset": arbiter.ruleset.name,
            "size": arbiter.size,
            "moves": [
                {
                    "point": str(move.point),
                    "colour": move.colour.value,
                    "seat": move.seat.value if move.seat else None,
                    "in_turn": move.in_turn,
                }
                for move in arbiter.moves
            ],
            "board": arbiter.position.rows(),
            "should_stand": wanted.rows(),
            "differing": [
                {"point": str(point), "should": _content(wanted, point), "stands": _content(arbiter.position, point)}
                for point in arbiter.differing
            ],
            "rebuilding": state.rebuilding is not None,
            "to_act": arbiter.protocol.seat.value,
            "black": arbiter.protocol.black.value,
            "phase": arbiter.protocol.phase.value,
            "clock": clock_line(self.clock.reading(now_ns)),
            "rulings": [ruling_line(ruling, None) for ruling in arbiter.rulings],
            "outcomes": [outcome_line(outcome) for outcome in arbiter.outcomes],
            "decisions": [
                {"number": one.number, "t_ms": milliseconds(one.t_ns), "what": one.act.what}
                for one in arbiter.decisions
            ],
            "adjourned": state.adjourned,
            "over": arbiter.over,
            "result": arbiter.result.value if arbiter.result else "drawn" if arbiter.drawn else None,
        }

    def _judged(self, facts: tuple[Fact, ...], calls: tuple[Announcement, ...] = ()) -> Told:
        """What is new with ``facts``, and with what time has done by itself as it is known now."""
        told, events = self._told(facts, calls)
        if events:
            more, _ = self._told((TimePassed(t_ns=max(event.at_ns for event in events)),))
            told = told.then(more)
        return told

    def _told(self, facts: tuple[Fact, ...], calls: tuple[Announcement, ...] = ()) -> tuple[Told, tuple[Event, ...]]:
        news = self.arbiter.take(*facts)
        events: tuple[Event, ...] = ()
        if self.arbiter.clock == self.clock.clock:
            self.clock.clock = self.arbiter.clock  # what is the same object need not be compared again
        else:
            adopted = self.clock.adopt(self.arbiter.clock)
            calls, events = calls + adopted.calls, adopted.events
        return Told(entries=(_fact_entry(facts), *_entries(news)), calls=calls, news=news), events


def _content(position: Position, point: Point) -> str:
    colour = position.at(point)
    return "." if colour is None else colour.value


def _fact_entry(facts: Iterable[Fact]) -> tuple[Kind, Mapping[str, Any]]:
    return Kind.FACT, {"facts": [data_of_fact(fact) for fact in facts]}


def _entries(news: News) -> Iterable[tuple[Kind, Mapping[str, Any]]]:
    yield from ((Kind.WITHDRAWN, {"ruling": number}) for number in news.withdrawn)
    yield from ((Kind.WITHDRAWN, {"outcome": outcome_line(outcome)}) for outcome in news.revoked)
    yield from ((Kind.RULING, _ruling(ruling)) for ruling in (*news.rulings, *news.changed))
    yield from ((Kind.OUTCOME, outcome_line(outcome)) for outcome in news.outcomes)


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return ruling_line(ruling, None)


def facts_in(entry: Entry) -> tuple[Fact, ...]:
    """The facts of a journal's entry. Raises ValueError, one line, for what is none."""
    try:
        return tuple(fact_of(data) for data in entry.payload["facts"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"entry {entry.seq} holds no facts that can be read ({error})") from None


def told_again(game: LiveGame, entries: Iterable[Entry]) -> list[tuple[Kind, Mapping[str, Any]]]:
    """Tell ``game`` the facts among a journal's entries; what it says of them, to be compared with the journal."""
    said: list[tuple[Kind, Mapping[str, Any]]] = []
    for entry in entries:
        if entry.kind is Kind.FACT:
            said += game.take(facts_in(entry)).entries
    return said


def start_of(stones: Sequence[str] | None) -> Position | None:
    """The position that a header names."""
    return Position.from_rows(stones) if stones else None
