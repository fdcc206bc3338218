"""From observations to acts: what must be seen, how often, and in which bracket it is dated."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.films import SIZE, Film, film
from tests.vision.streams import MS, Watch, frames, interval, observation, rows, spot
from vision.acts import (
    BoardAct,
    BoardMoved,
    CameraCovered,
    Displaced,
    Dropped,
    Hand,
    Manner,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)
from vision.follow import Follower
from vision.observation import Content, Instant, Intersection, Stone

B, W = Content.BLACK, Content.WHITE


A = TypeVar("A", bound=BoardAct)


def only(acts: list[BoardAct], kind: type[A]) -> A:
    """The one act there is, of this kind."""
    (act,) = acts
    assert isinstance(act, kind)
    return act


class TestPlaced:
    def test_after_two_sightings(self) -> None:
        watch = Watch()
        assert watch.see(0) == []
        assert watch.see(100, "D4") == []
        act = only(watch.see(200, "D4"), Placed)
        assert (act.at, act.content, act.alone) == (spot("D4"), B, True)
        assert interval(act.bracket) == (0, 100)
        assert frames(act.bracket) == (0, 1)
        assert act.seen_ns == 200 * MS
        assert watch.see(300, "D4") == []
        assert watch.follower.known[spot("D4")] is B

    def test_never_seen_free(self) -> None:
        watch = Watch()
        watch.see(0, hidden="D4")
        watch.see(100, white="D4")
        act = only(watch.see(200, white="D4"), Placed)
        assert interval(act.bracket) == (None, 100)
        assert frames(act.bracket) == (None, 1)

    def test_frames_in_which_it_came_unnoticed_did_not_see_the_point(self) -> None:
        watch = Watch()
        for t in (0, 100, 200, 300):
            watch.see(t)
        since = {"D4": Instant(ns=100 * MS, frame=1)}
        assert watch.see(400, hidden="D4", unnoticed=since) == []
        watch.see(500, white="D4", unnoticed=since)
        act = only(watch.see(600, white="D4"), Placed)
        assert interval(act.bracket) == (100, 500)
        assert frames(act.bracket) == (1, 5)

    @pytest.mark.parametrize(
        ("hidden", "hand"),
        [
            ("", Hand.NONE),
            ("D4", Hand.NONE),
            ("D4 E4", Hand.NONE),
            ("D4 E4 E3", Hand.OVER),
            ("G7 G6 F7 F6", Hand.NONE),
        ],
    )
    def test_whether_a_hand_was_seen_that_may_have_brought_it(self, hidden: str, hand: Hand) -> None:
        """A drop on the lens looks like a stone, and comes without one; a hand elsewhere did not bring it."""
        watch = Watch()
        watch.see(0)
        watch.see(100, hidden=hidden)
        if "D4" not in hidden:
            watch.see(150, hidden="D4")
        watch.see(200, "D4")
        assert only(watch.see(300, "D4"), Placed).hand is hand

    def test_a_hand_beside_the_point_may_not_have_brought_it(self) -> None:
        watch = Watch()
        watch.see(0)
        watch.see(100, "D4", hidden="E4 E3 D3")
        assert only(watch.see(200, "D4"), Placed).hand is Hand.NEAR

    @pytest.mark.parametrize(
        ("odd", "hand"),
        [
            ((True, True), Hand.NONE),
            ((True, None), Hand.NONE),
            ((True, False), Hand.OVER),
            ((False, True), Hand.OVER),
            ((None, None), Hand.OVER),
        ],
    )
    def test_no_hand_brings_what_is_never_as_large_as_a_stone(self, odd: tuple[bool | None, ...], hand: Hand) -> None:
        watch = Watch()
        watch.see(0)
        watch.see(100, hidden="D4 E4 E3")
        told = []
        for t, is_odd in zip((200, 300), odd, strict=True):
            radius = None if is_odd is None else 0.5
            stone = Stone(content=B, dx=0.0, dy=0.0, radius=radius, odd_size=bool(is_odd))
            told = watch.see(t, "D4", stones={"D4": stone})
        assert only(told, Placed).hand is hand

    @pytest.mark.parametrize(("colour", "hand"), [("white", Hand.NEAR), ("black", Hand.OVER)])
    def test_of_two_colours_that_one_visit_brought_one_may_be_a_gleam(self, colour: str, hand: Hand) -> None:
        watch = Watch()
        watch.see(0)
        watch.see(100, hidden="D4 E4 E3 D3")
        for t in (200, 300):
            told = watch.see(t, "D4", "D3") if colour == "white" else watch.see(t, "D4 D3")
        assert [act.hand for act in told if isinstance(act, Placed)] == [hand, hand]

    def test_a_stone_that_seems_to_change_its_colour_may_only_be_covered(self) -> None:
        """By a fly that came under the hand."""
        watch = Watch(white="D4")
        watch.see(0, white="D4")
        watch.see(100, hidden="D4 E4 E3")
        watch.see(200, "D4")
        left, came = watch.see(300, "D4")
        assert isinstance(left, Removed)
        assert isinstance(came, Placed)
        assert (left.hand, came.hand) == (Hand.NEAR, Hand.NEAR)

    @pytest.mark.parametrize(("off", "beside"), [(0.3, False), (0.4, True)])
    def test_far_from_its_point_it_is_beside_it(self, off: float, beside: bool) -> None:
        watch = Watch()
        watch.see(0)
        stones = {"D4": Stone(content=B, dx=off, dy=0.0)}
        watch.see(100, "D4", stones=stones)
        assert only(watch.see(200, "D4", stones=stones), Placed).beside is beside

    def test_cover_moves_neither_end(self) -> None:
        watch = Watch()
        watch.see(0)
        for t in (100, 200, 300):
            assert watch.see(t, hidden="D4 D3 D2 D1") == []
        assert watch.see(400, "D4") == []
        assert watch.see(500, hidden="D4") == []
        act = only(watch.see(600, "D4"), Placed)
        assert interval(act.bracket) == (0, 400)
        assert act.seen_ns == 600 * MS

    def test_a_flicker_is_nothing(self) -> None:
        watch = Watch()
        watch.see(0)
        assert watch.see(100, "D4") == []
        assert watch.see(200) == []
        assert watch.see(300, "D4") == []
        assert watch.see(400) == []
        assert watch.follower.known[spot("D4")] is Content.EMPTY

    def test_two_colours_in_turn_are_nothing(self) -> None:
        watch = Watch()
        watch.see(0)
        assert watch.see(100, "D4") == []
        assert watch.see(200, white="D4") == []
        assert watch.see(300, "D4") == []
        assert interval(only(watch.see(400, "D4"), Placed).bracket)[1] <= 300

    def test_a_stone_lost_for_one_frame(self) -> None:
        """It was laid in (0, 100]; that the next frame misread the point must not date it later."""
        watch = Watch()
        watch.see(0)
        watch.see(100, "D4")
        watch.see(200)
        watch.see(300, "D4")
        act = only(watch.see(400, "D4"), Placed)
        after, by = interval(act.bracket)
        assert after == 0
        assert by in (100, 300)

    def test_beside_a_hand_it_takes_longer(self) -> None:
        """A fingertip looks like a stone; at rest for 0.35 s it is one."""
        watch = Watch()
        watch.see(0)
        for t in (100, 200, 300, 400):
            assert watch.see(t, "D4", hidden="D3 D2") == []
        act = only(watch.see(450, "D4", hidden="D3 D2"), Placed)
        assert not act.alone
        assert interval(act.bracket) == (0, 100)

    @pytest.mark.parametrize(("first", "later", "by"), [(0.12, 0.08, 200), (0.10, 0.08, 100)])
    def test_a_stone_still_held_above_the_board_is_not_yet_laid(self, first: float, later: float, by: int) -> None:
        """In the hand it seems to lie a little elsewhere; what is within a measurement's error lies still."""
        watch = Watch()
        watch.see(0)
        for t, dx in ((100, first), (200, later), (300, later)):
            stone = Stone(content=B, dx=dx, dy=0.0, hidden_around=1)
            assert watch.see(t, "D4", hidden="D3", stones={"D4": stone}) == []
        act = only(watch.see(400, "D4", stones={"D4": Stone(content=B, dx=later, dy=0.0)}), Placed)
        assert interval(act.bracket) == (0, by)

    def test_once_the_hand_is_gone_it_is_certain(self) -> None:
        watch = Watch()
        watch.see(0)
        assert watch.see(100, "D4", hidden="D3 D2") == []
        act = only(watch.see(200, "D4"), Placed)
        assert act.alone
        assert interval(act.bracket) == (0, 100)

    def test_a_fingertip_that_goes_on(self) -> None:
        """Seen at two places of one point it is no stone that stands."""
        watch = Watch()
        watch.see(0)
        for n, t in enumerate((100, 200)):
            dx = -0.2 + 0.2 * n
            assert watch.see(t, "D4", stones={"D4": Stone(content=B, dx=dx, dy=0.0)}) == []
        act = only(watch.see(300, "D4", stones={"D4": Stone(content=B, dx=0.02, dy=0.0)}), Placed)
        assert interval(act.bracket)[0] == 0

    def test_two_at_once_in_the_order_of_their_brackets(self) -> None:
        watch = Watch()
        watch.see(0)
        watch.see(100, hidden="D4")
        watch.see(200, white="E5", hidden="D4", hand=True)
        acts = watch.see(300, "D4", "E5")
        assert [interval(a.bracket) for a in acts] == [(100, 200)]
        acts = watch.see(400, "D4", "E5")
        assert [interval(a.bracket) for a in acts] == [(0, 300)]
        watch = Watch()
        watch.see(0)
        watch.see(100, hidden="G7")
        watch.see(200, "G7", "A1")
        acts = watch.see(300, "G7", "A1")
        assert [(a.at, interval(a.bracket)) for a in acts if isinstance(a, Placed)] == [
            (spot("G7"), (0, 200)),
            (spot("A1"), (100, 200)),
        ]


