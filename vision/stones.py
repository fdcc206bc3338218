"""Is there a stone, where exactly, and of which colour?

A stone hides the board in a disc of known size. Against the board's own colour, under the light of this moment, a
black one is darker in its brightest channel and a white one lighter in its darkest channel; that holds on wood,
paper and cloth alike, since boards are coloured and stones are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from vision.observation import Content
from vision.rectify import CELL

if TYPE_CHECKING:
    from numpy.typing import NDArray

RADIUS = 0.45
"""A stone's radius in cells: 2.0–2.3 cm on cells of 2.4 × 2.5 cm (rule E2)."""

STONE_MIDDLE = 0.17
"""Height of the middle of a stone's outline above the board, in cells (stones are up to 0.8 cm thick, rule E2)."""

REACH = 0.6
"""How far from its point, in cells, a stone is looked for."""

BLACK_BELOW = -0.4
"""Log ratio of a stone's brightest channel to the board's: below is black, when no black stone is known yet."""

BLACK_AT_MOST = np.log(110.0)
"""Log of the brightest channel (0 to 255) that a black stone may have."""

WHITE_ABOVE = 0.08
"""Log ratio of a stone's darkest channel to the board's: above is white, when no white stone is known yet."""

PALE_BOARD = 0.3
"""On a board whose channels differ by less than this (white paper) a white stone need not be lighter than the board."""

OF_KNOWN = 0.45
"""The part of the known stones' contrast with the board that another stone of that colour must have."""

CELL_MIDDLE = 0.33
"""Cells, along both directions, beyond which a place near a point is in the middle of a cell."""

NO_CONTRAST = 0.1
"""A white stone's log ratios to the board below which colour says nothing: white on white paper."""

GLARE = np.log(235.0)
"""Where the board itself is as bright as this, contrast is cut off and the known stones say nothing."""

_TINT_FLOOR = np.float32(3.0)
_LOG = np.log(np.arange(256, dtype=np.float32) + _TINT_FLOOR)


_MOST_LIKE = {Content.BLACK: 0.8, Content.WHITE: 0.6}
"""Log ratio to the board beyond which a pixel is no more like a stone."""


class Tint(NamedTuple):
    """Natural logs of the largest and the smallest colour channel; light adds the same to both."""

    brightest: float
    darkest: float


@dataclass(frozen=True, kw_only=True)
class Disc:
    """A stone-like disc.

    ``dx``, ``dy``: its centre from the point, in cells. ``score``: shape, −1 to 1. ``contrast``: its tint over the
    board's.
    """

    content: Content
    dx: float
    dy: float
    score: float
    contrast: Tint

    @property
    def colourless(self) -> bool:
        """Whether only its shape tells it from the bare board."""
        return self.content is Content.WHITE and max(self.contrast) < NO_CONTRAST


@dataclass(frozen=True, kw_only=True)
class Palette:
    """The usual contrast of the stones known in this game; None while there is none of that colour."""

    black: Tint | None = None
    white: Tint | None = None

    def refutes(self, content: Content, contrast: Tint) -> bool:
        """Whether a stone said to be ``content`` has a ``contrast`` nearer to that of the other colour's stones.

        At the edge of a sunlit patch a white stone in the shade is dark beside it.
        """
        own, other = (self.black, self.white) if content is Content.BLACK else (self.white, self.black)
        if own is None or other is None:
            return False
        return abs(contrast.darkest - other.darkest) < abs(contrast.darkest - own.darkest)


