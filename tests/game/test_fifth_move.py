from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from appliance.game.fifth_move import same_shape_groups
from appliance.game.openings import opening_of
from appliance.game.points import Point
from tests.game.boards import json_lines, of_lists

if TYPE_CHECKING:
    from pathlib import Path

    from appliance.game.position import Position


def after(moves: list[str]) -> Position:
    return of_lists(moves[::2], moves[1::2])


def test_every_group_of_the_same_shape(shared: Path) -> None:
    vectors = json_lines(shared / "vectors/fifth_symmetry.jsonl")
    assert len(vectors) == 65
    for vector in vectors:
        black1, white2, black3 = (Point.parse(move) for move in vector["moves"][:3])
        opening = opening_of(black1, white2, black3)
        assert opening is not None
        assert (opening.code, opening.chinese) == (vector["opening"], vector["zh"])
        position = after(vector["moves"])
        everywhere = [Point(file, rank) for file in range(15) for rank in range(15)]
        groups = same_shape_groups(position, [p for p in everywhere if position.at(p) is None])
        expected = vector["same_shape_pattern"] + vector["same_shape_general_extra"]
        assert {frozenset(map(str, group)) for group in groups} == set(map(frozenset, expected)), vector["moves"]


def test_a_shift_makes_the_same_shape_too() -> None:
    # Half a turn about the middle between H8 and J6 keeps Black's stones, and H9 and J5 change places.
    position = after(["H8", "H9", "J6", "J5"])
    assert same_shape_groups(position, [Point.parse("I6"), Point.parse("I8")]) == [
        (Point.parse("I6"), Point.parse("I8"))
    ]


def test_points_that_differ_make_no_group() -> None:
    position = after(["H8", "I9", "H6", "I8"])
    assert same_shape_groups(position, [Point.parse("G7"), Point.parse("I7"), Point.parse("G7")]) == []


def test_an_offered_point_must_be_free() -> None:
    with pytest.raises(ValueError, match="H6 is occupied"):
        same_shape_groups(after(["H8", "I9", "H6", "I8"]), [Point.parse("H6")])
