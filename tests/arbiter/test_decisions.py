"""Each kind of decision: what it does, when it cannot be, and how it is undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from appliance.arbiter.decisions import Act, data_of, decision_of
from appliance.arbiter.facts import Decision, NoFrames, Outage, Press
from appliance.game.points import Seat
from tests.arbiter.table import MS, Table, placed, relocated, removed, scattered
from vision.acts import Manner

QUIET = "H8 I9 H9 H7 G10 I8 F11 E12"
"""Eight moves in which nothing happens: Black's is the turn after them."""

CONTROL = "15m; 3x30s"
REASON = {"reason": "the referee saw it"}


def game(moves: int = 8, ruleset: str = "renju", **more: Any) -> Table:
    """A game on time: the clock starts at 0, a move is laid every 10 s, seen and pressed for."""
    table = Table(ruleset, control=CONTROL, **more)
    table.decide(0, "start")
    table.play(" ".join(QUIET.split()[:moves]))
    return table


def slid() -> Table:
    """White's last stone was pushed from E12 to E13 before the press; ruling 1 says so."""
    table = game(7)
    table.lay("E12", "W", 72_000, 72_200)
    table.see(*relocated("E12", "E13", "W", 73_000, 73_300, Manner.SLID))
    table.press("second", 80_000)
    assert table.ruled == ["stone_slid"]
    return table


def five(ruleset: str = "renju") -> Table:
    """Black has five on rank 8, not pressed yet."""
    table = Table(ruleset, control=CONTROL)
    table.decide(0, "start")
    table.play("H8 A1 I8 A3 J8 C1 K8 C3")
    table.lay("L8", "B", 85_000, 85_200)
    return table


@dataclass(frozen=True, kw_only=True)
class Case:
    """One decision, at ``t`` ms, in the game that ``before`` makes. ``seen``: what is to be seen of it afterwards."""

    entry: Mapping[str, Any]
    seen: Callable[[Table], object]
    wanted: object
    before: Callable[[], Table] = game
    t: int = 90_000


def left(seat: str, t: int = 90_000) -> Callable[[Table], object]:
    return lambda table: table.left(seat, t)


def result(table: Table) -> object:
    return table.result()


def standing(table: Table) -> object:
    return [ruling.standing for ruling in table.arbiter.rulings]


def stopped() -> Table:
    table = game()
    table.decide(85_000, "stop", **REASON)
    return table


def adjourned() -> Table:
    table = game()
    table.decide(85_000, "adjourn", **REASON)
    return table


def sealed() -> Table:
    table = adjourned()
    table.decide(86_000, "seal", token="locked")
    return table


def offered() -> Table:
    table = game()
    table.lay("A1", "B", 85_000, 85_200)
    table.decide(86_000, "offer_draw", seat="first")
    return table


def not_started() -> Table:
    return Table("renju", control=CONTROL)


def absent() -> Table:
    table = not_started()
    table.decide(0, "start", absent=["second"])
    return table


def shared() -> Table:
    table = Table("renju", control="shared 1h")
    table.decide(0, "start")
    return table


def lost() -> Table:
    table = game()
    table.decide(85_000, "lose", seat="first", code="resignation", **REASON)
    return table


def displaced() -> Table:
    """Black's G10 stands on G11 since 83 s."""
    table = game()
    table.see(*relocated("G10", "G11", "B", 82_000, 83_000))
    return table


def opening() -> Table:
    """The designated opening was laid, not pressed for yet."""
    table = Table("competition", control=CONTROL)
    table.decide(0, "start")
    for n, (name, colour) in enumerate((("H8", "B"), ("I9", "W"), ("H9", "B"))):
        table.lay(name, colour, 1_000 * n + 100, 1_000 * n + 300)
    return table


def before_the_swap() -> Table:
    table = opening()
    table.decide(9_000, "announce", points=2)
    table.press("first", 10_000)
    return table


def double_three() -> Table:
    table = Table("renju", control=CONTROL)
    table.decide(0, "start")
    table.play("G8 G9 H9 G10 H10 F9 F8 F10 H8")
    return table


