"""Whose flag fell first, and whether the stamps are good enough to say so (C3, D4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clock.seats import Seat


@dataclass(frozen=True, kw_only=True, slots=True)
class Fall:
    """When a flag fell, and for how much longer the turn in which it fell went on."""

    seat: Seat
    at_ns: int
    error_ns: int
    """How far the instant may be off: the errors of all stamps that bound this side's time, added up."""
    ran_on_ns: int = 0
    turn_over: bool = False
    """Pressed since: the turn goes on no longer."""

    @property
    def certain(self) -> bool:
        """Whether the turn went on for longer than the stamps may be off: else the press may have been in time."""
        return self.error_ns == 0 or self.ran_on_ns > self.error_ns


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstFall:
    """Whose flag fell first; ``seat`` None: both at one instant. Not ``certain``: it cannot be told (D4)."""

    seat: Seat | None
    certain: bool


def first_of(falls: Iterable[Fall]) -> FirstFall | None:
    """Which of at most two falls was the first; None: there was none."""
    in_turn = sorted(falls, key=lambda fall: fall.at_ns)
    if not in_turn:
        return None
    first = in_turn[0]
    certain = first.certain
    for other in in_turn[1:]:
        if other.at_ns == first.at_ns:
            return FirstFall(seat=None, certain=False)
        certain = certain and other.at_ns - first.at_ns > first.error_ns + other.error_ns
    return FirstFall(seat=first.seat, certain=certain)
