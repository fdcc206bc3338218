"""Writes lines in a thread of its own, so that no clock waits for a full disk, a slow reader or a closed pipe."""

from __future__ import annotations

import os
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S = 2.0
"""What the reader may take to read on."""


class Lines:
    """Lines of text to the file descriptor ``fd``. ``failed`` takes the first error; no line is written after it."""

    def __init__(self, fd: int, failed: Callable[[OSError], None]) -> None:
        self._fd, self._failed = fd, failed
        self._waiting: SimpleQueue[str | None] = SimpleQueue()
        self._given = self._written = 0
        self.error: OSError | None = None
        self._thread = Thread(target=self._run, name="output", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        """Have this line written; returns at once."""
        self._given += 1
        if self.error is None:
            self._waiting.put(line)

    def close(self) -> int:
        """Wait until all is written, for as long as the reader reads on; how many lines are lost."""
        self._waiting.put(None)
        written = -1
        while self._thread.is_alive() and written != self._written:
            written = self._written
            self._thread.join(PATIENCE_S)
        return self._given - self._written

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
            self._written += 1
