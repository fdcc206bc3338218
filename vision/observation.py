"""What one frame shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


ON_POINT = 0.35
"""A stone is on a point when its centre is within this of it, in cells …"""

NEAREST = 0.5
"""… and on none when it is farther than this from every point. In between, which point is meant is open."""


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


@dataclass(frozen=True, kw_only=True)
class Instant:
    """When a frame saw something, and which frame."""

    ns: int
    frame: int


@dataclass(frozen=True, kw_only=True)
class Stone:
    """A stone as measured in a frame: ``dx`` to the right and ``dy`` down from its point, in cells.

    ``score``: how round and how free of anything around it it looked, 0 to 1. ``hidden_around``: how many of the
    points around it could not be seen, so that a hand may be touching it. ``radius``: in cells; None where it was not
    measured well. ``odd_size``: by it, it is none of this game's stones.
    """

    content: Content
    dx: float
    dy: float
    score: float = 1.0
    hidden_around: int = 0
    radius: float | None = None
    odd_size: bool = False

    @property
    def off_centre(self) -> float:
        """Distance from the point, in cells."""
        return float(hypot(self.dx, self.dy))


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What one frame shows.

    ``rows``: one string per row of ``.BW?``; ``?`` is a point that could not be seen. ``stones``: the stones on points,
    with the place last measured. ``loose``: stones that lie beside every point, listed under the nearest one.
    ``confidence``: (N, N) float32, how well each point agrees with what is written there, 0 where unseen.
    ``blocked``: points that something has hidden for long without moving, so that nobody can have laid a stone there.
    ``disturbed``: something that is no stone is over the board or beside it. ``blind``: the board could not be made
    out at all. ``shift``: how far it had moved when its grid was found anew in this frame, in cells; else 0.
    ``unnoticed``: points where something has come or gone that looked as before, and when that surely was not so yet.
    """

    frame: int
    start_ns: int
    end_ns: int
    rows: tuple[str, ...]
    stones: Mapping[Intersection, Stone]
    loose: Mapping[Intersection, Stone]
    confidence: NDArray[np.float32]
    blocked: frozenset[Intersection] = frozenset()
    disturbed: bool = False
    blind: bool = False
    shift: float = 0.0
    unnoticed: Mapping[Intersection, Instant] = field(default_factory=dict)

    @property
    def instant_ns(self) -> int:
        """Mid-exposure."""
        return (self.start_ns + self.end_ns) // 2

    @property
    def unseen(self) -> int:
        """How many points could not be seen."""
        return sum(row.count(Content.UNSEEN) for row in self.rows)

    @property
    def whole(self) -> bool:
        """Whether every point that a stone may have come to could be seen."""
        return not self.loose and self.unseen == len(self.blocked)

    def at(self, point: Intersection) -> Content:
        """What stands on ``point``."""
        return Content(self.rows[point.row][point.col])
