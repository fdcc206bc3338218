"""What four digits show: each second once and in order, from ten hours down to the flag."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.digits import SECOND_NS, both_sides, digits_of, one_side, side
from clock.reading import Face, Reading
from clock.seats import Seat

TEN_HOURS_NS = 36_000 * SECOND_NS
LIT, DARK = 3 * SECOND_NS, 3 * SECOND_NS + SECOND_NS // 2


def face(left_ns: int, seat: Seat = Seat.FIRST, **more: Any) -> Face:
    return Face(seat=seat, left_ns=left_ns, flagged=left_ns == 0, **more)


def shown(left_ns: int, *, tenths: bool = False, **more: Any) -> str:
    return str(digits_of(face(left_ns, **more), running=False, at_ns=0, tenths=tenths))


def countdown() -> list[str]:
    """Ten hours down to the flag, as written out by hand: every minute, then every second."""
    hours = [f"{hour}h{minute:02}" for hour in range(9, 0, -1) for minute in range(59, -1, -1)]
    hours = hours[: hours.index("1h40") + 1]
    seconds = [f"{minute:02}.{second:02}" for minute in range(99, -1, -1) for second in range(59, -1, -1)]
    return ["10h ", *hours, *seconds[:-1], "FLAG"]


def test_every_second_is_shown_once_and_in_order() -> None:
    quarters = range(TEN_HOURS_NS, -1, -SECOND_NS // 4)
    assert [text for text, _ in groupby(map(shown, quarters))] == countdown()


def test_every_tenth_is_shown_once_and_in_order() -> None:
    steps = range(12 * SECOND_NS, -1, -SECOND_NS // 50)
    expected = ["00.12", "00.11", "00.10", *(f"  {tenth // 10}.{tenth % 10}" for tenth in range(99, 0, -1)), "FLAG"]
    assert [text for text, _ in groupby(shown(left, tenths=True) for left in steps)] == expected


def place(text: str) -> float:
    """How much time a display says is left, in seconds, as a person reads it."""
    if text == "FLAG":
        return 0.0
    if "h" in text:
        hours, minutes = text.split("h")
        return int(hours) * 3600 + int(minutes.strip() or 0) * 60
    whole, part = text.strip().split(".")
    return int(whole) * 60 + int(part) if len(part) == 2 else int(whole) + int(part) / 10


@given(st.lists(st.integers(0, TEN_HOURS_NS), min_size=2, max_size=20), st.booleans())
def test_less_time_never_shows_as_more(lefts: list[int], tenths: bool) -> None:
    places = [place(shown(left, tenths=tenths)) for left in sorted(lefts)]
    assert places == sorted(places)


@given(st.integers(1, 100 * 60 * SECOND_NS - SECOND_NS), st.booleans())
def test_what_is_shown_is_true_to_a_second_and_never_zero_before_the_flag(left_ns: int, tenths: bool) -> None:
    said = place(shown(left_ns, tenths=tenths))
    assert said > 0
    assert 0 <= round(said * 10) * SECOND_NS // 10 - left_ns < SECOND_NS


@pytest.mark.parametrize(
    ("left_ns", "expected"),
    [
        (120 * 60 * SECOND_NS, "2h00"),
        (120 * 60 * SECOND_NS - 1, "2h00"),
        (119 * 60 * SECOND_NS + 59 * SECOND_NS, "1h59"),
        (100 * 60 * SECOND_NS, "1h40"),
        (100 * 60 * SECOND_NS - SECOND_NS, "99.59"),
        (300 * SECOND_NS, "05.00"),
        (300 * SECOND_NS - 1, "05.00"),
        (299 * SECOND_NS, "04.59"),
        (1, "00.01"),
        (0, "FLAG"),
        (200 * 3600 * SECOND_NS, "99h "),
    ],
)
def test_times_by_hand(left_ns: int, expected: str) -> None:
    assert shown(left_ns) == expected


def test_byo_yomi_counts_the_period_down_with_the_periods_left() -> None:
    seconds = range(60 * SECOND_NS, 0, -SECOND_NS)
    texts = [shown(left, periods_left=3, counting=True) for left in seconds]
    assert texts == [f"3 {second:02}" for second in range(60, 0, -1)]
    assert shown(61 * SECOND_NS, periods_left=3, counting=True) == "01.01"
    assert shown(30 * SECOND_NS, periods_left=3) == "00.30"  # still in main time
    assert shown(30 * SECOND_NS, periods_left=12, counting=True) == "P 30"
    assert shown(4 * SECOND_NS, periods_left=1, counting=True, tenths=True) == "1 4.0"


@pytest.mark.parametrize(
    ("left_ns", "more", "lit", "dark", "idle"),
    [
        (754 * SECOND_NS, {}, "12.34", "1234", "12.34"),
        (9 * 3600 * SECOND_NS, {}, "9h.00", "9h00", "9h00"),
        (9_300_000_000, {}, "  .9.3", "  9.3", "  9.3"),
        (27 * SECOND_NS, {"periods_left": 2, "counting": True}, "2 .27", "2 27", "2 27"),
        (0, {}, "FLAG", "FLAG", "FLAG"),
    ],
)
def test_the_running_sides_point_blinks(left_ns: int, more: dict[str, Any], lit: str, dark: str, idle: str) -> None:
    it = face(left_ns, **more)
    assert str(digits_of(it, running=True, at_ns=LIT, tenths=True)) == lit
    assert str(digits_of(it, running=True, at_ns=DARK, tenths=True)) == dark
    assert {str(digits_of(it, running=False, at_ns=at_ns, tenths=True)) for at_ns in (LIT, DARK)} == {idle}


def test_a_waiting_side_shows_its_moves_for_one_second_in_five() -> None:
    it = face(90 * SECOND_NS, moves_left=7)
    texts = [str(digits_of(it, running=False, at_ns=second * SECOND_NS)) for second in range(5)]
    assert texts == ["01.30"] * 4 + ["n  7"]
    assert "n" not in str(digits_of(it, running=True, at_ns=4 * SECOND_NS))


def reading(running: Seat | None, at_ns: int) -> Reading:
    first, second = face(60 * SECOND_NS), face(120 * SECOND_NS, Seat.SECOND)
    return Reading(at_ns=at_ns, first=first, second=second, running=running, started=True)


def test_two_sides_and_one() -> None:
    assert [str(it) for it in both_sides(reading(Seat.SECOND, DARK))] == ["01.00", "0200"]
    assert str(side(reading(None, 0), Seat.SECOND)) == "02.00"
    assert str(one_side(reading(Seat.FIRST, LIT))) == "01.00"
    assert str(one_side(reading(Seat.SECOND, LIT))) == "02.00."
    stopped = [str(one_side(reading(None, second * SECOND_NS))) for second in range(4)]
    assert stopped == ["01.00", "01.00", "02.00.", "02.00."]
