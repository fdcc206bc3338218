"""Arrivals: drivers are played, and the true instants must lie within what is said of them."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from vision.arrival import ArrivalInstants

MS = 1_000_000
INTERVAL_MS = 100
SIGHT_MS = 150


def test_a_frame_was_finished_after_its_buffer_was_free() -> None:
    arrival = ArrivalInstants(0, sight_ns=150 * MS, turns=2)
    assert arrival.came(1000 * MS, 1080 * MS) == (-150 * MS, 1080 * MS)
    assert arrival.came(1100 * MS, 1180 * MS) == (-150 * MS, 1180 * MS)
    assert arrival.came(1200 * MS, 1280 * MS) == (850 * MS, 1280 * MS)
    assert arrival.came(1300 * MS, 1301 * MS) == (950 * MS, 1301 * MS)


@given(
    held_up_ms=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900)), min_size=1, max_size=40),
    sights_ms=st.lists(st.integers(20, SIGHT_MS), min_size=1, max_size=10),
    buffers=st.integers(2, 6),
    newest_stay=st.booleans(),
)
def test_the_truth_lies_within(
    held_up_ms: list[tuple[int, int]], sights_ms: list[int], buffers: int, newest_stay: bool
) -> None:
    """A driver that fills its buffers each 100 ms, of which the oldest, or the newest, wait for whoever asks.

    It is held up before it looks at the clock to ask, and after it.
    """
    arrival = ArrivalInstants(0, sight_ns=SIGHT_MS * MS, turns=buffers)
    now_ms = number = 0
    lying = deque[tuple[int, int]]()

    def pass_to(until_ms: int, buffers: int) -> None:
        nonlocal number
        while number * INTERVAL_MS <= until_ms:
            finished_ms = number * INTERVAL_MS
            if newest_stay and len(lying) == buffers:
                lying.popleft()
            if len(lying) < buffers:
                lying.append((finished_ms - sights_ms[number % len(sights_ms)], finished_ms))
            number += 1

    for before_ms, after_ms in held_up_ms:
        asked_ms = now_ms + before_ms
        now_ms = asked_ms + after_ms
        pass_to(now_ms, buffers)
        if not lying:
            now_ms = number * INTERVAL_MS
            pass_to(now_ms, buffers)
        saw_ms, finished_ms = lying.popleft()
        start_ns, end_ns = arrival.came(asked_ms * MS, now_ms * MS)
        assert start_ns <= saw_ms * MS
        assert finished_ms * MS <= end_ns == now_ms * MS
