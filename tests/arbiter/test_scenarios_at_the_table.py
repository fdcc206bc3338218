"""The referee cases of ``vectors/scenarios.jsonl`` from what a camera, buttons and the referee bring.

Stones are seen, clocks pressed, claims entered: the expectations are those of the cases. Where one is marked
ambiguous it is read as in the tests of conduct alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.game.ruleset import Remedy, load_ruleset, ruleset_names
from tests.arbiter.games import RULESETS
from tests.arbiter.table import Table, placed, relocated, removed
from tests.arbiter.test_scenarios import MET, filled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from appliance.arbiter.outcomes import Outcome

CONTROL = "1h"
REASON = {"reason": "the referee saw it"}
SPARE = ("O15", "O1", "A15")
"""Points that no case plays, for the second stone offered on move 5."""


@pytest.fixture(scope="module")
def scenarios(shared: Path) -> dict[str, dict[str, Any]]:
    lines = (shared / "vectors" / "scenarios.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def test_none_is_left_out(scenarios: dict[str, dict[str, Any]]) -> None:
    assert list(scenarios) == MET


def under(case: dict[str, Any]) -> list[str]:
    return [RULESETS[text] for text in case["ruleset"].split(",")]


class Hall:
    """A game on time, played by both as they should, one move every 10 s; each presses when the other moves on."""

    def __init__(self, ruleset: str) -> None:
        self.table = Table(ruleset, control=CONTROL)
        self.table.decide(0, "start")
        self.designated = load_ruleset(ruleset).act("opening_outside_26") is not None
        self.number = 0
        self.t = 0
        self._to_press: Seat | None = None
        self._spare = SPARE[0]

    def seat_of(self, colour: str) -> str:
        return self.table.arbiter.protocol.seat_of(Colour(colour)).value

    def play(self, moves: Sequence[str]) -> None:
        for name in moves:
            opening = self.designated and self.number < 3
            seat = Seat.SECOND if self.number % 2 and not opening else Seat.FIRST
            if self._to_press is not seat:
                self.press()
            self.number += 1
            self.t = 10_000 * self.number
            self._to_press = seat
            if name == "pass":
                self.table.decide(self.t, "pass", seat=seat.value)
                continue
            if self.designated and self.number == 6:
                self.table.see(removed(self._spare, "B", self.t + 500, self.t + 700))
            self.table.lay(name, "BW"[(self.number + 1) % 2], self.t + 1_000, self.t + 1_200)
            if self.designated and self.number == 5:
                self._spare = next(point for point in SPARE if point != name)
                self.table.lay(self._spare, "B", self.t + 2_000, self.t + 2_200)

    def press(self) -> None:
        """Who has moved presses, 9 s after the move began."""
        if self._to_press is None:
            return
        if self.table.arbiter.protocol.declarer is not None:
            self.table.decide(10_000 * self.number + 8_000, "announce", points=2)
        self.table.press(self._to_press.value, 10_000 * self.number + 9_000)
        self._to_press = None

    def enter(self, what: str, **more: Any) -> Sequence[Outcome]:
        """A decision, 5 s after the last stone; what follows from it."""
        self.t += 100
        return self.table.decide(self.t + 4_900, what, **more).outcomes


def played(case: dict[str, Any], ruleset: str) -> tuple[Hall, list[Sequence[Outcome]]]:
    """The game after a case's moves and its claims and presses; what followed from each of these."""
    hall, answers = Hall(ruleset), []
    events = list(case["events"])
    for number, move in enumerate(case["moves"], 1):
        hall.play([move])
        while events and events[0].get("after_ply") == number:
            event = events.pop(0)
            seat = hall.seat_of(event["by"])
            match event:
                case {"claim": "forbidden"}:
                    answers.append(hall.enter("claim_forbidden", by=seat, point=event["point"]))
                case {"claim": "five"}:
                    answers.append(hall.enter("declare_five", seat=seat))
                case {"press_clock": True}:
                    before = len(hall.table.arbiter.outcomes)
                    hall.press()
                    answers.append(hall.table.arbiter.outcomes[before:])
    assert not events
    return hall, answers


def result(table: Table) -> str | None:
    """As the cases have it."""
    if table.arbiter.drawn:
        return "D"
    return table.arbiter.result.value if table.arbiter.result else None


CLAIMS = ["s01", "s02", "s03", "s04", "s05", "s06", "s07", "s08", "s09", "s10", "s11", "s12", "s14", "s37"]


