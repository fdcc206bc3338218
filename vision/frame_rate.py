"""Whether as many frames come as were asked for."""

from __future__ import annotations

WINDOW_NS = 10_000_000_000
"""Counted for so long."""
ENOUGH = 0.85
"""Of what was asked for; fewer are worth a word."""


class FrameRate:
    """Counts frames; ``fps``: as many a second were asked for."""

    def __init__(self, fps: float) -> None:
        self._fps = fps
        self._since_ns: int | None = None
        self._frames, self._few = 0, False

    def frame(self, now_ns: int) -> float | None:
        """How many frames a second come when they have become too few; None: nothing new."""
        if self._since_ns is None:
            self._since_ns = now_ns
            return None
        self._frames += 1
        if now_ns - self._since_ns < WINDOW_NS:
            return None
        fps = self._frames * 1e9 / (now_ns - self._since_ns)
        few_before, self._few = self._few, fps < ENOUGH * self._fps
        self._since_ns, self._frames = now_ns, 0
        return fps if self._few and not few_before else None
