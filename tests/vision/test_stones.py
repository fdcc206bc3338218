"""What stones look like against the board."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.observation import Content
from vision.rectify import CELL
from vision.stones import Palette, Tint, log_tint, radius_at

BLACK, WHITE = Tint(-1.5, -1.2), Tint(0.3, 0.9)


@pytest.mark.parametrize(
    ("content", "darkest", "refuted"),
    [
        (Content.BLACK, -1.3, False),
        (Content.BLACK, -0.1, True),  # half-way lies at -0.15
        (Content.BLACK, -0.2, False),
        (Content.WHITE, 0.8, False),
        (Content.WHITE, -0.2, True),
        (Content.WHITE, 2.0, False),  # brighter than any yet, as in the sun
    ],
)
def test_a_stone_has_the_look_of_its_colour(content: Content, darkest: float, refuted: bool) -> None:
    assert Palette(black=BLACK, white=WHITE).refutes(content, Tint(0.0, darkest)) is refuted


@pytest.mark.parametrize("palette", [Palette(), Palette(black=BLACK), Palette(white=WHITE)])
def test_with_one_colour_known_nothing_is_refuted(palette: Palette) -> None:
    assert not any(palette.refutes(content, Tint(0.0, 0.0)) for content in (Content.BLACK, Content.WHITE))


@pytest.mark.parametrize("radius", [0.3, 0.4, 0.45, 0.5, 0.6])
@pytest.mark.parametrize(("content", "grey"), [(Content.BLACK, 30), (Content.WHITE, 230)])
def test_radius(radius: float, content: Content, grey: int) -> None:
    """In cells, whether sharp or blurred, and where another stone of its colour stands on the next point."""
    for blur in (0.5, 0.1 * CELL):
        big = np.full((5 * CELL * 8, 5 * CELL * 8, 3), (110, 160, 190), np.uint8)
        for x, size in ((2.5, radius), (3.5, min(0.45, 0.98 - radius))):
            place = (round(x * CELL * 8), round(2.5 * CELL * 8))
            cv2.circle(big, place, round(size * CELL * 8), (grey,) * 3, -1)
        canvas = cv2.resize(big, (5 * CELL, 5 * CELL), interpolation=cv2.INTER_AREA)
        tint = log_tint(np.asarray(cv2.GaussianBlur(canvas, (0, 0), blur), np.uint8))
        board = Tint(*(float(part) for part in tint[2, 2]))
        # The logarithm draws a blurred rim outwards or inwards a little.
        assert radius_at(tint, 2.5 * CELL, 2.5 * CELL, content, board) == pytest.approx(radius, abs=0.04)
