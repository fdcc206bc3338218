"""Who presses the buttons and decides as it was recorded."""

from __future__ import annotations

from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING

from appliance.live.items import Asked
from appliance.referee import press_of
from vision.recording import RecordedDecision, RecordedPress

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.live.box import Time
    from appliance.live.items import Item
    from vision.recorded_source import RecordedEvents


class Player:
    """Presses the buttons and decides as a recording did."""

    def __init__(self, events: RecordedEvents, hear: Callable[[Item], None], told: Time) -> None:
        self._events, self._hear, self._told = events, hear, told
        self._closing = Event()
        self._thread = Thread(target=self._run, name="player", daemon=True)

    def until(self, t_ns: int) -> None:
        """All that happened by ``t_ns``, game time, happens."""
        for event in self._events.until(self._instant(t_ns)):
            at_ns = self._told.game_ns(event.t_ns)
            match event:
                case RecordedPress():
                    self._hear(replace(press_of(event), t_ns=at_ns))
                case RecordedDecision():
                    self._hear(Asked(decision=event.payload, t_ns=at_ns))

    def start(self) -> None:
        """Go on by the clock."""
        self._thread.start()

    def close(self) -> None:
        """No more."""
        self._closing.set()
        self._thread.join(5)

    def _instant(self, t_ns: int) -> int:
        return t_ns - self._told.game_ns(0)

    def _run(self) -> None:
        while (due_ns := self._events.next_ns()) is not None and not self._closing.is_set():
            wait_ns = self._told.game_ns(due_ns) - self._told.now_ns()
            if wait_ns > 0:
                self._closing.wait(min(wait_ns / 1e9, 0.2))
            else:
                self.until(self._told.game_ns(due_ns))
