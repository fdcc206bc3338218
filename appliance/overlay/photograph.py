"""A photograph with what was read drawn in, to be compared by eye."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.grid import homography

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.still import StillReading

LONGEST = 1600
"""Longest side of the drawing, pixels; smaller photographs keep their size."""

UNSURE = 0.9
"""Points read with less certainty than this are marked."""

# In BGR. A ring is seen on the stone it stands for, on wood, and on a stone of the other colour where it is wrong.
GRID = (70, 200, 40)
RINGS = {"B": (255, 220, 0), "W": (60, 0, 255)}
UNSEEN, DOUBT = (0, 140, 255), (0, 240, 255)

_GAP = 0.36
"""Part of a cell around a mark that the grid leaves free."""

_SHIFT = 4
"""Bits behind the point in coordinates given to OpenCV."""


def draw_overlay(image: NDArray[np.uint8], reading: StillReading) -> NDArray[np.uint8]:
    """``image`` (H, W, 3 uint8, BGR), reduced, with the grid in green and a mark on each point.

    A cyan ring: black stone. A red ring: white stone. An orange cross: could not be seen. A yellow square around a
    point: read with little certainty.
    """
    scale = min(1.0, LONGEST / max(image.shape[:2]))
    drawing = image.copy()
    if scale < 1:
        drawing = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    shrink = np.array(drawing.shape[1::-1]) / image.shape[1::-1]
    to_image = homography((reading.corners + 0.5) * shrink - 0.5, reading.size)
    _draw_grid(drawing, to_image, reading.rows)
    rows, cols = np.mgrid[0 : reading.size, 0 : reading.size].astype(np.float64)
    points = _mapped(to_image, cols, rows)
    down, right = np.gradient(points, axis=(0, 1))
    cells = np.minimum(np.linalg.norm(right, axis=-1), np.linalg.norm(down, axis=-1))
    width = max(1, round(float(np.median(cells)) / 12))
    for row, letters in enumerate(reading.rows):
        for col, letter in enumerate(letters):
            at, cell = points[row, col], float(cells[row, col])
            _mark(drawing, at, cell, letter, width)
            if reading.sure[row, col] < UNSURE:
                arm = 0.42 * cell * np.ones(2)
                cv2.rectangle(drawing, _at(at - arm), _at(at + arm), DOUBT, width, cv2.LINE_AA, _SHIFT)
    return drawing


def _draw_grid(drawing: NDArray[np.uint8], to_image: NDArray[np.float64], letters: tuple[str, ...]) -> None:
    """Lines from point to point, with gaps for the marks: they are small, and a line through them hides them."""
    size = len(letters)
    gaps = np.array([[_GAP if letter != "." else 0.0 for letter in row] for row in letters])
    rows, cols = np.mgrid[0:size, 0:size].astype(np.float64)
    starts = [
        _mapped(to_image, (cols + gaps)[:, :-1], rows[:, :-1]),
        _mapped(to_image, cols[:-1], (rows + gaps)[:-1]),
    ]
    ends = [
        _mapped(to_image, (cols - gaps)[:, 1:], rows[:, 1:]),
        _mapped(to_image, cols[1:], (rows - gaps)[1:]),
    ]
    for start, end in zip(_listed(starts), _listed(ends), strict=True):
        cv2.line(drawing, _at(start), _at(end), GRID, 1, cv2.LINE_AA, _SHIFT)


def _listed(points: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.concatenate([some.reshape(-1, 2) for some in points])


def _mark(drawing: NDArray[np.uint8], at: NDArray[np.float64], cell: float, letter: str, width: int) -> None:
    """Mark what was read at a point; ``cell``: pixels to its neighbours."""
    if letter in RINGS:
        cv2.circle(drawing, _at(at), _fine(max(3, 0.24 * cell)), RINGS[letter], width, cv2.LINE_AA, _SHIFT)
    elif letter == "?":
        for slope in (-1, 1):
            arm = 0.24 * cell * np.array([1, slope])
            cv2.line(drawing, _at(at - arm), _at(at + arm), UNSEEN, width, cv2.LINE_AA, _SHIFT)


def _mapped(to_image: NDArray[np.float64], cols: NDArray[np.float64], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Grid coordinates (n, n) in the picture, (n, n, 2)."""
    mapped = np.stack([cols, rows, np.ones_like(cols)], -1) @ to_image.T
    return np.asarray(mapped[..., :2] / mapped[..., 2:], np.float64)


def _at(point: NDArray[np.float64]) -> tuple[int, int]:
    return _fine(float(point[0])), _fine(float(point[1]))


def _fine(length: float) -> int:
    return round(length * (1 << _SHIFT))
