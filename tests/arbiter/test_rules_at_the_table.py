"""The rules' sections 4 to 6 at the table, a row for each: from what is seen, pressed or entered to what it costs.

The expectations are written down from ``rules.md`` and the texts. A and B are the texts' rulesets; ``referee``: what
is found waits for the referee; ``auto``: the organiser lets it take effect by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from appliance.arbiter.rulings import Audience, Certainty
from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.game.ruleset import Penalty, Remedy
from tests.arbiter.games import RULESETS
from tests.arbiter.table import (
    MS,
    Table,
    displaced,
    dropped,
    placed,
    relocated,
    removed,
    restored,
    scattered,
    straightened,
)
from vision.acts import Manner

TEXTS = ("A", "B")
CONTROL = "15m; 3x30s"
REASON = {"reason": "the referee saw it"}
V, T, L, N = Penalty.VIOLATION, Penalty.TIME_AND_VIOLATION, Penalty.LOSS, Penalty.NONE
STONES = "H8 I9 H9 H7 G10 I8"
"""Six moves in which nothing happens."""


def midgame(text: str, **more: Any) -> Table:
    """Move 7 is Black's, the first player's, whose clock starts at 0."""
    stones = {Point.parse(name): list(Colour)[n % 2] for n, name in enumerate(STONES.split())}
    table = Table(RULESETS[text], start=Position(15, stones), control=CONTROL, **more)
    table.decide(0, "start")
    return table


def opening(text: str, names: str = "H8 H9 H10", *, announced: bool = True, **more: Any) -> Table:
    """The first player lays the designated opening and presses at 10 s."""
    table = Table(RULESETS[text], control=CONTROL, **more)
    table.decide(0, "start")
    for n, name in enumerate(names.split()):
        table.lay(name, "BWB"[n], 1_000 + 1_000 * n, 1_300 + 1_000 * n)
    if announced and text == "B":
        table.decide(9_000, "announce", points=2)
    table.press("first", 10_000)
    table.look(11_000)
    return table


Bring = Callable[..., tuple[Table, int]]
"""A game in which the act has come about, by the first player, and an instant at which it is known."""


def _pressed(table: Table) -> tuple[Table, int]:
    table.press("first", 10_000)
    table.look(11_000)
    return table, 12_000


def first_off_tengen(text: str, **more: Any) -> tuple[Table, int]:
    return opening(text, "H9 I8 G7", **more), 12_000


def outside_26(text: str, **more: Any) -> tuple[Table, int]:
    return opening(text, "H8 H9 K11", **more), 12_000


def unannounced(text: str, **more: Any) -> tuple[Table, int]:
    return opening(text, announced=False, **more), 12_000


def two_stones(text: str, **more: Any) -> tuple[Table, int]:
    table = midgame(text, **more)
    table.lay("F11", "B", 3_000, 3_300)
    table.lay("C3", "B", 5_000, 5_300)
    return _pressed(table)


def moved(manner: Manner) -> Bring:
    def bring(text: str, **more: Any) -> tuple[Table, int]:
        table = midgame(text, **more)
        table.lay("F11", "B", 3_000, 3_300)
        table.see(*relocated("F11", "F12", "B", 5_000, 5_300, manner))
        return _pressed(table)

    return bring


def let_fall(text: str, **more: Any) -> tuple[Table, int]:
    table = midgame(text, **more)
    table.see(dropped("F11", "B", 3_000, 3_300))
    table.lay("F11", "B", 5_000, 5_300)
    return _pressed(table)


def pressed_first(text: str, **more: Any) -> tuple[Table, int]:
    table = midgame(text, **more)
    table.press("first", 10_000)
    table.lay("F11", "B", 11_000, 11_300)
    return table, 12_000


def nothing(text: str, **more: Any) -> tuple[Table, int]:
    """An orderly move: what was wrong with it no camera saw."""
    table = midgame(text, **more)
    table.lay("F11", "B", 3_000, 3_300)
    return _pressed(table)


def straight(text: str, **more: Any) -> tuple[Table, int]:
    table, t = nothing(text, **more)
    table.see(straightened("H8 I9 H9", t - 500, t - 200))
    return table, t


def nudged(text: str, **more: Any) -> tuple[Table, int]:
    table, t = nothing(text, **more)
    table.see(*relocated("G10", "G11", "B", t - 500, t - 200))
    return table, t


def spilt(text: str, **more: Any) -> tuple[Table, int]:
    table, t = nothing(text, **more)
    table.see(scattered("H8 I9 H9", t - 500, t - 200))
    for name, colour in (("H8", "B"), ("I9", "W"), ("H9", "B")):
        table.see(removed(name, colour, t - 500, t - 200))
    return table, t


def same_shape(text: str, **more: Any) -> tuple[Table, int]:
    table = opening(text, **more)
    table.lay("H11", "W", 15_000, 15_300)
    table.press("second", 20_000)
    table.lay("G10", "B", 25_000, 25_300)
    table.lay("I10", "B", 26_000, 26_300)
    table.press("first", 30_000)
    table.look(31_000)
    return table, 32_000


def other_colour(text: str, **more: Any) -> tuple[Table, int]:
    table = midgame(text, **more)
    table.lay("F11", "W", 3_000, 3_300)
    return _pressed(table)


def back(name: str, origin: str) -> Callable[[Table, int], object]:
    """The stone is put back, from ``name`` to ``origin``."""
    return lambda table, t: table.see(*relocated(name, origin, "B", t, t + 300))


def off(name: str, colour: str) -> Callable[[Table, int], object]:
    return lambda table, t: table.see(removed(name, colour, t, t + 300))


def mended(table: Table, t: int) -> None:
    table.see(removed("I10", "B", t, t + 300))
    table.lay("I9", "B", t + 1_000, t + 1_300)
    table.press("first", t + 2_000)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One act. ``seen``: the camera brings it, and is certain; else it is entered, or amended. ``by``: who raises it.

    ``penalty``: None: the text does not know it. ``until``: the number of the opponent's move that ends the time for
    it; None: at any time. ``done``: the remedy is carried out from an instant on.
    """

    rule: str
    code: str
    bring: Bring
    penalty: Mapping[str, Penalty | None]
    remedy: Mapping[str, Remedy | None]
    by: str | None = "second"
    seen: bool = True
    seat: str | None = "first"
    until: int | None = 8
    done: Callable[[Table, int], object] | None = None


