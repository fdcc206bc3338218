"""Which frames are torn, and which only look alike."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.torn import TornWatch


def picture(seed: int, *, hand: int = 0, noise: float = 2.0) -> NDArray[np.uint8]:
    """A still scene under noise of its own; ``hand``: how many of the lowest rows something dark covers."""
    scene = np.random.default_rng(0).integers(40, 200, (160, 320, 3)).astype(np.float64)
    if hand:
        scene[-hand:, 100:200] = 20
    noisy = scene + np.random.default_rng(seed + 1).normal(0, noise, scene.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def watched(count: int = 20) -> tuple[TornWatch, list[NDArray[np.uint8]]]:
    """A watch that has seen ``count`` whole frames, and those."""
    watch, pictures = TornWatch(), [picture(seed) for seed in range(count)]
    assert not any(watch.torn(one) for one in pictures)
    return watch, pictures


@pytest.mark.parametrize("age", [1, 3, 15])
@pytest.mark.parametrize("seam", [30, 80, 130])
@pytest.mark.parametrize("upper", [True, False])
def test_a_part_of_an_earlier_frame_is_known_by_its_noise(age: int, seam: int, upper: bool) -> None:
    watch, pictures = watched()
    new = picture(100, hand=60)
    part = np.s_[:seam] if upper else np.s_[seam:]
    new[part] = pictures[-age][part]
    assert watch.torn(new)
    assert not watch.torn(picture(101, hand=60)), "the next one is whole"


def test_a_hand_in_one_part_tears_nothing() -> None:
    watch, _ = watched()
    assert not any(watch.torn(picture(100 + hand, hand=hand)) for hand in range(10, 150, 20))


def test_where_there_is_no_noise_nothing_can_be_told() -> None:
    watch = TornWatch()
    pictures = [picture(seed, hand=seed * 5, noise=0.0) for seed in range(20)]
    assert not any(watch.torn(one) for one in pictures)


def test_out_of_focus_the_noise_is_gone_and_tells_nothing() -> None:
    watch, _ = watched()
    assert not any(watch.torn(picture(100 + seed, hand=20 * seed, noise=0.2)) for seed in range(1, 6))
