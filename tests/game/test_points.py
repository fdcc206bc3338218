from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.points import Colour, Point, Seat, star_points, tengen


@settings(deadline=None)
@given(size=st.integers(5, 19), data=st.data())
def test_a_point_reads_back_as_written(size: int, data: st.DataObject) -> None:
    point = Point(data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1)))
    assert Point.parse(str(point), size) == point
    assert Point.parse(f" {str(point).lower()} ", size) == point


@pytest.mark.parametrize(
    ("text", "point"), [("A1", (0, 0)), ("H8", (7, 7)), ("i9", (8, 8)), ("O15", (14, 14)), ("A15", (0, 14))]
)
def test_files_are_letters_and_ranks_numbers(text: str, point: tuple[int, int]) -> None:
    assert Point.parse(text) == point


@pytest.mark.parametrize(
    "text", ["", "H", "8", "H0", "H08", "H16", "P1", "T1", "8H", "H 8", "H8 I9", "H-8", "É1", "H٨"]
)
def test_what_is_no_point_is_refused_in_one_clear_line(text: str) -> None:
    with pytest.raises(ValueError, match="is not a point of a 15 x 15 board: write a file and a rank, A1 to O15") as e:
        Point.parse(text)
    assert repr(text) in str(e.value)
    assert "\n" not in str(e.value)


def test_the_board_size_bounds_the_points() -> None:
    assert Point.parse("S19", 19) == (18, 18)
    with pytest.raises(ValueError, match=r"'N13' is not a point of a 13 x 13 board: .* A1 to M13"):
        Point.parse("N13", 13)


def test_tengen_and_stars_of_the_competition_board() -> None:
    assert str(tengen(15)) == "H8"
    assert {str(point) for point in star_points(15)} == {"H8", "D4", "D12", "L12", "L4"}


def test_stars_lie_within_the_board_and_symmetrically() -> None:
    for size in range(5, 20):
        stars = set(star_points(size))
        assert stars == {Point(size - 1 - p.file, p.rank) for p in stars} == {Point(p.rank, p.file) for p in stars}
        assert all(0 <= p.file < size and 0 <= p.rank < size for p in stars)


def test_the_other_of_the_other_is_the_same() -> None:
    assert Colour.BLACK.other is Colour.WHITE
    assert Colour.WHITE.other is Colour.BLACK
    assert Seat.FIRST.other is Seat.SECOND
    assert Seat.SECOND.other is Seat.FIRST
