"""Find an N × N grid of lines in one picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.hypotheses import lattices
from calibration.fit import fitted
from calibration.lattice import measure
from calibration.verdict import Verdict, confidence, convincing, doubt, evidence, judge
from calibration.view import View, seen, squareness

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FINE = 2000
_COARSE = (1000,)
_PAD = 5


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Where a board lies in a picture.

    ``corners``: (4, 2) float64 pixel coordinates of the outer intersections, image TL, TR, BR, BL (clockwise as seen).
    ``confidence``: 0 to 1, how well the lines in the picture agree with it.
    """

    size: int
    corners: NDArray[np.float64]
    confidence: float


class GridNotFound(Exception):
    """No grid could be found with enough certainty; the message says why, in one line."""


DEBUG: dict[str, Any] = {}


def find_grid(image: NDArray[np.uint8], size: int) -> Grid:
    """Find the outer intersections of a ``size`` × ``size`` grid in ``image`` (H, W, 3 uint8, BGR).

    Raises GridNotFound rather than guess.
    """
    DEBUG["judged"] = []
    fine = _reduced(image, _FINE)
    reasons = []
    # Thin lines show in the larger copy, thick ones in the smaller.
    for longest in _COARSE:
        found = _search(_reduced(fine, longest), fine, size)
        if isinstance(found, Grid):
            scale = image.shape[1] / fine.shape[1], image.shape[0] / fine.shape[0]
            return replace(found, corners=(found.corners + 0.5) * scale - 0.5)
        reasons.append(found)
    raise GridNotFound(reasons[0])


def _reduced(image: NDArray[np.uint8], longest: int) -> NDArray[np.uint8]:
    scale = longest / max(image.shape[:2])
    if scale >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _search(coarse: NDArray[np.uint8], fine: NDArray[np.uint8], size: int) -> Grid | str:
    """The grid guessed in the ``coarse`` copy and made sure in the ``fine`` one, or why there is none."""
    shape = (coarse.shape[0], coarse.shape[1])
    judged = []
    for h, light in lattices(coarse, size):
        verdict = _judge(coarse, seen(h, shape), size, light)
        DEBUG["judged"].append(verdict)
        if verdict is not None:
            judged.append((*verdict, light))
            if convincing(verdict[0]):
                break
    judged.sort(key=lambda j: -j[0].score)
    why = "no regular grid of lines"
    for _, view, light in judged[:2]:
        final, view = _settled(fine, view.resized((fine.shape[0], fine.shape[1])), size, light)
        DEBUG["final"] = (final, view, light)
        if final is None:
            continue
        corners = view.corners(size)
        if np.any(corners < -1) or np.any(corners > np.array(fine.shape[1::-1])):
            why = "the grid runs out of the picture"
            continue
        problem = doubt(final)
        if problem is None:
            return Grid(size=size, corners=_clockwise(corners), confidence=confidence(final))
        why = problem
    return why


def _settled(image: NDArray[np.uint8], view: View, size: int, light: bool) -> tuple[Verdict | None, View]:
    """``view`` made exact, and the verdict on it when no window beside it is better."""
    pad = 2
    for _ in range(3):
        view = _polish(image, view, size, light)
        cell = int(np.clip(round(view.cell(size)), 12, 32))
        final = judge(measure(image, view, -pad, size - 1 + pad, light=light, cell=cell, reach=0.12), size, pad)
        if final is None or (final.row, final.file) == (pad, pad):
            return final, view
        view = view.moved(final.file - pad, final.row - pad)
    return None, view


def _judge(work: NDArray[np.uint8], view: View, size: int, light: bool) -> tuple[Verdict, View] | None:
    if squareness(view) > 1:
        return None
    for reach in (0.3, 0.2):
        cell = view.cell(size)
        if not 6 < cell < 400:
            return None
        samples = int(np.clip(round(cell), 12, 28))
        edges = measure(work, view, 0, size - 1, light=light, cell=samples, reach=reach)
        if reach == 0.3:
            between, on = edges.between.mean(axis=(1, 2)), edges.contrast.mean(axis=(1, 2))
            if np.any(between > on):
                view = view.moved(*(0.5 * (between > on)[::-1]))
                edges = measure(work, view, 0, size - 1, light=light, cell=samples, reach=reach)
        found = evidence(edges, 0)
        if found is None:
            return None
        view = fitted(view, edges, np.clip(found[0] - 0.4, 0, 0.6), lens=False)
    if squareness(view) > 1 or not 6 < view.cell(size) < 400:
        return None
    verdict = judge(measure(work, view, -_PAD, size - 1 + _PAD, light=light, cell=samples, reach=0.2), size, _PAD)
    if verdict is None:
        return None
    return verdict, view.moved(verdict.file - _PAD, verdict.row - _PAD)


def _polish(image: NDArray[np.uint8], view: View, size: int, light: bool) -> View:
    for reach in (0.3, 0.2, 0.1):
        samples = int(np.clip(round(view.cell(size)), 16, 40))
        edges = measure(image, view, 0, size - 1, light=light, cell=samples, reach=reach)
        found = evidence(edges, 0)
        if found is None:
            return view
        view = fitted(view, edges, np.clip(found[0] - 0.4, 0, 0.6), lens=True)
    return view


def _clockwise(c: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = c[:, 0], c[:, 1]
    if float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) < 0:
        c = c[::-1]
    return np.roll(c, -int(np.argmin(c.sum(axis=1))), axis=0)


def homography(corners: NDArray[Any], size: int) -> NDArray[np.float64]:
    """The 3 × 3 map from grid coordinates (column, row), 0 to ``size`` - 1, to image pixels (x, y)."""
    m = size - 1
    source = np.array([[0, 0], [m, 0], [m, m], [0, m]], dtype=np.float32)
    return np.asarray(
        cv2.getPerspectiveTransform(source, np.asarray(corners, dtype=np.float32).reshape(4, 2)), dtype=np.float64
    )
