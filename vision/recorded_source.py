"""A recording in the camera's place: its frames and events at their instants, or as many times faster."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vision.recording import BadFrame, Recording, RecordingError
from vision.sources import SourceFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from vision.observation import Frame
    from vision.recording import RecordedEvent
    from vision.sources import Place

LIFE_SIGN_NS = 500_000_000
"""How often a source that waits says so."""


@dataclass(frozen=True, kw_only=True)
class Pace:
    """When what was recorded happens again.

    What was recorded at ``begin_ns`` happens at ``at_ns`` of the monotonic clock, all else as much before or after it
    as it was recorded. ``speed``: how many times faster than that the box's time then goes; infinite: as fast as the
    frames are taken.
    """

    at_ns: int
    begin_ns: int = 0
    speed: float = 1.0

    def __post_init__(self) -> None:
        if not self.speed > 0:
            raise ValueError(f"a speed of {self.speed} does not go forward: write a number above 0, or inf")

    def instant_ns(self, recorded_ns: int) -> int:
        """The box's instant for a recorded one."""
        return self.at_ns + recorded_ns - self.begin_ns

    def recorded_ns(self, instant_ns: int) -> int:
        """The recorded instant for one of the box's."""
        return instant_ns - self.at_ns + self.begin_ns

    def due_ns(self, recorded_ns: int) -> int:
        """When it is to happen, by the monotonic clock."""
        return self.at_ns + round((recorded_ns - self.begin_ns) / self.speed)

    def now_ns(self, monotonic_ns: int) -> int:
        """The box's instant at an instant of the monotonic clock. Raises ValueError where no clock sets the pace."""
        if math.isinf(self.speed):
            raise ValueError("no clock sets this pace: the frames taken do")
        return self.at_ns + round((monotonic_ns - self.at_ns) * self.speed)


@dataclass(frozen=True, kw_only=True)
class RecordedSource:
    """The recording in ``folder``, from ``pace.begin_ns`` on. A :class:`vision.sources.Source`."""

    folder: Path
    pace: Pace

    @property
    def as_taken(self) -> bool:
        """Whether the frames taken set the pace."""
        return math.isinf(self.pace.speed)

    def frames(self, after: Place | None) -> Iterator[Frame | BadFrame | None]:
        """The frames at the box's instants, each when it is due; ``after`` an outage, those that are still to come."""
        pace, bad = self.pace, list[BadFrame]()
        since_ns = pace.begin_ns
        if after is not None:
            since_ns = pace.recorded_ns(after.instant_ns) + 1
            if not self.as_taken:
                since_ns = max(since_ns, pace.recorded_ns(pace.now_ns(time.monotonic_ns())))
        try:
            for frame in Recording.open(self.folder).frames_since(since_ns, bad.append):
                yield from (replace(one, t_ns=pace.instant_ns(one.t_ns)) for one in bad)
                bad.clear()
                yield from _until(pace.due_ns(frame.instant_ns))
                start_ns, end_ns = pace.instant_ns(frame.start_ns), pace.instant_ns(frame.end_ns)
                yield replace(frame, start_ns=start_ns, end_ns=end_ns)
            yield from (replace(one, t_ns=pace.instant_ns(one.t_ns)) for one in bad)
        except RecordingError as error:
            raise SourceFault(str(error)) from None


def _until(due_ns: int) -> Iterator[None]:
    """Waits, with a sign of life now and then."""
    while (left_ns := due_ns - time.monotonic_ns()) > 0:
        yield None
        time.sleep(min(left_ns, LIFE_SIGN_NS) / 1e9)


class RecordedEvents:
    """A recording's presses and decisions, from ``pace.begin_ns`` on, for whoever plays the buttons; no clock."""

    def __init__(self, events: Sequence[RecordedEvent], pace: Pace) -> None:
        self._coming = [
            replace(event, t_ns=pace.instant_ns(event.t_ns)) for event in events if event.t_ns >= pace.begin_ns
        ]

    def next_ns(self) -> int | None:
        """The box's instant of the next event; None: there are no more."""
        return self._coming[0].t_ns if self._coming else None

    def until(self, now_ns: int) -> list[RecordedEvent]:
        """The events by the box's instant ``now_ns`` that were not given yet, ``t_ns`` being the box's instants."""
        due = [event for event in self._coming if event.t_ns <= now_ns]
        del self._coming[: len(due)]
        return due
