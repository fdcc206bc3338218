"""Whatever is seen, pressed and entered, in whatever order it becomes known: what the arbiter owes all the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.decisions import decision_of
from appliance.arbiter.facts import Decision, Fact, NoFrames, NoMore, Outage, Press, TimePassed, WholeBoard, instant
from appliance.arbiter.outcomes import Outcome
from appliance.game.points import Seat
from appliance.game.ruleset import Penalty, load_ruleset
from clock.control import Lateness
from clock.notation import parse
from tests.arbiter.table import (
    MS,
    board_moved,
    displaced,
    dropped,
    placed,
    relocated,
    removed,
    restored,
    scattered,
    straightened,
)

POINTS = ("H8", "I9", "H9", "H10", "G9", "J10", "K8", "F6")
ORDERLY = [(f"{'ACEGIKMO'[n % 8]}{1 + 3 * (n // 8)}", "BW"[n % 2]) for n in range(32)]
"""Moves in turn that make nothing."""

STEP = 10_000
"""Milliseconds from one fact to the next: more than any bracket may reach over is drawn, too."""

SEATS = st.sampled_from(["first", "second"])
REASON = {"reason": "so ruled"}

FREE: tuple[dict[str, Any], ...] = (
    {"what": "start"},
    {"what": "start", "absent": ["second"]},
    {"what": "arrived", "seat": "second"},
    {"what": "stop", **REASON},
    {"what": "resume", **REASON},
    {"what": "resume", "turn": "first", **REASON},
    {"what": "set_time", "seat": "first", "left_s": 25, **REASON},
    {"what": "set_time", "seat": "second", "left_s": 5, "stage": 1, **REASON},
    {"what": "add_time", "seat": "second", "seconds": 9, **REASON},
    {"what": "take_time", "seat": "first", "seconds": 45, **REASON},
    {"what": "undo_press", **REASON},
    {"what": "split_time", **REASON},
    {"what": "pass", "seat": "first"},
    {"what": "pass", "seat": "second"},
    {"what": "offer_draw", "seat": "first"},
    {"what": "answer_draw", "seat": "second", "accepts": False},
    {"what": "agree_draw"},
    {"what": "announce", "points": 2},
    {"what": "choose", "choice": "swap"},
    {"what": "choose", "choice": "stay"},
    {"what": "claim_time"},
    {"what": "claim_forbidden", "by": "second", "point": "H8"},
    {"what": "declare_five", "seat": "first"},
    {"what": "raise", "code": "other_hand", "seat": "first", "by": "second"},
    {"what": "raise", "code": "press_before_placing", "seat": "second"},
    {"what": "raise", "code": "board_scattered"},
    {"what": "raise", "code": "opening_outside_26", "seat": "first", "by": "second"},
    {"what": "raise", "code": "points_equivalent", "seat": "first", "by": "second"},
    {"what": "violation", "seat": "second", "code": "stone_slid", **REASON},
    {"what": "lose", "seat": "second", "code": "resignation", **REASON},
    {"what": "take_back", "number": 0, **REASON},
    {"what": "take_back", "number": 2, **REASON},
    {"what": "correct_position", "right": "board", **REASON},
    {"what": "correct_position", "right": "board", "to_move": "W", **REASON},
    {"what": "correct_position", "right": "record", **REASON},
    {"what": "end", "drawn": True, **REASON},
    {"what": "agree_result", "winner": "first"},
    {"what": "sign", "seat": "first"},
    {"what": "adjourn", **REASON},
    {"what": "seal", "token": "locked"},
    {"what": "open_sealed", "point": "K8"},
)
"""Decisions that name neither a ruling nor another decision."""

COSTING = frozenset(
    {"agree_draw", "agree_result", "answer_draw", "claim_forbidden", "claim_time", "confirm", "declare_five", "end"}
    | {"lose", "open_sealed", "pass", "raise", "violation"}
)
"""What can end a game or cost a player something."""


def naming(number: int) -> list[dict[str, Any]]:
    """Decisions that name ruling or decision ``number``."""
    return [
        {"what": "confirm", "ruling": number},
        {"what": "confirm", "ruling": number, "by": "second"},
        {"what": "confirm", "ruling": number, "remedy": "stands"},
        {"what": "dismiss", "ruling": number, **REASON},
        {"what": "amend", "ruling": number, "seat": "first", **REASON},
        {"what": "amend", "ruling": number, "code": "double_three", "points": [], **REASON},
        {"what": "undo", "decision": number, **REASON},
    ]


NAMING = tuple(entry for number in range(1, 6) for entry in naming(number))


@st.composite
def board_acts(draw: st.DrawFn, t: int) -> list[Fact]:
    """What the camera tells with one observation; brackets may reach back over what happened before."""
    by = t - draw(st.sampled_from([0, 300, 4_000, 12_000, 25_000]))
    after = by - draw(st.sampled_from([100, 3_000, 15_000]))
    name, other = draw(st.permutations(POINTS))[:2]
    colour = draw(st.sampled_from("BW"))
    seen: list[Any] = []
    match draw(
        st.sampled_from(["lay"] * 8 + ["lift", "lift", "shift", "drop", "nudge", "spill", "mend", "comb", "board"])
    ):
        case "lay":
            seen = [placed(name, colour, after, by, t, alone=draw(st.booleans()))]
        case "lift":
            seen = [removed(name, colour, after, by)]
        case "shift":
            seen = list(relocated(name, other, colour, after, by, seen=t))
        case "drop":
            seen = [dropped(name, colour, after, by)]
        case "nudge":
            seen = [displaced(name, colour, after, by)]
        case "spill":
            seen = [scattered(f"{name} {other}", after, by)]
        case "mend":
            seen = [restored(by)]
        case "comb":
            seen = [straightened(f"{name} {other}", after, by)]
        case "board":
            seen = [board_moved(after, by)]
    # Each fact has an instant of its own.
    return [replace(act, seen_ns=t * MS + n) for n, act in enumerate(seen)]


@st.composite
def bundles(draw: st.DrawFn, entries: Sequence[dict[str, Any]] = FREE, most: int = 22) -> list[list[Fact]]:
    """Facts in the order of their instants, those that become known together in one list."""
    found: list[list[Fact]] = [[Decision(t_ns=MS, act=decision_of({"what": "start"}))]]
    played = iter(ORDERLY)
    kinds = ["turn"] * 6 + ["act"] * 4 + ["press"] * 3 + ["whole"] * 3 + ["decide"] * 4 + ["gap", "cut", "time"]
    for n in range(draw(st.integers(1, most))):
        t = STEP * (n + 1) + draw(st.integers(0, 4_000))
        match draw(st.sampled_from(kinds)):
            case "turn":
                name, colour = next(played)
                found.append([placed(name, colour, t - 300, t)])
                seat = Seat.FIRST if colour == "B" else Seat.SECOND
                found.append([Press(seat=seat, t_ns=(t + 4_500) * MS, error_ns=MS)])
            case "act":
                found.append(draw(board_acts(t)))
            case "press":
                seat = Seat(draw(SEATS))
                found.append([Press(seat=seat, t_ns=t * MS, error_ns=draw(st.sampled_from([0, MS, 50 * MS])))])
            case "whole":
                found.append([WholeBoard(t_ns=t * MS)])
            case "decide":
                found.append([Decision(t_ns=t * MS, act=decision_of(draw(st.sampled_from(entries))))])
            case "gap":
                found.append([NoFrames(t_ns=t * MS, from_ns=(t - 5_000) * MS)])
            case "cut":
                found.append([Outage(t_ns=t * MS, until_ns=(t + 5_000) * MS)])
            case "time":
                found.append([TimePassed(t_ns=t * MS)])
    return found


RULESETS = st.sampled_from(["renju", "competition", "competition-five-two", "school", "taraguchi-10"])
MODES = st.sampled_from([None, frozenset({"stone_lifted", "two_moves", "wrong_stone", "press_before_placing", "flag"})])


def arbiter(ruleset: str, takes_effect: frozenset[str] | None) -> Arbiter:
    return Arbiter(
        load_ruleset(ruleset),
        start_ns=None,
        control=parse("1m; 2x20s"),
        late=Lateness(limit_ns=60_000 * MS),
        takes_effect=takes_effect,
    )


def told(judge: Arbiter, bundle: Sequence[Fact]) -> bool:
    """Whether ``bundle`` was taken: a decision alone may be refused, and leaves everything as it was."""
    before = judge.state, judge.rulings, judge.decisions
    try:
        judge.take(*bundle)
    except ValueError as error:
        refused = str(error)
    else:
        return True
    assert [type(fact) for fact in bundle] == [Decision]
    assert refused
    assert "\n" not in refused
    assert (judge.state, judge.rulings, judge.decisions) == before
    return False


def costs(outcome: Outcome) -> bool:
    return bool(
        outcome.penalty not in (None, Penalty.NONE)
        or outcome.violations
        or outcome.opponent_gains_s
        or outcome.offender_loses_s
        or outcome.end
    )


def end_of(facts: Sequence[Sequence[Fact]]) -> NoMore:
    return NoMore(t_ns=max(instant(fact) for bundle in facts for fact in bundle) + 60_000 * MS)


@given(ruleset=RULESETS, takes_effect=MODES, facts=bundles((*FREE, *NAMING)), data=st.data())
@settings(max_examples=30, deadline=None)
def test_whatever_comes(
    ruleset: str, takes_effect: frozenset[str] | None, facts: list[list[Fact]], data: st.DataObject
) -> None:
    """Nothing is raised but for a decision, nobody is punished but by a decision or the organiser's table, and the
    same facts in the same order make the same of the game.
    """
    judge, taken = arbiter(ruleset, takes_effect), []
    for bundle in data.draw(st.permutations(facts), label="as they become known"):
        if told(judge, bundle):
            taken.append(bundle)
        assert len({ruling.number for ruling in judge.rulings}) == len(judge.rulings)
        entered = {decision.t_ns for decision in judge.decisions if decision.act.what in COSTING}
        for outcome in judge.outcomes:
            by_itself = takes_effect is not None and outcome.code in (*takes_effect, "second_violation")
            # Under a school's rules a stone ends the game with no claim.
            by_itself |= ruleset == "school" and outcome.code == "five"
            assert not costs(outcome) or outcome.t_ns in entered or by_itself
    assert [decision.number for decision in judge.decisions] == list(range(1, len(judge.decisions) + 1))
    judge.take(end_of(facts))
    again = arbiter(ruleset, takes_effect)
    for bundle in taken:
        again.take(*bundle)
    again.take(end_of(facts))
    assert again.state == judge.state
    assert again.rulings == judge.rulings


def final(ruleset: str, takes_effect: frozenset[str] | None, facts: Sequence[Sequence[Fact]]) -> Any:
    """The game after all of ``facts``; a decision becomes known with the time, so that it is on record in any case."""
    judge = arbiter(ruleset, takes_effect)
    for bundle in facts:
        known = [*bundle, *(TimePassed(t_ns=fact.t_ns) for fact in bundle if isinstance(fact, Decision))]
        judge.take(*known)
    judge.take(end_of(facts))
    state = judge.state
    outcomes = [replace(one, reason=re.sub(r"^decision \d+ ", "", one.reason)) for one in state.outcomes]
    return {
        "moves": state.moves,
        "position": state.position.rows(),
        "wanted": state.wanted.rows(),
        "findings": state.findings,
        "outcomes": outcomes,
        "clock": state.clock,
        "end": state.ledger.end,
    }


@given(ruleset=RULESETS, takes_effect=MODES, facts=bundles(), data=st.data())
@settings(max_examples=30, deadline=None)
def test_the_order_of_arrival_changes_nothing(
    ruleset: str, takes_effect: frozenset[str] | None, facts: list[list[Fact]], data: st.DataObject
) -> None:
    """Nor is a fact lost: in the end what came when makes no difference, only what happened when."""
    shuffled = data.draw(st.permutations(facts), label="as they become known")
    assert final(ruleset, takes_effect, shuffled) == final(ruleset, takes_effect, facts)


@pytest.mark.parametrize("entry", [*FREE, *NAMING])
def test_before_anything_has_happened(entry: dict[str, Any]) -> None:
    """Any decision at an empty table: done, or refused in one line."""
    told(arbiter("competition", None), [Decision(t_ns=MS, act=decision_of(entry))])
