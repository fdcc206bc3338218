"""Digits on gpiozero's mock pins: which segments are lit while which digit is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory

from clock.digits import SECOND_NS
from clock.displays import DisplayFault
from clock.displays.led_digits import LedDigitsDisplay
from clock.seats import Seat
from clock.segments import SEGMENTS
from clock.wiring import LedDigits
from tests.clock.readings import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOUR = LedDigits()
EIGHT = LedDigits(digits=(8, 9, 10, 11, 7, 4, 21, 3))


class Multiplexer:
    """Stands in for gpiozero's thread: runs two rounds at once and looks at the pins at each pause."""

    look: Callable[[], None]

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...]) -> None:
        self._target, self._args, self._pauses, self.stopping = target, args, 0, self

    def start(self) -> None:
        self._target(*self._args)

    def stop(self) -> None: ...

    def wait(self, _delay: float) -> bool:
        Multiplexer.look()
        self._pauses += 1
        return self._pauses >= 2 * len(self._args[0])


class Eye:
    """Sees each digit as it was lit last."""

    def __init__(self, factory: MockFactory, wiring: LedDigits) -> None:
        self._factory, self._wiring = factory, wiring
        self.seen: dict[int, str] = {}

    def look(self) -> None:
        state = self._factory.pin
        lit = "".join(name for name, pin in zip("abcdefg", self._wiring.segments, strict=True) if state(pin).state)
        lit += "." * bool(state(self._wiring.point).state)
        for place, pin in enumerate(self._wiring.digits):
            if state(pin).state:
                self.seen[place] = lit

    def text(self) -> str:
        chars = {lit: char for char, lit in SEGMENTS.items()}
        cells = [self.seen.get(place, "") for place in range(len(self._wiring.digits))]
        return "".join(chars[cell.rstrip(".")] + "." * cell.endswith(".") for cell in cells)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    monkeypatch.setattr("gpiozero.boards.GPIOThread", Multiplexer)
    monkeypatch.setattr(Multiplexer, "look", lambda: None, raising=False)
    yield factory
    factory.reset()


@pytest.mark.parametrize(
    ("wiring", "running", "text"),
    [
        (FOUR, Seat.FIRST, "12.34"),
        (FOUR, Seat.SECOND, "08.59."),
        (EIGHT, Seat.FIRST, "12.3408.59"),
    ],
)
def test_each_digit_is_lit_in_its_place(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, wiring: LedDigits, running: Seat, text: str
) -> None:
    eye = Eye(factory, wiring)
    monkeypatch.setattr(Multiplexer, "look", eye.look)
    display = LedDigitsDisplay(wiring, factory=factory)
    display.show(reading(running=running))
    assert eye.text() == text
    display.close()


def test_every_character_can_be_shown(factory: MockFactory) -> None:
    display = LedDigitsDisplay(FOUR, tenths=True, factory=factory)
    for left_s in (36_000, 32_345, 6_789, 9, 0):
        display.show(reading(first_s=left_s))
    display.show(reading(flagged=Seat.FIRST))
    assert display._digits.value == ("F", "L", "A", "G")
    display.close()


def test_unchanged_digits_are_left_alone(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    display = LedDigitsDisplay(FOUR, factory=factory)
    display.show(reading(10 * SECOND_NS))
    looks: list[int] = []
    monkeypatch.setattr(Multiplexer, "look", lambda: looks.append(1))
    display.show(reading(10 * SECOND_NS + 50_000_000))
    assert looks == []
    display.show(reading(10 * SECOND_NS + SECOND_NS // 2))
    assert looks != []
    display.close()


def test_closing_lets_go_of_every_pin(factory: MockFactory) -> None:
    display = LedDigitsDisplay(FOUR, factory=factory)
    display.show(reading())
    display.close()
    for pin in (*FOUR.segments, FOUR.point, *FOUR.digits):
        LED(pin, pin_factory=factory).close()


@pytest.mark.parametrize("taken", [FOUR.segments[3], FOUR.digits[3]])
def test_a_taken_pin_is_one_line_and_holds_no_other(factory: MockFactory, taken: int) -> None:
    lamp = LED(taken, pin_factory=factory)
    with pytest.raises(DisplayFault, match=rf"^LED digits: .*GPIO{taken}\b.*: see the wiring table$") as caught:
        LedDigitsDisplay(FOUR, factory=factory)
    lamp.close()
    LedDigitsDisplay(FOUR, factory=factory).close()
    assert caught.tb  # which keeps alive what was not closed
