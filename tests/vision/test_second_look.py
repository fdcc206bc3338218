"""The network's second opinion: on rendered boards, only where nothing moves, and no longer than that."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pose import raised
from tests.vision.drawn import CORNERS, HEIGHT, WIDTH, board
from vision.observation import Content, Frame, Instant, Intersection
from vision.rectify import Rectifier
from vision.second_look import SecondLook
from vision.stone_net import CLASSES
from vision.stones import STONE_MIDDLE

STONES = {(3, 3): "B", (4, 4): "W", (10, 2): "W", (14, 14): "B", (0, 7): "W"}
RECTIFY = Rectifier(raised(CORNERS, 15, (WIDTH, HEIGHT), STONE_MIDDLE), 15)
NOW = 1000


def shot(image: NDArray[np.uint8], now_ns: int) -> Frame:
    return Frame(index=now_ns % 97, start_ns=now_ns, end_ns=now_ns, image=image)


def changed(*points: tuple[int, int]) -> NDArray[np.bool_]:
    out = np.zeros((15, 15), bool)
    for at in points:
        out[at] = True
    return out


NOTHING = np.zeros((15, 15), np.int8)
"""Held: no stone anywhere."""


def still(since: int = 0) -> NDArray[np.int64]:
    return np.full((17, 17), since, np.int64)


@pytest.mark.parametrize("points", [[at] for at in STONES] + [[(7, 7)], [*STONES, (7, 7)]])
def test_what_stands_on_changed_points_is_seen(points: list[tuple[int, int]]) -> None:
    look = SecondLook(15)
    look.ask(shot(board(STONES), NOW), RECTIFY, changed(*points), NOTHING, still())
    assert [look.sees(Intersection(*at)) for at in points] == [Content(STONES.get(at, ".")) for at in points]
    assert (look.uncovered() == changed(*points)).all()


def test_nothing_is_said_of_other_points() -> None:
    look = SecondLook(15)
    look.ask(shot(board(STONES), NOW), RECTIFY, changed((3, 3)), NOTHING, still())
    assert look.sees(Intersection(4, 4)) is None


def test_nothing_is_asked_where_something_moves() -> None:
    moving = still()
    moving[4, 5] = NOW  # the tile beside the point (3, 3)
    look = SecondLook(15)
    look.ask(shot(board(STONES), NOW), RECTIFY, changed((3, 3), (10, 2)), NOTHING, moving)
    assert look.sees(Intersection(3, 3)) is None
    assert look.sees(Intersection(10, 2)) is Content.WHITE


def test_what_was_said_holds_until_something_moves() -> None:
    look = SecondLook(15)
    for now in (NOW - 1, NOW):
        look.ask(shot(board(STONES), now), RECTIFY, changed((3, 3)), NOTHING, still())
    other = board({})
    look.ask(shot(other, NOW + 1), RECTIFY, changed((3, 3)), NOTHING, still())
    assert look.sees(Intersection(3, 3)) is Content.BLACK
    look.ask(shot(other, NOW + 2), RECTIFY, changed((3, 3)), NOTHING, still(NOW + 1))
    assert look.sees(Intersection(3, 3)) is Content.EMPTY
    look.ask(shot(other, NOW + 3), RECTIFY, changed(), NOTHING, still(NOW + 3))
    assert look.sees(Intersection(3, 3)) is None


def test_it_is_asked_twice_and_must_say_the_same() -> None:
    look = SecondLook(15)
    look.ask(shot(board(STONES), NOW), RECTIFY, changed((3, 3)), NOTHING, still())
    look.ask(shot(board({}), NOW + 1), RECTIFY, changed((3, 3)), NOTHING, still())
    assert look.sees(Intersection(3, 3)) is None
    look.ask(shot(board({}), NOW + 2), RECTIFY, changed((3, 3)), NOTHING, still())
    assert look.sees(Intersection(3, 3)) is Content.EMPTY


def test_what_was_said_is_forgotten_when_the_board_may_lie_elsewhere() -> None:
    look = SecondLook(15)
    look.ask(shot(board(STONES), NOW), RECTIFY, changed((3, 3)), NOTHING, still())
    look.forget()
    assert look.sees(Intersection(3, 3)) is None
    assert not look.uncovered().any()


def test_a_hand_is_no_stone_and_no_bare_point() -> None:
    look = SecondLook(15)
    points = [(10, 10), (11, 11), (12, 12)]
    look.ask(shot(board({}, hand=((10.0, 10.0), (17.0, 17.0))), NOW), RECTIFY, changed(*points), NOTHING, still())
    assert all(look.sees(Intersection(*at)) in (None, Content.UNSEEN) for at in points)
    assert not look.uncovered().any()


S = 1_000_000_000


def held(stones: dict[tuple[int, int], str]) -> NDArray[np.int8]:
    out = NOTHING.copy()
    for at, colour in stones.items():
        out[at] = CLASSES.index(Content(colour))
    return out


class TestAudit:
    """What looks as it did is looked over too, once the board is at rest."""

    def test_a_stone_that_came_unnoticed_is_disputed(self) -> None:
        look = SecondLook(15)
        look.ask(shot(board({}), S), RECTIFY, changed(), NOTHING, still())
        assert not look.disputed()
        for now in (3 * S, 4 * S):  # something moved somewhere at 2 s
            look.ask(shot(board({(10, 2): "W"}), now), RECTIFY, changed(), NOTHING, still(2 * S))
        assert look.disputed() == {(10, 2): Instant(ns=S, frame=S % 97)}
        assert look.sees(Intersection(10, 2)) is Content.WHITE

    def test_once_seen_it_is_not_disputed(self) -> None:
        look = SecondLook(15)
        look.ask(shot(board({}), S), RECTIFY, changed(), NOTHING, still())
        look.ask(shot(board({(10, 2): "W"}), 3 * S), RECTIFY, changed(), NOTHING, still(2 * S))
        assert not look.disputed()

    def test_a_stone_that_went_unnoticed_is_disputed(self) -> None:
        look, stones = SecondLook(15), {(10, 2): "W", (3, 3): "B"}
        look.ask(shot(board(stones), S), RECTIFY, changed(), held(stones), still())
        for now in (3 * S, 4 * S):
            look.ask(shot(board({(3, 3): "B"}), now), RECTIFY, changed(), held(stones), still(2 * S))
        assert [*look.disputed()] == [(10, 2)]

    def test_a_stone_that_seems_to_change_colour_lies_in_other_light(self) -> None:
        look = SecondLook(15)
        black = held({(10, 2): "B"})
        look.ask(shot(board({(10, 2): "B"}), S), RECTIFY, changed(), black, still())
        for now in (3 * S, 4 * S):
            look.ask(shot(board({(10, 2): "W"}), now), RECTIFY, changed(), black, still(2 * S))
        assert look.sees(Intersection(10, 2)) is Content.WHITE
        assert not look.disputed()

    def test_where_it_never_saw_what_is_held_it_has_no_say(self) -> None:
        """Such as a mark on the board that it takes for a stone."""
        look = SecondLook(15)
        for now in (S, 3 * S, 5 * S):
            look.ask(shot(board({(10, 2): "W"}), now), RECTIFY, changed(), NOTHING, still(now - S))
        assert not look.disputed()

    def test_what_is_held_anew_must_be_seen_anew(self) -> None:
        look = SecondLook(15)
        look.ask(shot(board({}), S), RECTIFY, changed(), NOTHING, still())
        black = held({(10, 2): "B"})  # so it was taken, whatever the network says
        for now in (3 * S, 4 * S, 5 * S):
            look.ask(shot(board({(10, 2): "W"}), now), RECTIFY, changed(), black, still(now - S))
        assert not look.disputed()

    def test_while_the_board_is_not_at_rest_it_is_not_asked(self) -> None:
        look = SecondLook(15)
        busy = still()
        busy[3:9, 3:12] = S  # a hand
        look.ask(shot(board({}), S), RECTIFY, changed(), NOTHING, busy)
        look.ask(shot(board({}), S + S // 5), RECTIFY, changed(), NOTHING, still(S))
        assert look.sees(Intersection(14, 14)) is None

    def test_nothing_moved_so_it_is_not_asked_again(self) -> None:
        look = SecondLook(15)
        look.ask(shot(board({}), S), RECTIFY, changed(), NOTHING, still())
        for now in (3 * S, 5 * S):
            look.ask(shot(board({(10, 2): "W"}), now), RECTIFY, changed(), NOTHING, still())
        assert look.sees(Intersection(10, 2)) is Content.EMPTY
