"""The kinds of display, and how each is opened as it is wired."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from clock.displays.led_digits import LedDigitsDisplay
from clock.displays.max7219 import Max7219Display
from clock.displays.none import NoDisplay
from clock.displays.serial_digits import SerialDigitsDisplay
from clock.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from clock.displays import Display
    from clock.wiring import Wiring


Openers: TypeAlias = "dict[str, Callable[[], Display]]"
"""What opens each display, by the display's name."""


class DisplayKind(StrEnum):
    """A kind of display, by the name that the command line knows."""

    MAX7219 = "max7219"
    LED_DIGITS = "led-digits"
    SERIAL = "serial"
    NONE = "none"


def openers(kind: DisplayKind, wiring: Wiring, *, tenths: bool = False) -> Openers:
    """What opens each display of this kind, by the display's name; opening may raise DisplayFault.

    Two serial displays are two displays, so that one goes on when the other is pulled out.
    """
    match kind:
        case DisplayKind.MAX7219:
            return {"MAX7219": partial(Max7219Display, wiring.max7219, tenths=tenths)}
        case DisplayKind.LED_DIGITS:
            return {"LED digits": partial(LedDigitsDisplay, wiring.led_digits, tenths=tenths)}
        case DisplayKind.SERIAL:
            ports = wiring.serial.ports
            seats = (None,) if len(ports) == 1 else (Seat.FIRST, Seat.SECOND)
            return {
                port: partial(SerialDigitsDisplay, wiring.serial, port, seat, tenths=tenths)
                for port, seat in zip(ports, seats, strict=True)
            }
        case DisplayKind.NONE:
            return {"none": NoDisplay}
