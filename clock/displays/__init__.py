"""Displays: anything that can show a reading of the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from clock.reading import Reading


class DisplayFault(Exception):  # noqa: N818
    """A display cannot be reached; the message is one line: which, why, what to do."""


class Display(Protocol):
    """Something open that shows readings. After a fault it is closed, and another one is opened in its place."""

    def show(self, reading: Reading) -> None:
        """Show this reading. Raises DisplayFault when the display is gone or does not take it in time."""

    def close(self) -> None:
        """Blank the display, if it is still there, and let go of it. Raises nothing."""


@runtime_checkable
class LastingDisplay(Display, Protocol):
    """A display that stays lit when its program has ended."""

    def leave(self, word: str) -> None:
        """Show ``word``, of at most four letters in :mod:`clock.segments`, and let go of the display as it is.

        Raises DisplayFault.
        """
