"""Marks drawn into a picture of a board: its grid, and what was read on each point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.grid import homography
from vision.observation import Content

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Colour = tuple[int, int, int]

# In BGR. A ring is seen on the stone it stands for, on wood, and on a stone of the other colour where it is wrong.
GRID: Colour = (70, 200, 40)
RINGS: dict[str, Colour] = {Content.BLACK: (255, 220, 0), Content.WHITE: (60, 0, 255)}
UNSEEN: Colour = (0, 140, 255)

_LABEL_INK, _LABEL_RIM = (255, 255, 255), (0, 0, 0)

FONT = cv2.FONT_HERSHEY_SIMPLEX
CAPITAL = 22.0
"""Height of a capital letter in that font at scale 1, pixels."""

_RING = 0.36
"""Radius of a stone's ring, in cells: within the stone's outline, and near enough to it to be this stone's."""

_ARM = 0.24
"""Half the width of a cross, in cells."""

_BESIDE = 0.95
"""How far from the outer lines the coordinates stand, in cells."""

_GAP = 0.42
"""Part of a cell around a mark that the grid leaves free."""

_DASHES, _DASH = 8, 0.42
"""Dashes in a broken ring, and the part of it that they take, but for their ends."""

_SHIFT = 4
"""Bits behind the point in coordinates given to OpenCV."""


