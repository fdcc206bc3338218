"""``caipan rules``: the rulesets listed, and each told with its articles."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from appliance.cli.app import app
from appliance.game.ruleset import load_ruleset, ruleset_names


def told(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["rules", *arguments])
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def told_as_json(*arguments: str) -> dict[str, Any]:
    (line,) = told(*arguments, "--json").splitlines()
    answer: dict[str, Any] = json.loads(line)
    return answer


def test_list() -> None:
    lines = told().splitlines()
    assert [line.split()[0] for line in lines] == ruleset_names()
    assert "Competition rules, two points on move five" in lines[1]
    assert "五手两打" in told("--language", "zh")


def test_list_as_json() -> None:
    lines = [json.loads(line) for line in told("--json").splitlines()]
    assert [line["ruleset"] for line in lines] == ruleset_names()
    assert {line["ruleset"]: line["text"] for line in lines}["school"] == "C"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ruleset_names())
def test_every_ruleset_is_told_whole(name: str, language: str) -> None:
    ruleset = load_ruleset(name)
    page = told(name, "--language", language)
    known = [code for code in ruleset.acts if ruleset.act(code)]
    assert re.findall(r"^P\d+  (\w+):", page, flags=re.MULTILINE) == known
    for act in told_as_json(name)["acts"]:
        for key in ("citation" if language == "en" else "citation_zh", "text_zh", "text_en"):
            told_of = re.sub(BORROWED, "", act["article"][key])
            assert all(line in page for line in told_of.splitlines())


BORROWED = r" \(no article in [AC]\)|（[AC]无此条）"
"""What the JSON says of each article that the ruleset's own text lacks."""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Cited from text C; what it has no article for, from text B."),
        ("zh", "引自文本C；其中无条文者引自文本B。"),
    ],
)
def test_what_a_text_lacks_is_said_once(language: str, said: str) -> None:
    page = told("school", "--language", language)
    assert page.splitlines()[1] == said
    assert re.search(BORROWED, page) is None
    assert "[B " in page
    assert "[C " in page
    articles = [act["article"] for act in told_as_json("school")["acts"]]
    assert any(re.search(BORROWED, one["citation"]) for one in articles), "a program is told with each"


def test_nothing_is_said_of_borrowing_where_text_b_is_the_rulesets_own() -> None:
    assert "Cited from" not in told("competition")


def test_draws_are_told() -> None:
    page = told("competition")
    assert "after one's own stone and before the press" in page
    assert "more than 2 offers ahead" in page
    assert "A full board without a five is a draw. [B 终局2(3)]" in page


def test_chinese_sentences_are_chinese() -> None:
    for name in ruleset_names():
        for section in told_as_json(name, "--language", "zh")["in_words"]:
            for line in section["lines"]:
                said = re.sub(r"\[[^]]*]", "", line)
                assert not re.search(r"[a-z]{2}", said), said


def opening(name: str) -> str:
    words = told_as_json(name)["in_words"]
    return "\n".join(next(section["lines"] for section in words if section["title"] == "Opening"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("competition-five-two", ["Black offers 2 points for move 5", "on tengen (H8)", "within the 5 × 5"]),
        ("competition", ["announces how many points", "as many points as announced"]),
        ("soosyrv-8", ["1 to 8."]),
        ("taraguchi-10", ["within the 7 × 7", "within the 9 × 9", "instead of 5", "10 points for move 5"]),
        ("swap2", ["instead of 2", "move 4 (white) anywhere, move 5 (black) anywhere"]),
        ("freestyle", ["Black begins on any point"]),
    ],
)
def test_openings_in_words(name: str, said: list[str]) -> None:
    assert [part for part in said if part not in opening(name)] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("competition-five-two", ["The opponent gains 2 min and the offender loses 5 min.", "less than 7 min left"]),
        ("competition", ["up to 5 min", "has accepted the act", "number 2 in one game loses it. [B 终局1-H"]),
        (
            "school",
            [
                "number 3 in one game loses it. [C 第7條]",
                "more than 60 min late",
                "costs the absentee 2 minutes",
                "No move is forbidden",
            ],
        ),
        ("standard", ["White wins with exactly five in a row.", "A five ends the game at once."]),
        ("renju", ["White wins with five or more", "A player may pass from move 6 on.", "a five is not counted"]),
    ],
)
def test_settings_in_words(name: str, said: list[str]) -> None:
    page = told(name)
    assert [part for part in said if part not in page] == []


def test_an_act_as_the_table_has_it() -> None:
    (act,) = [act for act in told_as_json("competition-five-two")["acts"] if act["code"] == "opening_outside_26"]
    assert (act["rule"], act["remedies"], act["penalty"]) == ("P2", [], "violation")
    assert (act["by"], act["until"]) == (["opponent", "referee"], "white_4")
    assert act["article"]["citation"].startswith("A 9.1(6)")
    assert "26種開局" in act["article"]["text_zh"]


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('title_en = "Club"\ntitle_zh = "俱乐部"\nextends = "renju"\n[passes]\nallowed = false\n', "utf-8")
    page = told(str(path))
    assert page.startswith("club: Club / 俱乐部")
    assert "Nobody may pass." in page


@pytest.mark.parametrize(
    ("name", "what"),
    [("gomoku", "no ruleset 'gomoku': use one of competition,"), ("none.toml", "none.toml: cannot be read")],
)
def test_bad_input_is_one_line(name: str, what: str) -> None:
    result = CliRunner().invoke(app, ["rules", name])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert what in result.stderr
