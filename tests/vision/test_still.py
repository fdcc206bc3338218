"""Reading one still: rendered boards of our own in every attitude, and pictures without a board."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fixtures.stills.sample import Still, make_still
from tests.vision import drawn
from tests.vision.no_boards import DRAWINGS, chessboard, photographed
from vision.still import SIZES, NoBoard, StillReading, read_still

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

PLAIN = (7, 18, 29, 36, 51, 72)
"""Seeds of rendered stills in fair light, of 9 to 19 lines; looked at."""

LETTERS = np.array([".", "B", "W"])


@cache
def still(seed: int) -> Still:
    return make_still(np.random.default_rng(seed))


@cache
def read_plain(seed: int) -> StillReading:
    return read_still(still(seed).picture, [still(seed).size], still(seed).corners)


def rows(content: NDArray[Any]) -> tuple[str, ...]:
    return tuple("".join(row) for row in LETTERS[content])


@pytest.mark.parametrize("seed", PLAIN)
def test_rendered_board_is_read(seed: int) -> None:
    assert read_plain(seed).rows == rows(still(seed).content)


TURNS: list[Callable[[NDArray[Any]], NDArray[Any]]] = [
    lambda a: a,
    lambda a: np.rot90(a, 1),
    lambda a: np.rot90(a, 2),
    lambda a: np.rot90(a, 3),
    lambda a: a[:, ::-1],
    lambda a: np.rot90(a[:, ::-1], 1),
    lambda a: np.rot90(a[:, ::-1], 2),
    lambda a: np.rot90(a[:, ::-1], 3),
]


def turned_corners(corners: NDArray[Any], turn: Callable[[NDArray[Any]], NDArray[Any]], shape: tuple[int, int]) -> Any:
    """Where the corners lie in the turned picture, in its own order: found by turning a map of the pixels' places."""
    places = np.stack(np.meshgrid(np.arange(shape[1]), np.arange(shape[0])), -1)
    there = turn(places)
    top_left, bottom_right = there[0, 0].astype(float), there[-1, -1].astype(float)
    right = (there[0, -1] - there[0, 0]) / (there.shape[1] - 1)
    down = (there[-1, 0] - there[0, 0]) / (there.shape[0] - 1)
    assert np.allclose(top_left + right * (there.shape[1] - 1) + down * (there.shape[0] - 1), bottom_right)
    moved = np.stack([(corners - top_left) @ right, (corners - top_left) @ down], axis=1)
    grid = turn(np.array([[0, 1], [3, 2]]))
    return moved[[grid[0, 0], grid[0, 1], grid[1, 1], grid[1, 0]]]


@settings(deadline=None, max_examples=12)
@given(st.sampled_from(PLAIN), st.integers(0, 7), st.floats(0.5, 2))
def test_a_turned_mirrored_or_scaled_picture_gives_the_board_turned_and_mirrored(
    seed: int, way: int, scale: float
) -> None:
    one, turn = still(seed), TURNS[way]
    cell = float(np.linalg.norm(one.corners[0] - one.corners[1])) / (one.size - 1)
    scale = max(scale, 12 / cell)
    picture = np.ascontiguousarray(turn(one.picture))
    corners = turned_corners(one.corners, turn, one.picture.shape[:2])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    scaled = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method)
    reading = read_still(np.asarray(scaled, np.uint8), [one.size], (corners + 0.5) * scale - 0.5)
    assert reading.rows == rows(turn(one.content))


@settings(deadline=None, max_examples=12)
@given(st.sampled_from(PLAIN), st.floats(0.5, 1.3), st.tuples(*[st.floats(0.75, 1.25)] * 3))
def test_brightness_and_white_balance_change_nothing(
    seed: int, brightness: float, balance: tuple[float, float, float]
) -> None:
    one = still(seed)
    light = one.picture * np.float32(brightness) * np.array(balance, np.float32)
    assume((light > 255).mean() < 0.01)  # what is burnt out cannot be read
    lit = np.clip(light, 0, 255).astype(np.uint8)
    assert read_still(lit, [one.size], one.corners).rows == rows(one.content)


@settings(deadline=None, max_examples=8)
@given(st.sampled_from(PLAIN), st.floats(0, 0.3), st.floats(0, 2 * np.pi))
def test_stale_corners_are_drawn_to_the_lines(seed: int, far: float, way: float) -> None:
    one = still(seed)
    last = one.size - 1
    square = np.array([[0, 0], [last, 0], [last, last], [0, last]]) + far * np.array([np.cos(way), np.sin(way)])
    stale = cv2.perspectiveTransform(square[None], one.to_picture)[0]
    reading = read_still(one.picture, [one.size], stale)
    cell = np.linalg.norm(one.corners - np.roll(one.corners, -1, axis=0), axis=1).mean() / last
    assert np.abs(reading.corners - one.corners).max() < 0.1 * cell
    assert reading.rows == rows(one.content)


