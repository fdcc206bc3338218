"""A sensor's clock: measured, checked, and disbelieved before it can make anybody look early."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.sensor_clock import (
    AHEAD_NS,
    LATE_FRAMES,
    LATE_NS,
    MEASURED_FRAMES,
    SAMPLES,
    Offset,
    SensorClock,
    Stamped,
    Trust,
    measured_offset,
)

MS = 1_000_000
HOUR = 3600 * 1000 * MS
EXPOSURE, READOUT = 20 * MS, 17 * MS


def frame(number: int, *, delay_ms: float = 40, ahead_ns: int = 0) -> Stamped:
    """The frame of that number, ten a second, whose stamp is ahead of the truth; it comes so much after the truth."""
    true_ns = 500 * MS + number * 100 * MS
    return Stamped(sensor_ns=true_ns + ahead_ns, came_ns=true_ns + round(delay_ms * MS))


def arrival(stamped: Stamped) -> tuple[int, int]:
    return stamped.came_ns - 500 * MS, stamped.came_ns


def seen(clock: SensorClock, stamped: Stamped) -> tuple[int, int]:
    return clock.seen(stamped, EXPOSURE, arrival(stamped))


def started(*, ahead_ns: int = 0, boottime_ahead_ns: int = 0) -> SensorClock:
    samples = [frame(number, delay_ms=40 + number % 3, ahead_ns=ahead_ns) for number in range(SAMPLES)]
    return SensorClock(measured_offset(samples, boottime_ahead_ns), readout_ns=READOUT)


def warmed() -> SensorClock:
    """One that has seen enough."""
    clock = started()
    for number in range(-MEASURED_FRAMES, 0):
        seen(clock, frame(number))
    return clock


def test_the_monotonic_clock_is_known() -> None:
    samples = [frame(number, delay_ms=40 + number) for number in range(SAMPLES)]
    assert measured_offset(samples, HOUR) == Offset(ahead_ns=0, soonest_ns=40 * MS)


def test_a_frame_that_is_held_up_does_no_harm() -> None:
    samples = [frame(number, delay_ms=900 if number == 3 else 40) for number in range(SAMPLES)]
    assert measured_offset(samples, HOUR) == Offset(ahead_ns=0, soonest_ns=40 * MS)


def test_the_clock_that_counts_sleep_is_known() -> None:
    samples = [frame(number, ahead_ns=HOUR) for number in range(SAMPLES)]
    assert measured_offset(samples, HOUR) == Offset(ahead_ns=HOUR, soonest_ns=40 * MS)


@pytest.mark.parametrize(
    "samples",
    [
        [],
        [frame(0), Stamped(sensor_ns=None, came_ns=0)],
        [frame(number, ahead_ns=56 * 365 * 24 * HOUR) for number in range(8)],
        [frame(number, ahead_ns=-HOUR) for number in range(8)],
        [frame(number, ahead_ns=50 * MS) for number in range(8)],
        [frame(number, delay_ms=500) for number in range(8)],
    ],
    ids=["none", "no stamp", "time of day", "earlier", "from the future", "all too late"],
)
def test_other_clocks_are_not(samples: list[Stamped]) -> None:
    assert measured_offset(samples, HOUR) is None


@pytest.mark.parametrize("ahead_ns", [0, HOUR])
def test_a_frame_is_seen_from_its_first_rows_exposure_to_its_last_rows_readout(ahead_ns: int) -> None:
    clock = started(ahead_ns=ahead_ns, boottime_ahead_ns=HOUR)
    assert seen(clock, frame(20, ahead_ns=ahead_ns)) == (2500 * MS - EXPOSURE, 2500 * MS + READOUT)
    assert clock.trust is Trust.FULL


def test_without_an_offset_there_are_arrivals_alone() -> None:
    clock = SensorClock(None, readout_ns=READOUT)
    assert clock.trust is Trust.NONE
    for number in range(100):
        assert seen(clock, frame(number)) == arrival(frame(number))


def test_a_stamp_that_is_ahead_is_disbelieved_at_once() -> None:
    clock = warmed()
    wrong = frame(20, ahead_ns=AHEAD_NS + 3 * MS)
    assert seen(clock, wrong) == arrival(wrong)
    assert clock.trust is Trust.NONE


def test_frames_may_come_sooner_than_on_a_busy_machine_at_the_start() -> None:
    clock = started()
    for number in range(20, 20 + 2 * MEASURED_FRAMES):
        assert seen(clock, frame(number, delay_ms=18))[1] == 500 * MS + number * 100 * MS + READOUT
    seen(clock, frame(500, delay_ms=18, ahead_ns=AHEAD_NS + MS))
    assert clock.trust is Trust.NONE


def test_no_frame_comes_before_it_is_read_out() -> None:
    clock = started()
    seen(clock, frame(20, delay_ms=18, ahead_ns=8 * MS))
    assert clock.trust is Trust.NONE


def test_a_missing_stamp_is_disbelieved_at_once() -> None:
    clock = warmed()
    wrong = Stamped(sensor_ns=None, came_ns=3000 * MS)
    assert seen(clock, wrong) == arrival(wrong)
    assert clock.trust is Trust.NONE


def test_a_late_frame_was_seen_between_its_stamp_and_its_arrival() -> None:
    clock = warmed()
    assert seen(clock, frame(20, delay_ms=400)) == (2500 * MS - EXPOSURE, 2900 * MS)
    assert clock.trust is Trust.FULL
    assert seen(clock, frame(21)) == (2600 * MS - EXPOSURE, 2600 * MS + READOUT)


def test_it_is_never_said_to_be_earlier_than_its_arrival_allows() -> None:
    clock = warmed()
    assert seen(clock, frame(20, delay_ms=5000)) == (2500 * MS + 4500 * MS, 7500 * MS)


def trusted(clock: SensorClock, numbers: range, *, ahead_ns: int) -> list[Trust]:
    trusts = []
    for number in numbers:
        seen(clock, frame(number, ahead_ns=ahead_ns))
        trusts.append(clock.trust)
    return trusts


def test_when_many_are_late_it_is_known_and_so_is_the_end_of_it() -> None:
    clock = warmed()
    assert trusted(clock, range(20, 35), ahead_ns=-LATE_NS - 10 * MS) == (
        [Trust.FULL] * (LATE_FRAMES - 1) + [Trust.LATE] * (16 - LATE_FRAMES)
    )
    assert trusted(clock, range(35, 37), ahead_ns=0) == [Trust.FULL] * 2


def test_stamps_that_fit_for_a_while_are_believed_again() -> None:
    clock = warmed()
    seen(clock, frame(20, ahead_ns=HOUR))
    assert trusted(clock, range(21, 21 + SAMPLES + 2), ahead_ns=0) == [Trust.NONE] * (SAMPLES - 1) + [Trust.FULL] * 3


def test_stamps_that_nearly_fit_are_not_believed_again() -> None:
    """Sixty milliseconds off is as if they came late; but they all did."""
    clock = warmed()
    seen(clock, frame(20, ahead_ns=HOUR))
    for number in range(21, 200):
        seen(clock, frame(number, ahead_ns=-60 * MS))
        assert clock.trust is Trust.NONE


@given(
    delays_ms=st.lists(st.integers(40, 2000), min_size=30, max_size=60),
    jump_ms=st.integers(-3000, 3000),
    at=st.integers(0, 29),
)
def test_no_frame_is_said_to_be_seen_later_than_it_was(delays_ms: list[int], jump_ms: int, at: int) -> None:
    """Whatever the delays, and wherever the clock jumps to, but for what is tolerated."""
    clock = warmed()
    for number, delay_ms in enumerate(delays_ms, 20):
        jumped = number - 20 >= at
        one = frame(number, delay_ms=delay_ms, ahead_ns=jump_ms * MS if jumped else 0)
        true_ns = 500 * MS + number * 100 * MS
        start_ns, end_ns = clock.seen(one, EXPOSURE, (true_ns - 100 * MS, one.came_ns))
        assert start_ns <= end_ns
        assert end_ns <= max(one.came_ns, true_ns + READOUT) + AHEAD_NS
        # What comes just as late as its stamp is ahead cannot be told from one in time.
        assert start_ns <= true_ns - EXPOSURE + (max(0, delay_ms - 40 + AHEAD_NS // MS) if jumped else 0) * MS


def test_drift_is_found_before_it_matters() -> None:
    """A quartz of its own, 100 millionths fast, gains 10 ms in 100 s."""
    clock = warmed()
    for number in range(20, 3000):
        drifted_ns = number * 100 * MS // 10_000
        start_ns, _ = seen(clock, frame(number, ahead_ns=drifted_ns))
        true_ns = 500 * MS + number * 100 * MS
        assert start_ns <= true_ns - EXPOSURE + AHEAD_NS
    assert clock.trust is Trust.NONE


def test_steps_are_those_of_the_sensor() -> None:
    clock = warmed()
    starts = [seen(clock, frame(number, delay_ms=40 + number * 7 % 30))[0] for number in range(20, 60)]
    assert {after - before for before, after in pairwise(starts)} == {100 * MS}
