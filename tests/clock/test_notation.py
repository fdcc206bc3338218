"""The notation of time controls: what is read, how it is written, what is refused and how it is told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clock.control import (
    Allowance,
    Bonus,
    BonusKind,
    ByoYomi,
    Canadian,
    ControlError,
    FirstIncrement,
    Period,
    Sharing,
    TimeControl,
)
from clock.durations import in_short, in_words
from clock.notation import notation, parse, words
from tests.clock.play import MIN, S, controls

H = 60 * MIN


def even(*stages: Period | ByoYomi | Canadian) -> TimeControl:
    return TimeControl.even(*stages)


def one(time_ns: int) -> Allowance:
    return Allowance(stages=(Period(time_ns=time_ns),))


def fischer(time_ns: int) -> Bonus:
    return Bonus(kind=BonusKind.INCREMENT, time_ns=time_ns)


CONTROLS = [
    ("30m", "30m", even(Period(time_ns=30 * MIN))),
    ("90 min", "1h30m", even(Period(time_ns=90 * MIN))),
    ("2h;30/30m", "2h; 30/30m", even(Period(time_ns=2 * H), Period(time_ns=30 * MIN, moves=30))),
    ("5M+3S", "5m+3s", even(Period(time_ns=5 * MIN, bonus=fischer(3 * S)))),
    ("15m;3x30s", "15m; 3x30s", even(Period(time_ns=15 * MIN), ByoYomi(periods=3, time_ns=30 * S))),
    ("30m ; 1 × 60 sec", "30m; 1x1m", even(Period(time_ns=30 * MIN), ByoYomi(periods=1, time_ns=MIN))),
    ("10m;10/5m", "10m; 10/5m", even(Period(time_ns=10 * MIN), Period(time_ns=5 * MIN, moves=10))),
    ("shared 3h", "shared 3h", TimeControl(first=one(3 * H), second=one(3 * H), sharing=Sharing.SHARED)),
    ("hourglass 1m", "hourglass 1m", TimeControl(first=one(MIN), second=one(MIN), sharing=Sharing.HOURGLASS)),
    (
        "hourglass 2m vs 1m",
        "hourglass 2m vs 1m",
        TimeControl(first=one(2 * MIN), second=one(MIN), sharing=Sharing.HOURGLASS),
    ),
    (
        "40/90m+30s;30m+30s",
        "40/1h30m+30s; 30m+30s",
        even(
            Period(time_ns=90 * MIN, moves=40, bonus=fischer(30 * S)), Period(time_ns=30 * MIN, bonus=fischer(30 * S))
        ),
    ),
    (
        "5m bronstein 2.5s",
        "5m bronstein 2.5s",
        even(Period(time_ns=5 * MIN, bonus=Bonus(kind=BonusKind.BRONSTEIN, time_ns=2_500_000_000))),
    ),
    (
        "5m delay 3s",
        "5m delay 3s",
        even(Period(time_ns=5 * MIN, bonus=Bonus(kind=BonusKind.DELAY, time_ns=3 * S))),
    ),
    ("1h;canadian 15/5m", "1h; canadian 15/5m", even(Period(time_ns=H), Canadian(moves=15, time_ns=5 * MIN))),
    (
        "5m vs 2m+1s",
        "5m vs 2m+1s",
        TimeControl(first=one(5 * MIN), second=Allowance(stages=(Period(time_ns=2 * MIN, bonus=fischer(S)),))),
    ),
    ("5m vs 5m", "5m", even(Period(time_ns=5 * MIN))),
    ("5m+3s first=after", "5m+3s", even(Period(time_ns=5 * MIN, bonus=fischer(3 * S)))),
    (
        "5m+3s first = none",
        "5m+3s first=none",
        TimeControl.even(Period(time_ns=5 * MIN, bonus=fischer(3 * S)), first_increment=FirstIncrement.NONE),
    ),
    (
        "5m+3s first=start; 1x30s",
        "5m+3s first=start; 1x30s",
        TimeControl.even(
            Period(time_ns=5 * MIN, bonus=fischer(3 * S)),
            ByoYomi(periods=1, time_ns=30 * S),
            first_increment=FirstIncrement.START,
        ),
    ),
    ("3x30s", "3x30s", even(ByoYomi(periods=3, time_ns=30 * S))),
    ("0.000000001s", "0.000000001s", even(Period(time_ns=1))),
    # As a Chinese keyboard types them: full-width letters, digits, marks and space.
    ("１５ｍ；３×３０ｓ", "15m; 3x30s", even(Period(time_ns=15 * MIN), ByoYomi(periods=3, time_ns=30 * S))),
    ("５Ｍ＋２．５Ｓ　ｆｉｒｓｔ＝ａｆｔｅｒ", "5m+2.5s", even(Period(time_ns=5 * MIN, bonus=fischer(5 * S // 2)))),
    ("10m；10／5m", "10m; 10/5m", even(Period(time_ns=10 * MIN), Period(time_ns=5 * MIN, moves=10))),
]


@pytest.mark.parametrize(("text", "canonical", "control"), CONTROLS, ids=[text for text, _, _ in CONTROLS])
def test_read_and_written(text: str, canonical: str, control: TimeControl) -> None:
    assert parse(text) == control
    assert notation(control) == canonical
    assert parse(canonical) == control


@settings(max_examples=50)
@given(controls())
def test_what_is_written_is_read_as_the_same(control: TimeControl) -> None:
    assert parse(notation(control)) == control
    assert notation(parse(notation(control))) == notation(control)


MISTAKES = [
    ("", "a time control is missing: write one, such as 30m"),
    ("   ", "a time control is missing"),
    ("30", "at '30' (character 1): a time needs its unit: write 30h, 30m or 30s"),
    ("5m+3", "at '3' (character 4): a time needs its unit: write 3h, 3m or 3s"),
    ("30q", "at '30' (character 1): a time needs its unit"),
    ("30m;", "at the end: write a time here"),
    ("3x", "at the end: write a time here"),
    ("hello", "at 'hello' (character 1): write a time here, such as 30m"),
    ("5m 1h", "at '1' (character 4): write a time's hours first"),
    ("5m 5m", "at '5' (character 4): write a time's hours first"),
    ("1.5m", "at '1.5' (character 1): only seconds have a fraction"),
    ("1.0000000001s", "at '1.0000000001' (character 1): a second has at most nine decimals"),
    ("5m,3x30s", "at ',' (character 3): write ; before the next stage"),
    ("5m 3x30s", "at '3' (character 4): write ; before the next stage"),
    ("5m;3x30s;10m", "at '10' (character 10): nothing follows byo-yomi"),
    ("5m;canadian 5/1m;3x30s", "at '3' (character 18): nothing follows byo-yomi or Canadian time"),
    ("5m vs 3x30s; 10m", "at '10' (character 14): nothing follows byo-yomi"),
    ("5m;3x30s;", "at the end: nothing follows byo-yomi"),
    ("10/500h", "at '500' (character 4): a time must be more than nothing and at most 100h"),
    ("5m+500h", "at '500' (character 4): a time must be more than nothing and at most 100h"),
    ("canadian 0/5m", "at '0' (character 10): the number of moves must be from 1 to 999"),
    ("5m vs 9999x1m", "at '9999' (character 7): the number of periods must be from 1 to 999"),
    ("shared 3h+5s", "at '+' (character 10): shared needs one time and nothing else"),
    ("hourglass 3x30s", "at '3' (character 11): hourglass needs one time and nothing else"),
    ("hourglass 1m vs 10/5m", "at '10' (character 17): hourglass needs one time and nothing else"),
    ("shared 1h vs 1h", "at 'vs' (character 11): a shared time is the same for both"),
    ("5m vs 5m first=none", "at 'first' (character 10): there is no increment for the first move"),
    # Other digits than ASCII's and their full-width twins are not guessed at.
    ("٣٠m", "at '٣' (character 1): write numbers with the digits 0 to 9"),
    ("5m+③s", "at '③s' (character 4): write numbers with the digits 0 to 9"),
    ("三十m", "at '三十m' (character 1): write numbers with the digits 0 to 9"),
    ("1²m", "at '²m' (character 2): write numbers with the digits 0 to 9"),
    ("５ｍ，３ｘ３０ｓ", "at ',' (character 3): write ; before the next stage"),
    ("1h;1/30s", "at '1' (character 4): one move in each time is byo-yomi: write 1x"),
    ("1.5/30m", "at '1.5' (character 1): write a whole number here, as in 10/5m"),
    ("1000/5m", "at '1000' (character 1): the number of moves must be from 1 to 999"),
    ("0x30s", "the number of periods must be from 1 to 999"),
    ("0m", "at '0' (character 1): a time must be more than nothing and at most 100h"),
    ("101h", "at '101' (character 1): a time must be more than nothing and at most 100h"),
    ("9" * 5000 + "m", "the number is too large"),
    ("9" * 5000 + "x1m", "the number is too large"),
    ("canadian 5m", "write moves, /, and their time, such as canadian 15/5m"),
    ("shared 3h;5m", "shared needs one time and nothing else: write shared 1h"),
    ("shared 1h vs 2h", "a shared time is the same for both"),
    ("hourglass 5m+3s", "hourglass needs one time and nothing else"),
    ("5m first=none", "there is no increment for the first move"),
    ("5m+3s first=later", "at 'later' (character 13): write first=start, first=none or first=after"),
    ("5m+3s first", "at the end: write first=start or first=none"),
    ("5m vs", "at the end: write a time here"),
    ("5m vs 3m vs 2m", "at 'vs' (character 10)"),
]


@pytest.mark.parametrize(("text", "told"), MISTAKES, ids=[text[:20] for text, _ in MISTAKES])
def test_a_mistake_is_one_line_with_its_place(text: str, told: str) -> None:
    with pytest.raises(ControlError) as refused:
        parse(text)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.text(max_size=20) | st.text("0123456789hms./;x+ vsfirt=n", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        control = parse(text)
    except ControlError:
        return
    assert parse(notation(control)) == control


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("30m", ["Each player has 30 minutes for the game.", "Whoever has used it up loses on time."]),
        (
            "15m; 3x30s",
            [
                "Each player has 15 minutes.",
                "Then byo-yomi: 3 periods of 30 seconds.",
                "A move within a period costs nothing, and the period starts afresh; a period that runs out is lost.",
                "Whoever loses the last period loses on time.",
            ],
        ),
        (
            "30m; 1x60s",
            [
                "Each player has 30 minutes.",
                "Then byo-yomi: 1 minute for each move.",
                "A move made in less costs nothing; whoever takes 1 minute loses on time.",
            ],
        ),
        (
            "10m; 10/5m",
            [
                "Each player has 10 minutes.",
                "When that is used up, each has 5 minutes more for 10 moves.",
                "A move counts once the clock is pressed; whoever has not made them in time loses on time.",
                "After every 10 moves another 5 minutes are added; what is left over is kept.",
            ],
        ),
        (
            "shared 3h",
            [
                "Both players share 3 hours.",
                "The side whose time passes when it is used up loses on time.",
                "The referee may at any moment make it two clocks with half of the rest each.",
            ],
        ),
        (
            "5m+1s first=none vs 2m delay 2s",
            [
                "The first player has 5 minutes for the game.",
                "Whoever has used it up loses on time.",
                "After each move 1 second is added.",
                "The first move earns none.",
                "The second player has 2 minutes for the game.",
                "Whoever has used it up loses on time.",
                "In each turn the clock waits 2 seconds before it counts down.",
            ],
        ),
        (
            "40/2h; 20/1h; canadian 5/30s",
            [
                "Each player has 2 hours for 40 moves.",
                "A move counts once the clock is pressed; whoever has not made them in time loses on time.",
                "Then 1 hour is added to what is left for 20 moves.",
                "A move counts once the clock is pressed; whoever has not made them in time loses on time.",
                "What is left after them is used up first.",
                "Then each must complete 5 moves in each 30 seconds.",
                "What is left of it when they are made lapses.",
                "A move counts once the clock is pressed; whoever has not made them in time loses on time.",
            ],
        ),
        (
            "hourglass 1m",
            [
                "Each player starts with 1 minute.",
                "What one player uses the other gains.",
                "Whoever has none left loses on time.",
            ],
        ),
    ],
)
def test_told_in_words(text: str, told: list[str]) -> None:
    assert words(parse(text)) == told


@settings(max_examples=50)
@given(controls())
def test_every_control_is_told(control: TimeControl) -> None:
    assert all(line[0].isupper() and line.endswith(".") for line in words(control))


@pytest.mark.parametrize(
    ("time_ns", "short", "said"),
    [
        (0, "0s", "0 seconds"),
        (S, "1s", "1 second"),
        (90 * S, "1m30s", "1 minute 30 seconds"),
        (H, "1h", "1 hour"),
        (H + 1, "1h0.000000001s", "1 hour 0.000000001 seconds"),
        (2 * H + 5 * MIN + 500_000_000, "2h5m0.5s", "2 hours 5 minutes 0.5 seconds"),
    ],
)
def test_times_written_and_said(time_ns: int, short: str, said: str) -> None:
    assert (in_short(time_ns), in_words(time_ns)) == (short, said)


def test_a_message_repeats_no_more_than_a_line_of_what_was_written() -> None:
    with pytest.raises(ControlError) as caught:
        parse("5" + "9" * 100_000 + "m")
    assert len(str(caught.value)) < 300
