"""The far end of a serial cable: a pty behind a name that stays, as /dev/serial/by-id does."""

from __future__ import annotations

import os
import tty
from pathlib import Path

from clock.segments import SEGMENTS


class FarEnd:
    """The display's end. Plugged in, it reads what was written; ``text`` is what such a display would show."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ends: tuple[int, int] | None = None
        self.plug_in()

    def plug_in(self) -> None:
        """A display, new or the same, on the cable."""
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(theirs))
        self._ends = ours, theirs

    def pull_out(self) -> None:
        """No display any more."""
        assert self._ends is not None
        for end in self._ends:
            os.close(end)
        self.path.unlink()
        self._ends = None

    def read(self) -> bytes:
        """All that was written since the last time."""
        assert self._ends is not None
        received = b""
        while True:
            try:
                received += os.read(self._ends[0], 65_536)
            except BlockingIOError:
                return received

    def text(self) -> str:
        """What the display shows after all that was written since the last time; '' if it was told nothing."""
        chars = {sum(1 << "abcdefg".index(segment) for segment in lit): char for char, lit in SEGMENTS.items()}
        cells, points = [""] * 4, 0
        data = iter(self.read())
        for command in data:
            if command == 0x76:
                cells = [" "] * 4
                continue
            value = next(data)
            if 0x7B <= command <= 0x7E:
                cells[command - 0x7B] = chars[value]
            elif command == 0x77:
                points = value
            else:
                assert command == 0x7A, hex(command)
        return "".join(char + "." * (points >> place & 1) for place, char in enumerate(cells))
