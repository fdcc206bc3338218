"""One picture of a film: a frame with what was seen in it, and below it what is told at the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from appliance.overlay.captions import Kind
from appliance.overlay.marks import (
    CAPITAL,
    FONT,
    RINGS,
    DrawnBoard,
    draw_coordinates,
    draw_dot,
    draw_reading,
    draw_ring,
    draw_square,
    reduced,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from appliance.game.points import Point
    from appliance.overlay.captions import Caption
    from appliance.overlay.marks import Colour
    from appliance.replaying import Seen

LONGEST = 1920
"""Longest side of a frame in the film, pixels: more is not decoded everywhere. Smaller frames keep their size."""

ROWS = 4
"""How many captions there is room for."""

# In BGR.
LOOSE: Colour = (0, 240, 255)
RULINGS: dict[Kind, Colour] = {Kind.CERTAIN: (255, 0, 255), Kind.COULD_NOT_SEE: (0, 190, 255)}
PAPER: Colour = (28, 28, 28)
PRESSED: Colour = (255, 255, 255)
_INKS: dict[Kind, Colour] = {
    Kind.CERTAIN: (255, 255, 255),
    Kind.COULD_NOT_SEE: RULINGS[Kind.COULD_NOT_SEE],
    Kind.PRESS: PAPER,
    Kind.ACT: (205, 205, 205),
    Kind.REMARK: (150, 150, 150),
}
_HEAD_INK = (255, 255, 255)

_MARGIN, _HEAD, _ROW = 9, 30, 20
"""Left margin, height of the head and of a caption, in units of a 640 × 480 picture."""


@dataclass(frozen=True, kw_only=True)
class Telling:
    """What is told at a picture's time. ``head``: time and turn. ``last``: the point of the last move."""

    head: str
    captions: tuple[Caption, ...] = ()
    last: Point | None = None


def draw_picture(seen: Seen, telling: Telling) -> NDArray[np.uint8]:
    """The frame of ``seen`` with grid, coordinates and what was read; what is told in a bar below.

    Beside the marks of :func:`appliance.overlay.marks.draw_reading`: on the last move a disc in its ring; a
    yellow square about a stone that lies beside the points; about the points of a ruling a wide ring, magenta and whole
    where it is certain, amber and broken where that could not be seen.
    """
    size = len(seen.observation.rows)
    drawing, corners = reduced(seen.frame.image, seen.corners, LONGEST)
    place = DrawnBoard(corners, size)
    draw_reading(drawing, place, seen.observation.rows)
    draw_coordinates(drawing, place)
    for at, stone in seen.observation.loose.items():
        cell = float(place.cells[at])
        middle = place.at(at.col + stone.dx, at.row + stone.dy)
        draw_ring(drawing, middle, 0.24 * cell, RINGS[stone.content], place.stroke)
        draw_square(drawing, middle, 0.5 * cell, LOOSE, place.stroke)
    if telling.last is not None:
        row, col = size - 1 - telling.last.rank, telling.last.file
        letter = seen.observation.rows[row][col]
        if letter in RINGS:
            draw_dot(drawing, place.points[row, col], 0.17 * float(place.cells[row, col]), RINGS[letter])
    for caption in (caption for caption in telling.captions if caption.kind in RULINGS):
        for point in caption.points:
            row, col = size - 1 - point.rank, point.file
            radius = 0.62 * float(place.cells[row, col])
            broken = caption.kind is Kind.COULD_NOT_SEE
            draw_ring(drawing, place.points[row, col], radius, RULINGS[caption.kind], 2 * place.stroke, broken=broken)
    return np.vstack([drawing, _bar(drawing.shape, telling)])


def _bar(shape: tuple[int, ...], telling: Telling) -> NDArray[np.uint8]:
    height, width = shape[:2]
    unit = max(0.5, min(width / 640, height / 480))
    bar = np.full((round((_HEAD + ROWS * _ROW + _MARGIN) * unit), width, 3), PAPER, np.uint8)
    left = round(_MARGIN * unit)
    _write(bar, telling.head, left, round(_HEAD * unit / 2), 13 * unit, _HEAD_INK)
    captions = _weightiest(telling.captions)
    for number, caption in enumerate(captions):
        middle = round((_HEAD + (number + 0.5) * _ROW) * unit)
        _draw_caption(bar, caption, left, middle, unit)
    if missing := len(telling.captions) - len(captions):
        _write(bar, f"+ {missing} more", round(width - 70 * unit), round(_HEAD * unit / 2), 9 * unit, _INKS[Kind.ACT])
    return bar


def _weightiest(captions: Sequence[Caption]) -> list[Caption]:
    """As many as there is room for: rulings before acts, and then the latest; in the order in which they were told."""
    kinds = list(Kind)
    order = sorted(range(len(captions)), key=lambda number: (kinds.index(captions[number].kind), -number))
    return [captions[number] for number in sorted(order[:ROWS])]


def _draw_caption(bar: NDArray[np.uint8], caption: Caption, left: int, middle: int, unit: float) -> None:
    """A line of text behind a sign of its kind: the ring of a ruling, a lit field about a press."""
    side = round(5.5 * unit)
    if caption.kind in RULINGS:
        sign, colour = np.array([left + side, middle], np.float64), RULINGS[caption.kind]
        broken = caption.kind is Kind.COULD_NOT_SEE
        draw_ring(bar, sign, side, colour, max(1, round(1.4 * unit)), broken=broken)
    text = left + round(3.2 * side)
    if caption.kind is Kind.PRESS:
        width = _extent(caption.text, 9.5 * unit)
        half = round(0.44 * _ROW * unit)
        cv2.rectangle(bar, (text - side, middle - half), (text + width + side, middle + half), PRESSED, cv2.FILLED)
    _write(bar, caption.text, text, middle, 9.5 * unit, _INKS[caption.kind])


def _write(bar: NDArray[np.uint8], text: str, left: int, middle: int, capital: float, ink: Colour) -> None:
    """One line of text with capitals ``capital`` pixels high, narrowed or cut where it would not fit."""
    text = text.encode("ascii", "replace").decode()
    room = bar.shape[1] - left
    capital *= max(0.75, min(1.0, room / max(1, _extent(text, capital))))
    while text and _extent(text, capital) > room:
        text = text[:-1]
    thick = max(1, round(capital / 9))
    bottom = round(middle + capital / 2)
    cv2.putText(bar, text, (left, bottom), FONT, capital / CAPITAL, ink, thick, cv2.LINE_AA)


def _extent(text: str, capital: float) -> int:
    """Pixels across."""
    return int(cv2.getTextSize(text, FONT, capital / CAPITAL, 1)[0][0])
