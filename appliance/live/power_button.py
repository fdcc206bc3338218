"""The power button: held for five seconds, it has the box switched off; a stray press does nothing.

Run as a service of its own, ``python -m appliance.live.power_button FILE [BOX.toml]``, so that it works though the box
itself hang. It makes FILE, for which systemd watches. Untested on a Pi.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from appliance.live.settings import BoxError, Settings, load_settings
from clock.pins import PinsFault, lgpio_factory, pin_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HELD_S = 5.0
"""So long the button is held down."""


def watch(pin: int, held: Callable[[], None], *, factory: Any, held_s: float = HELD_S) -> Any:
    """Have ``held`` called when the button at ``pin`` has been held for so long; returns the open button.

    One that is down already counts only when it has been let go: a jammed button must not keep the box from starting.
    Raises what :func:`pin_errors` names.
    """
    from gpiozero import Button

    button = Button(pin, pull_up=True, hold_time=held_s, pin_factory=factory)

    def count() -> None:
        button.when_held = held

    if button.is_pressed:
        button.when_released = count
    else:
        count()
    return button


def main(arguments: Sequence[str]) -> int:
    """Until the button was held; exit code 0. 2: the arguments, the file or the pin cannot be used."""
    if len(arguments) not in (1, 2):
        print("write the file to make, and the box's file if there is one", file=sys.stderr)
        return 2
    held = threading.Event()
    try:
        settings = load_settings(Path(arguments[1])) if len(arguments) == 2 else Settings()
        factory = lgpio_factory()
    except (BoxError, PinsFault) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        button = watch(settings.wiring.power.pin, held.set, factory=factory)
    except pin_errors() as error:
        print(f"the power button's pin cannot be used ({error}): see the wiring table", file=sys.stderr)
        return 2
    held.wait()
    Path(arguments[0]).touch()
    button.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
