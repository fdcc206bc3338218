"""The buttons' adapters: gpiozero's mock pins and gpiod's own events, in; presses with their stamps, out."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from queue import SimpleQueue
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from clock.buttons import CALLBACK_ERROR_NS, KERNEL_ERROR_NS, ButtonsFault, GpiozeroButtons
from clock.debounce import STUCK_NS, HeldAtStart, Stuck
from clock.gpiod_buttons import GpiodButtons
from clock.press import Button, Press
from clock.wiring import Buttons
from tests.clock.bounces import MILLISECOND, played

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clock.debounce import ButtonFact

PINS = {"first": 17, "second": 27, "stop": 22, "claim_first": 23, "claim_second": 24, "confirm": 25}
"""As in the README's table."""
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="gpiod is for Linux")


class GroundedPin(MockPin):  # type: ignore[misc]
    """A pin whose button is down: the pull-up does not lift it."""

    def _set_pull(self, value: str) -> None:
        self._pull = value
        self._state = False


class StillCallingPin(MockPin):  # type: ignore[misc]
    """A pin that goes on calling when closed, as LGPIO's do."""

    def close(self) -> None: ...


@dataclass
class Bench:
    """Buttons on mock pins, with a clock that the test turns."""

    factory: MockFactory
    now_ns: int = 10**9
    facts: list[ButtonFact] = field(default_factory=list)

    def press(self, name: str, at_ns: int) -> None:
        self.now_ns = at_ns
        self.factory.pin(PINS[name]).drive_low()

    def release(self, name: str, at_ns: int) -> None:
        self.now_ns = at_ns
        self.factory.pin(PINS[name]).drive_high()


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    bench = Bench(MockFactory())
    monkeypatch.setattr("gpiozero.pins.mock.monotonic", lambda: bench.now_ns / 1e9)
    yield bench
    bench.factory.reset()


def test_each_button_tells_its_press_on_the_way_down(bench: Bench) -> None:
    buttons = GpiozeroButtons(Buttons(), bench.facts.append, bench.factory)
    for number, name in enumerate(PINS, 2):
        bench.press(name, number * 10**9)
        told = Press(button=Button(name), at_ns=number * 10**9, error_ns=CALLBACK_ERROR_NS)
        assert bench.facts[-1] == told  # told while it is still down
        bench.release(name, number * 10**9 + 5 * MILLISECOND)
    assert len(bench.facts) == len(PINS)
    buttons.close()


def test_bounces_on_real_pins_make_one_press_each(bench: Bench) -> None:
    buttons = GpiozeroButtons(Buttons(), bench.facts.append, bench.factory)
    game = played(Random(9), 300)
    for at_ns, down in game.levels:
        (bench.press if down else bench.release)("first", at_ns)
    assert [fact.at_ns for fact in bench.facts] == game.presses
    buttons.close()


def test_a_button_held_at_start_up_is_reported_and_is_no_press(bench: Bench) -> None:
    bench.factory.pin(PINS["stop"], pin_class=GroundedPin)
    buttons = GpiozeroButtons(Buttons(), bench.facts.append, bench.factory)
    assert [(type(fact), fact.button) for fact in bench.facts] == [(HeldAtStart, Button.STOP)]
    bench.release("stop", 3 * 10**9)
    assert len(bench.facts) == 1
    bench.press("stop", 4 * 10**9)
    assert bench.facts[1:] == [Press(button=Button.STOP, at_ns=4 * 10**9, error_ns=CALLBACK_ERROR_NS)]
    buttons.close()


def test_a_stuck_button_is_reported_once(bench: Bench) -> None:
    buttons = GpiozeroButtons(Buttons(), bench.facts.append, bench.factory)
    bench.press("second", 2 * 10**9)
    buttons.check(2 * 10**9 + STUCK_NS)
    buttons.check(3 * 10**9 + STUCK_NS)
    assert bench.facts[1:] == [Stuck(button=Button.SECOND, since_ns=2 * 10**9, at_ns=2 * 10**9 + STUCK_NS)]
    buttons.close()


