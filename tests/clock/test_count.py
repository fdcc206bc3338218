"""What is called out, and when (C4), against schedules written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.control import Lateness, TimeControl
from clock.count import Announcement, Call, announced, next_announcement, schedule
from clock.dual import DualClock
from clock.events import FlagFell, PeriodLost, StageBegan
from clock.facts import AddTime, SetTime, Stop
from clock.notation import parse
from tests.clock.play import FIRST, MIN, SECOND, T0, TIMES, S, controls, of_kind, play, press, started

FOREVER = T0 + 10**20


@pytest.mark.parametrize(
    ("seconds", "called"),
    [
        # Rule C4: "one minute" and "thirty" themselves are the end, which is called as the period lost or the flag.
        (60, [30, 40, 50, 56, 57, 58, 59]),
        (30, [15, 25, 26, 27, 28, 29]),
        # The general rule.
        (10, [5, 6, 7, 8, 9]),
        (15, [5, 10, 11, 12, 13, 14]),
        (20, [10, 15, 16, 17, 18, 19]),
        (40, [20, 35, 36, 37, 38, 39]),
        (45, [20, 40, 41, 42, 43, 44]),
        (90, [60, 70, 80, 86, 87, 88, 89]),
        (120, [60, 90, 100, 110, 116, 117, 118, 119]),
        (3, [1, 2]),
        (1, []),
    ],
)
def test_the_schedule_of_a_period(seconds: int, called: list[int]) -> None:
    assert list(schedule(seconds * S)) == called


@given(st.integers(1, 3600 * S))
def test_any_period_has_a_schedule_within_it(period_ns: int) -> None:
    called = schedule(period_ns)
    assert list(called) == sorted(set(called))
    assert all(0 < seconds * S < period_ns for seconds in called)


def calls(
    clock: DualClock, after_ns: int = 0, until_ns: int = FOREVER
) -> list[tuple[int, Call, int | None, int | None]]:
    """Whole seconds since T0."""
    found = announced(clock, after_ns, until_ns)
    assert all((call.at_ns - T0) % S == 0 for call in found)
    return [((call.at_ns - T0) // S, call.kind, call.seconds, call.periods_left) for call in found]


def test_sixty_seconds_for_each_move() -> None:
    """C4 to the letter: 30, 40, 50, 56 to 59, and at sixty "one minute, loss on time"."""
    clock = started("1x60s")
    counted = [(second, Call.COUNT, second, None) for second in (30, 40, 50, 56, 57, 58, 59)]
    assert calls(clock) == [*counted, (60, Call.FLAG, 60, None)]
    # After a move the other side's count starts.
    clock = play(clock, 45)
    assert calls(clock)[0] == (75, Call.COUNT, 30, None)
    assert announced(clock, 0, FOREVER)[0].seat is SECOND


def test_thirty_seconds_three_times_over() -> None:
    clock = play(started("15m; 3x30s"), 890, 1)
    assert calls(clock) == [
        (891 + 10, Call.NEXT_STAGE, None, 3),
        *((901 + second, Call.COUNT, second, None) for second in (15, 25, 26, 27, 28, 29)),
        (931, Call.PERIOD_LOST, None, 2),
        *((931 + second, Call.COUNT, second, None) for second in (15, 25, 26, 27, 28, 29)),
        (961, Call.LAST_PERIOD, None, 1),
        *((961 + second, Call.COUNT, second, None) for second in (15, 25, 26, 27, 28, 29)),
        (991, Call.FLAG, 30, None),
    ]


def test_main_time_is_called_when_it_runs_low() -> None:
    assert calls(started("30m")) == [
        (1500, Call.LOW_TIME, 300, None),
        (1740, Call.LOW_TIME, 60, None),
        (1770, Call.LOW_TIME, 30, None),
        (1790, Call.LOW_TIME, 10, None),
        (1800, Call.FLAG, None, None),
    ]


def test_a_time_that_starts_low_is_not_called_low_at_once() -> None:
    assert calls(started("5m"))[0] == (240, Call.LOW_TIME, 60, None)


def test_canadian_time_is_called_when_it_runs_low() -> None:
    clock = play(started("canadian 2/1m"), 35, 1, 20, 1)
    # Both stones in 55 s: a new minute, whose calls come anew.
    assert calls(clock) == [
        (57 + 30, Call.LOW_TIME, 30, None),
        (57 + 50, Call.LOW_TIME, 10, None),
        (57 + 60, Call.FLAG, None, None),
    ]


def test_low_time_is_called_once_though_increments_raise_it() -> None:
    clock = play(started("35s+8s"), 4, 1)  # 35 - 4 + 8 = 39 s are left, and 31 were the least
    assert calls(clock)[0] == (5 + 9, Call.LOW_TIME, 30, None)
    clock = play(clock, 12, 1)  # 39 - 12 + 8 = 35 s: above 30 again
    assert calls(clock)[0] == (18 + 25, Call.LOW_TIME, 10, None)
    clock = play(clock, 2, 1)  # 35 - 2 + 8 = 41 s
    assert calls(clock)[0] == (21 + 31, Call.LOW_TIME, 10, None)
    # Time that the referee gives is called anew: 101 s.
    clock, _ = clock.apply(AddTime(at_ns=clock.since_ns, reason="P8", seat=FIRST, ns=MIN))
    assert calls(clock)[0] == (21 + 41, Call.LOW_TIME, 60, None)


def test_the_delay_holds_the_calls_back() -> None:
    assert calls(started("40s delay 5s"))[0] == (15, Call.LOW_TIME, 30, None)


def test_the_count_goes_on_from_a_time_that_was_set() -> None:
    clock, _ = started("1x60s").apply(SetTime(at_ns=T0 + 5 * S, reason="C14", seat=FIRST, left_ns=12 * S))
    # 48 s of the minute have passed.
    assert calls(clock)[:2] == [(5 + 2, Call.COUNT, 50, None), (5 + 8, Call.COUNT, 56, None)]


def test_a_part_of_the_calls_and_the_next() -> None:
    clock = started("1x60s")
    assert [second for second, *_ in calls(clock, T0 + 30 * S, T0 + 50 * S)] == [40, 50]
    assert next_announcement(clock, T0 + 50 * S) == Announcement(
        at_ns=T0 + 56 * S, seat=FIRST, kind=Call.COUNT, seconds=56
    )
    assert next_announcement(clock, T0 + 60 * S) is None


def test_what_was_due_with_the_newest_fact_is_not_called_again() -> None:
    clock = started("1x60s")
    at_ns = T0 + 30 * S
    assert [call.seconds for call in announced(clock, T0, at_ns)] == [30]
    clock, _ = clock.apply(press(SECOND, at_ns))
    assert calls(clock)[0] == (40, Call.COUNT, 40, None)


def test_a_stopped_clock_calls_nothing() -> None:
    clock, _ = started("1x60s").apply(Stop(at_ns=T0 + S, reason="a claim"))
    assert calls(clock) == []
    assert calls(DualClock.of(parse("30m"))) == []


def test_a_late_player_is_called_until_the_forfeit() -> None:
    clock = started("20m", Lateness(limit_ns=15 * MIN), frozenset({FIRST}))
    assert calls(clock) == [(900, Call.LOW_TIME, 300, None)]
    clock = started("20m", Lateness(limit_ns=15 * MIN, factor=2), frozenset({FIRST}))
    assert [second for second, *_ in calls(clock)] == [450, 570, 585, 595, 600]


@given(controls(), st.lists(st.integers(1, 10**11), max_size=6), TIMES)
def test_ends_are_called_at_the_instants_at_which_they_come(control: TimeControl, gaps: list[int], ahead: int) -> None:
    clock = started(control)
    for gap in gaps:
        clock = play_ns(clock, gap)
    until = clock.since_ns + ahead
    found = announced(clock, clock.since_ns, until)
    assert [call.at_ns for call in found] == sorted(call.at_ns for call in found)
    kinds = (Call.NEXT_STAGE, Call.PERIOD_LOST, Call.LAST_PERIOD, Call.FLAG)
    ends = [call.at_ns for call in found if call.kind in kinds]
    due = of_kind(clock.due(clock.since_ns, until), StageBegan, PeriodLost, FlagFell)
    assert ends == [event.at_ns for event in due]
    for call in found:
        if call.kind is Call.LOW_TIME:
            assert clock.reading(call.at_ns).face(call.seat).left_ns == (call.seconds or 0) * S


def play_ns(clock: DualClock, took_ns: int) -> DualClock:
    return clock.apply(press(clock.turn, clock.since_ns + took_ns))[0]
