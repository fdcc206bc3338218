"""Which intersections can be seen right now.

Every tile of the canvas (a square of one cell around a point) has a remembered look: its texture, free of brightness
and shadow. A tile that still looks like that is seen; one that does not holds something else: a hand, or a new stone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import cv2
import numpy as np

from vision.rectify import CELL, tiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEIGHBOURHOOD = int(CELL * 0.5) | 1
_RIM = CELL // 12
"""Pixels at a tile's rim that are left out of its look: a stone on the next point changes them."""

LOOK = (CELL - 2 * _RIM) ** 2
"""Length of a look."""

_FLOOR = np.float32(4.0)
"""Grey levels added before dividing, so that sensor noise in black does not count as texture."""


def texture(canvas: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Brightness relative to the surroundings, (side, side) float32: the same in light and in shadow."""
    grey = cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY).astype(np.float32) + _FLOOR
    around = cv2.boxFilter(grey, -1, (_NEIGHBOURHOOD, _NEIGHBOURHOOD), borderType=cv2.BORDER_REFLECT)
    return np.asarray(grey / around - 1, np.float32)


class Looks(NamedTuple):
    """What the tiles of a canvas look like, arrays over (size + 2, size + 2).

    ``direction``: (…, LOOK), texture as unit vectors, whose dot product is a correlation. ``strength``: how much
    texture there is, as a part of brightness. ``level``: log of the mean brightness.
    """

    direction: NDArray[np.float32]
    strength: NDArray[np.float32]
    level: NDArray[np.float32]


def looks(canvas: NDArray[np.uint8]) -> Looks:
    """What each tile of ``canvas`` looks like."""
    grey = cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY)
    cut = tiles(texture(canvas))[:, :, _RIM : CELL - _RIM, _RIM : CELL - _RIM]
    flat = cut.reshape(*cut.shape[:2], LOOK)
    level = cv2.resize(grey, cut.shape[1::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    return Looks(direction=unit(flat), strength=flat.std(-1), level=np.log(level + _FLOOR))


def unit(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """``vectors`` (…, n) without their mean, scaled to length 1 (0 where there is nothing but a plain)."""
    centred = vectors - vectors.mean(-1, keepdims=True)
    length = np.sqrt((centred * centred).sum(-1, keepdims=True))
    return np.asarray(centred / np.maximum(length, 1e-6), np.float32)


class Crossing(NamedTuple):
    """How a point looks as a bare crossing of lines: ``score`` −1 to 1, and where it lies, in cells from the point."""

    score: float
    dx: float
    dy: float


def find_crossing(textured: NDArray[np.float32], row: int, col: int, size: int, *, light_lines: bool) -> Crossing:
    """The best crossing of two lines within 1/6 cell of the point (row, col).

    ``textured``: :func:`texture` of the canvas. On a side or corner of the board the lines end at the crossing.
    ``light_lines``: the lines are lighter than the board.
    """
    y, x = (row + 1) * CELL + CELL // 2, (col + 1) * CELL + CELL // 2
    window = textured[
        y - _CROSS // 2 - _SLACK : y + _CROSS // 2 + _SLACK, x - _CROSS // 2 - _SLACK : x + _CROSS // 2 + _SLACK
    ]
    cross = _cross(row > 0, row < size - 1, col > 0, col < size - 1)
    match = cv2.matchTemplate(window, -cross if light_lines else cross, cv2.TM_CCOEFF_NORMED)
    _, score, _, (left, top) = cv2.minMaxLoc(match)
    return Crossing(score, (left - _SLACK) / CELL, (top - _SLACK) / CELL)


_SLACK = CELL // 6
_CROSS = CELL * 5 // 6


@cache
def _cross(up: bool, down: bool, left: bool, right: bool) -> NDArray[np.float32]:
    """Two thin dark lines that meet in the middle, each with the arms it has."""
    y, x = np.mgrid[:_CROSS, :_CROSS].astype(np.float32) - np.float32((_CROSS - 1) / 2)
    vertical = np.exp(-(x**2) / 2) * (((y <= 0) & up) | ((y >= 0) & down))
    horizontal = np.exp(-(y**2) / 2) * (((x <= 0) & left) | ((x >= 0) & right))
    return np.asarray(-np.maximum(vertical, horizontal), np.float32)


def correlation(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """How alike two sets of looks are, −1 to 1."""
    return np.asarray(np.einsum("...k,...k->...", a, b), np.float32)
