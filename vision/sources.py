"""Where a camera process has its pictures from: the one thing that a kind of camera must bring.

A source is made in the box, sent to the camera process and used there alone. It may hang for ever, raise anything or
end its process: see :mod:`vision.camera`. Kinds: :class:`vision.recorded_source.RecordedSource`. A module for
picamera2 or V4L2 stands beside that one and imports its library in ``frames`` alone, so that the box never does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.observation import Frame
    from vision.recording import BadFrame


class SourceFault(Exception):  # noqa: N818
    """There are no pictures to be had; the message is one line: what, why, what to do."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """The last frame that the box had of this source, before the process was started again."""

    index: int
    instant_ns: int


class Source(Protocol):
    """Frames in the order of their instants, in nanoseconds of the box's clock; it can be pickled."""

    @property
    def as_taken(self) -> bool:
        """Whether it waits for the box to take each frame, as no camera can."""

    def frames(self, after: Place | None) -> Iterator[Frame | BadFrame | None]:
        """Open the source and go on ``after`` that place, numbering on from there; None: from the beginning.

        Yields frames, and tells of those left out. Yielding None says: nothing now, and that is as it should be. The
        end is the source's end. Raises SourceFault.
        """
