"""Decides when a camera process is started, ended and started again. No process and no clock of its own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

SECOND_NS = 1_000_000_000


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long to wait, in nanoseconds."""

    start_ns: int = 20 * SECOND_NS
    """For the first sign of life: on a small computer a camera takes its time."""
    silence_ns: int = 2 * SECOND_NS
    """For the next one."""
    retry_ns: int = SECOND_NS // 2
    """Before the next start; twice as long after each failure …"""
    longest_retry_ns: int = 30 * SECOND_NS
    """… up to this …"""
    steady_ns: int = 30 * SECOND_NS
    """… and short again once the camera has been seeing for so long."""


@dataclass(frozen=True, kw_only=True)
class CameraFault:
    """The camera sees nothing, known at ``t_ns``; ``what`` is one line. Each reason is told once in an outage."""

    t_ns: int
    what: str


@dataclass(frozen=True, kw_only=True)
class CameraBack:
    """The camera sees again; before ``t_ns`` it saw nothing for ``outage_ns``."""

    t_ns: int
    outage_ns: int


@dataclass(frozen=True, kw_only=True)
class CameraOver:
    """The source has come to its end, as a recording does."""

    t_ns: int


class Order(Enum):
    """What is to be done with the process."""

    START = auto()
    KILL = auto()


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A good frame came."""

    t_ns: int


@dataclass(frozen=True, kw_only=True)
class Alive:
    """The process lives and has nothing to show, which is as it should be."""

    t_ns: int


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A frame came that cannot be used; ``why`` in a few words."""

    t_ns: int
    why: str


@dataclass(frozen=True, kw_only=True)
class Failed:
    """The process could not be started, ended, said what is wrong, or sent what nobody understands."""

    t_ns: int
    why: str


@dataclass(frozen=True, kw_only=True)
class Renewed:
    """Somebody wants the process to begin anew, which is no fault of the camera's."""

    t_ns: int


Fact: TypeAlias = Seen | Alive | LeftOut | Failed | Renewed | CameraOver
Outcome: TypeAlias = tuple[Order | CameraFault | CameraBack | CameraOver, ...]


class _State(Enum):
    WAITING = auto()
    STARTING = auto()
    SEEING = auto()
    OVER = auto()


class CameraWatch:
    """Watches one camera from ``now_ns`` on. Facts and instants in order of time; all by the monotonic clock."""

    def __init__(self, now_ns: int, patience: Patience | None = None) -> None:
        self._patience = patience or Patience()
        self._state = _State.WAITING
        self._start_ns = now_ns
        self._retry_ns = self._patience.retry_ns
        self._heard_ns = self._began_ns = self._seen_ns = now_ns
        self._left_out = ""
        self._told = set[str]()
        """What was told in this outage; empty: there is none."""

    def tell(self, fact: Fact) -> Outcome:
        """What follows from ``fact``. Of a process that is not to be running any more nothing does."""
        if self._state in (_State.WAITING, _State.OVER):
            return ()
        match fact:
            case Renewed():
                self._state, self._heard_ns, self._left_out = _State.STARTING, fact.t_ns, ""
                return (Order.KILL, Order.START)
            case Seen():
                return self._saw(fact.t_ns)
            case Alive():
                self._heard_ns = fact.t_ns
                return ()
            case LeftOut():
                self._left_out = fact.why
                return ()
            case Failed():
                return self._fail(fact.t_ns, fact.why)
            case CameraOver():
                self._state = _State.OVER
                return (Order.KILL, fact)

    def pass_to(self, now_ns: int) -> Outcome:
        """Time has come to ``now_ns``."""
        due_ns = self.next_ns()
        if due_ns is None or now_ns < due_ns:
            return ()
        if self._state is _State.WAITING:
            self._state, self._heard_ns, self._left_out = _State.STARTING, now_ns, ""
            return (Order.START,)
        what = "the camera does not start" if self._state is _State.STARTING else "the camera has stopped"
        why = f"each picture {self._left_out}" if self._left_out else "no picture comes"
        return self._fail(now_ns, f"{what}: {why}: check its cable")

    def next_ns(self) -> int | None:
        """When :meth:`pass_to` will next have something to say, if nothing is told; None: never."""
        match self._state:
            case _State.WAITING:
                return self._start_ns
            case _State.STARTING:
                return self._heard_ns + self._patience.start_ns
            case _State.SEEING:
                return self._heard_ns + self._patience.silence_ns
        return None

    def _saw(self, now_ns: int) -> Outcome:
        if self._state is _State.STARTING:
            self._state, self._began_ns = _State.SEEING, now_ns
        if now_ns - self._began_ns >= self._patience.steady_ns:
            self._retry_ns = self._patience.retry_ns
        outage_ns, self._seen_ns = now_ns - self._seen_ns, now_ns
        self._heard_ns, self._left_out = now_ns, ""
        if not self._told:
            return ()
        self._told.clear()
        return (CameraBack(t_ns=now_ns, outage_ns=outage_ns),)

    def _fail(self, now_ns: int, why: str) -> Outcome:
        self._state, self._start_ns = _State.WAITING, now_ns + self._retry_ns
        self._retry_ns = min(2 * self._retry_ns, self._patience.longest_retry_ns)
        if why in self._told:
            return (Order.KILL,)
        self._told.add(why)
        return (Order.KILL, CameraFault(t_ns=now_ns, what=why))
