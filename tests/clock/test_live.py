"""The live clock: facts in the order in which they become known, and what is told of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.count import Call
from clock.dual import DualClock, told
from clock.events import FlagFell, PeriodLost, Pressed, Started
from clock.facts import Fact, Resume, Start, Stop
from clock.live import KEPT_FACTS, LiveClock, News
from clock.notation import parse
from tests.clock.play import FIRST, SECOND, T0, S, press

if TYPE_CHECKING:
    from clock.events import Event


def live(control: str, *facts: Fact) -> LiveClock:
    clock = LiveClock(DualClock.of(parse(control)))
    for fact in (Start(at_ns=T0), *facts):
        clock.tell(fact)
    return clock


def test_each_thing_is_told_once_and_called_out_in_time() -> None:
    clock = LiveClock(DualClock.of(parse("2x30s")))
    assert clock.next_ns() is None
    assert clock.tell(Start(at_ns=T0)).events == (Started(at_ns=T0, running=FIRST),)
    assert clock.next_ns() == T0 + 15 * S
    assert clock.pass_to(T0 + 15 * S - 1) == News()
    (half,) = clock.pass_to(T0 + 15 * S + 7).calls
    assert (half.kind, half.seconds, half.at_ns) == (Call.COUNT, 15, T0 + 15 * S)
    assert clock.pass_to(T0 + 15 * S + 8) == News()
    assert clock.next_ns() == T0 + 25 * S
    news = clock.pass_to(T0 + 31 * S)
    assert news.events == (PeriodLost(at_ns=T0 + 30 * S, seat=FIRST, periods_left=1),)
    assert [call.seconds for call in news.calls] == [25, 26, 27, 28, 29, None]
    # The press tells only itself, although the clock tells with it all that happened since the start.
    (pressed,) = clock.tell(press(FIRST, T0 + 32 * S)).events
    assert isinstance(pressed, Pressed)


def test_what_happened_before_a_fact_is_told_with_it_if_it_was_not() -> None:
    clock = live("2x30s")
    news = clock.tell(press(FIRST, T0 + 31 * S))
    assert [type(event) for event in news.events] == [PeriodLost, Pressed]
    assert [call.kind for call in news.calls][-1] is Call.LAST_PERIOD


def test_a_press_known_after_the_flag_that_it_came_in_time_for() -> None:
    clock = live("1m")
    (fell,) = clock.pass_to(T0 + 60 * S + 1).events
    assert fell == FlagFell(at_ns=T0 + 60 * S, seat=FIRST, error_ns=0)
    news = clock.tell(press(FIRST, T0 + 60 * S - 1))
    assert news.revoked == (fell,)
    assert [(event.seat, event.at_ns) for event in news.events if isinstance(event, Pressed)] == [
        (FIRST, T0 + 60 * S - 1)
    ]
    assert clock.clock.first.purse.left_ns == 1
    assert clock.clock.running is SECOND


def test_a_press_known_after_the_stop_that_it_came_before() -> None:
    clock = live("1m", Stop(at_ns=T0 + 5 * S, reason="noise"))
    news = clock.tell(press(FIRST, T0 + 4 * S))
    assert [type(event).__name__ for event in news.events] == ["Pressed", "Intervened"]
    assert [type(event).__name__ for event in news.revoked] == ["Intervened"]
    assert (clock.clock.first.purse.left_ns, clock.clock.second.purse.left_ns) == (56 * S, 59 * S)


def test_a_fact_that_is_known_too_late_is_refused_and_changes_nothing() -> None:
    clock = live("1h", *(press((FIRST, SECOND)[turn % 2], T0 + turn * S) for turn in range(1, KEPT_FACTS + 2)))
    before = clock.clock
    with pytest.raises(ValueError, match="belongs before"):
        clock.tell(press(FIRST, T0 + 1))
    assert clock.clock is before
    clock.tell(press(FIRST, T0 + 2 * S + 1))


def test_a_reading_asked_for_before_the_newest_fact_is_that_facts() -> None:
    clock = live("1m", press(FIRST, T0 + 5 * S))
    assert clock.reading(T0 + 4 * S) == clock.reading(T0 + 5 * S)


@given(data=st.data())
def test_whatever_the_order_in_which_facts_become_known(data: st.DataObject) -> None:
    """What was told and not revoked, and the clock itself, are as if all had been known in order."""
    seats = data.draw(st.lists(st.sampled_from([FIRST, SECOND, None]), min_size=1, max_size=12))
    steps = data.draw(st.lists(st.integers(0, 40), min_size=len(seats), max_size=len(seats)))
    facts: list[Fact] = [Start(at_ns=T0)]
    at_ns, stopped = T0, False
    for seat, step in zip(seats, steps, strict=True):
        at_ns += step * S // 2
        if seat is None:
            facts.append(Resume(at_ns=at_ns, reason="-") if stopped else Stop(at_ns=at_ns, reason="-"))
            stopped = not stopped
        else:
            facts.append(press(seat, at_ns))
    known = [facts[0], *data.draw(st.permutations(facts[1:]))]
    end_ns = at_ns + 10 * S
    clock = LiveClock(DualClock.of(parse("20s; 2x10s")))
    holds: list[Event] = []
    for fact in known:
        for news in (clock.tell(fact), clock.pass_to(data.draw(st.integers(T0, end_ns)))):
            if news.revoked:
                assert tuple(holds[-len(news.revoked) :]) == news.revoked
                del holds[-len(news.revoked) :]
            holds += news.events
    holds += clock.pass_to(end_ns).events
    # Facts of one instant keep the order in which they were told.
    expected, events = told(DualClock.of(parse("20s; 2x10s")), known)
    assert clock.clock == expected
    assert holds == [*events, *expected.due(expected.since_ns, end_ns)]


def fallen(news: News) -> list[int]:
    return [event.at_ns - T0 for event in news.events if isinstance(event, FlagFell)]


def later(clock: LiveClock, *facts: Fact) -> DualClock:
    """What somebody who was told more has made of it."""
    known = clock.clock
    for fact in facts:
        known, _ = known.apply(fact)
    return known


def test_a_clock_that_is_adopted_tells_nothing_twice() -> None:
    clock = live("1m")
    assert fallen(clock.pass_to(T0 + 61 * S)) == [60 * S]
    other = replace(clock.clock, first=replace(clock.clock.first))
    assert clock.adopt(other) == News()
    assert clock.pass_to(T0 + 90 * S) == News()
    # Nor what was told long before a fact that is taken back.
    earlier = clock.clock
    clock.tell(press(FIRST, T0 + 95 * S))
    assert fallen(clock.adopt(earlier)) == []


def test_a_flag_that_fell_by_what_is_known_now_is_told_once() -> None:
    clock = live("1m")
    assert clock.pass_to(T0 + 45 * S).events == ()
    short, _ = DualClock.of(parse("40s")).apply(Start(at_ns=T0))
    assert fallen(clock.adopt(short)) == [40 * S]
    assert clock.adopt(short) == News()
    assert fallen(clock.pass_to(T0 + 70 * S)) == []


def test_what_was_due_before_a_later_clock_is_called_out_with_it() -> None:
    clock = live("2x30s")
    clock.pass_to(T0 + 10 * S)
    news = clock.adopt(later(clock, Stop(at_ns=T0 + 26 * S, reason="noise")))
    assert [call.seconds for call in news.calls] == [15, 25, 26]
    assert clock.pass_to(T0 + 50 * S) == News()


def test_presses_after_an_adoption_are_told_in_order_and_those_before_it_refused() -> None:
    clock = live("1m")
    clock.adopt(later(clock, Stop(at_ns=T0 + 5 * S, reason="noise"), Resume(at_ns=T0 + 9 * S, reason="quiet")))
    before = clock.clock
    with pytest.raises(ValueError, match="belongs before"):
        clock.tell(press(FIRST, T0 + 8 * S))
    assert clock.clock == before
    clock.tell(press(FIRST, T0 + 12 * S))
    clock.tell(press(SECOND, T0 + 13 * S))
    clock.tell(press(SECOND, T0 + 11 * S))  # known late: it does nothing, since the first player's time ran
    assert (clock.clock.first.purse.left_ns, clock.clock.second.purse.left_ns) == (52 * S, 59 * S)