def both(value: Any) -> dict[str, Any]:
    return dict.fromkeys(TEXTS, value)


ROWS = [
    Row(
        rule="P1",
        code="first_stone_off_tengen",
        bring=first_off_tengen,
        penalty=both(V),
        remedy=both(Remedy.MOVE_TO_TENGEN),
        until=4,
        done=back("H9", "H8"),
    ),
    Row(
        rule="P2",
        code="opening_outside_26",
        bring=outside_26,
        penalty=both(V),
        remedy={"A": None, "B": Remedy.NEW_OPENING},
        until=4,
    ),
    Row(
        rule="P3",
        code="points_not_announced",
        bring=unannounced,
        penalty={"A": None, "B": V},
        remedy={"A": None, "B": Remedy.ANNOUNCE},
        seen=False,
        until=4,
        done=lambda table, t: table.decide(t, "announce", points=3),
    ),
    Row(
        rule="P4",
        code="two_moves",
        bring=two_stones,
        penalty=both(V),
        remedy=both(Remedy.TAKE_BACK),
        done=off("C3", "B"),
    ),
    Row(
        rule="P5",
        code="stone_slid",
        bring=moved(Manner.SLID),
        penalty=both(V),
        remedy=both(Remedy.BACK_TO_FIRST_POINT),
        done=back("F12", "F11"),
    ),
    Row(
        rule="P6",
        code="stone_lifted",
        bring=moved(Manner.LIFTED),
        penalty=both(V),
        remedy=both(Remedy.BACK_TO_FIRST_POINT),
        done=back("F12", "F11"),
    ),
    Row(
        rule="P5",
        code="stone_relocated",
        bring=moved(Manner.UNKNOWN),
        penalty=both(V),
        remedy=both(Remedy.BACK_TO_FIRST_POINT),
        done=back("F12", "F11"),
    ),
    Row(rule="P7", code="stone_dropped", bring=let_fall, penalty=both(V), remedy=both(Remedy.CHOOSE_AGAIN)),
    Row(rule="P8", code="press_before_placing", bring=pressed_first, penalty=both(T), remedy=both(Remedy.STANDS)),
    Row(rule="P9", code="other_hand", bring=nothing, penalty={"A": N, "B": V}, remedy=both(None), seen=False),
    Row(rule="P10", code="stones_straightened", bring=straight, penalty=both(V), remedy=both(None), seen=False),
    Row(
        rule="P11",
        code="stone_displaced",
        bring=nudged,
        penalty=both(N),
        remedy=both(Remedy.PUT_BACK),
        seat=None,
        until=None,
        done=back("G11", "G10"),
    ),
    Row(
        rule="P12",
        code="stone_moved_on_purpose",
        bring=nudged,
        penalty=both(L),
        remedy=both(None),
        by=None,
        seen=False,
        until=None,
    ),
    Row(
        rule="P13",
        code="board_scattered",
        bring=spilt,
        penalty=both(N),
        remedy=both(Remedy.REBUILD),
        seat=None,
        until=None,
    ),
    Row(
        rule="P14",
        code="board_scattered_by_player",
        bring=spilt,
        penalty=both(V),
        remedy=both(Remedy.REBUILD),
        seen=False,
        until=None,
    ),
    Row(
        rule="P15",
        code="board_scattered_on_purpose",
        bring=spilt,
        penalty=both(L),
        remedy=both(None),
        by=None,
        seen=False,
        until=None,
    ),
    Row(
        rule="P16",
        code="points_equivalent",
        bring=same_shape,
        penalty={"A": N, "B": V},
        remedy=both(Remedy.MEND_POINTS),
        until=6,
        done=mended,
    ),
    Row(
        rule="P17",
        code="wrong_stone",
        bring=other_colour,
        penalty=both(V),
        remedy=both(Remedy.TAKE_BACK),
        done=off("F11", "W"),
    ),
]
CASES = [pytest.param(row, text, id=f"{row.rule}-{row.code}-{text}") for row in ROWS for text in TEXTS]
SEEN = [case for case in CASES if isinstance(case.values[0], Row) and case.values[0].seen]