CASES = {
    "confirm": Case(
        before=slid,
        entry={"what": "confirm", "ruling": 1, "by": "first"},
        seen=lambda table: (table.outcome("stone_slid").violations, standing(table)),
        wanted=(1, ["accepted"]),
    ),
    "dismiss": Case(
        before=slid,
        entry={"what": "dismiss", "ruling": 1, **REASON},
        seen=lambda table: (table.outcomes, standing(table)),
        wanted=([("stone_slid", "rejected")], ["rejected"]),
    ),
    "amend": Case(
        before=slid,
        entry={"what": "amend", "ruling": 1, "code": "stone_lifted", **REASON},
        seen=lambda table: (table.ruled, [ruling.number for ruling in table.arbiter.rulings]),
        wanted=(["stone_lifted"], [2]),
    ),
    "raise": Case(
        entry={"what": "raise", "code": "other_hand", "seat": "second", "by": "first"},
        seen=lambda table: (table.outcomes, table.arbiter.state.ledger.violations),
        wanted=([("other_hand", "accepted")], (Seat.SECOND,)),
    ),
    "violation": Case(
        entry={"what": "violation", "seat": "first", "code": "stones_straightened", **REASON},
        seen=lambda table: table.arbiter.state.ledger.violations,
        wanted=(Seat.FIRST,),
    ),
    "declare_five": Case(before=five, entry={"what": "declare_five", "seat": "first"}, seen=result, wanted="first"),
    "claim_forbidden": Case(
        before=double_three,
        entry={"what": "claim_forbidden", "by": "second", "point": "H8"},
        seen=result,
        wanted="second",
        t=95_000,
    ),
    "claim_time": Case(
        entry={"what": "claim_time"},
        seen=result,
        wanted="second",
        # Black has thought 40 s, then has 14:20 and three periods of 30 s.
        t=80_000 + 860_000 + 90_000,
    ),
    "pass": Case(
        entry={"what": "pass", "seat": "first"},
        seen=lambda table: (table.arbiter.protocol.due.value, table.arbiter.state.ledger.number),
        wanted=("W", 9),
    ),
    "offer_draw": Case(
        entry={"what": "offer_draw", "seat": "second"},
        seen=lambda table: (table.arbiter.state.ledger.offering, table.outcomes),
        wanted=(Seat.SECOND, [("draw_offer_improper", "recorded")]),
    ),
    "answer_draw": Case(
        before=offered, entry={"what": "answer_draw", "seat": "second", "accepts": True}, seen=result, wanted="drawn"
    ),
    "agree_draw": Case(entry={"what": "agree_draw"}, seen=result, wanted="drawn"),
    "announce": Case(
        before=opening,
        entry={"what": "announce", "points": 3},
        seen=lambda table: table.arbiter.protocol.announced,
        wanted=3,
        t=9_000,
    ),
    "choose": Case(
        before=before_the_swap,
        entry={"what": "choose", "choice": "swap"},
        seen=lambda table: table.arbiter.protocol.black,
        wanted=Seat.SECOND,
        t=12_000,
    ),
    "lose": Case(
        entry={"what": "lose", "seat": "second", "code": "outside_help", **REASON}, seen=result, wanted="first"
    ),
    "start": Case(
        before=not_started,
        entry={"what": "start", "absent": ["first"]},
        seen=lambda table: (table.arbiter.clock.running, table.left("first", 100_000)),
        wanted=(Seat.FIRST, 890.0),
    ),
    "arrived": Case(
        before=absent,
        entry={"what": "arrived", "seat": "second"},
        seen=lambda table: (table.arbiter.clock.running, table.left("second", 100_000)),
        wanted=(Seat.FIRST, 810.0),
    ),
    "stop": Case(entry={"what": "stop", **REASON}, seen=left("first", 200_000), wanted=850.0),
    "resume": Case(
        before=stopped,
        entry={"what": "resume", "turn": "second", **REASON},
        seen=lambda table: (table.left("first", 100_000), table.left("second", 100_000)),
        wanted=(855.0, 850.0),
    ),
    "set_time": Case(
        entry={"what": "set_time", "seat": "second", "left_s": 100, **REASON}, seen=left("second"), wanted=100.0
    ),
    "add_time": Case(
        entry={"what": "add_time", "seat": "second", "seconds": 60, **REASON}, seen=left("second"), wanted=920.0
    ),
    "take_time": Case(
        entry={"what": "take_time", "seat": "second", "seconds": 60, **REASON}, seen=left("second"), wanted=800.0
    ),
    "undo_press": Case(
        entry={"what": "undo_press", **REASON},
        seen=lambda table: (table.arbiter.running, table.left("second", 95_000), table.left("first", 95_000)),
        # White had 14:20 when it pressed at 80 s; 5 s have passed since the undoing.
        wanted=(Seat.SECOND, 855.0, 860.0),
    ),
    "split_time": Case(
        before=shared, entry={"what": "split_time", **REASON}, seen=left("second", 100_000), wanted=1755.0
    ),
    "take_back": Case(
        entry={"what": "take_back", "number": 6, **REASON},
        seen=lambda table: (table.moves, [str(point) for point in table.arbiter.differing], table.arbiter.running),
        wanted=("BH8 WI9 BH9 WH7 BG10 WI8", ["E12", "F11"], Seat.FIRST),
    ),
    "correct_position": Case(
        before=displaced,
        entry={"what": "correct_position", "right": "board", **REASON},
        seen=lambda table: (table.moves, table.arbiter.differing, table.arbiter.protocol.due.value),
        wanted=("BH8 WI9 BH9 WH7 WI8 BF11 WE12 BG11", (), "B"),
    ),
    "end": Case(entry={"what": "end", "winner": "second", **REASON}, seen=result, wanted="second"),
    "agree_result": Case(
        before=stopped,
        entry={"what": "agree_result", "winner": "first"},
        seen=lambda table: (table.result(), table.arbiter.state.ledger.final),
        wanted=("first", True),
    ),
    "sign": Case(
        before=lost,
        entry={"what": "sign", "seat": "second"},
        seen=lambda table: table.arbiter.state.signed,
        wanted=frozenset({Seat.SECOND}),
    ),
    "adjourn": Case(
        entry={"what": "adjourn", **REASON},
        seen=lambda table: (table.arbiter.state.adjourned, table.left("first", 500_000)),
        wanted=(True, 850.0),
    ),
    "seal": Case(
        before=adjourned,
        entry={"what": "seal", "token": "locked"},
        seen=lambda table: table.arbiter.state.sealed,
        wanted="locked",
    ),
    "open_sealed": Case(
        before=sealed,
        entry={"what": "open_sealed", "point": "A1"},
        seen=lambda table: (table.arbiter.state.sealed, table.outcome("sealed_move").reason),
        wanted=(None, "the sealed move is A1: lay it"),
    ),
}
KINDS = [pytest.param(case, id=kind) for kind, case in CASES.items()]


