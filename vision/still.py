"""Read one photograph of a board: where the grid lies, and what stands on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.grid import SMALLEST, SMALLEST_CELL, Grid, GridNotFound, find_grid, refined
from calibration.pose import camera_position
from vision.hands import find_crossing, texture
from vision.observation import Content
from vision.rectify import CELL, canvas_to_grid
from vision.stone_net import CLASSES, likely, logs_of, read_canvas
from vision.stones import STONE_MIDDLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SIZES = (9, 13, 15, 19)
"""Lines of the boards that are told apart when no size is given."""

SURE, SURE_EMPTY = 0.5, 0.7
"""A point that is not at least so likely the stone, or so likely empty, as it seems to be could not be seen: what
something hides must never be called empty."""

_USUAL = (15, 19)
"""Sizes that are tried first."""

_PLAIN = 0.6
"""Confidence of a grid beside which no other is worth looking for."""

_SPEAKS = 0.9
"""Confidence with which the lines within given corners speak for a size."""

_LINES_SEEN = 0.45
"""Usual score of a crossing on boards whose lines can be seen."""

_CROSSED = (0.4, 0.3)
"""The part of that score at least which a crossing has that nothing hides (996 and 998 of 1000 do): where the network
is not clear, and where it is."""

_PLAINLY = 0.75
"""The part of it from which on no stone can be there (two of a hundred stones do)."""

DOUBTFUL = 0.9
"""A point that is less likely what it seems to be should be looked at again."""

_HANDICAP, _FAR_MORE = 9, 3
"""How many stones a colour may be ahead, as with the largest handicap, and how many times as many, as of captures."""

_ONE_SIDED = 0.5
"""The part of its confidence that a reading keeps in which a colour is ahead by more than both."""

_NOTED, _GLANCE = 0.5, 400
"""How large another board must be, as a part of the one that was read, to be looked for, and within how many pixels:
enough to know it, not to read it."""

_SAMPLE = 30
"""Points by which it is told whether the lines are darker or lighter than the board."""

_GIVEN = 0.5
"""Confidence in corners that were given, when no lines speak for them."""

_CLEAR = 0.93
"""When a point is less likely what it seems to be, the picture is read from all sides."""

_ATTITUDES = (1, 2, 3)
"""The other sides: quarter turns. Mirrored views told nothing more (151 photographs)."""

_ENOUGH, _MORE = 32, 40
"""Pixels of a cell that are enough to read it; a picture that has ``_MORE`` is reduced to that."""

_KNOT = 12
"""Canvas pixels between the places for which the map to the picture is computed; it is smooth in between."""


@dataclass(frozen=True, kw_only=True)
class StillReading:
    """What one photograph shows.

    ``corners``: (4, 2) float64 pixels of the outer intersections, image TL, TR, BR, BL. ``rows``: one string per row of
    ``.BW?``, row 0 at the top of the image; ``?`` is a point that could not be seen. ``sure``: (size, size) float32,
    how likely each point is what is written there, 0 to 1. ``grid_confidence``: 0 to 1, how well the lines that show
    agree with it; at least a half when its corners were given. ``other``: corners of another board in the picture,
    beside the one that was read, where one was looked for and found.
    """

    size: int
    corners: NDArray[np.float64]
    rows: tuple[str, ...]
    sure: NDArray[np.float32]
    grid_confidence: float
    other: NDArray[np.float64] | None = None

    @property
    def one_sided(self) -> bool:
        """Whether one colour has by far more stones than in any game: they may be none, as in a drawing."""
        letters = "".join(self.rows)
        fewer, more = sorted(letters.count(colour) for colour in (Content.BLACK, Content.WHITE))
        return more - fewer > _HANDICAP and more > _FAR_MORE * fewer

    @property
    def confidence(self) -> float:
        """Of the reading as a whole, 0 to 1."""
        likely = _ONE_SIDED if self.one_sided else 1.0
        return self.grid_confidence * float(self.sure.min()) * likely


class NoBoard(Exception):  # noqa: N818
    """No board could be read with enough certainty; the message says why, in one line, to follow the file's name."""


