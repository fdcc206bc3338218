"""The terminal: its keyboard read key by key, and a display that draws the page on it.

The page is drawn on stderr, since stdout is for results. Whatever was changed of the terminal is put back on closing.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
import termios
import tty
from contextlib import suppress
from threading import Thread
from time import monotonic_ns
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live

from appliance.plain_clock.keys import BACKSPACE, ENTER, ESCAPE, PLAYERS_KEYS, Key, plain
from appliance.plain_clock.page import in_line, page
from clock.displays import DisplayFault
from clock.priority import Priority, come_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.plain_clock.page import Page
    from appliance.plain_clock.table import Board
    from clock.reading import Reading


def shows_pages() -> bool:
    """Whether stderr is a terminal on which a page can be drawn."""
    try:
        return os.isatty(2) and os.environ.get("TERM", "dumb").lower() not in ("dumb", "unknown", "")
    except OSError:  # closed
        return False


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """What a terminal that knows few letters shows in their stead."""
    assert isinstance(error, UnicodeEncodeError)
    unknown = error.object[error.start : error.end]
    return "".join(_PLAIN.get(letter, "?") for letter in unknown), error.end


_PLAIN = {"█": "#", "▶": ">", "·": "-", "…": "~"}
_PLAINLY = "caipan-plainly"
codecs.register_error(_PLAINLY, _plainly)


class NoTerminal(Exception):  # noqa: N818
    """There is no terminal that can be used; the message is one line: what, why, what to do."""


class Keyboard:
    """Tells each key with its instant, from a thread of its own; ``gone`` is called when no more can come.

    Raises NoTerminal where stdin is none.
    """

    def __init__(self, tell: Callable[[Key], None], gone: Callable[[], None]) -> None:
        self._tell, self._gone = tell, gone
        try:
            self._fd = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._fd)
        except (OSError, ValueError, AttributeError, termios.error):
            raise NoTerminal("stdin is no terminal, so there are no keys: run it in a terminal") from None
        with suppress(OSError):  # a terminal that is not the one we were started from knows no background
            if os.tcgetpgrp(self._fd) != os.getpgrp():
                raise NoTerminal("it runs in the background, where no key is heard: run it in the foreground")
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._woken, self._wake = os.pipe()
        tty.setcbreak(self._fd, termios.TCSANOW)
        self._set_up()
        self._thread = Thread(target=self._run, name="keyboard", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Tell nothing more, and put the terminal back as it was."""
        os.write(self._wake, b".")
        self._thread.join()
        for end in (self._wake, self._woken):
            os.close(end)
        try:
            termios.tcsetattr(self._fd, termios.TCSANOW, self._before)
        except termios.error:  # the terminal is gone
            return

    def _set_up(self) -> None:
        """A clock cannot be suspended, nor its page be held: Ctrl-Z, Ctrl-\\ and Ctrl-S do nothing."""
        attributes = termios.tcgetattr(self._fd)
        attributes[0] &= ~termios.IXON
        off = os.fpathconf(self._fd, "PC_VDISABLE").to_bytes(1, "little")
        for key in (termios.VSUSP, termios.VQUIT):
            attributes[6][key] = off
        termios.tcsetattr(self._fd, termios.TCSANOW, attributes)

    def _run(self) -> None:
        come_first(Priority.CLOCK)
        while True:
            ready, _, _ = select.select([self._fd, self._woken], [], [])
            at_ns = monotonic_ns()
            if self._woken in ready:
                return
            try:
                data = os.read(self._fd, 1024)
            except OSError:
                data = b""
            if not data:
                self._gone()
                return
            for key in stamped(keys_of(self._decode(data)), at_ns):
                self._tell(key)


_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)")
"""What an arrow key and its like send: none of them means anything here."""
_NAMES = {"\r": ENTER, "\n": ENTER, "\x1b": ESCAPE, "\x7f": BACKSPACE, "\b": BACKSPACE}


def keys_of(text: str) -> list[str]:
    """The keys that sent ``text``."""
    return [_NAMES.get(letter, letter) for letter in _SEQUENCE.sub("", text)]


def stamped(keys: list[str], at_ns: int) -> list[Key]:
    """Keys that were read at once, in their order. Between a player's key and another one a nanosecond passes, since at
    one instant a press comes before all that the referee does; players' keys at one instant were pressed together.
    """
    made: list[Key] = []
    for key in keys:
        if made and _is_players(key) != _is_players(made[-1].key):
            at_ns += 1
        made.append(Key(key=key, at_ns=at_ns))
    return made


def _is_players(key: str) -> bool:
    return plain(key) in PLAYERS_KEYS


class LinesDisplay:
    """Where no page is drawn: each thing that happens as a line on stderr, and each question."""

    def __init__(self, board: Callable[[], Board]) -> None:
        self._board = board
        self._written, self._asked = 0, ("", "")

    def show(self, reading: Reading) -> None:  # noqa: ARG002
        """Write the lines that are new; the times themselves are for other displays."""
        board = self._board()
        new = board.lines_in_all - self._written
        lines = [in_line(line) for line in board.lines[-new:]] if new else []
        if (board.question, board.hint) != self._asked:
            lines += [text for text in (board.hint, board.question) if text]
        self._written, self._asked = board.lines_in_all, (board.question, board.hint)
        try:
            for line in lines:
                os.write(2, f"{line}\n".encode(errors="replace"))
        except OSError as error:
            raise DisplayFault(f"stderr cannot be written ({error.strerror})") from None

    def close(self) -> None:
        """Nothing."""


class TerminalDisplay:
    """The page on stderr's terminal. ``board`` gives what stands there beside the reading.

    See :func:`shows_pages`. Raises DisplayFault when the terminal is gone.
    """

    def __init__(self, title: str, board: Callable[[], Board], *, tenths: bool = False) -> None:
        self._title, self._board, self._tenths = title, board, tenths
        self._shown: tuple[tuple[int, int], Page] | None = None
        # A file of its own: a terminal that takes nothing more must hold up this display alone.
        self._file = os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding=sys.stderr.encoding, errors=_PLAINLY)
        console = Console(file=self._file, force_terminal=True, highlight=False, markup=False, emoji=False)
        self._live = Live(
            console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        try:
            self._live.start()
        except OSError as error:
            raise DisplayFault(f"the terminal is gone ({error.strerror})") from None

    def show(self, reading: Reading) -> None:
        """Draw the page, if it is not the one that is there."""
        width, height = self._live.console.size
        new = page(reading, self._board(), self._title, width, height, tenths=self._tenths)
        if ((width, height), new) == self._shown:
            return
        try:
            self._live.update(Group(*new.lines), refresh=True)
        except OSError as error:
            raise DisplayFault(f"the terminal is gone ({error.strerror})") from None
        self._shown = (width, height), new

    def close(self) -> None:
        """Bring back what was on the terminal before."""
        try:
            self._live.stop()
            self._file.close()
        except OSError:  # the terminal is gone
            return
