"""Rulesets against what the rules, sections 3 to 6, say of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from appliance.game.ruleset import (
    Opening,
    Penalty,
    Raiser,
    Remedy,
    RulesetError,
    Step,
    Until,
    load_ruleset,
    ruleset_names,
)
from clock.control import Bonus, BonusKind, ByoYomi, Period, TimeControl

if TYPE_CHECKING:
    from pathlib import Path

B_ACTS = """
P1  first_stone_off_tengen      move_to_tengen           violation           opponent,referee white_answer
P2  opening_outside_26          new_opening              violation           opponent,referee white_4
P3  points_not_announced        announce                 violation           opponent         move_5
P4  two_moves                   take_back                violation           opponent,referee next_move
P5  stone_slid                  back_to_first_point      violation           opponent,referee next_move
P6  stone_lifted                back_to_first_point      violation           opponent,referee next_move
P5  stone_relocated             back_to_first_point      violation           opponent,referee next_move
P7  stone_dropped               choose_again             violation           opponent,referee next_move
P8  press_before_placing        stands                   time_and_violation  opponent,referee next_move
P9  other_hand                  -                        violation           opponent         next_move
P10 stones_straightened         -                        violation           opponent,referee next_move
P11 stone_displaced             put_back,stands,draw,replay none             anyone           any_time
P12 stone_moved_on_purpose      -                        loss                referee          any_time
P13 board_scattered             rebuild,draw,replay      none                anyone           any_time
P14 board_scattered_by_player   rebuild,offender_loses   violation           anyone           any_time
P15 board_scattered_on_purpose  -                        loss                referee          any_time
P16 points_equivalent           mend_points              violation           opponent         white_6
P17 wrong_stone                 take_back                violation           opponent,referee next_move
"""
"""The table of acts, text B's column, written out by hand."""

OPENING_ACTS = {"opening_outside_26", "points_not_announced", "points_equivalent"}
SQUARES = {"stone_outside_square": ("P2", "take_back", "violation", "opponent,referee", "next_move")}
"""Beyond the table (O8): a stone after move 3 outside the square that the opening asks for."""


def table(name: str) -> dict[str, tuple[str, str, str, str, str]]:
    """What a ruleset knows of acts, in the words of the table above."""
    ruleset = load_ruleset(name)
    rows = {}
    for code in ruleset.acts:
        act = ruleset.act(code)
        if act:
            rows[code] = (act.rule, ",".join(act.remedies) or "-", act.penalty.value, ",".join(act.by), act.until.value)
    return rows


def expected() -> dict[str, tuple[str, str, str, str, str]]:
    rows = {}
    for line in B_ACTS.strip().splitlines():
        rule, code, remedies, penalty, by, until = line.split()
        rows[code] = (rule, remedies, penalty, by, until)
    return rows


def test_names() -> None:
    assert ruleset_names() == [
        "competition",
        "competition-five-two",
        "free",
        "freestyle",
        "renju",
        "rif-classical",
        "school",
        "soosyrv-8",
        "standard",
        "swap2",
        "taraguchi-10",
        "yamaguchi",
    ]


@pytest.mark.parametrize("name", ["competition", "yamaguchi", "soosyrv-8"])
def test_acts_of_text_b(name: str) -> None:
    assert table(name) == expected()


def test_acts_with_a_fixed_number_of_points() -> None:
    rows = expected()
    del rows["points_not_announced"]
    assert table("rif-classical") == rows
    assert table("taraguchi-10") == rows | SQUARES


def test_acts_of_text_a() -> None:
    rows = expected()
    del rows["points_not_announced"]  # N is fixed
    rows["opening_outside_26"] = ("P2", "-", "violation", "opponent,referee", "white_4")
    rows["other_hand"] = ("P9", "-", "none", "opponent", "next_move")
    rows["points_equivalent"] = ("P16", "mend_points", "none", "opponent", "white_6")
    assert table("competition-five-two") == rows


@pytest.mark.parametrize("name", ["school", "renju"])
def test_acts_from_tengen(name: str) -> None:
    assert table(name) == {code: row for code, row in expected().items() if code not in OPENING_ACTS}


@pytest.mark.parametrize("name", ["freestyle", "free", "standard", "swap2"])
def test_acts_without_tengen(name: str) -> None:
    unknown = OPENING_ACTS | {"first_stone_off_tengen"}
    assert table(name) == {code: row for code, row in expected().items() if code not in unknown}


