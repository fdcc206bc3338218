"""The command itself on a terminal: keys pressed, JSON out, the terminal as it was before."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from queue import SimpleQueue
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

DEADLINE_S = 30
COMMAND = [sys.executable, "-c", "from appliance.cli import main; main()", "clock"]
PAGE, PAGE_GONE, CURSOR = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25h"


class Terminal:
    """A pseudo terminal with the command on it; its stdout is a pipe."""

    def __init__(self, *arguments: str, stdout: int = subprocess.PIPE) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.drawn = b""
        self.more = Condition()
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=ROOT,
            stdin=self.slave,
            stdout=stdout,
            stderr=self.slave,
            # What would say of what size the terminal is, in its stead.
            env={k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")} | {"TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()
        self.lines: SimpleQueue[bytes] = SimpleQueue()
        self.listener = Thread(target=self._listen, daemon=True)
        if self.process.stdout is not None:
            self.listener.start()

    def _read(self) -> None:
        with suppress(OSError):
            while data := os.read(self.master, 65536):
                with self.more:
                    self.drawn += data
                    self.more.notify_all()

    def wait_for(self, data: bytes) -> None:
        with self.more:
            drawn = self.more.wait_for(lambda: data in self.drawn, DEADLINE_S)
        assert drawn, (data, self.drawn[-500:], self.process.poll())

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def line(self, kind: str) -> Any:
        """The next JSON line of this type."""
        while True:
            data = json.loads(self.lines.get(timeout=DEADLINE_S))
            if data["type"] == kind:
                return data

    def rest(self) -> str:
        """All else that comes on stdout."""
        return b"".join(iter(partial(self.lines.get, timeout=DEADLINE_S), b"")).decode()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def ended(self) -> int:
        code = self.process.wait(DEADLINE_S)
        assert termios.tcgetattr(self.slave) == self.before
        return code

    def page_is_gone(self) -> bool:
        """What was on the terminal is back, and so is the cursor. All that was drawn must have been read."""
        os.close(self.slave)
        self.reader.join(DEADLINE_S)
        return self.drawn.rfind(PAGE_GONE) > self.drawn.rfind(PAGE) and CURSOR in self.drawn


@contextmanager
def clock(*arguments: str, stdout: int = subprocess.PIPE) -> Iterator[Terminal]:
    terminal = Terminal(*arguments, stdout=stdout)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        if terminal.process.stdout is not None:
            terminal.listener.join(DEADLINE_S)
            terminal.process.stdout.close()
        os.close(terminal.master)


def test_a_game_on_two_keys() -> None:
    with clock("5m+3s", "--json") as terminal:
        assert terminal.line("clock")["control"] == "5m+3s"
        terminal.wait_for(b"space start")
        terminal.type(" ")
        started = terminal.line("started")
        for key, seat in (("a", "first"), ("l", "second")):
            terminal.type(key)
            pressed = terminal.line("pressed")
            assert (pressed["seat"], pressed["ignored"]) == (seat, None)
        terminal.type("\x1a\x1c\x13")  # Ctrl-Z, Ctrl-\ and Ctrl-S do nothing
        terminal.type("\x1b[A\x1bOP")  # nor do arrows
        terminal.type("+a2m\nP8\n")
        after = terminal.line("intervened")
        assert after["fact"]["reason"] == "to add time"
        assert terminal.line("intervened")["fact"] | {"at_ns": 0} == {
            "type": "add_time", "at_ns": 0, "error_ns": 0, "reason": "P8", "seat": "first", "ns": 120 * 10**9,
        }  # fmt: skip
        fcntl.ioctl(terminal.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 5, 20, 0, 0))
        terminal.wait_for(b" second 0")
        terminal.type("q")
        terminal.type("y")
        summary = terminal.line("summary")
        assert summary["first"]["moves"] == summary["second"]["moves"] == 1
        # What both used is what passed until the correction stopped the clock.
        assert summary["first"]["used_ns"] + summary["second"]["used_ns"] == after["at_ns"] - started["at_ns"]
        assert terminal.ended() == 0
        assert terminal.page_is_gone()


@pytest.mark.parametrize("read", [True, False], ids=["nobody reads", "the reader has gone"])
def test_lost_output_is_told_and_no_success(read: bool) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with suppress(BlockingIOError):
        while True:  # nothing more goes in
            os.write(theirs, b"x" * 4096)
    os.set_blocking(theirs, True)
    if not read:
        os.close(ours)
    with clock("5m", stdout=theirs) as terminal:
        os.close(theirs)
        terminal.wait_for(b"space start")
        terminal.type("q")
        told = b"nobody reads it" if read else b"Broken pipe"
        terminal.wait_for(b"caipan: the output cannot be written (" + told + b"): 1 line is lost; send it elsewhere")
        assert terminal.ended() == 2
    if read:
        os.close(ours)


def test_the_hour_is_awaited_and_a_player_then_comes() -> None:
    hour = datetime.now() + timedelta(hours=6)
    with clock("5m", "--at", f"{hour:%H:%M}", "--absent", "second", "--json") as terminal:
        told = datetime.fromisoformat(terminal.line("clock")["appointed"])
        assert told.replace(tzinfo=None) == hour.replace(second=0, microsecond=0)
        terminal.wait_for(f"starts at {hour:%H:%M}, waiting for second".encode())
        terminal.type(" ")  # by hand after all
        assert terminal.line("started")["running"] == "second"
        terminal.type("l")
        assert terminal.line("arrived")["seat"] == "second"
        terminal.type("a")
        assert terminal.line("pressed")["ignored"] is None
        terminal.type("\x03")
        assert terminal.line("summary")["forfeits"] == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGQUIT, 131)])
def test_a_signal_ends_in_good_order(number: signal.Signals, code: int) -> None:
    with clock("5m") as terminal:
        terminal.wait_for(b"space start")
        terminal.type(" ")
        terminal.wait_for(b"started, first's time runs")
        if number is signal.SIGINT:
            terminal.type("\x03")
        else:
            terminal.process.send_signal(number)
        assert terminal.rest().startswith("first     0 moves  used ")
        assert terminal.ended() == code
        assert terminal.page_is_gone()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["5m"], "stderr is no terminal that can show a page"),
        (["5m", "--display", "terminal"], "--display terminal: stderr is no terminal"),
        (["5m", "--display", "none"], "stdin is no terminal, so there are no keys"),
        (["5m", "--display", "none", "--display", "serial"], "--display none and another display"),
        (["5m", "--display", "max7219", "--display", "led-digits"], "share pins"),
        (["5m", "--voice", "xx"], "--voice xx: no words in that language: use one of en, zh, or none"),
        (["5m", "--wiring", "/dev/zero"], "--wiring /dev/zero: is no file"),
        (["5m", "--wiring", "none.toml"], "none.toml: cannot be read"),
        (["5m", "--buttons", "gpiod", "--display", "none", "--wiring", "{wiring}"], "/dev/no-chip: no buttons there"),
        (["5 m 3"], "at '3'"),
        (["5m", "--buttons", "gpiozero", "--display", "none", "--at", "25:00"], "--at: '25:00' is no time of day"),
        (
            ["5m", "--display", "none", "--late-limit", "5m"],
            "are for players who are not here: name them with --absent",
        ),
        (
            ["5m", "--display", "none", "--absent", "first", "--late-limit", "5"],
            "--late-limit: '5', at '5' (character 1): a time needs",
        ),
    ],
)
def test_what_cannot_be_is_one_line(arguments: list[str], told: str, tmp_path: Any) -> None:
    from typer.testing import CliRunner

    from appliance.cli.app import app

    wiring = tmp_path / "wiring.toml"
    wiring.write_text('[buttons]\nchip = "/dev/no-chip"\n')
    result = CliRunner().invoke(app, ["clock", *(argument.format(wiring=wiring) for argument in arguments)])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert told in line
