from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.points import Colour, Point
from appliance.game.position import Position
from tests.game.boards import board

rows = st.integers(5, 19).flatmap(
    lambda size: st.lists(st.text(".BW", min_size=size, max_size=size), min_size=size, max_size=size)
)


@settings(deadline=None)
@given(rows)
def test_rows_read_back_as_written(rows: list[str]) -> None:
    position = Position.from_rows(rows)
    assert position.rows() == rows
    assert eval(repr(position)) == position
    assert position.count(Colour.BLACK) == "".join(rows).count("B") == len(position.points(Colour.BLACK))
    assert position.count(Colour.WHITE) == "".join(rows).count("W") == len(position.points(Colour.WHITE))


def test_the_first_row_is_the_farthest_rank() -> None:
    position = Position.from_rows(["B....", ".....", ".....", ".....", "....W"])
    assert position.at(Point.parse("A5")) is Colour.BLACK
    assert position.at(Point.parse("E1")) is Colour.WHITE
    assert position.at(Point.parse("A1")) is None


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([".....", "....", ".....", ".....", "....."], "row 2 has 4 points, expected 5"),
        ([".....", ".....", "..x..", ".....", "....."], "row 3 holds 'x'; only '.', 'B' and 'W' mean anything"),
        ([".....", ".....", ".....", "b....", "....."], "row 4 holds 'b'; only '.', 'B' and 'W' mean anything"),
    ],
)
def test_bad_rows_are_refused_in_one_clear_line(rows: list[str], message: str) -> None:
    with pytest.raises(ValueError, match="^" + message.replace(".", r"\.") + "$"):
        Position.from_rows(rows)


def test_placing_gives_a_new_position() -> None:
    before = board("H8")
    after = before.placed(Point.parse("I9"), Colour.WHITE)
    assert before == board("H8")
    assert after == board("H8", "I9")
    assert hash(after) == hash(board("H8", "I9"))
    assert after.removed([Point.parse("I9")]) == before
    assert after.removed([Point.parse("A1")]) == after


def test_equal_positions_have_equal_size_and_colours() -> None:
    assert board("H8") != board(white="H8")
    assert board("H8") != board("H8", size=13)


@pytest.mark.parametrize(
    ("point", "message"), [(Point(7, 7), "H8 is occupied"), (Point(15, 0), "P1 is not on a 15 x 15 board")]
)
def test_a_stone_needs_a_free_point_of_the_board(point: Point, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        board("H8").placed(point, Colour.BLACK)
