"""Find an N × N grid of lines in one picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


def find_grid(image: NDArray[np.uint8], size: int) -> Grid:
    """Find the outer intersections of a ``size`` × ``size`` grid in ``image`` (H, W, 3 uint8, BGR).

    Raises GridNotFound rather than guess.
    """
    raise GridNotFound("not written yet")


def homography(corners: NDArray[Any], size: int) -> NDArray[np.float64]:
    """The 3 × 3 map from grid coordinates (column, row), 0 to ``size`` - 1, to image pixels (x, y)."""
    raise NotImplementedError
