"""``caipan backup`` and ``caipan restore``: all that a box keeps, as one file, and back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from appliance.cli.games import State
from appliance.cli.mistakes import in_one_line, refuse
from appliance.journal import backup as backups
from appliance.journal.backup import BackupError, Restored
from appliance.journal.games import GamesError, state_folder

Json = Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, nothing else there.")]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE.tar", help="A file that is not there yet.", show_default=False)],
    state: State = None,
    as_json: Json = False,
) -> None:
    """Write all that the box keeps, games, pictures and settings, into one tar file.

    A game may be played meanwhile. Exit code 0: all of it is good; 1: all of it is in the file, but a game was damaged
    already; 2: no file was written.
    """
    try:
        saved = backups.back_up(state_folder(state, os.environ), file)
    except (BackupError, GamesError) as error:
        refuse(error)
    for game in saved:
        line = f"{game.name}: {'saved' if game.damaged is None else f'saved as it is, DAMAGED: {game.damaged}'}"
        data = {"type": "saved", "game": game.name, "damaged": game.damaged}
        typer.echo(json.dumps(data, ensure_ascii=False) if as_json else in_one_line(line))
    if not saved:
        typer.echo("there is no game; what else is kept has been saved", err=True)
    if any(game.damaged is not None for game in saved):
        raise typer.Exit(1)


def restore(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.tar", help="What 'caipan backup' has written.", show_default=False)
    ],
    state: State = None,
    as_json: Json = False,
) -> None:
    """Put a backup's games back, each checked first, beside those that are there; none is ever overwritten.

    Exit code 0: all that the backup holds is there now; 1: something else was there, and stays; 2: the backup cannot be
    used, and nothing was changed.
    """
    differs = False
    data: dict[str, Any]
    try:
        for outcome in backups.restore(file, state_folder(state, os.environ)):
            if isinstance(outcome, Restored):
                said = "restored" if outcome.damaged is None else f"restored as it was, DAMAGED: {outcome.damaged}"
                data = {"type": "restored", "name": outcome.name, "damaged": outcome.damaged}
            else:
                said, differs = f"left as it is: {outcome.why}", differs or outcome.differs
                data = {"type": "kept", "name": outcome.name, "why": outcome.why, "differs": outcome.differs}
            typer.echo(json.dumps(data, ensure_ascii=False) if as_json else in_one_line(f"{outcome.name}: {said}"))
    except BackupError as error:
        refuse(error)
    if differs:
        raise typer.Exit(1)
