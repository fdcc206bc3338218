"""The rules' sections 4 and 5 as a table, one case per rule: the act, the ruling, until when, what playing on does.

The expectations are written down from ``rules.md`` and the texts, not read from the rulesets. D8 (who may hear of
it) is tested with the rulings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import pytest

from appliance.arbiter.occurrences import (
    ActRaised,
    ActSeen,
    DrawAgreed,
    DrawAnswered,
    DrawOffered,
    FiveDeclared,
    FlagsCalled,
    ForbiddenClaimed,
    LossEntered,
    Pressed,
    ResultAgreed,
    TooLate,
)
from appliance.arbiter.outcomes import Standing
from appliance.game.points import Point
from appliance.game.ruleset import Penalty, Remedy
from tests.arbiter.games import FIRST, SECOND, Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from appliance.arbiter.outcomes import Outcome
    from appliance.game.points import Seat

ACCEPTED, REJECTED = Standing.ACCEPTED, Standing.REJECTED
TEXTS = ("A", "B", "C")
V, T, L, N = Penalty.VIOLATION, Penalty.TIME_AND_VIOLATION, Penalty.LOSS, Penalty.NONE
OPPONENT, REFEREE = "opponent", "referee"

LINE = "H8 H9 I9 G7 J10 F6 A1 A15 C1 C15"
"""A game in which nothing happens: all its moves are legal under every text."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One act. ``after``: how many moves stand when it happens; ``open_for``, ``ended_by``: the last number of moves
    with which it can still be raised, and the first with which it cannot, by text; None: at any time.
    """

    rule: str
    code: str
    seat: Seat
    after: int
    remedy: Mapping[str, Remedy | None]
    penalty: Mapping[str, Penalty | None]
    """None: the act is unknown under this text."""
    by: tuple[str, ...]
    open_for: dict[str, int] | None
    ended_by: dict[str, int] | None


Value = TypeVar("Value")


def everywhere(value: Value) -> dict[str, Value]:
    return dict.fromkeys(TEXTS, value)


def next_move(code: str, rule: str, remedy: Remedy | None, penalty: Penalty = V, **differing: Penalty) -> Row:
    """An act by Black with move 7, to be raised until White's move 8."""
    return Row(
        rule=rule,
        code=code,
        seat=FIRST,
        after=7,
        remedy=everywhere(remedy),
        penalty=everywhere(penalty) | differing,
        by=(OPPONENT, REFEREE),
        open_for=everywhere(7),
        ended_by=everywhere(8),
    )


def any_time(code: str, rule: str, remedy: Remedy | None, penalty: Penalty, by: tuple[str, ...]) -> Row:
    return Row(
        rule=rule,
        code=code,
        seat=FIRST,
        after=7,
        remedy=everywhere(remedy),
        penalty=everywhere(penalty),
        by=by,
        open_for=None,
        ended_by=None,
    )


