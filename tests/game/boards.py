"""Positions for tests: written by hand, read from vectors, drawn at random."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from appliance.game.points import Colour, Point
from appliance.game.position import Position

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from random import Random


def board(black: str = "", white: str = "", size: int = 15) -> Position:
    """A position from two lists of points with spaces between."""
    return of_lists(black.split(), white.split(), size)


def of_lists(black: Iterable[str], white: Iterable[str], size: int = 15) -> Position:
    """A position from two lists of points."""
    return Position(
        size,
        {Point.parse(text, size): Colour.BLACK for text in black}
        | {Point.parse(text, size): Colour.WHITE for text in white},
    )


def json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def scattered(random: Random) -> Position:
    """Stones all over the board, any size, thin to dense."""
    size = random.choice((5, 6, 7, 9, 13, 15, 15, 15, 19))
    black, white = random.uniform(0.1, 0.5), random.uniform(0.0, 0.3)
    colours = random.choices((Colour.BLACK, Colour.WHITE, None), (black, white, 1 - black - white), k=size * size)
    points = [Point(i % size, i // size) for i in range(size * size)]
    return Position(size, {point: colour for point, colour in zip(points, colours, strict=True) if colour})


def woven(random: Random) -> Position:
    """Pieces of black twos, threes and fours crossing one another, with few white stones: many false threes."""
    size = random.choice((9, 11, 15, 15, 19))
    stones: dict[Point, Colour] = {}
    for _ in range(random.randint(4, size)):
        across, up = random.choice(((1, 0), (0, 1), (1, 1), (1, -1)))
        file, rank = random.randrange(size), random.randrange(size)
        for k in random.sample(range(5), random.choice((2, 2, 3, 3, 4))):
            point = Point(file + k * across, rank + k * up)
            if point.file < size and 0 <= point.rank < size:
                stones[point] = Colour.BLACK
    for _ in range(random.randint(0, size)):
        stones[Point(random.randrange(size), random.randrange(size))] = Colour.WHITE
    return Position(size, stones)


def disturbed(position: Position, random: Random) -> Position:
    """A few points of ``position`` changed."""
    stones = dict(position.stones)
    for _ in range(random.randint(1, 6)):
        point = Point(random.randrange(position.size), random.randrange(position.size))
        stones.pop(point, None)
        colour = random.choice((Colour.BLACK, Colour.WHITE, None))
        if colour:
            stones[point] = colour
    return Position(position.size, stones)
