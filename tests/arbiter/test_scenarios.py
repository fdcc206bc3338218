"""The referee cases of ``vectors/scenarios.jsonl``, each under every ruleset that it names.

Where a case is marked ambiguous, the test says how it is read here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from appliance.arbiter.consequences import offer_faults
from appliance.arbiter.occurrences import (
    ActRaised,
    ActSeen,
    DrawOffered,
    FiveDeclared,
    ForbiddenClaimed,
    Moved,
    Pressed,
    ViolationGiven,
)
from appliance.arbiter.outcomes import Standing
from appliance.game.points import Point
from appliance.game.position import Position
from appliance.game.ruleset import Remedy, load_ruleset, ruleset_names
from tests.arbiter.games import BLACK, FIRST, RULESETS, SECOND, WHITE, Game, full_board

if TYPE_CHECKING:
    from pathlib import Path

    from appliance.arbiter.outcomes import Outcome
    from appliance.game.points import Colour

MET = [f"s{number:02}" for number in range(1, 38)]


@pytest.fixture(scope="module")
def scenarios(shared: Path) -> dict[str, dict[str, Any]]:
    lines = (shared / "vectors" / "scenarios.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def under(case: dict[str, Any]) -> list[str]:
    return ruleset_names() if case["ruleset"] == "any" else [RULESETS[text] for text in case["ruleset"].split(",")]


def test_none_is_left_out(scenarios: dict[str, dict[str, Any]]) -> None:
    assert list(scenarios) == MET


def played(case: dict[str, Any], ruleset: str) -> tuple[Game, list[list[Outcome]]]:
    """The game after a case's moves and its claims and presses; what followed from each of these."""
    game = Game(ruleset)
    answers = []
    events = list(case["events"])
    for number, move in enumerate(case["moves"], 1):
        game.play([move])
        while events and events[0].get("after_ply") == number:
            event = events.pop(0)
            seat = game.seat_of(BLACK if event["by"] == "B" else WHITE)
            match event:
                case {"claim": "forbidden"}:
                    claim = ForbiddenClaimed(t_ns=0, by=seat, point=Point.parse(event["point"]))
                    answers.append(game.happens(claim))
                case {"claim": "five"}:
                    answers.append(game.happens(FiveDeclared(t_ns=0, seat=seat)))
                case {"press_clock": True}:
                    answers.append(game.happens(Pressed(t_ns=0, seat=seat)))
    assert not events
    return game, answers


CLAIMS = ["s01", "s02", "s03", "s04", "s05", "s06", "s07", "s08", "s09", "s10", "s11", "s12", "s14", "s37"]


@pytest.mark.parametrize("name", CLAIMS)
def test_claims(scenarios: dict[str, dict[str, Any]], name: str) -> None:
    case = scenarios[name]
    for ruleset in under(case):
        game, answers = played(case, ruleset)
        wanted = case["expected"]["verdict"]
        claims = answers[1:] if name == "s14" else answers  # its first event is a press
        told = [answer[-1].standing.value for answer in claims]
        assert told == (wanted if isinstance(wanted, list) else [wanted]), ruleset
        assert game.result == case["expected"]["result"]


@pytest.mark.parametrize(
    ("name", "code", "reason"),
    [
        ("s01", "double_three", "double_three"),
        ("s02", "claim_too_late", "claim lost: White has laid move 10 since"),
        ("s05", "claim_too_late", "claim lost: White has laid move 14 since"),
        ("s04", "double_four", "double_four"),
        ("s07", "overline", "overline"),
        ("s08", "overline", "overline"),
        ("s10", "five", "five"),
        ("s11", "five", "five (overline)"),
        ("s14", "five", "five"),
    ],
)
def test_reasons(scenarios: dict[str, dict[str, Any]], name: str, code: str, reason: str) -> None:
    for ruleset in under(scenarios[name]):
        _, answers = played(scenarios[name], ruleset)
        assert (answers[-1][-1].code, answers[-1][-1].reason) == (code, reason)


def test_s10_says_why_the_claim_fails(scenarios: dict[str, dict[str, Any]]) -> None:
    for ruleset in under(scenarios["s10"]):
        _, answers = played(scenarios["s10"], ruleset)
        assert answers[0][0].code == "five_and_forbidden"


