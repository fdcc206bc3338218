"""``caipan forbidden``: where Black may not play."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from appliance.cli.mistakes import refuse
from appliance.cli.positions import LISTS, SIZE, in_turn, objects, of_lists
from appliance.game.explanation import Explanation, explain, in_words
from appliance.game.points import Colour, Point
from appliance.game.position import Position
from appliance.game.shapes import FiveEye, five_points, forbidden_points


def forbidden(
    points: Annotated[
        list[str] | None,
        typer.Argument(help="Black's and White's stones in turn, such as H8 H9 G9; none: JSON Lines on stdin."),
    ] = None,
    five_eye: Annotated[
        FiveEye, typer.Option(help="A three whose only growth also makes a five: rif (no three) or sekai (a three).")
    ] = FiveEye.RIF,
    explained: Annotated[
        bool, typer.Option("--explain", help="For each forbidden point, the lines, fours and threes that make it so.")
    ] = False,
    point: Annotated[
        str | None, typer.Option(help="Explain this point alone, allowed or not.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines (always so for stdin).")] = False,
) -> None:
    """Every point forbidden for Black, and why, with Black to move.

    From stdin each line is {"black": ["H8", …], "white": […]}; each answer {"forbidden": {"J9": "double_three", …},
    "fives": […]}, with --explain or --point also "explanations": {"J9": {…}}.
    """

    def told(position: Position, where: str = "") -> tuple[dict[str, Any], list[Explanation]]:
        answer = _answer(position, five_eye)
        explanations = []
        if point is not None:
            explanations = [_explained(position, point, five_eye, where)]
        elif explained:
            explanations = [explain(position, Point.parse(name), five_eye) for name in answer["forbidden"]]
        if explained or point is not None:
            answer["explanations"] = {str(one.point): _as_data(one) for one in explanations}
        return answer, explanations

    if points:
        *_, position = in_turn(points)
        answer, explanations = told(position)
        if as_json:
            typer.echo(json.dumps(answer))
            return
        typer.echo(_in_words(position, answer))
        for one in explanations:
            typer.echo("\n" + "\n".join(in_words(one)))
        return
    if sys.stdin.isatty():
        refuse("no points given: name stones, such as 'caipan forbidden H8 H9 G9', or send JSON Lines on stdin")
    for data, where in objects(sys.stdin, "stdin", LISTS):
        answer, _ = told(of_lists(data, where), f"{where}: ")
        typer.echo(json.dumps(answer))


def _answer(position: Position, five_eye: FiveEye) -> dict[str, Any]:
    return {
        "forbidden": {str(point): verdict.value for point, verdict in forbidden_points(position, five_eye).items()},
        "fives": [str(point) for point in five_points(position, Colour.BLACK, exact=True)],
    }


def _explained(position: Position, point: str, five_eye: FiveEye, where: str) -> Explanation:
    try:
        return explain(position, Point.parse(point, SIZE), five_eye)
    except ValueError as error:
        refuse(f"{where}--point: {error}")


def _as_data(explanation: Explanation) -> dict[str, Any]:
    """An explanation as data; what keeps Black from making an open four, its ``obstacle``, in the same way."""
    return {
        "verdict": explanation.verdict.value,
        "lines": [_names(row.stones) for row in explanation.rows],
        "fours": [
            {
                "stones": _names(four.stones),
                "five_points": _names(four.five_points),
                "open": len(four.five_points) == 2,
            }
            for four in explanation.fours
        ],
        "threes": [
            {
                "stones": _names(three.stones),
                "counts": three.counts,
                "open_four_points": [
                    {
                        "point": str(rise.point),
                        "obstacle": None if rise.obstacle is None else _as_data(rise.obstacle),
                    }
                    for rise in three.open_four_points
                ],
            }
            for three in explanation.threes
        ],
        "words": in_words(explanation),
    }


def _names(points: tuple[Point, ...]) -> list[str]:
    return [str(point) for point in points]


def _in_words(position: Position, answer: dict[str, Any]) -> str:
    marks = {Point.parse(point): "x" for point in answer["forbidden"]}
    marks |= {Point.parse(point): "5" for point in answer["fives"]}
    rows = [
        f"{rank + 1:>2} "
        + " ".join(
            {Colour.BLACK: "●", Colour.WHITE: "○", None: marks.get(Point(file, rank), "·")}[
                position.at(Point(file, rank))
            ]
            for file in range(SIZE)
        )
        for rank in reversed(range(SIZE))
    ]
    files = "   " + " ".join(chr(ord("A") + file) for file in range(SIZE))
    told = [f"{point}: {verdict.replace('_', ' ')}" for point, verdict in answer["forbidden"].items()]
    told += [f"{point}: makes five" for point in answer["fives"]]
    return "\n".join([*rows, files, "", *(told or ["no point is forbidden for Black"])])
