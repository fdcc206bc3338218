"""Where a camera process has its pictures from: the one thing that a kind of camera must bring.

A source is made in the box, sent to the camera process and used there alone. It may hang for ever, raise anything or
end its process: see :mod:`vision.camera`. Kinds: :class:`vision.recorded_source.RecordedSource`,
:class:`vision.picamera2_source.Picamera2Source`, :class:`vision.usb_source.UsbSource`; each imports its library in
``frames`` alone, so that the box never does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.observation import Frame
    from vision.recording import BadFrame


Interval: TypeAlias = tuple[int, int]
"""The earliest and the latest instant, in nanoseconds."""


class SourceFault(Exception):  # noqa: N818
    """There are no pictures to be had; the message is one line: what, why, what to do."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """The last frame that the box had of this source, before the process was started again.

    ``learned``: what the source said that it had learned.
    """

    index: int
    instant_ns: int
    learned: str = ""


@dataclass(frozen=True, kw_only=True)
class Remark:
    """Something odd of the camera, which sees all the same: one line for the referee. ``t_ns``: when."""

    t_ns: int
    what: str


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What a source found out about the light, in its own words: told once, and given back to it after an outage."""

    what: str


Given: TypeAlias = "Frame | BadFrame | Remark | Learned | None"
"""What a source yields."""


class Source(Protocol):
    """Frames in the order of their instants, in nanoseconds of the box's clock; it can be pickled."""

    @property
    def as_taken(self) -> bool:
        """Whether it waits for the box to take each frame, as no camera can."""

    def frames(self, after: Place | None) -> Iterator[Given]:
        """Open the source and go on ``after`` that place, numbering on from there; None: from the beginning.

        Yields frames, and tells of those left out and of what is odd. Yielding None says: nothing now, and that is as
        it should be. The end is the source's end. Raises SourceFault.
        """
