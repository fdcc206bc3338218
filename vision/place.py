"""Where the board lies in the picture: steadied while the camera shakes, found again after a bump."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.grid import GridNotFound, find_grid, homography
from calibration.pose import raised
from vision.hands import Crossing, find_crossing, texture
from vision.observation import Intersection
from vision.rectify import CELL, Rectifier, canvas_to_grid
from vision.registration import register
from vision.stones import STONE_MIDDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from vision.observation import Frame

STILL = 0.8
"""The part of the points that must not be in motion before the board is looked for anew."""

LEAST_SHIFT = 0.04
"""Cells; less is within what looks adapt to by themselves."""

RETRY_NS = 400_000_000
"""How often the board is looked for while much looks wrong."""

ANCHORS = 16
"""Crossings by which a shaking camera is noticed."""

ANCHOR_HOLDS = 0.8
"""The part of its first score that a crossing must still have to be one of them."""

LEAST_DRIFT = 0.03
"""Cells; less is not put right."""

SEARCH_AGAIN_NS = 2_000_000_000
"""How often the whole picture is searched for the board: that takes longer than a frame."""

QUIET = 0.9
"""When more of the points than this part look right, the board lies where it lay."""


class BoardPlace:
    """The place of one board for one camera.

    ``rectify`` maps frames onto the board as it lies now, ``rectify_stones`` onto the plane of the stones' middles.

    ``corners``: (4, 2) outer intersections in pixels, in board order. ``frame_size``: width and height in pixels.
    """

    def __init__(self, corners: NDArray[Any], size: int, frame_size: tuple[int, int]) -> None:
        self._size = size
        self._frame_size = frame_size
        self._put(np.asarray(corners, np.float64))
        # Points by whose crossings a shaking camera is noticed, and where those lay in the first frame.
        self._anchors: dict[Intersection, Crossing] = {}
        self._light_lines = False
        # The texture of the last canvas on which the board lay as it was known to.
        self._reference: NDArray[np.float32] | None = None
        self._tried_ns = -RETRY_NS
        self._searched_ns = -SEARCH_AGAIN_NS

    def _put(self, corners: NDArray[np.float64]) -> None:
        self.rectify = Rectifier(corners, self._size)
        self.rectify_stones = Rectifier(raised(corners, self._size, self._frame_size, STONE_MIDDLE), self._size)

    @property
    def corners(self) -> NDArray[np.float64]:
        """Where the outer intersections lie now, (4, 2) pixels in board order."""
        return self.rectify.corners

    def anchor(self, found: NDArray[np.float64], bare: NDArray[np.bool_], *, light_lines: bool) -> None:
        """Hold on to the clearest of the ``bare`` crossings, spread over the board: one in each part of it.

        ``found``: (size, size, 3), score and place of each crossing in the first frame.
        """
        self._light_lines = light_lines
        parts = np.array_split(np.arange(self._size), round(ANCHORS**0.5))
        for rows in parts:
            for cols in parts:
                scores = np.where(bare, found[..., 0], -1.0)[np.ix_(rows, cols)]
                row, col = np.unravel_index(int(scores.argmax()), scores.shape)
                at = Intersection(int(rows[row]), int(cols[col]))
                if bare[at]:
                    self._anchors[at] = Crossing(*map(float, found[at]))

    def canvas(self, frame: Frame) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """The board as ``frame`` shows it, the camera's shaking taken out, and its texture."""
        canvas = self.rectify(frame.image)
        textured = texture(canvas)
        dx, dy = self._drift(textured)
        if np.hypot(dx, dy) <= LEAST_DRIFT:
            return canvas, textured
        back = np.array([[1, 0, -dx * CELL], [0, 1, -dy * CELL]], np.float32)
        canvas = np.asarray(
            cv2.warpAffine(canvas, back, canvas.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
        return canvas, texture(canvas)

    def _drift(self, textured: NDArray[np.float32]) -> tuple[float, float]:
        """How far the whole picture moved, (x, y) in cells; 0 where too few crossings show."""
        moved = []
        for at, first in self._anchors.items():
            now = find_crossing(textured, at.row, at.col, self._size, light_lines=self._light_lines)
            if now.score >= ANCHOR_HOLDS * first.score:
                moved.append((now.dx - first.dx, now.dy - first.dy))
        if len(moved) < ANCHORS // 3:
            return 0.0, 0.0
        dx, dy = np.median(moved, axis=0)
        return float(dx), float(dy)

    def looks_right(self, part: float, textured: NDArray[np.float32]) -> None:
        """The ``part`` of the points that look as they should: of most of them, the canvas is remembered."""
        if part > QUIET:
            self._reference = textured

    def found_anew(
        self,
        frame: Frame,
        textured: NDArray[np.float32],
        right: float,
        still: float,
        holds: Callable[[NDArray[np.uint8]], bool],
    ) -> float:
        """How far the board's corners moved, the farthest of them, in cells, if it was found elsewhere; else 0.

        It is looked for when much looks wrong (``right``: the part of the points that does not), nothing moves
        (``still``: the part that does not) and it was not tried just now. ``holds``: whether a canvas of the new
        place shows the known stones.
        """
        if right > QUIET or still < STILL or frame.instant_ns - self._tried_ns < RETRY_NS:
            return 0.0
        self._tried_ns = frame.instant_ns
        before = self.rectify
        for corners in self._places(frame, textured):
            shift = _shift(before.corners, corners, self._size)
            if shift < LEAST_SHIFT:
                return 0.0
            self._put(corners)
            if holds(self.rectify(frame.image)):
                return shift
            # Moved by about a cell the lines fall on lines again, but no stone on its point.
            self._put(before.corners)
        return 0.0

    def _places(self, frame: Frame, textured: NDArray[np.float32]) -> Iterator[NDArray[np.float64]]:
        """Where the board may lie now: near where it lay; else wherever in the picture there is such a grid."""
        first, last = CELL * 1.5 - 0.5, CELL * (self._size + 0.5) - 0.5
        square = np.array([[[first, first], [last, first], [last, last], [first, last]]])
        to_image = homography(self.corners, self._size) @ canvas_to_grid()
        motion = None if self._reference is None else register(self._reference, textured, self._size)
        if motion is not None:
            yield cv2.perspectiveTransform(cv2.perspectiveTransform(square, motion), to_image)[0]
        if frame.instant_ns - self._searched_ns >= SEARCH_AGAIN_NS:
            self._searched_ns = frame.instant_ns
            with suppress(GridNotFound):
                found = find_grid(frame.image, self._size).corners
                turned = [np.roll(found, turn, axis=0) for turn in range(4)]
                yield min(turned, key=lambda corners: float(np.linalg.norm(corners - self.corners)))


def _shift(before: NDArray[np.float64], after: NDArray[np.float64], size: int) -> float:
    """How far the corners moved, the farthest of them, in cells."""
    cell = float(np.linalg.norm(before - np.roll(before, 1, axis=0), axis=1).mean()) / (size - 1)
    return float(np.linalg.norm(after - before, axis=1).max()) / cell
