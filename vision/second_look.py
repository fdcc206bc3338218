"""The network's opinion of points that look changed, asked for while nothing moves there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.observation import Content, Instant, Intersection
from vision.stone_net import ATTITUDES, CLASSES, likely, logs_of, read_canvas

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.observation import Frame
    from vision.rectify import Rectifier

SURE = 0.9
"""How likely the network must hold what it sees on a point to be sure of it."""

_AROUND = 2
"""Points around those that it is asked about that it gets to see."""

_NEIGHBOURS = np.ones((3, 3), np.uint8)

ASKED = 2
"""In how many frames on end it must say what goes against what is held, or against what it said: one may be misread."""

_MOST_ASKED = 8
"""How often it is asked about a point where nothing moves, while it is not sure."""

AT_REST, AT_REST_NS = 0.9, 400_000_000
"""The part of the points at which nothing must have moved for so long before the whole board is looked over."""

AUDIT_NS = 1_000_000_000
"""How long it is before the board is looked over again, if something moved meanwhile."""


@dataclass(frozen=True, kw_only=True)
class _Opinion:
    """What was seen on a point. ``logs``: (4,) mean logarithms of the chances in so many ``frames`` on end.

    ``asked``: in how many frames it was asked. ``since_ns``: when first.
    """

    logs: NDArray[np.float32]
    frames: int
    asked: int
    since_ns: int

    @cached_property
    def content(self) -> Content | None:
        """None when it is not sure."""
        chances = likely(self.logs)
        return CLASSES[int(chances.argmax())] if chances.max() >= SURE else None

    @property
    def settled(self) -> bool:
        """Whether asking again is of no use."""
        return (self.frames >= ASKED and self.content is not None) or self.asked >= _MOST_ASKED

    def and_now(self, logs: NDArray[np.float32]) -> _Opinion:
        """With one more frame; when that surely shows something else, what was seen before counts no more."""
        now = replace(self, logs=logs, frames=1, asked=self.asked + 1)
        if self.content is not None and now.content not in (None, self.content):
            return now
        mean = self.logs + (logs - self.logs) / np.float32(self.frames + 1)
        return replace(now, logs=mean, frames=self.frames + 1)


class SecondLook:
    """Asks about as few points as it can; what was said holds until something moves at the point or beside it.

    What looks changed is asked about at once. When most of the board is at rest, all of it is looked over: a stone may
    have come unnoticed where it looks like the board.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._said: dict[Intersection, _Opinion] = {}
        self._held = np.full((size, size), -1, np.int8)
        # When it last saw what is held: only where it ever did, its word weighs against that.
        self._agreed: dict[Intersection, Instant] = {}
        self._audited_ns: int | None = None
        self._turn = -1

    def ask(
        self,
        frame: Frame,
        rectify: Rectifier,
        changed: NDArray[np.bool_],
        held: NDArray[np.int8],
        still_since: NDArray[np.int64],
    ) -> None:
        """Ask about points of ``frame`` where nothing moves.

        ``rectify``: onto the plane of the stones' middles. ``changed``: (size, size), the points that look otherwise
        than they did. ``held``: (size, size), places in CLASSES of what was last known to stand there. ``still_since``:
        (size + 2, size + 2) instants since which each tile has not moved.
        """
        now_ns = frame.instant_ns
        for row, col in np.argwhere(held != self._held):
            self._agreed.pop(Intersection(int(row), int(col)), None)
        self._held = held.copy()
        moved_ns = np.asarray(cv2.dilate(still_since.astype(np.float64), _NEIGHBOURS)[1:-1, 1:-1], np.float64)
        moved = moved_ns.tolist()
        self._said = {at: said for at, said in self._said.items() if moved[at.row][at.col] <= said.since_ns}
        audit = self._audit_due(moved_ns, now_ns)
        wanted = changed | audit
        for at in self._said:
            wanted[at] = audit or self._unsettled(at, changed=bool(changed[at]))
        points = [Intersection(int(row), int(col)) for row, col in np.argwhere(wanted & (moved_ns < now_ns))]
        if not points:
            return
        top, left = (max(min(at[axis] for at in points) - _AROUND, 0) for axis in (0, 1))
        bottom, right = (min(max(at[axis] for at in points) + _AROUND, self._size - 1) for axis in (0, 1))
        # A tile more on each side: the network says nothing of the outermost.
        canvas = rectify.tiles(frame.image, slice(top, bottom + 3), slice(left, right + 3))
        self._turn = (self._turn + 1) % ATTITUDES
        logs = logs_of(read_canvas(canvas, self._turn))
        for at in points:
            told, before = logs[at.row - top, at.col - left], self._said.get(at)
            opinion = before.and_now(told) if before else _Opinion(logs=told, frames=1, asked=1, since_ns=now_ns)
            self._said[at] = opinion
            if opinion.content is CLASSES[held[at]]:
                self._agreed[at] = Instant(ns=now_ns, frame=frame.index)

    def _unsettled(self, at: Intersection, *, changed: bool) -> bool:
        """Whether to go on asking about a point: one that changed, or where it last saw something else than is held."""
        said = self._said[at]
        return not said.settled and (changed or said.content is not CLASSES[self._held[at]])

    def _audit_due(self, moved_ns: NDArray[np.float64], now_ns: int) -> bool:
        if np.mean(moved_ns <= now_ns - AT_REST_NS) < AT_REST:
            return False
        if self._audited_ns is not None and (now_ns - self._audited_ns < AUDIT_NS or moved_ns.max() < self._audited_ns):
            return False
        self._audited_ns = now_ns
        return True

    def forget(self) -> None:
        """The board may lie elsewhere: what was said of its points holds no more."""
        self._said = {}

    def sees(self, at: Intersection) -> Content | None:
        """What the network is sure to see on ``at``; None when it was not asked, or is not sure."""
        opinion = self._said.get(at)
        if opinion is None or opinion.frames < min(ASKED, opinion.asked):
            return None
        return opinion.content

    def disputed(self) -> dict[Intersection, Instant]:
        """The points on which it surely sees a stone come or gone that is held otherwise, and when it last saw that.

        A stone's colour does not change: one that seems to lies in other light.
        """
        return {
            at: self._agreed[at]
            for at, said in self._said.items()
            if at in self._agreed
            and said.frames >= ASKED
            and Content.EMPTY in (said.content, CLASSES[self._held[at]])
            and said.content not in (None, Content.UNSEEN, CLASSES[self._held[at]])
        }

    def uncovered(self) -> NDArray[np.bool_]:
        """(size, size): the points that it was asked about and that it is sure nothing covers."""
        out = np.zeros((self._size, self._size), bool)
        for at in self._said:
            out[at] = self.sees(at) not in (None, Content.UNSEEN)
        return out
