"""One game while it is played: the clock answers at once, the arbiter judges, and what is new is told.

No thread and no clock of its own: instants are nanoseconds of game time. The same facts in the same order make the
same game again, which is how a journal is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from appliance.arbiter.arbiter import Arbiter, News
from appliance.arbiter.fact_data import data_of_fact, fact_of
from appliance.arbiter.facts import Decision, Outage, Press, TimePassed
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
    from appliance.journal.entries import Entry
    from clock.count import Announcement
    from clock.reading import Reading
    from vision.eyes import Sighting


@dataclass(frozen=True, kw_only=True)
class Told:
    """What was new. ``entries``: for the journal, each its kind and what it says. ``calls``: to be called out now."""

    entries: tuple[tuple[Kind, Mapping[str, Any]], ...] = ()
    calls: tuple[Announcement, ...] = ()
    news: News = field(default_factory=News)


class LiveGame:
    """The game that ``arbiter`` judges. ``clock`` shows what the players see; other threads may read it."""

    def __init__(self, arbiter: Arbiter) -> None:
        self.arbiter = arbiter
        self.clock = LiveClock(arbiter.clock)
        self.out_of_step: tuple[str, ...] = ()
        """Where board and record differed when the whole board was last seen with nobody about."""

    def press(self, press: Press) -> Told:
        """A clock button went down: the clock first, then the judgement."""
        told = self.clock.tell(ClockPress(button=Button(press.seat.value), at_ns=press.t_ns, error_ns=press.error_ns))
        return self._told((press,), told.calls)

    def see(self, sighting: Sighting) -> Told:
        """The camera saw something."""
        facts = self.arbiter.facts_of(sighting.acts, whole_board=sighting.whole, now_ns=sighting.seen_ns)
        told = self._told(tuple(facts)) if facts else Told()
        if sighting.whole and sighting.quiet:
            self.out_of_step = tuple(map(str, self.arbiter.differing))
        return told

    def decide(self, act: Act, t_ns: int) -> Told:
        """The referee decided. Raises ValueError, one line, where that cannot be; nothing has changed then."""
        return self._told((Decision(t_ns=t_ns, act=act),))

    def stood_still(self, outage: Outage) -> Told:
        """The box was away."""
        return self._told((outage,))

    def pass_to(self, now_ns: int) -> Told:
        """What time has done by itself until ``now_ns``."""
        told = self.clock.pass_to(now_ns)
        if not told.events:
            return Told(calls=told.calls)
        return self._told((TimePassed(t_ns=now_ns),), told.calls)

    def take(self, facts: Sequence[Fact]) -> Told:
        """Facts as a journal holds them, that became known together."""
        return self._told(tuple(facts))

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
            "differing": [str(point) for point in arbiter.differing],
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

    def _told(self, facts: tuple[Fact, ...], calls: tuple[Announcement, ...] = ()) -> Told:
        news = self.arbiter.take(*facts)
        if self.arbiter.clock != self.clock.clock:
            self.clock.adopt(self.arbiter.clock)
        return Told(entries=(_fact_entry(facts), *_entries(news)), calls=calls, news=news)


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
    return tuple(fact_of(data) for data in entry.payload["facts"])


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
