"""The ordering loop, with a journal, clients and pictures that are only taken down."""

from __future__ import annotations

import json
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from appliance.arbiter.facts import Outage, Press
from appliance.game.points import Seat
from appliance.journal.entries import Draft, Entry, Kind
from appliance.journal.journal import DiskError
from appliance.journal.writer import JournalResumed, JournalStopped
from appliance.live.box import HEARD_NS, Box, Time, new_inbox
from appliance.live.exhibiting import MoveMade, RoomWanted, RulingMade
from appliance.live.game import LiveGame, told_again
from appliance.live.items import Asked, Back, Ended, Noted, Saw
from clock.press import Button
from clock.press import Press as ButtonPress
from tests.arbiter.table import placed, removed
from tests.live.test_game import arbiter
from vision.eyes import Sighting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from appliance.live.items import Item
    from vision.acts import BoardAct

MS, S = 1_000_000, 1_000_000_000
FIRST, SECOND = Seat.FIRST, Seat.SECOND
START = Asked(decision={"what": "start"}, t_ns=0)


@dataclass
class Written:
    """A journal's writer that takes down; ``stuck``: the disk takes nothing, and nobody is told so yet."""

    drafts: list[Draft] = field(default_factory=list)
    pulses: list[tuple[int, int]] = field(default_factory=list)
    stuck: bool = False
    on_pulse: Callable[[], None] = lambda: None

    def write(self, *drafts: Draft) -> Future[tuple[Entry, ...]]:
        self.drafts += drafts
        future: Future[tuple[Entry, ...]] = Future()
        if not self.stuck:
            future.set_result(())
        return future

    def pulse(self, t_ns: int, wall_ns: int) -> None:
        self.pulses.append((t_ns, wall_ns))
        self.on_pulse()


@dataclass
class Wanted:
    """Pictures that were wanted."""

    wanted: list[RulingMade | MoveMade | RoomWanted] = field(default_factory=list)

    def want(self, wanted: RulingMade | MoveMade | RoomWanted) -> None:
        self.wanted.append(wanted)


class Boxed:
    """A box whose time is that of what it hears, or stands at ``now_ns``."""

    def __init__(self, now_ns: int | None = None, control: str = "5m") -> None:
        self.lines: list[str] = []
        self.wall_ns = 1_000_000 * S
        time = Time(
            game_ns=lambda at_ns: at_ns - 1_000,
            now_ns=lambda: now_ns or 0,
            paced=now_ns is None,
            wall_ns=lambda: self.wall_ns,
        )
        self.game = LiveGame(arbiter(control))
        self.box = Box(self.game, new_inbox(), time)
        self.written, self.wanted = Written(), Wanted()
        self.box.writer = self.written  # type: ignore[assignment]
        self.box.exhibits = self.wanted
        self.box.note = self.lines.append

    def run(self, *items: Item, end: Ended | None = None) -> Ended:
        for item in items:
            self.box.hear(item)
        self.box.hear(end or Ended(why="the test is over"))
        self.box._ended = None  # a box that ran may be run on
        return self.box.run()

    def decide(self, id_: str | int, **decision: Any) -> Mapping[str, Any]:
        answer = self.box.decide(decision, id_)
        self.run()
        return answer.result(0)

    def written_kinds(self) -> list[Kind]:
        return [draft.kind for draft in self.written.drafts]

    def notes(self) -> list[tuple[str, str]]:
        return [
            (draft.payload["about"], draft.payload["text"]) for draft in self.written.drafts if draft.kind is Kind.NOTE
        ]


def press(seat: Seat, t_ns: int) -> Press:
    return Press(seat=seat, t_ns=t_ns)


def saw(t_ms: int, *acts: BoardAct) -> Saw:
    return Saw(t_ns=t_ms * MS, sighting=Sighting(acts=acts, seen_ns=t_ms * MS, whole=True, quiet=True))


