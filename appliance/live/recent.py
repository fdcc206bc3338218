"""The frames of the last minute, as JPEG: all of the newest, of the older ones a few a second."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from threading import Lock

ALL_NS = 4_000_000_000
"""For so long every frame is kept …"""
SPARSE_NS = 500_000_000
"""… then one in so much …"""
LONGEST_NS = 60_000_000_000
"""… and for no longer than this."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """One frame. ``index``: the camera's number of it; ``scale``: of the picture in ``data``, at most 1."""

    index: int
    t_ns: int
    data: bytes
    scale: float = 1.0


class Recent:
    """Frames are added in order; for any thread."""

    def __init__(self) -> None:
        self._kept: list[Kept] = []
        self._thinned = 0
        """So many of them, the oldest, have been thinned."""
        self._lock = Lock()

    def add(self, frame: Kept) -> None:
        """One more; older ones may go for it."""
        with self._lock:
            self._kept.append(frame)
            self._thin(frame.t_ns)

    def before(self, t_ns: int) -> Kept | None:
        """The newest kept frame at ``t_ns`` or before."""
        with self._lock:
            place = bisect_right(self._kept, t_ns, key=lambda kept: kept.t_ns)
            return self._kept[place - 1] if place else None

    def after(self, t_ns: int) -> Kept | None:
        """The oldest kept frame at ``t_ns`` or after."""
        with self._lock:
            place = bisect_left(self._kept, t_ns, key=lambda kept: kept.t_ns)
            return self._kept[place] if place < len(self._kept) else None

    def __len__(self) -> int:
        return len(self._kept)

    def _thin(self, now_ns: int) -> None:
        while self._thinned < len(self._kept) and self._kept[self._thinned].t_ns < now_ns - ALL_NS:
            before = self._kept[self._thinned - 1] if self._thinned else None
            if before is not None and self._kept[self._thinned].t_ns // SPARSE_NS == before.t_ns // SPARSE_NS:
                del self._kept[self._thinned]
            else:
                self._thinned += 1
        gone = bisect_left(self._kept, now_ns - LONGEST_NS, key=lambda kept: kept.t_ns)
        del self._kept[:gone]
        self._thinned -= min(gone, self._thinned)
