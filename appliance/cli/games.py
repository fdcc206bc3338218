"""``caipan games``: the games that the box has kept."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from appliance.cli.mistakes import in_one_line, refuse
from appliance.journal.games import VARIABLE, DamagedGame, Game, GamesError, listed, state_folder

State = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="DIR",
        help=f"Where the box keeps its games; else {VARIABLE} says so, else it is the user's own state directory.",
        show_default=False,
    ),
]


def games(
    state: State = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, nothing else there.")] = False,
) -> None:
    """List the games that were kept: name, beginning, title, players, moves and result; damaged ones too."""
    folder = state_folder(state, os.environ)
    found = 0
    try:
        for game in listed(folder):
            typer.echo(json.dumps(_data(game), ensure_ascii=False) if as_json else in_one_line(_line(game)))
            found += 1
    except GamesError as error:
        refuse(error)
    if not found:
        typer.echo(f"no games in {folder}", err=True)


def _line(game: Game | DamagedGame) -> str:
    if isinstance(game, DamagedGame):
        return f"{game.name:14}  damaged: {game.why}"
    said = game.summary
    begun = datetime.fromtimestamp(said.begun_ns // 10**9).strftime("%Y-%m-%d %H:%M")
    players = f"{said.first or '?'} – {said.second or '?'}" if said.first or said.second else None
    moves = f"{said.moves} moves" if said.moves is not None else None
    return "  ".join(part for part in (f"{game.name:14}", begun, said.title, players, moves, said.result) if part)


def _data(game: Game | DamagedGame) -> dict[str, Any]:
    where = {"type": "game", "game": game.name, "path": str(game.folder)}
    if isinstance(game, DamagedGame):
        return {**where, "damaged": game.why}
    said = asdict(game.summary)
    begun = datetime.fromtimestamp(said.pop("begun_ns") // 10**9, UTC).isoformat()
    return {**where, "begun": begun, **said}
