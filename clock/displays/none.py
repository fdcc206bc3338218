"""No display."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clock.reading import Reading


class NoDisplay:
    """Shows nothing, never fails."""

    def show(self, reading: Reading) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""
