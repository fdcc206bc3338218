"""A photograph with what was read drawn in, to be compared by eye."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.overlay.marks import BoardPlace, draw_reading, draw_square, reduced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.still import StillReading

LONGEST = 1600
"""Longest side of the drawing, pixels; smaller photographs keep their size."""

UNSURE = 0.9
"""Points read with less certainty than this are marked."""

_DOUBT = (0, 240, 255)


def draw_overlay(image: NDArray[np.uint8], reading: StillReading) -> NDArray[np.uint8]:
    """``image`` (H, W, 3 uint8, BGR), reduced, with the grid in green and a mark on each point.

    A cyan ring: black stone. A red ring: white stone. An orange cross: could not be seen. A yellow square around a
    point: read with little certainty.
    """
    drawing, corners = reduced(image, reading.corners, LONGEST)
    place = BoardPlace(corners, reading.size)
    draw_reading(drawing, place, reading.rows)
    for row, col in zip(*(reading.sure < UNSURE).nonzero(), strict=True):
        draw_square(drawing, place.points[row, col], 0.42 * float(place.cells[row, col]), _DOUBT, place.stroke)
    return drawing
