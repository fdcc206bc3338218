"""The buttons through gpiod, libgpiod's own binding: an option where gpiozero's LGPIO pins are not to be had.

One thread waits for edges, which carry the kernel's stamps. Untested on a Pi.
"""

from __future__ import annotations

import os
import select
from threading import Lock, Thread
from time import monotonic_ns
from typing import TYPE_CHECKING, Protocol

from clock.buttons import KERNEL_ERROR_NS, ButtonsFault
from clock.debounce import ButtonEdge, Debouncer
from clock.press import Button
from clock.priority import Priority, come_first

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpiod import EdgeEvent
    from gpiod.line import Value

    from clock.debounce import ButtonFact
    from clock.wiring import Buttons

_QUEUE = 1024
"""Edges that the kernel keeps for us: its own 16 a line are fewer than one bad train."""


class Lines(Protocol):
    """What of gpiod's ``LineRequest`` is used."""

    @property
    def fd(self) -> int: ...
    def get_values(self) -> list[Value]: ...
    def read_edge_events(self) -> Sequence[EdgeEvent]: ...
    def release(self) -> None: ...


class GpiodButtons:
    """As ``clock.buttons.GpiozeroButtons``, from a thread of its own. ``lines``: the open request; None: open one.

    Raises ButtonsFault where gpiod is missing or the lines cannot be had.
    """

    def __init__(self, wiring: Buttons, tell: Callable[[ButtonFact], None], lines: Lines | None = None) -> None:
        self._tell = tell
        self._buttons = {pin: Button(name) for name, pin in wiring.pins().items()}
        self._lock = Lock()
        self._debouncer = Debouncer(error_ns=KERNEL_ERROR_NS)
        self._lines = _request(wiring) if lines is None else lines
        from gpiod.line import Value

        levels = zip(self._buttons.values(), self._lines.get_values(), strict=True)
        held = [button for button, level in levels if level is Value.ACTIVE]
        for fact in self._debouncer.start(held, monotonic_ns()):
            tell(fact)
        self._woken, self._wake = os.pipe()
        self._thread = Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def check(self, now_ns: int) -> None:
        """Tell which buttons are stuck; to be called now and then, say each second."""
        with self._lock:
            stuck = self._debouncer.stuck(now_ns)
        for fact in stuck:
            self._tell(fact)

    def close(self) -> None:
        """Let go of the lines; nothing is told afterwards."""
        os.write(self._wake, b".")
        self._thread.join()
        self._lines.release()
        os.close(self._wake)
        os.close(self._woken)

    def _run(self) -> None:
        come_first(Priority.CLOCK)
        while True:
            ready, _, _ = select.select([self._lines.fd, self._woken], [], [])
            if self._woken in ready:
                return
            self._take()

    def _take(self) -> None:
        from gpiod import EdgeEvent

        for event in self._lines.read_edge_events():
            # The lines are asked for as active low, so that a rising edge is a button going down.
            pressed = event.event_type is EdgeEvent.Type.RISING_EDGE
            edge = ButtonEdge(button=self._buttons[event.line_offset], at_ns=event.timestamp_ns, pressed=pressed)
            with self._lock:
                press = self._debouncer.edge(edge)
            if press is not None:
                self._tell(press)


def _request(wiring: Buttons) -> Lines:
    try:
        import gpiod
        from gpiod.line import Bias, Clock, Direction, Edge
    except ImportError:
        raise ButtonsFault("gpiod is not installed: install Caipan with its extra 'pi'") from None
    settings = gpiod.LineSettings(
        direction=Direction.INPUT,
        edge_detection=Edge.BOTH,
        bias=Bias.PULL_UP,
        active_low=True,
        event_clock=Clock.MONOTONIC,
    )
    pins = tuple(wiring.pins().values())
    try:
        return gpiod.request_lines(wiring.chip, consumer="caipan", config={pins: settings}, event_buffer_size=_QUEUE)
    except OSError as error:
        raise ButtonsFault(f"{wiring.chip}: no buttons there ({error.strerror}): see the wiring table") from None
