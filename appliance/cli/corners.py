"""The four outer intersections of a board as a user writes them: ``"x,y x,y x,y x,y"``, image TL TR BR BL."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORM = '"x,y x,y x,y x,y" in pixels: top left, top right, bottom right, bottom left'

_FLAT = 0.03
"""Sine of the angle at a corner below which three of the corners as good as lie on one line."""

_TILT = math.radians(60)
"""How far the board's top may be turned from the picture's; beyond it the corners begin at the wrong one."""

_BEYOND = 0.25
"""How far outside the picture a corner may lie, as a part of the picture's longer side."""


class CornersError(ValueError):
    """The corners cannot be those of a board; the message is one line."""


def parse_corners(text: str) -> NDArray[np.float64]:
    """The corners written in ``text``, (4, 2) pixels. Raises CornersError when they enclose no board in this order."""
    points = text.split()
    if len(points) != 4:
        raise CornersError(f"{len(points)} points where four are needed; write {FORM}")
    corners = np.array([_point(point) for point in points])
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*sides.T)
    if lengths.min() < 1:
        raise CornersError(f"two neighbouring corners are the same point; write {FORM}")
    after = np.roll(sides, -1, axis=0)
    turns = (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]) / (lengths * np.roll(lengths, -1))
    clockwise, back = int(np.sum(turns > 0)), int(np.sum(turns < 0))
    if np.abs(turns).min() < _FLAT:
        raise CornersError(f"three of the corners lie on one line; write {FORM}")
    if clockwise == back:
        raise CornersError(f"the sides cross each other; write {FORM}")
    if clockwise and back:
        raise CornersError(f"one corner lies inside the triangle of the others; write {FORM}")
    right, down = corners[1] + corners[2] - corners[0] - corners[3]
    if back or abs(math.atan2(down, right)) > _TILT:
        raise CornersError(f"the corners are in the wrong order; write {FORM}")
    return corners


def check_in_picture(corners: NDArray[np.float64], width: int, height: int) -> None:
    """Raise CornersError when a corner lies far outside a picture of ``width`` × ``height`` pixels."""
    beyond = _BEYOND * max(width, height)
    for x, y in corners:
        if not (-beyond <= x <= width + beyond and -beyond <= y <= height + beyond):
            raise CornersError(
                f"{x:g},{y:g} lies far outside the picture of {width} x {height} pixels; "
                "write pixels of this picture, as it is seen upright"
            )


def _point(text: str) -> tuple[float, float]:
    x, comma, y = text.partition(",")
    try:
        point = float(x), float(y)
    except ValueError:
        point = math.nan, math.nan
    if not comma or not all(math.isfinite(part) and abs(part) < 1e6 for part in point):
        raise CornersError(f"{text!r} is no point; write {FORM}")
    return point