def test_no_row_is_left_out() -> None:
    assert sorted({row.rule for row in ROWS}, key=lambda rule: int(rule[1:])) == [f"P{n}" for n in range(1, 18)]


def raise_it(table: Table, row: Row, t: int, **more: Any) -> None:
    """Whom it concerns tells the referee, who enters it."""
    by = {"by": row.by} if row.by else {}
    if row.seen:
        table.decide(t, "confirm", ruling=table.number(row.code), **by, **more)
    else:
        table.decide(t, "raise", code=row.code, seat="first", **by, **more)


def times(table: Table, t: int) -> tuple[float, float]:
    return table.left("first", t), table.left("second", t)


def costs_nothing(table: Table) -> bool:
    """No penalty, no violation, no time, no end has followed from anything."""
    return (
        all(
            outcome.penalty in (None, N) and outcome.violations is None and not outcome.end
            for outcome in table.arbiter.outcomes
        )
        and table.arbiter.state.ledger.violations == ()
        and table.result() is None
    )


@pytest.mark.parametrize(("row", "text"), CASES)
def test_before_it_is_confirmed(row: Row, text: str) -> None:
    """The referee alone sees it, and nothing follows."""
    table, t = row.bring(text)
    assert costs_nothing(table)
    found = [ruling for ruling in table.arbiter.rulings if ruling.code == row.code]
    assert [ruling.standing for ruling in found] == ([None] if found else [])
    certain = [ruling for ruling in found if ruling.certainty is Certainty.CERTAIN]
    assert bool(certain) is row.seen
    for ruling in certain:
        assert (ruling.rule, ruling.seat, ruling.audience) == (
            row.rule,
            Seat(row.seat) if row.seat else None,
            Audience.REFEREE,
        )
        assert (ruling.penalty, next(iter(ruling.remedies), None)) == (row.penalty[text], row.remedy[text])
    # No time but what has passed.
    spent = {"same_shape": (20, 10)}.get(row.bring.__name__, (10, 0))
    assert times(table, t) == (900 - spent[0], 900 - spent[1] - 2)


@pytest.mark.parametrize(("row", "text"), CASES)
def test_confirmed(row: Row, text: str) -> None:
    table, t = row.bring(text)
    before = times(table, t)
    if row.penalty[text] is None:
        raise_it(table, row, t)
        assert table.outcomes == [(row.code, "rejected")]
        assert costs_nothing(table)
        return
    raise_it(table, row, t)
    told = table.outcome(row.code)
    penalty = row.penalty[text]
    assert told.standing.value == "accepted"
    assert (told.article.rule, told.remedy, told.penalty) == (row.rule, row.remedy[text], penalty)
    violations = 1 if penalty in (V, T) else 0
    assert told.violations == (violations or None)
    assert table.arbiter.state.ledger.violations == (Seat.FIRST,) * violations
    assert table.result() == ("second" if penalty is L else None)
    # P8: A: +2 and -5 minutes; B: up to five minutes each.
    change = {"A": (-300, 120), "B": (-300, 300)}[text] if penalty is T else (0, 0)
    assert times(table, t) == (before[0] + change[0], before[1] + change[1])
    if row.seen:
        (ruling,) = [one for one in table.arbiter.rulings if one.code == row.code]
        assert ruling.standing is not None
        assert ruling.standing.value == "accepted"


@pytest.mark.parametrize(("row", "text"), SEEN)
def test_dismissed(row: Row, text: str) -> None:
    table, t = row.bring(text, takes_effect=None)
    before = times(table, t)
    table.decide(t, "dismiss", ruling=table.number(row.code), **REASON)
    assert table.outcomes == [(row.code, "rejected")]
    assert costs_nothing(table)
    assert times(table, t) == before


