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
    ],
)
def test_bad_input_is_one_line(arguments: list[str], typed: str, what: str) -> None:
    result = CliRunner().invoke(app, ["forbidden", *arguments], input=typed)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert what in result.stderr
