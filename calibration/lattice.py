"""Line contrast along every edge of a lattice laid over a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.ridges import log_brightness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.view import View

# Samples between the knots of the map from lattice to picture.
_COARSE = 8
# Contrast in log brightness above which an intersection seems to bear a stone.
STONE = 0.15


@dataclass(frozen=True, kw_only=True)
class Edges:
    """Line contrast on the edges of a square lattice of n × n intersections.

    ``contrast``: (2, n, n - 1): [0, r, c] from (r, c) to (r, c + 1), [1, c, r] from (r, c) to (r + 1, c), in units of
    log brightness. ``shift``: alike, how far across the edge the line was found, in cells. ``between``: alike but
    (2, n - 1, n - 1), measured half a cell beside the edges, where no line should be. ``stone``: (n, n), by how much
    the whole intersection differs from all of the four cells around it, in units of log brightness; ``lone``: alike,
    and also from the middles of the four edges.
    """

    contrast: NDArray[np.float32]
    shift: NDArray[np.float32]
    between: NDArray[np.float32]
    stone: NDArray[np.float32]
    lone: NDArray[np.float32]

    @property
    def free(self) -> NDArray[np.bool_]:
        """Edges with no stone at either end, shaped like ``contrast``."""
        bare = self.stone < STONE
        return np.stack([bare[:, :-1] & bare[:, 1:], (bare[:-1] & bare[1:]).T])

    @property
    def open(self) -> NDArray[np.bool_]:
        """Cells with no stone at any corner, shaped like ``between``."""
        bare = self.stone < STONE
        cells = bare[:-1, :-1] & bare[:-1, 1:] & bare[1:, :-1] & bare[1:, 1:]
        return np.stack([cells, cells.T])


def measure(
    image: NDArray[np.uint8], view: View, first: int, last: int, *, light: bool, cell: int, reach: float
) -> Edges:
    """Edges between the intersections ``first`` to ``last`` each way, at ``cell`` samples a cell.

    ``reach``: how many cells beside its place a line may lie. Any lens and any margin: what lies outside the picture
    repeats its border.
    """
    return edges_of(flattened(image, view, first, last, cell), light=light, cell=cell, reach=reach)


def flattened(image: NDArray[np.uint8], view: View, first: int, last: int, cell: int) -> NDArray[np.float32]:
    """Log brightness of the lattice from straight above, ``cell`` samples a cell, one cell of margin all around."""
    side = (last - first + 2) * cell + 1
    if not view.bend:
        to_lattice = np.array([[1 / cell, 0, first - 1], [0, 1 / cell, first - 1], [0, 0, 1]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        whole = view.homography @ to_lattice
        flat = cv2.warpPerspective(image, whole, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return log_brightness(np.asarray(flat, dtype=np.uint8))
    knots = np.arange(0, side + _COARSE, _COARSE, dtype=np.float64)
    across = knots / cell + first - 1
    at = view.pixels(np.stack(np.meshgrid(across, across), axis=-1)).astype(np.float32)
    # The map is smooth, so a coarse one interpolated is as good as one computed for every sample.
    fine = np.arange(side, dtype=np.float32) / _COARSE
    col_at, row_at = np.meshgrid(fine, fine)
    x, y = cv2.split(cv2.remap(at, col_at, row_at, cv2.INTER_LINEAR))
    flat = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return log_brightness(np.asarray(flat, dtype=np.uint8))


def edges_of(brightness: NDArray[np.float32], *, light: bool, cell: int, reach: float) -> Edges:
    """Edges of a lattice that was :func:`flattened`."""
    count = brightness.shape[0] // cell - 1
    if light:
        brightness = -brightness
    r = _along(brightness, count, cell, reach)
    f = _along(np.ascontiguousarray(brightness.T), count, cell, reach)
    stone, lone = _stones(brightness, count, cell)
    return Edges(
        contrast=np.stack([r[0], f[0]]),
        shift=np.stack([r[1], f[1]]),
        between=np.stack([r[2], f[2]]),
        stone=stone,
        lone=lone,
    )


def _stones(brightness: NDArray[np.float32], count: int, cell: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    small = np.asarray(cv2.blur(brightness, (max(3, round(0.16 * cell)),) * 2), dtype=np.float32)
    at = (np.arange(count) + 1) * cell
    half = np.rint((np.arange(count + 1) + 0.5) * cell).astype(np.int64)
    # Between the lines that meet at the intersection: however thick they are, they are no stone.
    near = [at - round(0.2 * cell), at + round(0.2 * cell)]
    inner = np.stack([small[np.ix_(y, x)] for y in near for x in near])
    cells, across, down = small[np.ix_(half, half)], small[np.ix_(at, half)], small[np.ix_(half, at)]
    around = [cells[:-1, :-1], cells[:-1, 1:], cells[1:, :-1], cells[1:, 1:]]
    beside = [across[:, :-1], across[:, 1:], down[:-1], down[1:]]

    def apart(others: list[NDArray[np.float32]]) -> NDArray[np.float32]:
        outer = np.stack(others)
        darker = outer.min(axis=0) - inner.max(axis=0)
        return np.asarray(np.maximum(darker, inner.min(axis=0) - outer.max(axis=0)))

    return apart(around), apart(around + beside)


def _along(
    brightness: NDArray[np.float32], count: int, cell: int, reach: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    part = max(3, round(0.32 * cell))
    smooth = np.asarray(cv2.GaussianBlur(cv2.blur(brightness, (part, 1)), (1, 3), 0.6), dtype=np.float32)
    centres = (np.arange(count - 1) + 1.5) * cell
    halves = [_valley(smooth[:, np.rint(centres + offset).astype(int)], cell) for offset in (-0.18 * cell, 0.18 * cell)]
    half = max(1, round(reach * cell))
    window = np.arange(-half, half + 1)
    lines = (np.arange(count) + 1) * cell
    contrast, shift = _deepest(halves, lines, window, cell)
    between, _ = _deepest(halves, lines[:-1] + round(cell / 2), window, cell)
    return contrast, shift, between


def _deepest(
    halves: list[NDArray[np.float32]], lines: NDArray[np.int64], window: NDArray[np.int64], cell: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Depth and place of the line near each of ``lines``, where both halves of an edge agree."""
    at = lines[:, None] + window[None]
    depths, places = [], []
    for valley in halves:
        stack = valley[at]
        best = np.argmax(stack, axis=1)
        row, column = lines[:, None] + window[best], np.arange(valley.shape[1])[None]
        a, b, c = valley[row - 1, column], valley[row, column], valley[row + 1, column]
        bend = np.minimum(a - 2 * b + c, -1e-9)
        depths.append(b)
        places.append((window[best] + np.clip(0.5 * (a - c) / bend, -0.5, 0.5)) / cell)
    # A line is there on both halves of an edge and straight; a letter, a stone's rim or a grain seldom.
    depth = 0.5 * np.minimum(*depths) + 0.25 * (depths[0] + depths[1])
    apart = places[0] - places[1]
    return (depth * np.exp(-((apart / 0.1) ** 2))).astype(np.float32), ((places[0] + places[1]) / 2).astype(np.float32)


def _valley(profile: NDArray[np.float32], cell: int) -> NDArray[np.float32]:
    """How much darker each sample is than the lesser of its two sides, at a thin and at a thick line's distance."""
    best = np.full(profile.shape, -1.0, np.float32)
    for d in (max(2, round(0.13 * cell)), max(3, round(0.24 * cell))):
        padded = cv2.copyMakeBorder(profile, d, d, 0, 0, cv2.BORDER_REPLICATE)
        best = np.maximum(best, np.minimum(padded[: -2 * d], padded[2 * d :]) - profile)
    return np.asarray(best, np.float32)
