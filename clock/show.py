"""Keeps a display showing the clock: opens it, feeds it, and opens it again when it was pulled out.

The clock knows nothing of it: whenever there is something to show, the newest reading is asked for. A display that
stalls or is gone holds up its own thread alone, is reported once, and comes back with the time of the moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic_ns
from typing import TYPE_CHECKING, TypeAlias

from clock.displays import DisplayFault
from clock.priority import Priority, come_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from clock.displays import Display
    from clock.reading import Reading

STEP_NS = 50_000_000
"""Between two looks at the clock: half of the shortest thing shown, a tenth of a second."""
RETRY_NS = 2_000_000_000
"""Between two attempts to open a display."""
PATIENCE_S = 1.0
"""What a display may take to end."""


@dataclass(frozen=True, kw_only=True)
class DisplayLost:
    """The display ``name`` shows nothing from ``at_ns`` on; ``why`` is one line. Told once until it is back."""

    name: str
    why: str
    at_ns: int


@dataclass(frozen=True, kw_only=True)
class DisplayBack:
    """The display ``name``, lost before, shows the clock again."""

    name: str
    at_ns: int


DisplayFact: TypeAlias = DisplayLost | DisplayBack
"""What is told of a display."""


class Shown:
    """One display and what becomes of it; no thread and no clock of its own.

    ``open_display`` opens the display and may raise DisplayFault; ``latest`` is the newest reading at an instant;
    ``tell`` takes what is to be told.
    """

    def __init__(
        self,
        name: str,
        open_display: Callable[[], Display],
        latest: Callable[[int], Reading],
        tell: Callable[[DisplayFact], None],
    ) -> None:
        self._name, self._open, self._latest, self._tell = name, open_display, latest, tell
        self._display: Display | None = None
        self.lost = False
        """Its loss was told, and it is not back yet."""
        self._retry_ns: int | None = None

    def step(self, now_ns: int) -> int:
        """Show what the clock says now; the instant at which to do so again."""
        if self._display is None and self._retry_ns is not None and now_ns < self._retry_ns:
            return self._retry_ns
        try:
            if self._display is None:
                self._display = self._open()
            self._display.show(self._latest(now_ns))
        except Exception as fault:  # whatever a driver raises: the table must not lose its display for good
            self.close()
            self._retry_ns = now_ns + RETRY_NS
            if not self.lost:
                self.lost = True
                why = str(fault) if isinstance(fault, DisplayFault) else f"{self._name}: {fault!r}: report this error"
                self._tell(DisplayLost(name=self._name, why=why, at_ns=now_ns))
            return self._retry_ns
        if self.lost:
            self.lost = False
            self._tell(DisplayBack(name=self._name, at_ns=now_ns))
        return now_ns + STEP_NS

    def close(self) -> None:
        """Close the display, if it is open."""
        if self._display is not None:
            self._display.close()
            self._display = None


class ShowThread:
    """The thread that keeps stepping ``shown`` until it is closed."""

    def __init__(self, shown: Shown, *, now: Callable[[], int] = monotonic_ns) -> None:
        self._shown, self._now = shown, now
        self._woken, self._ended = Event(), False
        self.busy_since_ns: int | None = None
        """Since when the display has been shown something; None: it waits for the next."""
        self._thread = Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Show at once: a button was pressed."""
        self._woken.set()

    def close(self) -> None:
        """End the thread, then close the display; one that hangs is left as it is."""
        self._ended = True
        self._woken.set()
        self._thread.join(PATIENCE_S)
        if not self._thread.is_alive():
            self._shown.close()

    def _run(self) -> None:
        come_first(Priority.DISPLAY)
        while not self._ended:
            self._woken.clear()
            self.busy_since_ns = now_ns = self._now()
            due_ns = self._shown.step(now_ns)
            self.busy_since_ns = None
            self._woken.wait(max(0, due_ns - self._now()) / 1e9)