class TestTakenAway:
    def test_removed(self) -> None:
        watch = Watch("D4")
        watch.see(0, "D4")
        assert watch.see(100) == []
        act = only(watch.see(200), Removed)
        assert (act.at, act.content) == (spot("D4"), B)
        assert interval(act.bracket) == (0, 100)
        assert watch.follower.known[spot("D4")] is Content.EMPTY

    def test_hidden_is_not_removed(self) -> None:
        watch = Watch("D4")
        for t in range(0, 2000, 100):
            assert watch.see(t, hidden="D4 D5") == []
        assert watch.follower.known[spot("D4")] is B

    def test_missed_for_one_frame(self) -> None:
        watch = Watch("D4")
        watch.see(0, "D4")
        assert watch.see(100) == []
        assert watch.see(200, "D4") == []
        assert watch.see(300) == []
        assert watch.see(400, "D4") == []

    def test_another_colour_in_its_place(self) -> None:
        watch = Watch("D4")
        watch.see(0, "D4")
        watch.see(100, white="D4")
        gone, came = watch.see(200, white="D4")
        assert isinstance(gone, Removed)
        assert isinstance(came, Placed)
        assert (gone.at, gone.content, came.at, came.content) == (spot("D4"), B, spot("D4"), W)
        assert interval(gone.bracket) == interval(came.bracket) == (0, 100)


