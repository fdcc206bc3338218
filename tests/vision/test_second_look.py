"""The network's second opinion: on rendered boards, only where nothing moves, and no longer than that."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pose import raised
from tests.vision.drawn import CORNERS, HEIGHT, WIDTH, board
from vision.observation import Content, Intersection
from vision.rectify import Rectifier
from vision.second_look import SecondLook
from vision.stones import STONE_MIDDLE

STONES = {(3, 3): "B", (4, 4): "W", (10, 2): "W", (14, 14): "B", (0, 7): "W"}
RECTIFY = Rectifier(raised(CORNERS, 15, (WIDTH, HEIGHT), STONE_MIDDLE), 15)
NOW = 1000


def changed(*points: tuple[int, int]) -> NDArray[np.bool_]:
    out = np.zeros((15, 15), bool)
    for at in points:
        out[at] = True
    return out


def still(since: int = 0) -> NDArray[np.int64]:
    return np.full((17, 17), since, np.int64)


@pytest.mark.parametrize("points", [[at] for at in STONES] + [[(7, 7)], [*STONES, (7, 7)]])
def test_what_stands_on_changed_points_is_seen(points: list[tuple[int, int]]) -> None:
    look = SecondLook(15)
    look.ask(board(STONES), RECTIFY, changed(*points), still(), NOW)
    assert [look.sees(Intersection(*at)) for at in points] == [Content(STONES.get(at, ".")) for at in points]
    assert (look.uncovered() == changed(*points)).all()


def test_nothing_is_said_of_other_points() -> None:
    look = SecondLook(15)
    look.ask(board(STONES), RECTIFY, changed((3, 3)), still(), NOW)
    assert look.sees(Intersection(4, 4)) is None


def test_nothing_is_asked_where_something_moves() -> None:
    moving = still()
    moving[4, 5] = NOW  # the tile beside the point (3, 3)
    look = SecondLook(15)
    look.ask(board(STONES), RECTIFY, changed((3, 3), (10, 2)), moving, NOW)
    assert look.sees(Intersection(3, 3)) is None
    assert look.sees(Intersection(10, 2)) is Content.WHITE


def test_what_was_said_holds_until_something_moves() -> None:
    look = SecondLook(15)
    for now in (NOW - 1, NOW):
        look.ask(board(STONES), RECTIFY, changed((3, 3)), still(), now)
    other = board({})
    look.ask(other, RECTIFY, changed((3, 3)), still(), NOW + 1)
    assert look.sees(Intersection(3, 3)) is Content.BLACK
    look.ask(other, RECTIFY, changed((3, 3)), still(NOW + 1), NOW + 2)
    assert look.sees(Intersection(3, 3)) is Content.EMPTY
    look.ask(other, RECTIFY, changed(), still(), NOW + 3)
    assert look.sees(Intersection(3, 3)) is None


def test_it_is_asked_twice_and_must_say_the_same() -> None:
    look = SecondLook(15)
    look.ask(board(STONES), RECTIFY, changed((3, 3)), still(), NOW)
    look.ask(board({}), RECTIFY, changed((3, 3)), still(), NOW + 1)
    assert look.sees(Intersection(3, 3)) is None


def test_what_was_said_is_forgotten_when_the_board_may_lie_elsewhere() -> None:
    look = SecondLook(15)
    look.ask(board(STONES), RECTIFY, changed((3, 3)), still(), NOW)
    look.forget()
    assert look.sees(Intersection(3, 3)) is None
    assert not look.uncovered().any()


def test_a_hand_is_no_stone_and_no_bare_point() -> None:
    look = SecondLook(15)
    points = [(10, 10), (11, 11), (12, 12)]
    look.ask(board({}, hand=((10.0, 10.0), (17.0, 17.0))), RECTIFY, changed(*points), still(), NOW)
    assert all(look.sees(Intersection(*at)) in (None, Content.UNSEEN) for at in points)
    assert not look.uncovered().any()
