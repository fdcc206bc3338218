"""gpiozero's LGPIO pins: the one factory that buttons, digits and buzzer share, and what goes wrong with pins."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any


class PinsFault(Exception):  # noqa: N818
    """Pins cannot be used; the message is one line: what, why, what to do."""


_opening = Lock()


def lgpio_factory() -> Any:
    """This Raspberry Pi's pins, for any thread. Raises PinsFault where lgpio is missing or there is no GPIO chip."""
    with _opening:
        return _lgpio_factory()


@cache
def _lgpio_factory() -> Any:
    from gpiozero import Device

    try:
        import lgpio
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError:
        raise PinsFault("lgpio is not installed: install Caipan with its extra 'pi'") from None
    try:
        # Also gpiozero's default: its LEDMultiCharDisplay asks for that, whatever it is given.
        Device.pin_factory = LGPIOFactory()
        return Device.pin_factory
    except (lgpio.error, OSError) as error:
        raise PinsFault(f"no GPIO chip can be opened ({error}): this needs a Raspberry Pi") from None


def mock_factory() -> Any:
    """gpiozero's pins that are none, for measuring without a Raspberry Pi."""
    from gpiozero.pins.mock import MockFactory

    return MockFactory()


def pin_errors() -> tuple[type[Exception], ...]:
    """What a pin that cannot be had raises: gpiozero's error or, unwrapped, its backend's."""
    from gpiozero import GPIOZeroError

    try:
        import lgpio
    except ImportError:
        return (GPIOZeroError,)
    return (GPIOZeroError, lgpio.error)
