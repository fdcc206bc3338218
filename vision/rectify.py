"""The board seen straight from above: one fixed canvas for every frame of a camera that stands still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.grid import homography

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL = 24
"""Pixels between neighbouring points on the canvas."""


class Rectifier:
    """Maps frames onto a canvas of (``size`` + 2) × (``size`` + 2) cells: the grid, and a cell and a half around it.

    ``corners``: (4, 2) outer intersections in image pixels, in the order that becomes the canvas's TL, TR, BR, BL.
    ``cell``: pixels between neighbouring points.
    """

    def __init__(self, corners: NDArray[Any], size: int, cell: int = CELL) -> None:
        self.corners = np.asarray(corners, np.float64)
        self.size = size
        self.side = (size + 2) * cell
        to_image = homography(self.corners, size) @ canvas_to_grid(cell)
        col, row = np.meshgrid(np.arange(self.side), np.arange(self.side))
        mapped = np.stack([col, row, np.ones_like(col)], -1) @ to_image.T
        x, y = mapped[..., 0] / mapped[..., 2], mapped[..., 1] / mapped[..., 2]
        self._map, self._fraction = cv2.convertMaps(x.astype(np.float32), y.astype(np.float32), cv2.CV_16SC2)

    def tiles(self, image: NDArray[np.uint8], rows: slice, cols: slice) -> NDArray[np.uint8]:
        """The part of the canvas in the tiles ``rows`` × ``cols``, counted with the ring around the board."""
        part = np.s_[rows.start * CELL : rows.stop * CELL, cols.start * CELL : cols.stop * CELL]
        cut = np.ascontiguousarray(self._map[part]), np.ascontiguousarray(self._fraction[part])
        return np.asarray(cv2.remap(image, *cut, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def __call__(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The canvas of ``image`` (H, W, 3 or H, W; uint8): (side, side, 3) or (side, side) uint8."""
        out = cv2.remap(image, self._map, self._fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(out, np.uint8)


def canvas_to_grid(cell: int = CELL) -> NDArray[np.float64]:
    """The 3 × 3 map from pixels (x, y) of a canvas with ``cell`` of them a cell to grid coordinates (column, row)."""
    offset = (0.5 - 1.5 * cell) / cell
    return np.array([[1 / cell, 0, offset], [0, 1 / cell, offset], [0, 0, 1]])


def tiles(canvas: NDArray[Any]) -> NDArray[Any]:
    """Cut a canvas into the one-cell squares around the points and around the ring of would-be points outside.

    (side, side, …) becomes (size + 2, size + 2, CELL, CELL, …); the point (row, col) is tile (row + 1, col + 1).
    """
    count = canvas.shape[0] // CELL
    return canvas.reshape(count, CELL, count, CELL, *canvas.shape[2:]).swapaxes(1, 2)
