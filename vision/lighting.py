"""Whether the light is still the one for which a camera was locked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHANGED = 1.35
"""So many times brighter or darker is another light …"""
LASTING_NS = 5_000_000_000
"""… when it stays so: a player may lean over the board for a while."""
EVERY = 24
"""Pixels, both ways, between two that are compared."""


class LightWatch:
    """Compares each picture with the first one."""

    def __init__(self) -> None:
        self._first: NDArray[np.float64] | None = None
        self._since_ns: int | None = None
        self._told = False

    def frame(self, picture: NDArray[np.uint8], now_ns: int) -> float | None:
        """How many times brighter the light has become, once it has stayed so; None: nothing new.

        Of all pixels the middle one counts: stones and hands change the fewer.
        """
        pixels = picture[::EVERY, ::EVERY, 1].astype(np.float64) + 1.0
        if self._first is None or self._first.shape != pixels.shape:
            self._first = pixels
            return None
        times = float(np.median(pixels / self._first))
        if 1 / CHANGED < times < CHANGED:
            self._since_ns, self._told = None, False
            return None
        if self._since_ns is None:
            self._since_ns = now_ns
        if self._told or now_ns - self._since_ns < LASTING_NS:
            return None
        self._told = True
        return times
