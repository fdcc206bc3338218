"""From automatics to a lock: which controls are set when, and what is said when they are not obeyed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from vision.locking import (
    LONGEST_SETTLING_NS,
    PROBE_FRAMES,
    TAKES_FRAMES,
    UNWILLING_FRAMES,
    Limits,
    Lock,
    Mains,
    Obedience,
    Settling,
    Wish,
    lock_of,
)

FOCUS = {"AfMode", "LensPosition"}
COLOUR = {"AwbEnable", "ColourGains"}
LIMITS = Limits(
    advertised=frozenset({"AeEnable", "AnalogueGain", "ExposureTime", "FrameDurationLimits", *FOCUS, *COLOUR}),
    gain=(1.0, 10.0),
)
ROWS = np.full(30, 100.0)
LOCK = Lock(
    exposure_us=20_000.0,
    gain=2.0,
    colour_gains=(1.5, 2.5),
    lens_position=2.0,
    frame_us=100_000,
    mains_hz=50,
    mains=Mains.MEASURED,
)


def metadata(exposure_us: float = 20_000, gain: float = 2.0, **more: Any) -> dict[str, Any]:
    return {
        "ExposureTime": exposure_us,
        "AnalogueGain": gain,
        "DigitalGain": 1.0,
        "ColourGains": (1.5, 2.5),
        "LensPosition": 2.0,
        "FrameDuration": 100_000,
        **more,
    }


def settled(wish: Wish, shown: dict[str, Any], limits: Limits = LIMITS) -> tuple[Lock, dict[str, Any]]:
    """The lock under a steady light, and the controls that were set last."""
    settling = Settling(wish, limits, 0, readout_ns=17_000_000)
    for number in range(200):
        controls = settling.frame(shown, ROWS, number, number)
        if settling.lock is not None:
            return settling.lock, controls
    raise AssertionError("never locked")


def test_first_all_is_automatic() -> None:
    assert Settling(Wish(fps=10), LIMITS, 0, readout_ns=0).automatic() == {
        "AeEnable": True,
        "ExposureTime": 0,
        "AnalogueGain": 0.0,
        "AwbEnable": True,
        "FrameDurationLimits": (100_000, 100_000),
        "AfMode": 2,
    }


def test_a_wished_focus_is_kept_from_the_first() -> None:
    controls = Settling(Wish(fps=10, lens_position=3.5), LIMITS, 0, readout_ns=0).automatic()
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 3.5)


def test_what_a_camera_does_not_have_is_not_set() -> None:
    few = Limits.of({"ExposureTime": (1, 66_666, None), "AnalogueGain": (1.0, 16.0, None)})
    assert few.gain == (1.0, 16.0)
    _, controls = settled(Wish(fps=10, mains_hz=50), metadata(), few)
    assert controls == {"ExposureTime": 20_000, "AnalogueGain": 2.0}


def test_all_is_locked_as_it_was_seen() -> None:
    lock, controls = settled(Wish(fps=10, mains_hz=50), metadata())
    assert lock == LOCK.model_copy(update={"mains": Mains.SAID})
    assert controls == {
        "AeEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.5, 2.5),
        "AfMode": 0,
        "LensPosition": 2.0,
        "FrameDurationLimits": (100_000, 100_000),
    }


@pytest.mark.parametrize(
    ("shown_us", "shown_gain", "mains_hz", "exposure_us", "gain"),
    [
        (33_000, 1.0, 50, 20_000, 1.65),  # no longer than two half periods where gain does
        (15_000, 1.0, 50, 10_000, 1.5),
        (15_000, 1.0, 60, 1e6 / 120, 1.8),
        (30_000, 8.0, 50, 30_000, 8.0),  # 240 ms in all: 20 ms would need gain 12
        (66_000, 10.0, 60, 8e6 / 120, 9.9),
        (99_000, 40.0, 50, 100_000, 10.0),  # too dark in any case
        (5_000, 1.0, 50, 5_000, 1.0),  # too bright for a single half period
    ],
)
def test_the_light_is_kept_in_whole_half_periods(
    shown_us: float, shown_gain: float, mains_hz: int, exposure_us: float, gain: float
) -> None:
    lock, _ = settled(Wish(fps=10, mains_hz=mains_hz), metadata(shown_us, shown_gain))
    assert lock.exposure_us == pytest.approx(exposure_us)
    assert lock.gain == pytest.approx(gain)
    assert lock.flickers == (shown_us == 5_000)


def test_a_wished_exposure_is_taken_as_it_is() -> None:
    lock, _ = settled(Wish(fps=10, mains_hz=50, exposure_us=8_000), metadata())
    assert (lock.exposure_us, lock.gain, lock.flickers) == (8_000, 5.0, True)


def test_it_waits_for_exposure_and_focus() -> None:
    settling = Settling(Wish(fps=10, mains_hz=50), LIMITS, 0, readout_ns=0)
    for number in range(20):
        assert settling.frame(metadata(10_000 + 1000 * number), ROWS, number, number) == {}
    for number in range(10):
        assert settling.frame(metadata(AfState=1), ROWS, number, number) == {}
    assert settling.frame(metadata(AfState=2), ROWS, 0, 0) != {}
    assert settling.lock is not None


def test_it_does_not_wait_for_ever() -> None:
    settling = Settling(Wish(fps=10, mains_hz=50), LIMITS, 0, readout_ns=0)
    assert settling.frame(metadata(AfState=1), ROWS, 0, LONGEST_SETTLING_NS - 1) == {}
    assert settling.frame(metadata(AfState=1), ROWS, 0, LONGEST_SETTLING_NS) != {}
    assert settling.lock is not None


def test_lamps_are_measured_in_short_frames_in_step_with_neither_mains() -> None:
    settling = Settling(Wish(fps=10), LIMITS, 0, readout_ns=20_000_000)
    told: list[dict[str, Any]] = []
    frame_us, t_us = 100_000, 0
    for _ in range(200):
        rows_s = t_us / 1e6 + np.arange(30) / 30 * 0.02
        controls = settling.frame(metadata(), 100 + 10 * np.cos(2 * np.pi * 120 * rows_s), t_us * 1000, t_us * 1000)
        if controls:
            told.append(controls)
            frame_us = controls["FrameDurationLimits"][0]
        t_us += frame_us
        if settling.lock is not None:
            break
    probe, locked = told
    # 40 ms of light in 3 ms asks for gain 13, more than there is.
    assert (probe["ExposureTime"], probe["AnalogueGain"]) == (3_000, 10.0)
    for hz in (100, 120):
        assert abs(probe["FrameDurationLimits"][0] * hz / 1e6 % 1 - 0.5) < 0.25
    assert settling.lock is not None
    assert (settling.lock.mains_hz, settling.lock.mains) == (60, Mains.MEASURED)
    assert locked["ExposureTime"] == 16_667


def test_where_no_flicker_is_seen_it_is_said_that_none_was_measured() -> None:
    lock, _ = settled(Wish(fps=10), metadata())
    assert (lock.mains_hz, lock.mains) == (50, Mains.ASSUMED)
    assert PROBE_FRAMES + TAKES_FRAMES < 200


def test_a_lock_is_read_again_and_nothing_else_is() -> None:
    assert lock_of(LOCK.model_dump_json()) == LOCK
    for text in ("", "{}", "null", LOCK.model_dump_json()[:-1], LOCK.model_dump_json().replace("20000.0", "-1.0")):
        assert lock_of(text) is None


def complaints(lock: Lock, shown: dict[str, Any], frames: int) -> list[str]:
    obedience = Obedience(lock, LIMITS)
    return [what for _ in range(frames) for what in obedience.frame(shown)]


ENOUGH = TAKES_FRAMES + UNWILLING_FRAMES


@pytest.mark.parametrize(
    ("shown", "what"),
    [
        (metadata(19_000), "ExposureTime is 19000, not 20000 µs"),
        (metadata(gain=4.0), "AnalogueGain is 4, not 2"),
        (metadata(FrameDuration=33_333), "FrameDuration is 33333, not 1e+05 µs"),
        (metadata(ColourGains=(1.5, 1.0)), "ColourGains is 1.50, 1.00, not 1.50, 2.50"),
        (metadata(LensPosition=1.0), "LensPosition is 1, not 2 dioptres"),
    ],
)
def test_what_is_not_obeyed_is_said_once(shown: dict[str, Any], what: str) -> None:
    assert complaints(LOCK, shown, ENOUGH - 1) == []
    assert complaints(LOCK, shown, 10 * ENOUGH) == [what]


def test_it_is_said_again_after_it_was_well() -> None:
    obedience = Obedience(LOCK, LIMITS)
    shown = [metadata(gain=4.0)] * ENOUGH + [metadata()] + [metadata(gain=4.0)] * UNWILLING_FRAMES
    assert sum(len(obedience.frame(one)) for one in shown) == 2


@pytest.mark.parametrize(
    "shown",
    [
        metadata(19_967),  # whole rows
        metadata(gain=1.94),  # a sensor's gains have steps
        {"SensorTimestamp": 1},
        metadata(ColourGains=None, LensPosition=None),
    ],
)
def test_what_a_camera_cannot_do_better_or_does_not_tell_is_no_disobedience(shown: dict[str, Any]) -> None:
    assert complaints(LOCK, shown, 3 * ENOUGH) == []


def settling(gains: list[float]) -> list[bool]:
    obedience = Obedience(LOCK, LIMITS)
    settled = []
    for gain in gains:
        obedience.frame(metadata(gain=gain))
        settled.append(obedience.settled)
    return settled


def test_it_is_settled_once_all_is_obeyed_or_could_have_been() -> None:
    assert settling([1.0, 1.0, 2.0, 2.0]) == [False, False, True, True]
    assert settling([1.0] * (TAKES_FRAMES + 1)) == [False] * (TAKES_FRAMES - 1) + [True, True]


def test_what_cannot_be_locked_is_named() -> None:
    assert Obedience(LOCK, LIMITS).lacking() is None
    assert Obedience(LOCK, Limits(advertised=frozenset({"FrameDurationLimits"}))).lacking() == (
        "ExposureTime and AnalogueGain and LensPosition"
    )
    fixed = LOCK.model_copy(update={"lens_position": None})
    assert Obedience(fixed, Limits(advertised=LIMITS.advertised - FOCUS)).lacking() is None


def test_a_lock_is_told_in_one_line() -> None:
    assert str(LOCK) == "exposure 20.0 ms, gain 2.0, 10 frames a second, focus 2.00 dioptres; lamps on 50 Hz flicker"
    assert math.isclose(Wish(fps=30).frame_us, 33_333)
