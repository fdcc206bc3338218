"""The buttons through gpiozero: the kernel's edge times where its LGPIO pins give them.

Edges come one by one in gpiozero's own thread, with no ``bounce_time``: that would stamp the last bounce and swallow
short taps. What they mean is told by :mod:`clock.debounce`. Untested on a Pi.
"""

from __future__ import annotations

from threading import Lock, get_native_id
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from clock.debounce import ButtonEdge, Debouncer
from clock.pins import PinsFault, lgpio_factory, pin_errors
from clock.press import Button
from clock.priority import Priority, come_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from clock.debounce import ButtonFact
    from clock.wiring import Buttons

KERNEL_ERROR_NS = 200_000
"""How late the interrupt that stamps an edge may be: other interrupts come first. Not measured on a Pi yet."""
CALLBACK_ERROR_NS = 20_000_000
"""How late a Python thread may be that stamps an edge when called back, with other threads at work."""


class ButtonsFault(Exception):  # noqa: N818
    """The buttons cannot be used; the message is one line: what, why, what to do."""


class GpiozeroButtons:
    """Watches the buttons and tells ``tell`` each fact as it becomes known, from gpiozero's thread.

    ``tell`` must be quick and must not raise, or no further edge comes. ``factory``: gpiozero's pin factory; None: its
    LGPIO pins, the only ones that come with the kernel's stamps.

    Raises ButtonsFault where there are no such pins, or a pin is taken.
    """

    def __init__(self, wiring: Buttons, tell: Callable[[ButtonFact], None], factory: Any = None) -> None:
        from gpiozero import InputDevice

        self._tell = tell
        self._lock = Lock()
        self._hurried: set[int] = set()
        self._devices: dict[Button, Any] = {}
        self._handlers: list[Callable[[float, Any], None]] = []  # a pin holds its handler weakly
        try:
            factory = lgpio_factory() if factory is None else factory
        except PinsFault as fault:
            raise ButtonsFault(f"the buttons: {fault}") from None
        self._debouncer = Debouncer(error_ns=_error_ns(factory))
        try:
            for name, pin in wiring.pins().items():
                self._devices[Button(name)] = InputDevice(pin, pull_up=True, pin_factory=factory)
        except pin_errors() as error:
            self.close()
            raise ButtonsFault(f"the buttons' pins cannot be used ({error}): see the wiring table") from None
        with self._lock:  # edges wait until it is known which buttons are held
            for button, device in self._devices.items():
                handler = self._handler(button)
                self._handlers.append(handler)
                device.pin.bounce = None
                device.pin.edges = "both"
                device.pin.when_changed = handler
            held = [button for button, device in self._devices.items() if device.is_active]
            facts = self._debouncer.start(held, monotonic_ns())
        for fact in facts:
            self._tell(fact)

    def check(self, now_ns: int) -> None:
        """Tell which buttons are stuck; to be called now and then, say each second."""
        with self._lock:
            stuck = self._debouncer.stuck(now_ns)
        for fact in stuck:
            self._tell(fact)

    def close(self) -> None:
        """Let go of the pins; nothing is told afterwards."""
        for device in self._devices.values():
            device.pin.when_changed = None  # LGPIO's pins go on calling when closed
            device.close()
        self._devices.clear()

    def _handler(self, button: Button) -> Callable[[float, Any], None]:
        def changed(seconds: float, level: Any) -> None:
            self._hurry()
            edge = ButtonEdge(button=button, at_ns=round(seconds * 1e9), pressed=not level)
            with self._lock:
                press = self._debouncer.edge(edge)
            if press is not None:
                self._tell(press)

        return changed

    def _hurry(self) -> None:
        """The thread that calls back is gpiozero's or lgpio's own: only here can it be spoken to."""
        thread = get_native_id()
        if thread not in self._hurried:
            self._hurried.add(thread)
            come_first(Priority.CLOCK)


def _error_ns(factory: Any) -> int:
    """The error of this factory's stamps. Raises ButtonsFault when they are not of our clock."""
    from gpiozero.pins.local import LocalPiFactory
    from gpiozero.pins.mock import MockFactory

    if type(factory).__name__ == "LGPIOFactory":
        return KERNEL_ERROR_NS
    if isinstance(factory, (LocalPiFactory, MockFactory)):
        return CALLBACK_ERROR_NS
    raise ButtonsFault(f"{type(factory).__name__} stamps edges with a clock of its own: use LGPIO's pins, or gpiod")