def test_no_kind_is_left_out() -> None:
    assert {kind.what for kind in Act.__args__} == {*CASES, "undo"}


def enter(table: Table, case: Case) -> None:
    table.arbiter.take(Decision(t_ns=case.t * MS, act=decision_of(case.entry)))


@pytest.mark.parametrize("case", KINDS)
def test_what_it_does(case: Case) -> None:
    table = case.before()
    enter(table, case)
    assert case.seen(table) == case.wanted
    act = table.arbiter.decisions[-1].act
    assert decision_of(data_of(act)) == act


@pytest.mark.parametrize("case", KINDS)
def test_undone_and_the_undoing_undone(case: Case) -> None:
    """The state is as if it had not been; all of it stays on record."""
    table = case.before()
    before, ruled = table.arbiter.state, table.arbiter.rulings
    enter(table, case)
    done, ruled_then = table.arbiter.state, table.arbiter.rulings
    number = len(table.arbiter.decisions)
    table.decide(case.t + 1_000, "undo", decision=number, **REASON)
    assert table.arbiter.state == before
    assert table.arbiter.rulings == ruled
    table.decide(case.t + 2_000, "undo", decision=number + 1, **REASON)
    assert table.arbiter.state == done
    assert table.arbiter.rulings == ruled_then
    assert [decision.act.what for decision in table.arbiter.decisions[-3:]] == [case.entry["what"], "undo", "undo"]
    assert [decision.number for decision in table.arbiter.decisions] == list(range(1, number + 3))