def test_what_is_heard_is_written_in_order_and_makes_the_same_game() -> None:
    boxed = Boxed()
    ended = boxed.run(
        START,
        saw(3_000, placed("H8", "B", 1_000, 2_000)),
        press(FIRST, 4 * S),
        Asked(decision={"what": "stop", "reason": "noise"}, t_ns=5 * S),
        Back(outage=Outage(t_ns=6 * S, until_ns=7 * S)),
        end=Ended(why="the recording is over", over=True),
    )
    assert ended.over
    facts = [fact["fact"] for draft in boxed.written.drafts for fact in draft.payload.get("facts", ())]
    assert facts == ["decision", "placed", "whole_board", "press", "decision", "outage", "no_more"]
    instants = [draft.t_ns for draft in boxed.written.drafts]
    assert instants == sorted(instants)
    entries = [
        Entry(
            seq=n,
            t_ns=draft.t_ns,
            wall_ns=0,
            kind=draft.kind,
            payload=json.loads(draft.text),
            previous=b"",
            digest=b"",
        )
        for n, draft in enumerate(boxed.written.drafts, 1)
    ]
    again = LiveGame(arbiter())
    told_again(again, entries)
    assert again.snapshot(9 * S) == boxed.game.snapshot(9 * S)
    assert boxed.notes()[-1] == ("game", "the recording is over")
    made = boxed.wanted.wanted[0]
    assert isinstance(made, MoveMade)
    assert (made.number, made.t_ns) == (1, 2 * S)
    assert "move 1: H8" in boxed.lines


def test_a_decision_is_answered_once_it_is_written_and_counts_once() -> None:
    boxed = Boxed()
    boxed.run(START)
    before = len(boxed.written.drafts)
    assert boxed.decide("a", what="stop", reason="a phone rang") == {"accepted": True}
    assert len(boxed.written.drafts) == before + 1
    assert boxed.written.drafts[-1].payload["asked"] == "a"
    assert boxed.decide("a", what="stop", reason="a phone rang") == {"accepted": True}
    assert len(boxed.written.drafts) == before + 1
    assert boxed.decide("b", what="stop", reason="again") == {"error": "the clock is not running"}
    assert boxed.decide("c", what="stop") == {"error": "stop: reason: is missing"}
    assert boxed.decide("d", what="stopp")["error"].startswith("what: 'stopp' is nothing that can be decided: use one")
    assert len(boxed.written.drafts) == before + 1
    # A refused one may be entered again under its number.
    assert boxed.decide("b", what="resume", reason="silence") == {"accepted": True}


def test_a_ruling_is_confirmed_with_what_follows() -> None:
    boxed = pressed_before_the_stone()
    assert boxed.decide(1, what="confirm", ruling=2) == {
        "error": "there is no ruling 2 that stands: look at those that do"
    }
    assert boxed.decide(1, what="confirm", ruling=1) == {"accepted": True}
    (ruling,), (outcome,) = boxed.box.snapshot()["rulings"], boxed.box.snapshot()["outcomes"]
    assert ruling["standing"] == outcome["standing"] == "accepted"
    assert (outcome["rule"], outcome["seat"]) == ("P8", "first")
    assert boxed.written_kinds()[-3:] == [Kind.FACT, Kind.RULING, Kind.OUTCOME]


def test_a_ruling_is_dismissed_with_a_reason() -> None:
    boxed = pressed_before_the_stone()
    assert boxed.decide(2, what="dismiss", ruling=1) == {"error": "dismiss: reason: is missing"}
    assert boxed.decide(2, what="dismiss", ruling=1, reason="a flash blinded him") == {"accepted": True}
    (ruling,) = boxed.box.snapshot()["rulings"]
    assert ruling["standing"] == "rejected"


def pressed_before_the_stone() -> Boxed:
    """The first player pressed at 2 s; the stone came after 3 s."""
    boxed = Boxed(control="30m")
    boxed.run(START, press(FIRST, 2 * S), saw(5_000, placed("H8", "B", 3_000, 4_000)), saw(6_000))
    (ruling,) = boxed.box.snapshot()["rulings"]
    assert (ruling["rule"], ruling["seat"], ruling["certainty"]) == ("P8", "first", "certain")
    assert boxed.box.snapshot()["outcomes"] == []
    return boxed


def test_a_decision_entered_before_the_box_was_started_again_counts_once() -> None:
    boxed = Boxed()
    boxed.run(START)
    boxed.box.remember(["a"])
    assert boxed.decide("a", what="stop", reason="a phone rang") == {"accepted": True}
    assert boxed.game.arbiter.clock.ticking


