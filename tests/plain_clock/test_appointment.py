"""The appointed hour: which it is, and when it has come, though the wall's clock be set meanwhile."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from appliance.plain_clock.appointment import AppointedHour, appointed, reached
from tests.clock.play import T0, S

ZONE = timezone(timedelta(hours=8))
HOUR_NS = 1_714_543_200 * S


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        ("14:00", (1, 13, 59, 59), (1, 14, 0, 0)),
        ("14:00", (1, 14, 0, 0), (1, 14, 0, 0)),
        ("9:05:30", (1, 8, 0, 0), (1, 9, 5, 30)),
        ("１４：００", (1, 13, 0, 0), (1, 14, 0, 0)),
        ("00:15", (1, 23, 50, 0), (2, 0, 15, 0)),
    ],
)
def test_the_next_such_hour(text: str, now: tuple[int, ...], expected: tuple[int, ...]) -> None:
    told = appointed(text, datetime(2024, 5, *now, tzinfo=ZONE))  # type: ignore[misc, arg-type]
    assert told == datetime(2024, 5, *expected, tzinfo=ZONE)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    "text", ["", "14", "14h00", "24:00", "14:60", "14:00:60", "2pm", "-1:00", "٠٩:00", "14:00\n15:00"]
)
def test_what_is_no_hour(text: str) -> None:
    with pytest.raises(ValueError, match="is no time of day: write hours and minutes, such as 14:00") as caught:
        appointed(text, datetime(2024, 5, 1, 12, tzinfo=ZONE))
    assert "\n" not in str(caught.value)


def test_an_hour_that_has_passed() -> None:
    with pytest.raises(ValueError, match="14:00 has passed, it is 14:00:01: start the clock by hand"):
        appointed("14:00", datetime(2024, 5, 1, 14, 0, 1, tzinfo=ZONE))


def test_the_hour_comes_at_its_instant_however_late_it_is_noticed() -> None:
    assert reached(HOUR_NS, HOUR_NS - 1, T0, T0 - S) is None
    assert reached(HOUR_NS, HOUR_NS, T0, T0 - S) == AppointedHour(at_ns=T0)
    assert reached(HOUR_NS, HOUR_NS + 7, T0, T0 - S) == AppointedHour(at_ns=T0 - 7)


def test_a_wall_that_is_set_past_the_hour_takes_no_time_from_anybody() -> None:
    assert reached(HOUR_NS, HOUR_NS + 1800 * S, T0, T0 - S) == AppointedHour(at_ns=T0 - S, set_past=True)
    assert reached(HOUR_NS, HOUR_NS - 1800 * S, T0, T0 - S) is None
