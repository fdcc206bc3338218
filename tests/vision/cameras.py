"""Sources for a camera process, each with its own way to go wrong; after an outage all of them are well."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from vision.observation import Frame
from vision.sources import SourceFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.recording import BadFrame
    from vision.sources import Place

MS = 1_000_000


def numbered(index: int, *, height: int = 48, width: int = 64) -> Frame:
    """Frame number ``index``, taken at as many milliseconds; each pixel tells the number."""
    image = np.full((height, width, 3), index % 251, np.uint8)
    return Frame(index=index, start_ns=index * MS, end_ns=index * MS, image=image, name=f"picture {index}")


class Trouble(Enum):
    """What happens after the first frames."""

    NONE = auto()
    DIES = auto()
    HANGS = auto()
    FAULT = auto()
    DRIVER = auto()
    GARBAGE = auto()
    ENDLESS_LINE = auto()
    NO_SUCH_SLOT = auto()
    FROZEN = auto()
    FROZEN_AND_FAST = auto()
    BACK_IN_TIME = auto()
    OTHER_SIZE = auto()


@dataclass(frozen=True)
class Source:
    """``good`` frames, then trouble; numbers go on after an outage, and end at ``last``."""

    trouble: Trouble = Trouble.NONE
    good: int = 3
    last: int | None = None
    as_taken: bool = True
    height: int = 48
    """Of a picture."""

    def frames(self, after: Place | None) -> Iterator[Frame | BadFrame | None]:
        first = 1 if after is None else after.index + 1
        for index in count(first):
            if self.last is not None and index > self.last:
                return
            if after is None and index > self.good:
                yield from self._trouble(index)
            yield numbered(index, height=self.height, width=self.height * 4 // 3)

    def _trouble(self, index: int) -> Iterator[Frame | BadFrame | None]:
        link = int(sys.argv[2])
        match self.trouble:
            case Trouble.DIES:
                os.kill(os.getpid(), signal.SIGKILL)
            case Trouble.HANGS:
                signal.pause()
            case Trouble.FAULT:
                raise SourceFault("no camera: plug it in")
            case Trouble.DRIVER:
                raise RuntimeError("Control X is not advertised by libcamera")
            case Trouble.GARBAGE:
                os.write(link, b"\xff\x00[1, 2\n")
            case Trouble.ENDLESS_LINE:
                os.write(link, b"x" * 10_000)
                signal.pause()
            case Trouble.NO_SUCH_SLOT:
                os.write(link, b'["put", 1000000, 1]\n["put", 0, -1]\n')
                signal.pause()
            case Trouble.FROZEN:
                yield from (numbered(index - 1) for _ in range(10))
                signal.pause()
            case Trouble.FROZEN_AND_FAST:
                while True:
                    yield numbered(index - 1)
            case Trouble.BACK_IN_TIME:
                yield from (numbered(early) for early in range(-10, 0))
                signal.pause()
            case Trouble.OTHER_SIZE:
                yield from (numbered(late, width=10) for late in range(index, index + 10))
                signal.pause()