@pytest.mark.parametrize(("draw", "size"), DRAWINGS.items())
def test_picture_without_a_board_is_refused(draw: Callable[..., Any], size: int) -> None:
    with pytest.raises(NoBoard):
        read_still(photographed(draw, 0), [size])


def test_picture_without_a_board_is_refused_whatever_the_size() -> None:
    with pytest.raises(NoBoard):
        read_still(photographed(chessboard, 1), SIZES)


def test_picture_too_small_for_a_board_is_refused() -> None:
    with pytest.raises(NoBoard, match="only 80 x 60 pixels"):
        read_still(np.zeros((60, 80, 3), np.uint8), [15])


def test_the_number_of_lines_within_given_corners_is_told() -> None:
    one = still(PLAIN[0])
    assert read_still(one.picture, SIZES, one.corners).size == one.size


@pytest.mark.parametrize("asked", [9, 13, 15, 19])
def test_another_number_of_lines_within_given_corners_is_refused(asked: int) -> None:
    for one in map(still, (18, 29, 36, 51)):  # few stones, so that the lines speak plainly
        if one.size != asked:
            with pytest.raises(NoBoard, match=f"there are {one.size} lines each way, not {asked}"):
                read_still(one.picture, [asked], one.corners)


def test_a_paper_on_the_board_hides_what_lies_under_it() -> None:
    one = still(51)
    paper = np.array([[3.4, 5.4], [9.6, 5.4], [9.6, 11.6], [3.4, 11.6]])
    under = np.zeros((one.size, one.size), bool)
    under[6:12, 4:10] = True
    picture = one.picture.copy()
    place = cv2.perspectiveTransform(paper[None], one.to_picture).astype(np.int32)
    cv2.fillPoly(picture, [place], (225, 232, 235), cv2.LINE_AA)
    read = np.array([list(row) for row in read_still(picture, [one.size], one.corners).rows])
    assert (read[under] == "?").mean() > 0.95
    away = cv2.dilate(under.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
    assert (read[away] == np.array([list(row) for row in rows(one.content)])[away]).all()


def test_corners_without_lines_are_not_believed() -> None:
    black = np.zeros((400, 400, 3), np.uint8)
    reading = read_still(black, [15], np.array([[50, 50], [350, 50], [350, 350], [50, 350]], float))
    assert reading.confidence <= 0.5


def test_cells_too_small_to_read_are_refused() -> None:
    with pytest.raises(NoBoard, match="cells are less than 6 pixels wide"):
        read_still(still(28).picture, [15], np.array([[0, 0], [60, 0], [60, 60], [0, 60]], float))


def test_corners_without_any_lines_between_them_do_not_tell_a_size() -> None:
    flat = np.full((400, 400, 3), 150, np.uint8)
    with pytest.raises(NoBoard, match="do not tell how many"):
        read_still(flat, SIZES, np.array([[50, 50], [350, 50], [350, 350], [50, 350]], float))


def two_boards(gap: int) -> NDArray[np.uint8]:
    """A board of 15 lines with a stone each way, and left of it a smaller one."""
    right = drawn.board({(7, 7): "B", (7, 8): "W"})
    small = cv2.resize(drawn.board({(3, 3): "B"}), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    left = np.full((right.shape[0], small.shape[1] + gap, 3), drawn.TABLE, np.uint8)
    left[100 : 100 + small.shape[0], : small.shape[1]] = small
    return np.hstack([left, right])


@pytest.mark.parametrize("mirrored", [False, True])
def test_another_board_beside_the_one_read_is_found(mirrored: bool) -> None:
    """The larger is read; of the smaller it is told where it lies: its middle, 0.6 of the larger one's."""
    picture = two_boards(40)
    middle = np.array([drawn.CORNERS.mean(axis=0)])[0] * 0.6 + [0, 100]
    if mirrored:
        picture = np.ascontiguousarray(picture[:, ::-1])
        middle[0] = picture.shape[1] - middle[0]
    reading = read_still(picture, [15], look_beside=True)
    letters = "".join(reading.rows)
    assert (letters.count("B"), letters.count("W")) == (1, 1)
    assert reading.other is not None
    assert np.abs(reading.other.mean(axis=0) - middle).max() < 8


def test_one_board_is_alone() -> None:
    assert read_still(two_boards(40)[:, 620:], [15], look_beside=True).other is None
    wide = np.hstack([np.full((drawn.HEIGHT, 700, 3), drawn.TABLE, np.uint8), drawn.board({})])
    assert read_still(wide, [15], look_beside=True).other is None
