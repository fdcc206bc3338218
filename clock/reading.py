"""What a clock shows at an instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clock.seats import Seat


@dataclass(frozen=True, kw_only=True)
class Face:
    """One seat's side of the clock."""

    seat: Seat
    left_ns: int
    """Time until this side loses what is running now (the flag, a period, a stage); never below 0."""
    moves_left: int | None = None
    """Moves still to be completed before ``left_ns`` ends (T6: a press completes one); None: no number is set."""
    periods_left: int | None = None
    """Byo-yomi periods not yet lost, the running one among them; None: the control has none."""
    moves_made: int = 0
    """Moves completed since the start of the game."""
    counting: bool = False
    """Inside byo-yomi, where an unused period starts afresh with each move (C4)."""
    flagged: bool = False
    """The flag has fallen (C3)."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Both sides at ``at_ns``, an instant of the one monotonic clock."""

    at_ns: int
    first: Face
    second: Face
    running: Seat | None
    """The side whose time passes; None: the clock is stopped."""
    started: bool
    """The game's clock has been started, though it may be stopped now."""
    message: str = ""
    """A word for displays that have room; may be empty."""

    def face(self, seat: Seat) -> Face:
        """The side of ``seat``."""
        return self.first if self.first.seat is seat else self.second
