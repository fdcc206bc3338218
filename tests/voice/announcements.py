"""Announcements as the clock's count makes them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Announcement:
    """A stand-in with the same fields."""

    kind: str
    seat: str = "first"
    seconds: int | None = None
    periods_left: int | None = None
    at_ns: int = 0
