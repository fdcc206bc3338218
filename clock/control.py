"""What a time control is: which time each seat has for which moves (C1 to C7). Nanoseconds throughout."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from clock.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
HOUR_NS = 60 * MINUTE_NS

MOST_TIME_NS = 100 * HOUR_NS
"""No single time of a control is longer."""
MOST_MOVES = 999
"""Nor any number of moves or periods larger."""


ENDLESS = "nothing follows byo-yomi or Canadian time, which lasts until the end: write it last"
SAME_FOR_BOTH = "a shared time is the same for both: write it without vs"
NO_INCREMENT = "there is no increment for the first move: write it without first="


class ControlError(ValueError):
    """A time control that cannot be; the message is one line for people."""


class BonusKind(StrEnum):
    """How a move is paid for, apart from the time itself."""

    INCREMENT = "increment"
    """Fischer: after each move the time is added, used or not (C7)."""
    BRONSTEIN = "bronstein"
    """After each move as much is given back as it took, up to the time."""
    DELAY = "delay"
    """In each turn the clock waits for the time before it counts down."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bonus:
    """``time_ns`` for each move, in the way of ``kind``."""

    kind: BonusKind
    time_ns: int

    def __post_init__(self) -> None:
        check_time(self.time_ns)


class FirstIncrement(StrEnum):
    """What becomes of the Fischer increment of a seat's first move."""

    AFTER = "after"
    """Added after the move, as any other."""
    START = "start"
    """Every move's increment is there before the move: one is added at the start, one after each move."""
    NONE = "none"
    """The first move earns none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Period:
    """Time for a number of moves, or for whatever number is made until it is used up (C6).

    With ``moves``: that many must be completed before the time ends, else the flag falls; then the next stage's time
    is added to what is left. The last stage is given again and again (C5). Without: the next stage begins when the
    time is used up; after the last one the flag falls.
    """

    time_ns: int
    moves: int | None = None
    bonus: Bonus | None = None

    def __post_init__(self) -> None:
        check_time(self.time_ns)
        if self.moves == 1:
            raise ControlError("one move in each time is byo-yomi: write 1x and the time, such as 1x30s")
        if self.moves is not None:
            check_number(self.moves, "moves")


@dataclass(frozen=True, kw_only=True, slots=True)
class ByoYomi:
    """``periods`` periods for one move each (C4): a move within one costs nothing, one that runs out is lost."""

    periods: int
    time_ns: int

    def __post_init__(self) -> None:
        check_time(self.time_ns)
        check_number(self.periods, "periods")


@dataclass(frozen=True, kw_only=True, slots=True)
class Canadian:
    """``moves`` moves in each ``time_ns``; what is left of it when they are made lapses, and it starts afresh."""

    moves: int
    time_ns: int

    def __post_init__(self) -> None:
        check_time(self.time_ns)
        check_number(self.moves, "moves")


Stage: TypeAlias = Period | ByoYomi | Canadian


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowance:
    """One seat's time: its stages in their order. Byo-yomi, or Canadian, can only be the last of them."""

    stages: tuple[Stage, ...]
    first_increment: FirstIncrement = FirstIncrement.AFTER

    def __post_init__(self) -> None:
        if not self.stages:
            raise ControlError("no time is given: write one, such as 30m")
        if not all(isinstance(stage, Period) for stage in self.stages[:-1]):
            raise ControlError(ENDLESS)
        if self.first_increment is not FirstIncrement.AFTER and not is_fischer(self.stages[0]):
            raise ControlError(NO_INCREMENT)

    @property
    def byo_yomi(self) -> ByoYomi | None:
        """The byo-yomi at the end, if there is one."""
        last = self.stages[-1]
        return last if isinstance(last, ByoYomi) else None


class Sharing(StrEnum):
    """What one side's time has to do with the other's."""

    OWN = "own"
    """Nothing."""
    HOURGLASS = "hourglass"
    """What one side uses the other gains."""
    SHARED = "shared"
    """Both use up one time, until the referee makes it two halves (C2). The flag that falls is the running side's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeControl:
    """The time of both seats; with different allowances, time odds."""

    first: Allowance
    second: Allowance
    sharing: Sharing = Sharing.OWN

    def __post_init__(self) -> None:
        if self.sharing is Sharing.OWN:
            return
        for allowance in (self.first, self.second):
            if not _is_plain(allowance):
                raise ControlError(one_time_alone(self.sharing))
        if self.sharing is Sharing.SHARED and self.first != self.second:
            raise ControlError(SAME_FOR_BOTH)

    @classmethod
    def even(cls, *stages: Stage, first_increment: FirstIncrement = FirstIncrement.AFTER) -> TimeControl:
        """The same for both seats, each with its own time."""
        allowance = Allowance(stages=stages, first_increment=first_increment)
        return cls(first=allowance, second=allowance)

    def of(self, seat: Seat) -> Allowance:
        """The allowance of ``seat``."""
        return self.first if seat is Seat.FIRST else self.second

    def __iter__(self) -> Iterator[Allowance]:
        yield self.first
        yield self.second


@dataclass(frozen=True, kw_only=True, slots=True)
class Lateness:
    """What being late costs (C9): ``factor`` times what was lost; more than ``limit_ns`` late forfeits."""

    limit_ns: int = 15 * MINUTE_NS
    factor: int = 1

    def __post_init__(self) -> None:
        if self.limit_ns < 0 or self.factor < 1:
            raise ControlError("the limit for being late cannot be negative, nor its factor below 1")


def one_time_alone(sharing: Sharing) -> str:
    """What is wrong with a shared time or an hourglass of any more than that."""
    return f"{sharing} needs one time and nothing else: write {sharing} 1h"


def is_fischer(stage: Stage) -> bool:
    """Whether a move in it earns an increment."""
    return isinstance(stage, Period) and stage.bonus is not None and stage.bonus.kind is BonusKind.INCREMENT


def _is_plain(allowance: Allowance) -> bool:
    (stage, *others) = allowance.stages
    return not others and isinstance(stage, Period) and stage.moves is None and stage.bonus is None


def check_time(time_ns: int) -> None:
    """Raises ControlError for what no control can have as a time."""
    if not 0 < time_ns <= MOST_TIME_NS:
        raise ControlError(f"a time must be more than nothing and at most {MOST_TIME_NS // HOUR_NS}h")


def check_number(number: int, what: str) -> None:
    """Raises ControlError for what no control can have as a number of ``what``, as moves or periods."""
    if not 0 < number <= MOST_MOVES:
        raise ControlError(f"the number of {what} must be from 1 to {MOST_MOVES}")


UNTIMED = TimeControl.even(Period(time_ns=MOST_TIME_NS))
"""For games in which the clock only tells whose turn it is: more than any game takes."""
