"""The count: what is called out of the running side's time, and at which instants. Pure: it says nothing aloud."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING

from clock.control import SECOND_NS, ByoYomi
from clock.purse import Lapse, used_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clock.dual import DualClock
    from clock.purse import Purse
    from clock.seats import Seat

LOW_TIMES_S = (300, 60, 30, 10)
"""Seconds left of any time but byo-yomi at which it is called low; from 5 minutes on nobody need write (C12)."""


class Call(StrEnum):
    """What is called out; each has its own signal."""

    COUNT = "count"
    """So many ``seconds`` of the byo-yomi period have passed (C4)."""
    LOW_TIME = "low_time"
    """So many ``seconds`` are left."""
    NEXT_STAGE = "next_stage"
    """A time is used up and the next one begins (C6)."""
    PERIOD_LOST = "period_lost"
    """A byo-yomi period ran out; more than one is left."""
    LAST_PERIOD = "last_period"
    """A byo-yomi period ran out; one is left."""
    FLAG = "flag"
    """Loss on time (C3); ``seconds``: the whole of the byo-yomi period, if it was one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Announcement:
    """To be called out at ``at_ns`` of the side of ``seat``."""

    at_ns: int
    seat: Seat
    kind: Call
    seconds: int | None = None
    periods_left: int | None = None
    """Byo-yomi periods left after a period was lost, or when byo-yomi began."""


def schedule(period_ns: int) -> tuple[int, ...]:
    """At how many seconds of a byo-yomi period they are called out; its end is called another way (C4).

    60 s: 30, 40, 50, then 56 to 59. 30 s: 15, then 25 to 29. In general: from a minute up every full minute; when 30,
    20 and 10 seconds are left; then each of the last four. Under a minute half of it, in whole fives from 10 s up;
    then each of the last five.
    """
    whole, ragged = divmod(period_ns, SECOND_NS)
    end = whole + (ragged > 0)
    if end >= 60:
        marks = {*range(60, end, 60), *(end - left for left in (30, 20, 10, 4, 3, 2, 1))}
    else:
        half = end // 2
        marks = {half - half % 5 if half > 5 else half, *range(end - 5, end)}
    return tuple(sorted(mark for mark in marks if mark > 0))


def announced(clock: DualClock, after_ns: int, until_ns: int) -> tuple[Announcement, ...]:
    """What is to be called out in ``(after_ns, until_ns]`` if the clock is told nothing until then.

    Only what comes after the newest fact: ask for the time until a fact before telling it.
    """
    in_time = takewhile(lambda call: call.at_ns <= until_ns, _to_come(clock))
    return tuple(call for call in in_time if call.at_ns > after_ns)


def next_announcement(clock: DualClock, after_ns: int) -> Announcement | None:
    """The first to be called out after ``after_ns`` if the clock is told nothing until then; None: nothing."""
    return next((call for call in _to_come(clock) if call.at_ns > after_ns), None)


def _to_come(clock: DualClock) -> Iterator[Announcement]:
    """From the newest fact to the flag, in the order of time."""
    seat, forfeit_ns = clock.running, clock.forfeit_ns()
    if seat is None:
        return
    purse, cost_ns = clock.side(seat).purse, 0
    while not purse.flagged:
        end_ns = cost_ns + purse.lasts_ns
        for left_ns, kind, seconds, periods_left in (*_on_the_way(purse), (0, *_at_the_end(purse))):
            at_ns = clock.instant_after(end_ns - left_ns)
            if forfeit_ns is not None and at_ns > forfeit_ns:
                return
            yield Announcement(at_ns=at_ns, seat=seat, kind=kind, seconds=seconds, periods_left=periods_left)
        cost_ns = end_ns
        purse, _ = used_up(purse)


def _on_the_way(purse: Purse) -> Iterator[tuple[int, Call, int, None]]:
    """What is called while what is running is being used up, and how much of it is then left."""
    stage = purse.stage
    if isinstance(stage, ByoYomi) and purse.counting:
        for seconds in schedule(stage.time_ns):
            left_ns = stage.time_ns - seconds * SECOND_NS
            if left_ns < purse.left_ns:
                yield left_ns, Call.COUNT, seconds, None
        return
    for seconds in LOW_TIMES_S:
        # Once only, though increments raise the time above it again.
        if seconds * SECOND_NS < purse.lowest_ns:
            yield seconds * SECOND_NS, Call.LOW_TIME, seconds, None


def _at_the_end(purse: Purse) -> tuple[Call, int | None, int | None]:
    after, lapse = used_up(purse)
    match lapse:
        case Lapse.STAGE:
            return Call.NEXT_STAGE, None, after.periods_left if isinstance(after.stage, ByoYomi) else None
        case Lapse.PERIOD:
            return Call.LAST_PERIOD if after.periods_left == 1 else Call.PERIOD_LOST, None, after.periods_left
        case Lapse.FLAG:
            stage = purse.stage
            return Call.FLAG, stage.time_ns // SECOND_NS if isinstance(stage, ByoYomi) else None, None
