"""The time of a turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.turns import TurnTimer


@given(st.lists(st.integers(0, 10**13), min_size=1, max_size=30).map(sorted))
def test_turns_add_up_to_the_whole(presses: list[int]) -> None:
    timer, total = TurnTimer(since_ns=0), 0
    for now_ns in presses:
        used, timer = timer.switch(now_ns)
        total += used
    assert total == presses[-1]


def test_time_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="before the turn's start"):
        TurnTimer(since_ns=10).switch(9)