@pytest.mark.parametrize("case", KINDS)
def test_what_comes_late_of_before_it(case: Case) -> None:
    """An older fact that changes nothing leaves all as it is; the decision is told after it."""
    table = case.before()
    enter(table, case)
    done = table.arbiter.state
    table.arbiter.take(NoFrames(t_ns=(case.t - 1) * MS, from_ns=(case.t - 2) * MS))
    assert case.seen(table) == case.wanted
    assert table.arbiter.state.outcomes == done.outcomes


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A decision that cannot be, and what the line says."""

    entry: Mapping[str, Any]
    said: str
    before: Callable[[], Table] = game
    t: int = 90_000


def confirmed() -> Table:
    table = slid()
    table.decide(85_000, "confirm", ruling=1, by="first")
    return table


def undone() -> Table:
    table = stopped()
    table.decide(86_000, "undo", decision=2, **REASON)
    return table


def agreed() -> Table:
    table = stopped()
    table.decide(86_000, "agree_result", winner="first")
    return table


def pressed_late() -> Table:
    """Black pressed at 10 s, the stone came at 12 s (P8)."""
    table = Table("renju", control=CONTROL)
    table.decide(0, "start")
    table.press("first", 10_000)
    table.lay("H8", "B", 12_000, 12_300)
    return table


def taken_back() -> Table:
    table = game()
    table.decide(85_000, "take_back", number=4, **REASON)
    return table


REFUSED = {
    "no such ruling": Refusal(entry={"what": "confirm", "ruling": 1}, said="there is no ruling 1"),
    "ruled already": Refusal(
        before=confirmed, entry={"what": "dismiss", "ruling": 1, **REASON}, said="ruling 1 has been confirmed: undo"
    ),
    "no such remedy": Refusal(
        before=slid, entry={"what": "confirm", "ruling": 1, "remedy": "draw"}, said="draw is no remedy here"
    ),
    "too much time": Refusal(
        before=pressed_late,
        entry={"what": "confirm", "ruling": 1, "by": "second", "offender_loses_s": 301},
        said="301 s will not do: the ruleset allows 0 to 300 s",
    ),
    "a remedy for a five": Refusal(
        before=five, entry={"what": "confirm", "ruling": 1, "remedy": "draw"}, said="no remedy and no time"
    ),
    "amended to nothing known": Refusal(
        before=slid, entry={"what": "amend", "ruling": 1, "code": "sneezed", **REASON}, said="'sneezed' is no code"
    ),
    "amended to the same": Refusal(
        before=slid,
        entry={"what": "amend", "ruling": 1, "seat": "second", **REASON},
        said="what the ruling says",
    ),
    "amended off the board": Refusal(
        before=slid, entry={"what": "amend", "ruling": 1, "points": ["S19"], **REASON}, said="S19 is not a point"
    ),
    "no such act": Refusal(entry={"what": "raise", "code": "five"}, said="'five' is no act of this ruleset"),
    "after no move": Refusal(
        entry={"what": "raise", "code": "stone_slid", "happened_after": 9}, said="there is no move 9: the last is 8"
    ),
    "no such violation": Refusal(
        entry={"what": "violation", "seat": "first", "code": "sneezed", **REASON}, said="'sneezed' is no code"
    ),
    "claimed off the board": Refusal(
        entry={"what": "claim_forbidden", "by": "second", "point": "S19"}, said="S19 is not a point"
    ),
    "passed out of turn": Refusal(entry={"what": "pass", "seat": "second"}, said="the second player is not to move"),
    "passed after the end": Refusal(before=lost, entry={"what": "pass", "seat": "first"}, said="the game has ended"),
    "nothing to announce": Refusal(entry={"what": "announce", "points": 2}, said="not to be announced now"),
    "no choice": Refusal(entry={"what": "choose", "choice": "swap"}, said="no choice 'swap' now"),
    "lost by nothing": Refusal(
        entry={"what": "lose", "seat": "first", "code": "five", **REASON},
        said="'five' is nothing that",
    ),
    "started before": Refusal(entry={"what": "start"}, said="the clock has been started before"),
    "nobody awaited": Refusal(entry={"what": "arrived", "seat": "first"}, said="this player is here"),
    "stopped before": Refusal(before=stopped, entry={"what": "stop", **REASON}, said="the clock is not running"),
    "running already": Refusal(entry={"what": "resume", **REASON}, said="the clock is running"),
    "resumed after the end": Refusal(before=lost, entry={"what": "resume", **REASON}, said="the game has ended: undo"),
    "resumed on another board": Refusal(
        before=taken_back, entry={"what": "resume", **REASON}, said="does not show the record yet, as on"
    ),
    "resumed with an envelope": Refusal(before=sealed, entry={"what": "resume", **REASON}, said="open it first"),
    "no press": Refusal(before=shared, entry={"what": "undo_press", **REASON}, said="no press to undo"),
    "not shared": Refusal(entry={"what": "split_time", **REASON}, said="the time is not shared"),
    "no such stage": Refusal(
        entry={"what": "set_time", "seat": "first", "left_s": 10, "stage": 7, **REASON}, said="stage"
    ),
    "taken back to the last": Refusal(entry={"what": "take_back", "number": 8, **REASON}, said="nothing to take back"),
    "taken back too far": Refusal(entry={"what": "take_back", "number": 9, **REASON}, said="there is no move 9"),
    "taken back after the end": Refusal(
        before=lost, entry={"what": "take_back", "number": 2, **REASON}, said="the game has ended: undo"
    ),
    "nothing to correct": Refusal(
        entry={"what": "correct_position", "right": "board", **REASON}, said="board and record agree"
    ),
    "won and drawn": Refusal(
        entry={"what": "end", "winner": "first", "drawn": True, **REASON}, said="a drawn game has no winner"
    ),
    "signed too early": Refusal(entry={"what": "sign", "seat": "first"}, said="when the game has ended"),
    "adjourned twice": Refusal(before=adjourned, entry={"what": "adjourn", **REASON}, said="adjourned already"),
    "adjourned after the end": Refusal(before=lost, entry={"what": "adjourn", **REASON}, said="the game has ended"),
    "sealed in play": Refusal(entry={"what": "seal", "token": "x"}, said="adjourn the game first"),
    "sealed twice": Refusal(before=sealed, entry={"what": "seal", "token": "x"}, said="a move has been sealed"),
    "nothing sealed": Refusal(before=adjourned, entry={"what": "open_sealed", "point": "A1"}, said="no move is sealed"),
    "opened off the board": Refusal(before=sealed, entry={"what": "open_sealed", "point": "S19"}, said="S19 is not"),
    "no such decision": Refusal(
        entry={"what": "undo", "decision": 2, **REASON}, said="there is no decision 2: the last is 1"
    ),
    "undone before": Refusal(
        before=undone, entry={"what": "undo", "decision": 2, **REASON}, said="decision 2 has been undone"
    ),
}


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in REFUSED.items()])
def test_refused(case: Refusal) -> None:
    """One clear line, and nothing has changed."""
    table = case.before()
    arbiter = table.arbiter
    before = arbiter.state, arbiter.rulings, arbiter.decisions
    with pytest.raises(ValueError, match=case.said) as raised:
        arbiter.take(Decision(t_ns=case.t * MS, act=decision_of(case.entry)))
    assert "\n" not in str(raised.value)
    assert (arbiter.state, arbiter.rulings, arbiter.decisions) == before
    # Nor is it kept back for later.
    arbiter.take(NoFrames(t_ns=(case.t - 1) * MS, from_ns=(case.t - 2) * MS))
    assert arbiter.state.outcomes == before[0].outcomes


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "what: None is nothing that can be decided: use one of add_time, "),
        ({"what": "shout"}, "what: 'shout' is nothing that can be decided"),
        ({"what": "stop"}, "stop: reason: is missing"),
        ({"what": "stop", "reason": "  "}, "stop: reason: must not be empty"),
        ({"what": "stop", "reason": "a phone", "who": "first"}, "stop: who: is no part of this decision"),
        ({"what": "add_time", "seat": "first", "seconds": 0, **REASON}, "add_time: seconds: "),
        ({"what": "open_sealed", "point": 8}, "open_sealed: point: write a point as H8"),
        ({"what": "take_back", "number": -1, **REASON}, "take_back: number: "),
        ({"what": "pass", "seat": "third"}, "pass: seat: "),
    ],
)
def test_what_cannot_be_read(data: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the line is compared)
        decision_of(data)
    assert str(raised.value).startswith(said)
    assert "\n" not in str(raised.value)


# Rulings


def test_a_ruling_raised_in_vain_counts_as_dismissed() -> None:
    table = slid()
    table.play("A1", from_ms=80_000)  # the opponent has played on: the act stands (B)
    assert ("waived", "recorded") in table.outcomes
    table.decide(95_000, "confirm", ruling=1, by="first")
    assert table.outcomes[-1] == ("stone_slid", "rejected")
    assert standing(table) == ["rejected"]
    assert table.arbiter.state.ledger.violations == ()


def test_what_was_dismissed_cannot_be_waived() -> None:
    table = slid()
    table.decide(85_000, "dismiss", ruling=1, **REASON)
    table.play("A1", from_ms=80_000)
    assert [code for code, _ in table.outcomes] == ["stone_slid"]


def test_an_amended_ruling_keeps_its_place_in_the_game() -> None:
    """It says something else of the same act: its time is not longer for that."""
    table = slid()
    table.play("A1", from_ms=80_000)
    table.decide(95_000, "amend", ruling=1, code="stone_lifted", **REASON)
    table.decide(96_000, "confirm", ruling=2, by="first")
    assert table.outcomes[-1] == ("stone_lifted", "rejected")
    assert table.outcome("stone_lifted").reason == "too late: move 9 was played without it"


def test_an_amended_seat_bears_the_penalty() -> None:
    table = slid()
    table.decide(85_000, "amend", ruling=1, seat="first", **REASON)
    assert [ruling.seat for ruling in table.arbiter.rulings] == [Seat.FIRST]
    table.decide(86_000, "confirm", ruling=2)
    assert table.arbiter.state.ledger.violations == (Seat.FIRST,)


def test_a_decision_on_a_ruling_that_falls_is_void() -> None:
    """The clock turns out, late, to have stood at the press: what was confirmed does not hold any more."""
    table = Table("renju", control=CONTROL)
    table.decide(0, "start")
    table.press("first", 10_000)
    table.lay("H8", "B", 12_000, 12_300)
    table.decide(15_000, "confirm", ruling=1, by="second")
    assert table.outcome("press_before_placing").violations == 1
    assert table.left("first", 16_000) == 590.0
    table.decide(9_000, "stop", **REASON)
    assert "press_before_placing" not in table.ruled
    assert (table.outcomes, table.arbiter.state.ledger.violations) == ([("decision_void", "rejected")], ())
    assert table.left("first", 20_000) == 891.0


def test_decisions_that_come_with_other_facts_never_lose_them() -> None:
    table = game()
    bad = Decision(t_ns=90_000 * MS, act=decision_of({"what": "undo", "decision": 9, **REASON}))
    worse = Decision(t_ns=90_500 * MS, act=decision_of({"what": "confirm", "ruling": 9}))
    table.arbiter.take(placed("A1", "B", 85_000, 85_200), bad, worse, Press(seat=Seat.FIRST, t_ns=91_000 * MS))
    assert table.moves.endswith("BA1")
    assert table.arbiter.running is Seat.SECOND
    assert len(table.arbiter.decisions) == 3
    assert table.outcomes == [("decision_void", "rejected")]


# The board


def test_taken_back_stones_come_off_the_board_as_no_moves() -> None:
    table = game()
    table.decide(90_000, "take_back", number=6, **REASON)
    assert not table.arbiter.clock.ticking
    table.see(removed("E12", "W", 91_000, 91_500))
    table.press("first", 92_000)  # the clock stands: nothing
    assert [str(point) for point in table.arbiter.differing] == ["F11"]
    table.see(removed("F11", "B", 93_000, 93_500))
    assert table.arbiter.differing == ()
    table.decide(100_000, "resume", **REASON)
    assert table.arbiter.clock.running is Seat.FIRST
    table.play("F12", from_ms=100_000)
    assert table.moves == "BH8 WI9 BH9 WH7 BG10 WI8 BF12"
    assert table.ruled == []
    assert table.arbiter.state.ledger.number == 7


def test_taken_back_to_the_empty_board() -> None:
    table = game(2)
    table.decide(25_000, "take_back", number=0, **REASON)
    table.see(removed("H8", "B", 26_000, 26_500), removed("I9", "W", 26_000, 26_500))
    table.decide(30_000, "resume", **REASON)
    table.play("H8 H9", from_ms=30_000)
    assert (table.moves, table.ruled, table.arbiter.state.ledger.number) == ("BH8 WH9", [], 2)


def test_taken_back_without_a_referee_the_clock_goes_on() -> None:
    table = game(4, takes_effect=())
    table.decide(45_000, "take_back", number=3, **REASON)
    assert table.arbiter.clock.running is Seat.SECOND
    table.see(removed("H7", "W", 46_000, 46_500))
    table.lay("H6", "W", 47_000, 47_500)
    table.press("second", 50_000)
    assert (table.moves, table.ruled) == ("BH8 WI9 BH9 WH6", [])


def test_a_pass_does_not_count_among_the_moves_taken_back() -> None:
    table = game()
    table.decide(85_000, "pass", seat="first")
    table.press("first", 86_000)
    table.lay("A1", "W", 87_000, 87_200)
    table.press("second", 88_000)
    table.lay("C1", "B", 89_000, 89_200)
    table.decide(90_000, "take_back", number=5, **REASON)
    assert table.moves == "BH8 WI9 BH9 WH7 BG10"
    assert table.arbiter.state.ledger.number == 5
    assert [str(turn.point) for turn in table.arbiter.state.ledger.turns] == ["H8", "I9", "H9", "H7", "G10"]
    table.decide(91_000, "undo", decision=3, **REASON)
    table.decide(92_000, "take_back", number=8, **REASON)
    # The pass stands: White is to move.
    assert (table.arbiter.protocol.due.value, table.arbiter.state.ledger.number) == ("W", 9)


def test_taken_back_into_the_opening_the_swap_is_open_again() -> None:
    table = before_the_swap()
    table.press("second", 20_000)  # takes Black
    table.lay("G7", "W", 25_000, 25_200)
    table.press("first", 30_000)
    assert table.arbiter.protocol.black is Seat.SECOND
    table.decide(35_000, "take_back", number=2, **REASON)
    assert (table.arbiter.protocol.black, table.arbiter.running) == (Seat.FIRST, Seat.FIRST)
    assert table.arbiter.protocol.due.value == "B"


def test_a_five_that_ended_the_game_by_itself_can_be_taken_back() -> None:
    table = five("school")
    assert table.result() == "first"
    table.decide(90_000, "take_back", number=8, reason="the stone lay on L9")
    over = table.arbiter.over
    assert not over
    table.see(removed("L8", "B", 91_000, 91_500))
    table.decide(92_000, "resume", **REASON)
    assert table.arbiter.clock.running is Seat.FIRST


def test_the_board_is_right_after_the_end() -> None:
    """The camera took a stone for one on L8; it lies on L9, and no five was made."""
    table = five("school")
    table.see(removed("L8", "B", 86_000, 86_500), placed("L9", "B", 86_000, 86_500))
    table.decide(90_000, "correct_position", right="board", to_move="W", reason="the stone lies on L9")
    assert table.result() is None
    assert table.moves.endswith("WC3 BL9")
    assert table.arbiter.protocol.due.value == "W"


def test_the_record_is_right() -> None:
    table = displaced()
    table.decide(90_000, "correct_position", right="record", **REASON)
    assert [str(point) for point in table.arbiter.differing] == ["G10", "G11"]
    assert not table.arbiter.clock.ticking
    table.see(*relocated("G11", "G10", "B", 91_000, 91_500))
    assert table.arbiter.differing == ()
    table.decide(95_000, "resume", **REASON)
    table.play("A1", from_ms=95_000)
    assert table.moves == "BH8 WI9 BH9 WH7 BG10 WI8 BF11 WE12 BA1"


# Clock


def test_an_undone_press_that_swapped() -> None:
    table = before_the_swap()
    table.press("second", 20_000)
    table.decide(22_000, "undo_press", **REASON)
    assert (table.arbiter.protocol.black, table.arbiter.running) == (Seat.FIRST, Seat.SECOND)
    table.lay("G7", "W", 25_000, 25_200)  # the swap is declined
    table.press("second", 30_000)
    assert (table.ruled, table.moves) == ([], "BH8 WI9 BH9 WG7")
    assert table.arbiter.protocol.black is Seat.FIRST


def test_an_undone_press_that_offered() -> None:
    table = before_the_swap()
    table.lay("G7", "W", 15_000, 15_200)
    table.press("second", 20_000)
    table.lay("F6", "B", 25_000, 25_200)
    table.press("first", 30_000)  # one point too few
    table.decide(31_000, "undo_press", **REASON)
    table.lay("K9", "B", 35_000, 35_200)
    table.press("first", 40_000)
    assert {str(point) for point in table.arbiter.protocol.offered} == {"F6", "K9"}
    assert table.arbiter.protocol.choosing
    assert [ruling.code for ruling in table.accused if ruling.code != "points_equivalent"] == []


def test_an_undone_press_is_pressed_again() -> None:
    table = game()
    table.decide(85_000, "undo_press", **REASON)
    table.press("second", 90_000)
    assert table.arbiter.moves[-1].press == Press(seat=Seat.SECOND, t_ns=90_000 * MS)
    assert (table.ruled, table.arbiter.running) == ([], Seat.FIRST)


def test_late_press_takes_the_flag_back() -> None:
    table = game()
    flag = 80_000 + 860_000 + 90_000
    news = table.pass_time(flag)
    assert [(ruling.code, ruling.seat) for ruling in news.rulings] == [("flag", Seat.FIRST)]
    news = table.arbiter.take(
        placed("A1", "B", flag - 3_000, flag - 2_800), Press(seat=Seat.FIRST, t_ns=(flag - 1) * MS)
    )
    assert (table.ruled, len(news.withdrawn)) == ([], 1)
    table.decide(flag + 5_000, "claim_time")
    assert (table.outcomes, table.result()) == ([("flag", "rejected")], None)


def test_power_cut() -> None:
    table = game()
    news = table.arbiter.take(Outage(t_ns=85_000 * MS, until_ns=985_000 * MS))
    assert [(ruling.code, ruling.press_ns) for ruling in news.rulings] == [("power_cut", 985_000 * MS)]
    assert (table.left("first", 990_000), table.arbiter.clock.ticking) == (855.0, False)
    table.decide(990_000, "resume", **REASON)
    table.play("A1", from_ms=990_000)
    assert table.moves.endswith("BA1")
    assert table.left("first", 1_000_000) == 845.0


# Adjournment


def test_sealed_move_is_played() -> None:
    table = sealed()
    # The board is put away and set up again: no moves, no acts.
    for point, stone in table.arbiter.position.stones.items():
        table.see(removed(str(point), stone.value, 100_000, 100_500))
    assert (table.ruled, len(table.arbiter.differing)) == ([], 8)
    with pytest.raises(ValueError, match="board and record differ"):
        table.decide(200_000, "open_sealed", point="A1")
    for point, stone in table.arbiter.wanted.stones.items():
        table.lay(str(point), stone.value, 201_000, 201_500)
    assert table.arbiter.differing == ()
    table.decide(210_000, "open_sealed", point="A1")
    table.lay("A1", "B", 215_000, 215_300)
    assert table.ruled == []
    table.decide(220_000, "resume", **REASON)
    # The move was made when it was sealed: the other clock starts.
    assert (table.arbiter.clock.running, table.moves[-3:]) == (Seat.SECOND, "BA1")
    assert (table.left("first", 230_000), table.left("second", 230_000)) == (855.0, 850.0)
    assert not table.arbiter.state.adjourned


def test_another_stone_than_the_sealed_one() -> None:
    table = sealed()
    table.decide(210_000, "open_sealed", point="A1")
    table.lay("A3", "B", 215_000, 215_300)
    assert table.ruled == ["sealed_move_differs"]


@pytest.mark.parametrize("point", ["H8", "E12"])
def test_an_illegal_sealed_move_loses(point: str) -> None:
    table = sealed()
    table.decide(210_000, "open_sealed", point=point)
    assert (table.outcomes, table.result()) == ([("sealed_move_illegal", "accepted")], "second")
    table.decide(211_000, "undo", decision=4, **REASON)
    assert (table.outcomes, table.result()) == ([], None)


def test_resumed_where_nothing_differs_after_all() -> None:
    """Stones were taken for scattered, and lie as they did: the game goes on."""
    table = game()
    table.see(scattered("H8 I9 H9", 84_000, 84_500))
    table.decide(85_000, "stop", **REASON)
    table.decide(90_000, "resume", **REASON)
    table.play("A1", from_ms=90_000)
    assert table.moves.endswith("BA1")


def test_adjourned_without_an_envelope() -> None:
    table = adjourned()
    table.see(removed("H8", "B", 100_000, 100_500))
    with pytest.raises(ValueError, match="does not show the record yet, as on H8"):
        table.decide(110_000, "resume", **REASON)
    table.lay("H8", "B", 120_000, 120_500)
    table.decide(130_000, "resume", **REASON)
    assert (table.ruled, table.arbiter.clock.running) == ([], Seat.FIRST)


# Undoing what others rest on


def test_what_rests_on_an_undone_decision_is_void() -> None:
    table = game()
    table.decide(85_000, "stop", **REASON)
    table.decide(90_000, "resume", **REASON)
    table.decide(95_000, "undo", decision=2, **REASON)
    assert table.outcomes == [("decision_void", "rejected")]
    assert "the clock is running" in table.outcome("decision_void").reason
    assert table.left("first", 100_000) == 840.0