def log_tint(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Brightest and darkest channel of ``pixels`` (rows, columns, 3 uint8), as logs: (rows, columns, 2) float32.

    Spots smaller than a quarter of a cell are taken out of the brightest one: the gleam of a lamp on a black stone.
    """
    blue, green, red = cv2.split(pixels)
    brightest = cv2.morphologyEx(cv2.max(cv2.max(blue, green), red), cv2.MORPH_OPEN, _GLEAM)
    darkest = cv2.min(cv2.min(blue, green), red)
    return np.asarray(cv2.LUT(cv2.merge([brightest, darkest]), _LOG), np.float32)


_GLEAM = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (CELL // 4 | 1, CELL // 4 | 1))


def colour_of(inside: Tint, board: Tint, palette: Palette) -> Content | None:
    """Which stone has the tint ``inside`` on a ``board`` of that tint; None for neither."""
    light, dark = inside.brightest - board.brightest, inside.darkest - board.darkest
    if light + dark < 0.1 and inside.brightest < BLACK_AT_MOST and light < _black_below(palette):
        return Content.BLACK
    colourful = board.brightest - board.darkest
    if colourful < PALE_BOARD:
        return Content.WHITE if light > -0.2 and dark > -0.2 else None
    if inside.brightest - inside.darkest > 0.1 + 0.6 * colourful:
        return None
    return Content.WHITE if light > -0.3 and dark > _white_above(board, palette) else None


def _template() -> NDArray[np.float32]:
    """A disc on a plain ground, 1 on 0, as large as a stone's cell and a little more."""
    side = CELL + 4
    centre = (side - 1) / 2
    y, x = np.mgrid[:side, :side].astype(np.float32) - np.float32(centre)
    return np.asarray(np.clip(RADIUS * CELL - np.hypot(x, y) + 0.5, 0, 1), np.float32)


_DISC = _template()
_Y, _X = np.mgrid[:CELL, :CELL] - (CELL - 1) / 2
_INNER_ROWS, _INNER_COLUMNS = np.nonzero(np.hypot(_X, _Y) < 0.3 * CELL)


def find_disc(
    tint: NDArray[np.float32],
    row: int,
    col: int,
    board: Tint,
    palette: Palette,
    reach: float = REACH,
    only: Content | None = None,
) -> Disc | None:
    """The best stone-like disc near the point of tile (row, col), or None when nothing there has a stone's tint.

    ``tint``: (side, side, 2), the canvas's :func:`log_tint`. ``board``: the bare board there, under the present light.
    ``reach``: how far from the point, in cells, the disc's middle may lie in each direction. ``only``: look for that
    colour alone.
    """
    cy, cx = row * CELL + CELL // 2, col * CELL + CELL // 2
    half = _DISC.shape[0] // 2 + round(reach * CELL)
    window = tint[cy - half : cy + half, cx - half : cx + half]
    darker = np.clip(board.brightest - window[..., 0], 0, _MOST_LIKE[Content.BLACK])
    lighter = np.clip(window[..., 1] - board.darkest, -0.3, _MOST_LIKE[Content.WHITE])
    best: tuple[float, Content, int, int, Tint] | None = None
    pale = board.brightest - board.darkest < PALE_BOARD
    for content, likeness in ((Content.BLACK, darker), (Content.WHITE, lighter)):
        if only not in (None, content) or not _reached(content, likeness, board, palette):
            continue
        match = cv2.matchTemplate(likeness, _DISC, cv2.TM_CCOEFF_NORMED)
        if pale and content is Content.WHITE:
            # The bare middle of a cell, white between its lines, is the best white disc that there is.
            match[_in_cell_middle(match.shape[0])] = -1
        _, score, _, (x, y) = cv2.minMaxLoc(match)
        if best is not None and score <= best[0]:
            continue
        tinted = tint_at(window, x + 2 + CELL / 2, y + 2 + CELL / 2)
        if colour_of(tinted, board, palette) is content:
            contrast = Tint(tinted.brightest - board.brightest, tinted.darkest - board.darkest)
            best = (score, content, x, y, contrast)
    if best is None:
        return None
    score, content, x, y, contrast = best
    dx, dy = x + _DISC.shape[0] // 2 - half, y + _DISC.shape[0] // 2 - half
    return Disc(
        content=content,
        dx=dx / CELL,
        dy=dy / CELL,
        score=float(score),
        contrast=contrast,
    )


def _reached(content: Content, likeness: NDArray[np.float32], board: Tint, palette: Palette) -> bool:
    """Whether as many pixels as half of a stone are so dark, or so light, that :func:`colour_of` may call it one."""
    if content is Content.BLACK:
        least = -_black_below(palette)
    elif board.brightest - board.darkest < PALE_BOARD:
        return True
    else:
        least = _white_above(board, palette)
    return bool(np.count_nonzero(likeness >= min(least, _MOST_LIKE[content])) >= len(_INNER_ROWS) // 2)


def _black_below(palette: Palette) -> float:
    return BLACK_BELOW if palette.black is None else OF_KNOWN * palette.black.brightest


def _white_above(board: Tint, palette: Palette) -> float:
    if palette.white is None or board.brightest > GLARE:
        return WHITE_ABOVE
    return max(WHITE_ABOVE, OF_KNOWN * palette.white.darkest)


@cache
def _in_cell_middle(side: int) -> NDArray[np.bool_]:
    """Of (side, side) places around a point, in pixels, those in the middles of the four cells around it."""
    away = np.abs(np.arange(side) - (side - 1) / 2) > CELL_MIDDLE * CELL
    return np.asarray(away[:, None] & away[None, :])


def tint_at(tint: NDArray[np.float32], x: float, y: float) -> Tint:
    """The tint of a stone whose middle lies at the canvas pixel (x, y), whatever is there."""
    left, top = round(x - CELL / 2), round(y - CELL / 2)
    inner = tint[top : top + CELL, left : left + CELL][_INNER_ROWS, _INNER_COLUMNS]
    # The median, as cheaply as it comes.
    half = len(inner) // 2
    inner.partition((half - 1, half), axis=0)
    brightest, darkest = (inner[half - 1] + inner[half]) / 2 if len(inner) % 2 == 0 else inner[half]
    return Tint(float(brightest), float(darkest))


def radius_at(tint: NDArray[np.float32], x: float, y: float, content: Content, board: Tint) -> float:
    """How large what is like a stone of colour ``content`` at the canvas pixel (x, y) is: its radius, in cells.

    Its rim is where the likeness has fallen by half, in the middle one of the directions: others may end at a stone on
    the next point, or in a shadow.
    """
    across, down = (x + _RAYS_X).astype(np.float32), (y + _RAYS_Y).astype(np.float32)
    # Not the logs: a blurred rim lies half-way in brightness.
    brightest, darkest = np.exp(np.moveaxis(cv2.remap(tint, across, down, cv2.INTER_LINEAR), -1, 0))
    black = content is Content.BLACK
    likeness = np.exp(board.brightest) - brightest if black else darkest - np.exp(board.darkest)
    ended = likeness < 0.5 * np.median(likeness[:, : len(_FROM_MIDDLE) // 4])
    return float(np.median(np.where(ended.any(axis=1), _FROM_MIDDLE[ended.argmax(axis=1)], _FROM_MIDDLE[-1]))) / CELL


_FROM_MIDDLE = np.arange(0, 0.9 * CELL, 0.5)
_TURNS = np.arange(24) * (2 * np.pi / 24)
_RAYS_X, _RAYS_Y = np.outer(np.cos(_TURNS), _FROM_MIDDLE), np.outer(np.sin(_TURNS), _FROM_MIDDLE)


def surrounded(
    tint: NDArray[np.float32],
    x: float,
    y: float,
    board: Tint,
    others: NDArray[np.float64],
    *,
    light_lines: bool,
) -> float:
    """The part of the ring just outside a disc at the canvas pixel (x, y) that looks like the board, lit or in shadow.

    The board's lines, ``light_lines`` or dark ones, are left out of account. ``others``: (n, 2) middles (x, y) of the
    other stones near; where one stands in the ring, nothing better is asked.
    """
    left, top = max(round(x) - _AROUND, 0), max(round(y) - _AROUND, 0)
    window = tint[top : round(y) + _AROUND + 1, left : round(x) + _AROUND + 1]
    bare = cv2.morphologyEx(window, cv2.MORPH_OPEN if light_lines else cv2.MORPH_CLOSE, _THIN)
    across, down = round(x) - left + _RING_X, round(y) - top + _RING_Y
    inside = (across >= 0) & (across < window.shape[1]) & (down >= 0) & (down < window.shape[0])
    across, down = across[inside], down[inside]
    light, dark = np.moveaxis(bare[down, across] - np.array(board, np.float32), -1, 0)
    fine = (light > -0.7) & (light < 0.4) & (np.abs(light - dark) < 0.35)
    for other_x, other_y in others:
        fine |= np.hypot(across + left - other_x, down + top - other_y) <= (RADIUS + 0.1) * CELL
    return float(fine.mean())


_AROUND = CELL
_THIN = np.ones((CELL // 5 | 1, CELL // 5 | 1), np.uint8)
_Y2, _X2 = np.mgrid[-CELL : CELL + 1, -CELL : CELL + 1]
_AWAY = np.hypot(_X2, _Y2)
_RING = (_AWAY > (RADIUS + 0.07) * CELL) & (_AWAY < (RADIUS + 0.25) * CELL)
_RING_X, _RING_Y = _X2[_RING], _Y2[_RING]
