"""What the clock tells: presses and what became of them, what time itself does, what the referee did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from clock.facts import Fact
    from clock.reading import Reading
    from clock.seats import Seat


class Ignored(StrEnum):
    """Why a press did nothing."""

    NOT_STARTED = "the clock has not been started"
    STOPPED = "the clock is stopped"
    NOT_RUNNING = "this side's time was not running"
    AT_ONCE = "both sides pressed at one instant, and this one's time was not running before it"
    ABSENT = "this side's player has not come"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pressed:
    """A clock button went down. ``ignored``: why it did nothing; None: the move is complete."""

    at_ns: int
    seat: Seat
    error_ns: int
    ignored: Ignored | None
    took_ns: int
    """What the turn took; 0 when ignored."""
    left_ns: int
    """What this side has after it."""
    moves_made: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StageBegan:
    """What was before it is used up; ``stage`` counts from 0."""

    at_ns: int
    seat: Seat
    stage: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PeriodLost:
    """A byo-yomi period ran out (C4)."""

    at_ns: int
    seat: Seat
    periods_left: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FlagFell:
    """Nothing is left (C3). ``error_ns``: how far the instant may be off, all stamps of this side taken together."""

    at_ns: int
    seat: Seat
    error_ns: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Started:
    """The first player's clock was started, or an absent player's (C8, C9)."""

    at_ns: int
    running: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrived:
    """A player came ``late_ns`` after the start. ``charged``: what each seat lost in one piece, see C9."""

    at_ns: int
    seat: Seat
    late_ns: int
    charged: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Forfeited:
    """A player is later than the limit (C9); the clock stops."""

    at_ns: int
    seat: Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class Intervened:
    """The referee did ``fact``; what both sides showed before and after it (C10)."""

    at_ns: int
    fact: Fact
    before: Reading
    after: Reading


@dataclass(frozen=True, kw_only=True, slots=True)
class NothingDone:
    """What the referee entered changed nothing; ``why`` is one line for people."""

    at_ns: int
    fact: Fact
    why: str


Event: TypeAlias = (
    Pressed | StageBegan | PeriodLost | FlagFell | Started | Arrived | Forfeited | Intervened | NothingDone
)
