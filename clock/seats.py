"""The two seats at the table."""

from __future__ import annotations

from enum import StrEnum


class Seat(StrEnum):
    """A place at the table. Clocks belong to seats; a colour swap moves colours between seats (O3)."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Seat:
        """The opponent's seat."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST
