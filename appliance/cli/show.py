"""``caipan show`` and ``caipan export``: a kept game, told again from its journal."""

from __future__ import annotations

import json
import os
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from appliance.cli.games import State
from appliance.cli.mistakes import refuse, tell
from appliance.cli.report import game_report
from appliance.journal.entries import Kind
from appliance.journal.games import GamesError, find, state_folder
from appliance.journal.journal import FRAMES, Journal, JournalError
from appliance.journal.keeping import Shows, noted
from appliance.live.game import LiveGame, told_again
from appliance.live.opening import arbiter_of
from appliance.record.of_arbiter import record_of
from appliance.record.sgf import write_sgf
from appliance.record.sheet import render_sheet
from vision.recorder import write_whole

if TYPE_CHECKING:
    from appliance.journal.entries import Entry
    from appliance.journal.header import Header
    from appliance.record.game_record import GameRecord

Named = Annotated[
    str, typer.Argument(help="A game's name, as much of it as fits no other, or its folder.", show_default=False)
]


class Format(StrEnum):
    """What a game can be written as."""

    SGF = "sgf"
    SVG = "svg"
    JSON = "json"


def show(
    game: Named,
    state: State = None,
    as_json: Annotated[bool, typer.Option("--json", help="The game as it stands, one JSON line.")] = False,
) -> None:
    """Show a kept game: moves, rulings, what followed, and the board. Rulings are made again from the facts."""
    folder, header, entries, live, same = _told(game, state)
    if as_json:
        typer.echo(json.dumps({"game": folder.name, "same_rulings": same, **live.snapshot(_last_ns(entries))}))
        return
    strips = {
        picture.number: folder / FRAMES / file
        for file, (_, picture) in noted(entries).kept.items()
        if picture.shows is Shows.RULING
    }
    title = header.title or folder.name
    typer.echo(game_report(live.arbiter, _record(live, header, entries), title, strips), nl=False)
    if not same:
        tell(f"{folder.name}: this version judges the game otherwise than the box did; its journal holds both")


def export(
    game: Named,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where to; its ending tells the format: sgf, svg, json.")],
    state: State = None,
) -> None:
    """Write a kept game as SGF, as its record sheet (SVG), or as JSON."""
    kind = out.suffix.removeprefix(".").lower()
    if kind not in set(Format):
        refuse(f"{out}: no format has this ending: write a name that ends in {', '.join(f'.{one}' for one in Format)}")
    folder, header, entries, live, _ = _told(game, state)
    record = _record(live, header, entries)
    match Format(kind):
        case Format.SGF:
            data = write_sgf(record)
        case Format.SVG:
            data = render_sheet(record).encode()
        case Format.JSON:
            data = json.dumps({"game": folder.name, **live.snapshot(_last_ns(entries))}, ensure_ascii=False).encode()
    try:
        write_whole(out, data)
    except OSError as error:
        refuse(f"{out}: cannot be written ({error.strerror}); choose another place")


def _told(game: str, state: Path | None) -> tuple[Path, Header, tuple[Entry, ...], LiveGame, bool]:
    """A game told again; whether that makes the same rulings as the journal holds."""
    try:
        folder = find(state_folder(state, os.environ), game)
        with Journal.open(folder, read_only=True) as journal:
            header, entries = journal.header(), journal.entries()
        live = LiveGame(arbiter_of(header))
        said = [(kind, dict(what)) for kind, what in told_again(live, entries) if kind is not Kind.FACT]
    except (GamesError, JournalError) as error:
        refuse(error)
    except ValueError as error:
        refuse(f"{folder.name}: {error}: was it written by another version of Caipan? 'caipan verify' tells more")
    kinds = {Kind.RULING, Kind.OUTCOME, Kind.WITHDRAWN}
    same = said == [(entry.kind, dict(entry.payload)) for entry in entries if entry.kind in kinds]
    return folder, header, entries, live, same


def _record(live: LiveGame, header: Header, entries: tuple[Entry, ...]) -> GameRecord:
    day = datetime.fromtimestamp(entries[0].wall_ns // 10**9).date().isoformat()
    return record_of(
        live.arbiter, title=header.title or "", first=header.first or "", second=header.second or "", date=day
    )


def _last_ns(entries: tuple[Entry, ...]) -> int:
    return max(entry.t_ns for entry in entries)
