"""What was read in a photograph, in words: one line, the board in letters, a line of JSON, and a record for SGF."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any

from appliance.game.points import Colour, Point, star_points
from appliance.game.position import Position
from appliance.overlay.doubt import doubtful, unseen
from appliance.record.game_record import GameRecord
from appliance.record.sgf import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from vision.still import StillReading

UNSEEN = "?"

_NAMED = 12
"""Points, or runs of points, that are named one by one at most."""

_TO_MOVE = {0: Colour.BLACK, 1: Colour.WHITE}
"""Who is to move, by how many stones Black is ahead."""

_MARKS = {"B": "●", "W": "○", UNSEEN: UNSEEN}


def summary(reading: StillReading) -> str:
    """Size, number of stones, of points to check, and confidence."""
    letters = "".join(reading.rows)
    check = "".join(f", {len(points)} {what}" for what, points in _to_check(reading).items() if points)
    return (
        f"{reading.size} × {reading.size}, {letters.count('B')} black, {letters.count('W')} white{check}, "
        f"confidence {_cut(reading.confidence):.2f}" + "".join(f"; {remark}" for remark in remarks(reading))
    )


def remarks(reading: StillReading) -> list[str]:
    """What its reader should know of the reading as a whole, if anything."""
    said = []
    if reading.other is not None:
        said.append(f"another board is in the picture, {_where(reading.corners, reading.other)} the one that was read")
    if reading.one_sided:
        said.append("in no game one colour has so many more stones: is it a drawing?")
    return said


def _where(read: NDArray[np.float64], other: NDArray[np.float64]) -> str:
    """On which side of the board that was read the other one is."""
    right, down = other.mean(axis=0) - read.mean(axis=0)
    if abs(right) > abs(down):
        return "right of" if right > 0 else "left of"
    return "below" if down > 0 else "above"


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
        "remarks": remarks(reading),
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
    said = [f"Read from the photograph {image.name}, confidence {_cut(reading.confidence):.2f}."]
    if points := unseen(reading):
        said.append(f"Could not be seen: {_names(reading, points)}.")
    if points := doubtful(reading):
        said.append(f"Doubtful: {_names(reading, points)}.")
    if ahead not in _TO_MOVE:
        said.append("Whose turn it is was not read.")
    said += [f"{remark[0].upper()}{remark[1:]}" for remark in remarks(reading)]
    return GameRecord(
        board_size=reading.size,
        ruleset="",
        title=image.stem,
        start=Position.from_rows(rows),
        to_move=_TO_MOVE.get(ahead),
        remarks=tuple(said),
    )


def marks(reading: StillReading) -> dict[Mark, list[Point]]:
    """How the points to check are marked in SGF: a cross where nothing could be seen, a square where it is doubtful."""
    signs = {Mark.CROSS: unseen(reading), Mark.SQUARE: doubtful(reading)}
    return {sign: [_point(reading, at) for at in points] for sign, points in signs.items()}


def _to_check(reading: StillReading) -> dict[str, list[tuple[int, int]]]:
    return {"unseen": unseen(reading), "doubtful": doubtful(reading)}


def _names(reading: StillReading, points: list[tuple[int, int]]) -> str:
    """The points one by one; many of them as runs along their ranks, or only counted where even those are many."""
    names = [str(_point(reading, at)) for at in points]
    if len(points) > _NAMED:
        runs = list(_runs(points))
        if len(runs) > _NAMED:
            return f"{len(points)} points, see the board"
        names = [
            str(_point(reading, (row, first))) + (f"–{_point(reading, (row, last))}" if last > first else "")
            for row, first, last in runs
        ]
    return ", ".join(names)


def _runs(points: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Neighbours in one row as (row, first column, last column); ``points`` are in order of row and column."""
    for _, run in groupby(enumerate(points), key=lambda numbered: (numbered[1][0], numbered[1][1] - numbered[0])):
        inside = [at for _, at in run]
        yield inside[0][0], inside[0][1], inside[-1][1]


def _point(reading: StillReading, at: tuple[int, int]) -> Point:
    row, col = at
    return Point(col, reading.size - 1 - row)


def _cut(confidence: float) -> float:
    """Cut to hundredths, so that 1.00 means certain; the last digits of a 32-bit number do not count."""
    return math.floor(confidence * 100 + 1e-4) / 100
