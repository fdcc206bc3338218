"""The view that puts the lines found in a picture on whole rows and files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.lattice import Edges
    from calibration.view import View

# Keeps the normal equations solvable when the lines found leave the view open.
_RIDGE = 1e-9 * np.eye(8)
# Barrels only: on photographs of boards whose place is known, what seemed a pincushion were faint lines every time.
_BENDS = (-0.05, -0.1, -0.16, -0.24, -0.36)
_USUAL_BEND = 0.1
# By how much a bent lens must explain the lines better than a straight one.
_CLEARLY = 6.0


def fitted(view: View, edges: Edges, trust: NDArray[np.float32], *, lens: bool) -> View:
    """``view`` corrected by the ``shift`` of the ``edges`` of a lattice that starts at (0, 0).

    ``trust``: weights >= 0 shaped like ``edges.contrast``. ``lens``: also find the lens's bend, else keep it.
    """
    r, rc = np.nonzero(trust[0] > 0)
    f, fr = np.nonzero(trust[1] > 0)
    if min(len(r), len(f)) < 8:
        return view
    x = np.concatenate([rc + 0.5, f + edges.shift[1, f, fr]])
    y = np.concatenate([r + edges.shift[0, r, rc], fr + 0.5])
    pixels = view.pixels(np.stack([x, y], axis=1))
    is_row = np.arange(len(x)) < len(r)
    target = np.concatenate([r, f]).astype(np.float64)
    weight = np.concatenate([trust[0, r, rc], trust[1, f, fr]]).astype(np.float64)
    if not lens:
        return replace(view, plane=_plane(view.undistorted(pixels, view.bend), is_row, target, weight)[0])

    def cost(bend: float) -> float:
        return _plane(view.undistorted(pixels, bend), is_row, target, weight)[1] + (bend / _USUAL_BEND) ** 2

    # From straight on as long as more bend explains the lines better.
    costs = {0.0: cost(0.0)}
    bend = 0.0
    for more in _BENDS:
        costs[more] = cost(more)
        if costs[more] >= costs[bend]:
            break
        bend = more
    if costs[0.0] - costs[bend] < _CLEARLY:
        bend = 0.0
    else:
        for step in (0.03, 0.015, 0.008, 0.004):
            costs |= {b: cost(b) for b in (bend - step, min(bend + step, 0.0))}
            bend = min(costs, key=lambda b: costs[b])
    return replace(view, plane=_plane(view.undistorted(pixels, bend), is_row, target, weight)[0], bend=bend)


def _plane(
    points: NDArray[np.float64], is_row: NDArray[np.bool_], target: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Homography from the grid to the undistorted picture by robust least squares, and its cost."""
    middle = points.mean(axis=0)
    spread = float(np.abs(points - middle).max())
    x, y = ((points - middle) / spread).T
    zero = np.zeros(len(x))
    row, col = is_row.astype(np.float64), (~is_row).astype(np.float64)
    a = np.stack([col * x, col * y, col, row * x, row * y, row, -target * x, -target * y], axis=1)
    w = weight.copy()
    miss = zero
    tolerance = 0.0
    d = zero[:8]
    for _ in range(5):
        weighted = a * w[:, None]
        d = np.linalg.solve(weighted.T @ a + _RIDGE, weighted.T @ target)
        scale = d[6] * x + d[7] * y + 1
        miss = (a @ d - target) / np.where(np.abs(scale) > 1e-6, scale, 1.0)
        tolerance = min(max(1.5 * float(np.partition(np.abs(miss), len(x) // 2)[len(x) // 2]), 0.01), 0.04)
        w = weight / (1 + (miss / tolerance) ** 2)
    to_grid = np.append(d, 1.0).reshape(3, 3) @ np.array(
        [[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1.0]]
    )
    if abs(np.linalg.det(to_grid)) < 1e-12:
        return np.eye(3), np.inf
    cost = float((weight * np.log1p((miss / 0.02) ** 2)).sum())
    return np.linalg.inv(to_grid), cost