class DrawnBoard:
    """Where a board of ``size`` lines lies in a picture.

    ``corners``: (4, 2) outer intersections in pixels, clockwise; the first one is row 0, column 0. ``points``:
    (size, size, 2), pixels (x, y) of every intersection. ``cells``: (size, size), pixels from each to its neighbours.
    ``stroke``: how wide the lines of a mark should be.
    """

    def __init__(self, corners: NDArray[np.float64], size: int) -> None:
        self.size = size
        self._to_image = homography(corners, size)
        rows, cols = np.mgrid[0:size, 0:size].astype(np.float64)
        self.points = self.at(cols, rows)
        down, right = np.gradient(self.points, axis=(0, 1))
        self.cells = np.minimum(np.linalg.norm(right, axis=-1), np.linalg.norm(down, axis=-1))
        self.stroke = max(1, round(float(np.median(self.cells)) / 12))

    def at(self, cols: NDArray[np.float64] | float, rows: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Grid coordinates of any shape as pixels (…, 2)."""
        mapped = np.stack([cols, rows, np.ones_like(cols)], -1) @ self._to_image.T
        return np.asarray(mapped[..., :2] / mapped[..., 2:], np.float64)


def reduced(
    image: NDArray[np.uint8], corners: NDArray[np.float64], longest: int
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A copy to draw into, its longest side at most ``longest`` pixels, and the corners in it."""
    scale = min(1.0, longest / max(image.shape[:2]))
    drawing = image.copy()
    if scale < 1:
        drawing = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    shrink = np.array(drawing.shape[1::-1]) / image.shape[1::-1]
    return drawing, (corners + 0.5) * shrink - 0.5


def draw_reading(drawing: NDArray[np.uint8], place: DrawnBoard, rows: Sequence[str]) -> None:
    """The grid in green; a cyan ring for each ``B`` in ``rows``, a red one for ``W``, an orange cross for ``?``."""
    _draw_grid(drawing, place, rows)
    for row, letters in enumerate(rows):
        for col, letter in enumerate(letters):
            at, cell = place.points[row, col], float(place.cells[row, col])
            if letter in RINGS:
                draw_ring(drawing, at, max(3, _RING * cell), RINGS[letter], place.stroke)
            elif letter == Content.UNSEEN:
                _draw_cross(drawing, at, _ARM * cell, place.stroke)


def draw_coordinates(drawing: NDArray[np.uint8], place: DrawnBoard) -> None:
    """Files and ranks beside the board, each on that of two sides which is in the picture, or over its outer line."""
    end = place.size - 1
    span = np.arange(place.size, dtype=np.float64)
    files = [chr(ord("A") + col) for col in range(place.size)]
    ranks = [str(place.size - row) for row in range(place.size)]
    for names, sides in (
        (files, [place.at(span, np.full_like(span, row)) for row in (end + _BESIDE, -_BESIDE)]),
        (ranks, [place.at(np.full_like(span, col), span) for col in (-_BESIDE, end + _BESIDE)]),
    ):
        scale = max(0.3, 0.36 * float(np.median(place.cells)) / CAPITAL)
        room = np.array(drawing.shape[1::-1]) - CAPITAL * scale
        spots = max(sides, key=lambda side: int(np.sum((side > CAPITAL * scale) & (side < room))))
        inside = np.clip(spots, 0.75 * CAPITAL * scale, room)
        near = np.linalg.norm(inside - spots, axis=1, keepdims=True) < 0.75 * float(np.median(place.cells))
        for name, spot in zip(names, np.where(near, inside, spots), strict=True):
            (width, height), _ = cv2.getTextSize(name, FONT, scale, 1)
            corner = (round(float(spot[0]) - width / 2), round(float(spot[1]) + height / 2))
            thick = max(1, round(scale))
            cv2.putText(drawing, name, corner, FONT, scale, _LABEL_RIM, 3 * thick, cv2.LINE_AA)
            cv2.putText(drawing, name, corner, FONT, scale, _LABEL_INK, thick, cv2.LINE_AA)


def draw_ring(
    drawing: NDArray[np.uint8],
    at: NDArray[np.float64],
    radius: float,
    colour: Colour,
    stroke: int,
    *,
    broken: bool = False,
) -> None:
    """A ring about ``at``; ``broken``: in dashes."""
    if not broken:
        cv2.circle(drawing, _at(at), _fine(radius), colour, stroke, cv2.LINE_AA, _SHIFT)
        return
    for dash in range(_DASHES):
        turn = 2 * np.pi * (dash + np.linspace(0, _DASH, 6)) / _DASHES
        arc = np.round((at + radius * np.stack([np.cos(turn), np.sin(turn)], -1)) * (1 << _SHIFT)).astype(np.int32)
        cv2.polylines(drawing, [arc], False, colour, stroke, cv2.LINE_AA, _SHIFT)


def draw_dot(drawing: NDArray[np.uint8], at: NDArray[np.float64], radius: float, colour: Colour) -> None:
    """A filled disc about ``at``."""
    cv2.circle(drawing, _at(at), _fine(radius), colour, cv2.FILLED, cv2.LINE_AA, _SHIFT)


def draw_square(
    drawing: NDArray[np.uint8], at: NDArray[np.float64], radius: float, colour: Colour, stroke: int
) -> None:
    """A square about ``at``, ``radius`` from its centre to its sides."""
    cv2.rectangle(drawing, _at(at - radius), _at(at + radius), colour, stroke, cv2.LINE_AA, _SHIFT)


def _draw_cross(drawing: NDArray[np.uint8], at: NDArray[np.float64], arm: float, stroke: int) -> None:
    for slope in (-1, 1):
        reach = arm * np.array([1, slope])
        cv2.line(drawing, _at(at - reach), _at(at + reach), UNSEEN, stroke, cv2.LINE_AA, _SHIFT)


def _draw_grid(drawing: NDArray[np.uint8], place: DrawnBoard, letters: Sequence[str]) -> None:
    """Lines from point to point, with gaps for the marks, which a line through them would hide."""
    gaps = np.array([[_GAP if letter != Content.EMPTY else 0.0 for letter in row] for row in letters])
    rows, cols = np.mgrid[0 : place.size, 0 : place.size].astype(np.float64)
    starts = [place.at((cols + gaps)[:, :-1], rows[:, :-1]), place.at(cols[:-1], (rows + gaps)[:-1])]
    ends = [place.at((cols - gaps)[:, 1:], rows[:, 1:]), place.at(cols[1:], (rows - gaps)[1:])]
    for start, end in zip(_listed(starts), _listed(ends), strict=True):
        cv2.line(drawing, _at(start), _at(end), GRID, 1, cv2.LINE_AA, _SHIFT)


def _listed(points: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.concatenate([some.reshape(-1, 2) for some in points])


def _at(point: NDArray[np.float64]) -> tuple[int, int]:
    return _fine(float(point[0])), _fine(float(point[1]))


def _fine(length: float) -> int:
    return round(length * (1 << _SHIFT))
