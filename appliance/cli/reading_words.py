"""What was read in a photograph, in words: one line, the board in letters, a line of JSON, and a record for SGF."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from appliance.game.points import Colour, Point, star_points
from appliance.game.position import Position
from appliance.record.game_record import GameRecord

if TYPE_CHECKING:
    from pathlib import Path

    from vision.still import StillReading

UNSEEN = "?"
_MARKS = {"B": "●", "W": "○", UNSEEN: UNSEEN}


def summary(reading: StillReading) -> str:
    """Size, number of stones and confidence."""
    letters = "".join(reading.rows)
    unseen = f", {letters.count(UNSEEN)} unseen" if UNSEEN in letters else ""
    return (
        f"{reading.size} × {reading.size}, {letters.count('B')} black, {letters.count('W')} white{unseen}, "
        f"confidence {_cut(reading.confidence):.2f}"
    )


def board(reading: StillReading) -> str:
    """The board as the picture shows it, one row per line; files from the left, ranks from below."""
    size = reading.size
    stars = star_points(size)
    files = "   " + " ".join(chr(ord("A") + col) for col in range(size))
    lines = [files]
    for row, letters in enumerate(reading.rows):
        rank = size - row
        marks = [
            _MARKS.get(letter, "+" if Point(col, rank - 1) in stars else "·") for col, letter in enumerate(letters)
        ]
        lines.append(f"{rank:>2} {' '.join(marks)} {rank}")
    return "\n".join([*lines, files])


def reading_line(reading: StillReading) -> dict[str, Any]:
    """The reading's part of a line of JSON."""
    return {
        "size": reading.size,
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in reading.corners],
        "stones": list(reading.rows),
        "confidence": round(reading.confidence, 4),
    }


def record(reading: StillReading, image: Path) -> GameRecord:
    """The stones as the start of a game, the top of the picture as the farthest rank.

    Points that could not be seen are empty there and named in the remarks. To move is White where Black has more
    stones, Black otherwise; a photograph does not tell.
    """
    rows = [letters.replace(UNSEEN, ".") for letters in reading.rows]
    unseen = [
        str(Point(col, reading.size - 1 - row))
        for row, letters in enumerate(reading.rows)
        for col, letter in enumerate(letters)
        if letter == UNSEEN
    ]
    letters = "".join(rows)
    remarks = [f"Read from the photograph {image.name}, confidence {_cut(reading.confidence):.2f}."]
    if unseen:
        remarks.append(f"Could not be seen: {', '.join(unseen)}.")
    return GameRecord(
        board_size=reading.size,
        ruleset="",
        title=image.stem,
        start=Position.from_rows(rows),
        to_move=Colour.WHITE if letters.count("B") > letters.count("W") else Colour.BLACK,
        remarks=tuple(remarks),
    )


def _cut(confidence: float) -> float:
    """Cut to hundredths, so that 1.00 means certain; the last digits of a 32-bit number do not count."""
    return math.floor(confidence * 100 + 1e-4) / 100