@pytest.mark.parametrize(("row", "text"), SEEN)
def test_amended(row: Row, text: str) -> None:
    """It was the other player, or another act: only that can then be confirmed."""
    table, t = row.bring(text)
    other = "stones_straightened" if row.until is None else row.code
    table.decide(t, "amend", ruling=table.number(row.code), code=other, seat="second", **REASON)
    assert costs_nothing(table)
    if row.penalty[text] in (V, T):
        table.decide(t + 100, "confirm", ruling=table.number(other), by="first")
        # Where the first player has laid a stone since, that player cannot accuse the other of it any more.
        late = row.rule in ("P7", "P8") or (row.rule, text) == ("P1", "B")
        assert table.arbiter.state.ledger.violations == (() if late else (Seat.SECOND,))


@pytest.mark.parametrize(("row", "text"), CASES)
def test_a_second_violation_loses(row: Row, text: str) -> None:
    table, t = row.bring(text)
    if row.penalty[text] not in (V, T):
        return
    table.decide(t, "violation", seat="first", code="other_hand", **REASON)
    assert table.result() is None
    raise_it(table, row, t + 100)
    assert table.outcome(row.code).violations == 2
    assert (table.outcomes[-1], table.result()) == (("second_violation", "accepted"), "second")
    assert not table.arbiter.clock.ticking


@pytest.mark.parametrize(("row", "text"), CASES)
def test_by_itself(row: Row, text: str) -> None:
    """In the organiser's table: it takes effect once it is certain; what no camera sees for sure never does."""
    table, t = row.bring(text, takes_effect=[row.code])
    if not row.seen or row.penalty[text] is None:
        assert costs_nothing(table)
        assert not [code for code, standing in table.outcomes if standing == "accepted"]
        return
    told = table.outcome(row.code)
    assert (told.standing.value, told.remedy, told.penalty) == ("accepted", row.remedy[text], row.penalty[text])
    assert told.violations == (1 if row.penalty[text] in (V, T) else None)
    assert len([1 for code, standing in table.outcomes if (code, standing) == (row.code, "accepted")]) == 1
    (ruling,) = [one for one in table.arbiter.rulings if one.code == row.code]
    assert ruling.standing is not None
    if row.penalty[text] is T:
        assert times(table, t) == {"A": (590, 1018), "B": (590, 1198)}[text]


@pytest.mark.parametrize(("row", "text"), CASES)
def test_not_in_the_organisers_table(row: Row, text: str) -> None:
    table, _ = row.bring(text, takes_effect=["no_such_code"])
    assert costs_nothing(table)


def play_on(table: Table, row: Row, t: int) -> int:
    """The opponent moves as if nothing had been; an instant after it."""
    if row.until == 6:
        table.see(removed("I10", "B", t + 1_000, t + 1_300))
    name = {4: "H11", 6: "A1", 8: "A1"}[row.until or 8]
    table.lay(name, "W", t + 3_000, t + 3_300)
    table.press("second", t + 8_000)
    table.look(t + 9_000)
    return t + 10_000


@pytest.mark.parametrize(("row", "text"), CASES)
def test_the_opponent_plays_on(row: Row, text: str) -> None:
    """A: what nobody raised lapses. B: the opponent has waived it, on record. P11 to P15 may be raised at any time."""
    table, t = row.bring(text)
    if row.penalty[text] is None or row.bring is spilt:
        return
    t = play_on(table, row, t)
    assert costs_nothing(table)
    waived = [outcome.seat for outcome in table.arbiter.outcomes if outcome.code == "waived"]
    assert waived == ([Seat.FIRST] if text == "B" and row.seen and row.until else [])
    before = times(table, t)
    raise_it(table, row, t, **({} if row.seen or row.until is None else {"happened_after": {4: 3}.get(row.until, 7)}))
    if row.until is None:
        assert table.outcome(row.code).standing.value == "accepted"
        return
    assert table.outcomes[-1] == (row.code, "rejected")
    assert table.outcome(row.code).reason.startswith("too late")
    assert costs_nothing(table)
    assert times(table, t) == before


@pytest.mark.parametrize(("row", "text"), [case for case in CASES if case.values[0].done])  # type: ignore[union-attr]
def test_the_remedy_is_carried_out(row: Row, text: str) -> None:
    table, t = row.bring(text)
    if row.penalty[text] is None:
        return
    raise_it(table, row, t)
    assert row.done is not None
    found = table.ruled
    row.done(table, t + 1_000)
    assert table.outcomes[-1] == (row.code, "recorded")
    assert table.outcome(row.code).reason == "the remedy was carried out"
    assert table.ruled == found  # and accuses nobody
    assert table.arbiter.differing == ()


@pytest.mark.parametrize(("row", "text"), [case for case in CASES if case.values[0].done])  # type: ignore[union-attr]
def test_the_remedy_is_not_carried_out(row: Row, text: str) -> None:
    table, t = row.bring(text)
    if row.penalty[text] is None or row.until == 6:
        return
    raise_it(table, row, t)
    play_on(table, row, t)
    assert table.outcome(row.code).reason == "the remedy was not carried out before the next move"


# P8