ANYONE = ("offender", OPPONENT, REFEREE)
ROWS = [
    # In a designated opening the first player lays White 2 as well: the opponent's next move is move 4.
    Row(
        rule="P1",
        code="first_stone_off_tengen",
        seat=FIRST,
        after=1,
        remedy=everywhere(Remedy.MOVE_TO_TENGEN),
        penalty=everywhere(V),
        by=(OPPONENT, REFEREE),
        open_for={"A": 3, "B": 3, "C": 1},
        ended_by={"A": 4, "B": 4, "C": 2},
    ),
    Row(
        rule="P2",
        code="opening_outside_26",
        seat=FIRST,
        after=3,
        remedy={"A": None, "B": Remedy.NEW_OPENING, "C": None},
        penalty={"A": V, "B": V, "C": None},
        by=(OPPONENT, REFEREE),
        open_for={"A": 3, "B": 3},
        ended_by={"A": 4, "B": 4},
    ),
    Row(
        rule="P3",
        code="points_not_announced",
        seat=FIRST,
        after=3,
        remedy={"B": Remedy.ANNOUNCE},
        penalty={"A": None, "B": V, "C": None},
        by=(OPPONENT,),
        open_for={"B": 3},
        ended_by={"B": 4},
    ),
    next_move("two_moves", "P4", Remedy.TAKE_BACK),
    next_move("stone_slid", "P5", Remedy.BACK_TO_FIRST_POINT),
    next_move("stone_lifted", "P6", Remedy.BACK_TO_FIRST_POINT),
    next_move("stone_relocated", "P5", Remedy.BACK_TO_FIRST_POINT),
    next_move("stone_dropped", "P7", Remedy.CHOOSE_AGAIN),
    next_move("press_before_placing", "P8", Remedy.STANDS, T),
    Row(
        rule="P9",
        code="other_hand",
        seat=FIRST,
        after=7,
        remedy=everywhere(None),
        penalty={"A": N, "B": V, "C": V},
        by=(OPPONENT,),
        open_for=everywhere(7),
        ended_by=everywhere(8),
    ),
    next_move("stones_straightened", "P10", None),
    any_time("stone_displaced", "P11", Remedy.PUT_BACK, N, ANYONE),
    any_time("stone_moved_on_purpose", "P12", None, L, (REFEREE,)),
    any_time("board_scattered", "P13", Remedy.REBUILD, N, ANYONE),
    any_time("board_scattered_by_player", "P14", Remedy.REBUILD, V, ANYONE),
    any_time("board_scattered_on_purpose", "P15", None, L, (REFEREE,)),
    Row(
        rule="P16",
        code="points_equivalent",
        seat=FIRST,
        after=4,
        remedy={"A": Remedy.MEND_POINTS, "B": Remedy.MEND_POINTS},
        penalty={"A": N, "B": V, "C": None},
        by=(OPPONENT,),
        open_for={"A": 5, "B": 5},
        ended_by={"A": 6, "B": 6},
    ),
    next_move("wrong_stone", "P17", Remedy.TAKE_BACK),
]
CASES = [pytest.param(row, text, id=f"{row.rule}-{row.code}-{text}") for row in ROWS for text in TEXTS]


def seen(row: Row, text: str, moves: int) -> Game:
    """A game in which the act was seen, with so many ``moves``."""
    game = Game(text)
    names = LINE.split()
    game.play(names[: row.after])
    game.happens(ActSeen(t_ns=0, code=row.code, seat=row.seat))
    game.play(names[row.after : moves])
    return game


def raised(game: Game, row: Row, who: str, left: float | None = 600) -> list[Outcome]:
    by = {"offender": row.seat, OPPONENT: row.seat.other, REFEREE: None}[who]
    return game.happens(ActRaised(t_ns=0, code=row.code, seat=row.seat, by=by, offender_left_s=left))


@pytest.mark.parametrize(("row", "text"), CASES)
def test_the_ruling(row: Row, text: str) -> None:
    penalty = row.penalty[text]
    (told,) = raised(seen(row, text, row.after), row, row.by[0] if penalty is not None else OPPONENT)
    if penalty is None:
        assert told.standing is REJECTED
        assert "does not know" in told.reason
        return
    assert (told.standing, told.code, told.seat) == (ACCEPTED, row.code, FIRST)
    assert (told.remedy, told.penalty) == (row.remedy[text], penalty)
    assert told.article.rule == row.rule
    assert told.violations == (1 if penalty in (V, T) else None)
    assert (told.end.winner if told.end else None) is (SECOND if penalty is L else None)


@pytest.mark.parametrize(("row", "text"), CASES)
@pytest.mark.parametrize("who", ANYONE)
def test_who_may_raise_it(row: Row, text: str, who: str) -> None:
    if row.penalty[text] is not None:
        (told,) = raised(seen(row, text, row.after), row, who)
        assert told.standing is (ACCEPTED if who in row.by else REJECTED)


@pytest.mark.parametrize(("row", "text"), CASES)
def test_until_when(row: Row, text: str) -> None:
    if row.penalty[text] is None:
        return
    still = len(LINE.split()) if row.open_for is None else row.open_for[text]
    (told,) = raised(seen(row, text, still), row, row.by[0])
    assert told.standing is ACCEPTED
    if row.ended_by is not None:
        game = seen(row, text, row.ended_by[text])
        for who in row.by:
            (told,) = raised(game, row, who)
            assert (told.standing, told.penalty) == (REJECTED, None)
        assert game.ledger.violations == ()


