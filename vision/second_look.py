"""The network's opinion of points that look changed, asked for while nothing moves there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.observation import Content, Intersection
from vision.stone_net import CLASSES, read_canvas

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.rectify import Rectifier

SURE = 0.9
"""How likely the network must hold what it sees on a point to be sure of it."""

_AROUND = 2
"""Points around those that it is asked about that it gets to see."""

_NEIGHBOURS = np.ones((3, 3), np.uint8)


ASKED = 2
"""In how many frames it must have said the same: one may be misread."""


@dataclass(frozen=True, kw_only=True)
class _Opinion:
    """What was seen on a point, None when it was not sure, in how many frames, and when first."""

    content: Content | None
    frames: int
    since_ns: int


class SecondLook:
    """Asks about as few points as it can; what was said holds until something moves at the point or beside it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._said: dict[Intersection, _Opinion] = {}

    def ask(
        self,
        image: NDArray[np.uint8],
        rectify: Rectifier,
        changed: NDArray[np.bool_],
        still_since: NDArray[np.int64],
        now_ns: int,
    ) -> None:
        """Ask about the ``changed`` points, (size, size), of ``image`` where nothing moves.

        ``rectify``: onto the plane of the stones' middles. ``still_since``: (size + 2, size + 2) instants since which
        each tile has not moved.
        """
        moved_ns = cv2.dilate(still_since.astype(np.float64), _NEIGHBOURS)[1:-1, 1:-1]
        points = [Intersection(int(row), int(col)) for row, col in np.argwhere(changed & (moved_ns < now_ns))]
        self._said = {
            at: self._said[at] for at in points if at in self._said and moved_ns[at] <= self._said[at].since_ns
        }
        new = [at for at in points if at not in self._said or self._said[at].frames < ASKED]
        if not new:
            return
        top, left = (max(min(at[axis] for at in new) - _AROUND, 0) for axis in (0, 1))
        bottom, right = (min(max(at[axis] for at in new) + _AROUND, self._size - 1) for axis in (0, 1))
        # A tile more on each side: the network says nothing of the outermost.
        chances = read_canvas(rectify.tiles(image, slice(top, bottom + 3), slice(left, right + 3)))
        for at in new:
            told = chances[at.row - top, at.col - left]
            content = CLASSES[int(told.argmax())] if told.max() >= SURE else None
            before = self._said.get(at)
            if before is None:
                self._said[at] = _Opinion(content=content, frames=1, since_ns=now_ns)
            else:
                agreed = content if content is before.content else None
                self._said[at] = replace(before, content=agreed, frames=before.frames + 1)

    def forget(self) -> None:
        """The board may lie elsewhere: what was said of its points holds no more."""
        self._said = {}

    def sees(self, at: Intersection) -> Content | None:
        """What the network is sure to see on ``at``; None when it was not asked, or is not sure."""
        opinion = self._said.get(at)
        return opinion.content if opinion is not None else None

    def uncovered(self) -> NDArray[np.bool_]:
        """(size, size): the points that it was asked about and that it is sure nothing covers."""
        out = np.zeros((self._size, self._size), bool)
        for at, opinion in self._said.items():
            out[at] = opinion.content not in (None, Content.UNSEEN)
        return out