def test_unknown_act() -> None:
    with pytest.raises(KeyError):
        load_ruleset("renju").act("offside")


@pytest.mark.parametrize(
    ("name", "text", "cited", "ways"),
    [
        ("competition", "B", "B", ["BWB@1,3,5! W~ offer:announced"]),
        ("competition-five-two", "A", "A", ["BWB@1,3,5 W~ offer:2"]),
        ("free", "B", "B", [""]),
        ("school", "C", "C", ["B@1"]),
        ("renju", None, "B", ["B@1"]),
        ("freestyle", None, "B", [""]),
        ("standard", None, "B", [""]),
        ("rif-classical", None, "B", ["BWB@1,3,5 W~ offer:2"]),
        ("yamaguchi", None, "B", ["BWB@1,3,5! W~ offer:announced"]),
        ("soosyrv-8", None, "B", ["BWB@1,3,5 W~! offer:announced~"]),
        ("taraguchi-10", None, "B", ["B@1 W@3~ B@5~ W@7~ B@9~ W~", "B@1 W@3~ B@5~ W@7~ offer:10"]),
        ("swap2", None, "B", ["BWB W~", "BWB WB W~"]),
    ],
)
def test_text_and_opening(name: str, text: str | None, cited: str, ways: list[str]) -> None:
    """Every way through the opening: stones, @ their squares, ~ after a swap that is possible, ! announcing."""

    def short(step: Step) -> str:
        squares = "@" + ",".join(map(str, step.within)) if step.within else ""
        what = f"{step.stones}{squares}" if step.stones else f"offer:{step.offer}"
        return what + ("~" if step.swap else "") + ("!" if step.announces else "")

    ruleset = load_ruleset(name)
    assert ruleset.name == name
    assert ruleset.board_size == 15
    assert ruleset.text == text
    assert ruleset.cited_text == cited
    assert [" ".join(map(short, way)) for way in ruleset.opening.lines()] == ways


def test_how_many_points_may_be_announced() -> None:
    assert load_ruleset("soosyrv-8").opening.most_announced == 8
    assert load_ruleset("yamaguchi").opening.most_announced is None
    assert load_ruleset("rif-classical").opening.most_announced is None


def test_squares_of_a_turn() -> None:
    designated, taraguchi = load_ruleset("competition").opening, load_ruleset("taraguchi-10").opening
    assert [designated.squares_ending_at(n) for n in range(1, 8)] == [(), (), (1, 3, 5), (0,), (), (), ()]
    assert [taraguchi.squares_ending_at(n) for n in range(1, 8)] == [(1,), (3,), (5,), (7,), (9,), (0,), ()]