def test_s13_undeclared_five(scenarios: dict[str, dict[str, Any]]) -> None:
    for ruleset in under(scenarios["s13"]):
        game, answers = played(scenarios["s13"], ruleset)
        (told,) = answers[0]
        assert (told.code, told.standing, game.result) == ("undeclared_five", Standing.RECORDED, None)
        assert "the game goes on" in told.reason


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("s15", "D"),
        ("s16", None),
        # Ambiguous: "the same round" is read as two passes one after the other, whoever passes first (as RIF does).
        ("s17", "D"),
    ],
)
def test_passes(scenarios: dict[str, dict[str, Any]], name: str, result: str | None) -> None:
    for ruleset in under(scenarios[name]):
        game, _ = played(scenarios[name], ruleset)
        assert game.result == result
        assert [outcome.code for outcome in game.outcomes] == (["double_pass"] if result else [])


def test_s18_early_pass(scenarios: dict[str, dict[str, Any]]) -> None:
    case = scenarios["s18"]
    for ruleset in under(case):
        game, _ = played(case, ruleset)
        assert [(o.code, o.standing) for o in game.outcomes] == [("early_pass", Standing.REJECTED)]
        assert game.ledger.number + 1 == case["expected"]["illegal_ply"]


def test_s19_claim_after_a_pass(scenarios: dict[str, dict[str, Any]]) -> None:
    """Ambiguous. Both texts name what loses the claim: a further white stone. A pass lays none: it is accepted."""
    for ruleset in under(scenarios["s19"]):
        game, answers = played(scenarios["s19"], ruleset)
        assert answers[-1][-1].standing is Standing.ACCEPTED
        assert game.result == "W"


def raised(game: Game, code: str, seat: Any, by: Any, **more: Any) -> list[Outcome]:
    return game.happens(ActRaised(t_ns=0, code=code, seat=seat, by=by, **more))


@pytest.mark.parametrize(
    ("name", "code", "by_referee", "remedy"),
    [
        ("s20", "first_stone_off_tengen", True, Remedy.MOVE_TO_TENGEN),
        ("s21", "first_stone_off_tengen", False, Remedy.MOVE_TO_TENGEN),
        ("s22", "opening_outside_26", False, None),
        ("s24", "opening_outside_26", False, Remedy.NEW_OPENING),
    ],
)
def test_openings(
    scenarios: dict[str, dict[str, Any]], name: str, code: str, by_referee: bool, remedy: Remedy | None
) -> None:
    case = scenarios[name]
    game = Game(case["ruleset"])
    game.play(case["moves"])
    game.happens(ActSeen(t_ns=0, code=code, seat=FIRST))
    (told,) = raised(game, code, FIRST, None if by_referee else SECOND)
    assert (told.standing, told.remedy, told.violations) == (Standing.ACCEPTED, remedy, 1)
    assert game.ledger.violations == (FIRST,)


def test_s23_opening_pointed_out_after_move_4(scenarios: dict[str, dict[str, Any]]) -> None:
    game = Game("A")
    game.play(scenarios["s23"]["moves"][:3])
    game.happens(ActSeen(t_ns=0, code="opening_outside_26", seat=FIRST))
    game.play(scenarios["s23"]["moves"][3:])
    (told,) = raised(game, "opening_outside_26", FIRST, SECOND)
    assert told.standing is Standing.REJECTED
    assert game.ledger.violations == ()


@pytest.mark.parametrize("name", ["s25", "s26"])
def test_offers_for_move_five(scenarios: dict[str, dict[str, Any]], name: str) -> None:
    case = scenarios[name]
    offered = [Point.parse(text) for text in case["events"][0]["offer5"]]
    position = Position(15)
    for number, text in enumerate(case["moves"]):
        position = position.placed(Point.parse(text), WHITE if number % 2 else BLACK)
    for point in offered:
        position = position.placed(point, BLACK)
    faults = list(offer_faults(load_ruleset(RULESETS["A"]), position.removed(offered), offered))
    assert (not faults) == case["expected"]["legal"]
    assert [fault.code for fault in faults] == ([] if case["expected"]["legal"] else ["points_equivalent"])


