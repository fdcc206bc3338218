"""Pictures that hold no board of 9, 13, 15 or 19 lines, drawn so that one might think of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SIDE = 900
"""Pixels of each drawing."""

Drawing = Any
"""(SIDE, SIDE, 3) float32 BGR, or (SIDE, SIDE) grey."""


def _ground(rng: np.random.Generator, tone: float) -> Drawing:
    grain = cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE)).astype(np.float32), (0, 0), 6)
    return tone + grain / grain.std() * 4


def chessboard(rng: np.random.Generator) -> Drawing:
    """8 × 8 squares: nine edges each way, and no line."""
    at = np.arange(SIDE) // (SIDE // 8 + 1)
    return np.where((at[:, None] + at[None]) % 2, 70, 200) + 0.1 * _ground(rng, 0)


def draughtsboard_with_men(rng: np.random.Generator) -> Drawing:
    at = np.arange(SIDE) // (SIDE // 10)
    flat = np.where((at[:, None] + at[None]) % 2, 90.0, 190.0) + 0.1 * _ground(rng, 0)
    for row in (0, 1, 2, 7, 8, 9):
        for col in range(row % 2, 10, 2):
            centre = (int((col + 0.5) * 90), int((row + 0.5) * 90))
            cv2.circle(flat, centre, 36, 30.0 if row < 5 else 240.0, -1, cv2.LINE_AA)
    return flat


def xiangqi_board(rng: np.random.Generator) -> Drawing:
    """9 files, 10 ranks, a river and palaces."""
    flat = _ground(rng, 185)
    for rank in range(10):
        cv2.line(flat, (90, 60 + 85 * rank), (90 + 8 * 88, 60 + 85 * rank), 40.0, 3)
    for file in range(9):
        x = 90 + 88 * file
        for top, bottom in ((0, 4), (5, 9)) if 0 < file < 8 else ((0, 9),):
            cv2.line(flat, (x, 60 + 85 * top), (x, 60 + 85 * bottom), 40.0, 3)
    for top in (0, 7):
        for a, b in ((3, 5), (5, 3)):
            cv2.line(flat, (90 + 88 * a, 60 + 85 * top), (90 + 88 * b, 60 + 85 * (top + 2)), 40.0, 3)
    return flat


def shogi_board(rng: np.random.Generator) -> Drawing:
    """9 × 9 squares: ten lines each way."""
    flat = _ground(rng, 180)
    for i in range(10):
        cv2.line(flat, (80, 60 + 85 * i), (80 + 9 * 80, 60 + 85 * i), 50.0, 3)
        cv2.line(flat, (80 + 80 * i, 60), (80 + 80 * i, 60 + 9 * 85), 50.0, 3)
    return flat


def bricks(rng: np.random.Generator) -> Drawing:
    flat = _ground(rng, 110)
    for row in range(18):
        cv2.line(flat, (0, row * 50), (SIDE, row * 50), 190.0, 4)
        for x in range((row % 2) * 50, SIDE, 100):
            cv2.line(flat, (x, row * 50), (x, row * 50 + 50), 190.0, 4)
    return flat


def tiled_floor(rng: np.random.Generator) -> Drawing:
    """Joints that run on to the picture's edge everywhere."""
    flat = _ground(rng, 170)
    for at in range(20, SIDE, 47):
        cv2.line(flat, (at, 0), (at, SIDE), 90.0, 3)
        cv2.line(flat, (0, at), (SIDE, at), 90.0, 3)
    return flat


def parquet(rng: np.random.Generator) -> Drawing:
    """Squares of strips that run one way and the other."""
    flat = _ground(rng, 150)
    for row in range(9):
        for col in range(9):
            for k in range(5):
                x, y = col * 100 + k * 20, row * 100 + k * 20
                a, b = (
                    ((x, row * 100), (x, row * 100 + 100))
                    if (row + col) % 2
                    else ((col * 100, y), (col * 100 + 100, y))
                )
                cv2.line(flat, a, b, 100.0, 2)
    return flat


