"""When a frame was seen, as far as only its arrival can tell: some time before it, and it is said how long."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.sources import Interval

WAITED = 0.25
"""A frame that had to be waited for at least so much of the time between two was not lying there before."""


class ArrivalInstants:
    """Instants of frames that come from a driver which fills ``buffers`` buffers in turn, since ``began_ns``.

    ``interval_ns``: from one frame to the next. ``sight_ns``: from when the sensor begins to see a frame until the
    driver has it: exposure, read-out and transfer.
    """

    def __init__(self, began_ns: int, *, interval_ns: int, sight_ns: int, buffers: int) -> None:
        self._interval_ns, self._sight_ns = interval_ns, sight_ns
        self._asked_ns = deque[int](maxlen=buffers)
        self._none_lay_ns = began_ns

    def came(self, asked_ns: int, came_ns: int) -> Interval:
        """The earliest and the latest at which the frame was seen that was asked for and came at these instants.

        One that was waited for was finished meanwhile. One that lay there was finished after the last of those; and
        after its buffer was given to the driver, which is as many frames ago as there are buffers.
        """
        if came_ns - asked_ns >= WAITED * self._interval_ns:
            finished_ns, self._none_lay_ns = asked_ns, came_ns
        else:
            finished_ns = self._none_lay_ns
            if len(self._asked_ns) == self._asked_ns.maxlen:
                finished_ns = max(finished_ns, self._asked_ns[0])
        self._asked_ns.append(asked_ns)
        return finished_ns - self._sight_ns, came_ns