class TestRelocated:
    def watch(self) -> Watch:
        """A black stone on B4 that a hand is about to take."""
        watch = Watch("B4")
        watch.see(0, "B4")
        return watch

    def test_lifted(self) -> None:
        """The hand never left, and a frame showed both points and the way between them empty."""
        watch = self.watch()
        watch.see(100, hidden="C1 D1")
        only(watch.see(200, hidden="C1 D1"), Removed)
        assert watch.see(300, hidden="C1 D1") == []
        watch.see(400, hidden="F4 F3")
        watch.see(500, "F4", hidden="G1")
        act = only(watch.see(600, "F4"), Relocated)
        assert (act.origin, act.at, act.content, act.manner) == (spot("B4"), spot("F4"), B, Manner.LIFTED)
        assert interval(act.left) == (0, 100)
        assert interval(act.bracket) == (300, 500)
        assert interval(act.way) == (0, 500)

    @pytest.mark.parametrize(
        ("between", "manner"),
        [
            (Stone(content=B, dx=0.45, dy=0.1), Manner.SLID),  # half-way from C4 to D4
            (Stone(content=B, dx=0.45, dy=0.1, hidden_around=2), Manner.UNKNOWN),  # perhaps in a hand
            (Stone(content=B, dx=0.45, dy=0.1, score=0.4), Manner.UNKNOWN),  # hardly a stone
            (Stone(content=W, dx=0.45, dy=0.1), Manner.UNKNOWN),
        ],
    )
    def test_seen_between_the_points_it_slid(self, between: Stone, manner: Manner) -> None:
        watch = self.watch()
        for t in (100, 200):
            watch.see(t, hidden="B4 C4 D4 E4 F4 F3 D3")
        watch.see(300, hidden="E4 F4 F3 D3", loose={"C4": between})
        watch.see(400, hidden="E4 F4 F3 D3 C4 D4")
        watch.see(500, "F4", hidden="G1 D4")
        *_, came = watch.see(600, "F4")
        assert isinstance(came, Relocated)
        assert (came.origin, came.at, came.manner) == (spot("B4"), spot("F4"), manner)

    def test_stones_put_back_where_they_stood_did_not_change_places(self) -> None:
        """Two of one colour were taken up and both points are taken again: each is its own."""
        watch = Watch("B4 F4")
        watch.see(0, "B4 F4")
        for t in (100, 200):
            watch.see(t, hidden="C1 D1")
        for t in (300, 400):
            acts = watch.see(t, "B4 F4", hidden="C1 D1")
        assert {(type(act), act.at) for act in acts if isinstance(act, Placed)} == {
            (Placed, spot("B4")),
            (Placed, spot("F4")),
        }
        assert not any(isinstance(act, Relocated) for act in acts)

    def test_pushed_beside_its_point_it_is_not_the_stone_that_comes_elsewhere(self) -> None:
        watch = self.watch()
        watch.see(100, hidden="B4 F4")
        pushed = {"B4": Stone(content=B, dx=0.55, dy=0.0)}
        watch.see(200, "F4", hidden="G1", loose=pushed)
        gone, came = watch.see(300, "F4", hidden="G1", loose=pushed)
        assert isinstance(gone, Removed)
        assert isinstance(came, Placed)
        assert came.at == spot("F4")

    def test_under_the_hand_all_the_way(self) -> None:
        watch = self.watch()
        hand = "B4 C4 D4 E4 F4 F3"
        watch.see(100, hidden=hand)
        watch.see(200, hidden=hand)
        watch.see(300, "F4", hidden="G1")
        gone, came = watch.see(400, "F4")
        assert isinstance(gone, Removed)
        assert isinstance(came, Relocated)
        assert came.manner is not Manner.LIFTED
        assert interval(came.way) == (0, 300)

    def test_the_hand_went_away_in_between(self) -> None:
        """Then it is another stone, or was laid down elsewhere: leaving and coming are told apart."""
        watch = self.watch()
        watch.see(100, hidden="C1")
        only(watch.see(200, hidden="C1"), Removed)
        watch.see(300)
        watch.see(400, hidden="F4")
        watch.see(500, "F4")
        only(watch.see(600, "F4"), Placed)

    def test_another_colour_is_another_stone(self) -> None:
        watch = self.watch()
        watch.see(100, hidden="C1")
        only(watch.see(200, hidden="C1"), Removed)
        watch.see(300, white="F4", hidden="G1")
        only(watch.see(400, white="F4", hidden="G1"), Placed)

    def test_put_back_where_it_stood(self) -> None:
        watch = self.watch()
        watch.see(100, hidden="C1")
        only(watch.see(200, hidden="C1"), Removed)
        watch.see(300, "B4", hidden="C1")
        only(watch.see(400, "B4", hidden="C1"), Placed)

    def test_two_stones_each_to_the_nearest_point(self) -> None:
        watch = Watch("B2 B6")
        watch.see(0, "B2 B6")
        watch.see(100, hidden="G1")
        assert len(watch.see(200, hidden="G1")) == 2
        watch.see(300, "C2 C6", hidden="G1")
        acts = watch.see(400, "C2 C6", hidden="G1")
        assert {(a.origin, a.at) for a in acts if isinstance(a, Relocated)} == {
            (spot("B2"), spot("C2")),
            (spot("B6"), spot("C6")),
        }

    @pytest.mark.parametrize(("hidden", "hand"), [("B4 B5 C5", Hand.OVER), ("", Hand.NONE)])
    def test_whether_a_hand_was_where_it_left(self, hidden: str, hand: Hand) -> None:
        """A fly that sat on the lens goes while a stone is laid elsewhere: nobody lifted anything."""
        watch = self.watch()
        watch.see(100, "" if hidden else "B4", hidden=f"{hidden} F4 F5 G5 G4")
        told = [act for t in (200, 300) for act in watch.see(t, "F4", hidden="F5 G5 G4")]
        left, came = [*told, *watch.see(400, "F4")]
        assert isinstance(left, Removed)
        assert isinstance(came, Relocated)
        assert (left.hand, came.hand) == (hand, hand)