@pytest.mark.parametrize("name", CLAIMS)
def test_claims(scenarios: dict[str, dict[str, Any]], name: str) -> None:
    case = scenarios[name]
    for ruleset in under(case):
        hall, answers = played(case, ruleset)
        wanted = case["expected"]["verdict"]
        claims = answers[1:] if name == "s14" else answers  # its first event is a press
        told = [answer[-1].standing.value for answer in claims]
        assert told == (wanted if isinstance(wanted, list) else [wanted]), ruleset
        assert result(hall.table) == case["expected"]["result"]
        assert hall.table.arbiter.clock.ticking is (case["expected"]["result"] is None)


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
        hall, answers = played(scenarios["s13"], ruleset)
        assert [(told.code, told.standing.value) for told in answers[0]] == [("undeclared_five", "recorded")]
        assert result(hall.table) is None
        assert hall.table.arbiter.running is Seat.SECOND


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("s15", "D"),
        ("s16", None),
        # Ambiguous: "the same round" is read as two passes one after the other, whoever passes first (as RIF does).
        ("s17", "D"),
    ],
)
def test_passes(scenarios: dict[str, dict[str, Any]], name: str, ending: str | None) -> None:
    for ruleset in under(scenarios[name]):
        hall, _ = played(scenarios[name], ruleset)
        assert result(hall.table) == ending
        assert [code for code, _ in hall.table.outcomes] == (["double_pass"] if ending else [])
        assert [ruling.code for ruling in hall.table.accused if ruling.code == "two_moves"] == []


def test_s18_early_pass(scenarios: dict[str, dict[str, Any]]) -> None:
    case = scenarios["s18"]
    for ruleset in under(case):
        hall, _ = played(case, ruleset)
        assert hall.table.outcomes == [("early_pass", "rejected")]
        assert hall.table.arbiter.state.ledger.number + 1 == case["expected"]["illegal_ply"]
        assert hall.table.arbiter.protocol.seat is Seat.SECOND


def test_s19_claim_after_a_pass(scenarios: dict[str, dict[str, Any]]) -> None:
    """Ambiguous. Both texts name what loses the claim: a further white stone. A pass lays none: it is accepted."""
    for ruleset in under(scenarios["s19"]):
        hall, answers = played(scenarios["s19"], ruleset)
        assert answers[-1][-1].standing.value == "accepted"
        assert result(hall.table) == "W"


@pytest.mark.parametrize(
    ("name", "code", "by", "remedy"),
    [
        ("s20", "first_stone_off_tengen", None, Remedy.MOVE_TO_TENGEN),
        ("s21", "first_stone_off_tengen", "second", Remedy.MOVE_TO_TENGEN),
        ("s22", "opening_outside_26", "second", None),
        ("s24", "opening_outside_26", "second", Remedy.NEW_OPENING),
    ],
)
def test_openings(
    scenarios: dict[str, dict[str, Any]], name: str, code: str, by: str | None, remedy: Remedy | None
) -> None:
    case = scenarios[name]
    hall = Hall(RULESETS[case["ruleset"]])
    hall.play(case["moves"])
    table = hall.table
    assert table.ruled == [code]
    (told,) = hall.enter("confirm", ruling=table.number(code), **({"by": by} if by else {}))
    assert (told.standing.value, told.remedy, told.violations) == ("accepted", remedy, 1)
    assert table.arbiter.state.ledger.violations == (Seat.FIRST,)
    if remedy is Remedy.MOVE_TO_TENGEN:
        table.see(*relocated("H9", "H8", "B", hall.t + 5_000, hall.t + 5_500))
        assert (table.outcomes[-1], table.outcome(code).reason) == ((code, "recorded"), "the remedy was carried out")
        assert (table.moves, table.ruled) == ("BH8", [code])
    if remedy is Remedy.NEW_OPENING:
        assert (table.moves, table.arbiter.running) == ("", Seat.FIRST)
        assert [str(point) for point in table.arbiter.differing] == ["H8", "H9", "K11"]


def test_s23_opening_pointed_out_after_move_4(scenarios: dict[str, dict[str, Any]]) -> None:
    hall = Hall(RULESETS["A"])
    hall.play(scenarios["s23"]["moves"])
    table = hall.table
    (told,) = hall.enter("confirm", ruling=table.number("opening_outside_26"), by="second")
    assert told.standing.value == "rejected"
    assert table.arbiter.state.ledger.violations == ()


@pytest.mark.parametrize("name", ["s25", "s26"])
def test_offers_for_move_five(scenarios: dict[str, dict[str, Any]], name: str) -> None:
    case = scenarios[name]
    hall = Hall(RULESETS["A"])
    hall.play(case["moves"])
    hall.press()
    for n, point in enumerate(case["events"][0]["offer5"]):
        hall.table.lay(point, "B", 50_000 + n * 1_000, 50_300 + n * 1_000)
    hall.table.press("first", 60_000)
    hall.table.look(61_000)
    assert hall.table.ruled == ([] if case["expected"]["legal"] else ["points_equivalent"])


