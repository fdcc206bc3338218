"""The appointed hour at which the clock starts by itself (C8): read, and noticed when it comes. Pure.

The hour is the wall's, which may be set while one waits for it; what the clock is told is an instant of the monotonic
clock. A wall that is set past the hour starts the clock then: no time is lost that nobody could have seen passing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from clock.notation import common_width

FARTHEST = timedelta(hours=12)
"""An hour that is farther off has passed, or was mistyped."""
_HOUR = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Appointment:
    """The wall's hour, in nanoseconds as :func:`time.time_ns` has them; ``known_ns``: since when it is awaited."""

    hour_ns: int
    known_ns: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AppointedHour:
    """The hour came at ``at_ns``; ``set_past``: the wall's clock was set past it, and it is that instant."""

    at_ns: int
    set_past: bool = False


def appointed(text: str, now: datetime) -> datetime:
    """The next ``14:00`` or ``14:00:30`` in ``now``'s zone. Raises ValueError, one line."""
    found = _HOUR.fullmatch(common_width(text).strip())
    hour, minute, second = (int(part or 0) for part in found.groups()) if found else (99, 0, 0)
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(f"{text!r} is no time of day: write hours and minutes, such as 14:00")
    for day in (now.date(), now.date() + timedelta(days=1)):
        moment = datetime.combine(day, time(hour, minute, second), now.tzinfo)
        if moment >= now:
            break
    if moment - now > FARTHEST:
        raise ValueError(f"{text} has passed, it is {now:%H:%M:%S}: start the clock by hand, or give an hour to come")
    return moment


def reached(hour_ns: int, wall_ns: int, now_ns: int, before_ns: int) -> AppointedHour | None:
    """The hour if it has come. ``wall_ns``: the wall's time now; ``before_ns``: when this was last asked."""
    at_ns = now_ns + hour_ns - wall_ns
    if at_ns > now_ns:
        return None
    return AppointedHour(at_ns=max(at_ns, before_ns), set_past=at_ns < before_ns)