def test_who_waits_for_a_disk_that_is_full_is_answered_when_that_is_known() -> None:
    boxed = Boxed()
    boxed.run(START)
    boxed.written.stuck = True
    answer = boxed.box.decide({"what": "stop", "reason": "noise"}, 1)
    boxed.run()
    assert not answer.done()
    boxed.box.journal_told(JournalStopped(why="x.sqlite: the disk is full: make room on it"))
    boxed.run()
    assert answer.result(0) == {"accepted": True}
    trouble = "x.sqlite: the disk is full: make room on it; the game goes on and is kept in memory"
    assert boxed.box.snapshot()["troubles"] == [{"about": "journal", "text": trouble}]
    assert boxed.decide(2, what="resume", reason="silence") == {"accepted": True}
    assert [type(one) for one in boxed.wanted.wanted] == [RoomWanted]
    boxed.box.journal_told(JournalResumed())
    boxed.run()
    assert boxed.box.snapshot()["troubles"] == []
    assert [about for about, _ in boxed.notes()] == ["journal", "journal"]


def test_troubles_stand_until_they_are_mended() -> None:
    boxed = Boxed()
    boxed.run(
        Noted(about="camera", text="sees nothing", stands=True),
        Noted(about="display MAX7219", text="lost", stands=True),
        Noted(about="power", text="away for 3 s"),
        Noted(about="camera", text="sees nothing: still", stands=True),
    )
    assert boxed.box.snapshot()["troubles"] == [
        {"about": "display MAX7219", "text": "lost"},
        {"about": "camera", "text": "sees nothing: still"},
    ]
    boxed.run(Noted(about="camera", text="sees again", stands=False), Noted(about="voice", text="fine", stands=False))
    assert boxed.box.snapshot()["troubles"] == [{"about": "display MAX7219", "text": "lost"}]
    assert boxed.lines[0] == "camera: sees nothing"


def test_board_and_record_that_differ_are_told_and_that_they_agree_again() -> None:
    boxed = Boxed()
    boxed.run(
        START,
        saw(3_000, placed("H8", "B", 1_000, 2_000)),
        press(FIRST, 4 * S),
        saw(6_000, removed("H8", "B", 4_500, 5_000)),
        Asked(decision={"what": "correct_position", "right": "record", "reason": "it fell"}, t_ns=7 * S),
        saw(8_000),
    )
    text = "the board differs from what should stand on H8"
    assert {"about": "position", "text": text} in boxed.box.snapshot()["troubles"]
    assert boxed.box.snapshot()["differing"] == [{"point": "H8", "should": "B", "stands": "."}]
    boxed.run(saw(10_000, placed("H8", "B", 8_500, 9_000)), saw(11_000))
    assert boxed.box.snapshot()["troubles"] == []
    assert [text for about, text in boxed.notes() if about == "position"] == [
        text,
        "the board is as it should stand",
    ]


def test_the_pulse_is_never_later_than_what_may_not_have_been_heard() -> None:
    boxed = Boxed(now_ns=5 * S)
    boxed.run(Noted(about="camera", text="fine"))
    assert boxed.written.pulses == []  # something waited still: the end
    boxed.written.on_pulse = lambda: boxed.box.hear(Ended(why="pulsed"))
    boxed.box._ended = None
    boxed.box.hear(Noted(about="camera", text="fine"))
    assert boxed.box.run().why == "pulsed"
    assert boxed.written.pulses == [(5 * S - HEARD_NS, boxed.wall_ns - HEARD_NS)]


def test_a_jump_of_the_wall_clock_changes_labels_alone() -> None:
    boxed = Boxed()
    boxed.run(START, press(FIRST, 3 * S))
    boxed.wall_ns -= 7200 * S
    boxed.run(press(SECOND, 5 * S))
    boxed.wall_ns += 86_400 * S
    boxed.run(press(FIRST, 9 * S))
    reading = boxed.game.reading(9 * S)
    assert (reading.first.left_ns, reading.second.left_ns) == (293 * S, 298 * S)
    assert [draft.t_ns for draft in boxed.written.drafts if draft.kind is Kind.FACT] == [0, 3 * S, 5 * S, 9 * S]


