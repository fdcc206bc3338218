"""The clock while it runs: told facts as they become known, it tells what is new.

Presses carry the kernel's stamps and come through threads, so that a fact may be known after a later one, or after a
flag that it came in time for. The newest facts are then told again in order, and what no longer holds is revoked.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clock.count import announced, next_announcement
from clock.facts import order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clock.count import Announcement
    from clock.dual import DualClock
    from clock.events import Event
    from clock.facts import Fact
    from clock.reading import Reading

KEPT_FACTS = 32
"""How many facts a late one can be put before: far more than happen while a press is on its way."""


@dataclass(frozen=True, kw_only=True, slots=True)
class News:
    """What was not told before, in the order of time."""

    events: tuple[Event, ...] = ()
    calls: tuple[Announcement, ...] = ()
    """What is to be called out now."""
    revoked: tuple[Event, ...] = ()
    """What was told and does not hold, since a fact became known late; ``events`` stand in its place."""


class LiveClock:
    """One clock; its value is ``clock``, which other threads may read at any time."""

    def __init__(self, clock: DualClock) -> None:
        self.clock = clock
        self._asked_ns = -1
        """What time does by itself has been told until this instant."""
        self._time_told = False
        """Time has done something since the newest fact, and it was told."""
        self._due: tuple[int | None] | None = None
        """What :meth:`next_ns` found out: a press has no time to wait for it."""
        self._facts: deque[tuple[DualClock, Fact]] = deque(maxlen=KEPT_FACTS)
        """The newest facts, each with the clock before it."""
        self._lately: deque[Event] = deque(maxlen=KEPT_FACTS)
        """The newest events that were told and hold."""

    def tell(self, fact: Fact) -> News:
        """What is new with ``fact``.

        Raises ValueError, one line, for a fact that is known too late or not known to the control; nothing changes.
        """
        calls = announced(self.clock, self._asked_ns, fact.at_ns) if self._is_due(fact.at_ns) else ()
        kept = list(self._facts)
        clock = self.clock
        later: list[Fact] = []
        while kept and order(kept[-1][1]) > order(fact):
            clock, known = kept.pop()
            later.insert(0, known)
        asked_ns = max(self._asked_ns, fact.at_ns)
        before = _story(clock, later, self._asked_ns)[0] if later or self._time_told else []
        after, self.clock, steps = _story(clock, [fact, *later], asked_ns)
        self._asked_ns = asked_ns
        self._facts = deque([*kept, *steps], maxlen=KEPT_FACTS)
        self._time_told, self._due = asked_ns > self.clock.since_ns, None
        same = _same(before, after)
        for event in before[same:]:
            if event in self._lately:
                self._lately.remove(event)
        self._lately.extend(after[same:])
        return News(events=tuple(after[same:]), calls=calls, revoked=tuple(before[same:]))

    def adopt(self, clock: DualClock) -> News:
        """Go on from ``clock``, which somebody who knows more has made of the same facts and others.

        Tells what time had done by then, as it is now known, if that was not told before.
        """
        calls = announced(self.clock, self._asked_ns, clock.since_ns) if self._is_due(clock.since_ns) else ()
        until_ns = max(self._asked_ns, self.clock.since_ns, clock.since_ns)
        events = tuple(event for event in clock.due(clock.since_ns, until_ns) if event not in self._lately)
        self.clock, self._asked_ns = clock, until_ns
        self._facts.clear()
        self._lately.extend(events)
        self._time_told, self._due = until_ns > clock.since_ns, None
        return News(events=events, calls=calls)

    def pass_to(self, now_ns: int) -> News:
        """What time has done by itself until ``now_ns``, and what is to be called out."""
        if now_ns <= self._asked_ns:
            return News()
        due, after_ns, self._asked_ns = self._is_due(now_ns), self._asked_ns, now_ns
        if not due:
            return News()
        self._time_told, self._due = True, None
        events = self.clock.due(after_ns, now_ns)
        self._lately.extend(events)
        return News(events=events, calls=announced(self.clock, after_ns, now_ns))

    def next_ns(self) -> int | None:
        """When :meth:`pass_to` will next have something to tell, if no fact comes; None: never."""
        if self._due is None:
            # Whatever time does by itself is also called out, but for a forfeit.
            call, forfeit_ns = next_announcement(self.clock, self._asked_ns), self.clock.forfeit_ns()
            instants = [] if call is None else [call.at_ns]
            if forfeit_ns is not None and forfeit_ns > self._asked_ns:
                instants.append(forfeit_ns)
            self._due = (min(instants, default=None),)
        return self._due[0]

    def _is_due(self, at_ns: int) -> bool:
        """Whether time does something by ``at_ns`` that has not been told."""
        next_ns = self.next_ns()
        return next_ns is not None and next_ns <= at_ns

    def reading(self, at_ns: int) -> Reading:
        """What the clock shows at ``at_ns``, or after its newest fact if that was later."""
        clock = self.clock  # another thread may tell the next fact between two looks
        return clock.reading(max(at_ns, clock.since_ns))


def _story(
    clock: DualClock, facts: Sequence[Fact], until_ns: int
) -> tuple[list[Event], DualClock, list[tuple[DualClock, Fact]]]:
    """All that happens to ``clock`` until an instant, the clock then, and the clock before each fact."""
    events: list[Event] = []
    steps: list[tuple[DualClock, Fact]] = []
    for fact in facts:
        steps.append((clock, fact))
        clock, more = clock.apply(fact)
        events += more
    if until_ns > clock.since_ns:
        events += clock.due(clock.since_ns, until_ns)
    return events, clock, steps


def _same(before: Sequence[Event], after: Sequence[Event]) -> int:
    """How many events from the beginning are the same in both."""
    for place, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return place
    return min(len(before), len(after))
