"""Which game is played: the newest that has not ended goes on, or a new one begins."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from pydantic import ValidationError

from appliance.arbiter.arbiter import Arbiter
from appliance.game.points import Colour
from appliance.game.ruleset import Ruleset, load_ruleset
from appliance.journal.entries import Kind
from appliance.journal.games import folders, new_folder
from appliance.journal.header import Header, Start
from appliance.journal.journal import Journal, JournalError
from appliance.live.game import LiveGame, start_of, told_again
from appliance.live.settings import Mode, Taken
from clock.notation import notation, parse

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from appliance.live.settings import Settings
    from vision.recording import Header as RecordingHeader
    from vision.recording import Recording

_MOST_AWAY_NS = 30 * 24 * 3600 * 1_000_000_000
"""A wall clock that says the box was away for longer has not been set."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A game to be played on. ``known_ns``: the last instant that the box knows of it, game time."""

    folder: Path
    journal: Journal
    game: LiveGame
    known_ns: int
    away_ns: int
    resumed: bool
    ids: tuple[str | int, ...]


def open_game(settings: Settings, recording: Recording | None, *, new: bool, day: date) -> Opened:
    """The game that goes on, or a new one. Raises JournalError, GamesError."""
    if not new:
        for folder in reversed(folders(settings.state.dir)):
            opened = _resumed(folder)
            if opened is not None:
                return opened
            break  # only the newest game goes on
    folder = new_folder(settings.state.dir, day)
    header = _header(settings, recording)
    journal = Journal.create(folder, header, wall_ns=time.time_ns())
    game = LiveGame(arbiter_of(header))
    return Opened(folder=folder, journal=journal, game=game, known_ns=0, away_ns=0, resumed=False, ids=())


def _resumed(folder: Path) -> Opened | None:
    """The game in ``folder`` if it has not ended. Raises JournalError for one that cannot be read."""
    journal = Journal.open(folder)
    entries = journal.entries()
    if any(entry.kind is Kind.NOTE and entry.payload.get("ended") for entry in entries):
        journal.close()
        return None
    game = LiveGame(arbiter_of(journal.header()))
    try:
        told_again(game, entries)
    except ValueError as error:
        raise JournalError(f"{folder}: cannot be read again ({error}): begin another game with --new") from None
    known = journal.last_known()
    away_ns = time.time_ns() - known.wall_ns
    ids = tuple(entry.payload["id"] for entry in entries if "id" in entry.payload)
    return Opened(
        folder=folder,
        journal=journal,
        game=game,
        known_ns=known.t_ns,
        away_ns=away_ns if 0 < away_ns < _MOST_AWAY_NS else 0,
        resumed=True,
        ids=ids,
    )


def arbiter_of(header: Header) -> Arbiter:
    """The arbiter for a game before its first fact. Raises JournalError for rules that this version cannot read."""
    try:
        ruleset = Ruleset.model_validate_json(header.ruleset_text)
    except ValidationError as error:
        what = error.errors(include_url=False)[0]
        raise JournalError(
            f"the game's rules cannot be read ({'.'.join(map(str, what['loc']))}: {what['msg']}); "
            "were they written by another version of Caipan?"
        ) from None
    start = header.start
    return Arbiter(
        ruleset,
        size=header.size,
        start=start_of(start.stones) if start else None,
        to_move=Colour.WHITE if start is not None and start.to_move == "white" else Colour.BLACK,
        start_ns=None,
        control=parse(str(header.time_control)),
        takes_effect=None if header.takes_effect is None else frozenset(header.takes_effect),
    )


def _header(settings: Settings, recording: Recording | None) -> Header:
    recorded: RecordingHeader | None = recording.header if recording is not None else None
    chosen = settings.game
    name = chosen.ruleset
    if recorded is not None and recorded.ruleset and "ruleset" not in chosen.model_fields_set:
        name = recorded.ruleset
    ruleset = load_ruleset(name)
    size = chosen.size or (recorded.board_size if recorded is not None else ruleset.board_size)
    control = chosen.time_control
    if recorded is not None and recorded.time_control and "time_control" not in chosen.model_fields_set:
        control = parse(recorded.time_control)
    start = recorded.start if recorded is not None else None
    takes = None
    if chosen.mode is Mode.AUTO:
        takes = tuple(sorted(code for code, taken in settings.auto.items() if taken is Taken.EFFECT))
    return Header(
        ruleset=ruleset.name,
        ruleset_text=ruleset.model_dump_json(),
        size=size,
        time_control=notation(control),
        start=Start(stones=tuple(start.stones), to_move=start.to_move) if start is not None else None,
        title=recorded.title if recorded is not None else None,
        first=chosen.first or None,
        second=chosen.second or None,
        takes_effect=takes,
        software=version("caipan"),
    )
