"""Keys: players' presses, the referee's corrections with their reasons, nothing lost and nothing doubled."""

from __future__ import annotations

import pytest

from appliance.plain_clock.keys import HELD_NS, KEY_ERROR_NS, End, Hint, Key, Keys, Meant
from clock.dual import DualClock
from clock.facts import AddTime, Fact, Resume, SetTime, Split, Start, Stop, TakeTime, Undo
from clock.notation import parse
from clock.press import Button, Press
from tests.clock.play import FIRST, SECOND, T0, S


class Sitting:
    """Somebody at the keyboard; facts are told to a clock as they are meant."""

    def __init__(self, control: str = "5m", *, players: bool = True) -> None:
        self.keys = Keys(players=players)
        self.clock = DualClock.of(parse(control))
        self.at_ns = T0

    def type(self, text: str) -> list[Meant]:
        """Type, a second between two keys; ``\\n`` is Enter, ``~`` Escape, ``<`` Backspace."""
        named = {"\n": "enter", "~": "escape", "<": "backspace"}
        return [meant for letter in text for meant in self.key(named.get(letter, letter))]

    def key(self, name: str, after_ns: int = S) -> list[Meant]:
        self.at_ns += after_ns
        meant = self.keys.key(Key(key=name, at_ns=self.at_ns), self.clock)
        for one in meant:
            if not isinstance(one, (End, Hint)):
                self.clock, _ = self.clock.apply(one)
        return meant


def test_the_players_keys_press_with_the_keys_instant() -> None:
    sitting = Sitting()
    assert sitting.type(" aL") == [
        Start(at_ns=T0 + S, error_ns=KEY_ERROR_NS),
        Press(button=Button.FIRST, at_ns=T0 + 2 * S, error_ns=KEY_ERROR_NS),
        Press(button=Button.SECOND, at_ns=T0 + 3 * S, error_ns=KEY_ERROR_NS),
    ]


def test_a_key_that_is_held_down_is_one_press() -> None:
    sitting = Sitting()
    sitting.type(" ")
    assert len(sitting.key("a")) == 1
    assert [sitting.key("a", HELD_NS - 1) for _ in range(5)] == [[]] * 5
    assert len(sitting.key("l", 1)) == 1  # the other player need not wait
    assert len(sitting.key("a", HELD_NS)) == 1


def test_where_the_players_have_buttons_their_keys_do_nothing() -> None:
    sitting = Sitting(players=False)
    assert sitting.type(" ") == [Start(at_ns=T0 + S, error_ns=KEY_ERROR_NS)]
    assert sitting.type("a") == [Hint(text="the players have buttons of their own")]
    assert "first" not in sitting.keys.help(sitting.clock)


def test_space_stops_at_once_and_asks_why_before_it_goes_on() -> None:
    sitting = Sitting()
    sitting.type(" a")
    (stop,) = sitting.type(" ")
    assert stop == Stop(at_ns=T0 + 3 * S, error_ns=KEY_ERROR_NS, reason="space bar")
    assert sitting.type(" phone rang") == []
    assert (sitting.keys.question, sitting.keys.typed) == ("Why was the clock stopped? [space bar]", "phone rang")
    assert sitting.type("\n") == [Resume(at_ns=sitting.at_ns, error_ns=KEY_ERROR_NS, reason="phone rang")]
    assert sitting.clock.ticking
    sitting.type(" ")
    (resume,) = sitting.type(" \n")
    assert isinstance(resume, Resume)
    assert resume.reason == "space bar"


