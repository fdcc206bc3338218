"""When a frame was seen, as far as only its arrival can tell: some time before it, and it is said how long."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.sources import Interval


class ArrivalInstants:
    """Instants of frames that come from a driver which fills buffers in turn, since ``began_ns``.

    ``turns``: a frame's buffer was given to the driver only after the frame so many before it was asked for.
    ``sight_ns``: from when the sensor begins to see a frame until the driver has it: exposure, read-out and transfer.
    """

    def __init__(self, began_ns: int, *, sight_ns: int, turns: int) -> None:
        self._began_ns, self._sight_ns = began_ns, sight_ns
        self._asked_ns = deque[int](maxlen=turns)

    def came(self, asked_ns: int, came_ns: int) -> Interval:
        """The earliest and the latest at which the frame was seen that was asked for and came at these instants.

        That it had to be waited for does not show that it was new: who asks may itself have been held up after it
        looked at the clock.
        """
        full = len(self._asked_ns) == self._asked_ns.maxlen
        free_ns = self._asked_ns[0] if full else self._began_ns
        self._asked_ns.append(asked_ns)
        return free_ns - self._sight_ns, came_ns
