"""The appointed hour, late players and forfeits (C8, C9), worked out by hand."""

from __future__ import annotations

from clock.control import Lateness
from clock.dual import DualClock
from clock.events import Arrived, FlagFell, Forfeited, Ignored, NothingDone, Started
from clock.facts import Arrive, Resume, Start, Stop
from clock.notation import parse
from tests.clock.play import FIRST, MIN, SECOND, T0, S, of_kind, play, press, shown, started

BOTH = frozenset({FIRST, SECOND})
LIMIT = Lateness(limit_ns=15 * MIN)
DOUBLE = Lateness(limit_ns=60 * MIN, factor=2)
"""As a school may have it: the limit is an hour, and time lost counts double."""


def test_at_the_appointed_hour_the_first_seat_runs() -> None:
    clock, events = DualClock.of(parse("30m")).apply(Start(at_ns=T0))
    assert events == (Started(at_ns=T0, running=FIRST),)
    assert shown(clock.reading(T0 + 10 * S)) == (1790, 1800)


def test_an_absent_second_runs_though_the_first_is_to_move() -> None:
    clock = started("30m", LIMIT, frozenset({SECOND}))
    assert clock.reading(T0).running is SECOND
    clock, events = clock.apply(Arrive(at_ns=T0 + 5 * MIN, seat=SECOND))
    assert events == (Arrived(at_ns=T0 + 5 * MIN, seat=SECOND, late_ns=5 * MIN, charged=()),)
    assert clock.running is FIRST
    # 30:00 - 0:20 and 30:00 - 5:00.
    assert shown(play(clock, 20).reading(T0 + 5 * MIN + 20 * S)) == (1780, 1500)


def test_the_player_who_is_there_may_move_while_the_other_is_awaited() -> None:
    clock = started("30m", LIMIT, frozenset({SECOND}))
    clock, _ = clock.apply(press(FIRST, T0 + 2 * MIN))
    assert clock.presses[-1].ignored is None
    assert (clock.running, clock.turn) == (SECOND, SECOND)
    clock, _ = clock.apply(press(SECOND, T0 + 3 * MIN))
    assert clock.presses[-1].ignored is Ignored.ABSENT
    clock, _ = clock.apply(Arrive(at_ns=T0 + 5 * MIN, seat=SECOND))
    assert clock.running is SECOND
    clock, _ = clock.apply(press(SECOND, T0 + 6 * MIN))
    # The move took a minute; being late is no part of it.
    assert clock.presses[-1].took_ns == MIN
    assert shown(clock.reading(T0 + 6 * MIN)) == (1800, 1440)


def test_an_absent_first_runs() -> None:
    clock = started("30m", LIMIT, frozenset({FIRST}))
    clock, _ = clock.apply(Arrive(at_ns=T0 + 4 * MIN, seat=FIRST))
    clock = play(clock, 30)
    assert shown(clock.reading(clock.since_ns)) == (1800 - 240 - 30, 1800)


def test_both_absent_one_clock_is_run_and_each_loses_its_own_time() -> None:
    """First comes after 5 minutes, second after 8."""
    clock = started("30m", LIMIT, BOTH)
    assert shown(clock.reading(T0 + 5 * MIN)) == (1500, 1800)
    clock, events = clock.apply(Arrive(at_ns=T0 + 5 * MIN, seat=FIRST))
    assert events == (Arrived(at_ns=T0 + 5 * MIN, seat=FIRST, late_ns=5 * MIN, charged=((SECOND, 5 * MIN),)),)
    assert clock.running is SECOND
    clock, events = clock.apply(Arrive(at_ns=T0 + 8 * MIN, seat=SECOND))
    assert events == (Arrived(at_ns=T0 + 8 * MIN, seat=SECOND, late_ns=8 * MIN, charged=()),)
    assert clock.running is FIRST
    assert shown(clock.reading(T0 + 8 * MIN)) == (1500, 1320)


def test_both_absent_and_the_second_comes_first() -> None:
    clock = started("30m", LIMIT, BOTH)
    clock, events = clock.apply(Arrive(at_ns=T0 + 5 * MIN, seat=SECOND))
    assert events == (Arrived(at_ns=T0 + 5 * MIN, seat=SECOND, late_ns=5 * MIN, charged=((SECOND, 5 * MIN),)),)
    assert clock.running is FIRST
    clock, _ = clock.apply(Arrive(at_ns=T0 + 8 * MIN, seat=FIRST))
    assert clock.running is FIRST
    assert shown(clock.reading(T0 + 8 * MIN)) == (1320, 1500)


