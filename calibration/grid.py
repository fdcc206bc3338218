"""Find an N × N grid of lines in one picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.fit import fitted
from calibration.hypotheses import lattices
from calibration.lattice import measure
from calibration.verdict import Verdict, confidence, convincing, doubt, evidence, judge
from calibration.view import View, seen, squareness

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Longest side of the copies in which lines are sought and in which they are measured.
_COARSE = 1000
_FINE = 2000
_SMALLEST = 64
# How many lines beyond a guessed lattice the grid is sought, and beyond a grid nothing must run on.
_PAD = 5
_ROUND = 3


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Where a board lies in a picture.

    ``corners``: (4, 2) float64 pixel coordinates of the outer intersections, image TL, TR, BR, BL (clockwise as seen).
    ``confidence``: 0 to 1, how well the lines in the picture agree with it.
    """

    size: int
    corners: NDArray[np.float64]
    confidence: float


class GridNotFound(Exception):  # noqa: N818
    """No grid could be found with enough certainty; the message says why, in one line."""


def find_grid(image: NDArray[np.uint8], size: int) -> Grid:
    """Find the outer intersections of a ``size`` × ``size`` grid in ``image`` (H, W, 3 uint8, BGR).

    Raises GridNotFound rather than guess.
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < _SMALLEST:
        raise ValueError(
            f"find_grid needs a colour picture of at least {_SMALLEST} pixels a side, not {image.shape} {image.dtype}"
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
        problem = doubt(verdict)
        if problem is None:
            scale = np.array(image.shape[1::-1]) / fine.shape[1::-1]
            corners = (_clockwise(corners) + 0.5) * scale - 0.5
            return Grid(size=size, corners=corners, confidence=confidence(verdict))
        doubts.append(problem)
    raise GridNotFound(doubts[-1])


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
    return squareness(view) < 1 and 6 < view.cell(size) < 2 * max(view.shape) / size


def _samples(view: View, size: int, least: int, most: int) -> int:
    """Samples to take of each cell: as many as it has pixels, within bounds."""
    return int(np.clip(round(view.cell(size)), least, most))


def _clockwise(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners in the order top left, top right, bottom right, bottom left of the picture."""
    x, y = corners.T
    if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0:
        corners = corners[::-1]
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)


def homography(corners: NDArray[Any], size: int) -> NDArray[np.float64]:
    """The 3 × 3 map from grid coordinates (column, row), 0 to ``size`` - 1, to image pixels (x, y)."""
    m = size - 1
    source = np.array([[0, 0], [m, 0], [m, m], [0, m]], dtype=np.float32)
    return np.asarray(
        cv2.getPerspectiveTransform(source, np.asarray(corners, dtype=np.float32).reshape(4, 2)), dtype=np.float64
    )