@pytest.mark.parametrize(("left", "change"), [(600, (-300, 120)), (420, (-300, 120)), (419, (0, 300)), (5, (0, 300))])
def test_p8_under_text_a(left: int, change: tuple[int, int]) -> None:
    """Less than seven minutes left: only the opponent gains, five minutes."""
    table, t = pressed_first("A")
    table.decide(t, "set_time", seat="first", left_s=left, **REASON)
    before = times(table, t + 1_000)
    table.decide(t + 1_000, "confirm", ruling=1, by="second")
    assert times(table, t + 1_000) == (before[0] + change[0], before[1] + change[1])


@pytest.mark.parametrize(("gains", "loses"), [(0, 0), (60, 0), (0, 60), (300, 300)])
def test_p8_under_text_b_the_referee_chooses(gains: int, loses: int) -> None:
    table, t = pressed_first("B")
    before = times(table, t)
    table.decide(t, "confirm", ruling=1, opponent_gains_s=gains, offender_loses_s=loses)
    assert times(table, t) == (before[0] - loses, before[1] + gains)
    assert table.outcome("press_before_placing").violations == 1


def test_p8_a_flag_may_fall_by_it() -> None:
    table, t = pressed_first("A", takes_effect=["press_before_placing", "flag"])
    assert table.result() is None
    table, t = pressed_first("B")
    table.decide(t, "set_time", seat="first", left_s=100, periods_left=3, **REASON)
    table.decide(t + 100, "confirm", ruling=1, by="second", offender_loses_s=300)
    assert [(ruling.code, ruling.seat) for ruling in table.arbiter.rulings][1:] == [("flag", Seat.FIRST)]
    assert table.result() is None  # for somebody to call


# Section 5


FIVE = "H8 A1 I8 A2 J8 A3 K8 A4 L8"
DOUBLE_THREE = "G8 G9 H9 G10 H10 F9 F8 F10 H8"
DOUBLE_FOUR = "H8 H9 I9 H10 I10 G9 G8 G10 I11 H11 F8 F9 I8"
OVERLINE = "H8 H9 I8 I9 J8 J9 L8 L9 M8 M9 K8"
FIVE_AND_DOUBLE_FOUR = "H8 H9 I8 I9 G8 G9 I7 H7 H6 I6 F4 E3 J9 I10 J10 K9 J7 K6 J6 J5 J8"


def line(text: str, moves: str, **more: Any) -> tuple[Table, int]:
    """All of ``moves`` but the last stood when the game begins; Black lays the last, not pressed for yet."""
    *before, last = moves.split()
    stones = {Point.parse(name): list(Colour)[n % 2] for n, name in enumerate(before)}
    table = Table(RULESETS[text], start=Position(15, stones), control=CONTROL, **more)
    table.decide(0, "start")
    table.lay(last, "B", 3_000, 3_300)
    return table, 5_000


ENDS = [
    ("W1", FIVE, "five", "first", {"what": "declare_five", "seat": "first"}),
    ("W2", DOUBLE_THREE, "double_three", "second", {"what": "claim_forbidden", "by": "second", "point": "H8"}),
    ("W2", DOUBLE_FOUR, "double_four", "second", {"what": "claim_forbidden", "by": "second", "point": "I8"}),
    ("W3", OVERLINE, "overline", "second", {"what": "claim_forbidden", "by": "second", "point": "K8"}),
    ("W4", FIVE_AND_DOUBLE_FOUR, "five", "first", {"what": "declare_five", "seat": "first"}),
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("rule", "moves", "code", "winner", "entry"), ENDS)
def test_ends_that_must_be_claimed(
    rule: str, moves: str, code: str, winner: str, entry: dict[str, str], text: str
) -> None:
    """The referee alone sees it; a claim, or the referee's confirming one, ends the game; by itself in a club."""
    table, t = line(text, moves)
    (ruling,) = [one for one in table.arbiter.rulings if not one.rule.startswith("P")]
    assert (ruling.code, ruling.certainty, ruling.audience) == (code, Certainty.CERTAIN, Audience.REFEREE)
    assert costs_nothing(table)
    table.decide(t, **entry)
    assert (table.outcomes, table.result()) == ([(code, "accepted")], winner)
    assert table.outcome(code).article.rule == {"W4": "W1"}.get(rule, rule)
    assert not table.arbiter.clock.ticking

    table, t = line(text, moves)
    table.decide(t, "confirm", ruling=table.number(code))
    assert (table.outcomes, table.result()) == ([(code, "accepted")], winner)

    table, t = line(text, moves)
    table.decide(t, "dismiss", ruling=table.number(code), **REASON)
    assert costs_nothing(table)

    table, t = line(text, moves, takes_effect=[code])
    assert (table.outcomes, table.result()) == ([(code, "accepted")], winner)


