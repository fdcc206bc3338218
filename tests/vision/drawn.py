"""Pictures of boards drawn for tests: lines, stones and hands where the test says."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 960, 540
CORNERS = np.array([[260.0, 60.0], [690.0, 70.0], [740.0, 470.0], [200.0, 455.0]])
"""Outer intersections in the picture, TL, TR, BR, BL."""

WOOD, TABLE, LINE = (120, 170, 200), (60, 70, 80), (40, 50, 60)
STONES = {"B": (28, 28, 30), "W": (232, 235, 236)}
SKIN = (125, 155, 205)
_SCALE = 60
"""Pixels a cell on the sheet on which the board is drawn, before it is put in perspective."""


def board(
    stones: Mapping[tuple[int, int], str],
    *,
    size: int = 15,
    hand: tuple[tuple[float, float], tuple[float, float]] | None = None,
    corners: NDArray[np.float64] = CORNERS,
    light: float = 1.0,
    offsets: Mapping[tuple[int, int], tuple[float, float]] | None = None,
    radii: Mapping[tuple[int, int], float] | None = None,
    seed: int = 0,
) -> NDArray[np.uint8]:
    """A picture of a board. ``stones``: (row, col) to ``B`` or ``W``, off their points by ``offsets`` (x, y) in cells,
    of ``radii`` in cells, 0.45 where none is told.

    ``hand``: from a finger's tip to where the arm comes from, (col, row) in cells. ``light``: brightness factor.
    """
    margin = 2.0
    side = round((size - 1 + 2 * margin) * _SCALE)

    def at(col: float, row: float) -> tuple[int, int]:
        return round((col + margin) * _SCALE), round((row + margin) * _SCALE)

    sheet = np.full((side, side, 3), TABLE, np.uint8)
    cv2.rectangle(sheet, at(-0.9, -0.9), at(size - 0.1, size - 0.1), WOOD, -1)
    grain = np.random.default_rng(7).normal(0, 5, (side // 4, 1, 1)).repeat(4, axis=0)[:side]
    sheet[: len(grain)] = np.clip(sheet[: len(grain)] + grain, 0, 255).astype(np.uint8)
    for k in range(size):
        cv2.line(sheet, at(0, k), at(size - 1, k), LINE, 3, cv2.LINE_AA)
        cv2.line(sheet, at(k, 0), at(k, size - 1), LINE, 3, cv2.LINE_AA)
    for (row, col), colour in stones.items():
        dx, dy = (offsets or {}).get((row, col), (0.0, 0.0))
        cv2.circle(
            sheet,
            at(col + dx, row + dy),
            round((radii or {}).get((row, col), 0.45) * _SCALE),
            STONES[colour],
            -1,
            cv2.LINE_AA,
        )
    if hand is not None:
        cv2.line(sheet, at(*hand[0]), at(*hand[1]), SKIN, round(2.4 * _SCALE), cv2.LINE_AA)
    square = np.array([at(0, 0), at(size - 1, 0), at(size - 1, size - 1), at(0, size - 1)], np.float32)
    to_picture = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    picture = cv2.warpPerspective(sheet, to_picture, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderValue=TABLE)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.asarray(np.clip(picture * light + noise, 0, 255), np.uint8)
