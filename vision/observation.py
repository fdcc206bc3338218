"""What one frame shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Content(StrEnum):
    """What stands on an intersection; the value is its letter in readings."""

    EMPTY = "."
    BLACK = "B"
    WHITE = "W"
    UNSEEN = "?"


class Intersection(NamedTuple):
    """A crossing of the board as the rectified picture shows it, from 0.

    Row 0 is the top. When the corners were given in board order (rank N left first), row 0 is the farthest rank and
    column 0 is file A.
    """

    row: int
    col: int


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A picture and the instant for which it holds.

    ``image``: (H, W, 3) uint8, BGR. ``start_ns`` and ``end_ns``: when the sensor began and ended seeing it; equal
    where only one instant is known.
    """

    index: int
    start_ns: int
    end_ns: int
    image: NDArray[np.uint8]
    name: str = ""

    @property
    def instant_ns(self) -> int:
        """Mid-exposure."""
        return (self.start_ns + self.end_ns) // 2
