"""The table: buttons and keys in, records, calls and the board's lines out."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from appliance.plain_clock.appointment import AppointedHour
from appliance.plain_clock.keys import End, Key
from appliance.plain_clock.records import Note, Record, as_data, in_words, shortly, within
from appliance.plain_clock.summary import summary_data, summary_lines
from appliance.plain_clock.table import Table
from appliance.voice.buzzer import PATTERNS
from appliance.voice.words import languages, load_words
from clock.control import Lateness
from clock.count import Announcement, Call
from clock.debounce import HeldAtStart, Stuck
from clock.events import FlagFell
from clock.notation import parse
from clock.press import Button, Press
from clock.show import DisplayBack, DisplayLost
from tests.clock.play import FIRST, SECOND, T0, S

if TYPE_CHECKING:
    from appliance.plain_clock.table import Heard
    from clock.seats import Seat


def wall(at_ns: int) -> datetime:
    """Two in the afternoon at T0."""
    start = datetime(2024, 5, 1, 14, tzinfo=timezone(timedelta(hours=8)))
    return start + timedelta(microseconds=(at_ns - T0) // 1000)


def button(name: Button, seconds: float, error_ns: int = 0) -> Press:
    return Press(button=name, at_ns=T0 + round(seconds * S), error_ns=error_ns)


def table(control: str, *heard: Heard) -> Table:
    """A table that was started at T0 and heard this."""
    made = Table(parse(control), players_on_keys=False)
    for one in (button(Button.STOP, 0), *heard):
        made.hear(one)
    return made


def lines(made: Table) -> list[tuple[float | None, str]]:
    return [(None if line.since_ns is None else line.since_ns / S, line.text) for line in made.board.lines]


def test_the_referees_button_starts_stops_and_lets_go_on() -> None:
    made = table(
        "5m", button(Button.FIRST, 3), button(Button.STOP, 4), button(Button.SECOND, 5), button(Button.STOP, 9)
    )
    assert lines(made) == [
        (0, "started, first's time runs"),
        (3, "first: move 1 in 3.0 s"),
        (4, "stopped (stop button)"),
        (5, "second pressed, which did nothing: the clock is stopped"),
        (9, "goes on, second's time runs (stop button)"),
    ]
    assert made.reading(T0 + 10 * S).second.left_ns == 298 * S


def test_claims_and_confirmations_are_put_on_record() -> None:
    made = table("5m", button(Button.CLAIM_SECOND, 3), button(Button.CONFIRM, 4))
    assert lines(made)[1:] == [(3, "second claims"), (4, "the referee's confirm button was pressed")]
    assert made.clock.ticking


def test_faults_are_told_and_stop_nothing() -> None:
    at_ns = T0 + S
    made = table(
        "5m",
        HeldAtStart(button=Button.STOP, at_ns=at_ns),
        Stuck(button=Button.FIRST, since_ns=T0, at_ns=at_ns),
        DisplayLost(name="MAX7219", why="MAX7219: gone: plug it in", at_ns=at_ns),
        DisplayBack(name="MAX7219", at_ns=at_ns),
        Note(at_ns=at_ns, text="no voice: no sound card"),
    )
    assert [text for _, text in lines(made)[1:]] == [
        "the button stop is held down, or its wire is bad: let it go",
        "the button first is stuck, or its wire is bad",
        "MAX7219: gone: plug it in",
        "MAX7219 shows the clock again",
        "no voice: no sound card",
    ]
    assert made.clock.ticking


def test_a_flag_falls_at_its_instant_and_a_press_in_time_revokes_it() -> None:
    made = table("1m")
    assert made.next_ns() == T0 + 30 * S  # one minute was there at the start, 30 s will be low
    outcome = made.pass_to(T0 + 61 * S)
    assert [call.kind for call in outcome.calls] == [Call.LOW_TIME, Call.LOW_TIME, Call.FLAG]
    assert FlagFell(at_ns=T0 + 60 * S, seat=FIRST, error_ns=0) in outcome.records
    late = made.hear(button(Button.FIRST, 59.5))
    assert lines(made)[1:] == [
        (60, "first: the flag has fallen"),
        (60, "does not hold, a press came before it: first: the flag has fallen"),
        (59.5, "first: move 1 in 59.5 s"),
    ]
    assert as_data(late.records[1])["event"] == {
        "type": "flag_fell",
        "at_ns": T0 + 60 * S,
        "seat": "first",
        "error_ns": 0,
    }


def test_what_cannot_be_told_to_the_clock_is_one_line() -> None:
    made = table("5m", *(button(Button.STOP, seconds) for seconds in range(1, 40)))
    made.hear(button(Button.FIRST, 1))
    assert "belongs before" in lines(made)[-1][1]


def test_a_correction_is_told_with_what_both_have_then() -> None:
    made = Table(parse("5m"), players_on_keys=True)
    for number, key in enumerate([" ", "=", *"a", "enter", *"1h", "enter", *"why", "enter"]):
        made.hear(Key(key=key, at_ns=T0 + number))
    assert lines(made)[-1][1] == "first is set to 1h (why), now 1:00:00.0 and 5:00.0"


def test_the_summary_is_that_of_the_end() -> None:
    made = table("10s", button(Button.FIRST, 4, 7), button(Button.SECOND, 15.25), button(Button.FIRST, 16))
    made.hear(End(at_ns=T0 + 20 * S, why="key"))
    assert made.ended is not None
    assert summary_data(made.clock, made.forfeits, wall) == {
        "type": "summary",
        "at_ns": T0 + 20 * S,
        "time": "2024-05-01T14:00:20.000+08:00",
        "first": {"used_ns": 4_750_000_000, "left_ns": 5_250_000_000, "moves": 2, "periods_left": None, "flag": None},
        "second": {
            "used_ns": 15_250_000_000,
            "left_ns": 0,
            "moves": 1,
            "periods_left": None,
            "flag": {"after_ns": 14 * S, "error_ns": 7, "time": "2024-05-01T14:00:14.000+08:00"},
        },
        "first_fall": {"seat": "second", "certain": True},
        "forfeits": [],
    }
    assert summary_lines(made.clock, made.forfeits, wall) == [
        "first     2 moves  used       4.7 s  left       5.2 s",
        "second     1 move  used      15.2 s  left       0.0 s",
        "The flag of the second player fell 0:14.000000000 ± 0.000000007 s after the start, at 14:00:14.",
    ]


def test_a_flag_is_told_no_more_finely_than_the_keys_are_known() -> None:
    error_ns = 20_000_000
    made = table("10s", button(Button.FIRST, 4.1234567, error_ns))
    made.hear(End(at_ns=T0 + 20 * S, why="key"))
    assert summary_lines(made.clock, set(), wall)[2:] == [
        "The flag of the second player fell 0:14.12 ± 0.02 s after the start, at 14:00:14."
    ]


def test_a_flag_that_the_press_may_have_forestalled() -> None:
    made = table("10s", button(Button.FIRST, 10.005, 20_000_000))
    made.hear(End(at_ns=T0 + 12 * S, why="key"))
    assert summary_lines(made.clock, set(), wall)[2:] == [
        "The flag of the first player fell 0:10.00 ± 0.02 s after the start, at 14:00:10.",
        "The press came so near to it that it may have been in time: it cannot be told.",
    ]


def test_both_flags() -> None:
    made = table("10s", button(Button.FIRST, 11, 1), button(Button.STOP, 30))
    made.hear(End(at_ns=T0 + 40 * S, why="key"))
    assert summary_lines(made.clock, set(), wall)[2:] == [
        "The flag of the first player fell 0:10.000000000 ± 0.000000001 s after the start, at 14:00:10.",
        "The flag of the second player fell 0:21.000000000 ± 0.000000001 s after the start, at 14:00:21.",
        "The first player's fell first.",
    ]


def test_a_clock_that_was_never_started_says_so() -> None:
    made = Table(parse("5m"), players_on_keys=True)
    made.hear(End(at_ns=T0, why="key"))
    assert summary_lines(made.clock, made.forfeits, wall) == ["The clock was not started."]


def test_every_record_is_json() -> None:
    made = Table(parse("shared 1m"), players_on_keys=True)
    told: list[Record] = []
    for number, key in enumerate([" ", "a", "l", "l", "u", *"x", "enter", "h", *"x", "enter", " ", "enter"]):
        told += made.hear(Key(key=key, at_ns=T0 + number)).records
    told += made.pass_to(T0 + 100 * S).records
    assert {json.loads(json.dumps(as_data(record)))["type"] for record in told} == {
        "start", "started", "press", "pressed", "stop", "undo", "intervened", "split", "resume", "announcement",
        "flag_fell",
    }  # fmt: skip
    intervened = next(as_data(record) for record in told if type(record).__name__ == "Intervened")
    assert intervened["fact"] == {"type": "stop", "at_ns": T0 + 4, "reason": "to undo a press", "error_ns": 20_000_000}
    assert intervened["before"]["first"]["seat"] == "first"


def test_voice_and_buzzer_know_every_call_of_the_count() -> None:
    assert set(PATTERNS) == set(Call)
    for language in languages():
        words = load_words(language)
        said = {words.said(Announcement(at_ns=0, seat=FIRST, kind=call, seconds=7, periods_left=2)) for call in Call}
        assert len(said) == len(Call)


@pytest.mark.parametrize(
    ("ns", "short"),
    [(0, "0.0 s"), (7_999_999_999, "7.9 s"), (245_000_000_001, "4:05.0"), (3_723_400_000_000, "1:02:03.4")],
)
def test_times_are_cut_off_never_rounded_up(ns: int, short: str) -> None:
    assert shortly(ns) == short


@pytest.mark.parametrize(
    ("ns", "error_ns", "told"),
    [
        (14_123_456_789, 0, "0:14.123"),
        (14_123_456_789, 20_000_000, "0:14.12 ± 0.02 s"),
        (14_123_456_789, 95_000_000, "0:14.12 ± 0.10 s"),
        (14_123_456_789, 1, "0:14.123456789 ± 0.000000001 s"),
        (14_123_456_789, 300_000_000, "0:14.1 ± 0.3 s"),
        (14_123_456_789, 1_200_000_000, "0:14 ± 2 s"),
        (14_123_456_789, 12_000_000_000, "0:14 ± 12 s"),
        (59_999_000_000, 20_000_000, "1:00.00 ± 0.02 s"),
        (36_003_723_400_000, 1_000_000, "10:00:03.723 ± 0.001 s"),
    ],
)
def test_an_instant_is_as_fine_as_it_is_known(ns: int, error_ns: int, told: str) -> None:
    assert within(ns, error_ns) == told


@pytest.mark.parametrize(
    ("control", "said"),
    [
        ("10s; 3x30s", "first: byo-yomi begins, 3 periods of 30 seconds"),
        ("10s; 1x1m", "first: byo-yomi begins, 1 minute for each move"),
        ("10s; canadian 15/5m", "first: from now on 15 moves in each 5 minutes"),
        ("10s; 10/5m", "first: the time is used up, now 10 moves in 5 minutes"),
        ("10s; 1h", "first: the time is used up, 1 hour more"),
    ],
)
def test_what_begins_is_told(control: str, said: str) -> None:
    made = table(control)
    made.pass_to(T0 + 11 * S)
    assert lines(made)[-1] == (10, said)


def awaiting(*absent: Seat, late: Lateness | None = None, hour: str = "") -> Table:
    return Table(parse("1h"), players_on_keys=False, absent=frozenset(absent), late=late, hour=hour)


def test_the_appointed_hour_starts_the_clock_once() -> None:
    made = awaiting(hour="14:00")
    assert made.board.notice == "starts at 14:00"
    made.hear(AppointedHour(at_ns=T0))
    assert (made.board.notice, made.clock.started_ns, lines(made)) == ("", T0, [(0, "started, first's time runs")])
    made.hear(AppointedHour(at_ns=T0 + S))
    assert made.clock.started_ns == T0
    assert len(made.board.lines) == 1


def test_an_hour_that_was_set_past_is_told() -> None:
    made = awaiting(hour="14:00")
    made.hear(AppointedHour(at_ns=T0, set_past=True))
    assert lines(made)[0][1] == "the time of day was set past 14:00, so that the clock starts now"
    assert made.clock.started_ns == T0


def test_a_player_who_is_late_tells_by_a_press_of_having_come() -> None:
    made = awaiting(SECOND, hour="14:00")
    made.hear(AppointedHour(at_ns=T0))
    assert made.reading(T0 + S).running is SECOND
    assert made.board.notice == "waiting for second"
    made.hear(button(Button.SECOND, 120))
    assert made.board.notice == ""
    assert lines(made)[-1] == (120, "second has come, 2:00.0 late")
    shown = made.reading(T0 + 121 * S)
    assert (shown.running, shown.second.left_ns, shown.first.left_ns) == (FIRST, 3480 * S, 3599 * S)


def test_who_comes_before_the_start_is_not_late() -> None:
    made = awaiting(FIRST, SECOND)
    assert made.board.notice == "waiting for first and second"
    made.hear(button(Button.FIRST, -30))
    assert (made.board.notice, lines(made)) == ("waiting for second", [(None, "first is here")])
    made.hear(button(Button.STOP, 0))
    assert made.clock.absent == {SECOND}


def test_later_than_the_limit_forfeits() -> None:
    made = awaiting(FIRST, SECOND, late=Lateness(limit_ns=600 * S))
    made.hear(button(Button.STOP, 0))
    assert made.next_ns() == T0 + 600 * S + 1
    made.hear(button(Button.FIRST, 100))
    made.pass_to(T0 + 700 * S)
    assert [text for _, text in lines(made)[-1:]] == ["second is later than the limit and forfeits"]
    made.hear(End(at_ns=T0 + 800 * S, why="key"))
    assert made.forfeits == {SECOND}
    assert summary_data(made.clock, made.forfeits, wall)["forfeits"] == ["second"]
    assert summary_lines(made.clock, made.forfeits, wall)[-1] == (
        "The second player came later than the limit, or not at all, and forfeits."
    )


def test_a_forfeit_does_not_hold_when_the_player_had_come() -> None:
    made = awaiting(SECOND, late=Lateness(limit_ns=600 * S))
    made.hear(button(Button.STOP, 0))
    made.pass_to(T0 + 601 * S)
    assert made.forfeits == {SECOND}
    made.hear(button(Button.SECOND, 599))
    assert made.forfeits == set()


def test_what_goes_without_saying_has_no_words() -> None:
    assert in_words(button(Button.FIRST, 0), parse("5m")) is None
