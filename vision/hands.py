"""Which intersections can be seen right now.

Every tile of the canvas (a square of one cell around a point) has a remembered look: its texture, free of brightness
and shadow. A tile that still looks like that is seen; one that does not holds something else: a hand, or a new stone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import cv2
import numpy as np

from vision.rectify import CELL, tiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEEN = 0.72
"""A tile is seen when its likeness to its remembered look is at least this part of what is usual for it."""

SEEN_AT_LEAST = 0.5
"""… and never below this: a hand or a new stone stays below 0.46 (171 stones on 30 boards)."""

CORE_SEEN = 0.72
"""The same for a tile's middle alone, which is more easily alike by chance: new stones reach 0.59, bare points stay
above 0.76 in 99 of 100."""

PLAIN = 0.035
"""Texture weaker than this is the sensor's noise on glare (boards: 0.05 to 0.15) …"""

PLAIN_OF_USUAL = 0.4
"""… on boards whose bare points have more of it than this: out of focus all of it is weak."""

SAME_LEVEL = 0.15
"""Log brightness within which a plain tile is as bright as before."""

SAME_LOOK = 0.8
"""Likeness of a tile in two consecutive frames when nothing moves in it."""

NOISE, NOISE_SPREAD = (0.042, 0.08), 2.0
"""By how much the texture of a tile may differ from frame to frame when nothing moves: so many times what is usual
over the board, within these bounds."""

_NEIGHBOURHOOD = CELL // 2 | 1
_FLOOR = np.float32(4.0)
"""Grey levels added before dividing, so that sensor noise in black does not count as texture."""

_RIM = CELL // 12
"""Pixels at a tile's rim that are left out of its look: a stone on the next point changes them."""

_CORE_RIM = CELL // 4
_LOOK, _CORE = (CELL - 2 * _RIM) ** 2, (CELL - 2 * _CORE_RIM) ** 2
_USUAL_AT_FIRST = 0.7
_ADAPT = np.float32(0.1)


class Looks(NamedTuple):
    """What the tiles of a canvas look like, arrays over (size + 2, size + 2).

    ``whole``: (…, n), texture as unit vectors, whose dot product is a correlation. ``core``: (…, m), the same of the
    tile's middle alone, which a stone on the next point does not change. ``strength``: how much texture there is, as a
    part of brightness. ``level``: log of the mean brightness.
    """

    whole: NDArray[np.float32]
    core: NDArray[np.float32]
    strength: NDArray[np.float32]
    level: NDArray[np.float32]


