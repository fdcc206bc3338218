"""Frames in which nothing changed since the last one that was read: they need not be read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rectify import Rectifier

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CELL = 12
"""Pixels between points on the small canvas that is compared."""

_MORE, _LEAST = 1.25, 1.0
"""A tile may differ from how it was by so many times what is usual for it, and so many grey levels."""

_MOST = 6.0
"""A tile that usually differs by more grey levels than this may hide a change."""

_LEARN = 0.2

READ_AGAIN_NS = 500_000_000
"""After so long even a quiet frame is read: light drifts, and a camera creeps."""


class QuietWatch:
    """Compares frames with the last that was read whole, tile by tile, the same in brighter and darker light.

    A stone does not come without a hand, and a hand is no small change: what is quiet after a quiet frame shows the
    same board. ``corners``: (4, 2) outer intersections in pixels.
    """

    def __init__(self, corners: NDArray[np.float64], size: int) -> None:
        self._rectify = Rectifier(corners, size, _CELL)
        self._tiles = size + 2
        self._before: NDArray[np.float32] | None = None
        self._read_ns = 0
        self._usual: NDArray[np.float32] | None = None

    def quiet(self, image: NDArray[np.uint8], now_ns: int) -> bool:
        """Whether ``image`` (H, W, 3 uint8) shows the board of the frame last read, read not long ago."""
        if self._before is None or self._usual is None or now_ns - self._read_ns >= READ_AGAIN_NS:
            return False
        apart = self._apart(self._small(image))
        same = bool(np.all((self._usual <= _MOST) & (apart <= _MORE * self._usual + _LEAST)))
        if not same:
            self._before = None
        return same

    def read(self, image: NDArray[np.uint8], now_ns: int, *, settled: bool) -> None:
        """``image`` was read. ``settled``: it showed the whole board as it was known, and nobody about."""
        if not settled:
            self._before = None
            return
        small = self._small(image)
        if self._before is not None:
            apart = self._apart(small)
            self._usual = apart if self._usual is None else self._usual + np.float32(_LEARN) * (apart - self._usual)
        self._before, self._read_ns = small, now_ns

    def _small(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        return self._rectify(grey).astype(np.float32)

    def _apart(self, small: NDArray[np.float32]) -> NDArray[np.float32]:
        """(tiles, tiles): mean difference in grey levels, the whole picture's change of brightness taken out."""
        assert self._before is not None
        gain = float(small.mean()) / max(float(self._before.mean()), 1.0)
        apart = np.abs(small - gain * self._before)
        return np.asarray(cv2.resize(apart, (self._tiles, self._tiles), interpolation=cv2.INTER_AREA), np.float32)
