"""What was read in a photograph, in words: one line, the board in letters, a line of JSON, and a record for SGF."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from appliance.game.points import Colour, Point, star_points
from appliance.game.position import Position
from appliance.overlay.doubt import doubtful, unseen
from appliance.record.game_record import GameRecord
from appliance.record.sgf import Mark

if TYPE_CHECKING:
    from pathlib import Path

    from vision.still import StillReading

UNSEEN = "?"
_TO_MOVE = {0: Colour.BLACK, 1: Colour.WHITE}
"""Who is to move, by how many stones Black is ahead."""

_MARKS = {"B": "●", "W": "○", UNSEEN: UNSEEN}


def summary(reading: StillReading) -> str:
    """Size, number of stones, of points to check, and confidence."""
    letters = "".join(reading.rows)
    check = "".join(f", {len(points)} {what}" for what, points in _to_check(reading).items() if points)
    return (
        f"{reading.size} × {reading.size}, {letters.count('B')} black, {letters.count('W')} white{check}, "
        f"confidence {_cut(reading.confidence):.2f}"
    )


def to_check(reading: StillReading) -> list[str]:
    """The points to check by their names: a line for those that could not be seen, one for the doubtful, if any."""
    return [f"{what}: {_names(reading, points)}" for what, points in _to_check(reading).items() if points]


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
        "doubtful": [list(at) for at in doubtful(reading)],
        "confidence": round(reading.confidence, 4),
    }


def record(reading: StillReading, image: Path) -> GameRecord:
    """The stones as the start of a game, the top of the picture as the farthest rank.

    Points that could not be seen are empty there and, as the doubtful ones, named in the remarks. A photograph does
    not tell who is to move: Black where there are as many stones of either colour, White where Black has one more; with
    other numbers it is left open.
    """
    rows = [letters.replace(UNSEEN, ".") for letters in reading.rows]
    letters = "".join(rows)
    ahead = letters.count("B") - letters.count("W")
    remarks = [f"Read from the photograph {image.name}, confidence {_cut(reading.confidence):.2f}."]
    if points := unseen(reading):
        remarks.append(f"Could not be seen: {_names(reading, points)}.")
    if points := doubtful(reading):
        remarks.append(f"Doubtful: {_names(reading, points)}.")
    if ahead not in _TO_MOVE:
        remarks.append("Whose turn it is was not read.")
    return GameRecord(
        board_size=reading.size,
        ruleset="",
        title=image.stem,
        start=Position.from_rows(rows),
        to_move=_TO_MOVE.get(ahead),
        remarks=tuple(remarks),
    )


def marks(reading: StillReading) -> dict[Mark, list[Point]]:
    """How the points to check are marked in SGF: a cross where nothing could be seen, a square where it is doubtful."""
    signs = {Mark.CROSS: unseen(reading), Mark.SQUARE: doubtful(reading)}
    return {sign: [_point(reading, at) for at in points] for sign, points in signs.items()}


def _to_check(reading: StillReading) -> dict[str, list[tuple[int, int]]]:
    return {"unseen": unseen(reading), "doubtful": doubtful(reading)}


def _names(reading: StillReading, points: list[tuple[int, int]]) -> str:
    return ", ".join(str(_point(reading, at)) for at in points)


def _point(reading: StillReading, at: tuple[int, int]) -> Point:
    row, col = at
    return Point(col, reading.size - 1 - row)


def _cut(confidence: float) -> float:
    """Cut to hundredths, so that 1.00 means certain; the last digits of a 32-bit number do not count."""
    return math.floor(confidence * 100 + 1e-4) / 100
