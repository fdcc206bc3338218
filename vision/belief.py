"""Whether what is like a stone is one: discs that a hand pretends, and one disc found from several points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.observation import Intersection, Stone
    from vision.stones import Disc

STONE_SCORE = 0.5
"""Least shape score of a disc that is taken for a stone."""

BESIDE_HAND_SCORE, BESIDE_HAND_SURROUNDED = 0.6, 0.85
"""Least score when a point beside it is hidden; and the part of the ring around it that must look like the board."""

CLEAR_SCORE, CLEAR_SURROUNDED = 0.8, 0.9
"""A disc as round and as free of anything around it as this is a stone even when tiles beside it look changed."""

SURROUNDED = 0.75
"""The part of the ring around any disc that must look like the board or be another stone's."""

LASTING_SURROUNDED = 0.55
"""The same of a disc that has lain there unchanged for a while: printed letters, a shadow's edge or a cloth's pattern
may lie in its ring."""

STONES_APART = 0.75
"""Two stones cannot be nearer than this to each other, in cells: they are 0.83 across at least (rule E2)."""

SETTLED_NS = 1_000_000_000
"""What has looked the same for so long, alone among tiles that are seen, or beside the board, is part of the scene."""

_EDGE = 1.6
"""Tiles nearer than this to a new stone's centre (cells) must be seen, else a hand may be pretending."""

_UNDER = 0.95
"""Tiles nearer than this to its centre are partly under the stone itself."""


def apart(at: Intersection, stone: Stone, other_at: Intersection, other: Stone) -> float:
    """Distance of two stones' centres in cells."""
    return float(np.hypot(at.row + stone.dy - other_at.row - other.dy, at.col + stone.dx - other_at.col - other.dx))


def nearest_only(found: dict[Intersection, Stone], standing: dict[Intersection, Stone]) -> dict[Intersection, Stone]:
    """One disc may be found from several points; it belongs to the nearest. Those of ``standing`` stones are known."""
    kept = dict(standing)
    for at, stone in sorted(found.items(), key=lambda item: item[1].off_centre):
        if all(apart(at, stone, other_at, other) > STONES_APART for other_at, other in kept.items()):
            kept[at] = stone
    return {at: stone for at, stone in kept.items() if at not in standing}


def hidden_around(at: Intersection, stone: Stone, explained: NDArray[np.bool_]) -> int:
    """How many of the tiles around a would-be stone are hidden.

    A finger that hides a point comes from somewhere and hides tiles beside it as well.
    """
    hidden = 0
    for row in range(at.row - 1, at.row + 2):
        for col in range(at.col - 1, at.col + 2):
            away = np.hypot(row - at.row - stone.dy, col - at.col - stone.dx)
            hidden += bool(_UNDER < away < _EDGE) and not explained[row + 1, col + 1]
    return hidden


def believed(disc: Disc, free: float, hidden: int, still_ns: int) -> bool:
    """Whether a disc is a stone, and not a hand's pretence.

    ``free``: the part of the ring around it that looks like the board or is another stone's. ``hidden``: how many tiles
    around it are. ``still_ns``: how long its tile has not changed.
    """
    if free < SURROUNDED:
        lasting = still_ns >= SETTLED_NS and hidden <= 1
        return lasting and free >= LASTING_SURROUNDED and disc.score >= BESIDE_HAND_SCORE
    if disc.score >= CLEAR_SCORE and free >= CLEAR_SURROUNDED:
        return hidden <= 4
    if disc.score >= BESIDE_HAND_SCORE and free >= BESIDE_HAND_SURROUNDED:
        return hidden <= 1
    return hidden == 0
