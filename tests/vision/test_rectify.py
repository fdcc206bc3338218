"""The canvas: where points come to lie on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.rectify import CELL, Rectifier, canvas_to_grid, tiles


@pytest.mark.parametrize("size", [9, 13, 15, 19])
def test_points_lie_in_the_middles_of_their_tiles(size: int) -> None:
    corners = np.array([[150.0, 40.0], [500.0, 70.0], [560.0, 420.0], [90.0, 380.0]])
    square = np.array([[0, 0], [size - 1, 0], [size - 1, size - 1], [0, size - 1]], np.float32)
    to_image = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    picture = np.zeros((480, 640, 3), np.uint8)
    for row, col in ((0, 0), (size // 2, 2), (size - 1, size - 1)):
        x, y = cv2.perspectiveTransform(np.array([[[col, row]]], np.float32), to_image)[0, 0]
        cv2.circle(picture, (round(float(x)), round(float(y))), 3, (255, 255, 255), -1)
    canvas = Rectifier(corners, size)(picture)
    assert canvas.shape == ((size + 2) * CELL, (size + 2) * CELL, 3)
    cut = tiles(canvas[..., 0])
    for row, col in ((0, 0), (size // 2, 2), (size - 1, size - 1)):
        y, x = np.argwhere(cut[row + 1, col + 1] > 128).mean(axis=0)
        assert (x, y) == pytest.approx(((CELL - 1) / 2, (CELL - 1) / 2), abs=1.6)


def test_tiles_are_a_part_of_the_canvas() -> None:
    corners = np.array([[150.0, 40.0], [500.0, 70.0], [560.0, 420.0], [90.0, 380.0]])
    picture = np.random.default_rng(1).integers(0, 256, (480, 640, 3), dtype=np.uint8)
    rectify = Rectifier(corners, 15)
    part = rectify.tiles(picture, slice(2, 6), slice(10, 17))
    assert (part == rectify(picture)[2 * CELL : 6 * CELL, 10 * CELL : 17 * CELL]).all()


def test_canvas_to_grid() -> None:
    x, y, w = canvas_to_grid() @ [2.5 * CELL - 0.5, 4.5 * CELL - 0.5, 1]
    assert (x / w, y / w) == pytest.approx((1, 3))