def beside(content: Content, dx: float = 0.5) -> Stone:
    return Stone(content=content, dx=dx, dy=0.0)


class TestLooseStones:
    @pytest.mark.parametrize(("hidden", "hand"), [("D4 D3 E3", Hand.OVER), ("", Hand.NONE)])
    def test_whether_a_hand_picked_it_up(self, hidden: str, hand: Hand) -> None:
        """A drop on the lens dries."""
        watch = Watch()
        lying = {"D4": Stone(content=B, dx=0.45, dy=0.0)}
        watch.see(0)
        watch.see(100, hidden="D4 D3 E3")
        for t in (200, 300, 400):
            watch.see(t, loose=lying)
        if hidden:
            watch.see(500, hidden=hidden)
        assert only(watch.see(600), Dropped).hand is hand

    def test_dropped_and_picked_up(self) -> None:
        watch = Watch()
        watch.see(0)
        for t in (100, 200, 300):
            assert watch.see(t, hidden="D4", loose={"D4": beside(W)}) == []
        act = only(watch.see(400), Dropped)
        assert (act.near, act.content) == (spot("D4"), W)
        assert interval(act.bracket) == (0, 100)

    def test_a_fingertip_is_no_dropped_stone(self) -> None:
        """The hand that it belongs to hides the points behind it, all the while."""
        watch = Watch()
        watch.see(0)
        for t in (100, 200, 300, 400, 500):
            assert watch.see(t, hidden="D4 E5 F5 F6 E6", loose={"D4": beside(B)}) == []
        assert watch.see(600) == []

    def test_a_stone_from_which_the_hand_withdrew_once_is_dropped(self) -> None:
        watch = Watch()
        watch.see(0)
        for t, hand in ((100, "E5 F5 F6 E6"), (200, ""), (300, "E5 F5 F6 E6")):
            assert watch.see(t, hidden=f"D4 {hand}", loose={"D4": beside(W)}) == []
        only(watch.see(400), Dropped)

    def test_one_that_is_pushed_about_as_it_is_picked_up_was_dropped(self) -> None:
        watch = Watch()
        watch.see(0)
        for t in (100, 200, 300):
            watch.see(t, hidden="D4", loose={"D4": beside(B)})
        watch.see(400, hidden="D4", loose={"D4": beside(B, dx=0.7)})
        assert interval(only(watch.see(500), Dropped).bracket) == (0, 100)

    def test_what_is_barely_like_a_stone_is_not_dropped(self) -> None:
        watch = Watch()
        watch.see(0)
        for t in (100, 200, 300, 400):
            watch.see(t, hidden="D4", loose={"D4": replace(beside(W), score=0.57)})
        assert watch.see(500) == []

    def test_seen_once_is_nothing(self) -> None:
        watch = Watch()
        watch.see(0)
        assert watch.see(100, hidden="D4", loose={"D4": beside(W)}) == []
        assert watch.see(200) == []

    def test_hidden_is_not_picked_up(self) -> None:
        watch = Watch()
        watch.see(0)
        for t in (100, 200):
            watch.see(t, hidden="D4", loose={"D4": beside(W)})
        assert watch.see(300, hidden="D4 D3 E4") == []
        assert watch.see(400, hidden="D4", loose={"D4": beside(W)}) == []
        only(watch.see(500), Dropped)

    def test_pushed_onto_its_point(self) -> None:
        """It was laid badly, not dropped."""
        watch = Watch()
        watch.see(0)
        for t in (100, 200):
            watch.see(t, hidden="D4", loose={"D4": beside(W)})
        watch.see(300, white="D4")
        only(watch.see(400, white="D4"), Placed)
        assert watch.see(500, white="D4") == []


