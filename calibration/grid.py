"""Find an N × N grid of lines in one picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.fit import fitted
from calibration.hypotheses import lattices
from calibration.lattice import edges_of, flattened, measure
from calibration.verdict import Verdict, confidence, convincing, doubt, evidence, judge
from calibration.view import View, seen, squareness

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Longest side of the copies in which lines are sought and in which they are measured.
_COARSE = 1000
_FINE = 2000
SMALLEST = 64
"""Pixels a side that a picture must have."""

SMALLEST_CELL = 6
"""Pixels that a cell must have."""
# How many lines beyond a guessed lattice the grid is sought, and beyond a grid nothing must run on.
_PAD = 5
_ROUND = 3
# Into how many parts finer lines would part a cell (halves are noticed anyway), and the
# part of the grid's own contrast that they must have.
_PARTS = (3, 5)
_AS_CLEAR = 0.5
# To make given corners exact: how far off lines are sought (cells) in one pass after another, and with how many samples
# a cell at most; how far corners may move on average.
_REFINED_REACH = (0.42, 0.2, 0.12)
_REFINED_SAMPLES = (12, 12, 24)
_REFINED_MOST = 0.5
# What part of the clear lines must lie how near to their place (cells), how much of the lines must show, and with how
# much nothing better is looked for.
_REFINED_SHARP, _IN_PLACE = 0.75, 0.05
_REFINED_FILL, _REFINED_PLAIN = 0.15, 0.45
# Where to begin: as given, or so far to all sides, in cells.
_ASIDE = 0.25
_WAYS = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)]


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Where a board lies in a picture.

    ``view``: from grid coordinates, (0, 0) at the picture's top left, to pixels, the lens's bend included.
    ``confidence``: 0 to 1, how well the lines in the picture agree with it.
    """

    size: int
    view: View
    confidence: float

    @property
    def corners(self) -> NDArray[np.float64]:
        """(4, 2) float64 pixel coordinates of the outer intersections, image TL, TR, BR, BL (clockwise as seen)."""
        return self.view.corners(self.size)


class GridNotFound(Exception):  # noqa: N818
    """No grid could be found with enough certainty; the message says why, in one line."""


