"""Combs: positions in one dimension at equal steps, found in a histogram of line evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Highest peaks of the histogram that are taken for lines.
_PEAKS = 48


def combs(
    histogram: NDArray[np.float32], teeth: int, steps: tuple[float, float], most: int
) -> list[tuple[float, float, float]]:
    """The ``most`` best combs of ``teeth`` lines in ``histogram``, as (score, first, step) in bins, best first.

    Steps lie within ``steps`` (smallest, largest) and differ from one another.
    """
    h = cv2.GaussianBlur(histogram.reshape(1, -1), (0, 0), 1.0).ravel()
    inner = h[1:-1]
    peaks = np.nonzero((inner > h[:-2]) & (inner >= h[2:]) & (inner > 0))[0] + 1
    if len(peaks) < 3:
        return []
    peaks = np.sort(peaks[np.argsort(-h[peaks], kind="stable")[:_PEAKS]])
    # What counts is that there is a line, not how strong it is: a dark grain of wood must not outweigh ten faint lines.
    usual = 0.5 * float(np.sort(h[peaks])[-min(teeth, len(peaks))])
    present = h / (h + usual)
    chance = float(present.mean())
    present -= chance
    a, b, c = h[peaks - 1], h[peaks], h[peaks + 1]
    exact = peaks + 0.5 * (a - c) / np.minimum(a - 2 * b + c, -1e-6)
    i, j = np.triu_indices(len(peaks), 1)
    gap = exact[j] - exact[i]
    pitch = gap[:, None] / np.arange(1, teeth)[None]
    ok = (pitch >= steps[0]) & (pitch <= min(steps[1], len(h) * 1.1 / (teeth - 1)))
    which, m = np.nonzero(ok)
    pitch = pitch[which, m]
    start = exact[i[which]]
    if not len(pitch):
        return []
    k = np.arange(-(teeth - 1), teeth)

    def look(
        start: NDArray[np.float64], pitch: NDArray[np.float64], offset: float, outside: float
    ) -> NDArray[np.float32]:
        at = np.rint(start[:, None] + (k[None] + offset) * pitch[:, None]).astype(np.int32)
        at[(at < 0) | (at >= len(h))] = len(h)
        return np.asarray(np.append(present, np.float32(outside))[at])

    def windows(values: NDArray[np.float32]) -> NDArray[np.float32]:
        total = np.cumsum(np.pad(values, ((0, 0), (1, 0))), axis=1)
        return np.asarray(total[:, teeth:] - total[:, :-teeth])

    window = windows(look(start, pitch, 0.0, -chance))
    first = np.argmax(window, axis=1)
    score = window[np.arange(len(first)), first]
    best = np.argsort(-score, kind="stable")[:500]
    score, pitch = score[best], pitch[best]
    origin = start[best] + k[first[best]] * pitch
    gaps = look(origin + (teeth - 1) * pitch, pitch, -0.5, 0.0)[:, 1:teeth]
    score = score - 0.7 * gaps.sum(axis=1)
    result: list[tuple[float, float, float]] = []
    for n in np.argsort(-score, kind="stable"):
        if any(abs(pitch[n] / p - 1) < 0.06 for _, _, p in result):
            continue
        result.append((float(score[n]), float(origin[n]), float(pitch[n])))
        if len(result) == most:
            break
    return result