def read_still(
    image: NDArray[np.uint8],
    sizes: Sequence[int] = SIZES,
    corners: NDArray[Any] | None = None,
    *,
    look_beside: bool = False,
) -> StillReading:
    """Read the board in ``image`` (H, W, 3 uint8, BGR).

    ``sizes``: the numbers of lines that it may have. ``corners``: (4, 2) outer intersections in pixels, image TL, TR,
    BR, BL, up to 0.3 cell off; otherwise they are found, and with ``look_beside`` another board is looked for, which
    takes about as long again. Raises NoBoard rather than guess.
    """
    height, width = image.shape[:2]
    if min(height, width) < SMALLEST:
        raise NoBoard(f"only {width} x {height} pixels")
    if corners is None:
        grid = _found(image, sizes)
        small = _reduced(image, grid.view.cell(grid.size))
    else:
        widths = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        if widths.min() < SMALLEST_CELL * (min(sizes) - 1):
            raise NoBoard(f"within the corners given, cells are less than {SMALLEST_CELL} pixels wide")
        small = _reduced(image, float(widths.mean()) / (max(sizes) - 1))
        scale = np.array(small.shape[1::-1]) / image.shape[1::-1]
        grid = _refined(small, sizes, (corners + 0.5) * scale - 0.5)
    grid = replace(grid, view=grid.view.resized((height, width)))
    chances = _chances(canvas_at(STONE_MIDDLE, small, grid))
    likeliest, sure = chances.argmax(axis=-1), chances.max(axis=-1)
    letters = np.array([Content(content).value for content in CLASSES])[likeliest]
    letters[sure < np.where(letters == Content.EMPTY, SURE_EMPTY, SURE)] = Content.UNSEEN
    doubtful = np.isin(letters, [Content.BLACK, Content.WHITE]) & (sure < DOUBTFUL)
    letters[_contradicted(canvas_at(0.0, small, grid), sure, letters == Content.EMPTY, doubtful)] = Content.UNSEEN
    return StillReading(
        size=grid.size,
        corners=grid.corners,
        rows=tuple("".join(row) for row in letters),
        sure=sure,
        grid_confidence=grid.confidence,
        other=_beside(image, grid) if look_beside and corners is None else None,
    )