def test_a_shared_time_is_not_charged_twice() -> None:
    clock = started("shared 1h", LIMIT, BOTH)
    clock, _ = clock.apply(Arrive(at_ns=T0 + 5 * MIN, seat=FIRST))
    assert shown(clock.reading(T0 + 5 * MIN)) == (3300, 3300)


def test_more_than_the_limit_forfeits() -> None:
    """Fifteen minutes are not more than fifteen minutes; a nanosecond later they are."""
    clock = started("30m", LIMIT, frozenset({SECOND}))
    late_ns = T0 + 15 * MIN + 1
    assert clock.next_due_ns() == late_ns
    assert clock.due(T0, T0 + 3600 * S) == (Forfeited(at_ns=late_ns, seat=SECOND),)
    assert clock.flag_ns() is None
    just, events = clock.apply(Arrive(at_ns=late_ns - 1, seat=SECOND))
    assert of_kind(events, Forfeited) == []
    assert just.running is FIRST
    over, events = clock.apply(Arrive(at_ns=late_ns, seat=SECOND))
    assert of_kind(events, Forfeited) == [Forfeited(at_ns=late_ns, seat=SECOND)]
    assert over.running is None
    # The referee may let the game go on all the same.
    over, _ = over.apply(Resume(at_ns=late_ns + MIN, reason="the train was late"))
    assert over.running is FIRST


def test_both_past_the_limit_forfeit() -> None:
    clock = started("30m", LIMIT, BOTH)
    late_ns = T0 + 15 * MIN + 1
    clock, events = clock.apply(press(FIRST, T0 + 20 * MIN))
    assert of_kind(events, Forfeited) == [Forfeited(at_ns=late_ns, seat=FIRST), Forfeited(at_ns=late_ns, seat=SECOND)]
    assert clock.running is None
    assert clock.presses[-1].ignored is Ignored.STOPPED
    _, events = clock.apply(Resume(at_ns=T0 + 21 * MIN, reason="go on"))
    assert [type(event) for event in events] == [NothingDone]


def test_the_limit_stands_still_while_the_clock_does() -> None:
    clock = started("30m", LIMIT, frozenset({FIRST}))
    clock, _ = clock.apply(Stop(at_ns=T0 + 10 * MIN, reason="fire alarm"))
    assert (clock.next_due_ns(), clock.running) == (None, None)
    clock, _ = clock.apply(Resume(at_ns=T0 + 30 * MIN, reason="false alarm"))
    assert clock.next_due_ns() == T0 + 35 * MIN + 1


def test_time_lost_may_count_double() -> None:
    clock = started("30m", DOUBLE, frozenset({SECOND}))
    assert shown(clock.reading(T0 + 4 * MIN)) == (1800, 1320)
    # 30 minutes are lost after 15, long before the limit of an hour.
    assert clock.flag_ns() == T0 + 15 * MIN
    assert clock.due(T0, T0 + 16 * MIN) == (FlagFell(at_ns=T0 + 15 * MIN, seat=SECOND, error_ns=0),)
    clock, _ = clock.apply(Arrive(at_ns=T0 + 4 * MIN, seat=SECOND))
    clock = play(clock, 60, 60)
    assert shown(clock.reading(clock.since_ns)) == (1740, 1260)


def test_double_for_both() -> None:
    clock = started("30m", DOUBLE, BOTH)
    clock, events = clock.apply(Arrive(at_ns=T0 + 2 * MIN, seat=FIRST))
    assert events == (Arrived(at_ns=T0 + 2 * MIN, seat=FIRST, late_ns=2 * MIN, charged=((SECOND, 4 * MIN),)),)
    clock, _ = clock.apply(Arrive(at_ns=T0 + 3 * MIN, seat=SECOND))
    assert shown(clock.reading(clock.since_ns)) == (1800 - 240, 1800 - 360)


def test_an_odd_nanosecond_counted_double_is_not_lost() -> None:
    """3 ns, lost two at a time: the flag falls at the second instant, which takes the last of them."""
    clock = started("0.000000003s", DOUBLE, frozenset({FIRST}))
    assert clock.flag_ns() == T0 + 2
    assert not clock.reading(T0 + 1).first.flagged
    assert clock.reading(T0 + 2).first.flagged


def test_who_is_here_cannot_come() -> None:
    for clock in (started("30m"), DualClock.of(parse("30m"))):
        after, events = clock.apply(Arrive(at_ns=T0 + 1, seat=FIRST))
        assert [type(event) for event in events] == [NothingDone]
        assert after.reading(T0 + 1) == clock.reading(T0 + 1)


def test_a_clock_starts_once() -> None:
    _, events = started("30m").apply(Start(at_ns=T0 + 1))
    assert [type(event) for event in events] == [NothingDone]