@pytest.mark.parametrize(("row", "text"), CASES)
def test_what_playing_on_does(row: Row, text: str) -> None:
    """B: the opponent has accepted the act, on record; A: what nobody raised lapses; neither touches P11 to P15."""
    if row.penalty[text] is None:
        return
    game = seen(row, text, len(LINE.split()))
    waived = [outcome.seat for outcome in game.outcomes if outcome.code == "waived"]
    assert waived == ([] if text == "A" or row.ended_by is None else [FIRST])
    assert game.ledger.violations == ()
    assert game.result is None


def test_p3_after_a_swap() -> None:
    """B: the offender lays White 4 himself; the opponent's next move is move 5, with which the time ends."""
    game = Game("B")
    game.play("H8 H9 I9")
    game.happens(ActSeen(t_ns=0, code="points_not_announced", seat=FIRST))
    game.black = SECOND
    game.play("G7")
    assert game.outcomes == []
    game.play("J10")
    assert [outcome.code for outcome in game.outcomes] == ["waived"]


def test_p2_after_a_swap() -> None:
    """White 4 ends the time, whoever lays it; under B nobody has waived it then."""
    for text in ("A", "B"):
        game = Game(text)
        game.play("H8 H9 K11")
        game.happens(ActSeen(t_ns=0, code="opening_outside_26", seat=FIRST))
        game.black = SECOND
        game.play("G7")
        (told,) = game.happens(ActRaised(t_ns=0, code="opening_outside_26", seat=FIRST, by=SECOND))
        assert told.standing is REJECTED
        assert [outcome.code for outcome in game.outcomes] == ["opening_outside_26"]


@pytest.mark.parametrize(
    ("text", "left", "gains", "loses"),
    [
        ("A", 600, 120, 300),
        ("A", 420, 120, 300),
        ("A", 419.9, 300, 0),
        ("A", 0, 300, 0),
        ("B", 600, 300, 300),  # at most; the referee chooses
        ("B", 60, 300, 300),
        ("A", None, 0, 0),  # no time is kept
    ],
)
def test_p8_seconds(text: str, left: float | None, gains: int, loses: int) -> None:
    row = next(row for row in ROWS if row.rule == "P8")
    (told,) = raised(seen(row, text, 7), row, OPPONENT, left)
    assert (told.seconds(SECOND), told.seconds(FIRST)) == (gains, -loses)
    assert told.violations == 1


def test_p8_the_referees_choice() -> None:
    row = next(row for row in ROWS if row.rule == "P8")
    chosen = {"opponent_gains_s": 60, "offender_loses_s": 0}
    claim = ActRaised(t_ns=0, code=row.code, seat=FIRST, by=None, offender_left_s=500, **chosen)  # type: ignore[arg-type]
    (told,) = seen(row, "B", 7).happens(claim)
    assert (told.seconds(SECOND), told.seconds(FIRST)) == (60, 0)
    with pytest.raises(ValueError, match="the ruleset allows 120 s"):
        seen(row, "A", 7).happens(claim)
    too_much = ActRaised(t_ns=0, code=row.code, seat=FIRST, by=None, offender_left_s=500, offender_loses_s=301)
    with pytest.raises(ValueError, match="0 to 300 s"):
        seen(row, "B", 7).happens(too_much)


@pytest.mark.parametrize(("text", "count", "code"), [("A", 2, "second_violation"), ("B", 2, "second_violation")])
def test_second_violation(text: str, count: int, code: str) -> None:
    lost_by_violations(text, count, code)


def test_third_warning() -> None:
    lost_by_violations("C", 3, "third_warning")


def lost_by_violations(text: str, count: int, code: str) -> None:
    game = Game(text)
    game.play(LINE.split()[:7])
    for number in range(1, count + 1):
        act = ("stone_slid", "stone_dropped", "stones_straightened")[number - 1]
        outcomes = game.happens(ActRaised(t_ns=0, code=act, seat=FIRST, by=SECOND))
        assert outcomes[0].violations == number
        assert len(outcomes) == (2 if number == count else 1)
        # The opponent's own ones count for themselves.
        if number == 1:
            game.happens(ActRaised(t_ns=0, code="other_hand" if text != "A" else act, seat=SECOND, by=FIRST))
    assert (outcomes[-1].code, outcomes[-1].seat, game.result) == (code, FIRST, "W")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("code", ["stone_displaced", "board_scattered"])
