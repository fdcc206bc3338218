"""Lamps on the mains flicker, twice in each of its periods; an exposure of whole half periods does not see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAINS_HZ = (50, 60)
"""What there is in the world."""

CLEARLY = 0.5
"""So much of what changes in the rows must be flicker of one frequency …"""
_BETTER = 2.0
"""… and so many times more than of the other, …"""
_FAINTEST = 0.003
"""… with an amplitude of at least so much of the light: what is fainter disturbs nobody."""
_FEWEST_FRAMES = 6


def half_period_us(mains_hz: int) -> float:
    """From one flash of a lamp to the next, in microseconds."""
    return 1e6 / (2 * mains_hz)


def whole_half_periods_us(mains_hz: int, *, wanted_us: float, longest_us: float) -> float:
    """The longest exposure of whole half periods within ``wanted_us``, of one at least, and within ``longest_us``.

    Where not even one half period is within ``longest_us``, that.
    """
    half_us = half_period_us(mains_hz)
    wanted = max(1, int(wanted_us / half_us + 1e-6))
    within = int(longest_us / half_us + 1e-6)
    return min(wanted, within) * half_us if within else longest_us


def rows_of(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The mean brightness of each row of a BGR picture, as its green pixels have it, 0 to 255."""
    return np.asarray(picture[:, ::16, 1].mean(axis=1), np.float64)


def measured_mains_hz(rows: Sequence[NDArray[np.float64]], starts_ns: Sequence[int], readout_ns: int) -> int | None:
    """The mains whose flicker the frames of a still scene show; None: they show none, or cannot tell which.

    ``rows``: the mean brightness of each row, of each frame; ``starts_ns``: when its first row was seen, the last one
    ``readout_ns`` later. The frames must be exposed for much less than a half period, and not be taken in step with
    either mains, as ten a second are.
    """
    if len(rows) < _FEWEST_FRAMES:
        return None
    light = np.log(np.clip(np.asarray(rows, np.float64), 1.0, None))
    height = light.shape[1]
    begin_s = (np.asarray(starts_ns, np.int64) - min(starts_ns)) / 1e9
    when_s = begin_s[:, None] + np.arange(height) / height * readout_ns / 1e9
    change = _change(light)
    total = float(np.sum(change**2))
    if total == 0.0:
        return None
    shares, amplitudes = list[float](), list[float]()
    for mains_hz in MAINS_HZ:
        phase = 2 * np.pi * 2 * mains_hz * when_s
        waves = np.stack([_change(np.cos(phase)).ravel(), _change(np.sin(phase)).ravel()], axis=1)
        fitted, *_ = np.linalg.lstsq(waves, change.ravel(), rcond=None)
        shares.append(float(np.sum((waves @ fitted) ** 2)) / total)
        amplitudes.append(float(np.hypot(*fitted)))
    best = int(np.argmax(shares))
    clear = shares[best] >= CLEARLY and shares[best] >= _BETTER * shares[1 - best] and amplitudes[best] >= _FAINTEST
    return MAINS_HZ[best] if clear else None


def _change(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is left without the scene, which each row has in all frames, and without each frame's own brightness."""
    light = light - light.mean(axis=0)
    return np.asarray(light - light.mean(axis=1, keepdims=True))