class TestNudged:
    def see(self, watch: Watch, t: int, dx: float, score: float = 1.0) -> list[BoardAct]:
        return watch.see(t, "D4", stones={"D4": Stone(content=B, dx=dx, dy=0.05, score=score)})

    def test_displaced(self) -> None:
        watch = Watch("D4")
        assert self.see(watch, 0, 0.0) == []
        assert self.see(watch, 100, 0.0) == []
        assert self.see(watch, 200, 0.34) == []
        act = only(self.see(watch, 300, 0.34), Displaced)
        assert (act.at, act.content) == (spot("D4"), B)
        assert act.offset == pytest.approx((0.34, 0.0))
        assert act.seen_ns == 300 * MS
        assert self.see(watch, 400, 0.34) == []

    def test_its_bracket(self) -> None:
        """Last seen where it stood at 100, first seen elsewhere at 200."""
        watch = Watch("D4")
        self.see(watch, 0, 0.0)
        self.see(watch, 100, 0.0)
        self.see(watch, 200, 0.34)
        act = only(self.see(watch, 300, 0.34), Displaced)
        assert interval(act.bracket) == (100, 200)
        assert frames(act.bracket) == (1, 2)

    def test_straightened(self) -> None:
        watch = Watch("D4 F4")
        off = {name: Stone(content=B, dx=0.2, dy=0.0) for name in ("D4", "F4")}
        on = {name: Stone(content=B, dx=0.02, dy=0.0) for name in ("D4", "F4")}
        for t in (0, 100):
            assert watch.see(t, "D4 F4", stones=off) == []
        watch.see(200, hidden="D4 F4 D3 F3")
        assert watch.see(300, "D4 F4", stones=on) == []
        act = only(watch.see(400, "D4 F4", stones=on), Straightened)
        assert act.points == {spot("D4"), spot("F4")}
        assert interval(act.bracket) == (100, 300)
        assert watch.see(500, "D4 F4", stones=on) == []

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (Stone(content=B, dx=0.2, dy=0.0), Stone(content=B, dx=0.1, dy=0.0)),  # measurement
            (Stone(content=B, dx=0.02, dy=0.0), Stone(content=B, dx=0.2, dy=0.0)),  # away from its point
            (Stone(content=B, dx=0.2, dy=0.0, hidden_around=1), Stone(content=B, dx=0.02, dy=0.0)),
            (Stone(content=B, dx=0.2, dy=0.0), Stone(content=B, dx=0.02, dy=0.0, hidden_around=1)),
            (Stone(content=B, dx=0.2, dy=0.0), Stone(content=B, dx=0.02, dy=0.0, score=0.5)),
        ],
    )
    def test_not_straightened(self, before: Stone, after: Stone) -> None:
        watch = Watch("D4")
        for t in (0, 100):
            watch.see(t, "D4", stones={"D4": before})
        for t in (200, 300, 400):
            assert watch.see(t, "D4", stones={"D4": after}) == []

    def test_a_little_is_nothing(self) -> None:
        watch = Watch("D4")
        self.see(watch, 0, 0.0)
        for t in range(100, 1000, 100):
            assert self.see(watch, t, 0.25) == []

    def test_laid_off_centre_is_where_it_stands(self) -> None:
        watch = Watch()
        watch.see(0)
        self.see(watch, 100, 0.3)
        only(self.see(watch, 200, 0.3), Placed)
        for t in range(300, 1000, 100):
            assert self.see(watch, t, 0.32) == []

    def test_badly_measured_is_nothing(self) -> None:
        watch = Watch("D4")
        self.see(watch, 0, 0.0)
        for t in range(100, 1000, 100):
            assert self.see(watch, t, 0.34, score=0.5) == []

    def test_for_one_frame_is_nothing(self) -> None:
        watch = Watch("D4")
        for t in range(0, 1000, 100):
            assert self.see(watch, t, 0.34 if t % 200 else 0.0) == []


