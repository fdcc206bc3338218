"""The order of play (O2 to O7): who is to lay what, opening by opening."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.arbiter.protocol import Phase, Protocol
from appliance.game.points import Colour, Point, Seat
from appliance.game.ruleset import Opening, Step, load_ruleset

B, W = Colour.BLACK, Colour.WHITE
FIRST, SECOND = Seat.FIRST, Seat.SECOND
POINTS = [Point(7, 7), Point(7, 8), Point(8, 8), Point(6, 6), Point(5, 5), Point(9, 9), Point(3, 3), Point(10, 4)]


def designated(points: Literal["announced"] | int | None = None, *, swap: bool = True) -> Protocol:
    opening = Step(stones="BWB", within=(1, 3, 5), announces="any" if points == "announced" else None)
    offer = () if points is None else (Step(offer=points),)
    return Protocol.start(Opening(steps=(opening, Step(stones="W", swap=swap), *offer)))


PLAIN = Protocol.start(Opening(steps=()))


def laid(protocol: Protocol, colours: str) -> Protocol:
    """After stones of these colours, one on each of POINTS in turn."""
    for point, colour in zip(POINTS, colours, strict=False):
        protocol = protocol.lay(point, Colour(colour))
    return protocol


@pytest.mark.parametrize("name", ["renju", "freestyle", "school"])
def test_alternate_and_tengen(name: str) -> None:
    protocol = Protocol.start(load_ruleset(name).opening)
    for n in range(30):
        colour, seat = (B, FIRST) if n % 2 == 0 else (W, SECOND)
        assert (protocol.due, protocol.seat, protocol.laid) == (colour, seat, n)
        assert protocol.may_lay(colour)
        assert not protocol.may_lay(colour.other)
        assert not protocol.swap_is_open()
        protocol = protocol.lay(Point(n % 15, n // 15), colour)
        assert protocol.press(seat, has_laid=True) == protocol


def test_a_press_without_a_stone_changes_nothing_in_play() -> None:
    protocol = laid(PLAIN, "BW")
    assert protocol.press(FIRST, has_laid=False) == protocol


class TestDesignated:
    def test_the_first_seat_lays_three(self) -> None:
        protocol = designated(2)
        for n, colour in enumerate("BWB"):
            assert protocol.seat is FIRST
            assert protocol.may_lay(Colour(colour))
            assert not protocol.may_lay(Colour(colour).other)
            assert not protocol.swap_is_open()
            protocol = protocol.lay(POINTS[n], Colour(colour))
        assert (protocol.seat, protocol.due, protocol.laid) == (SECOND, W, 3)
        assert protocol.swap_is_open()

    def test_the_press_that_ends_the_opening_is_no_swap(self) -> None:
        protocol = laid(designated(), "BWB")
        assert protocol.press(FIRST, has_laid=True) == protocol

    def test_white_4_declines_the_swap(self) -> None:
        protocol = laid(designated(), "BWBW")
        assert not protocol.swap_is_open()
        assert protocol.black is FIRST
        assert (protocol.seat, protocol.due) == (FIRST, B)

    def test_a_press_without_a_stone_takes_black(self) -> None:
        protocol = laid(designated(), "BWB").press(SECOND, has_laid=False)
        assert protocol.black is SECOND
        assert (protocol.seat, protocol.due, protocol.laid) == (FIRST, W, 3)
        assert protocol.seat_of(B) is SECOND
        assert protocol.seat_of(W) is FIRST
        protocol = protocol.lay(POINTS[3], W)
        assert (protocol.seat, protocol.due) == (SECOND, B)

    def test_black_is_taken_once_only(self) -> None:
        """O3: once. The next press without a stone is a press without a move."""
        protocol = laid(designated(), "BWB").press(SECOND, has_laid=False)
        assert not protocol.swap_is_open()
        assert protocol.press(FIRST, has_laid=False).black is SECOND

    def test_without_swap(self) -> None:
        protocol = laid(designated(swap=False), "BWB")
        assert not protocol.swap_is_open()
        assert (protocol.seat, protocol.due) == (SECOND, W)
        assert protocol.press(SECOND, has_laid=False).black is FIRST

    def test_without_fifth_points_move_5_is_a_plain_move(self) -> None:
        protocol = laid(designated(), "BWBWB")
        assert (protocol.phase, protocol.seat, protocol.due, protocol.laid) == (Phase.PLAY, SECOND, W, 5)


class TestFifthPoints:
    @pytest.mark.parametrize("points", [2, "announced"])
    def test_offered_chosen_played(self, points: Literal["announced"] | int) -> None:
        protocol = laid(designated(points), "BWBW")
        assert (protocol.seat, protocol.due) == (FIRST, B)
        protocol = protocol.lay(POINTS[4], B)
        assert protocol.may_lay(B)
        assert not protocol.may_lay(W)
        protocol = protocol.lay(POINTS[5], B)
        assert protocol.offered == (POINTS[4], POINTS[5])
        protocol = protocol.press(FIRST, has_laid=True)
        assert protocol.seat is SECOND
        assert not protocol.may_lay(W)  # first all but one are taken away
        assert not protocol.may_lay(B)
        protocol = protocol.take_away(POINTS[4])
        assert protocol.offered == (POINTS[5],)
        assert protocol.may_lay(W)
        protocol = protocol.lay(POINTS[6], W)
        assert (protocol.phase, protocol.laid, protocol.due, protocol.seat) == (Phase.PLAY, 6, B, FIRST)
        assert protocol.offered == ()

    def test_after_a_swap_the_second_seat_offers(self) -> None:
        protocol = laid(designated(2), "BWB").press(SECOND, has_laid=False).lay(POINTS[3], W)
        assert (protocol.seat, protocol.due) == (SECOND, B)
        protocol = protocol.lay(POINTS[4], B).lay(POINTS[5], B).press(SECOND, has_laid=True)
        assert protocol.seat is FIRST

    def test_more_than_two_when_announced(self) -> None:
        protocol = laid(designated("announced"), "BWBW")
        for point in POINTS[4:8]:
            protocol = protocol.lay(point, B)
        protocol = protocol.press(FIRST, has_laid=True)
        for point in POINTS[4:7]:
            assert not protocol.may_lay(W)
            protocol = protocol.take_away(point)
        assert protocol.may_lay(W)

    def test_a_press_before_any_point_is_offered_ends_nothing(self) -> None:
        protocol = laid(designated(2), "BWBW")
        assert protocol.press(FIRST, has_laid=False) == protocol

    def test_the_other_side_cannot_end_the_offer(self) -> None:
        protocol = laid(designated(2), "BWBW").lay(POINTS[4], B)
        assert protocol.press(SECOND, has_laid=False) == protocol


@pytest.mark.parametrize(("due", "count"), [(B, 0), (B, 2), (W, 3), (W, 4), (B, 8)])
@pytest.mark.parametrize("name", ["competition", "competition-five-two", "renju"])
def test_resumed(name: str, due: Colour, count: int) -> None:
    """In mid-game no opening protocol is left, whatever the count of stones."""
    protocol = Protocol.resumed(load_ruleset(name).opening, due, count)
    assert (protocol.due, protocol.laid) == (due, count)
    assert protocol.seat is (FIRST if due is B else SECOND)
    assert not protocol.swap_is_open()
    after = protocol.lay(POINTS[0], due)
    assert (after.phase, after.due, after.laid) == (Phase.PLAY, due.other, count + 1)


@pytest.mark.parametrize(
    ("protocol", "colour"),
    [
        (PLAIN, W),
        (laid(PLAIN, "B"), B),
        (designated(), W),
        (laid(designated(), "B"), B),
        (laid(designated(), "BWB"), B),
        (laid(designated(2), "BWBW"), W),
        (laid(designated(2), "BWBWBB").press(FIRST, has_laid=True), W),
        (laid(designated(2), "BWBWBB").press(FIRST, has_laid=True), B),
    ],
)
def test_a_stone_that_is_not_due_raises_and_changes_nothing(protocol: Protocol, colour: Colour) -> None:
    before = replace(protocol)
    assert not protocol.may_lay(colour)
    with pytest.raises(ValueError, match="not to lay"):
        protocol.lay(Point(0, 0), colour)
    assert protocol == before


def test_a_skipped_turn() -> None:
    protocol = laid(PLAIN, "BW").skip()
    assert (protocol.due, protocol.seat, protocol.laid) == (W, SECOND, 2)


@given(
    st.sampled_from(["competition", "competition-five-two", "renju", "school"]),
    st.lists(st.tuples(st.sampled_from(["B", "W", "first", "second"]), st.integers(0, 40)), max_size=40),
)
def test_any_sequence_keeps_the_table_whole(name: str, steps: list[tuple[str, int]]) -> None:
    """Stones out of order raise; otherwise one colour at most is due, and Black changes seats once at most."""
    protocol = Protocol.start(load_ruleset(name).opening)
    swaps = 0
    for what, n in steps:
        before = protocol
        if what in ("B", "W"):
            if not protocol.may_lay(Colour(what)):
                with pytest.raises(ValueError, match="not to lay"):
                    protocol.lay(Point(n % 15, n // 15), Colour(what))
                continue
            protocol = protocol.lay(Point(n % 15, n // 15), Colour(what))
            assert protocol.laid - before.laid in (0, 1)
        else:
            protocol = protocol.press(Seat(what), has_laid=n % 2 == 0)
        swaps += protocol.black is not before.black
        assert not (protocol.may_lay(B) and protocol.may_lay(W))
        assert protocol.laid >= before.laid
    assert swaps <= 1
