"""All that a plain clock tells: facts, what came of them, and notes; in words for people and as data."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from clock.control import SECOND_NS, ByoYomi, Canadian, Period, Stage, TimeControl
from clock.count import Announcement
from clock.debounce import HeldAtStart, Stuck
from clock.durations import in_short
from clock.durations import in_words as duration
from clock.events import (
    Arrived,
    Event,
    FlagFell,
    Forfeited,
    Intervened,
    NothingDone,
    PeriodLost,
    Pressed,
    StageBegan,
    Started,
)
from clock.facts import AddTime, Fact, Resume, SetTime, Split, Stop, TakeTime, Undo
from clock.press import Button, Press
from clock.show import DisplayBack, DisplayLost

if TYPE_CHECKING:
    from clock.reading import Reading


MILLISECOND_NS = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """Something that is to be known about the box itself; ``text`` is one line."""

    at_ns: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Revoked:
    """``event`` was told and does not hold: a fact before it became known later."""

    at_ns: int
    event: Event


Record: TypeAlias = Fact | Event | Announcement | HeldAtStart | Stuck | DisplayLost | DisplayBack | Note | Revoked
"""One line of what is told."""


def as_data(record: Record) -> dict[str, Any]:
    """One JSON object; ``type`` is the record's name, times are nanoseconds of the monotonic clock."""
    data = {"type": _name(record), **asdict(record, dict_factory=_plain)}
    match record:
        case Intervened() | NothingDone():
            data["fact"]["type"] = _name(record.fact)
        case Revoked():
            data["event"] = as_data(record.event)
    return data


def _plain(items: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in items}


def _name(record: object) -> str:
    """``FlagFell``: ``flag_fell``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(record).__name__).lower()


def in_words(record: Record, control: TimeControl) -> str | None:
    """One line for people of what happened under ``control``; None: it goes without saying."""
    match record:
        case Pressed(ignored=None):
            return f"{record.seat}: move {record.moves_made} in {shortly(record.took_ns)}"
        case Pressed():
            return f"{record.seat} pressed, which did nothing: {record.ignored}"
        case StageBegan():
            return f"{record.seat}: {_begins(control.of(record.seat).stages[record.stage])}"
        case PeriodLost():
            left = record.periods_left
            return f"{record.seat}: period lost, {left} left" if left != 1 else f"{record.seat}: the last period"
        case FlagFell():
            return f"{record.seat}: the flag has fallen"
        case Started():
            return f"started, {record.running}'s time runs"
        case Arrived():
            return f"{record.seat} has come, {shortly(record.late_ns)} late"
        case Forfeited():
            return f"{record.seat} is later than the limit and forfeits"
        case Intervened():
            return _intervened(record)
        case NothingDone():
            return f"nothing done: {record.why}"
        case Press(button=Button.CLAIM_FIRST):
            return "first claims"
        case Press(button=Button.CLAIM_SECOND):
            return "second claims"
        case Press(button=Button.CONFIRM):
            return "the referee's confirm button was pressed"
        case HeldAtStart():
            return f"the button {record.button} is held down, or its wire is bad: let it go"
        case Stuck():
            return f"the button {record.button} is stuck, or its wire is bad"
        case DisplayLost():
            return record.why
        case DisplayBack():
            return f"{record.name} shows the clock again"
        case Note():
            return record.text
        case Revoked():
            told = in_words(record.event, control)
            return f"does not hold, a press came before it: {told}"
    return None


def _begins(stage: Stage) -> str:
    time = duration(stage.time_ns)
    match stage:
        case ByoYomi(periods=1):
            return f"byo-yomi begins, {time} for each move"
        case ByoYomi(periods=periods):
            return f"byo-yomi begins, {periods} periods of {time}"
        case Canadian(moves=moves):
            return f"from now on {moves} moves in each {time}"
        case Period(moves=None):
            return f"the time is used up, {time} more"
        case Period(moves=moves):
            return f"the time is used up, now {moves} moves in {time}"


def _intervened(record: Intervened) -> str:
    fact = record.fact
    match fact:
        case Stop():
            did = "stopped"
        case Resume():
            did = f"goes on, {record.after.running}'s time runs"
        case AddTime():
            did = f"{fact.seat} gets {in_short(fact.ns)}"
        case TakeTime():
            did = f"{fact.seat} loses {in_short(fact.ns)}"
        case SetTime():
            did = f"{fact.seat} is set to {in_short(fact.left_ns)}"
        case Undo():
            did = "the last press is undone"
        case Split():
            did = "the time is halved"
        case _:  # pragma: no cover  # nothing else is an intervention
            raise AssertionError(fact)
    changed = "" if isinstance(fact, (Stop, Resume)) else f", now {_both(record.after)}"
    return f"{did} ({fact.reason}){changed}"


def _both(reading: Reading) -> str:
    return f"{shortly(reading.first.left_ns)} and {shortly(reading.second.left_ns)}"


def shortly(ns: int) -> str:
    """A time to the tenth of a second, cut off: ``1:02:03.4``, ``4:05.0``, ``7.9 s``."""
    tenths = ns // 100_000_000
    seconds, tenth = divmod(tenths, 10)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}.{tenth}"
    return f"{minutes}:{seconds:02}.{tenth}" if minutes else f"{seconds}.{tenth} s"


def within(ns: int, error_ns: int) -> str:
    """An instant no more finely than it is known: ``0:14.00 ± 0.02 s``; without an error to the millisecond."""
    unit_ns = 10 ** (len(str(error_ns)) - 1) if error_ns else MILLISECOND_NS
    decimals = max(0, 9 - len(str(unit_ns)) + 1)
    step_ns = 10 ** (9 - decimals)
    rounded_ns = (ns + step_ns // 2) // step_ns * step_ns
    whole, rest_ns = divmod(rounded_ns, SECOND_NS)
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{rest_ns:09d}"[: decimals + 1] if decimals else ""
    time = f"{hours}:{minutes:02}:{seconds:02}{fraction}" if hours else f"{minutes}:{seconds:02}{fraction}"
    if not error_ns:
        return time
    # Rounding makes it no surer: up, with the same decimals.
    error = -(-error_ns // step_ns)
    return f"{time} ± {error / 10**decimals:.{decimals}f} s"