def test_end_of_a_turn() -> None:
    designated, free = load_ruleset("competition").opening, load_ruleset("free").opening
    assert [designated.turn_end(n) for n in range(1, 6)] == [3, 3, 3, 4, 5]
    assert [free.turn_end(n) for n in range(1, 4)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([{}], "give either stones or offer"),
        ([{"stones": "B", "offer": 2}], "give either stones or offer"),
        ([{"stones": "B", "within": [1, 3]}], "more squares than there are stones"),
        ([{"stones": "B", "within": [4]}], "is odd"),
        ([{"stones": "W"}], "stones must alternate from Black's first on, not W"),
        ([{"stones": "B"}, {"stones": "B"}], "stones must alternate"),
        ([{"stones": "BWBW"}, {"offer": 2}, {"stones": "B"}], "an offer ends the opening"),
        ([{"stones": "BWBW"}, {"offer": "announced"}], "needs one earlier step that announces"),
        ([{"stones": "BWBW"}, {"offer": "announced", "announces": 3}], "needs one earlier step that announces"),
        ([{"stones": "BW", "instead": [{"stones": "B"}]}], "instead goes with a turn of one stone"),
        ([{"stones": "B", "instead": [{"stones": "W"}]}], "begins with the same colour"),
        ([{"stones": "X"}], "write B or W for each stone"),
        ([{"stones": "BWBW", "announces": 3}], "points are announced that nobody offers"),
        ([{"stones": "B", "swap": True}], "nobody can change colours before the first turn"),
    ],
)
def test_an_opening_that_cannot_be_played(steps: list[dict[str, object]], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Opening.model_validate({"steps": steps})


@pytest.mark.parametrize(
    "name",
    [
        "competition",
        "competition-five-two",
        "free",
        "renju",
        "rif-classical",
        "soosyrv-8",
        "taraguchi-10",
        "yamaguchi",
    ],
)
def test_with_forbidden_moves(name: str) -> None:
    ruleset = load_ruleset(name)
    forbidden = ruleset.forbidden
    assert forbidden.double_three
    assert forbidden.double_four
    assert forbidden.overline
    assert forbidden.any
    assert forbidden.five_eye == "rif"
    assert ruleset.five.black_exact
    assert not ruleset.five.white_exact
    assert ruleset.claims.five
    assert ruleset.claims.forbidden


@pytest.mark.parametrize("name", ["school", "freestyle"])
def test_without_forbidden_moves(name: str) -> None:
    ruleset = load_ruleset(name)
    assert not ruleset.forbidden.any
    assert not ruleset.five.black_exact
    assert not ruleset.five.white_exact
    assert not ruleset.claims.five
    assert not ruleset.claims.forbidden


@pytest.mark.parametrize("name", ["standard", "swap2"])
def test_exactly_five_for_both(name: str) -> None:
    ruleset = load_ruleset(name)
    assert not ruleset.forbidden.any
    assert ruleset.five.black_exact
    assert ruleset.five.white_exact
    assert not ruleset.claims.five


@pytest.mark.parametrize("name", ruleset_names())
def test_violations_passes_and_waiver(name: str) -> None:
    ruleset = load_ruleset(name)
    limit = (3, "third_warning") if name == "school" else (2, "second_violation")
    assert (ruleset.violations.limit, ruleset.violations.code) == limit
    assert ruleset.passes.allowed
    assert ruleset.passes.from_move == 6
    assert ruleset.waiver_by_playing_on is (name != "competition-five-two")


def test_being_late() -> None:
    assert load_ruleset("competition").late.limit_s == 15 * 60
    assert load_ruleset("competition").late.factor == 1
    assert load_ruleset("school").late.limit_s == 60 * 60
    assert load_ruleset("school").late.factor == 2


def test_time_penalty_of_text_a(shared: Path) -> None:
    penalty = load_ruleset("competition-five-two").time_penalty
    assert not penalty.referee_chooses
    cases = [json.loads(line) for line in (shared / "vectors" / "scenarios.jsonl").read_text().splitlines()]
    presses = [c for c in cases if c["events"] and "press_before_stone" in c["events"][0]]
    assert len(presses) == 3
    for case in presses:
        gain, loss = penalty.seconds(case["events"][0]["remaining_s"])
        assert gain == case["expected"]["opponent_s"]
        assert -loss == case["expected"]["offender_s"]


def test_time_penalty_of_text_b_is_a_limit() -> None:
    penalty = load_ruleset("competition").time_penalty
    assert penalty.referee_chooses
    assert penalty.seconds(10) == (300, 300)


def test_suggested_time_controls() -> None:
    controls = load_ruleset("competition").time_controls
    minute = 60 * 10**9
    assert controls == (
        TimeControl.even(Period(time_ns=30 * minute), ByoYomi(periods=1, time_ns=minute)),
        TimeControl.even(Period(time_ns=10 * minute), ByoYomi(periods=1, time_ns=minute // 2)),
        TimeControl.even(Period(time_ns=30 * minute), Period(time_ns=10 * minute, moves=10)),
        TimeControl.even(
            Period(time_ns=20 * minute, bonus=Bonus(kind=BonusKind.INCREMENT, time_ns=minute // 6)),
        ),
    )
    # Texts A and C know no increment.
    for name in ("competition-five-two", "school"):
        assert load_ruleset(name).time_controls == controls[:3]


def test_a_ruleset_is_frozen() -> None:
    ruleset = load_ruleset("renju")
    with pytest.raises(ValidationError):
        ruleset.board_size = 13


def write(folder: Path, text: str, name: str = "club.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


CLUB = """
title_en = "Club"
title_zh = "俱乐部"
extends = "competition"
board_size = 13
[acts.two_moves]
penalty = "none"
"""


def test_a_file_of_ones_own_extends_another(tmp_path: Path) -> None:
    path = write(tmp_path, CLUB)
    ruleset = load_ruleset(path)
    assert load_ruleset(str(path)) == ruleset
    assert ruleset.name == "club"
    assert ruleset.board_size == 13
    assert ruleset.opening.fifth_points == "announced"
    act = ruleset.act("two_moves")
    assert act is not None
    assert act.penalty is Penalty.NONE
    assert act.remedies == (Remedy.TAKE_BACK,)
    assert act.by == (Raiser.OPPONENT, Raiser.REFEREE)
    assert act.until is Until.NEXT_MOVE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("board_size = 13|board_size = 25", "board_size: 25 will not do: write a number up to 19"),
        ("board_size = 13|board_size =", "not TOML: Invalid value"),
        ("board_size = 13|board_sise = 13", "board_sise: unknown key: remove it or correct its spelling"),
        ("board_size = 13|name = 'x'", "name: the file's own name is the ruleset's: remove the key"),
        ('extends = "competition"|', "opening: missing: add it"),
        ('"none"|"fine"', "acts.two_moves.penalty: 'fine' will not do: write 'none', 'violation', "),
        (
            "acts.two_moves|acts.offside",
            "acts.offside: no such act: use one of first_stone_off_tengen, opening_outside_26",
        ),
        ("board_size = 13|board_size = '13'", "board_size: '13' will not do: write a whole number"),
        ("board_size = 13|waiver_by_playing_on = 'no'", "waiver_by_playing_on: 'no' will not do: write true or false"),
        ("board_size = 13|board_size = 12", "board_size: a board of 12 lines has no tengen"),
        ("title_en = \"Club\"|title_en = ''", "title_en: '' will not do: write one line of text"),
        ('title_en = "Club"|title_en = "a\\nb"', "title_en: 'a\\nb' will not do: write one line"),
        ('penalty = "none"|by = ["referee", "referee"]', "acts.two_moves: by and remedies: name each once"),
        ('[acts.two_moves]\npenalty = "none"|[violations]\nlimit = true', "violations.limit: True will not do"),
        ('[acts.two_moves]\npenalty = "none"|[forbidden]\ndouble_four = false', "forbidden: double_three, double_four"),
        ('[acts.two_moves]\npenalty = "none"|[opening]\nsteps = [{offer=400}]', "opening: no more than 165 points"),
        ('"competition"|"gomoku"', "extends: no ruleset 'gomoku': use one of competition, "),
        ('"competition"|1', "extends: no ruleset 1: use one of competition, "),
        ('[acts.two_moves]\npenalty = "none"|[five]\nblack_exact = false', "forbidden.overline means that"),
        ('[acts.two_moves]\npenalty = "none"|[opening]\nsteps = [{stones="W"}]', "opening: steps: stones must"),
        ('[acts.two_moves]\npenalty = "none"|[opening]\nprotocol = "nigiri"', "opening.protocol: unknown key"),
        ('[acts.two_moves]\npenalty = "none"|[opening]\nsteps = [{}]', "opening.steps.0: give either stones or offer"),
        (
            '[acts.two_moves]\npenalty = "none"|[opening]\nsteps = [{offer=0}]',
            "opening.steps.0.offer: 0 will not do: write 'announced' or a number from 1 up",
        ),
        ('[acts.two_moves]\npenalty = "none"|[time_penalty]\nlow_s = 60', "time_penalty: give both low_s and"),
        (
            "board_size = 13|time_controls = ['15m; 3x30']",
            "time_controls.0: '15m; 3x30', at '30' (character 8): a time",
        ),
        (
            "board_size = 13|time_controls = [{main_s=600}]",
            "time_controls.0: {'main_s': 600} will not do: write a time",
        ),
        ("board_size = 13|time_controls = '5m'", "time_controls: '5m' will not do: write a list in square brackets"),
    ],
)
def test_a_bad_file_gives_one_line(tmp_path: Path, change: str, message: str) -> None:
    old, new = change.split("|")
    assert old in CLUB
    path = write(tmp_path, CLUB.replace(old, new))
    with pytest.raises(RulesetError) as caught:
        load_ruleset(path)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(f"{path}: {message}")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"none\.toml: cannot be read \(No such file or directory\): check the path"):
        load_ruleset(tmp_path / "none.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes(b'title_en = "\xe9"')
    with pytest.raises(RulesetError, match=r"latin\.toml: not UTF-8"):
        load_ruleset(path)


def test_unknown_name() -> None:
    known = ", ".join(ruleset_names())
    with pytest.raises(RulesetError) as caught:
        load_ruleset("go")
    assert str(caught.value) == f"no ruleset 'go': use one of {known}, or the path of a .toml file"
