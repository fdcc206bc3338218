"""Where the camera stands, seen from the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from calibration.grid import homography

if TYPE_CHECKING:
    from numpy.typing import NDArray

_USUAL_FOCAL = 1.1
"""Focal length over the picture's longer side, where the view does not tell it (seen straight from above)."""

_FOCAL_RANGE = (0.5, 4.0)


def camera_position(corners: NDArray[Any], size: int, frame_size: tuple[int, int]) -> NDArray[np.float64]:
    """The camera's place as (column, row, height above the board) in cells, (3,) float64.

    ``corners``: (4, 2) outer intersections in pixels. ``frame_size``: width and height. The lens is taken to be centred
    and its pixels square; the focal length follows from the two directions of lines being at right angles
    (Zhang, A flexible new technique for camera calibration, 2000).
    """
    width, height = frame_size
    scale = float(max(width, height))
    centred = (np.asarray(corners, np.float64) - [width / 2, height / 2]) / scale
    plane = homography(centred, size)
    focal = _focal(plane)
    axes = np.diag([1 / focal, 1 / focal, 1]) @ plane
    axes /= np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    if axes[2, 2] < 0:
        axes = -axes
    right, down = axes[:, 0] / np.linalg.norm(axes[:, 0]), axes[:, 1] / np.linalg.norm(axes[:, 1])
    rotation = np.stack([right, down, np.cross(right, down)], axis=1)
    column, row, depth = -np.linalg.solve(rotation, axes[:, 2])
    return np.array([column, row, abs(depth)])


def raised(corners: NDArray[Any], size: int, frame_size: tuple[int, int], height: float) -> NDArray[np.float64]:
    """(4, 2) pixels at which the outer intersections would appear ``height`` cells above the board.

    The other arguments as for :func:`camera_position`.
    """
    *above, high = camera_position(corners, size, frame_size)
    last = size - 1.0
    outer = np.array([[0, 0], [last, 0], [last, last], [0, last]])
    places = outer + (outer - above) * height / max(high - height, 1.0)
    seen = np.column_stack([places, np.ones(4)]) @ homography(corners, size).T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _focal(plane: NDArray[np.float64]) -> float:
    """Focal length in units of the picture's longer side.

    The lines' two directions are at right angles; where the camera looks along one of them that tells nothing, and
    the two spacings are taken to be equal.
    """
    (a, b, _), (c, d, _), (e, f, _) = plane
    across, along = e * f, f * f - e * e
    if 4 * abs(across) > abs(along):
        square = -(a * b + c * d) / across
    elif abs(along) > 1e-9:
        square = (a * a + c * c - b * b - d * d) / along
    else:
        return _USUAL_FOCAL
    if not _FOCAL_RANGE[0] ** 2 < square < _FOCAL_RANGE[1] ** 2:
        return _USUAL_FOCAL
    return float(np.sqrt(square))
