"""The game while it is played: its clock, its journal, and that both tell the same."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.decisions import Act, AddTime, ResumeClock, StartClock, StopClock, decision_of
from appliance.arbiter.facts import Outage, Press
from appliance.arbiter.wording import what_was_seen
from appliance.game.points import Seat
from appliance.game.ruleset import load_ruleset
from appliance.journal.entries import Entry, Kind, canonical
from appliance.live.game import LiveGame, Told, told_again
from clock.notation import parse
from tests.arbiter.honest_games import Look, alternating, as_seen
from tests.arbiter.table import placed, removed, scattered
from vision.eyes import Sighting

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.arbiter.honest_games import HonestGame
    from vision.acts import BoardAct

MS, S = 1_000_000, 1_000_000_000
FIRST, SECOND = Seat.FIRST, Seat.SECOND


def arbiter(control: str = "5m", takes_effect: Iterable[str] | None = None) -> Arbiter:
    takes = None if takes_effect is None else frozenset(takes_effect)
    return Arbiter(load_ruleset("renju"), start_ns=None, control=parse(control), takes_effect=takes)


class Played:
    """A game that is told things, with its journal in memory."""

    def __init__(self, control: str = "5m", takes_effect: Iterable[str] | None = None) -> None:
        self.begun = (control, takes_effect)
        self.game = LiveGame(arbiter(*self.begun))
        self.entries: list[tuple[Kind, dict[str, Any]]] = []
        self.decide(StartClock(), 0)

    def heard(self, told: Told) -> Told:
        # As plain data, as the journal holds it.
        self.entries += [(kind, dict(what)) for kind, what in told.entries]
        return told

    def decide(self, act: Act, t_ns: int) -> Told:
        return self.heard(self.game.decide(act, t_ns))

    def press(self, seat: Seat, t_ns: int) -> Told:
        return self.heard(self.game.press(Press(seat=seat, t_ns=t_ns)))

    def see(self, t_ns: int, *acts: BoardAct, whole: bool = True) -> Told:
        return self.heard(self.game.see(Sighting(acts=acts, seen_ns=t_ns, whole=whole, quiet=whole)))

    def pass_to(self, t_ns: int) -> Told:
        return self.heard(self.game.pass_to(t_ns))

    def again(self) -> tuple[LiveGame, list[tuple[Kind, dict[str, Any]]]]:
        """The game as its journal makes it, and what that says."""
        game = LiveGame(arbiter(*self.begun))
        entries = [
            Entry(seq=n, t_ns=0, wall_ns=0, kind=kind, payload=what, previous=b"", digest=b"")
            for n, (kind, what) in enumerate(self.entries, 1)
        ]
        return game, [(kind, dict(what)) for kind, what in told_again(game, entries)]

    def compare(self, now_ns: int) -> None:
        """The journal makes the same game, and says the same of it to the last byte."""
        game, said = self.again()
        assert game.snapshot(now_ns) == self.game.snapshot(now_ns)
        assert [canonical({"kind": kind, **what}) for kind, what in said] == [
            canonical({"kind": kind, **what}) for kind, what in self.entries
        ]


def told_out_of_step(played: Played) -> tuple[str, ...]:
    return played.game.out_of_step


def ticks(played: Played) -> bool:
    return played.game.arbiter.clock.ticking


DECISIONS: Sequence[dict[str, Any]] = (
    {"what": "stop", "reason": "noise"},
    {"what": "resume", "reason": "silence"},
    {"what": "confirm", "ruling": 1},
    {"what": "dismiss", "ruling": 1, "reason": "seen otherwise"},
    {"what": "add_time", "seat": "first", "seconds": 5, "reason": "noise"},
    {"what": "take_time", "seat": "second", "seconds": 200, "reason": "violation"},
    {"what": "set_time", "seat": "second", "left_s": 1, "reason": "as agreed"},
    {"what": "undo_press", "reason": "by mistake"},
    {"what": "undo", "decision": 2, "reason": "a mistake"},
    {"what": "take_back", "number": 1, "reason": "as agreed"},
    {"what": "correct_position", "right": "board", "reason": "as agreed"},
    {"what": "correct_position", "right": "record", "reason": "as agreed"},
    {"what": "adjourn", "reason": "evening"},
    {"what": "offer_draw", "seat": "first"},
    {"what": "end", "winner": "first", "reason": "the other left"},
)


@settings(deadline=None)
@given(
    as_seen(alternating(), most_late=4_000),
    st.lists(st.tuples(st.integers(0, 60_000), st.sampled_from(DECISIONS)), max_size=6),
    st.lists(st.integers(0, 60_000), max_size=4),
    st.booleans(),
)
def test_the_journal_makes_the_same_game(
    honest: HonestGame, decisions: list[tuple[int, dict[str, Any]]], looks: list[int], cut: bool
) -> None:
    played = Played("20s")
    told: list[tuple[int, Any]] = [(fact.t, fact) for fact in honest.facts]
    told += [(t, decision_of(what)) for t, what in decisions]
    told += [(t, None) for t in looks]
    now_ns = 0
    for t, what in sorted(told, key=lambda one: one[0]):
        now_ns = max(now_ns, t * MS)
        match what:
            case None:
                played.pass_to(now_ns)
            case Look():
                played.see(now_ns, *(done.act() for done in what.done), whole=what.whole)
            case _ if hasattr(what, "error"):
                played.press(what.seat, what.t * MS)
            case _:
                with suppress(ValueError):  # what cannot be, in the state that chance has made
                    played.decide(what, now_ns)
    if cut:
        outage = Outage(t_ns=now_ns + 1, until_ns=now_ns + 60 * S)
        played.heard(played.game.stood_still(outage, ResumeClock(reason="it goes on")))
        now_ns += 60 * S
    played.pass_to(now_ns + 30 * S)
    played.compare(now_ns + 30 * S)


def test_a_press_switches_the_clock_at_its_own_instant() -> None:
    played = Played()
    played.press(FIRST, 3 * S)
    reading = played.game.reading(5 * S)
    assert (reading.running, reading.first.left_ns, reading.second.left_ns) == (SECOND, 297 * S, 298 * S)


def test_a_press_that_is_known_after_what_the_referee_entered() -> None:
    """The clock cannot put it in its place any more; the arbiter can."""
    played = Played()
    played.decide(AddTime(seat=SECOND, seconds=1, reason="noise"), 6 * S)
    played.press(FIRST, 5 * S)
    reading = played.game.reading(7 * S)
    assert (reading.running, reading.first.left_ns, reading.second.left_ns) == (SECOND, 295 * S, 299 * S)
    played.compare(7 * S)


def test_a_flag_that_had_fallen_before_its_press_was_known_is_ruled_at_once() -> None:
    played = Played("10s")
    played.decide(decision_of({"what": "set_time", "seat": "second", "left_s": 2, "reason": "as agreed"}), 6 * S)
    assert not played.pass_to(9 * S).entries
    told = played.press(FIRST, 5 * S)  # so that the second player's time ran from then on, and ended at 8 s
    assert [(ruling.code, ruling.seat, ruling.t_ns) for ruling in told.news.rulings] == [("flag", SECOND, 8 * S)]
    assert what_was_seen(told.news.rulings[0]) == "nothing was left on the clock at 0:08.000"
    assert not played.pass_to(60 * S).entries
    played.compare(60 * S)


def test_a_flag_is_told_once() -> None:
    played = Played("10s")
    told = [played.pass_to(t * S) for t in (9, 11, 12, 20)]
    assert [[ruling.code for ruling in one.news.rulings] for one in told] == [[], ["flag"], [], []]
    played.compare(20 * S)


def test_what_cannot_be_decided_changes_nothing() -> None:
    played = Played()
    before = played.game.snapshot(S), list(played.entries)
    with pytest.raises(ValueError, match="the clock is running"):
        played.decide(ResumeClock(reason="why not"), S)
    assert (played.game.snapshot(S), played.entries) == before


def scattered_game(takes_effect: Iterable[str] | None) -> Played:
    played = Played(takes_effect=takes_effect)
    for n, (name, colour, seat) in enumerate([("H8", "B", FIRST), ("H9", "W", SECOND), ("I9", "B", FIRST)]):
        at = 10_000 * n
        played.see((at + 3_000) * MS, placed(name, colour, at + 1_000, at + 2_000))
        played.press(seat, (at + 4_000) * MS)
    played.see(31_000 * MS)
    away = [removed("H8", "B", 31_000, 32_000), removed("H9", "W", 31_000, 32_000)]
    played.see(32_500 * MS, scattered("H8 H9", 31_000, 32_000), *away)
    return played


def test_a_scattered_board_stops_the_clock_where_there_is_no_referee() -> None:
    played = scattered_game(())
    assert not played.game.arbiter.clock.ticking
    assert played.game.snapshot(40 * S)["decisions"][-1]["what"] == "stop"
    played.compare(40 * S)


def test_a_referee_stops_the_clock_himself() -> None:
    assert scattered_game(None).game.arbiter.clock.ticking


def test_what_differs_is_listed_until_the_board_is_rebuilt() -> None:
    played = scattered_game(None)
    snapshot = played.game.snapshot(33 * S)
    assert snapshot["rebuilding"]
    assert snapshot["differing"] == [
        {"point": "H8", "should": "B", "stands": "."},
        {"point": "H9", "should": "W", "stands": "."},
    ]
    assert told_out_of_step(played) == ("H8", "H9")
    played.see(40 * S, placed("H8", "W", 32_500, 39_000))
    assert played.game.snapshot(40 * S)["differing"] == [
        {"point": "H8", "should": "B", "stands": "W"},
        {"point": "H9", "should": "W", "stands": "."},
    ]
    played.see(42 * S, removed("H8", "W", 40_000, 41_000), placed("H9", "W", 40_000, 41_000))
    played.see(44 * S, placed("H8", "B", 42_000, 43_000))
    assert played.game.snapshot(44 * S)["differing"] == []
    assert not played.game.snapshot(44 * S)["rebuilding"]
    assert told_out_of_step(played) == ()
    assert [str(move.point) for move in played.game.arbiter.moves] == ["H8", "H9", "I9"]
    played.compare(44 * S)


def test_after_a_cut_the_clock_stands_and_stones_laid_meanwhile_accuse_nobody() -> None:
    played = Played()
    played.see(3 * S, placed("H8", "B", 1_000, 2_000))
    played.press(FIRST, 4 * S)
    played.heard(played.game.stood_still(Outage(t_ns=5 * S + 1, until_ns=65 * S)))
    # Laid in the dark by whomever: two stones, one of them another black one.
    dark = [placed("H9", "W", 0, 67_000), placed("I9", "B", 0, 67_000), placed("J9", "B", 0, 67_000)]
    played.see(68 * S, *(replace(act, bracket=replace(act.bracket, after_ns=None)) for act in dark))
    played.see(70 * S)
    certain = [ruling for ruling in played.game.arbiter.rulings if ruling.certainty.value == "certain" and ruling.seat]
    assert certain == []
    cut = next(ruling for ruling in played.game.arbiter.rulings if ruling.code == "power_cut")
    assert what_was_seen(cut) == "the box stood still from 0:05.000 to 1:05.000"
    reading = played.game.reading(70 * S)
    assert (reading.running, reading.second.left_ns) == (None, 299 * S - 1)
    assert not played.game.arbiter.clock.ticking
    played.decide(ResumeClock(reason="the referee has looked"), 80 * S)
    assert played.game.reading(81 * S).second.left_ns == 298 * S - 1
    played.compare(81 * S)


def test_a_recording_goes_on_by_itself_after_a_cut_but_not_when_the_referee_had_stopped_it() -> None:
    goes_on = ResumeClock(reason="it goes on")
    played = Played()
    told = played.heard(played.game.stood_still(Outage(t_ns=5 * S, until_ns=5 * S), goes_on))
    assert ticks(played)
    assert [kind for kind, _ in told.entries].count(Kind.FACT) == 2
    played.decide(StopClock(reason="noise"), 6 * S)
    played.heard(played.game.stood_still(Outage(t_ns=7 * S, until_ns=7 * S), goes_on))
    assert not ticks(played)
    played.compare(8 * S)
