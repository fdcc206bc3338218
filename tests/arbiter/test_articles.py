"""The articles that rulings cite."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from appliance.arbiter.articles import article, codes
from appliance.game.ruleset import load_ruleset, ruleset_names

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = {"A": "competition-five-two.txt", "B": "competition-n-points.txt", "C": "school.txt"}

# The codes of the rules, sections 4 and 5, with the rule that each belongs to.
RULES = {
    "first_stone_off_tengen": "P1",
    "opening_outside_26": "P2",
    "points_not_announced": "P3",
    "two_moves": "P4",
    "stone_slid": "P5",
    "stone_lifted": "P6",
    "stone_dropped": "P7",
    "press_before_placing": "P8",
    "other_hand": "P9",
    "stones_straightened": "P10",
    "stone_displaced": "P11",
    "stone_moved_on_purpose": "P12",
    "board_scattered": "P13",
    "board_scattered_by_player": "P14",
    "board_scattered_on_purpose": "P15",
    "points_equivalent": "P16",
    "wrong_stone": "P17",
    "board_moved": "E1",
    "five": "W1",
    "double_three": "W2",
    "double_four": "W2",
    "overline": "W3",
    "flag": "W5",
    "late": "W5",
    "resignation": "W6",
    "abandoned": "W6",
    "refusal": "W6",
    "outside_help": "W6",
    "stopped_clock": "W6",
    "draw_agreed": "D1",
    "double_pass": "D2",
    "board_full": "D3",
    "both_flags": "D4",
    "draw_offer_improper": "D6",
    "early_pass": "D7",
}


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return tomllib.loads((files("appliance.arbiter") / "articles.toml").read_text(encoding="utf-8"))


def seed_text(shared: Path, text: str) -> str:
    """A seed without whitespace, without the page numbers of copy A, without the pinyin that a converter put in."""
    content = (shared / "seeds" / SEEDS[text]).read_text(encoding="utf-8")
    if text == "A":
        content = re.sub(r"\n\n\d+、", "", content)
    content = re.sub(r"\([a-zü\u00e0-\u01ff]+\)", "", content)
    return re.sub(r"\s", "", content)


@pytest.mark.parametrize("text", ["A", "B", "C"])
def test_quotations_are_word_for_word(shared: Path, data: dict[str, Any], text: str) -> None:
    seed = seed_text(shared, text)
    for number, quotation in data[text].items():
        at = 0
        for fragment in re.sub(r"\s", "", quotation["zh"]).split("…"):
            found = seed.find(fragment, at)
            assert found >= 0, f"{text} {number}: {fragment}"
            at = found + len(fragment)


def test_every_quotation_is_cited(data: dict[str, Any]) -> None:
    for text in SEEDS:
        cited = {number for entry in data["code"].values() for number in entry.get(text, []) if ":" not in number}
        assert cited == set(data[text])


@pytest.mark.parametrize(("code", "rule"), RULES.items())
def test_rule_ids(code: str, rule: str) -> None:
    assert article(code, "A").rule == rule


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("text", ["A", "B", "C"])
def test_every_code_has_words_in_every_text(code: str, text: str) -> None:
    found = article(code, text)
    assert found.code == code
    assert found.title_zh
    assert found.title_en.isascii()
    assert re.search(r"[\u4e00-\u9fff]", found.text_zh)
    assert found.text_en.isascii()
    assert found.text_zh.count("\n") == found.text_en.count("\n")
    assert found.citation.startswith((text, "B ", found.rule))


def test_acts_of_all_rulesets_have_articles_under_the_same_rule() -> None:
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        for code, act in ruleset.acts.items():
            assert article(code, ruleset.cited_text).rule == act.rule


def test_citations_name_text_and_article() -> None:
    assert article("stone_slid", "A").citation == "A 9.1(8)"
    assert article("two_moves", "B").citation == "B 不合规则1(4), 纪律4"
    assert article("second_violation", "A").citation == "A 10.1(8), 9.3"
    assert article("third_warning", "C").citation == "C 第7條"


def test_a_text_without_an_article_falls_back_and_says_so() -> None:
    assert article("points_not_announced", "A").citation == "B 不合规则1(3), 纪律4 (no article in A)"
    assert article("stone_slid", "C").citation == "B 不合规则1(5), 纪律4 (no article in C)"
    assert article("camera_covered", "B").citation == "R1 (no article in A, B, C)"
    assert article("camera_covered", "B").citation_zh == "R1（A、B、C均无条文）"


def test_what_a_text_does_not_say_itself_is_quoted_from_another() -> None:
    """Text B says nothing of points of the same shape; text A does, in 2.10."""
    equivalent = article("points_equivalent", "B")
    assert equivalent.citation == "B 开局2, 行棋1, 纪律4; A 2.10 (not in B)"
    assert "同形" in equivalent.text_zh


def test_passages_under_one_number_are_cited_once() -> None:
    assert article("wrong_stone", "A").citation == "A 4.1, 4.2"
    assert article("outside_help", "C").citation == "C 第6條"


def test_unknown_code_and_text() -> None:
    with pytest.raises(KeyError):
        article("offside", "A")
    with pytest.raises(ValueError, match="'X'"):
        article("five", "X")
