"""Every line of the forbidden-point vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from appliance.game.points import Colour, Point
from appliance.game.shapes import FiveEye, Verdict, five_points, forbidden_points, judge
from tests.game.boards import json_lines, of_lists

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("name", "lines"), [("forbidden", 2912), ("forbidden_published", 78), ("five_eye", 225)])
def test_every_forbidden_point_and_five(shared: Path, name: str, lines: int) -> None:
    vectors = json_lines(shared / "vectors" / f"{name}.jsonl")
    assert len(vectors) == lines
    for vector in vectors:
        position = of_lists(vector["black"], vector["white"])
        assert {str(p): v.value for p, v in forbidden_points(position).items()} == vector["forbidden"], vector["id"]
        fives = five_points(position, Colour.BLACK, exact=True)
        assert {str(p) for p in fives} == set(vector["fives"]), vector["id"]
        for text in vector.get("naive_wrong", ()):
            assert judge(position, Point.parse(text)) is Verdict.LEGAL, vector["id"]


def test_whites_fives_may_be_longer(shared: Path) -> None:
    for vector in json_lines(shared / "vectors/forbidden.jsonl"):
        position = of_lists(vector["black"], vector["white"])
        fives = five_points(position, Colour.WHITE, exact=False)
        assert {str(p) for p in fives} == set(vector.get("white_fives", ())), vector["id"]


def test_published_suites_by_their_own_word(shared: Path) -> None:
    # Two of the 78 follow the other reading of a five made elsewhere, and are met under that reading.
    for vector in json_lines(shared / "vectors/forbidden_published.jsonl"):
        five_eye = FiveEye.RIF if vector["agrees"] else FiveEye.SEKAI
        position = of_lists(vector["black"], vector["white"])
        for text, expected in vector.get("published_expect", {}).items():
            verdict = judge(position, Point.parse(text), five_eye)
            if expected in ("forbidden", "legal"):
                assert verdict.forbidden == (expected == "forbidden"), vector["id"]
            else:
                assert verdict == expected, vector["id"]
        if "published_full_forbidden" in vector:
            found = {str(point) for point in forbidden_points(position, five_eye)}
            assert found == set(vector["published_full_forbidden"]), vector["id"]


def test_both_readings_of_a_five_made_elsewhere(shared: Path) -> None:
    for vector in json_lines(shared / "vectors/five_eye.jsonl"):
        position = of_lists(vector["black"], vector["white"])
        rif, sekai = (forbidden_points(position, five_eye) for five_eye in FiveEye)
        differing = {p for p in rif.keys() | sekai.keys() if rif.get(p) != sekai.get(p)}
        assert {str(p) for p in differing} == set(vector["five_eye"]), vector["id"]
        for text, verdicts in vector["five_eye"].items():
            point = Point.parse(text)
            assert judge(position, point, FiveEye.RIF) == verdicts["rif_literal"], vector["id"]
            assert judge(position, point, FiveEye.SEKAI) == verdicts["renju_sekai"], vector["id"]
