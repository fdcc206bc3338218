"""What a press costs: until the other clock runs, and until the display shows it, while vision works in a thread.

Buttons are gpiozero's mock pins, the display is luma's MAX7219 on a bus that only counts. So what the kernel takes to
wake a thread after an edge, and what the wires take, is not in it; all that is ours is.

Between the presses a bare thread of the clock's priority, which does nothing else, is handed a message: what that takes
any thread waits here until it runs, and no press can be faster. What a press adds to that is what handling it takes of
the processor; beside it stands what plain counting takes, which on a quiet machine is always the same.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Event, Thread, Timer
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from appliance.plain_clock.keys import End
from appliance.plain_clock.run import Displays, Inbox, run
from appliance.plain_clock.table import Table
from appliance.replaying import Replay, find_board, ruleset_of
from clock.buttons import GpiozeroButtons
from clock.displays.max7219 import Max7219Display
from clock.events import Pressed
from clock.notation import parse
from clock.pins import mock_factory
from clock.press import Button, Press
from clock.priority import Priority, come_first
from clock.wiring import Max7219, Wiring

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.plain_clock.records import Record
    from appliance.plain_clock.table import Heard, Outcome
    from clock.reading import Reading
    from vision.recording import Recording

CONTROL = "5m+2s"
"""An increment, so that each press changes the digits."""
BETWEEN_S = (0.020, 0.030)
"""Between two presses: each button rests for longer than its debounce needs."""
IDLE_S = 5.0
_SETTLED_S = 0.5
"""Until the display is open."""
_COUNT = 10_000
"""Plain counting takes about as long as handling a press."""
_PERCENTILES = (50, 99, 99.9)


@dataclass
class CountingBus:
    """Luma's serial interface; counts what is written."""

    written: int = 0

    def data(self, data: list[int]) -> None:
        self.written += len(data)

    def command(self, *cmd: int) -> None:
        raise AssertionError(cmd)

    def cleanup(self) -> None: ...


@dataclass
class Shows:
    """Notes when the registers of each move had been written."""

    bus: CountingBus = field(default_factory=CountingBus)
    instants_ns: dict[int, int] = field(default_factory=dict)
    """By how many moves had been made."""

    moves: int = 0

    def open(self) -> Shows:
        self._display = Max7219Display(Max7219(), serial=self.bus)
        return self

    def show(self, reading: Reading) -> None:
        before = self.bus.written
        self._display.show(reading)
        moves = reading.first.moves_made + reading.second.moves_made
        if moves > self.moves and self.bus.written > before:
            now_ns = monotonic_ns()
            self.instants_ns |= dict.fromkeys(range(self.moves + 1, moves + 1), now_ns)
            self.moves = moves

    def close(self) -> None:
        self._display.close()


class TimedTable(Table):
    """Notes what each press takes of the processor, whatever else keeps the thread waiting."""

    def __init__(self) -> None:
        super().__init__(parse(CONTROL), players_on_keys=False)
        self.handled_ns: list[int] = []

    def hear(self, heard: Heard) -> Outcome:
        began_ns = time.thread_time_ns()
        outcome = super().hear(heard)
        if isinstance(heard, Press):
            self.handled_ns.append(time.thread_time_ns() - began_ns)
        return outcome


@dataclass
class Runs:
    """Notes when each press had been told to the clock."""

    pressed_ns: list[int] = field(default_factory=list)
    running_ns: list[int] = field(default_factory=list)

    def publish(self, record: Record) -> None:
        if isinstance(record, Pressed) and record.ignored is None:
            self.running_ns.append(monotonic_ns())
            self.pressed_ns.append(record.at_ns)


class BareThread:
    """The floor: a thread that is handed instants, and notes how long each took and what plain counting takes then."""

    def __init__(self) -> None:
        self._handed: SimpleQueue[int | None] = SimpleQueue()
        self.heard_ns: list[int] = []
        self.counted_ns: list[int] = []
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def hand(self, at_ns: int) -> None:
        self._handed.put(at_ns)

    def end(self) -> None:
        self._handed.put(None)
        self._thread.join()

    def _run(self) -> None:
        come_first(Priority.CLOCK)
        while (at_ns := self._handed.get()) is not None:
            self.heard_ns.append(monotonic_ns() - at_ns)
            began_ns = time.thread_time_ns()
            for _ in range(_COUNT):
                pass
            self.counted_ns.append(time.thread_time_ns() - began_ns)