def test_p11_p13_d5_ruled_a_draw(text: str, code: str) -> None:
    game = Game(text)
    game.play(LINE)
    act, drawn = game.happens(ActRaised(t_ns=0, code=code, seat=None, by=None, remedy=Remedy.DRAW))
    assert (act.remedy, drawn.code, drawn.article.rule, game.result) == (Remedy.DRAW, "draw_ruled", "D5", "D")


@pytest.mark.parametrize("text", TEXTS)
def test_p11_p13_other_remedies(text: str) -> None:
    for code, remedy in (("stone_displaced", Remedy.STANDS), ("board_scattered", Remedy.REPLAY)):
        game = Game(text)
        game.play(LINE)
        (told,) = game.happens(ActRaised(t_ns=0, code=code, seat=None, by=FIRST, remedy=remedy))
        assert (told.standing, told.remedy, game.result) == (ACCEPTED, remedy, None)


@pytest.mark.parametrize("text", TEXTS)
def test_p14_cannot_be_rebuilt(text: str) -> None:
    game = Game(text)
    game.play(LINE)
    act = "board_scattered_by_player"
    game.happens(ActRaised(t_ns=0, code=act, seat=SECOND, by=FIRST, remedy=Remedy.OFFENDER_LOSES))
    assert (game.result, game.ledger.end.code if game.ledger.end else None) == ("B", act)


# Section 5

FIVE = "H8 A1 I8 A2 J8 A3 K8 A4 L8"  # move 9 is Black's five; White has four in a row, open at A5


@pytest.mark.parametrize("text", ["A", "B"])
def test_w1_declared(text: str) -> None:
    game = Game(text)
    assert game.play(FIVE) == []
    (told,) = game.happens(FiveDeclared(t_ns=0, seat=SECOND))
    assert told.standing is REJECTED
    (told,) = game.happens(FiveDeclared(t_ns=0, seat=FIRST))
    assert (told.standing, told.article.rule, game.result) == (ACCEPTED, "W1", "B")


def test_w1_needs_no_declaration_under_c() -> None:
    game = Game("C")
    (told,) = game.play(FIVE)
    assert (told.code, told.seat, game.result) == ("five", FIRST, "B")


@pytest.mark.parametrize("text", ["A", "B"])
def test_w1_undeclared(text: str) -> None:
    """The turn passes, the game goes on; the five can still be declared, unless the other is first."""
    game = Game(text)
    game.play(FIVE)
    (told,) = game.happens(Pressed(t_ns=0, seat=FIRST))
    assert (told.code, told.standing, told.seat, game.result) == ("undeclared_five", Standing.RECORDED, FIRST, None)
    assert game.happens(Pressed(t_ns=0, seat=FIRST)) == []
    later = Game(text)
    for one in (game, later):
        if one is later:
            later.play(FIVE)
            later.happens(Pressed(t_ns=0, seat=FIRST))
        one.play("A5")
    game.happens(FiveDeclared(t_ns=0, seat=SECOND))
    assert game.result == "W"
    later.happens(FiveDeclared(t_ns=0, seat=FIRST))
    assert later.result == "B"


DOUBLE_THREE = "G8 G9 H9 G10 H10 F9 F8 F10 H8"
DOUBLE_FOUR = "H8 H9 I9 H10 I10 G9 G8 G10 I11 H11 F8 F9 I8"
OVERLINE = "H8 H9 I8 I9 J8 J9 L8 L9 M8 M9 K8"


def pointed_out(game: Game, point: str, by: Seat = SECOND) -> Outcome:
    (told,) = game.happens(ForbiddenClaimed(t_ns=0, by=by, point=Point.parse(point)))
    return told


@pytest.mark.parametrize("text", ["A", "B"])
@pytest.mark.parametrize(
    ("rule", "moves", "code"), [("W2", DOUBLE_THREE, "double_three"), ("W2", DOUBLE_FOUR, "double_four")]
)
def test_w2(text: str, rule: str, moves: str, code: str) -> None:
    point = moves.split()[-1]
    game = Game(text)
    assert game.play(moves) == []
    assert pointed_out(game, point, by=FIRST).standing is REJECTED
    assert pointed_out(game, "A8").standing is REJECTED
    told = pointed_out(game, point)
    assert (told.code, told.article.rule, game.result) == (code, rule, "W")
    late = Game(text)
    late.play(f"{moves} A1")
    assert pointed_out(late, point).code == "claim_too_late"
    assert late.result is None


