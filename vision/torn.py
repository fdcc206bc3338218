"""Torn frames: a part is new, the rest an earlier frame's, as when a buffer is read while it is written.

Where nothing moves both parts look alike, but for the sensor's noise, which never comes twice.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS, _COLUMNS = 32, 240
"""How many rows of a picture are compared, and pixels in each; they are picked, not averaged, for the noise's sake."""

KEPT = 64
"""With how many frames before."""

_MOST = 8
"""Grey levels above which a difference is something that moved, and counts no more than this."""

_NOISE = 1.0
"""Grey levels by which a row must usually differ from frame to frame for it to tell anything."""

_SAME, _OTHER = 0.3, 0.6
"""The part of what is usual below which a row's noise came twice (compressed anew it differs by 0.2), and above which
it is new."""

_LEAST = 3
"""Rows that each part must have at least."""

_ROUGH = 0.75
"""The part of its usual roughness that a row must have: out of focus there is no noise, and nothing to tell it by."""

_LEARNT = 8
"""In how many frames what is usual must have been seen."""


class TornWatch:
    """Compares each frame with those before it that were whole."""

    def __init__(self) -> None:
        self._seen = 0
        # The last KEPT frames, (KEPT, rows, columns), and by rows how far each is from the one before, and how rough.
        self._kept = np.empty((KEPT, 0, 0), np.uint8)
        self._apart: deque[NDArray[np.float32]] = deque(maxlen=KEPT)
        self._rough: deque[NDArray[np.float32]] = deque(maxlen=KEPT)

    def torn(self, image: NDArray[np.uint8]) -> bool:
        """Whether the upper or the lower part of ``image`` (H, W, 3 uint8), but not all of it, was seen before."""
        rows = np.linspace(0, len(image) - 1, min(_ROWS, len(image))).astype(int)
        whole = np.ascontiguousarray(image[rows, :, 1])
        now = np.ascontiguousarray(whole[:, :: max(1, whole.shape[1] // _COLUMNS)])
        if self._kept.shape[1:] != now.shape:
            self._seen = 0
            self._kept = np.empty((KEPT, *now.shape), np.uint8)
            self._apart.clear()
            self._rough.clear()
        rough = _differences(whole[:, 1:], whole[:, :-1])
        count, width = min(self._seen, KEPT), now.shape[1]
        kept = self._kept[:count].reshape(-1, width)
        apart = _differences(kept, np.tile(now, (count, 1))).reshape(count, -1) if count else np.empty((0, len(now)))
        if len(self._apart) >= _LEARNT and self._parts(np.asarray(apart, np.float32), rough):
            return True
        if count:
            self._apart.append(apart[(self._seen - 1) % KEPT])
        self._kept[self._seen % KEPT] = now
        self._rough.append(rough)
        self._seen += 1
        return False

    def _parts(self, apart: NDArray[np.float32], rough: NDArray[np.float32]) -> bool:
        """Whether any of the frames before makes up a part. ``apart``: (frames, rows), ``rough``: (rows,)."""
        usual = np.median(np.array(self._apart), axis=0)
        known = (usual >= _NOISE) & (rough >= _ROUGH * np.median(np.array(self._rough), axis=0))
        again = known & (apart < _SAME * usual)
        candidates = again.sum(axis=1) >= _LEAST
        new = known & (apart[candidates] > _OTHER * usual)
        return any(
            _divided(*pair) or _divided(pair[0][::-1], pair[1][::-1])
            for pair in zip(again[candidates], new, strict=True)
        )


def _differences(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(rows,): mean difference in grey levels."""
    apart = np.minimum(cv2.absdiff(a, b), np.uint8(_MOST))
    return np.asarray(cv2.reduce(apart, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[:, 0], np.float32)


def _divided(again: NDArray[np.bool_], new: NDArray[np.bool_]) -> bool:
    """Whether the first rows came again and all others, as far as they tell, are new."""
    seam = int(new.argmax())
    return int(again[:seam].sum()) >= _LEAST and int(new.sum()) >= _LEAST and not again[seam:].any()