def test_board_moved() -> None:
    watch = Watch("D4")
    assert watch.see(0, "D4", shift=0.05) == []
    act = only(watch.see(100, "D4", shift=0.4), BoardMoved)
    assert act.shift == pytest.approx(0.4)
    assert interval(act.bracket) == (0, 100)
    assert frames(act.bracket) == (0, 1)
    assert watch.see(200, "D4") == []


class TestScattered:
    BLACK, WHITE = "C3 D4 E5 C5", "C4 D5 E4"

    def scatter(self, watch: Watch) -> list[BoardAct]:
        """A sleeve swept over the board: four stones lie elsewhere."""
        watch.see(0, self.BLACK, self.WHITE)
        watch.see(100, self.BLACK, self.WHITE)
        watch.see(200, hidden="C3 D3 E3 C4 D4 E4 C5 D5 E5 F3 F4 F5")
        watch.see(300, "C3 D3 F5 C5", "C4 D5 F4")
        return watch.see(400, "C3 D3 F5 C5", "C4 D5 F4")

    def test_is_told_before_the_single_stones(self) -> None:
        acts = self.scatter(Watch(self.BLACK, self.WHITE))
        first, *others = acts
        assert isinstance(first, Scattered)
        assert first.points == {spot("D4"), spot("E5"), spot("E4")}
        assert interval(first.bracket) == (100, 300)
        assert {a.at for a in others if isinstance(a, Relocated | Placed)} == {spot("D3"), spot("F5"), spot("F4")}

    def test_what_differs_is_known_until_the_board_is_restored(self) -> None:
        watch = Watch(self.BLACK, self.WHITE)
        self.scatter(watch)
        assert watch.follower.differing == {spot(n) for n in ["D4", "E5", "E4", "D3", "F5", "F4"]}
        watch.see(2000, "C3 D4 F5 C5", "C4 D5 F4")
        assert not any(isinstance(a, Restored) for a in watch.see(2100, "C3 D4 F5 C5", "C4 D5 F4"))
        assert watch.follower.differing == {spot(n) for n in ["E5", "E4", "F5", "F4"]}
        watch.see(4000, self.BLACK, self.WHITE)
        acts = watch.see(4100, self.BLACK, self.WHITE)
        assert isinstance(acts[-1], Restored)
        assert watch.follower.differing == frozenset()

    def test_is_dated_from_the_first_stone_that_left(self) -> None:
        """The hand withdraws slowly: one stone is seen elsewhere before the others are."""
        watch = Watch(self.BLACK, self.WHITE)
        watch.see(0, self.BLACK, self.WHITE)
        for t in (100, 200):
            watch.see(t, "C3 D3 E5 C5", self.WHITE, hidden="E4 E5 F4 F5")
        watch.see(300, "C3 D3 F5 C5", "C4 D5 F4")
        acts = watch.see(400, "C3 D3 F5 C5", "C4 D5 F4")
        assert isinstance(acts[0], Scattered)
        assert interval(acts[0].bracket) == (0, 100)
        assert acts[0].points == {spot("D4"), spot("E5"), spot("E4")}
        watch.see(3000, self.BLACK, self.WHITE)
        assert isinstance(watch.see(3100, self.BLACK, self.WHITE)[-1], Restored)

    def test_points_of_move_five_are_taken_away(self) -> None:
        watch = Watch("C3 D4 E5 F6 B2", "C4 D5")
        watch.see(0, "C3 D4 E5 F6 B2", "C4 D5")
        watch.see(100, "C3 D4", "C4 D5 E4")
        acts = watch.see(200, "C3 D4", "C4 D5 E4")
        assert [type(a) for a in acts] == [Removed, Removed, Removed, Placed]

    def test_two_stones_taken_away_slowly_are_not_scattered(self) -> None:
        watch = Watch(self.BLACK, self.WHITE)
        for t, black, white in ((0, self.BLACK, self.WHITE), (100, "C3 D4 E5", self.WHITE), (200, "C3 D4 E5", "C4 D5")):
            watch.see(t, black, white)
        acts = [a for t in (300, 400) for a in watch.see(t, "C3 D4 E5", "C4 D5")]
        assert not any(isinstance(a, Scattered) for a in acts)

    def test_a_board_cleared_at_once_is_scattered(self) -> None:
        watch = Watch(self.BLACK, self.WHITE)
        watch.see(0, self.BLACK, self.WHITE)
        watch.see(100)
        acts = watch.see(200)
        assert isinstance(acts[0], Scattered)
        assert len(acts) == 8


