"""Readings for the displays' tests: 12:34 against 8:59."""

from __future__ import annotations

from clock.digits import SECOND_NS
from clock.reading import Face, Reading
from clock.seats import Seat


def reading(
    at_ns: int = 10 * SECOND_NS,
    *,
    first_s: int = 12 * 60 + 34,
    second_s: int = 8 * 60 + 59,
    running: Seat | None = Seat.FIRST,
    flagged: Seat | None = None,
) -> Reading:
    """A reading at ``at_ns`` with so many seconds left; its first half second shows the running side's point."""
    first = Face(seat=Seat.FIRST, left_ns=first_s * SECOND_NS, flagged=flagged is Seat.FIRST)
    second = Face(seat=Seat.SECOND, left_ns=second_s * SECOND_NS, flagged=flagged is Seat.SECOND)
    return Reading(at_ns=at_ns, first=first, second=second, running=running, started=True)