@pytest.mark.parametrize("text", ["A", "B"])
def test_w2_the_last_one_counts(text: str) -> None:
    """A claim on an old stone is too late though a new one may be pointed out."""
    game = Game(text)
    game.play(f"{DOUBLE_THREE} A1 C3 A3 D3 A5 E4 A7 E5 A9 E3")  # E3 joins C3 D3 and E4 E5
    assert pointed_out(game, "H8").code == "claim_too_late"
    assert pointed_out(game, "E3").code == "double_three"


@pytest.mark.parametrize("text", ["A", "B"])
@pytest.mark.parametrize("point", ["K8", "H8", "M8"])  # the stone itself, or any of the six
def test_w3(text: str, point: str) -> None:
    game = Game(text)
    game.play(f"{OVERLINE} A1 C1 A3 E1 A5")
    told = pointed_out(game, point)
    assert (told.code, told.article.rule, game.result) == ("overline", "W3", "W")


def test_w2_w3_not_under_c() -> None:
    game = Game("C")
    game.play(DOUBLE_THREE)
    assert pointed_out(game, "H8").reason == "no move is forbidden under these rules"
    game = Game("C")
    game.play(OVERLINE)
    assert game.result == "B"


@pytest.mark.parametrize("text", ["A", "B"])
def test_w4(text: str) -> None:
    game = Game(text)
    game.play("H8 H9 I8 I9 G8 G9 I7 H7 H6 I6 F4 E3 J9 I10 J10 K9 J7 K6 J6 J5 J8")
    told = pointed_out(game, "J8")
    assert (told.code, told.article.rule, told.standing) == ("five_and_forbidden", "W4", REJECTED)
    game.happens(FiveDeclared(t_ns=0, seat=FIRST))
    assert game.result == "B"


@pytest.mark.parametrize("text", TEXTS)
def test_w5_d4_flags(text: str) -> None:
    for down, first, result, code in (
        ({FIRST}, None, "W", "flag"),
        ({SECOND}, None, "B", "flag"),
        ({FIRST, SECOND}, SECOND, "B", "flag"),
        ({FIRST, SECOND}, None, "D", "both_flags"),
    ):
        game = Game(text)
        (told,) = game.happens(FlagsCalled(t_ns=0, down=frozenset(down), first=first))
        assert (told.code, game.result) == (code, result)
        assert told.article.rule == ("D4" if result == "D" else "W5")
    game = Game(text)
    (told,) = game.happens(FlagsCalled(t_ns=0, down=frozenset()))
    assert (told.standing, game.result) == (REJECTED, None)


@pytest.mark.parametrize("text", TEXTS)
def test_w5_late(text: str) -> None:
    for seats, result in (({FIRST}, "W"), ({SECOND}, "B"), ({FIRST, SECOND}, "none")):
        game = Game(text)
        (told,) = game.happens(TooLate(t_ns=0, seats=frozenset(seats)))
        assert (told.code, told.article.rule, game.result) == ("late", "W5", result)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("code", ["resignation", "abandoned", "refusal", "outside_help", "stopped_clock"])
def test_w6(text: str, code: str) -> None:
    game = Game(text)
    (told,) = game.happens(LossEntered(t_ns=0, seat=SECOND, code=code))
    assert (told.code, told.seat, told.article.rule, game.result) == (code, SECOND, "W6", "B")


@pytest.mark.parametrize("text", TEXTS)
def test_w7(text: str) -> None:
    game = Game(text)
    (told,) = game.happens(ResultAgreed(t_ns=0, winner=SECOND, clocks_stopped=False))
    assert (told.standing, game.result) == (REJECTED, None)
    (told,) = game.happens(ResultAgreed(t_ns=0, winner=SECOND, clocks_stopped=True))
    assert (told.article.rule, game.result, game.ledger.final) == ("W7", "W", True)
    (told,) = game.happens(ResultAgreed(t_ns=0, winner=None, clocks_stopped=True))
    assert (told.standing, game.result) == (REJECTED, "W")


