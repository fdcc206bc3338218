"""In the place of OpenCV's VideoCapture: a USB camera as the kernel's driver for them shows it, in made-up time."""

from __future__ import annotations

from collections import deque
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

MS = 1_000_000
INTERVAL_NS = 100 * MS
BUFFERS = 4
WAY_NS = 70 * MS
"""From the end of a frame's sight until the driver has it."""
SIGHT_NS = 40 * MS


class UsbCamera:
    """``lacks``: properties that it does not have; ``unwilling``: those that it keeps as they are."""

    def __init__(self, *, lacks: tuple[int, ...] = (), unwilling: tuple[int, ...] = (), frames: int = 10_000) -> None:
        self.lacks, self.unwilling, self.frames = lacks, unwilling, frames
        self.opened: tuple[Any, int] | None = None
        self.there = True
        self.now_ns = 1_000_000 * MS
        self.held_up_ns = 0
        """How long the box does something else before each frame that it asks for."""
        self.number = 0
        """Of the frame that was grabbed last."""
        self._coming = 1
        self._lying = deque[int]()
        self.broken: set[int] = set()
        self.values = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 166.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
        }

    def __call__(self, device: int | str, api: int) -> UsbCamera:
        self.opened = (device, api)
        return self

    def monotonic_ns(self) -> int:
        return self.now_ns

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def set(self, name: int, value: float) -> bool:
        if name in self.lacks:
            return False
        if name not in self.unwilling:
            self.values[name] = value
        return True

    def get(self, name: int) -> float:
        return -1.0 if name in self.lacks else self.values.get(name, 0.0)

    def grab(self) -> bool:
        self.now_ns += self.held_up_ns
        self._fill(BUFFERS - 1)  # one was the box's meanwhile
        if not self._lying:
            self.now_ns = max(self.now_ns, self._came_ns(self._coming))
            self._fill(BUFFERS)
        self.number = self._lying.popleft()
        return self.number <= self.frames

    def _fill(self, buffers: int) -> None:
        """The driver fills its buffers; what comes while none is free is lost."""
        while self._came_ns(self._coming) <= self.now_ns:
            if len(self._lying) < buffers:
                self._lying.append(self._coming)
            self._coming += 1

    def _came_ns(self, number: int) -> int:
        return 1_000_000 * MS + number * INTERVAL_NS

    def seen(self, number: int) -> tuple[int, int]:
        """When the frame was truly seen, one that was grabbed as number ``number``."""
        end_ns = self._came_ns(number) - WAY_NS
        return end_ns - SIGHT_NS, end_ns

    def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]:
        if self.number in self.broken:
            return False, None
        return True, np.full((48, 64, 3), self.number % 200 + 20, np.uint8)
