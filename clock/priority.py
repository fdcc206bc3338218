"""Threads on which the clock depends come before ordinary work, where Linux lets them.

Three things keep a thread that a press has woken from running: the scheduler, which may let another thread finish its
slice of some milliseconds first; Python's lock, which a thread at work keeps for the switch interval; and Python's
collector of unused objects, which looks through all there are, with the lock held.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SWITCH_INTERVAL_S = 0.0002
"""Python's own 5 ms are longer than a press may take; this costs the other threads next to nothing."""


class Priority(IntEnum):
    """Among real-time threads; every one of them comes before ordinary threads."""

    DISPLAY = 1
    CLOCK = 2


def come_first(priority: Priority) -> None:
    """Ask that the calling thread run before ordinary ones. It may stay ordinary: without the right (root has it, and
    a service with ``LimitRTPRIO=``), and elsewhere than on Linux.
    """
    if sys.platform == "linux":
        with suppress(PermissionError):
            # What the thread starts, such as a program that plays a sound, begins as an ordinary one.
            policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
            os.sched_setscheduler(0, policy, os.sched_param(priority))


@contextmanager
def coming_first(priority: Priority) -> Iterator[None]:
    """As :func:`come_first`, and an ordinary thread again afterwards."""
    come_first(priority)
    try:
        yield
    finally:
        if sys.platform == "linux":
            with suppress(PermissionError):
                os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


@contextmanager
def lock_soon_free() -> Iterator[None]:
    """Meanwhile a thread at work gives Python's lock to a woken one within :data:`SWITCH_INTERVAL_S`, and the collector
    works only when it is called: see :class:`Collecting`.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()
        sys.setswitchinterval(before)


class Collecting:
    """Calls the collector where nobody waits: :meth:`check` is to be called each second, between presses.

    What has lasted a minute is left out from then on, so that a long game takes no longer to look through.
    """

    _MINUTE = 60

    def __init__(self) -> None:
        self._seconds = 0

    def check(self) -> None:
        """Look through what is young; each minute, through all that came in it."""
        self._seconds += 1
        if self._seconds % self._MINUTE:
            gc.collect(0)
        else:
            gc.collect()
            gc.freeze()
