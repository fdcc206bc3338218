"""Thin lines in a picture: points on dark or light ridges, and the straight edges around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_POINTS = 40_000


@dataclass(frozen=True, kw_only=True)
class RidgePoints:
    """Points on thin lines: ``xy`` (K, 2) pixels, ``direction`` (K, 2) unit vectors along, ``strength`` (K,)."""

    xy: NDArray[np.float32]
    direction: NDArray[np.float32]
    strength: NDArray[np.float32]


def grey(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Mean of the three channels: no lamp's colour makes it blind, as it does the usual weights."""
    return np.asarray(cv2.transform(image.astype(np.float32), np.full((1, 3), 1 / 3, np.float32)), dtype=np.float32)


def log_brightness(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Logarithm of the brightness: a shadow adds a constant, a line keeps its contrast in it."""
    return np.asarray(cv2.log(grey(image) + 24.0), dtype=np.float32)


def ridge_points(brightness: NDArray[np.float32], sigma: float) -> tuple[RidgePoints, RidgePoints]:
    """Points on the middle of dark and of light lines, where the slope across the line vanishes (Steger, 1998)."""
    g = cv2.GaussianBlur(brightness, (0, 0), sigma)
    gx = cv2.Sobel(g, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    gy = cv2.Sobel(g, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    gxx = cv2.Sobel(g, cv2.CV_32F, 2, 0, ksize=3, scale=1 / 4)
    gyy = cv2.Sobel(g, cv2.CV_32F, 0, 2, ksize=3, scale=1 / 4)
    gxy = cv2.Sobel(g, cv2.CV_32F, 1, 1, ksize=3, scale=1 / 4)
    half = (gxx - gyy) / 2
    root = cv2.magnitude(half, gxy)
    mean = (gxx + gyy) / 2

    def crests(sign: float) -> RidgePoints:
        level = sign * mean
        strength = level + root - np.abs(level - root)
        ys, xs = np.nonzero(strength > 0.006)
        angle = 0.5 * np.arctan2(sign * gxy[ys, xs], sign * half[ys, xs])
        nx, ny = np.cos(angle), np.sin(angle)
        step = -sign * (gx[ys, xs] * nx + gy[ys, xs] * ny) / (level + root)[ys, xs]
        s = strength[ys, xs]
        keep = np.abs(step) <= 0.6
        if np.count_nonzero(keep) > _MOST_POINTS:
            keep &= s >= np.partition(s[keep], -_MOST_POINTS)[-_MOST_POINTS]
        xs, ys, nx, ny, step, s = xs[keep], ys[keep], nx[keep], ny[keep], step[keep], s[keep]
        return RidgePoints(
            xy=np.stack([xs + step * nx, ys + step * ny], axis=1).astype(np.float32),
            direction=np.stack([-ny, nx], axis=1).astype(np.float32),
            strength=s.astype(np.float32),
        )

    return crests(1.0), crests(-1.0)


def grey_levels(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """``grey`` in whole levels."""
    return np.asarray(np.rint(grey(image)), dtype=np.uint8)


def detail_levels(brightness: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Differences of ``log_brightness`` from its neighbourhood: faint lines are edges too, but so is grain."""
    detail = brightness - cv2.GaussianBlur(brightness, (0, 0), 12)
    return np.asarray(np.rint(128 + 127 * np.tanh(detail / 0.4)), dtype=np.uint8)


def straight_edges(levels: NDArray[np.uint8], shortest: float) -> NDArray[np.float32]:
    """(K, 4) end points x1, y1, x2, y2 of straight edges of at least ``shortest`` pixels, longest first."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(levels)[0]
    # The detector gives None where it finds nothing.
    segments = np.array([] if found is None else found, dtype=np.float32).reshape(-1, 4)
    length = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    order = np.argsort(-length, kind="stable")
    return np.asarray(segments[order[length[order] >= shortest]], dtype=np.float32)
