"""``caipan forbidden``: where Black may not play."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from appliance.cli.mistakes import refuse
from appliance.game.points import Colour, Point
from appliance.game.position import Position
from appliance.game.shapes import FiveEye, five_points, forbidden_points

_SIZE = 15


def forbidden(
    points: Annotated[
        list[str] | None,
        typer.Argument(help="Black's and White's stones in turn, such as H8 H9 G9; none: JSON Lines on stdin."),
    ] = None,
    five_eye: Annotated[
        FiveEye, typer.Option(help="A three whose only growth also makes a five: rif (no three) or sekai (a three).")
    ] = FiveEye.RIF,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines (always so for stdin).")] = False,
) -> None:
    """Every point forbidden for Black, and why, with Black to move.

    From stdin each line is {"black": ["H8", …], "white": […]}; each answer {"forbidden": {"J9": "double_three", …},
    "fives": […]}.
    """
    if points:
        position = _alternating(points)
        answer = _answer(position, five_eye)
        typer.echo(json.dumps(answer) if as_json else _in_words(position, answer))
        return
    if sys.stdin.isatty():
        refuse("no points given: name stones, such as 'caipan forbidden H8 H9 G9', or send JSON Lines on stdin")
    for number, line in enumerate(sys.stdin, 1):
        if line.strip():
            typer.echo(json.dumps(_answer(_from_line(line, f"stdin, line {number}"), five_eye)))


def _answer(position: Position, five_eye: FiveEye) -> dict[str, Any]:
    return {
        "forbidden": {str(point): verdict.value for point, verdict in forbidden_points(position, five_eye).items()},
        "fives": [str(point) for point in five_points(position, Colour.BLACK, exact=True)],
    }


def _alternating(points: list[str]) -> Position:
    position = Position(_SIZE)
    for number, text in enumerate(points):
        try:
            position = position.placed(Point.parse(text, _SIZE), Colour.WHITE if number % 2 else Colour.BLACK)
        except ValueError as error:
            refuse(f"stone {number + 1}: {error}")
    return position


def _from_line(line: str, where: str) -> Position:
    try:
        data = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        refuse(f'{where}: not JSON ({error}); write {{"black": ["H8"], "white": []}}')
    if not isinstance(data, dict):
        refuse(f'{where}: no JSON object; write {{"black": ["H8"], "white": []}}')
    position = Position(_SIZE)
    for key, colour in (("black", Colour.BLACK), ("white", Colour.WHITE)):
        stones = data.get(key)
        if not isinstance(stones, list) or not all(isinstance(stone, str) for stone in stones):
            refuse(f'{where}: {key} is missing or no list of points; write "{key}": ["H8"]')
        for stone in stones:
            try:
                position = position.placed(Point.parse(stone, _SIZE), colour)
            except ValueError as error:
                refuse(f"{where}: {key}: {error}")
    return position


def _in_words(position: Position, answer: dict[str, Any]) -> str:
    marks = {Point.parse(point): "x" for point in answer["forbidden"]}
    marks |= {Point.parse(point): "5" for point in answer["fives"]}
    rows = [
        f"{rank + 1:>2} "
        + " ".join(
            {Colour.BLACK: "●", Colour.WHITE: "○", None: marks.get(Point(file, rank), "·")}[
                position.at(Point(file, rank))
            ]
            for file in range(_SIZE)
        )
        for rank in reversed(range(_SIZE))
    ]
    files = "   " + " ".join(chr(ord("A") + file) for file in range(_SIZE))
    told = [f"{point}: {verdict.replace('_', ' ')}" for point, verdict in answer["forbidden"].items()]
    told += [f"{point}: makes five" for point in answer["fives"]]
    return "\n".join([*rows, files, "", *(told or ["no point is forbidden for Black"])])
