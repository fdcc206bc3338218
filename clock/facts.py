"""What the clock is told, apart from presses: what the referee does, each with its reason (C10).

Instants are nanoseconds of the one monotonic clock, ``error_ns`` is how far an instant may be off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from clock.press import Press

if TYPE_CHECKING:
    from clock.seats import Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """The appointed hour: the first player's clock starts, whoever is there (C8); ``absent`` are not there (C9)."""

    at_ns: int
    error_ns: int = 0
    absent: frozenset[Seat] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrive:
    """A player who was absent at the start has come (C9)."""

    at_ns: int
    seat: Seat
    error_ns: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Intervention:
    """Common to all that needs a reason. Raises ValueError, one line, when there is none."""

    at_ns: int
    reason: str
    error_ns: int = 0

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError("only the referee corrects the clock, and it goes on record (C10): give the reason")


@dataclass(frozen=True, kw_only=True, slots=True)
class Stop(Intervention):
    """Both sides stand still."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Resume(Intervention):
    """The clock goes on: the side whose turn it was, or ``turn``'s (as after an adjournment, C13)."""

    turn: Seat | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SetTime(Intervention):
    """One side's time is set (C14); the rest of it where given, else it stays. See :func:`clock.purse.set_to`."""

    seat: Seat
    left_ns: int
    stage: int | None = None
    moves_left: int | None = None
    periods_left: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Amount(Intervention):
    seat: Seat
    ns: int

    def __post_init__(self) -> None:
        Intervention.__post_init__(self)
        if self.ns <= 0:
            raise ValueError("the time to add or take must be more than nothing")


@dataclass(frozen=True, kw_only=True, slots=True)
class AddTime(_Amount):
    """``seat`` gets ``ns`` more; a fallen flag is raised. See :func:`clock.purse.added`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeTime(_Amount):
    """``seat`` has ``ns`` less; its flag may fall. See :func:`clock.purse.taken`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Undo(Intervention):
    """The last press that took effect is as if it had not been: both sides as they were at its instant.

    What has passed since then is nobody's; the referee may take it from a side (C15).
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class Split(Intervention):
    """A shared time becomes two clocks with half of what is left each (C2)."""


Fact: TypeAlias = Press | Start | Arrive | Stop | Resume | SetTime | AddTime | TakeTime | Undo | Split


def order(fact: Fact) -> tuple[int, int]:
    """The place of ``fact`` among others: by instant; at the same instant presses come before the referee.

    Both buttons at one instant: the side that runs has moved, the other's press does nothing, in either order. The
    referee's facts of one instant keep the order in which they were entered: sort stably.
    """
    return fact.at_ns, 0 if isinstance(fact, Press) else 1