@pytest.mark.parametrize("text", TEXTS)
def test_w4_a_claim_is_rejected(text: str) -> None:
    table, t = line(text, FIVE_AND_DOUBLE_FOUR)
    table.decide(t, "claim_forbidden", by="second", point="J8")
    assert (table.outcomes, table.result()) == ([("five_and_forbidden", "rejected")], None)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("moves", "point", "told", "ending"),
    [(DOUBLE_THREE, "H8", "claim_too_late", None), (OVERLINE, "K8", "overline", "second")],
)
def test_w2_w3_after_whites_next_stone(text: str, moves: str, point: str, told: str, ending: str | None) -> None:
    table, _ = line(text, moves)
    table.press("first", 10_000)
    table.lay("O1", "W", 13_000, 13_300)
    table.decide(15_000, "claim_forbidden", by="second", point=point)
    assert (table.outcomes[-1][0], table.result()) == (told, ending)


@pytest.mark.parametrize("text", TEXTS)
def test_w1_undeclared(text: str) -> None:
    """Pressed without a word: the opponent is to move, and may win first."""
    table, _ = line(text, FIVE)
    table.press("first", 10_000)
    assert (table.outcomes, table.result()) == ([("undeclared_five", "recorded")], None)
    table.lay("A5", "W", 13_000, 13_300)
    table.decide(15_000, "declare_five", seat="second")
    assert table.result() == "second"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("mode", ["referee", "auto"])
def test_w5_flag(text: str, mode: str) -> None:
    """It is seen the moment that it falls; the referee confirms it; in a club it ends the game."""
    table = midgame(text, takes_effect=["flag"] if mode == "auto" else None)
    flag = (15 * 60 + 3 * 30) * 1_000
    assert table.pass_time(flag - 1).rulings == ()
    (ruling,) = table.pass_time(flag).rulings
    assert (ruling.code, ruling.rule, ruling.seat, ruling.t_ns) == ("flag", "W5", Seat.FIRST, flag * MS)
    assert table.result() is None
    table.look(flag + 100)
    if mode == "referee":
        assert table.result() is None
        table.decide(flag + 1_000, "confirm", ruling=ruling.number)
    assert (table.outcomes, table.result()) == ([("flag", "accepted")], "second")


def test_w5_a_late_press_takes_the_flag_back() -> None:
    for takes_effect in (None, ["flag"]):
        table = midgame("A", takes_effect=takes_effect)
        flag = (15 * 60 + 3 * 30) * 1_000
        table.pass_time(flag)
        table.look(flag + 100)
        assert table.ruled == ["flag"]
        assert table.result() == ("second" if takes_effect else None)
        table.see(placed("F11", "B", flag - 5_000, flag - 4_700, flag + 200))
        table.press("first", flag - 1)
        assert (table.ruled, table.outcomes, table.result()) == ([], [], None)
        assert table.arbiter.clock.running is Seat.SECOND


def test_w5_no_flag_within_the_stamps_errors() -> None:
    """The press came 5 ms after the fall, give or take 10: it may have been in time, and ends nothing by itself."""
    table = midgame("A", takes_effect=["flag"])
    flag = (15 * 60 + 3 * 30) * 1_000
    table.lay("F11", "B", flag - 5_000, flag - 4_700)
    table.press("first", flag + 5, error=10)
    table.look(flag + 1_000)
    assert [(ruling.code, ruling.certainty) for ruling in table.arbiter.rulings] == [("flag", Certainty.COULD_NOT_SEE)]
    assert (table.outcomes, table.result()) == ([], None)


@pytest.mark.parametrize("mode", ["referee", "auto"])
def test_d4_both_flags(mode: str) -> None:
    """Both are down, within what the stamps may be off: nobody can tell which was first."""
    table = midgame("A", takes_effect=["five"] if mode == "auto" else None)
    flag = (15 * 60 + 3 * 30) * 1_000
    table.lay("F11", "B", 1_000, 1_300)
    table.press("first", flag + 50, error=100)
    table.decide(flag + 60, "take_time", seat="second", seconds=15 * 60 + 3 * 30 - 0.01, **REASON)
    table.pass_time(flag + 2_000)
    table.decide(flag + 3_000, "claim_time")
    assert (table.outcomes, table.result()) == ([("both_flags", "accepted")], "drawn")
    assert table.outcome("both_flags").article.rule == "D4"


@pytest.mark.parametrize("mode", ["referee", "auto"])
def test_w5_late(mode: str) -> None:
    """C9: past the limit of fifteen minutes; who came after it was late all the same."""
    table = Table("competition", control="1h", takes_effect=["late"] if mode == "auto" else None)
    table.decide(0, "start", absent=["second"])
    table.pass_time(15 * 60_000)
    assert table.ruled == []
    table.pass_time(15 * 60_000 + 1)
    assert [(ruling.code, ruling.seat) for ruling in table.arbiter.rulings] == [("late", Seat.SECOND)]
    table.look(15 * 60_000 + 100)
    if mode == "referee":
        assert table.result() is None
        table.decide(20 * 60_000, "arrived", seat="second")
        table.decide(20 * 60_000 + 100, "confirm", ruling=1)
    assert (table.outcomes, table.result()) == ([("late", "accepted")], "first")


