"""``caipan games``: the games that the box has kept."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from appliance.cli.mistakes import in_one_line, refuse
from appliance.journal.games import (
    VARIABLE,
    DamagedGame,
    Game,
    GamesError,
    Summary,
    known_at_start,
    listed,
    state_folder,
)
from appliance.journal.journal import Journal, JournalError
from appliance.live.game import LiveGame, told_again
from appliance.live.opening import arbiter_of

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
        for game in listed(folder, _summary):
            typer.echo(json.dumps(_data(game), ensure_ascii=False) if as_json else in_one_line(_line(game)))
            found += 1
    except GamesError as error:
        refuse(error)
    if not found:
        typer.echo(f"no games in {folder}", err=True)


def _summary(journal: Journal) -> Summary:
    """A game in short, told again from its journal."""
    live = LiveGame(arbiter_of(journal.header()))
    try:
        told_again(live, journal.entries())
    except ValueError as error:
        raise JournalError(f"{journal.folder}: cannot be told again ({error})") from None
    end = live.arbiter.state.ledger.end
    won = None if live.arbiter.result is None else f"{live.arbiter.result.name.capitalize()} won"
    result = None if end is None else f"{won or ('drawn' if end.drawn else 'both lost')} ({end.code.replace('_', ' ')})"
    return replace(known_at_start(journal), moves=len(live.arbiter.moves), result=result)


def _line(game: Game | DamagedGame) -> str:
    if isinstance(game, DamagedGame):
        return f"{game.name:14}  damaged: {game.why}"
    said = game.summary
    begun = datetime.fromtimestamp(said.begun_ns // 10**9).strftime("%Y-%m-%d %H:%M")
    players = f"{said.first or '?'} – {said.second or '?'}" if said.first or said.second else None
    moves = None if said.moves is None else f"{said.moves} move{'' if said.moves == 1 else 's'}"
    return "  ".join(part for part in (f"{game.name:14}", begun, said.title, players, moves, said.result) if part)


def _data(game: Game | DamagedGame) -> dict[str, Any]:
    where = {"type": "game", "game": game.name, "path": str(game.folder)}
    if isinstance(game, DamagedGame):
        return {**where, "damaged": game.why}
    said = asdict(game.summary)
    begun = datetime.fromtimestamp(said.pop("begun_ns") // 10**9, UTC).isoformat()
    return {**where, "begun": begun, **said}
