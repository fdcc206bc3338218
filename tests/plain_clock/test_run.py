"""The loop with real threads: from a pin to the display's registers, past whatever hangs."""

from __future__ import annotations

import time
from collections import deque
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest
from gpiozero.pins.mock import MockFactory

from appliance.plain_clock.appointment import Appointment
from appliance.plain_clock.calling import cache_folder, open_speaker
from appliance.plain_clock.keys import End
from appliance.plain_clock.output import Lines
from appliance.plain_clock.run import LEAST_SLEEP_NS, Displays, Inbox, run, slept
from appliance.plain_clock.table import Table
from clock.buttons import GpiozeroButtons
from clock.displays.max7219 import Max7219Display
from clock.events import Pressed, Started
from clock.notation import parse
from clock.seats import Seat
from clock.wiring import Buttons, Max7219
from tests.clock.displays.test_max7219 import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from clock.displays import Display
    from clock.reading import Reading

DEADLINE_S = 10
PINS = Buttons()


class Box:
    """A running clock on mock pins."""

    def __init__(
        self, control: str, displays: dict[str, Callable[[], Display]], appointment: Appointment | None = None
    ) -> None:
        self.records: SimpleQueue[Any] = SimpleQueue()
        self.factory, self.inbox = MockFactory(), Inbox()
        self.table = Table(parse(control), players_on_keys=False)
        self.buttons = GpiozeroButtons(PINS, self.inbox.put, self.factory)
        self.displays = Displays(displays, self.table, self.inbox.put)
        self.thread = Thread(
            target=run,
            args=(self.table, self.inbox),
            kwargs={
                "displays": self.displays,
                "publish": self.records.put,
                "buttons": self.buttons,
                "appointment": appointment,
            },
            daemon=True,
        )
        self.thread.start()

    def press(self, pin: int) -> None:
        self.factory.pin(pin).drive_low()

    def heard(self, kind: type) -> Any:
        """The next record of this kind."""
        while True:
            record = self.records.get(timeout=DEADLINE_S)
            if isinstance(record, kind):
                return record


@contextmanager
def box(control: str, appointment: Appointment | None = None, **displays: Callable[[], Display]) -> Iterator[Box]:
    made = Box(control, displays, appointment)
    yield made
    made.inbox.put(End(at_ns=time.monotonic_ns(), why="test"))
    made.thread.join(DEADLINE_S)
    assert not made.thread.is_alive()
    made.displays.close()
    made.buttons.close()
    made.factory.reset()


class Registers(Recorder):
    """The chip's registers as they are; ``changed`` wakes whoever waits for them."""

    def __init__(self) -> None:
        super().__init__()
        self.now: dict[int, int] = {}
        self.changed = Event()

    def data(self, data: list[int]) -> None:
        super().data(data)
        self.now[data[0]] = data[1]
        self.changed.set()

    def wait_for(self, *segments: int) -> None:
        """Until the digits from the left show this, whatever their points do."""
        deadline = time.monotonic() + DEADLINE_S
        while [self.now.get(register, 0) & 0x7F for register in range(8, 8 - len(segments), -1)] != list(segments):
            assert self.changed.wait(deadline - time.monotonic()), self.now
            self.changed.clear()


class Hung:
    """A display that never comes back from the first thing it is shown."""

    def __init__(self) -> None:
        self.entered, self.freed = Event(), Event()

    def show(self, reading: Reading) -> None:  # noqa: ARG002
        self.entered.set()
        self.freed.wait()

    def close(self) -> None: ...


def test_from_the_pin_to_the_registers() -> None:
    bus = Registers()
    with box("5m+60s", max7219=lambda: Max7219Display(Max7219(), serial=bus)) as made:
        made.press(PINS.stop)
        assert made.heard(Started).running is Seat.FIRST
        bus.wait_for(0x7E, 0x5B)  # 05.00 or 04.59
        made.press(PINS.first)
        pressed = made.heard(Pressed)
        assert (pressed.seat, pressed.ignored) == (Seat.FIRST, None)
        # 5 minutes and 60 s without what the press took, which is less than a second: 06.00
        bus.wait_for(0x7E, 0x5F, 0x7E, 0x7E)
        assert made.table.reading(time.monotonic_ns()).running is Seat.SECOND
        made.press(PINS.second)
        bus.wait_for(0x7E, 0x5F, 0x7E, 0x7E, 0x7E, 0x5F, 0x7E, 0x7E)


def test_the_appointed_hour_starts_it() -> None:
    known_ns = time.monotonic_ns()
    with box("5m", Appointment(hour_ns=time.time_ns() + 1_000_000, known_ns=known_ns)) as made:
        started = made.heard(Started)
    assert started.running is Seat.FIRST
    assert known_ns < started.at_ns < time.monotonic_ns()


def test_a_display_that_hangs_holds_up_neither_the_clock_nor_the_other_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clock.show.PATIENCE_S", 0.01)
    bus, hung = Registers(), Hung()
    with box("5m+60s", hung=lambda: hung, max7219=lambda: Max7219Display(Max7219(), serial=bus)) as made:
        assert hung.entered.wait(DEADLINE_S)
        made.press(PINS.stop)
        made.press(PINS.first)
        assert made.heard(Pressed).ignored is None
        bus.wait_for(0x7E, 0x5F, 0x7E, 0x7E)
    hung.freed.set()


def test_a_computer_that_slept_is_told_of() -> None:
    assert slept(LEAST_SLEEP_NS - 1, 5) is None
    note = slept(605 * 10**9, 5)
    assert note is not None
    assert (note.at_ns, note.text) == (5, "the computer slept for 10:05.0, which is on nobody's time")


def test_lines_that_cannot_be_written_are_told_once_and_keep_nobody_waiting() -> None:
    import os

    errors: list[OSError] = []
    read, write = os.pipe()
    os.close(read)
    lines = Lines(write, errors.append)
    for _ in range(3):
        lines.write("{}")
    assert lines.close() == 3
    os.close(write)
    assert [type(error) for error in errors] == [BrokenPipeError]


def test_lines_that_nobody_reads_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setattr("appliance.plain_clock.output.PATIENCE_S", 0.01)
    read, write = os.pipe()
    lines = Lines(write, deque[OSError]().append)
    lines.write("x" * 1_000_000)  # more than a pipe holds
    lines.write("the end")
    assert lines.close() == 2
    while len(os.read(read, 1 << 16)) == 1 << 16:  # lets the thread end
        pass
    os.close(read)


def test_lines_are_written_in_order(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out:
        lines = Lines(out.fileno(), deque[OSError]().append)
        for number in range(100):
            lines.write(f"裁判 {number}")
        assert lines.close() == 0
    assert (tmp_path / "out").read_text().splitlines() == [f"裁判 {number}" for number in range(100)]


def test_without_voice_and_buzzer_nobody_calls() -> None:
    assert open_speaker(None, None, parse("5m"), print) is None


def test_a_full_disk_or_a_missing_voice_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "caipan").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "aplay").write_text("#!/bin/sh\n")
    (tmp_path / "aplay").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    told: list[str] = []
    speaker = open_speaker("en", None, parse("1m; 3x30s"), told.append)
    assert speaker is not None
    speaker.close()
    assert told == [f"no voice: {tmp_path}/caipan/voice: Not a directory: choose another folder for the voice"]


def test_the_cache_is_where_freedesktop_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative is not allowed there")
    assert cache_folder() == tmp_path / ".cache" / "caipan"
