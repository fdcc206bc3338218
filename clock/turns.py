"""How long each turn took: the time between the presses that switch the clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TurnTimer:
    """One turn's beginning; immutable. Nanoseconds of the clock that stamps the presses."""

    since_ns: int

    def switch(self, now_ns: int) -> tuple[int, TurnTimer]:
        """The clock goes over to the other side: the time this turn took, and the next turn's timer.

        Raises ValueError when time went back.
        """
        if now_ns < self.since_ns:
            raise ValueError(f"the press at {now_ns} ns comes before the turn's start at {self.since_ns} ns")
        return now_ns - self.since_ns, TurnTimer(since_ns=now_ns)
