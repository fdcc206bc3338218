"""``caipan forbidden``: the published vectors, points as arguments, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from appliance.cli.app import app


def test_every_line_of_the_vectors_agrees(shared: Path) -> None:
    vectors = [json.loads(line) for line in (shared / "vectors" / "forbidden.jsonl").read_text().splitlines()]
    positions = "".join(json.dumps({"black": v["black"], "white": v["white"]}) + "\n" for v in vectors)
    result = CliRunner().invoke(app, ["forbidden"], input=positions)
    assert result.exit_code == 0
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(answers) == len(vectors) == 2912
    for vector, answer in zip(vectors, answers, strict=True):
        assert answer["forbidden"] == vector["forbidden"], vector["id"]
        assert sorted(answer["fives"]) == sorted(vector["fives"]), vector["id"]


def test_points_given_in_turn() -> None:
    # Black G8 H9 H10 F8, White far away: H8 joins two open threes.
    stones = ["G8", "A1", "H9", "A3", "H10", "C1", "F8", "E1"]
    result = CliRunner().invoke(app, ["forbidden", *stones, "--json"])
    assert json.loads(result.stdout) == {"forbidden": {"H8": "double_three"}, "fives": []}
    drawn = CliRunner().invoke(app, ["forbidden", *stones])
    assert "H8: double three" in drawn.stdout


FALSE_THREE = ["H7", "G7", "J11", "I12", "L9", "J12", "M8", "L8", "K7", "L6", "K6", "L5", "M7", "L4"]
"""L7 looks like a double three; but K7 L7 M7 grows at N7 alone, for Black a double four with M8 L9 J11."""


def test_why_a_three_is_false() -> None:
    result = CliRunner().invoke(app, ["forbidden", *FALSE_THREE, "--point", "L7", "--json"])
    answer = json.loads(result.stdout)
    assert answer["forbidden"] == {}
    told = answer["explanations"]["L7"]
    assert (told["verdict"], told["lines"], told["fours"]) == ("legal", [], [])
    threes = {" ".join(three["stones"]): three for three in told["threes"]}
    assert set(threes) == {"K7 L7 M7", "K6 L7 M8"}
    assert [three["counts"] for three in (threes["K7 L7 M7"], threes["K6 L7 M8"])] == [False, True]
    (rise,) = threes["K7 L7 M7"]["open_four_points"]
    assert (rise["point"], rise["obstacle"]["verdict"]) == ("N7", "double_four")
    fours = [(set(four["stones"]), set(four["five_points"]), four["open"]) for four in rise["obstacle"]["fours"]]
    assert len(fours) == 2
    assert ({"K7", "L7", "M7", "N7"}, {"J7", "O7"}, True) in fours
    assert ({"J11", "L9", "M8", "N7"}, {"K10"}, False) in fours


def test_explained_in_words() -> None:
    drawn = CliRunner().invoke(app, ["forbidden", *FALSE_THREE, "--point", "l7"]).stdout.splitlines()
    assert "L7 is allowed." in drawn
    assert any("No open three: K7 L7 M7" in line for line in drawn)
    assert any("N7 makes a double four" in line for line in drawn)
    stones = ["G8", "A1", "H9", "A3", "H10", "C1", "F8", "E1"]
    drawn = CliRunner().invoke(app, ["forbidden", *stones, "--explain"]).stdout.splitlines()
    assert drawn[-3] == "H8 makes a double three, forbidden."


def test_every_forbidden_point_of_json_lines_is_explained() -> None:
    six = {"black": ["C1", "D1", "E1", "G1", "H1", "G8", "H9", "H10", "F8"], "white": ["A15"]}
    none = {"black": ["H8"], "white": []}
    typed = "".join(json.dumps(position) + "\n" for position in (six, none))
    first, second = CliRunner().invoke(app, ["forbidden", "--explain"], input=typed).stdout.splitlines()
    told = json.loads(first)["explanations"]
    assert {point: one["verdict"] for point, one in told.items()} == {"F1": "overline", "H8": "double_three"}
    assert told["F1"]["lines"] == [["C1", "D1", "E1", "F1", "G1", "H1"]]
    assert told["F1"]["words"][0] == "F1 makes an overline, forbidden."
    assert json.loads(second)["explanations"] == {}


@pytest.mark.parametrize(
    ("arguments", "typed", "what"),
    [
        (["Z9"], "", "stone 1: 'Z9' is not a point"),
        (["H8", "H8"], "", "stone 2: H8 is occupied"),
        ([], '{"black": ["H8"]}\n', "stdin, line 1: white is missing"),
        ([], '{"black": ["H8"], "white": []}\n{"black"\n', "stdin, line 2: not JSON"),
        ([], "[1]\n", "stdin, line 1: no JSON object"),
        ([], '{"black": ["H8", "H8"], "white": []}\n', "stdin, line 1: black: H8 is occupied"),
        ([], '{"black": ["P8"], "white": []}\n', "'P8' is not a point"),
        (["H8", "--point", "H8"], "", "--point: H8 is occupied"),
        (["H8", "--point", "P8"], "", "--point: 'P8' is not a point"),
        (["--point", "H8"], '{"black": ["H8"], "white": []}\n', "stdin, line 1: --point: H8 is occupied"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], typed: str, what: str) -> None:
    result = CliRunner().invoke(app, ["forbidden", *arguments], input=typed)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert what in result.stderr
