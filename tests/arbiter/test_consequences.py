"""What a stone makes: fives, forbidden moves, a full board, opening faults; positions drawn by hand."""

from __future__ import annotations

import pytest

from appliance.arbiter.consequences import Consequence, made_by, opening_faults
from appliance.game.points import Colour, Point
from appliance.game.position import Position
from appliance.game.ruleset import Ruleset, load_ruleset, ruleset_names

B, W = Colour.BLACK, Colour.WHITE
RENJU_LIKE = ["renju", "competition", "competition-five-two"]
FREE = ["freestyle", "school"]

FIVE = "F8 G8 H8 I8"
DOUBLE_THREE = "G8 I8 H7 H9"
DOUBLE_FOUR = "E8 F8 G8 H5 H6 H7"


def stones(black: str, white: str = "", size: int = 15) -> Position:
    return Position(
        size,
        {Point.parse(name, size): B for name in black.split()} | {Point.parse(name, size): W for name in white.split()},
    )


def made(ruleset: str | Ruleset, black: str, white: str, last: str) -> Consequence | None:
    """What the stone on ``last`` makes; the lists hold it already."""
    rules = load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    return made_by(rules, stones(black, white), Point.parse(last))


def code_of(consequence: Consequence | None) -> str | None:
    return consequence.code if consequence else None


@pytest.mark.parametrize("name", sorted(ruleset_names()))
@pytest.mark.parametrize(
    "line", ["F8 G8 H8 I8 J8", "H5 H6 H7 H8 H9", "D4 E5 F6 G7 H8", "D12 E11 F10 G9 H8", "A1 A2 A3 A4 A5"]
)
@pytest.mark.parametrize("colour", [B, W])
def test_five(name: str, line: str, colour: Colour) -> None:
    last = line.split()[2]
    consequence = made(name, line if colour is B else "", line if colour is W else "", last)
    assert consequence is not None
    assert consequence.code == "five"
    assert set(consequence.points) == {Point.parse(p) for p in line.split()}
    # A five that must be declared ends nothing by itself (W1).
    claimed = name not in ("freestyle", "school", "standard", "swap2")
    assert consequence.winner is (None if claimed else colour)
    assert not consequence.drawn


@pytest.mark.parametrize("name", sorted(ruleset_names()))
def test_four_is_nothing(name: str) -> None:
    assert made(name, "F8 G8 H8 I8", "", "I8") is None
    assert made(name, "", "F8 G8 H8 I8", "I8") is None


@pytest.mark.parametrize("name", RENJU_LIKE)
def test_overline(name: str) -> None:
    six = "E8 F8 G8 H8 I8 J8"
    black = made(name, six, "", "G8")
    assert black is not None
    assert (black.code, black.points, black.winner) == ("overline", (Point.parse("G8"),), None)
    white = made(name, "", six, "G8")
    assert code_of(white) == "five"  # W1: White's overline counts as five


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("colour", [B, W])
def test_five_or_more_wins_where_nothing_is_forbidden(name: str, colour: Colour) -> None:
    six = "E8 F8 G8 H8 I8 J8"
    consequence = made(name, six if colour is B else "", six if colour is W else "", "G8")
    assert consequence is not None
    assert (consequence.code, consequence.winner) == ("five", colour)
    assert set(consequence.points) == {Point.parse(p) for p in six.split()}


def test_an_overline_that_is_not_forbidden_and_no_five() -> None:
    """Standard gomoku (O8): exactly five wins, six are nothing."""
    renju = load_ruleset("renju")
    standard = renju.model_copy(
        update={
            "forbidden": renju.forbidden.model_copy(
                update={"double_three": False, "double_four": False, "overline": False}
            ),
            "five": renju.five.model_copy(update={"black_exact": True, "white_exact": True}),
        }
    )
    six = "E8 F8 G8 H8 I8 J8"
    assert made(standard, six, "", "G8") is None
    assert made(standard, "", six, "G8") is None


@pytest.mark.parametrize("name", RENJU_LIKE)
@pytest.mark.parametrize(("around", "code"), [(DOUBLE_THREE, "double_three"), (DOUBLE_FOUR, "double_four")])
def test_forbidden_for_black_alone(name: str, around: str, code: str) -> None:
    black = made(name, f"{around} H8", "", "H8")
    assert black is not None
    assert (black.code, black.points, black.winner, black.drawn) == (code, (Point.parse("H8"),), None, False)
    assert made(name, "", f"{around} H8", "H8") is None


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("around", [DOUBLE_THREE, DOUBLE_FOUR])
def test_nothing_is_forbidden_there(name: str, around: str) -> None:
    assert made(name, f"{around} H8", "", "H8") is None