@pytest.mark.parametrize("name", ["s27", "s28", "s29"])
def test_pressed_before_the_stone(scenarios: dict[str, dict[str, Any]], name: str) -> None:
    case = scenarios[name]
    game = Game(case["ruleset"])
    left = case["events"][0]["remaining_s"]
    (told,) = raised(game, "press_before_placing", FIRST, SECOND, offender_left_s=left)
    assert told.seconds(FIRST) == case["expected"]["offender_s"]
    assert told.seconds(SECOND) == case["expected"]["opponent_s"]
    assert told.violations == 1


def test_s30_second_violation() -> None:
    game = Game("A")
    white = game.seat_of(WHITE)
    game.happens(ViolationGiven(t_ns=0, seat=white, code="stones_straightened"))
    assert game.result is None
    outcomes = game.happens(ViolationGiven(t_ns=0, seat=white, code="stones_straightened"))
    assert [outcome.code for outcome in outcomes] == ["stones_straightened", "second_violation"]
    assert game.result == "B"


def test_s31_draw_offered_in_the_opponents_time() -> None:
    game = Game("A")
    game.play("H8 H9 H10 H11 H7")
    game.happens(Pressed(t_ns=0, seat=FIRST))
    (told,) = game.happens(DrawOffered(t_ns=0, seat=FIRST))
    assert told.code == "draw_offer_improper"
    (given,) = raised(game, "draw_offer_improper", FIRST, None)
    assert given.violations == 1


def test_s32_third_offer_against_none() -> None:
    game = Game("A")
    game.play("H8 H9 H10 H11")
    told = []
    for black, white in (("A1", "A15"), ("C1", "C15"), ("E1", "E15")):
        game.play([black])
        told.append([outcome.code for outcome in game.happens(DrawOffered(t_ns=0, seat=FIRST))])
        if told[-1]:
            (given,) = raised(game, "draw_offer_improper", FIRST, None)
            assert given.violations == 1
        game.play([white])
    assert told == [[], [], ["draw_offer_improper"]]


def test_s33_two_stones_in_a_row() -> None:
    game = Game("A")
    game.play("H8 H9 I9 I10")
    game.happens(ActSeen(t_ns=0, code="two_moves", seat=SECOND, points=(Point.parse("K11"),)))
    (told,) = raised(game, "two_moves", SECOND, FIRST)
    assert (told.violations, told.remedy, told.seat) == (1, Remedy.TAKE_BACK, SECOND)


def test_s34_board_full_without_a_winner(shared: Path) -> None:
    """The drawn games of 225 moves among the recorded ones."""
    lines = (shared / "games" / "renju_games.jsonl").read_text(encoding="utf-8").splitlines()
    drawn = [game for game in map(json.loads, lines) if game["result"] == "D" and game["plies"] == 225]
    assert len(drawn) == 2
    for ruleset in ruleset_names():
        for recorded in drawn:
            game = Game(ruleset)
            assert game.play(recorded["moves"][:-1]) == []
            (told,) = game.play(recorded["moves"][-1:])
            assert (game.result, told.code) == ("D", "board_full")


def filled(line: str, colour: Colour) -> Position:
    """A full board of which only the points of ``line``, on one rank, hold more than two of a colour in a row."""
    stones = dict(full_board().stones)
    named = [Point.parse(text) for text in line.split()]
    for file in range(named[0].file - 1, named[-1].file + 2):
        stones[Point(file, named[0].rank)] = colour.other
    return Position(15, stones | dict.fromkeys(named, colour))


def test_s35_board_full_with_the_last_stone_making_five() -> None:
    position = filled("E8 F8 G8 H8 I8", BLACK)
    for ruleset in ruleset_names():
        game = Game(ruleset)
        game.happens(Moved(t_ns=0, seat=FIRST, colour=BLACK, point=Point.parse("G8"), position=position))
        if game.ledger.ruleset.claims.five:
            assert game.result is None  # it is for Black to declare
            game.happens(FiveDeclared(t_ns=0, seat=FIRST))
        assert (game.result, game.outcomes[-1].code) == ("B", "five")


def test_s36_overline_wins_where_nothing_is_forbidden(scenarios: dict[str, dict[str, Any]]) -> None:
    """It needs no claim there: the game has ended before Black claims it."""
    game, answers = played(scenarios["s36"], RULESETS["C"])
    assert (game.result, game.outcomes[0].code) == ("B", "five")
    assert answers[-1][-1].reason == "the game has ended"