def test_w5_both_late() -> None:
    table = Table("competition", control="1h")
    table.decide(0, "start", absent=["first", "second"])
    table.pass_time(16 * 60_000)
    assert [(ruling.code, ruling.seat) for ruling in table.arbiter.rulings] == [
        ("late", Seat.FIRST),
        ("late", Seat.SECOND),
    ]
    table.decide(16 * 60_000 + 100, "confirm", ruling=1)
    assert table.result() == "none"


def test_c9_in_time() -> None:
    """Lost time is the absentee's own; then the game begins with Black's clock."""
    table = Table("competition", control="1h")
    table.decide(0, "start", absent=["second"])
    table.decide(600_000, "arrived", seat="second")
    assert (table.left("second", 600_000), table.arbiter.clock.running) == (3_000.0, Seat.FIRST)
    assert (table.ruled, table.outcomes) == ([], [])


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("code", ["resignation", "abandoned", "refusal", "outside_help", "stopped_clock"])
def test_w6(text: str, code: str) -> None:
    table, t = nothing(text)
    table.decide(t, "lose", seat="first", code=code, **REASON)
    assert (table.outcomes, table.result()) == ([(code, "accepted")], "second")
    assert table.outcome(code).article.rule == "W6"


@pytest.mark.parametrize("text", TEXTS)
def test_w7_agreed_only_with_both_clocks_stopped(text: str) -> None:
    table, t = nothing(text)
    table.decide(t, "agree_result", winner="first")
    assert (table.outcomes, table.result()) == ([("result_agreed", "rejected")], None)
    table.decide(t + 100, "stop", **REASON)
    table.decide(t + 200, "agree_result", winner="first")
    assert (table.outcomes[-1], table.result()) == (("result_agreed", "accepted"), "first")
    table.decide(t + 300, "end", drawn=True, **REASON)
    assert (table.outcomes[-1], table.result()) == (("result_ruled", "rejected"), "first")


@pytest.mark.parametrize("text", TEXTS)
def test_d1(text: str) -> None:
    table, t = nothing(text)
    table.decide(t, "agree_draw")
    assert (table.outcome("draw_agreed").article.rule, table.result()) == ("D1", "drawn")


@pytest.mark.parametrize("text", TEXTS)
def test_d2(text: str) -> None:
    """The presses after a pass are no moves without a stone."""
    table = midgame(text)
    table.decide(5_000, "pass", seat="first")
    table.press("first", 10_000)
    table.decide(15_000, "pass", seat="second")
    assert (table.outcomes, table.ruled) == ([("double_pass", "accepted")], [])
    assert (table.outcome("double_pass").article.rule, table.result()) == ("D2", "drawn")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("code", ["stone_displaced", "board_scattered"])
def test_d5(text: str, code: str) -> None:
    table, t = (nudged if code == "stone_displaced" else spilt)(text)
    table.decide(t, "confirm", ruling=table.number(code), remedy="draw")
    assert (table.outcome("draw_ruled").article.rule, table.result()) == ("D5", "drawn")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("accepts", "ending"), [(True, "drawn"), (False, None)])
def test_d6(text: str, accepts: bool, ending: str | None) -> None:
    table = midgame(text)
    table.lay("F11", "B", 3_000, 3_300)
    table.decide(5_000, "offer_draw", seat="first")
    table.press("first", 10_000)
    table.decide(15_000, "answer_draw", seat="second", accepts=accepts)
    assert table.result() == ending
    assert "draw_offer_improper" not in [code for code, _ in table.outcomes]


@pytest.mark.parametrize("text", TEXTS)
def test_d6_in_the_opponents_time(text: str) -> None:
    table, t = nothing(text)
    table.decide(t, "offer_draw", seat="first")
    assert costs_nothing(table)
    table.decide(t + 100, "raise", code="draw_offer_improper", seat="first", by="second")
    assert (table.outcome("draw_offer_improper").violations, table.result()) == (1, None)


@pytest.mark.parametrize("text", TEXTS)
def test_d7_a_pass_and_its_press(text: str) -> None:
    """After a declared pass the press is the pass's; the passer plays again later (s16)."""
    table = midgame(text)
    table.decide(5_000, "pass", seat="first")
    table.press("first", 10_000)
    table.lay("A1", "W", 13_000, 13_300)
    table.press("second", 20_000)
    table.lay("C1", "B", 23_000, 23_300)
    table.press("first", 30_000)
    table.look(31_000)
    assert (table.ruled, table.outcomes) == ([], [])
    assert table.moves == "WA1 BC1"