@pytest.mark.parametrize("name", ["s27", "s28", "s29"])
def test_pressed_before_the_stone(scenarios: dict[str, dict[str, Any]], name: str) -> None:
    case = scenarios[name]
    before = Position(15, {Point.parse("A1"): Colour.BLACK, Point.parse("B1"): Colour.WHITE})
    table = Table(RULESETS[case["ruleset"]], start=before, control=CONTROL)
    table.decide(0, "start")
    table.press("first", 10_000)
    table.lay("C3", "B", 12_000, 12_300)
    left = case["events"][0]["remaining_s"]
    table.decide(13_000, "set_time", seat="first", left_s=left, **REASON)
    table.decide(14_000, "confirm", ruling=table.number("press_before_placing"), by="second")
    assert table.outcome("press_before_placing").violations == 1
    assert table.left("first", 14_000) - left == case["expected"]["offender_s"]
    assert table.left("second", 14_000) - (3_600 - 4) == case["expected"]["opponent_s"]


def test_s30_second_violation() -> None:
    hall = Hall(RULESETS["A"])
    for n in range(2):
        assert result(hall.table) is None
        hall.enter("violation", seat="second", code="stones_straightened", reason=f"for the {n + 1}. time")
    assert [code for code, _ in hall.table.outcomes] == [*["stones_straightened"] * 2, "second_violation"]
    assert result(hall.table) == "B"


def test_s31_draw_offered_in_the_opponents_time() -> None:
    hall = Hall(RULESETS["A"])
    hall.play(["H8", "H9", "H10", "H11", "H7"])
    hall.press()
    (told,) = hall.enter("offer_draw", seat="first")
    assert (told.code, told.standing.value) == ("draw_offer_improper", "recorded")
    (given,) = hall.enter("raise", code="draw_offer_improper", seat="first")
    assert given.violations == 1


def test_s32_third_offer_against_none() -> None:
    hall = Hall(RULESETS["A"])
    hall.play(["H8", "H9", "H10", "H11", "F6", "A14"])
    told = []
    for black, white in (("A1", "B15"), ("C1", "C15"), ("E1", "E15")):
        hall.play([black])
        told.append([outcome.code for outcome in hall.enter("offer_draw", seat="first")])
        if told[-1]:
            (given,) = hall.enter("raise", code="draw_offer_improper", seat="first")
            assert given.violations == 1
        hall.play([white])
    assert told == [[], [], ["draw_offer_improper"]]


def test_s33_two_stones_in_a_row() -> None:
    """White lays another stone in its own turn, before the press."""
    hall = Hall(RULESETS["A"])
    hall.play(["H8", "H9", "I9", "I10"])
    table = hall.table
    table.lay("K11", "W", 43_000, 43_200)
    hall.press()
    table.look(49_500)
    assert [(ruling.code, ruling.seat) for ruling in table.accused] == [("two_moves", Seat.SECOND)]
    (told,) = hall.enter("confirm", ruling=table.number("two_moves"), by="first")
    assert (told.violations, told.remedy, told.seat) == (1, Remedy.TAKE_BACK, Seat.SECOND)
    table.see(removed("K11", "W", 55_000, 55_300))
    assert table.outcome("two_moves").reason == "the remedy was carried out"
    assert table.moves == "BH8 WH9 BI9 WI10"


def test_s34_board_full_without_a_winner(shared: Path) -> None:
    """The drawn games of 225 moves among the recorded ones, from move 220 on."""
    lines = (shared / "games" / "renju_games.jsonl").read_text(encoding="utf-8").splitlines()
    drawn = [game for game in map(json.loads, lines) if game["result"] == "D" and game["plies"] == 225]
    assert len(drawn) == 2
    for ruleset in ruleset_names():
        for recorded in drawn:
            stones = {Point.parse(name): list(Colour)[n % 2] for n, name in enumerate(recorded["moves"][:220])}
            table = Table(ruleset, start=Position(15, stones), to_move=Colour.BLACK)
            table.play(" ".join(recorded["moves"][220:224]))
            assert table.outcomes == []
            table.play(recorded["moves"][224], from_ms=50_000)
            assert (result(table), [code for code, _ in table.outcomes]) == ("D", ["board_full"])


def test_s35_board_full_with_the_last_stone_making_five() -> None:
    position = filled("E8 F8 G8 H8 I8", Colour.BLACK)
    for ruleset in ruleset_names():
        table = Table(ruleset, start=position.removed([Point.parse("G8")]), control=CONTROL)
        table.decide(0, "start")
        table.see(placed("G8", "B", 5_000, 5_200))
        if table.arbiter.ruleset.claims.five:
            assert result(table) is None  # it is for Black to declare
            table.decide(6_000, "declare_five", seat="first")
        assert (result(table), table.outcomes) == ("B", [("five", "accepted")])


def test_s36_overline_wins_where_nothing_is_forbidden(scenarios: dict[str, dict[str, Any]]) -> None:
    """It needs no claim there: the game has ended before Black claims it."""
    hall, answers = played(scenarios["s36"], RULESETS["C"])
    assert (result(hall.table), hall.table.outcomes[0][0]) == ("B", "five")
    assert answers[-1][-1].reason == "the game has ended"