def texture(canvas: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Brightness relative to the surroundings, (side, side) float32: the same in light and in shadow."""
    grey = cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY).astype(np.float32) + _FLOOR
    around = cv2.boxFilter(grey, -1, (_NEIGHBOURHOOD, _NEIGHBOURHOOD), borderType=cv2.BORDER_REFLECT)
    return np.asarray(grey / around - 1, np.float32)


def looks(canvas: NDArray[np.uint8], textured: NDArray[np.float32]) -> Looks:
    """What each tile of ``canvas``, whose :func:`texture` is ``textured``, looks like."""
    cut = tiles(textured)
    whole, core = _middle(cut, _RIM), _middle(cut, _CORE_RIM)
    level = cv2.resize(cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY), cut.shape[1::-1], interpolation=cv2.INTER_AREA)
    return Looks(
        whole=_unit(whole),
        core=_unit(core),
        strength=whole.std(-1),
        level=np.log(level.astype(np.float32) + _FLOOR),
    )


def both_plain(a: Looks, b: Looks, plain_below: float) -> NDArray[np.bool_]:
    """Tiles without texture to compare (glare) that are as plain and as bright in one set of looks as in the other."""
    plain = (a.strength < plain_below) & (b.strength < plain_below * 1.4)
    return np.asarray(plain & _as_bright(a, b))


def unmoved(a: Looks, b: Looks) -> NDArray[np.bool_]:
    """Tiles in which nothing moved between two frames.

    They look alike, as a whole or in their middle, or differ by no more than the sensor's noise, which most tiles tell.
    """
    whole = _correlation(a.whole, b.whole)
    alike = np.maximum(whole, _correlation(a.core, b.core)) >= SAME_LOOK
    square = a.strength**2 + b.strength**2 - 2 * a.strength * b.strength * whole
    apart = np.sqrt(np.maximum(square, 0))
    noise = float(np.clip(NOISE_SPREAD * np.median(apart), *NOISE))
    return np.asarray(alike | ((apart < noise) & _as_bright(a, b)))


def _as_bright(a: Looks, b: Looks) -> NDArray[np.bool_]:
    return np.asarray(np.abs(a.level - b.level) < SAME_LEVEL)


class Memory:
    """What is remembered of each tile of a board of ``size`` lines and of the ring of tiles around it.

    ``learnt``: (size + 2, size + 2) bool, whether anything is. ``wholly``: whether a tile was alike in the last
    match as a whole, not only in its middle. ``plain``: the strength of texture below which there is none to compare.
    """

    def __init__(self, size: int) -> None:
        count = size + 2
        self.plain = PLAIN
        self.learnt = np.zeros((count, count), bool)
        self._usual = np.full((count, count), _USUAL_AT_FIRST, np.float32)
        self.wholly = np.zeros((count, count), bool)
        self._looks = Looks(
            whole=np.zeros((count, count, _LOOK), np.float32),
            core=np.zeros((count, count, _CORE), np.float32),
            strength=np.zeros((count, count), np.float32),
            level=np.zeros((count, count), np.float32),
        )

    def match(self, now: Looks) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """How alike each tile is to what is remembered of it, and whether it is seen to be the same."""
        whole = _correlation(self._looks.whole, now.whole)
        core = _correlation(self._looks.core, now.core)
        self.wholly = whole >= np.maximum(SEEN * self._usual, SEEN_AT_LEAST)
        same = self.wholly | (core >= CORE_SEEN) | both_plain(self._looks, now, self.plain)
        return np.maximum(whole, core), self.learnt & same

    def adapt(self, now: Looks, alike: NDArray[np.float32], matched: NDArray[np.bool_]) -> None:
        """Follow slow change: what is remembered of the ``matched`` tiles moves a little towards what is seen.

        Not where their middle alone was alike: there something new lies at the rim.
        """
        matched = matched & self.wholly
        for remembered, seen in zip(self._looks, now, strict=True):
            where = matched.reshape(matched.shape + (1,) * (remembered.ndim - 2))
            moved = remembered + _ADAPT * (seen - remembered)
            np.copyto(remembered, _unit(moved) if remembered.ndim > 2 else moved, where=where)
        self._usual[matched] += _ADAPT * (alike[matched] - self._usual[matched])

    def usual_texture(self, strengths: NDArray[np.float32]) -> None:
        """What texture bare points have on this board, (n,): it tells how weak is none."""
        if len(strengths):
            self.plain = min(PLAIN, PLAIN_OF_USUAL * float(np.median(strengths)))

    def remember(self, which: NDArray[np.bool_], now: Looks) -> None:
        """Learn the looks of the tiles ``which``, (size + 2, size + 2) bool, anew."""
        for remembered, seen in zip(self._looks, now, strict=True):
            remembered[which] = seen[which]
        self._usual[which] = _USUAL_AT_FIRST
        self.learnt |= which


class Crossing(NamedTuple):
    """How a point looks as a bare crossing of lines: ``score`` −1 to 1, and where it lies, in cells from the point."""

    score: float
    dx: float
    dy: float


def find_crossing(textured: NDArray[np.float32], row: int, col: int, size: int, *, light_lines: bool) -> Crossing:
    """The best crossing of two lines within 1/6 cell of the point (row, col).

    ``textured``: :func:`texture` of the canvas. On a side or corner of the board the lines end at the crossing.
    ``light_lines``: the lines are lighter than the board.
    """
    y, x = (row + 1) * CELL + CELL // 2, (col + 1) * CELL + CELL // 2
    reach = _CROSS // 2 + _SLACK
    window = textured[y - reach : y + reach, x - reach : x + reach]
    cross = _cross(row > 0, row < size - 1, col > 0, col < size - 1)
    match = cv2.matchTemplate(window, -cross if light_lines else cross, cv2.TM_CCOEFF_NORMED)
    _, score, _, (left, top) = cv2.minMaxLoc(match)
    return Crossing(score, (left - _SLACK) / CELL, (top - _SLACK) / CELL)


_SLACK = CELL // 6
_CROSS = CELL * 5 // 6


@cache
def _cross(up: bool, down: bool, left: bool, right: bool) -> NDArray[np.float32]:
    """Two thin dark lines that meet in the middle, each with the arms it has."""
    y, x = np.mgrid[:_CROSS, :_CROSS].astype(np.float32) - np.float32((_CROSS - 1) / 2)
    vertical = np.exp(-(x**2) / 2) * (((y <= 0) & up) | ((y >= 0) & down))
    horizontal = np.exp(-(y**2) / 2) * (((x <= 0) & left) | ((x >= 0) & right))
    return np.asarray(-np.maximum(vertical, horizontal), np.float32)


def _middle(cut: NDArray[np.float32], rim: int) -> NDArray[np.float32]:
    """Tiles without their rim, flat: (rows, columns, CELL, CELL) becomes (rows, columns, n)."""
    inner = cut[:, :, rim : CELL - rim, rim : CELL - rim]
    return inner.reshape(*cut.shape[:2], -1)


def _unit(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """``vectors`` (…, n) without their mean, scaled to length 1 (0 where there is nothing but a plain)."""
    centred = vectors - vectors.mean(-1, keepdims=True)
    length = np.sqrt(np.einsum("...k,...k->...", centred, centred))[..., None]
    return np.asarray(centred / np.maximum(length, 1e-6), np.float32)


def _correlation(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.einsum("...k,...k->...", a, b), np.float32)
