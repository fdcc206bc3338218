"""Positions as users write them: stones in turn, or JSON Lines. A mistake in them is told in one line, exit 2."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from appliance.cli.mistakes import refuse
from appliance.game.points import Colour, Point
from appliance.game.position import Position

SIZE = 15
LISTS = '{"black": ["H8"], "white": []}'
MOVES = '{"moves": ["H8"]}'


def objects(lines: Iterable[str], source: str, form: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The JSON objects of ``lines``, each with where it stands in ``source``; ``form``: an example to show."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{source}, line {number}"
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            refuse(f"{where}: not JSON ({error}); write {form}")
        if not isinstance(data, dict):
            refuse(f"{where}: no JSON object; write {form}")
        yield data, where


def of_lists(data: dict[str, Any], where: str) -> Position:
    """A position from its lists ``black`` and ``white``."""
    position = Position(SIZE)
    for key, colour in (("black", Colour.BLACK), ("white", Colour.WHITE)):
        for name in names(data, key, where):
            position = _placed(position, name, colour, f"{where}: {key}")
    return position


def in_turn(stones: Iterable[str], where: str = "") -> Iterator[Position]:
    """The position after each of ``stones``, Black's and White's in turn."""
    position = Position(SIZE)
    for number, name in enumerate(stones, 1):
        position = _placed(position, name, Colour.BLACK if number % 2 else Colour.WHITE, f"{where}stone {number}")
        yield position


def names(data: dict[str, Any], key: str, where: str) -> list[str]:
    """A list of points by their names."""
    listed = data.get(key)
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        refuse(f'{where}: {key} is missing or no list of points; write "{key}": ["H8"]')
    return listed


def _placed(position: Position, name: str, colour: Colour, where: str) -> Position:
    try:
        return position.placed(Point.parse(name, position.size), colour)
    except ValueError as error:
        refuse(f"{where}: {error}")
