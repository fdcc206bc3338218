"""Acts bracketed by frames whose instants are less sure than is reckoned with: their brackets are made wider.

Whoever compares a bracket with a press allows a fixed error for frames. A frame that came late, or whose stamp cannot
be believed, was seen at some time between its start and its end, which may be far more.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

from vision.acts import Relocated

if TYPE_CHECKING:
    from vision.acts import BoardAct, Bracket
    from vision.observation import Frame

_MOST = 10_000
"""So many changes of the error are remembered; before them the largest counts."""


class FrameErrors:
    """Remembers frames' errors beyond ``allowed_ns``. Frames in order of their indices."""

    def __init__(self, allowed_ns: int) -> None:
        self._allowed_ns = allowed_ns
        self._since: list[tuple[int, int]] = []
        """The first frame with an error, and that; it lasts until the next one."""
        self._before_ns = 0

    def saw(self, frame: Frame) -> None:
        """A frame was read."""
        error_ns = max(0, -(-(frame.end_ns - frame.start_ns) // 2) - self._allowed_ns)
        if error_ns == (self._since[-1][1] if self._since else 0):
            return
        self._since.append((frame.index, error_ns))
        if len(self._since) > _MOST:
            self._before_ns = max(self._before_ns, self._since.pop(0)[1])

    def widened(self, act: BoardAct) -> BoardAct:
        """``act`` with brackets in which it surely happened."""
        if isinstance(act, Relocated):
            return replace(act, bracket=self._wide(act.bracket), left=self._wide(act.left))
        return replace(act, bracket=self._wide(act.bracket))

    def _wide(self, bracket: Bracket) -> Bracket:
        after_ns = bracket.after_ns
        if after_ns is not None and bracket.after_frame is not None:
            after_ns -= self._error_ns(bracket.after_frame)
        return replace(bracket, after_ns=after_ns, by_ns=bracket.by_ns + self._error_ns(bracket.by_frame))

    def _error_ns(self, index: int) -> int:
        place = bisect_right(self._since, index, key=itemgetter(0))
        return self._since[place - 1][1] if place else self._before_ns
