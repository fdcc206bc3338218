from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.game.explanation import Explanation, Four, OpenFourPoint, Row, Three, explain, in_words
from appliance.game.points import Point
from appliance.game.shapes import FiveEye, Verdict
from tests.game.boards import board, json_lines, of_lists

if TYPE_CHECKING:
    from pathlib import Path


def points(text: str) -> tuple[Point, ...]:
    return tuple(Point.parse(word) for word in text.split())


def free(text: str) -> tuple[OpenFourPoint, ...]:
    return tuple(OpenFourPoint(point=point, obstacle=None) for point in points(text))


def test_a_double_three() -> None:
    assert explain(board("G8 I8 H7 H9", "E8"), Point.parse("H8")) == Explanation(
        point=Point.parse("H8"),
        verdict=Verdict.DOUBLE_THREE,
        rows=(),
        fours=(),
        threes=(
            Three(stones=points("G8 H8 I8"), open_four_points=free("J8")),
            Three(stones=points("H7 H8 H9"), open_four_points=free("H6 H10")),
        ),
    )


def test_fours_name_their_stones_and_five_points() -> None:
    explanation = explain(board("D8 G8 H8 J8 F5 F6 F7", "F4"), Point.parse("F8"))
    assert explanation.verdict is Verdict.DOUBLE_FOUR
    assert explanation.fours == (
        Four(stones=points("D8 F8 G8 H8"), five_points=points("E8")),
        Four(stones=points("F8 G8 H8 J8"), five_points=points("I8")),
        Four(stones=points("F5 F6 F7 F8"), five_points=points("F9")),
    )


def test_an_overline_longer_than_the_judged_stone_can_see() -> None:
    explanation = explain(board("A8 B8 C8 D8 E8 F8 G8 H8"), Point.parse("I8"))
    assert explanation.rows == (Row(stones=points("A8 B8 C8 D8 E8 F8 G8 H8 I8")),)
    assert in_words(explanation) == ["I8 makes an overline, forbidden.", "  9 in a row: A8 B8 C8 D8 E8 F8 G8 H8 I8."]


def test_a_false_three_says_why() -> None:
    assert in_words(explain(board("G8 I8 H7 H9 F4 F6 F7", "K8 F3"), Point.parse("H8"))) == [
        "H8 is allowed.",
        "  No open three: G8 H8 I8, for want of an open four that counts:",
        "    F8 makes a double four, forbidden.",
        "      Open four: F8 G8 H8 I8; five at E8 or J8.",
        "      Four: F4 F6 F7 F8; five at F5.",
        "  Open three: H7 H8 H9; open four at H6 or H10.",
    ]


def test_what_only_looks_like_a_four_is_answered_too() -> None:
    """With I8 the row D8 to K8 lacks H8 alone: a stone there makes eight, not five."""
    lines = in_words(explain(board("D8 E8 F8 G8 K8"), Point.parse("I8")))
    assert lines == [
        "I8 is allowed.",
        "  It makes no four, which one more stone would make exactly five, and no three that could be an open four.",
    ]


def test_the_reading_of_a_five_made_elsewhere_shows() -> None:
    position = board("G8 I8 H7 H9 F4 F5 F6 F7", "K8 F3")
    assert in_words(explain(position, Point.parse("H8"), FiveEye.RIF)) == [
        "H8 is allowed.",
        "  No open three: G8 H8 I8, for want of an open four that counts:",
        "    F8 makes five.",
        "      Five: F4 F5 F6 F7 F8.",
        "      As the RIF reads it, a five is no open four; read the other way the three counts (T4).",
        "  Open three: H7 H8 H9; open four at H6 or H10.",
    ]
    assert in_words(explain(position, Point.parse("H8"), FiveEye.SEKAI)) == [
        "H8 makes a double three, forbidden.",
        "  Open three: G8 H8 I8; open four at F8.",
        "  Open three: H7 H8 H9; open four at H6 or H10.",
    ]


def check(explanation: Explanation) -> None:
    """The verdict follows from the shapes by T5, and every obstacle is one for the same reason."""
    lengths = {len(row.stones) for row in explanation.rows}
    if 5 in lengths:
        expected = Verdict.FIVE
    elif lengths:
        expected = Verdict.OVERLINE
    elif len(explanation.fours) >= 2:
        expected = Verdict.DOUBLE_FOUR
    elif sum(three.counts for three in explanation.threes) >= 2:
        expected = Verdict.DOUBLE_THREE
    else:
        expected = Verdict.LEGAL
    assert explanation.verdict is expected
    shapes: tuple[Row | Four | Three, ...] = (*explanation.rows, *explanation.fours, *explanation.threes)
    assert all(explanation.point in shape.stones for shape in shapes)
    for three in explanation.threes:
        for point in three.open_four_points:
            if point.obstacle:
                assert point.obstacle.point == point.point
                assert point.obstacle.verdict is not Verdict.LEGAL
                check(point.obstacle)


def test_every_vector_is_explained_as_it_is_judged(shared: Path) -> None:
    for vector in json_lines(shared / "vectors/forbidden.jsonl"):
        position = of_lists(vector["black"], vector["white"])
        for text in (*vector["forbidden"], *vector["naive_wrong"]):
            explanation = explain(position, Point.parse(text))
            assert explanation.verdict == vector["forbidden"].get(text, "legal")
            check(explanation)
