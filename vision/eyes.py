"""From frames to what is told of the board: the acts that became certain, and whether all of it was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.follow import Follower
from vision.frame_error import FrameErrors
from vision.observation import Intersection
from vision.observe import Observer

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.acts import BoardAct
    from vision.observation import Frame, Observation


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """What one frame brought. ``seen_ns``: its instant; None where it did not show the board, which is as good as none.

    ``whole``: every point has been seen, and nothing that was seen is left untold. ``quiet``: nobody was about.
    """

    acts: Sequence[BoardAct]
    seen_ns: int | None
    whole: bool
    quiet: bool


class Eyes:
    """Watches one board. ``corners``: (4, 2) outer intersections in image pixels, in board order.

    ``rows``: what stands there at the beginning, one string a rank, the farthest first. ``frame_error_ns``: what
    whoever judges the acts allows for; where a frame's instant is less sure, their brackets are wider. None: it never
    is.
    """

    def __init__(
        self,
        corners: NDArray[np.float64],
        rows: Sequence[str],
        frame_size: tuple[int, int],
        *,
        frame_error_ns: int | None = None,
    ) -> None:
        self.observer = Observer(corners, list(rows), frame_size)
        self.follower = Follower(list(rows))
        self._shown: tuple[str, ...] | None = None
        self._errors = None if frame_error_ns is None else FrameErrors(frame_error_ns)

    def see(self, frame: Frame) -> Sighting:
        """A frame came."""
        if self._errors is not None:
            self._errors.saw(frame)
        return self.follow(self.observer.observe(frame))

    def follow(self, observation: Observation) -> Sighting:
        """A frame was read.

        The whole board counts as seen when two observations on end showed all of it, and the later one nothing else
        than the first but what is so new that it came after: a single one may be misread.
        """
        acts = self._bracketed(self.follower.follow(observation))
        before, self._shown = self._shown, observation.rows if observation.whole else None
        fresh = self.follower.fresh
        whole = (
            before is not None
            and self._shown is not None
            and self.follower.waiting == fresh
            and _differ(before, self._shown) <= fresh
        )
        seen_ns = None if observation.blind else observation.instant_ns
        return Sighting(acts=acts, seen_ns=seen_ns, whole=whole, quiet=not observation.disturbed)

    def finish(self) -> Sequence[BoardAct]:
        """No more frames come: what waited for one is told as it stands."""
        return self._bracketed(self.follower.finish())

    def _bracketed(self, acts: list[BoardAct]) -> list[BoardAct]:
        return acts if self._errors is None else [self._errors.widened(act) for act in acts]


def _differ(before: Sequence[str], now: Sequence[str]) -> frozenset[Intersection]:
    """The points at which two readings differ."""
    return frozenset(
        Intersection(row, col)
        for row, (was, is_) in enumerate(zip(before, now, strict=True))
        for col, (a, b) in enumerate(zip(was, is_, strict=True))
        if a != b
    )