def window_panes(rng: np.random.Generator) -> Drawing:
    """Four panes by five, thick bars."""
    flat = _ground(rng, 220)
    for x in np.linspace(30, SIDE - 30, 5):
        cv2.line(flat, (int(x), 30), (int(x), SIDE - 30), 60.0, 16)
    for y in np.linspace(30, SIDE - 30, 6):
        cv2.line(flat, (30, int(y)), (SIDE - 30, int(y)), 60.0, 16)
    return flat


def page_of_text(rng: np.random.Generator) -> Drawing:
    flat = _ground(rng, 235)
    for y in range(60, SIDE - 40, 30):
        words = " ".join("".join(chr(97 + c) for c in rng.integers(0, 26, rng.integers(2, 9))) for _ in range(9))
        cv2.putText(flat, words, (50, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 30.0, 1, cv2.LINE_AA)
    return flat


def crossword(rng: np.random.Generator) -> Drawing:
    """15 × 15 squares (16 lines), a fifth of them black."""
    flat = _ground(rng, 240)
    for row, col in np.argwhere(rng.random((15, 15)) < 0.2):
        cv2.rectangle(flat, (75 + col * 50, 75 + row * 50), (125 + col * 50, 125 + row * 50), 20.0, -1)
    for i in range(16):
        cv2.line(flat, (75, 75 + 50 * i), (825, 75 + 50 * i), 40.0, 2)
        cv2.line(flat, (75 + 50 * i, 75), (75 + 50 * i, 825), 40.0, 2)
    return flat


def keyboard(rng: np.random.Generator) -> Drawing:
    flat = _ground(rng, 60)
    for row in range(5):
        for key in range(14):
            x, y = 30 + key * 60 + row * 15, 250 + row * 62
            cv2.rectangle(flat, (x, y), (x + 50, y + 52), 120.0, -1)
            cv2.putText(
                flat, chr(65 + (row * 14 + key) % 26), (x + 10, y + 35), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 230.0, 2
            )
    return flat


def spreadsheet(rng: np.random.Generator) -> Drawing:
    """Many rows, few columns of unequal width, numbers in the cells."""
    flat = _ground(rng, 245)
    columns = np.cumsum([60, 170, 90, 210, 70, 140, 100])
    for y in range(60, SIDE - 30, 34):
        cv2.line(flat, (60, y), (int(columns[-1]), y), 150.0, 1)
        for x in columns[:-1]:
            cv2.putText(flat, str(rng.integers(1, 9999)), (int(x) + 6, y + 24), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 60.0, 1)
    for x in columns:
        cv2.line(flat, (int(x), 60), (int(x), SIDE - 40), 150.0, 1)
    return flat


def stones_without_lines(rng: np.random.Generator) -> Drawing:
    """Stones in rows and files on a bare table."""
    flat = _ground(rng, 160)
    for row, col in np.argwhere(rng.random((15, 15)) < 0.6):
        cv2.circle(flat, (80 + col * 52, 80 + row * 52), 23, float(rng.choice([25, 240])), -1, cv2.LINE_AA)
    return flat


def honeycomb(rng: np.random.Generator) -> Drawing:
    flat = _ground(rng, 190)
    for row in range(16):
        for col in range(12):
            centre = np.array([col * 78 + (row % 2) * 39, row * 67.0])
            around = np.radians(np.arange(6) * 60 + 30)
            ring = centre + 45 * np.stack([np.cos(around), np.sin(around)], axis=1)
            cv2.polylines(flat, [ring.astype(np.int32)], True, 70.0, 2, cv2.LINE_AA)
    return flat


def squared_code(rng: np.random.Generator) -> Drawing:
    """Black and white squares as in a printed code."""
    small = rng.choice([20.0, 240.0], (25, 25)).astype(np.float32)
    flat = np.full((SIDE, SIDE), 240, np.float32)
    flat[75:825, 75:825] = cv2.resize(small, (750, 750), interpolation=cv2.INTER_NEAREST)
    return flat


def fence(rng: np.random.Generator) -> Drawing:
    """Wires crossing aslant."""
    flat = _ground(rng, 130)
    for at in range(-SIDE, 2 * SIDE, 70):
        cv2.line(flat, (at, 0), (at + 600, SIDE), 60.0, 3, cv2.LINE_AA)
        cv2.line(flat, (at, 0), (at - 600, SIDE), 60.0, 3, cv2.LINE_AA)
    return flat


def tennis_court(rng: np.random.Generator) -> Drawing:
    flat = _ground(rng, 100)
    for x in (100, 190, 450, 710, 800):
        cv2.line(flat, (x, 40), (x, 860), 235.0, 5)
    for y in (40, 240, 450, 660, 860):
        cv2.line(flat, (100, y), (800, y), 235.0, 5)
    return flat


def staves(rng: np.random.Generator) -> Drawing:
    """Music: five lines, and five again."""
    flat = _ground(rng, 240)
    for stave in range(8):
        for line in range(5):
            y = 60 + stave * 105 + line * 14
            cv2.line(flat, (40, y), (SIDE - 40, y), 40.0, 2)
        for _ in range(18):
            x, y = int(rng.integers(60, SIDE - 60)), 60 + stave * 105 + int(rng.integers(0, 60))
            cv2.ellipse(flat, (x, y), (9, 7), -20, 0, 360, 20.0, -1)
            cv2.line(flat, (x + 8, y), (x + 8, y - 40), 20.0, 2)
    return flat


def bare_table(rng: np.random.Generator) -> Drawing:
    streaks = cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE)).astype(np.float32), (0, 0), sigmaX=80, sigmaY=1.2)
    return 140 + streaks / streaks.std() * 12


