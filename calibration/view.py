"""How a flat board appears in a picture: a homography and the bend of the lens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Focal lengths of cameras, in halves of the picture's longer side.
_FOCAL = np.array([0.9, 1.2, 1.6, 2.0, 2.6, 3.5, 6.0])
_SKEW = 0.15
_STRETCH = 1.3


@dataclass(frozen=True, kw_only=True)
class View:
    """Grid coordinates (file, row) to pixels (x, y), with the division model of lens distortion (Fitzgibbon, 2001).

    ``plane``: (3, 3) float64 from grid coordinates to the undistorted picture, whose origin is the picture's middle and
    whose unit is half its longer side. ``bend``: the model's one coefficient, < 0 for a barrel. ``shape``: (height,
    width) of the picture.
    """

    plane: NDArray[np.float64]
    bend: float
    shape: tuple[int, int]

    @property
    def unit(self) -> float:
        return max(self.shape) / 2

    @property
    def middle(self) -> NDArray[np.float64]:
        return np.array([(self.shape[1] - 1) / 2, (self.shape[0] - 1) / 2])

    @property
    def homography(self) -> NDArray[np.float64]:
        """(3, 3) from grid coordinates to pixels, were the lens straight."""
        unit, (x, y) = self.unit, self.middle
        return np.array([[unit, 0, x], [0, unit, y], [0, 0, 1.0]]) @ self.plane

    def pixels(self, grid: NDArray[np.float64]) -> NDArray[np.float64]:
        """(..., 2) pixels of (..., 2) grid coordinates."""
        x, y = grid[..., 0], grid[..., 1]
        h = self.plane
        w = h[2, 0] * x + h[2, 1] * y + h[2, 2]
        u = (h[0, 0] * x + h[0, 1] * y + h[0, 2]) / w
        v = (h[1, 0] * x + h[1, 1] * y + h[1, 2]) / w
        if self.bend:
            square = np.maximum(1 - 4 * self.bend * (u * u + v * v), 0.0)
            stretch = 2 / (1 + np.sqrt(square))
            u, v = u * stretch, v * stretch
        return np.stack([u, v], axis=-1) * self.unit + self.middle

    def undistorted(self, pixels: NDArray[np.float64], bend: float) -> NDArray[np.float64]:
        """(K, 2) coordinates in the undistorted picture of (K, 2) pixels, were the coefficient ``bend``."""
        q = (pixels - self.middle) / self.unit
        return np.asarray(q / (1 + bend * (q**2).sum(axis=-1, keepdims=True)))

    def moved(self, files: float, rows: float) -> View:
        """The view in which the intersection (``files``, ``rows``) of this one is the origin."""
        return replace(self, plane=self.plane @ np.array([[1, 0, files], [0, 1, rows], [0, 0, 1.0]]))

    def resized(self, shape: tuple[int, int]) -> View:
        """The same view in the picture scaled to ``shape``."""
        return replace(self, shape=shape)

    def corners(self, size: int) -> NDArray[np.float64]:
        """(4, 2) pixels of the outer intersections (0, 0), (m, 0), (m, m), (0, m)."""
        m = size - 1.0
        return self.pixels(np.array([[0, 0], [m, 0], [m, m], [0, m]]))

    def cell(self, size: int) -> float:
        """Mean width of a cell along the outer lines, in pixels."""
        c = self.corners(size)
        return float(np.linalg.norm(c - np.roll(c, -1, axis=0), axis=1).mean() / (size - 1))


def seen(grid_to_pixel: NDArray[np.float64], shape: tuple[int, int]) -> View:
    """The view with a straight lens in which ``grid_to_pixel`` holds."""
    unit = max(shape) / 2
    to_plane = np.array(
        [[1 / unit, 0, -(shape[1] - 1) / 2 / unit], [0, 1 / unit, -(shape[0] - 1) / 2 / unit], [0, 0, 1.0]]
    )
    return View(plane=to_plane @ grid_to_pixel, bend=0.0, shape=shape)


def squareness(view: View) -> float:
    """How far from a square the cells must be, whatever the camera's focal length; 0 is square, above 1 is no board.

    The cosine between rows and files (tolerance 0.15, for a cropped picture's middle is not the lens's) and the ratio
    of their spacings (tolerance 1.3) are judged for the focal length that suits them best.
    """
    skew, ratio = _skew_and_ratio(view)
    return float(np.sqrt(skew**2 + ratio**2).min())


def square_ratios(view: View) -> tuple[float, float]:
    """The bounds for the step along rows, in steps along files, within which cells may be square."""
    skew, ratio = _skew_and_ratio(view)
    possible = skew < 1
    if not possible.any():
        return 1.0, 1.0
    room = np.sqrt(1 - skew[possible] ** 2)
    low, high = (-ratio[possible] - room).min(), (-ratio[possible] + room).max()
    return float(_STRETCH**low), float(_STRETCH**high)


def _skew_and_ratio(view: View) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    a, b = view.plane[:, 0], view.plane[:, 1]
    aa = (a[0] ** 2 + a[1] ** 2) / _FOCAL**2 + a[2] ** 2
    bb = (b[0] ** 2 + b[1] ** 2) / _FOCAL**2 + b[2] ** 2
    ab = (a[0] * b[0] + a[1] * b[1]) / _FOCAL**2 + a[2] * b[2]
    return np.abs(ab) / np.sqrt(aa * bb) / _SKEW, 0.5 * np.log(aa / bb) / np.log(_STRETCH)
