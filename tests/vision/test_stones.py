"""What stones look like against the board."""

from __future__ import annotations

import pytest

from vision.observation import Content
from vision.stones import Palette, Tint

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
