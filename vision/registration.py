"""How the board lies now, against how it lay: board nudged, camera bumped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rectify import CELL

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REACH = CELL // 2 - 1
"""How far a tile is looked for, in pixels: half a cell, since further off the next line would look the same."""

_ALIKE = 0.6
_NEAR = 2.5
"""Pixels from the common motion within which a tile takes part in it."""

_LEAST_PART = 0.2
"""The part of the tiles that must share one motion."""


def register(before: NDArray[np.float32], now: NDArray[np.float32], size: int) -> NDArray[np.float64] | None:
    """The 3 × 3 map of canvas pixels from where things were to where they are, or None when no one motion fits.

    ``before``, ``now``: textures of two canvases (side, side) float32.
    """
    was, moved = _motions(before, now, size)
    if len(was) < _LEAST_PART * size * size:
        return None
    inliers = np.linalg.norm(moved - was - np.median(moved - was, axis=0), axis=1) < CELL / 4
    fit: NDArray[np.float64] | None = None
    for _ in range(4):
        if inliers.sum() < _LEAST_PART * size * size:
            return None
        found, _ = cv2.findHomography(was[inliers], moved[inliers], 0)
        if found is None:
            return None
        fit = np.asarray(found, np.float64)
        predicted = cv2.perspectiveTransform(was[None], fit)[0]
        inliers = np.linalg.norm(moved - predicted, axis=1) < _NEAR
    return fit


def _motions(
    before: NDArray[np.float32], now: NDArray[np.float32], size: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Centres of the tiles found again, before and now, each (n, 2) float32 canvas pixels (x, y)."""
    was, moved = [], []
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            top, left = row * CELL, col * CELL
            patch = before[top : top + CELL, left : left + CELL]
            window = now[top - _REACH : top + CELL + _REACH, left - _REACH : left + CELL + _REACH]
            _, score, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED))
            if score >= _ALIKE:
                x, y = x - _REACH, y - _REACH
                was.append((left + CELL / 2, top + CELL / 2))
                moved.append((left + CELL / 2 + x, top + CELL / 2 + y))
    return np.array(was, np.float32).reshape(-1, 2), np.array(moved, np.float32).reshape(-1, 2)