def test_closed_buttons_are_silent_and_leave_the_pins(bench: Bench) -> None:
    bench.factory.pin(PINS["first"], pin_class=StillCallingPin)
    buttons = GpiozeroButtons(Buttons(), bench.facts.append, bench.factory)
    buttons.close()
    bench.press("first", 2 * 10**9)
    assert bench.facts == []
    bench.release("first", 3 * 10**9)
    GpiozeroButtons(Buttons(), bench.facts.append, bench.factory).close()


def test_a_taken_pin_is_one_line(bench: Bench) -> None:
    from gpiozero import LED

    lamp = LED(27, pin_factory=bench.factory)
    with pytest.raises(
        ButtonsFault, match=r"^the buttons' pins cannot be used \(.*GPIO27.*\): see the wiring table$"
    ) as caught:
        GpiozeroButtons(Buttons(), bench.facts.append, bench.factory)
    lamp.close()
    GpiozeroButtons(Buttons(), bench.facts.append, bench.factory).close()  # the pin before it was let go
    assert caught.tb  # which keeps alive what was not closed


def test_stamps_of_another_clock_are_refused() -> None:
    class PiGPIOFactory:
        """As gpiozero's: its ticks are microseconds that wrap."""

    with pytest.raises(ButtonsFault, match="PiGPIOFactory stamps edges with a clock of its own"):
        GpiozeroButtons(Buttons(), print, PiGPIOFactory())


def test_without_lgpio_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(ButtonsFault, match="extra 'pi'"):
        GpiozeroButtons(Buttons(), print)


class FakeLines:
    """A line request whose events the test puts in; its descriptor is a pipe that is readable while there are any."""

    def __init__(self, held: tuple[int, ...] = ()) -> None:
        self.fd, self._write = os.pipe()
        self._events: SimpleQueue[Any] = SimpleQueue()
        self._held = held
        self.released = False

    def put(self, pin: int, at_ns: int, *, down: bool) -> None:
        from gpiod import EdgeEvent
        from gpiod._ext import EDGE_EVENT_TYPE_FALLING, EDGE_EVENT_TYPE_RISING

        kind = EDGE_EVENT_TYPE_RISING if down else EDGE_EVENT_TYPE_FALLING
        self._events.put(EdgeEvent(kind, at_ns, pin, 0, 0))
        os.write(self._write, b".")

    def get_values(self) -> list[Any]:
        from gpiod.line import Value

        return [Value.ACTIVE if pin in self._held else Value.INACTIVE for pin in PINS.values()]

    def read_edge_events(self) -> list[Any]:
        os.read(self.fd, 1)
        return [self._events.get()]

    def release(self) -> None:
        self.released = True
        os.close(self._write)
        os.close(self.fd)


@needs_linux
def test_gpiod_tells_the_same_with_the_kernels_stamps() -> None:
    lines, facts = FakeLines(held=(PINS["confirm"],)), SimpleQueue[Any]()
    buttons = GpiodButtons(Buttons(), facts.put, lines)
    held = facts.get(timeout=5)
    assert (type(held), held.button) == (HeldAtStart, Button.CONFIRM)
    game = played(Random(10), 20)
    for at_ns, down in game.levels:
        lines.put(PINS["second"], at_ns, down=down)
    told = [facts.get(timeout=5) for _ in game.presses]
    assert told == [Press(button=Button.SECOND, at_ns=at, error_ns=KERNEL_ERROR_NS) for at in game.presses]
    buttons.close()
    assert facts.empty()
    assert lines.released


@needs_linux
def test_gpiod_without_a_chip_is_one_line() -> None:
    with pytest.raises(ButtonsFault, match=r"^/dev/no-such-chip: no buttons there"):
        GpiodButtons(Buttons(chip="/dev/no-such-chip"), print)
