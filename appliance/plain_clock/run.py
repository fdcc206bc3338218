"""Runs the clock: one loop that hears everything in one queue, and around it threads that only bring or show.

The loop never waits for a display, a loudspeaker or a file.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from dataclasses import replace
from queue import Empty, SimpleQueue
from time import monotonic_ns, time_ns
from typing import TYPE_CHECKING, Any, Protocol

from appliance.plain_clock.appointment import reached
from appliance.plain_clock.keys import End
from appliance.plain_clock.records import Note, shortly
from clock.priority import Collecting, Priority, coming_first, lock_soon_free
from clock.show import Shown, ShowThread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from appliance.plain_clock.appointment import Appointment
    from appliance.plain_clock.records import Record
    from appliance.plain_clock.table import Heard, Outcome, Table
    from appliance.voice.words import Spoken
    from clock.displays.kinds import Openers

CHECK_S = 1.0
"""How often buttons are asked whether they are stuck, and the computer whether it slept."""
LEAST_SLEEP_NS = 500_000_000
"""Far more than passes between two looks at two clocks."""

Inbox = SimpleQueue["Heard"]
"""What comes to the loop from all threads."""


class Buttons(Protocol):
    """The wired buttons."""

    def check(self, now_ns: int) -> None: ...


class Speaker(Protocol):
    """Who calls out, without keeping anybody waiting."""

    def say(self, spoken: Spoken) -> None: ...


class Displays:
    """All displays, each in its thread; ``tell`` takes what becomes of them."""

    def __init__(self, openers: Openers, table: Table, tell: Callable[[Any], None]) -> None:
        self._threads = [ShowThread(Shown(name, opens, table.reading, tell)) for name, opens in openers.items()]

    def wake(self) -> None:
        """Show at once."""
        for thread in self._threads:
            thread.wake()

    def close(self) -> None:
        """End them all."""
        for thread in self._threads:
            thread.close()


def run(
    table: Table,
    inbox: Inbox,
    *,
    displays: Displays,
    publish: Callable[[Record], None],
    speaker: Speaker | None = None,
    buttons: Buttons | None = None,
    appointment: Appointment | None = None,
) -> End:
    """Until the table has ended; ``publish`` takes every record and must be quick."""
    with lock_soon_free(), coming_first(Priority.CLOCK):
        _loop(table, inbox, displays, publish, speaker, buttons, appointment)
    assert table.ended is not None
    return table.ended


def _loop(
    table: Table,
    inbox: Inbox,
    displays: Displays,
    publish: Callable[[Record], None],
    speaker: Speaker | None,
    buttons: Buttons | None,
    appointment: Appointment | None,
) -> None:
    check_ns, asleep_ns, collecting = monotonic_ns(), _asleep_ns(), Collecting()
    while table.ended is None:
        if appointment is not None:
            appointment = _awaited(appointment, inbox)
        until_hour_ns = None if appointment is None else appointment.hour_ns - time_ns()
        heard = _next(inbox, _patience_s(table, monotonic_ns(), until_hour_ns))
        if heard is not None:
            outcome = table.hear(heard)
            displays.wake()
            _give(outcome, publish, speaker)
        now_ns = monotonic_ns()
        if table.ended is None and inbox.empty():  # a press that waits may be older than a flag
            _give(table.pass_to(now_ns), publish, speaker)
        if now_ns >= check_ns:
            check_ns = now_ns + int(CHECK_S * 1e9)
            collecting.check()
            if buttons is not None:
                buttons.check(now_ns)
            before_ns, asleep_ns = asleep_ns, _asleep_ns()
            if (note := slept(asleep_ns - before_ns, now_ns)) is not None:
                inbox.put(note)


def slept(asleep_ns: int, now_ns: int) -> Note | None:
    """The computer slept for ``asleep_ns`` just now, so that the clock stood still unasked; None: it did not."""
    if asleep_ns < LEAST_SLEEP_NS:
        return None
    return Note(at_ns=now_ns, text=f"the computer slept for {shortly(asleep_ns)}, which is on nobody's time")


def _asleep_ns() -> int:
    """How long the computer has slept, where that is known."""
    since_boot = getattr(time, "CLOCK_BOOTTIME", None)  # Linux has it
    return 0 if since_boot is None else time.clock_gettime_ns(since_boot) - monotonic_ns()


def _awaited(appointment: Appointment, inbox: Inbox) -> Appointment | None:
    """Tell the hour if it has come; else what is still awaited."""
    now_ns = monotonic_ns()
    hour = reached(appointment.hour_ns, time_ns(), now_ns, appointment.known_ns)
    if hour is None:
        return replace(appointment, known_ns=now_ns)
    inbox.put(hour)
    return None


def _patience_s(table: Table, now_ns: int, until_hour_ns: int | None) -> float:
    due_ns = table.next_ns()
    waits = [CHECK_S] if due_ns is None else [CHECK_S, (due_ns - now_ns) / 1e9]
    return max(0, min(waits if until_hour_ns is None else [*waits, until_hour_ns / 1e9]))


def _next(inbox: Inbox, patience_s: float) -> Heard | None:
    try:
        return inbox.get(timeout=patience_s)
    except Empty:
        return None


def _give(outcome: Outcome, publish: Callable[[Record], None], speaker: Speaker | None) -> None:
    if speaker is not None:
        for call in outcome.calls:
            speaker.say(call)
    for record in outcome.records:
        publish(record)


_SIGNALS = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "SIGTERM",
    signal.SIGQUIT: "SIGQUIT",
    signal.SIGHUP: "the terminal is gone",
}


@contextmanager
def ended_by_signals(inbox: Inbox) -> Iterator[list[int]]:
    """An interrupt ends the clock in good order; a second one, at once. Gives the signals that came."""
    came: list[int] = []
    before: dict[int, Any] = {}

    def end(number: int, _frame: object) -> None:
        came.append(number)
        signal.signal(number, before[number] or signal.SIG_DFL)
        inbox.put(End(at_ns=monotonic_ns(), why=_SIGNALS[signal.Signals(number)]))

    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wishes
            before[number] = signal.signal(number, end)
    try:
        yield came
    finally:
        for restored, handler in before.items():
            signal.signal(restored, handler or signal.SIG_DFL)