def half_a_board(rng: np.random.Generator) -> Drawing:
    """A board of 15 lines that leaves the picture on one side."""
    flat = _ground(rng, 190)
    for i in range(15):
        cv2.line(flat, (300 + i * 60, 40), (300 + i * 60, 40 + 14 * 58), 40.0, 2)
        cv2.line(flat, (300, 40 + i * 58), (SIDE, 40 + i * 58), 40.0, 2)
    return flat


def board_too_small(rng: np.random.Generator) -> Drawing:
    """A board far away: its cells are four pixels wide."""
    flat = _ground(rng, 150)
    for i in range(15):
        cv2.line(flat, (400, 400 + i * 4), (456, 400 + i * 4), 60.0, 1)
        cv2.line(flat, (400 + i * 4, 400), (400 + i * 4, 456), 60.0, 1)
    return flat


DRAWINGS: dict[Callable[[np.random.Generator], Drawing], int] = {
    chessboard: 9,
    draughtsboard_with_men: 9,
    xiangqi_board: 9,
    shogi_board: 9,
    bricks: 19,
    tiled_floor: 19,
    parquet: 9,
    window_panes: 9,
    page_of_text: 15,
    crossword: 15,
    keyboard: 13,
    spreadsheet: 19,
    stones_without_lines: 15,
    honeycomb: 13,
    squared_code: 19,
    fence: 13,
    tennis_court: 9,
    staves: 19,
    bare_table: 15,
    half_a_board: 15,
    board_too_small: 15,
}
"""Each with the number of lines for which it comes nearest to a board."""


def photographed(draw: Callable[[np.random.Generator], Drawing], seed: int) -> NDArray[np.uint8]:
    """``draw`` as a camera sees it a little from the side, on a table, with noise: (720, 960, 3) uint8."""
    rng = np.random.default_rng(seed)
    flat = np.asarray(draw(rng), np.float32)
    tint = rng.uniform(0.8, 1.0, 3).astype(np.float32)
    colour = flat[..., None] * tint
    whole = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    seen = np.array([[140, 30], [820, 30], [900, 690], [60, 690]], np.float32) + rng.uniform(-25, 25, (4, 2))
    to_picture = cv2.getPerspectiveTransform(whole, seen.astype(np.float32))
    table = np.full((720, 960, 3), rng.uniform(30, 120), np.float32)
    picture = cv2.warpPerspective(colour, to_picture, (960, 720), table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 3, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)
