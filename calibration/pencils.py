"""Pencils: sets of straight lines that are parallel on the board and so meet in one vanishing point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How many straight edges are crossed for candidates, how many vote, and how many points are given.
_SEEDS = 64
_VOTERS = 500
_MOST = 7
# Sine of the angle by which a voter may miss the point.
_TOLERANCE = 0.02


def vanishing_points(segments: NDArray[np.float32], shape: tuple[int, int]) -> NDArray[np.float64]:
    """The likeliest vanishing points of ``segments`` (K, 4), best first, as homogeneous pixel vectors (M, 3)."""
    if len(segments) < 4:
        return np.zeros((0, 3))
    height, width = shape
    scale = max(height, width) / 2
    centre = np.array([width / 2, height / 2])
    s = (segments[:_VOTERS].reshape(-1, 2, 2) - centre) / scale
    ends = np.concatenate([s, np.ones((*s.shape[:2], 1))], axis=2)
    lines = np.cross(ends[:, 0], ends[:, 1])
    middle = ends.mean(axis=1)
    along = s[:, 1] - s[:, 0]
    length = np.linalg.norm(along, axis=1)
    along /= length[:, None]
    lines /= np.linalg.norm(lines[:, :2], axis=1, keepdims=True)
    weight = length * _crossed(s)

    def misfit(points: NDArray[np.float64]) -> NDArray[np.float64]:
        dx = points[:, None, 0] - points[:, None, 2] * middle[None, :, 0]
        dy = points[:, None, 1] - points[:, None, 2] * middle[None, :, 1]
        return np.asarray(np.abs(dx * along[None, :, 1] - dy * along[None, :, 0]) / (np.hypot(dx, dy) + 1e-9))

    seeds = np.argsort(-weight, kind="stable")[:_SEEDS]
    i, j = (seeds[k] for k in np.triu_indices(len(seeds), 1))
    turn = np.abs(along[i, 0] * along[j, 1] - along[i, 1] * along[j, 0])
    close = turn < 0.6
    candidates = np.cross(lines[i[close]], lines[j[close]])
    norm = np.linalg.norm(candidates, axis=1)
    candidates = candidates[norm > 1e-9] / norm[norm > 1e-9, None]
    # A pencil that meets within the picture is no board seen from a seat beside it.
    far = np.hypot(candidates[:, 0], candidates[:, 1]) > 0.8 * np.abs(candidates[:, 2])
    candidates = candidates[far]
    if not len(candidates):
        return np.zeros((0, 3))
    fit = np.clip(1 - (misfit(candidates) / _TOLERANCE) ** 2, 0, None).astype(np.float32)
    found: list[NDArray[np.float64]] = []
    for _ in range(_MOST):
        score = fit @ weight
        best = int(np.argmax(score))
        if score[best] <= 0:
            break
        point = candidates[best]
        for tolerance in (_TOLERANCE, _TOLERANCE / 2, _TOLERANCE / 2):
            near = misfit(point[None])[0] < tolerance
            if np.count_nonzero(near) < 2:
                break
            reach = np.hypot(point[0] - point[2] * middle[near, 0], point[1] - point[2] * middle[near, 1])
            rows = lines[near] * (length[near] / reach)[:, None]
            point = np.linalg.eigh(rows.T @ rows)[1][:, 0]
        if all(_apart(point, other) for other in found):
            found.append(point)
        weight = weight * (1 - 0.9 * (misfit(point[None])[0] < 2 * _TOLERANCE))
    to_pixels = np.array([[scale, 0, centre[0]], [0, scale, centre[1]], [0, 0, 1]])
    return np.asarray(np.array(found).reshape(-1, 3) @ to_pixels.T)


def _apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Whether two unit vectors of the projective plane differ by more than a hundredth."""
    return bool(abs(a @ b) < 1 - 5e-5)


def _crossed(segments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weight 0.1 to 1 of each of (K, 2, 2) segments by how many others cross it.

    A line of a grid is crossed, a grain of wood is not.
    """
    start, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    between = start[None] - start[:, None]
    turn = along[:, None, 0] * along[None, :, 1] - along[:, None, 1] * along[None, :, 0]
    length = np.linalg.norm(along, axis=1)
    steep = np.abs(turn) > 0.4 * length[:, None] * length[None]
    safe = np.where(steep, turn, 1.0)
    mine = (between[..., 0] * along[None, :, 1] - between[..., 1] * along[None, :, 0]) / safe
    other = (between[..., 0] * along[:, None, 1] - between[..., 1] * along[:, None, 0]) / safe
    # A detected segment often ends just short of the line that crosses it.
    spare = np.minimum(0.3, 0.02 / length)
    meets = (mine > -spare[:, None]) & (mine < 1 + spare[:, None]) & (other > -spare[None]) & (other < 1 + spare[None])
    count = (steep & meets).sum(axis=1)
    return np.asarray(0.1 + 0.9 * count / (count + 2))
