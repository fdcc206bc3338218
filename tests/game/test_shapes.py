"""Fives, overlines and forbidden points on small boards written by hand, and what must hold of any position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.explanation import explain
from appliance.game.points import Colour, Point
from appliance.game.position import Position
from appliance.game.shapes import FiveEye, Verdict, five_points, forbidden_points, judge, overline, winning_line
from tests.game.boards import board

if TYPE_CHECKING:
    from collections.abc import Callable

TURNS: tuple[Callable[[int, int, int], tuple[int, int]], ...] = (
    lambda x, y, _: (x, y),
    lambda x, y, end: (y, end - x),
    lambda x, y, end: (end - x, end - y),
    lambda x, y, end: (end - y, x),
    lambda x, y, end: (end - x, y),
    lambda x, y, end: (x, end - y),
    lambda x, y, _: (y, x),
    lambda x, y, end: (end - y, end - x),
)
"""File and rank after each turn or reflection of a board whose last file and rank is the third number."""


@st.composite
def positions(draw: st.DrawFn, smallest: int = 5) -> Position:
    """Any size; black stones gather in pieces of lines, so that shapes come about."""
    size = draw(st.integers(smallest, 19))
    inside = st.integers(0, size - 1)
    step = st.sampled_from([(1, 0), (0, 1), (1, 1), (1, -1)])
    stones: dict[Point, Colour] = {}
    pieces = st.tuples(inside, inside, step, st.sets(st.integers(0, 5), min_size=1, max_size=4))
    for file, rank, (across, up), places in draw(st.lists(pieces, max_size=14)):
        for k in places:
            if 0 <= file + k * across < size and 0 <= rank + k * up < size:
                stones[Point(file + k * across, rank + k * up)] = Colour.BLACK
    for file, rank in draw(st.lists(st.tuples(inside, inside), max_size=10)):
        stones[Point(file, rank)] = Colour.WHITE
    return Position(size, stones)


def points(text: str) -> tuple[Point, ...]:
    return tuple(Point.parse(word, 19) for word in text.split())


@pytest.mark.parametrize(
    ("black", "white", "point", "verdict"),
    [
        ("F8 G8 I8 J8", "", "H8", "five"),
        ("F8 G8 I8 J8 K8", "", "H8", "overline"),
        ("A8 B8 C8 E8 F8 G8 H8 I8 J8", "", "D8", "overline"),
        ("F8 G8 I8 J8 K8 H4 H5 H6 H7", "", "H8", "five"),  # a five wins over an overline
        ("F8 G8 I8 J8 H9 H10 I9 J10", "", "H8", "five"),  # and over a double three
        ("F8 G8 I8 H9 H10 H7", "", "H8", "double_four"),
        ("F8 G8 I8 H9 H10 H7", "E8 J8", "H8", "legal"),  # one four blocked to death
        ("F8 G8 I8 H9 H10 H7", "E8 H6", "H8", "double_four"),  # two simple fours
        ("E8 F8 H8 I8 L8", "", "J8", "legal"),  # EF.HIJ.L: six at G8 is no five; one four, at K8
        ("D8 G8 H8 J8", "", "F8", "double_four"),  # D.FGH.J on one line
        ("E8 F8 I8 K8 L8", "", "H8", "double_four"),  # EF.HI.KL
        ("D8 E8 F8 J8 K8 L8", "", "H8", "double_four"),  # DEF.H.JKL
        ("D8 E8 F8 J8 K8 L8", "A1", "H9", "legal"),
        ("C8 D8 F8 G8 I8 J8 K8", "", "H8", "overline"),
        ("G8 I8 H7 H9", "", "H8", "double_three"),
        ("G8 I8 H7 H9", "F8", "H8", "legal"),  # one three closed on one side
        ("G8 I8 H7 H9", "E8", "H8", "double_three"),  # room for .GHIJ.
        ("G8 I8 H7 H9", "E8 K8", "H8", "legal"),  # room for fours, not for an open four
        ("G8 I8 H7 H9 D8 L8", "", "H8", "legal"),  # each open four would border a six: no three
        ("B1 D1 C2 C3", "", "C1", "legal"),  # the edge closes the file's three
        ("F8 G8 H9 H10 I9 J10", "", "H8", "double_three"),  # three threes
        ("F8 G8 I8 H9 H10", "", "H8", "legal"),  # four and three
    ],
)
def test_hand_made_shapes(black: str, white: str, point: str, verdict: str) -> None:
    position = board(black, white)
    judged = judge(position, Point.parse(point))
    assert judged == verdict
    forbidden = forbidden_points(position)
    assert forbidden.get(Point.parse(point)) == (verdict if judged.forbidden else None)


def test_a_three_whose_open_four_is_barred_is_none() -> None:
    # H8 makes a three on rank 8 (open four at F8 or J8) and one on file H. White closes J8's side,
    # and F8 would join the stones of file F to a second four.
    position = board("G8 I8 H7 H9 F4 F6 F7", "K8 F3")
    assert judge(position, Point.parse("H8")) is Verdict.LEGAL
    assert judge(position.removed(points("F7")), Point.parse("H8")) is Verdict.DOUBLE_THREE


@pytest.mark.parametrize(("five_eye", "verdict"), [(FiveEye.RIF, Verdict.LEGAL), (FiveEye.SEKAI, Verdict.DOUBLE_THREE)])
def test_an_open_four_with_a_five_elsewhere_depends_on_the_reading(five_eye: FiveEye, verdict: Verdict) -> None:
    position = board("G8 I8 H7 H9 F4 F5 F6 F7", "K8 F3")
    assert judge(position, Point.parse("H8"), five_eye) is verdict


def test_white_stones_count_for_white_only() -> None:
    position = board("A1", "F8 G8 I8 J8 K8 C3 C4 C5 C6")
    assert five_points(position, Colour.BLACK, exact=True) == []
    assert five_points(position, Colour.WHITE, exact=True) == list(points("C2 C7"))
    assert five_points(position, Colour.WHITE, exact=False) == list(points("C2 C7 H8"))
    assert forbidden_points(position) == {}


def test_the_winning_line_is_the_five() -> None:
    position = board("E8 F8 G8 H8 I8 E5 F6 G7")
    five = points("E8 F8 G8 H8 I8")
    for point in five:
        assert winning_line(position, point, exact=True) == winning_line(position, point, exact=False) == five
    assert winning_line(position, Point.parse("G7"), exact=False) == ()
    assert winning_line(position.placed(Point.parse("D4"), Colour.BLACK), Point.parse("G7"), exact=True) == points(
        "D4 E5 F6 G7 H8"
    )
    assert overline(position, Point.parse("H8")) == ()


def test_an_overline_wins_only_where_six_count() -> None:
    nine = points("C1 C2 C3 C4 C5 C6 C7 C8 C9")
    position = board(" ".join(map(str, nine)))
    assert winning_line(position, Point.parse("C9"), exact=True) == ()
    assert winning_line(position, Point.parse("C9"), exact=False) == nine == overline(position, Point.parse("C1"))


def test_a_run_ends_at_the_other_colour_and_at_the_edge() -> None:
    position = board("A1 B1 C1 D1 E1", "F1 G1")
    assert winning_line(position, Point.parse("C1"), exact=True) == points("A1 B1 C1 D1 E1")
    assert winning_line(position, Point.parse("F1"), exact=False) == ()


def test_what_can_not_be_judged_is_refused_in_one_clear_line() -> None:
    with pytest.raises(ValueError, match=r"^H8 is occupied$"):
        judge(board("H8"), Point.parse("H8"))
    with pytest.raises(ValueError, match=r"^P1 is not on a 15 x 15 board$"):
        explain(board("H8"), Point(15, 0))
    with pytest.raises(ValueError, match=r"^no stone stands on A1"):
        winning_line(board("H8"), Point.parse("A1"), exact=True)


@settings(deadline=None)
@given(positions())
def test_turning_the_board_turns_the_verdicts(position: Position) -> None:
    end = position.size - 1
    found = [forbidden_points(position, five_eye) for five_eye in FiveEye]
    fives = five_points(position, Colour.BLACK, exact=True)
    for turn in TURNS:
        turned = Position(position.size, {Point(*turn(*p, end)): colour for p, colour in position.stones.items()})
        for five_eye, expected in zip(FiveEye, found, strict=True):
            assert forbidden_points(turned, five_eye) == {Point(*turn(*p, end)): v for p, v in expected.items()}
        assert set(five_points(turned, Colour.BLACK, exact=True)) == {Point(*turn(*p, end)) for p in fives}


@settings(deadline=None)
@given(positions())
def test_colours_change_places_with_the_stones(position: Position) -> None:
    swapped = Position(position.size, {p: colour.other for p, colour in position.stones.items()})
    for exact in (True, False):
        mine = five_points(position, Colour.BLACK, exact=exact)
        assert five_points(swapped, Colour.WHITE, exact=exact) == mine


@settings(deadline=None)
@given(positions(), st.data())
def test_a_stone_off_a_points_lines_changes_nothing_on_them(position: Position, data: st.DataObject) -> None:
    everywhere = [Point(file, rank) for file in range(position.size) for rank in range(position.size)]
    empty = [p for p in everywhere if position.at(p) is None]
    if not empty:
        return
    point = data.draw(st.sampled_from(empty))
    far = [p for p in empty if p != point and not on_its_lines(p, point)]
    if not far:
        return
    colour = data.draw(st.sampled_from(Colour))
    assert line_shapes(position.placed(data.draw(st.sampled_from(far)), colour), point) == line_shapes(position, point)


def on_its_lines(p: Point, point: Point) -> bool:
    across, up = abs(p.file - point.file), abs(p.rank - point.rank)
    return max(across, up) <= 5 and (not across or not up or across == up)


def line_shapes(position: Position, point: Point) -> tuple[object, ...]:
    """All but what becomes of the threes: that depends on the whole board."""
    made = explain(position, point)
    threes = [(three.stones, [p.point for p in three.open_four_points]) for three in made.threes]
    return made.rows, made.fours, threes


@settings(deadline=None)
@given(positions(), st.data())
def test_a_stone_put_and_removed_leaves_no_trace(position: Position, data: st.DataObject) -> None:
    before = forbidden_points(position)
    inside = st.integers(0, position.size - 1)
    point = Point(data.draw(inside), data.draw(inside))
    if position.at(point) is not None:
        return
    colour = data.draw(st.sampled_from(Colour))
    after = position.placed(point, colour)
    forbidden_points(after)
    assert after.removed([point]) == position
    assert forbidden_points(after.removed([point])) == before


@settings(deadline=None)
@given(positions(), st.sampled_from(FiveEye))
def test_judge_and_forbidden_points_agree(position: Position, five_eye: FiveEye) -> None:
    found = forbidden_points(position, five_eye)
    fives = five_points(position, Colour.BLACK, exact=True)
    for file in range(position.size):
        for rank in range(position.size):
            point = Point(file, rank)
            if position.at(point) is None:
                verdict = judge(position, point, five_eye)
                assert found.get(point, Verdict.LEGAL) is (verdict if verdict.forbidden else Verdict.LEGAL)
                assert (verdict is Verdict.FIVE) == (point in fives)
    assert list(found) == sorted(found, key=lambda p: (p.rank, p.file))
