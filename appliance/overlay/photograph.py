"""A photograph with what was read drawn in, to be compared by eye."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.overlay.doubt import doubtful
from appliance.overlay.marks import DrawnBoard, draw_coordinates, draw_reading, draw_square, reduced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.still import StillReading

LONGEST = 1600
"""Longest side of the drawing, pixels; smaller photographs keep their size."""

_DOUBT = (0, 240, 255)


def draw_overlay(image: NDArray[np.uint8], reading: StillReading) -> NDArray[np.uint8]:
    """``image`` (H, W, 3 uint8, BGR), reduced, with grid and coordinates, and a mark on each point read.

    The grid is green, files are lettered from the picture's left, ranks numbered from its bottom. A cyan ring: black
    stone. A red ring: white stone. An orange cross: could not be seen. A yellow square around a point: doubtful.
    """
    drawing, corners = reduced(image, reading.corners, LONGEST)
    place = DrawnBoard(corners, reading.size)
    draw_reading(drawing, place, reading.rows)
    draw_coordinates(drawing, place)
    for at in doubtful(reading):
        draw_square(drawing, place.points[at], 0.47 * float(place.cells[at]), _DOUBT, place.stroke)
    return drawing
