"""Writes lines in a thread of its own, so that no clock waits for a full disk, a slow reader or a closed pipe."""

from __future__ import annotations

import os
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S = 2.0
"""What the reader may take to read the rest."""


class Lines:
    """Lines of text to the file descriptor ``fd``. ``failed`` takes the first error; no line is written after it."""

    def __init__(self, fd: int, failed: Callable[[OSError], None]) -> None:
        self._fd, self._failed = fd, failed
        self._waiting: SimpleQueue[str | None] = SimpleQueue()
        self.error: OSError | None = None
        self._thread = Thread(target=self._run, name="output", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        """Have this line written; returns at once."""
        if self.error is None:
            self._waiting.put(line)

    def close(self) -> None:
        """Wait, not for long, until all is written."""
        self._waiting.put(None)
        self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        while (line := self._waiting.get()) is not None:
            data = f"{line}\n".encode(errors="replace")
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
            except OSError as error:
                self.error = error
                self._failed(error)
                return
