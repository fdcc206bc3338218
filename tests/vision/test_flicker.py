"""Flicker: lamps whose light is summed over each row's exposure, row by row, in steps of 20 µs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.flicker import measured_mains_hz, rows_of, whole_half_periods_us

READOUT_NS = 17_000_000
ROWS = 60
STEP_US = 20


def lamp(mains_hz: float, depth: float) -> NDArray[np.float64]:
    """Its light in each step for 4 s: a rectified sine, as of a bulb."""
    t_s = np.arange(4_000_000 // STEP_US) * STEP_US / 1e6
    return np.asarray(1 - depth + depth * np.abs(np.sin(2 * np.pi * mains_hz * t_s)))


def filmed(
    light: NDArray[np.float64], *, exposure_us: int, frame_us: int, frames: int = 24, seed: int = 1
) -> tuple[list[NDArray[np.float64]], list[int]]:
    """What a rolling shutter makes of it: rows' brightness with noise over an uneven scene, and the frames' starts."""
    random = np.random.default_rng(seed)
    scene = random.uniform(40, 160, ROWS)
    summed = np.concatenate([[0.0], np.cumsum(light)])
    rows, starts = [], []
    for number in range(frames):
        start_us = 50_000 + number * frame_us
        ends = ((start_us + np.arange(ROWS) / ROWS * READOUT_NS / 1000) // STEP_US).astype(int)
        exposed = summed[ends] - summed[ends - exposure_us // STEP_US]
        rows.append(scene * exposed / (exposure_us // STEP_US) + random.normal(0, 0.1, ROWS))
        starts.append(10**15 + start_us * 1000)
    return rows, starts


@pytest.mark.parametrize("mains_hz", [50, 60])
@pytest.mark.parametrize("off", [-0.2, 0.0, 0.2])
@pytest.mark.parametrize("depth", [0.05, 0.3, 1.0])
def test_the_mains_are_told_apart(mains_hz: int, off: float, depth: float) -> None:
    """As far off as a grid ever is, from lamps that hardly flicker to those that go out."""
    rows, starts = filmed(lamp(mains_hz + off, depth), exposure_us=3000, frame_us=37_000)
    assert measured_mains_hz(rows, starts, READOUT_NS) == mains_hz


@pytest.mark.parametrize("error", [0.9, 1.1])
def test_the_readout_need_not_be_known_well(error: float) -> None:
    rows, starts = filmed(lamp(60, 0.3), exposure_us=3000, frame_us=37_000)
    assert measured_mains_hz(rows, starts, round(error * READOUT_NS)) == 60


@pytest.mark.parametrize("seed", range(20))
def test_light_that_does_not_flicker_is_of_no_mains(seed: int) -> None:
    rows, starts = filmed(lamp(50, 0.0), exposure_us=3000, frame_us=37_000, seed=seed)
    assert measured_mains_hz(rows, starts, READOUT_NS) is None


def test_a_scene_that_moves_is_of_no_mains() -> None:
    rows, starts = filmed(lamp(50, 0.0), exposure_us=3000, frame_us=37_000)
    moved = [np.roll(row, number) for number, row in enumerate(rows)]
    assert measured_mains_hz(moved, starts, READOUT_NS) is None


def test_a_light_that_grows_hides_no_flicker() -> None:
    rows, starts = filmed(lamp(60, 0.3), exposure_us=3000, frame_us=37_000)
    brighter = [row * 1.02**number for number, row in enumerate(rows)]
    assert measured_mains_hz(brighter, starts, READOUT_NS) == 60


def test_frames_in_step_with_the_mains_show_nothing() -> None:
    rows, starts = filmed(lamp(50, 0.3), exposure_us=3000, frame_us=100_000)
    assert measured_mains_hz(rows, starts, READOUT_NS) is None


@pytest.mark.parametrize(("mains_hz", "exposure_us"), [(50, 10_000), (50, 20_000), (60, 16_660)])
def test_whole_half_periods_see_no_flicker(mains_hz: int, exposure_us: int) -> None:
    rows, starts = filmed(lamp(mains_hz, 0.3), exposure_us=exposure_us, frame_us=37_000)
    assert measured_mains_hz(rows, starts, READOUT_NS) is None


def test_few_frames_tell_nothing() -> None:
    rows, starts = filmed(lamp(50, 1.0), exposure_us=3000, frame_us=37_000, frames=5)
    assert measured_mains_hz(rows, starts, READOUT_NS) is None


def test_a_black_picture_tells_nothing() -> None:
    assert measured_mains_hz([np.zeros(ROWS)] * 24, list(range(24)), READOUT_NS) is None


@pytest.mark.parametrize(
    ("mains_hz", "wanted_us", "longest_us", "exposure_us"),
    [
        (50, 25_000, 100_000, 20_000),
        (50, 20_000, 100_000, 20_000),
        (50, 4_000, 100_000, 10_000),
        (60, 25_000, 100_000, 25_000),
        (60, 20_000, 100_000, 100_000 / 6),
        (50, 90_000, 33_333, 30_000),
        (50, 90_000, 5_000, 5_000),
    ],
)
def test_exposures_are_whole_half_periods(
    mains_hz: int, wanted_us: float, longest_us: float, exposure_us: float
) -> None:
    exposure = whole_half_periods_us(mains_hz, wanted_us=wanted_us, longest_us=longest_us)
    assert exposure == pytest.approx(exposure_us)


def test_rows_are_the_green_of_a_picture() -> None:
    picture = np.zeros((3, 40, 3), np.uint8)
    picture[1] = (10, 20, 30)
    picture[2, :, 1] = 255
    np.testing.assert_array_equal(rows_of(picture), [0, 20, 255])