def test_two_fours_on_one_line() -> None:
    """T3: X·XXX·X holds two fours; the stone in the middle of the three makes both."""
    assert code_of(made("renju", "E8 G8 H8 I8 K8", "", "H8")) == "double_four"


def test_only_what_the_ruleset_forbids() -> None:
    renju = load_ruleset("renju")
    only_fours = renju.model_copy(update={"forbidden": renju.forbidden.model_copy(update={"double_three": False})})
    assert made(only_fours, f"{DOUBLE_THREE} H8", "", "H8") is None
    assert code_of(made(only_fours, f"{DOUBLE_FOUR} H8", "", "H8")) == "double_four"


def test_without_claims_a_forbidden_move_loses_at_once() -> None:
    renju = load_ruleset("renju")
    at_once = renju.model_copy(update={"claims": renju.claims.model_copy(update={"five": False, "forbidden": False})})
    consequence = made(at_once, f"{DOUBLE_THREE} H8", "", "H8")
    assert consequence is not None
    assert consequence.winner is W


@pytest.mark.parametrize("name", RENJU_LIKE)
@pytest.mark.parametrize(
    "also",
    [
        pytest.param("G7 I9 G9 I7", id="two threes"),
        pytest.param("H9 H10 H11 G9 F10 E11", id="two fours"),
        pytest.param("H4 H5 H6 H7 H9", id="overline"),
    ],
)
def test_five_goes_before_forbidden(name: str, also: str) -> None:
    """W4, T5: a stone that makes exactly five is never forbidden."""
    consequence = made(name, f"D8 E8 F8 G8 H8 {also}", "", "H8")
    assert consequence is not None
    assert consequence.code == "five"
    assert {str(p) for p in consequence.points} == {"D8", "E8", "F8", "G8", "H8"}


def full(size: int = 15) -> Position:
    """A full board without three in a row anywhere: pairs of files, turned by two every rank."""
    return Position(
        size,
        {Point(file, rank): B if (file + 2 * rank) % 4 < 2 else W for file in range(size) for rank in range(size)},
    )


@pytest.mark.parametrize("name", sorted(ruleset_names()))
def test_full_board(name: str) -> None:
    board = full()
    ruleset = load_ruleset(name)
    last = next(point for point, colour in board.stones.items() if colour is W)
    consequence = made_by(ruleset, board, last)
    assert consequence is not None
    assert (consequence.code, consequence.drawn, consequence.winner) == ("board_full", True, None)
    one_free = board.removed([last])
    another = next(point for point, colour in one_free.stones.items() if colour is W)
    assert made_by(ruleset, one_free, another) is None


def test_no_stone_there() -> None:
    with pytest.raises(ValueError, match="no stone"):
        made_by(load_ruleset("renju"), stones(""), Point.parse("H8"))


def faults(name: str, played: str) -> list[str]:
    return [fault.code for fault in opening_faults(load_ruleset(name), [Point.parse(p) for p in played.split()], 15)]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("competition", ["first_stone_off_tengen"]),
        ("competition-five-two", ["first_stone_off_tengen"]),
        ("renju", ["first_stone_off_tengen"]),
        ("school", ["first_stone_off_tengen"]),
        ("freestyle", []),
    ],
)
def test_first_stone_off_tengen(name: str, found: list[str]) -> None:
    """P1: only where the opening begins on tengen."""
    assert faults(name, "H9") == found
    assert faults(name, "H8") == []
    assert faults(name, "H9 H8") == []  # said once, with the stone itself


@pytest.mark.parametrize(
    ("name", "known"),
    [("competition", True), ("competition-five-two", True), ("renju", False), ("school", False), ("freestyle", False)],
)
@pytest.mark.parametrize(
    ("played", "of_26"),
    [
        ("H8 H9 H10", True),  # direct, straight on
        ("H8 I9 J10", True),  # indirect, straight on
        ("H8 H9 F6", True),  # the corner of the 5 × 5
        ("H8 H9 H11", False),  # outside the 5 × 5
        ("H8 H10 H9", False),  # White 2 does not touch Black 1
        ("H8 J9 H9", False),
    ],
)
def test_opening_outside_26(name: str, known: bool, played: str, of_26: bool) -> None:
    """P2: only where the opening is designated."""
    assert faults(name, played) == (["opening_outside_26"] if known and not of_26 else [])


def test_only_the_third_stone_shows_the_opening() -> None:
    assert faults("competition", "H8 H10") == []
    assert faults("competition", "H8 H10 H9 A1") == []
