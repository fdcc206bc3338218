"""Lines for whoever watches the box, said by a thread of their own: a terminal that hangs holds up nothing."""

from __future__ import annotations

from contextlib import suppress
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_WAITING = 1000
_PATIENCE_S = 1.0


class Aside:
    """Says lines by ``say`` until closed, in order; those that too many others wait before are left out."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._lines: Queue[str | None] = Queue(_MOST_WAITING)
        self._thread = Thread(target=self._run, name="aside", daemon=True)
        self._thread.start()

    def note(self, line: str) -> None:
        """Have it said; returns at once."""
        with suppress(Full):
            self._lines.put_nowait(line)

    def close(self) -> None:
        """Say what waits still, for a moment."""
        with suppress(Full):
            self._lines.put_nowait(None)
        self._thread.join(_PATIENCE_S)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            with suppress(OSError):  # the terminal is gone
                self._say(line)