@pytest.mark.parametrize(
    ("typed", "fact"),
    [
        ("uslip\n", Undo(at_ns=0, reason="slip")),
        ("+l2m\nP8\n", AddTime(at_ns=0, seat=SECOND, ns=120 * S, reason="P8")),
        ("-11m30s\nlate\n", TakeTime(at_ns=0, seat=FIRST, ns=90 * S, reason="late")),
        ("=20.5s\nold clock broke\n", SetTime(at_ns=0, seat=SECOND, left_ns=S // 2, reason="old clock broke")),
        ("+a2n<m\nslip of the finger\n", AddTime(at_ns=0, seat=FIRST, ns=120 * S, reason="slip of the finger")),
    ],
)
def test_a_correction_stops_the_clock_and_waits_for_its_reason(typed: str, fact: Fact) -> None:
    sitting = Sitting()
    sitting.type(" a")
    stop, done = sitting.type(typed)
    assert isinstance(stop, Stop)
    assert stop.at_ns == T0 + 3 * S
    assert done == type(fact)(**{name: getattr(fact, name) for name in _fields(fact)} | {"at_ns": sitting.at_ns})
    assert not sitting.clock.ticking
    assert sitting.keys.question == ""


def _fields(fact: Fact) -> list[str]:
    return list(type(fact).__dataclass_fields__)


def test_what_is_no_answer_is_told_and_asked_again() -> None:
    sitting = Sitting()
    assert sitting.type("+x") == []
    assert sitting.keys.fault == "press a for the first player or l for the second"
    assert sitting.type("\n<a5\n") == []
    assert "a time needs its unit" in sitting.keys.fault
    assert sitting.type("5m\n \n") == []
    assert sitting.keys.fault == "it goes on record (C10): give the reason"


def test_no_letter_of_a_reason_is_a_press_and_escape_leaves_it() -> None:
    sitting = Sitting()
    sitting.type(" u")
    assert sitting.type("all quiet") == []
    assert sitting.type("~") == []
    assert sitting.keys.question == ""
    assert len(sitting.clock.presses) == 0


def test_a_shared_time_is_halved() -> None:
    sitting = Sitting("shared 3h")
    assert "h halve" in sitting.keys.help(sitting.clock)
    assert sitting.type("hboth agree\n")[-1] == Split(at_ns=sitting.at_ns, reason="both agree")


def test_ending_is_asked_and_takes_no_press_away() -> None:
    sitting = Sitting()
    sitting.type(" q")
    assert sitting.keys.question.startswith("End")
    assert sitting.type("a") == [Press(button=Button.FIRST, at_ns=sitting.at_ns, error_ns=KEY_ERROR_NS)]
    assert sitting.keys.question == ""
    assert sitting.type("qy") == [End(at_ns=sitting.at_ns, why="key")]


def test_a_clock_that_was_not_started_ends_unasked() -> None:
    assert Sitting().type("q") == [End(at_ns=T0 + S, why="key")]


@pytest.mark.parametrize(
    ("control", "taken", "asked"),
    [("5m", "299.9s", False), ("5m", "5m", True), ("5m; 2x30s", "5m59s", False), ("5m; 2x30s", "6m", True)],
)
def test_what_would_bring_a_flag_down_is_asked_first(control: str, taken: str, asked: bool) -> None:
    sitting = Sitting(control)
    meant = sitting.type(f"-l{taken}\npenalty\n")
    assert sitting.keys.question == (
        "That brings the second player's flag down: y takes it, any other key does not" if asked else ""
    )
    assert bool(meant) is not asked
    assert not sitting.clock.second.purse.flagged


def test_a_flag_that_the_referee_brings_down_or_spares() -> None:
    sitting = Sitting()
    sitting.type("-l6m\npenalty\n")
    assert sitting.type("n") == [Hint(text="no time was taken")]
    assert sitting.clock.second.purse.left_ns == 300 * S
    sitting.type("-l6m\npenalty\n")
    assert sitting.type("y") == [TakeTime(at_ns=sitting.at_ns, seat=SECOND, ns=360 * S, reason="penalty")]
    assert sitting.clock.second.purse.flagged
    # Who has lost on time already can lose no more by it.
    assert len(sitting.type("-l1m\nonce more\n")) == 1


def test_a_keyboard_set_to_full_width_presses_the_same_keys() -> None:
    sitting = Sitting()
    assert [type(meant) for meant in sitting.type("　ａＬ")] == [Start, Press, Press]
    stop, added = sitting.type("＋ａ２ｍ\n加时！\n")
    assert (type(stop), added) == (Stop, AddTime(at_ns=sitting.at_ns, seat=FIRST, ns=120 * S, reason="加时！"))
    assert sitting.type("ｑｙ") == [End(at_ns=sitting.at_ns, why="key")]


def test_a_time_that_is_not_shared_cannot_be_halved() -> None:
    sitting = Sitting()
    assert sitting.type(" h") == [Start(at_ns=T0 + S, error_ns=KEY_ERROR_NS)]
    assert sitting.clock.ticking
    assert sitting.keys.question == ""
