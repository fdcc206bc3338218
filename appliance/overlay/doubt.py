"""Which points of a photograph that was read should be looked at again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.observation import Content
from vision.still import DOUBTFUL

if TYPE_CHECKING:
    from vision.still import StillReading


def doubtful(reading: StillReading) -> list[tuple[int, int]]:
    """(row, column) of the points read with little certainty, from the top left; not those that could not be seen."""
    return [
        (row, col)
        for row, letters in enumerate(reading.rows)
        for col, letter in enumerate(letters)
        if letter != Content.UNSEEN and reading.sure[row, col] < DOUBTFUL
    ]


def unseen(reading: StillReading) -> list[tuple[int, int]]:
    """(row, column) of the points that could not be seen, from the top left."""
    return [
        (row, col)
        for row, letters in enumerate(reading.rows)
        for col, letter in enumerate(letters)
        if letter == Content.UNSEEN
    ]