def find_grid(image: NDArray[np.uint8], size: int) -> Grid:
    """Find the outer intersections of a ``size`` × ``size`` grid in ``image`` (H, W, 3 uint8, BGR).

    Raises GridNotFound rather than guess.
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < SMALLEST:
        raise ValueError(
            f"find_grid needs a colour picture of at least {SMALLEST} pixels a side, not {image.shape} {image.dtype}"
        )
    if not 5 <= size <= 19:
        raise ValueError(f"find_grid knows boards of 5 to 19 lines, not {size}")
    fine = _reduced(image, _FINE)
    coarse = _reduced(fine, _COARSE)
    doubts = ["no regular grid of lines"]
    for view, light in _best_guesses(coarse, size):
        settled = _settled(fine, view.resized((fine.shape[0], fine.shape[1])), size, light=light)
        if settled is None:
            continue
        verdict, view = settled
        corners = view.corners(size)
        if np.any(corners < -1) or np.any(corners > fine.shape[1::-1]):
            doubts.append("the grid runs out of the picture")
            continue
        problem = doubt(verdict) or _lines_between(fine, view, size, light=light)
        if problem is None:
            upright = _upright(view, size).resized((image.shape[0], image.shape[1]))
            return Grid(size=size, view=upright, confidence=confidence(verdict))
        doubts.append(problem)
    raise GridNotFound(doubts[-1])


def find_grid_near(image: NDArray[np.uint8], corners: NDArray[Any], size: int) -> Grid:
    """As :func:`find_grid`, but sought only a few cells about ``corners`` (4, 2), which is much quicker.

    Raises GridNotFound rather than guess.
    """
    fine = _reduced(image, _FINE)
    given = seen(homography(corners, size), (image.shape[0], image.shape[1]))
    problem = "no regular grid of lines"
    for light in (False, True):
        settled = _settled(fine, given.resized((fine.shape[0], fine.shape[1])), size, light=light)
        if settled is None:
            continue
        verdict, view = settled
        doubts = doubt(verdict) or _lines_between(fine, view, size, light=light)
        if doubts is None:
            upright = _upright(view, size).resized((image.shape[0], image.shape[1]))
            return Grid(size=size, view=upright, confidence=confidence(verdict))
        problem = doubts
    raise GridNotFound(problem)


def refined(image: NDArray[np.uint8], corners: NDArray[Any], size: int) -> Grid:
    """The grid whose outer intersections lie near ``corners`` (4, 2), made exact by the lines that show.

    ``image``: (H, W, 3 uint8, BGR); cells of 32 pixels are enough. Corners may be up to a third of a cell off; where
    too few lines show, they are taken as they are, with confidence 0.
    """
    shape = (image.shape[0], image.shape[1])
    given = seen(homography(corners, size), shape)
    fitting: list[tuple[float, View]] = []
    for way in _WAYS:
        drawn = _drawn_to_lines(image, given.moved(*(_ASIDE * np.array(way))), size)
        if drawn is not None and _apart(drawn[1], given, size) < _REFINED_MOST:
            fitting.append(drawn)
            if drawn[0] > _REFINED_PLAIN:
                break
    fill, view = max(fitting, key=lambda one: one[0], default=(0.0, given))
    return Grid(size=size, view=view, confidence=min(1.0, fill / _REFINED_PLAIN))


def _apart(view: View, other: View, size: int) -> float:
    """How far the outer intersections are from each other on average, in cells."""
    return float(np.linalg.norm(view.corners(size) - other.corners(size), axis=1).mean() / other.cell(size))


def _drawn_to_lines(picture: NDArray[np.uint8], view: View, size: int) -> tuple[float, View] | None:
    """``view`` drawn to the lines next to it, and how much of them shows; None when they do not agree where it lies."""
    fill = 0.0
    light = False
    for reach, most in zip(_REFINED_REACH, _REFINED_SAMPLES, strict=True):
        samples = _samples(view, size, 12, most)
        flat = flattened(picture, view, 0, size - 1, samples)
        edges = edges_of(flat, light=light, cell=samples, reach=reach)
        if reach == _REFINED_REACH[0]:
            other = edges_of(flat, light=True, cell=samples, reach=reach)
            if np.median(other.contrast) > np.median(edges.contrast):
                light, edges = True, other
        found = evidence(edges, 0)
        if found is None:
            return None
        if reach == _REFINED_REACH[-1]:
            clear = found[0] > 0.5
            sharp = float(np.mean(np.abs(edges.shift[clear]) < _IN_PLACE)) if clear.any() else 0.0
            fill = float(found[0].sum() / max(1, np.count_nonzero(edges.free)) - found[1].mean())
            if sharp < _REFINED_SHARP or fill < _REFINED_FILL:
                return None
        view = fitted(view, edges, _trust(found[0]), lens=reach == _REFINED_REACH[-1])
        if not _plausible(view, size):
            return None
    return fill, view


def _reduced(image: NDArray[np.uint8], longest: int) -> NDArray[np.uint8]:
    scale = longest / max(image.shape[:2])
    if scale >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _best_guesses(picture: NDArray[np.uint8], size: int) -> list[tuple[View, bool]]:
    """The two likeliest views of a grid, and whether its lines are light."""
    shape = (picture.shape[0], picture.shape[1])
    judged: list[tuple[Verdict, View, bool]] = []
    for guess, light in lattices(picture, size):
        found = _judged(picture, seen(guess, shape), size, light=light)
        if found is not None:
            judged.append((*found, light))
            if convincing(found[0]):
                break
    judged.sort(key=lambda j: -j[0].score)
    return [(view, light) for _, view, light in judged[:2]]


def _judged(picture: NDArray[np.uint8], view: View, size: int, *, light: bool) -> tuple[Verdict, View] | None:
    """The best window of ``size`` lines in the lattice of ``view``, and a roughly fitted view with its origin there."""
    samples = 0
    for reach in (0.3, 0.2):
        if not _plausible(view, size):
            return None
        samples = _samples(view, size, 12, 28)
        edges = measure(picture, view, 0, size - 1, light=light, cell=samples, reach=reach)
        between, on = edges.between.mean(axis=(1, 2)), edges.contrast.mean(axis=(1, 2))
        if np.any(between > on):
            # The gaps between stones were taken for the lines.
            view = view.moved(*(0.5 * (between > on)[::-1]))
            edges = measure(picture, view, 0, size - 1, light=light, cell=samples, reach=reach)
        found = evidence(edges, 0)
        if found is None or found[0].mean() < found[1].mean() * edges.free.mean():
            return None
        view = fitted(view, edges, _trust(found[0]), lens=False)
    if not _plausible(view, size):
        return None
    wide = measure(picture, view, -_PAD, size - 1 + _PAD, light=light, cell=samples, reach=0.2)
    verdict = judge(wide, size, _PAD)
    if verdict is None:
        return None
    return verdict, view.moved(verdict.file - _PAD, verdict.row - _PAD)


def _settled(picture: NDArray[np.uint8], view: View, size: int, *, light: bool) -> tuple[Verdict, View] | None:
    """The verdict on ``view`` made exact, and that view; None when a window beside it is always better."""
    for _ in range(3):
        for reach in (0.3, 0.2, 0.1):
            edges = measure(picture, view, 0, size - 1, light=light, cell=_samples(view, size, 16, 40), reach=reach)
            found = evidence(edges, 0)
            if found is None:
                return None
            view = fitted(view, edges, _trust(found[0]), lens=True)
            if not _plausible(view, size):
                return None
        edges = measure(
            picture, view, -_ROUND, size - 1 + _ROUND, light=light, cell=_samples(view, size, 12, 32), reach=0.12
        )
        verdict = judge(edges, size, _ROUND)
        if verdict is None:
            return None
        if (verdict.row, verdict.file) == (_ROUND, _ROUND):
            return verdict, view
        view = view.moved(verdict.file - _ROUND, verdict.row - _ROUND)
    return None


def _trust(evidence: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.clip(evidence - 0.4, 0, None))


def _plausible(view: View, size: int) -> bool:
    return squareness(view) < 1 and SMALLEST_CELL < view.cell(size) < 2 * max(view.shape) / size


def _samples(view: View, size: int, least: int, most: int) -> int:
    """Samples to take of each cell: as many as it has pixels, within bounds."""
    return int(np.clip(round(view.cell(size)), least, most))


def _lines_between(picture: NDArray[np.uint8], view: View, size: int, *, light: bool) -> str | None:
    """Why the grid should not be believed when it is every third or fifth line of a finer one; None when it is not."""
    for parts in _PARTS:
        finer = replace(view, plane=view.plane @ np.diag([1 / parts, 1 / parts, 1.0]))
        last = parts * (size - 1)
        if view.cell(size) / parts < SMALLEST_CELL:
            continue
        contrast = measure(
            picture, finer, 0, last, light=light, cell=_samples(finer, last + 1, 8, 12), reach=0.2
        ).contrast
        on = np.arange(last + 1) % parts == 0
        if np.median(contrast[:, ~on]) > _AS_CLEAR * np.median(contrast[:, on]):
            return "lines run between those of the size asked for"
    return None


def _upright(view: View, size: int) -> View:
    """The same lattice counted from the picture's top left corner, rows downwards."""
    corners, m = view.corners(size), size - 1.0
    x, y = corners.T
    order = np.arange(4)
    if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0:
        order = order[::-1]
    order = np.roll(order, -int(np.argmin(corners[order].sum(axis=1))))
    square = np.array([[0, 0], [m, 0], [m, m], [0, m]], np.float32)
    turn = cv2.getPerspectiveTransform(square, square[order])
    return replace(view, plane=view.plane @ turn)


def homography(corners: NDArray[Any], size: int) -> NDArray[np.float64]:
    """The 3 × 3 map from grid coordinates (column, row), 0 to ``size`` - 1, to image pixels (x, y)."""
    m = size - 1
    source = np.array([[0, 0], [m, 0], [m, m], [0, m]], dtype=np.float32)
    return np.asarray(
        cv2.getPerspectiveTransform(source, np.asarray(corners, dtype=np.float32).reshape(4, 2)), dtype=np.float64
    )
