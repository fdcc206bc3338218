"""Guesses where a lattice might lie: two vanishing points and an even comb of lines through each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.combs import combs
from calibration.pencils import vanishing_points
from calibration.ridges import detail_levels, grey_levels, log_brightness, ridge_points, straight_edges
from calibration.view import seen, square_ratios

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from calibration.ridges import RidgePoints

_BINS = 1000
# Sine of the angle by which a ridge may miss its vanishing point; a bent lens or curled paper turns lines a little.
_SLANT = 0.1
# Side in pixels of the squares in which both pencils must have lines.
_BLOCK = 24
# Pairs of vanishing points tried, and lattices of each.
_PAIRS = 4
_PER_PAIR = 4


def lattices(picture: NDArray[np.uint8], size: int) -> Iterator[tuple[NDArray[np.float64], bool]]:
    """(homography from grid coordinates to pixels, whether the lines are light) of likely lattices, likeliest first."""
    brightness = log_brightness(picture)
    ridges = ridge_points(brightness, 1.2)
    given: list[tuple[NDArray[np.float64], bool]] = []
    for levels in (grey_levels(picture), detail_levels(brightness)):
        shape = (levels.shape[0], levels.shape[1])
        points = vanishing_points(straight_edges(levels, 12.0), shape)
        for h, light in _through(points, ridges, shape, size):
            if not any(light == was and _same(h, other, size) for other, was in given):
                given.append((h, light))
                yield h, light


def _same(a: NDArray[np.float64], b: NDArray[np.float64], size: int) -> bool:
    """Whether two lattices have the same lines, and the grid in one is at most four lines beside that in the other."""
    m = size - 1
    corners = np.array([[0, 0, 1], [m, 0, 1], [m, m, 1], [0, m, 1.0]]) @ (np.linalg.inv(b) @ a).T
    q = corners[:, :2] / corners[:, 2:]
    sides = np.abs(q - np.roll(q, -1, axis=0)).max(axis=1)
    return bool(
        np.abs(q - np.rint(q)).max() < 0.15 and np.abs(sides - m).max() < 0.3 and np.abs(q - m / 2).max() < m / 2 + 4.5
    )


def _through(
    points: NDArray[np.float64], both: tuple[RidgePoints, RidgePoints], shape: tuple[int, int], size: int
) -> Iterator[tuple[NDArray[np.float64], bool]]:
    """Lattices whose lines run to two of the vanishing ``points``, along dark or light ridges."""
    pairs = []
    for light, ridges in enumerate(both):
        block, blocks = _blocks(ridges.xy, shape)
        pencils = [_runs_to(ridges, p) for p in points]
        density = [_density(block[pencil], blocks) for pencil in pencils]
        for i in range(len(points)):
            for j in range(i):
                if _wide(points[i], points[j], shape):
                    least = np.minimum(density[i], density[j])
                    near = (least >= 0.003 * _BLOCK**2).ravel()[block]
                    pairs.append((float(least.sum()), light, i, j, ridges, pencils[i] & near, pencils[j] & near))
    pairs.sort(key=lambda p: (-p[0], p[1:4]))
    for _, light, i, j, ridges, rows, files in pairs[:_PAIRS]:
        for h in _from_pair(ridges, rows & ~files, files & ~rows, points[i], points[j], size, shape):
            yield h, bool(light)


def _from_pair(
    ridges: RidgePoints,
    rows: NDArray[np.bool_],
    files: NDArray[np.bool_],
    row_point: NDArray[np.float64],
    file_point: NDArray[np.float64],
    size: int,
    shape: tuple[int, int],
) -> list[NDArray[np.float64]]:
    if min(np.count_nonzero(rows), np.count_nonzero(files)) < 8 * size:
        return []
    xy = ridges.xy.astype(np.float64)
    strength = np.minimum(ridges.strength, 0.15)
    origin = np.append((xy[rows].mean(axis=0) + xy[files].mean(axis=0)) / 2, 1.0)
    # In this frame rows lie level and files upright, at even steps: only spacing and start are left to find.
    frame = np.stack([row_point / np.linalg.norm(row_point), file_point / np.linalg.norm(file_point), origin], axis=1)
    if abs(np.linalg.det(frame)) < 1e-12:
        return []
    uvw = np.concatenate([xy, np.ones((len(xy), 1))], axis=1) @ np.linalg.inv(frame).T
    ahead = uvw[:, 2] > 0.25
    uv = uvw[:, :2] / np.where(ahead, uvw[:, 2], 1.0)[:, None]
    rows, files = rows & ahead, files & ahead
    # A good comb of one pencil tells where to look for the other, and at what steps, for cells are nearly square.
    found = []
    narrow, wide = square_ratios(seen(frame, shape))
    for lead, own, others in ((0, rows, files), (1, files, rows)):
        along, across = uv[:, 1 - lead], uv[:, lead]
        for score, start, step in _comb(along[own], strength[own], size, (0.0, np.inf), 3):
            inside = others & (along > start - 0.5 * step) & (along < start + (size - 0.5) * step)
            steps = (step * narrow, step * wide) if lead == 0 else (step / wide, step / narrow)
            for more, other, pace in _comb(across[inside], strength[inside], size, steps, 1):
                (u, du), (v, dv) = ((other, pace), (start, step)) if lead == 0 else ((start, step), (other, pace))
                found.append((score + more, frame @ np.array([[du, 0, u], [0, dv, v], [0, 0, 1.0]])))
    found.sort(key=lambda f: -f[0])
    return [h for _, h in found[:_PER_PAIR]]


def _comb(
    values: NDArray[np.float64], weight: NDArray[np.float32], size: int, steps: tuple[float, float], most: int
) -> list[tuple[float, float, float]]:
    """(score, start, step) of the best combs of ``size`` lines at ``values``, with steps within ``steps``."""
    if len(values) < 4 * size:
        return []
    low, high = np.percentile(values, [0.5, 99.5])
    low, high = low - 0.1 * (high - low), high + 0.1 * (high - low)
    if high - low < 1e-12:
        return []
    histogram = np.histogram(values, _BINS, (low, high), weights=weight)[0].astype(np.float32)
    width = (high - low) / _BINS
    bounds = (max(7.0, steps[0] / width), steps[1] / width)
    return [(s, low + (a + 0.5) * width, p * width) for s, a, p in combs(histogram, size, bounds, most)]


def _wide(a: NDArray[np.float64], b: NDArray[np.float64], shape: tuple[int, int]) -> bool:
    """Whether lines to the two vanishing points cross at more than 20 degrees in the middle of the picture."""
    c = np.array([shape[1] / 2, shape[0] / 2])
    u, v = a[:2] - a[2] * c, b[:2] - b[2] * c
    return bool(abs(u @ v) < 0.94 * np.linalg.norm(u) * np.linalg.norm(v))


def _runs_to(ridges: RidgePoints, vanishing: NDArray[np.float64]) -> NDArray[np.bool_]:
    towards = vanishing[None, :2].astype(np.float32) - np.float32(vanishing[2]) * ridges.xy
    across = towards[:, 0] * ridges.direction[:, 1] - towards[:, 1] * ridges.direction[:, 0]
    return np.asarray(np.abs(across) < _SLANT * np.hypot(towards[:, 0], towards[:, 1]))


def _blocks(xy: NDArray[np.float32], shape: tuple[int, int]) -> tuple[NDArray[np.int64], tuple[int, int]]:
    """Index of the square block of the picture in which each point lies, and how many there are down and across."""
    down, across = shape[0] // _BLOCK + 1, shape[1] // _BLOCK + 1
    cell = np.clip((xy / _BLOCK).astype(np.int64), 0, [across - 1, down - 1])
    return cell[:, 1] * across + cell[:, 0], (down, across)


def _density(block: NDArray[np.int64], blocks: tuple[int, int]) -> NDArray[np.float32]:
    counts = np.bincount(block, minlength=blocks[0] * blocks[1]).reshape(blocks).astype(np.float32)
    return np.asarray(cv2.blur(counts, (3, 3), borderType=cv2.BORDER_CONSTANT))