class TestCovered:
    def test_told_once_after_two_seconds(self) -> None:
        watch = Watch("D4")
        watch.see(0, "D4")
        everything = " ".join(f"{file}{rank}" for file in "ABCDEFG" for rank in range(1, 8))
        for t in range(100, 2100, 500):
            assert watch.see(t, hidden=everything, blind=True) == []
        act = only(watch.see(2100, hidden=everything, blind=True), CameraCovered)
        assert interval(act.bracket) == (0, 100)
        assert frames(act.bracket) == (0, 1)
        assert watch.see(9000, hidden=everything, blind=True) == []
        assert watch.see(9100, "D4") == []

    def test_what_covers_the_camera_is_no_hand(self) -> None:
        watch = Watch()
        everything = " ".join(f"{file}{rank}" for file in "ABCDEFG" for rank in range(1, 8))
        watch.see(0)
        watch.see(100, hidden=everything, blind=True)
        watch.see(200, "D4")
        assert only(watch.see(300, "D4"), Placed).hand is Hand.NONE

    def test_a_passing_arm_is_nothing(self) -> None:
        watch = Watch()
        for t in range(0, 6000, 500):
            assert watch.see(t, blind=t % 1500 != 0) == []


class TestFinish:
    def test_the_last_frame_counts_when_no_hand_is_about(self) -> None:
        watch = Watch()
        watch.see(0)
        assert watch.see(100, "D4") == []
        act = only(watch.follower.finish(), Placed)
        assert interval(act.bracket) == (0, 100)
        assert watch.follower.known[spot("D4")] is B

    def test_not_with_a_hand_about(self) -> None:
        watch = Watch()
        watch.see(0)
        watch.see(100, "D4", hidden="D3")
        assert watch.follower.finish() == []
        assert watch.follower.known[spot("D4")] is Content.EMPTY

    def test_nothing_new(self) -> None:
        watch = Watch("D4")
        watch.see(0, "D4")
        assert watch.follower.finish() == []

    def test_no_frame_at_all(self) -> None:
        assert Watch().follower.finish() == []

    def test_what_the_last_frame_did_not_show_does_not_count(self) -> None:
        watch = Watch()
        watch.see(0)
        watch.see(100, "D4")
        watch.see(200)
        assert watch.follower.finish() == []