def _beside(image: NDArray[np.uint8], grid: Grid) -> NDArray[np.float64] | None:
    """Corners of another board of as many lines, wholly left, right, above or below the one of ``grid``, if any.

    It is looked for on the side with most room, if one at least ``_NOTED`` times as large has room there.
    """
    height, width = image.shape[:2]
    cell = grid.view.cell(grid.size)
    left, top = np.floor(grid.corners.min(axis=0) - cell).astype(int)
    right, bottom = np.ceil(grid.corners.max(axis=0) + cell).astype(int)
    sides = ((0, 0, left, height), (right, 0, width, height), (0, 0, width, top), (0, bottom, width, height))
    x0, y0, x1, y1 = max(sides, key=lambda side: min(side[2] - side[0], side[3] - side[1]))
    if min(x1 - x0, y1 - y0) < _NOTED * min(right - left, bottom - top):
        return None
    scale = min(1.0, _GLANCE / max(x1 - x0, y1 - y0))
    part = cv2.resize(image[y0:y1, x0:x1], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if min(part.shape[:2]) < SMALLEST:
        return None
    try:
        found = find_grid(np.asarray(part, np.uint8), grid.size)
    except GridNotFound:
        return None
    return np.asarray((found.corners + 0.5) / scale - 0.5 + np.array([x0, y0]), np.float64)


def _chances(canvas: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(size, size, 4) chances of the CLASSES; where not all points are clear, the mean of what all four sides show."""
    once = read_canvas(canvas)
    if once.max(axis=-1).min() >= _CLEAR:
        return once
    readings = [once, *(read_canvas(canvas, attitude) for attitude in _ATTITUDES)]
    return likely(np.mean([logs_of(reading) for reading in readings], axis=0))


def _contradicted(
    canvas: NDArray[np.uint8], sure: NDArray[np.float32], empty: NDArray[np.bool_], doubtful: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(size, size): the points whose lines say otherwise than was read, as likely as ``sure``.

    ``empty``: no lines are seen to cross there, though they are elsewhere on the board: it is hidden, by paper, a blur,
    glare, or there is a stone in a deep shadow. ``doubtful``: stones between whose edges the lines plainly cross.
    """
    textured, size = texture(canvas), len(empty)

    def crossings(some: NDArray[np.bool_], step: int = 1, *, light_lines: bool) -> NDArray[np.float64]:
        points = np.argwhere(some)[::step]
        found = [find_crossing(textured, int(row), int(col), size, light_lines=light_lines) for row, col in points]
        return np.array([one.score for one in found])

    contradicted = np.zeros_like(empty)
    if not empty.any():
        return contradicted
    step = max(1, int(empty.sum()) // _SAMPLE)
    light, dark = (float(np.median(crossings(empty, step, light_lines=light))) for light in (True, False))
    scores = crossings(empty, light_lines=light > dark)
    usual = float(np.median(scores))
    if usual >= _LINES_SEEN:
        contradicted[empty] = scores < usual * np.where(sure[empty] < _CLEAR, *_CROSSED)
        contradicted[doubtful] = crossings(doubtful, light_lines=light > dark) > _PLAINLY * usual
    return contradicted


def _found(image: NDArray[np.uint8], sizes: Sequence[int]) -> Grid:
    """The surest grid of any of the ``sizes``, the usual ones first; one that is plain need not be compared."""
    found, doubt = [], ""
    for size in sorted(sizes, key=lambda size: size not in _USUAL):
        try:
            found.append(find_grid(image, size))
        except GridNotFound as error:
            doubt = str(error)
            continue
        if found[-1].confidence >= _PLAIN:
            break
    if not found:
        raise NoBoard(doubt if len(sizes) == 1 else "no board of any of the sizes")
    return max(found, key=lambda grid: grid.confidence)


def _refined(image: NDArray[np.uint8], sizes: Sequence[int], corners: NDArray[np.float64]) -> Grid:
    """The grid within the given ``corners``, of the one of ``sizes`` that the lines speak for."""
    grids = [refined(image, corners, size) for size in sizes]
    best = max(grids, key=lambda grid: grid.confidence)
    if len(sizes) > 1 and not best.confidence:
        raise NoBoard("within the corners given, the lines do not tell how many there are; give the size")
    if best.confidence < _SPEAKS:
        # The lines hardly speak for this size; they may for another, of which some fall together with it.
        others = [refined(image, corners, size) for size in SIZES if size != best.size]
        other = max(others, key=lambda grid: grid.confidence)
        if other.confidence >= _SPEAKS:
            raise NoBoard(f"within the corners given there are {other.size} lines each way, not {best.size}")
    return replace(best, confidence=_GIVEN + (1 - _GIVEN) * best.confidence)


def _reduced(image: NDArray[np.uint8], cell: float) -> NDArray[np.uint8]:
    """A smaller copy, every pixel the mean of those it stands for; the picture itself where a ``cell`` is small."""
    if cell < _MORE:
        return image
    scale = _ENOUGH / cell
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def canvas_at(height: float, image: NDArray[np.uint8], grid: Grid) -> NDArray[np.uint8]:
    """(side, side, 3) uint8: a plane ``height`` cells above the board seen straight from above, CELL pixels a cell.

    ``image``: the picture in which ``grid`` was found, or a smaller copy of it. Seen aslant, a stone's outline lies
    beside its point; at the height of its middle it lies on it, and the lines lie beside their places.
    """
    view = grid.view.resized((image.shape[0], image.shape[1]))
    side = (grid.size + 2) * CELL
    knots = np.arange(0, side + _KNOT, _KNOT, dtype=np.float64)
    cells = np.stack(np.meshgrid(knots, knots), -1) @ canvas_to_grid()[:2, :2].T + canvas_to_grid()[:2, 2]
    camera = camera_position(view.corners(grid.size), grid.size, (image.shape[1], image.shape[0]))
    away = (cells - camera[:2]) * height / max(camera[2] - height, 1.0)
    places = view.pixels(cells + away).astype(np.float32)
    return _mapped(image, places, side)


def _mapped(image: NDArray[np.uint8], places: NDArray[np.float32], side: int) -> NDArray[np.uint8]:
    """The canvas whose pixel at every ``_KNOT``-th row and column comes from ``places`` (n, n, 2) in ``image``."""
    fine = np.arange(side, dtype=np.float32) / _KNOT
    x, y = np.meshgrid(fine, fine)
    at = cv2.remap(places, x, y, cv2.INTER_LINEAR)
    at_x, at_y = cv2.split(at)
    return np.asarray(cv2.remap(image, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