def test_buttons() -> None:
    boxed = Boxed()

    def push(button: Button, at_ns: int) -> None:
        boxed.box.pressed(ButtonPress(button=button, at_ns=at_ns + 1_000, error_ns=7))
        boxed.run()

    push(Button.STOP, 0)
    assert boxed.game.arbiter.clock.ticking
    push(Button.FIRST, 2 * S)
    assert boxed.game.arbiter.turns == {Press(seat=FIRST, t_ns=2 * S, error_ns=7): 2 * S}
    push(Button.STOP, 3 * S)
    assert not boxed.game.reading(9 * S).running
    push(Button.STOP, 10 * S)
    assert boxed.game.reading(11 * S).second.left_ns == 298 * S
    push(Button.CONFIRM, 12 * S)
    assert boxed.lines[-1].startswith("a decision that cannot be: there is no ruling to confirm")
    push(Button.CLAIM_SECOND, 13 * S)
    boxed.run()
    assert boxed.lines[-1] == "claim: claim_second: a player calls the referee"


def test_a_game_that_both_have_signed_is_over() -> None:
    boxed = Boxed()
    boxed.run(START)
    assert boxed.decide(1, what="end", winner="first", reason="resigned by word") == {"accepted": True}
    assert boxed.decide(2, what="sign", seat="first") == {"accepted": True}
    answer = boxed.box.decide({"what": "sign", "seat": "second"}, 3)
    assert boxed.run() == Ended(why="the record is signed", over=True)
    assert answer.result(0) == {"accepted": True}
    assert boxed.written.drafts[-1].payload["ended"]


def test_a_sealed_move_is_nowhere_in_the_clear_until_it_is_opened() -> None:
    boxed = Boxed()
    published: list[Mapping[str, Any]] = []
    boxed.box.publish = published.append
    boxed.run(START, saw(3_000, placed("H8", "B", 1_000, 2_000)), press(FIRST, 4 * S))
    assert boxed.decide(1, what="seal", point="K11") == {
        "error": "a move is sealed at an adjournment: adjourn the game first"
    }
    assert boxed.decide(2, what="adjourn", reason="the evening is over") == {"accepted": True}
    assert "error" in boxed.decide(3, what="seal", point="Z99")
    assert "error" in boxed.decide(3, what="seal", point="K11", token="x")
    answer = boxed.decide(3, what="seal", point="K11")
    assert answer["accepted"]
    code = answer["code"]
    assert boxed.decide(4, what="seal", point="L12") == {"error": "a move has been sealed: undo that decision first"}
    said = json.dumps([draft.payload for draft in boxed.written.drafts]) + json.dumps(dict(boxed.box.snapshot()))
    for secret in ("K11", code, code.replace("-", "")):
        assert secret not in said
        assert secret not in "".join(boxed.lines)
    wrong = boxed.decide(5, what="open_sealed", code="0000-0000-0000-0000")
    assert wrong == {"error": "this code does not open the sealed move: compare it with the paper"}
    assert boxed.decide(6, what="open_sealed", code=code.lower()) == {"accepted": True}
    assert boxed.game.arbiter.outcomes[-1].reason == "the sealed move is K11: lay it"
    assert boxed.decide(7, what="open_sealed", code=code) == {"error": "no move is sealed"}


def test_ten_thousand_presses() -> None:
    """A button that chatters: all of it on record, in order, and the clock is right."""
    boxed = Boxed(control="10h")
    presses = [press((FIRST, SECOND)[n % 2], (n + 1) * 30 * MS) for n in range(10_000)]
    boxed.run(START, *presses)
    told = [
        (fact["seat"], fact["t_ns"])
        for draft in boxed.written.drafts
        for fact in draft.payload.get("facts", ())
        if fact["fact"] == "press"
    ]
    assert told == [(one.seat.value, one.t_ns) for one in presses]
    reading = boxed.game.reading(300 * S)
    assert (reading.first.moves_made, reading.second.moves_made) == (5_000, 5_000)
    assert reading.first.left_ns == 36_000 * S - 150 * S


@pytest.mark.parametrize("error", [DiskError("x: the disk is full"), None])
def test_a_decision_nobody_waits_for_is_no_trouble(error: Exception | None) -> None:
    boxed = Boxed()
    boxed.run(START)
    answer = boxed.box.decide({"what": "stop", "reason": "noise"}, 1)
    answer.cancel() if error is None else answer.set_exception(error)
    boxed.run()
    assert not boxed.game.arbiter.clock.ticking