@pytest.mark.parametrize("text", TEXTS)
def test_d7_too_early(text: str) -> None:
    table = opening(text)
    table.decide(12_000, "pass", seat="second")
    assert table.outcomes == [("early_pass", "rejected")]
    assert table.arbiter.protocol.seat is Seat.SECOND


# A press without a stone


@pytest.mark.parametrize("text", TEXTS)
def test_o3_a_press_without_a_stone_is_the_swap(text: str) -> None:
    table = opening(text)
    table.press("second", 20_000)
    table.lay("H11", "W", 23_000, 23_300)
    table.press("first", 30_000)
    table.look(31_000)
    assert (table.ruled, table.arbiter.protocol.black) == ([], Seat.SECOND)
    assert table.arbiter.moves[-1].seat is Seat.FIRST


@pytest.mark.parametrize("text", TEXTS)
def test_the_opponent_plays_after_a_press_without_a_stone(text: str) -> None:
    table = midgame(text)
    table.press("first", 10_000)
    assert table.ruled == []
    table.lay("A1", "W", 13_000, 13_300)
    table.press("second", 20_000)
    table.look(21_000)
    (ruling,) = table.arbiter.rulings
    assert (ruling.code, ruling.seat, ruling.audience) == ("pressed_without_move", Seat.FIRST, Audience.REFEREE)
    assert costs_nothing(table)
    assert table.moves == "WA1"


# Taking back under a ruling


@pytest.mark.parametrize(("takes_effect", "running"), [(None, Seat.SECOND), (["wrong_stone"], Seat.FIRST)])
def test_p17_whose_clock_runs_after_the_taking_back(takes_effect: list[str] | None, running: Seat) -> None:
    """Only the referee sets a clock (C10); where there is none the time is the offender's again."""
    table, t = other_colour("A", takes_effect=takes_effect)
    table.see(removed("F11", "W", t + 1_000, t + 1_300))
    assert (table.arbiter.clock.running, table.moves) == (running, "")
    assert table.ruled == ["wrong_stone"]


def test_p11_the_stone_stands_where_it_is() -> None:
    """Both agree (P11): the record follows the board."""
    table, t = nudged("A")
    table.decide(t, "confirm", ruling=1, by="second", remedy="stands")
    assert table.arbiter.differing == ()
    table.lay("A1", "W", t + 1_000, t + 1_300)
    assert table.ruled == ["stone_displaced"]


@pytest.mark.parametrize("text", TEXTS)
def test_p10_whose_it_was_is_the_referees_to_say(text: str) -> None:
    """What no camera sees for sure costs nobody anything as long as it names nobody."""
    table, t = straight(text)
    table.decide(t, "confirm", ruling=1)
    assert table.outcomes == [("stones_straightened", "accepted")]
    assert costs_nothing(table)
    table, t = straight(text)
    table.decide(t, "amend", ruling=1, seat="first", **REASON)
    assert costs_nothing(table)
    table.decide(t + 100, "confirm", ruling=2, by="second")
    assert table.outcome("stones_straightened").violations == 1


def test_p11_a_nudge_on_its_point() -> None:
    table, t = nothing("A")
    table.see(displaced("H8", "B", t, t + 300))
    table.decide(t + 1_000, "confirm", ruling=1)
    assert (table.outcomes, costs_nothing(table)) == ([("stone_displaced", "accepted")], True)


@pytest.mark.parametrize("code", ["board_scattered", "board_scattered_by_player"])
def test_p13_p14_the_board_is_rebuilt(code: str) -> None:
    table, t = spilt("A")
    table.decide(t, "stop", **REASON)
    if code == "board_scattered_by_player":
        table.decide(t + 50, "amend", ruling=1, code=code, seat="first", **REASON)
    table.decide(t + 100, "confirm", ruling=table.number(code), by="second")
    assert len(table.arbiter.state.ledger.violations) == (code == "board_scattered_by_player")
    assert [str(point) for point in table.arbiter.differing] == ["H8", "H9", "I9"]
    for name, colour in (("H8", "B"), ("I9", "W")):
        table.lay(name, colour, t + 1_000, t + 1_300)
    with pytest.raises(ValueError, match="as on H9"):
        table.decide(t + 1_500, "resume", **REASON)
    table.lay("H9", "B", t + 2_000, t + 2_300)
    assert table.arbiter.differing == ()
    table.see(restored(t + 2_500))
    table.decide(t + 3_000, "resume", **REASON)
    table.lay("A1", "W", t + 4_000, t + 4_300)
    assert (table.ruled, table.moves) == ([code], "BF11 WA1")


def test_p14_cannot_be_rebuilt() -> None:
    table, t = spilt("B")
    table.decide(t, "raise", code="board_scattered_by_player", seat="first", by="second", remedy="offender_loses")
    assert table.result() == "second"