def measured(recording: Recording, presses: int, on_press: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The figures, times in milliseconds. Raises RecordingError and RulesetError.

    ``on_press`` is called after each of twice ``presses``, and may take some milliseconds.
    """
    cv2.setNumThreads(1)
    beside, frames = _pressed(presses, recording, on_press)
    alone, _ = _pressed(presses, None, on_press)
    return {
        "presses": presses,
        "beside_vision": beside,
        "vision_frames_per_second": frames,
        "alone": alone,
        "idle_cpu_percent": {"display": _idle_percent(display=True), "no_display": _idle_percent(display=False)},
    }


def in_words(figures: dict[str, Any]) -> str:
    """The figures of :func:`measured` as a table."""
    lines = [f"{figures['presses']} presses, vision at {figures['vision_frames_per_second']} frames/s in a thread"]
    lines.append(f"  {'ms':34}" + "".join(f"{f'p{p}':>9}" for p in _PERCENTILES))
    for where in ("beside_vision", "alone"):
        for what, values in figures[where].items():
            name = f"{what.removesuffix('_ms').replace('_', ' ')}, {where.replace('_', ' ')}"
            lines.append(f"  {name:34}" + "".join(f"{values[f'p{p}']:9.3f}" for p in _PERCENTILES))
    idle = figures["idle_cpu_percent"]
    lines.append(f"  idle: {idle['display']} % of a processor with the display, {idle['no_display']} % without")
    return "\n".join(lines)


def _pressed(presses: int, recording: Recording | None, on_press: Callable[[], None]) -> tuple[dict[str, Any], float]:
    """What presses take, and how many frames a second vision went through meanwhile."""
    table, inbox, runs, shows, factory = (
        TimedTable(),
        Inbox(),
        Runs(),
        Shows(),
        mock_factory(),
    )
    wiring = Wiring()
    buttons = GpiozeroButtons(wiring.buttons, inbox.put, factory)
    displays = Displays({"MAX7219": shows.open}, table, inbox.put)
    bare = BareThread()
    vision = _Vision(recording) if recording is not None else None
    presser = Thread(target=_press, args=(factory, inbox, bare, presses, on_press), daemon=True)
    if vision is not None:
        vision.begin()
    inbox.put(Press(button=Button.STOP, at_ns=monotonic_ns()))
    presser.start()
    run(table, inbox, displays=displays, publish=runs.publish, buttons=buttons)
    frames = vision.end() if vision is not None else 0.0
    bare.end()
    displays.close()
    buttons.close()
    factory.reset()
    pressed = np.array(runs.pressed_ns)
    shown = np.array(
        [shows.instants_ns[number] for number in range(1, len(pressed) + 1) if number in shows.instants_ns]
    )
    return {
        "counting_cpu_ms": _percentiles(np.array(bare.counted_ns)),
        "handling_cpu_ms": _percentiles(np.array(table.handled_ns)),
        "bare_thread_ms": _percentiles(np.array(bare.heard_ns)),
        "other_clock_running_ms": _percentiles(np.array(runs.running_ns) - pressed),
        "display_updated_ms": _percentiles(shown - pressed[: len(shown)]),
    }, frames


def _press(factory: Any, inbox: Inbox, bare: BareThread, presses: int, on_press: Callable[[], None]) -> None:
    """Press the two buttons in turn at odd instants, then end."""
    luck = random.Random(1)
    pins = [factory.pin(pin) for pin in (Wiring().buttons.first, Wiring().buttons.second)]
    time.sleep(_SETTLED_S)
    for number in range(presses):
        time.sleep(luck.uniform(*BETWEEN_S) - 0.015)
        pin = pins[number % 2]
        pin.drive_low()
        time.sleep(0.005)
        pin.drive_high()
        pin.states.clear()
        time.sleep(0.01)
        on_press()
        bare.hand(monotonic_ns())
    time.sleep(0.2)
    inbox.put(End(at_ns=monotonic_ns(), why="measured"))


class _Vision:
    """Replays a recording over and over in a thread, as fast as it can."""

    def __init__(self, recording: Recording) -> None:
        # The board is looked for once, before the game.
        (a, b, c, d) = ((float(x), float(y)) for x, y in find_board(recording))
        header = recording.header.model_copy(update={"corners": (a, b, c, d)})
        self._recording, self._ruleset = replace(recording, header=header), ruleset_of(recording, None)
        self._frames, self._ended, self._warm = 0, Event(), Event()
        self._thread = Thread(target=self._run, daemon=True)

    def begin(self) -> None:
        self._thread.start()
        self._warm.wait()
        self._frames, self._began = 0, time.perf_counter()

    def end(self) -> float:
        self._ended.set()
        seconds = time.perf_counter() - self._began
        frames = self._frames
        self._thread.join()
        return round(frames / seconds, 1)

    def _run(self) -> None:
        try:
            while not self._ended.is_set():
                game = Replay(self._recording, self._ruleset)
                before = self._frames
                for _ in game:
                    self._frames = before + game.costs.frames
                    self._warm.set()
                    if self._ended.is_set():
                        return
        finally:
            self._warm.set()


def _idle_percent(*, display: bool) -> float:
    """The processor's share that a running clock takes while nobody presses."""
    table, inbox = Table(parse(CONTROL), players_on_keys=False), Inbox()
    displays = Displays({"MAX7219": Shows().open} if display else {}, table, inbox.put)
    spent: list[tuple[float, float]] = []

    def look() -> None:
        spent.append((time.process_time(), time.perf_counter()))

    def end() -> None:
        look()
        inbox.put(End(at_ns=monotonic_ns(), why="measured"))

    inbox.put(Press(button=Button.STOP, at_ns=monotonic_ns()))
    for after_s, then in ((_SETTLED_S, look), (_SETTLED_S + IDLE_S, end)):
        Timer(after_s, then).start()
    run(table, inbox, displays=displays, publish=lambda record: None)
    displays.close()
    (cpu, wall), (cpu_then, wall_then) = spent
    return round(100 * (cpu_then - cpu) / (wall_then - wall), 2)


def _percentiles(ns: np.ndarray[Any, np.dtype[np.int64]]) -> dict[str, float]:
    values = np.percentile(ns, _PERCENTILES) / 1e6
    return {f"p{p}": round(float(value), 3) for p, value in zip(_PERCENTILES, values, strict=True)}
