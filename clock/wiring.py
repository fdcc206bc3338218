"""What is wired where: pins by their BCM numbers and serial ports, with defaults, from one TOML file.

The README shows the defaults as a table. A file of one's own says only what differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from clock.toml_file import SettingsError, checked, matching, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Pin = Annotated[int, Field(ge=2, le=27)]
"""A GPIO by its BCM number; 0 and 1 belong to the board's own EEPROM."""


class WiringError(SettingsError):
    """A wiring file that cannot be used."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Buttons(_Frozen):
    """Each button between its pin and ground; the pull-up is the chip's own."""

    first: Pin = 17
    second: Pin = 27
    stop: Pin = 22
    claim_first: Pin = 23
    claim_second: Pin = 24
    confirm: Pin = 25
    chip: Annotated[str, matching(r"/dev/\S+", "write a device's path, such as /dev/gpiochip0")] = "/dev/gpiochip0"
    """The GPIO chip, for gpiod alone; on a Pi 5 with an old kernel it is /dev/gpiochip4."""

    def pins(self) -> dict[str, int]:
        """The pin of each button, by the button's name."""
        return {name: pin for name, pin in self if name != "chip"}


class Buzzer(_Frozen):
    """An active buzzer between its pin and ground, through a transistor if it takes more than 15 mA."""

    pin: Pin = 18


class Power(_Frozen):
    """The button that switches the box off when it is held, between its pin and ground.

    On GPIO 3 it also wakes a Pi that is off, but for a Pi 5, which has a button of its own for that.
    """

    pin: Pin = 3


class Max7219(_Frozen):
    """An eight-digit module on the SPI bus; ``brightness`` from 0 to 15."""

    port: Annotated[int, Field(ge=0)] = 0
    device: Annotated[int, Field(ge=0)] = 0
    brightness: Annotated[int, Field(ge=0, le=15)] = 7


class LedDigits(_Frozen):
    """Digits driven directly: segments a to g and the point, and one pin for each digit's transistor, from the left.

    Four digits show the running side, eight show both. The default digits take the SPI bus's pins, which are free
    when there is no MAX7219. ``common_cathode``: False for digits with a common anode.
    """

    segments: Annotated[tuple[Pin, ...], Field(min_length=7, max_length=7)] = (5, 6, 12, 13, 16, 19, 20)
    point: Pin = 26
    digits: Annotated[tuple[Pin, ...], Field(min_length=4, max_length=8)] = (8, 9, 10, 11)
    common_cathode: bool = True

    @model_validator(mode="after")
    def _four_or_eight(self) -> Self:
        if len(self.digits) not in (4, 8):
            raise ValueError("digits: name four pins, or eight")
        return self


class Serial(_Frozen):
    """SparkFun-type displays of four digits: one shows the running side, two show ``first`` and ``second``.

    A name from /dev/serial/by-id stays the same when cables are pulled. ``brightness`` from 0 to 100.
    """

    ports: Annotated[tuple[str, ...], Field(min_length=1, max_length=2)] = ("/dev/ttyUSB0",)
    baud: Annotated[int, Field(ge=2400, le=115_200)] = 9600
    brightness: Annotated[int, Field(ge=0, le=100)] = 100

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if len(set(self.ports)) < len(self.ports):
            raise ValueError("ports: name two different ports")
        return self


class Wiring(_Frozen):
    """All that is wired to the box; immutable."""

    buttons: Buttons = Buttons()
    power: Power = Power()
    buzzer: Buzzer = Buzzer()
    max7219: Max7219 = Max7219()
    led_digits: LedDigits = LedDigits()
    serial: Serial = Serial()

    @model_validator(mode="after")
    def _each_pin_once(self) -> Self:
        names: dict[int, str] = {}
        for name, pin in self._pins():
            if pin in names:
                raise ValueError(f"{name}: GPIO {pin} is already {names[pin]}: choose another")
            names[pin] = name
        return self

    def _pins(self) -> Iterator[tuple[str, int]]:
        for button, pin in self.buttons.pins().items():
            yield f"buttons.{button}", pin
        yield "power.pin", self.power.pin
        yield "buzzer.pin", self.buzzer.pin
        for segment, pin in zip("abcdefg", self.led_digits.segments, strict=True):
            yield f"led_digits.segments {segment}", pin
        yield "led_digits.point", self.led_digits.point
        for number, pin in enumerate(self.led_digits.digits, 1):
            yield f"led_digits.digits {number}", pin


def load_wiring(path: Path) -> Wiring:
    """Read a wiring file. Raises WiringError, in one line, when it cannot be used."""
    return checked(Wiring, read_toml(path, WiringError), path, WiringError)
