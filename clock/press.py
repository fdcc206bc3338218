"""A button went down: which one, and when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clock.seats import Seat


class Button(StrEnum):
    """The box's buttons: each player's clock button, and the referee's four."""

    FIRST = "first"
    SECOND = "second"
    STOP = "stop"
    CLAIM_FIRST = "claim_first"
    CLAIM_SECOND = "claim_second"
    CONFIRM = "confirm"

    @property
    def seat(self) -> Seat | None:
        """Whose clock button it is; None: one of the referee's."""
        return _SEATS.get(self)


_SEATS = {Button.FIRST: Seat.FIRST, Button.SECOND: Seat.SECOND}


@dataclass(frozen=True, kw_only=True)
class Press:
    """``button`` went down at ``at_ns``, give or take ``error_ns``; nanoseconds of the one monotonic clock."""

    button: Button
    at_ns: int
    error_ns: int = 0
