"""What a service tells the system's manager of itself: that it is ready, what it does, that it is alive.

The protocol is sd_notify(3)'s: a datagram for each message, to the socket that the manager names. Started by hand there
is no such socket, and nothing is told.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_STATUS = 200
"""Characters of a status that are told: it is shown in one line."""


def feed_every_ns(environment: Mapping[str, str], pid: int) -> int | None:
    """How often the watchdog wants to be fed, nanoseconds; None: there is none for the process ``pid``.

    Half of what it waits, as sd_watchdog_enabled(3) advises.
    """
    if environment.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    waits_us = environment.get("WATCHDOG_USEC", "")
    return int(waits_us) * 1000 // 2 if waits_us.isdecimal() and int(waits_us) else None


def address(environment: Mapping[str, str]) -> str | None:
    """The manager's socket; None: nobody listens, or on a socket of a kind that is not known here."""
    named = environment.get("NOTIFY_SOCKET", "")
    if named.startswith("@"):  # Linux's abstract names
        return "\0" + named[1:]
    return named if named.startswith("/") else None


@dataclass(kw_only=True)
class Feeding:
    """When the watchdog is fed. ``every_ns``: None for never."""

    every_ns: int | None
    _fed_ns: int | None = None

    def due(self, now_ns: int) -> bool:
        """Whether it is to be fed now; then it counts as fed."""
        if self.every_ns is None or (self._fed_ns is not None and now_ns - self._fed_ns < self.every_ns):
            return False
        self._fed_ns = now_ns
        return True


class Manager:
    """The system's manager, for any thread. Nothing here waits for it or raises: who does not listen is not told."""

    def __init__(self, environment: Mapping[str, str], pid: int) -> None:
        self._address = address(environment)
        self._feeding = Feeding(every_ns=feed_every_ns(environment, pid))

    def ready(self, status: str) -> None:
        """All is open and runs."""
        self._tell("READY=1", _status(status))

    def status(self, status: str) -> None:
        """What goes on, in one line."""
        self._tell(_status(status))

    def alive(self, now_ns: int) -> None:
        """The caller's loop turns; to be told about once a second, with the monotonic clock's instant."""
        if self._feeding.due(now_ns):
            self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """The service has begun to end."""
        self._tell("STOPPING=1")

    def _tell(self, *lines: str) -> None:
        if self._address is None:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.setblocking(False)
            out.sendto("\n".join(lines).encode(errors="replace"), self._address)


def _status(text: str) -> str:
    return "STATUS=" + " ".join(text.split())[:_LONGEST_STATUS]
