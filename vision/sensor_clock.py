"""Whether a camera's stamps are the box's clock: measured at the start, and checked with every frame.

A stamp that is later than the truth could make a press look early that was not; so a stamp is believed only as long as
it fits the frame's arrival as it did at the start. Else the arrival is taken, with all it leaves open.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.sources import Interval

MS = 1_000_000
SAMPLES = 8
"""So many frames tell at least how late they come; …"""
MEASURED_FRAMES = 100
"""… during so many more one may still come sooner, for the machine may have been busy at the start, …"""
OF_READOUT = 0.8
"""… but not before this share of its read-out, the time of which is known as an upper limit."""
SLOWEST_NS = 400 * MS
"""No frame takes longer from the sensor to us, if not held up."""
AHEAD_NS = 10 * MS
"""By so much a frame may come sooner than the soonest at the start …"""
LATE_NS = 100 * MS
"""… and later; what comes later still may be late itself, or have a wrong stamp."""
LATE_FRAMES = 10
"""So many of those on end are worth a word."""


@dataclass(frozen=True, kw_only=True)
class Stamped:
    """A frame's stamp by the sensor's clock, None: it has none, and when it came."""

    sensor_ns: int | None
    came_ns: int

    @property
    def delay_ns(self) -> int | None:
        """How much later it came."""
        return None if self.sensor_ns is None else self.came_ns - self.sensor_ns


@dataclass(frozen=True, kw_only=True)
class Offset:
    """``ahead_ns``: how far the sensor's clock is ahead of the box's; ``soonest_ns``: from a stamp to the arrival."""

    ahead_ns: int
    soonest_ns: int


def measured_offset(stamped: Sequence[Stamped], boottime_ahead_ns: int) -> Offset | None:
    """Which of the kernel's clocks the stamps are of: the monotonic one, or boottime, which also counts sleep.

    None: neither; no frame may have come before its stamp, and one must have come soon after.
    """
    delays = [one.delay_ns for one in stamped]
    known = [delay for delay in delays if delay is not None]
    if not known or len(known) < len(delays):
        return None
    for ahead_ns in (0, boottime_ahead_ns):
        if 0 <= min(known) + ahead_ns <= SLOWEST_NS:
            return Offset(ahead_ns=ahead_ns, soonest_ns=min(known) + ahead_ns)
    return None


class Trust(Enum):
    """What is thought of a sensor's stamps."""

    FULL = auto()
    LATE = auto()
    """Frames come late after them, for long: they may be right."""
    NONE = auto()


class SensorClock:
    """Believes a sensor's stamps, or does not. ``offset``: as measured at the start; None: they fit no clock of ours.

    ``readout_ns``: from the first row's read-out to the last one's, at most.
    """

    def __init__(self, offset: Offset | None, *, readout_ns: int) -> None:
        self._ahead_ns = 0 if offset is None else offset.ahead_ns
        self._soonest_ns = None if offset is None else offset.soonest_ns
        self._readout_ns = readout_ns
        self._believed = offset is not None
        self._frames = self._late = 0
        self._fitting = deque[int](maxlen=SAMPLES)
        """How late the last frames came that would fit again."""

    @property
    def trust(self) -> Trust:
        """Of the last frame's stamp."""
        if not self._believed:
            return Trust.NONE
        return Trust.LATE if self._late >= LATE_FRAMES else Trust.FULL

    def seen(self, stamped: Stamped, exposure_ns: int, arrival: Interval) -> Interval:
        """When a frame was seen: its exposure's start, first row, and end, last row. ``arrival``: as that tells it.

        A frame that came late was seen as its stamp says, or the stamp is too early: that leaves the time between.
        """
        delay_ns = stamped.delay_ns
        if self._soonest_ns is None:
            return arrival
        if delay_ns is None:
            self._disbelieve()
            return arrival
        delay_ns += self._ahead_ns
        self._frames += 1
        if self._frames <= MEASURED_FRAMES and delay_ns >= OF_READOUT * self._readout_ns:
            self._soonest_ns = min(self._soonest_ns, delay_ns)
        if delay_ns < self._soonest_ns - AHEAD_NS:
            self._disbelieve()
            return arrival
        late = delay_ns > self._soonest_ns + LATE_NS
        self._late = self._late + 1 if late else 0
        if not self._believed:
            self._fitting.append(delay_ns)
            # As many on end as at the start, that came as soon as then.
            self._believed = len(self._fitting) == SAMPLES and min(self._fitting) <= self._soonest_ns + AHEAD_NS
        if not self._believed:
            return arrival
        start_ns = stamped.came_ns - delay_ns - exposure_ns
        if late:
            return max(start_ns, arrival[0]), stamped.came_ns
        return start_ns, stamped.came_ns - delay_ns + self._readout_ns

    def _disbelieve(self) -> None:
        self._believed = False
        self._fitting.clear()
