"""Corners as a user writes them: those of a board are taken as they are, all others told in one line."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.cli.corners import CornersError, check_in_picture, parse_corners


def test_as_written() -> None:
    corners = parse_corners(" 10,20.5  300,18 1e2,310\t-3,299 ")
    assert corners.tolist() == [[10, 20.5], [300, 18], [100, 310], [-3, 299]]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "0 points where four are needed"),
        ("0,0 100,0 100,100", "3 points where four are needed"),
        ("0,0 100,0 100,100 0,100 5,5", "5 points where four are needed"),
        ("0, 0 100,0 100,100 0,100", "5 points where four are needed"),
        ("0,0 100,0 100,100 0;100", "'0;100' is no point"),
        ("0,0 100,0 100,100 0,", "'0,' is no point"),
        ("0,0 100,0 100,100 0,1,2", "'0,1,2' is no point"),
        ("0,0 100,0 100,100 0,nan", "'0,nan' is no point"),
        ("0,0 100,0 inf,100 0,100", "'inf,100' is no point"),
        ("0,0 100,0 100,100 0,1e300", "'0,1e300' is no point"),
        ("0,0 0,0 100,100 0,100", "two neighbouring corners are the same point"),
        ("7,7 7,7 7,7 7,7", "two neighbouring corners are the same point"),
        ("0,0 50,50 100,100 0,100", "three of the corners lie on one line"),
        ("0,0 100,0 200,0 300,0", "three of the corners lie on one line"),
        ("0,0 100,100 100,0 0,100", "the sides cross each other"),
        ("0,0 100,0 0,100 100,100", "the sides cross each other"),
        ("0,0 100,0 30,30 0,100", "one corner lies inside the triangle of the others"),
        ("0,0 0,100 100,100 100,0", "the corners are in the wrong order"),
        ("100,0 100,100 0,100 0,0", "the corners are in the wrong order"),
        ("100,100 0,100 0,0 100,0", "the corners are in the wrong order"),
        ("0,100 0,0 100,0 100,100", "the corners are in the wrong order"),
    ],
)
def test_no_board(text: str, what: str) -> None:
    with pytest.raises(CornersError) as caught:
        parse_corners(text)
    told = str(caught.value)
    assert told.startswith(what)
    assert "x,y x,y x,y x,y" in told
    assert "\n" not in told


@given(
    tilt=st.floats(-50, 50),
    stretch=st.floats(0.3, 3),
    centre=st.tuples(st.floats(-500, 5000), st.floats(-500, 5000)),
    half=st.floats(20, 3000),
)
def test_every_seen_board_is_taken(tilt: float, stretch: float, centre: tuple[float, float], half: float) -> None:
    """A rectangle, turned: but for one eighth turned up, where its corners' order would be anybody's guess."""
    angle = math.radians(tilt)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [half * stretch, half]
    corners = square @ turn.T + centre
    read = parse_corners(" ".join(f"{x!r},{y!r}" for x, y in corners.tolist()))
    assert read.tolist() == corners.tolist()


@given(st.lists(st.tuples(st.floats(-999, 999), st.floats(-999, 999)), min_size=4, max_size=4))
def test_whatever_is_taken_is_convex_and_clockwise(points: list[tuple[float, float]]) -> None:
    text = " ".join(f"{x!r},{y!r}" for x, y in points)
    try:
        corners = parse_corners(text)
    except CornersError:
        return
    for k in range(4):
        a, b, others = corners[k], corners[(k + 1) % 4], (corners[(k + 2) % 4], corners[(k + 3) % 4])
        for c in others:
            assert (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0
    assert corners[1, 0] + corners[2, 0] > corners[0, 0] + corners[3, 0]


@given(st.text(max_size=60).filter(lambda text: len(text.split()) != 3 or "," not in text))
def test_any_text_is_told_in_one_line(text: str) -> None:
    with pytest.raises(CornersError) as caught:
        parse_corners(f"{text} 0,0")
    assert len(str(caught.value).splitlines()) == 1


def test_a_little_outside_the_picture() -> None:
    corners = np.array([[-90.0, -90.0], [890.0, 0.0], [800.0, 690.0], [0.0, 600.0]])
    check_in_picture(corners, 800, 600)


@pytest.mark.parametrize("corner", [(-201, 0), (1001, 5), (3, -201), (3, 801)])
def test_far_outside_the_picture(corner: tuple[float, float]) -> None:
    corners = np.array([corner, (800.0, 0.0), (800.0, 600.0), (0.0, 600.0)])
    with pytest.raises(CornersError, match="lies far outside the picture of 800 x 600 pixels"):
        check_in_picture(corners, 800, 600)