def test_w7_makes_a_ruled_result_final() -> None:
    game = Game("A")
    game.happens(LossEntered(t_ns=0, seat=FIRST, code="resignation"))
    (told,) = game.happens(ResultAgreed(t_ns=0, winner=FIRST, clocks_stopped=True))
    assert (told.reason, game.ledger.final) == ("the game has ended otherwise", False)
    game.happens(ResultAgreed(t_ns=0, winner=SECOND, clocks_stopped=True))
    assert game.ledger.final
    assert game.ledger.end is not None
    assert game.ledger.end.code == "resignation"


@pytest.mark.parametrize("text", TEXTS)
def test_d1(text: str) -> None:
    game = Game(text)
    (told,) = game.happens(DrawAgreed(t_ns=0))
    assert (told.article.rule, game.result) == ("D1", "D")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("first", [5, 6])  # White's pass is move 6; or Black's is move 7
def test_d2_d7(text: str, first: int) -> None:
    game = Game(text)
    assert game.play(LINE.split()[:first]) == []
    assert game.play("pass") == []
    (told,) = game.play("pass")
    assert (told.article.rule, game.result) == ("D2", "D")


@pytest.mark.parametrize("text", TEXTS)
def test_d2_not_with_a_move_between(text: str) -> None:
    game = Game(text)
    assert game.play(f"{LINE} pass A3 pass C3 pass E3") == []
    assert game.result is None


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("moves", [0, 3, 4])
def test_d7_early_pass(text: str, moves: int) -> None:
    game = Game(text)
    game.play(LINE.split()[:moves])
    before = game.ledger
    (told,) = game.play("pass")
    assert (told.code, told.article.rule, told.standing) == ("early_pass", "D7", REJECTED)
    assert game.ledger == before


# D3 is s34 of the scenarios.


@pytest.mark.parametrize("text", TEXTS)
def test_d6_the_right_moment_and_the_answers(text: str) -> None:
    for accepts, result in ((True, "D"), (False, None)):
        game = Game(text)
        game.play("H8 H9 H10 H11 A1")
        assert game.happens(DrawOffered(t_ns=0, seat=FIRST)) == []
        game.happens(Pressed(t_ns=0, seat=FIRST))
        game.happens(DrawAnswered(t_ns=0, seat=SECOND, accepts=accepts))
        assert game.result == result
    game = Game(text)
    game.play("H8 H9 H10 H11 A1")
    game.happens(DrawOffered(t_ns=0, seat=FIRST))
    game.play("A3")  # a move answers it as well
    (told,) = game.happens(DrawAnswered(t_ns=0, seat=SECOND, accepts=True))
    assert (told.standing, game.result) == (REJECTED, None)


@pytest.mark.parametrize("text", TEXTS)
def test_d6_improper(text: str) -> None:
    """In one's own time before the stone, or in the opponent's: it stands as an offer, and may be raised in time."""
    game = Game(text)
    game.play("H8 H9 H10 H11")
    game.happens(Pressed(t_ns=0, seat=SECOND))
    (told,) = game.happens(DrawOffered(t_ns=0, seat=FIRST))
    assert (told.code, told.standing, told.penalty, game.ledger.violations) == (
        "draw_offer_improper",
        Standing.RECORDED,
        None,
        (),
    )
    (given,) = game.happens(ActRaised(t_ns=0, code="draw_offer_improper", seat=FIRST, by=SECOND))
    assert (given.article.rule, given.penalty, given.violations) == ("D6", V, 1)
    game.happens(DrawAnswered(t_ns=0, seat=SECOND, accepts=True))
    assert game.result == "D"


@pytest.mark.parametrize("text", TEXTS)
def test_d6_count(text: str) -> None:
    """Two more than the other are allowed, three are not; an offer of the other's own makes room for one more."""
    game = Game(text)
    game.play("H8 H9 H10 H11")
    told = []
    for number in range(5):
        game.play([f"{'ACEGI'[number]}1"])
        told.append(len(game.happens(DrawOffered(t_ns=0, seat=FIRST))))
        game.play([f"{'ACEGI'[number]}15"])
        if number == 2:
            game.happens(DrawOffered(t_ns=0, seat=SECOND))
    assert told == [0, 0, 1, 1, 1]
    assert [game.ledger.draw_offers.count(seat) for seat in (FIRST, SECOND)] == [5, 1]