def test_frames_come_from_a_position() -> None:
    follower = Follower(rows("D4", "E5"))
    assert follower.known[spot("D4")] is B
    assert follower.known[spot("E5")] is W
    follower.known[spot("D4")] = W
    assert follower.known[spot("D4")] is B


def follow(shot: Film) -> tuple[Follower, list[BoardAct]]:
    """All acts, and the follower after some frames more that show the whole board."""
    follower = Follower(["." * SIZE] * SIZE)
    acts: list[BoardAct] = []
    for number, (t, board) in enumerate(zip(shot.instants, shot.boards, strict=True)):
        acts += follower.follow(observation(number, t, board))
        for at, content in follower.known.items():
            truth, since = shot.laid.get(at, (Content.EMPTY, 0))
            assert content in (Content.EMPTY, truth)
            assert content is Content.EMPTY or since <= number
    final = [
        "".join(shot.laid[at][0].value if (at := Intersection(row, col)) in shot.laid else "." for col in range(SIZE))
        for row in range(SIZE)
    ]
    for n in range(3):
        acts += follower.follow(observation(len(shot.boards) + n, shot.instants[-1] + 200 * (n + 1), final))
    return follower, acts


def _first_sighting_misread(shot: Film, at: Intersection, frame: int) -> bool:
    _, since = shot.laid[at]
    hidden = all(board[at.row][at.col] == "?" for board in shot.boards[since:frame])
    return hidden and (frame, at) in shot.noisy


def check(shot: Film) -> None:
    follower, acts = follow(shot)
    assert {at: c for at, c in follower.known.items() if c is not Content.EMPTY} == {
        at: content for at, (content, _) in shot.laid.items()
    }
    assert all(isinstance(act, Placed) for act in acts)
    assert len(acts) == len(shot.laid)
    instants = [*shot.instants, *(shot.instants[-1] + 200 * n for n in (1, 2, 3))]
    for act in acts:
        assert isinstance(act, Placed)
        content, since = shot.laid[act.at]
        assert act.content is content
        after, by = frames(act.bracket)
        # It was laid after frame since - 1 and could be seen in frame since. Where its very first sighting is misread
        # nothing can tell.
        assert after is None or after < since or _first_sighting_misread(shot, act.at, after)
        assert by >= since or (by, act.at) in shot.noisy
        assert act.bracket.by_ns == instants[by] * MS
        assert act.bracket.after_ns == (None if after is None else instants[after] * MS)
        assert act.seen_ns >= act.bracket.by_ns


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_any_game_under_any_cover(seed: int) -> None:
    check(film(Random(seed), noise=0.0, spare_new=True))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_misread_points(seed: int) -> None:
    """One reading in a hundred is wrong, but not of a stone just laid."""
    check(film(Random(seed), noise=0.01, spare_new=True))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_misread_points_of_stones_just_laid(seed: int) -> None:
    """One in twenty, anywhere: brackets are too wide rather than wrong."""
    check(film(Random(seed), noise=0.05, spare_new=False))
