"""What is watched while a camera sees: its light, and how many frames come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame_rate import WINDOW_NS, FrameRate
from vision.lighting import LASTING_NS, LightWatch

S = 1_000_000_000


def picture(times: float = 1.0, *, covered: float = 0.0) -> NDArray[np.uint8]:
    """An uneven scene under a light; ``covered``: that share of it is black, under hands and stones."""
    scene = np.random.default_rng(1).uniform(20, 120, (480, 640, 3)) * times
    scene[:, : round(640 * covered)] = 5
    return np.asarray(np.clip(scene, 0, 255), np.uint8)


def told(shown: Sequence[tuple[float, NDArray[np.uint8]]]) -> list[float]:
    watch = LightWatch()
    return [times for t_s, one in shown if (times := watch.frame(one, round(t_s * S))) is not None]


@pytest.mark.parametrize("times", [0.5, 1.6])
def test_another_light_is_told_once_it_lasts(times: float) -> None:
    other = picture(times)
    lasting = LASTING_NS / S
    assert told([(0, picture()), (1, other), (0.9 + lasting, other)]) == []
    assert told([(0, picture()), *((1 + t, other) for t in range(60))]) == [pytest.approx(times, rel=0.05)]


def test_each_change_is_told() -> None:
    shown = [(t, picture(1.6 if t // 20 % 2 else 1.0)) for t in range(80)]
    assert len(told(shown)) == 2


def test_stones_hands_and_the_sun_going_down_a_little_are_no_other_light() -> None:
    assert told([(0, picture()), *((t, picture(covered=0.45)) for t in range(1, 60))]) == []
    assert told([(0, picture()), *((t, picture(0.8)) for t in range(1, 60))]) == []


def test_a_player_who_leans_over_the_board_is_none() -> None:
    assert told([(t, picture(covered=0.9 if t % 5 else 0.0)) for t in range(60)]) == []


def counted(fps: float, *, meant: float = 10.0, seconds: int = 60) -> list[float]:
    rate = FrameRate(meant)
    return [few for n in range(round(seconds * fps)) if (few := rate.frame(round(n / fps * S))) is not None]


def test_too_few_frames_are_told_once() -> None:
    assert counted(7.0) == [pytest.approx(7.0, rel=0.02)]
    assert counted(10.0) == counted(9.0) == counted(12.0) == []
    assert counted(7.0, seconds=WINDOW_NS // S - 1) == []


def test_they_are_told_again_after_there_were_enough() -> None:
    rate = FrameRate(10.0)
    told, now = [], 0
    for step_ms in [150] * 200 + [100] * 300 + [150] * 200:
        now += step_ms * S // 1000
        few = rate.frame(now)
        if few is not None:
            told.append(few)
    assert [round(few, 1) for few in told] == [6.7, 6.7]
