"""Which game is played: the newest that has not ended goes on, or a new one begins."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from pydantic import ValidationError

from appliance.arbiter.arbiter import FRAME_ERROR_NS, Arbiter
from appliance.game.points import Colour
from appliance.game.ruleset import Ruleset, load_ruleset
from appliance.journal.entries import Kind
from appliance.journal.games import GamesError, folders, new_folder
from appliance.journal.header import Header, Start
from appliance.journal.journal import DiskError, Journal, JournalError, NoGame
from appliance.live.cameras import frame_error_ns
from appliance.live.game import LiveGame, start_of, told_again
from appliance.live.settings import Mode, Taken
from clock.notation import notation, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from appliance.live.settings import Settings
    from vision.recording import Header as RecordingHeader
    from vision.recording import Recording

_MOST_AWAY_NS = 30 * 24 * 3600 * 1_000_000_000
"""A wall clock that says the box was away for longer has not been set."""
_LOCK = "box.lock"


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A game to be played on. ``stopped_ns``: right after the last instant that the box knows of it, game time."""

    folder: Path
    journal: Journal
    game: LiveGame
    stopped_ns: int
    away_ns: int
    resumed: bool
    ids: tuple[str | int, ...]


def open_game(settings: Settings, recording: Recording | None, *, new: bool, day: date) -> Opened:
    """The game that goes on, or a new one. Raises JournalError, GamesError."""
    newest = next(reversed(folders(settings.state.dir)), None)
    if newest is not None and not new:
        opened = _resumed(newest, _name(recording))
        if opened is not None:
            return opened
    folder = new_folder(settings.state.dir, day)
    header = _header(settings, recording)
    journal = Journal.create(folder, header, wall_ns=time.time_ns())
    game = LiveGame(arbiter_of(header))
    return Opened(folder=folder, journal=journal, game=game, stopped_ns=0, away_ns=0, resumed=False, ids=())


@contextmanager
def only_one(state: Path) -> Iterator[None]:
    """Be the only box that keeps games in ``state``. Raises GamesError."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        # No soft lock: it would outlive a box that was killed.
        lock = FileLock(state / _LOCK, blocking=False, thread_local=False, fallback_to_soft=False)
        lock.acquire()
    except Timeout:
        raise GamesError(f"{state}: another box keeps its games there: end it, or name another directory") from None
    except OSError as error:
        raise GamesError(f"no game can be kept in {state} ({error.strerror}): name another directory") from None
    try:
        yield
    finally:
        lock.release()


def _resumed(folder: Path, recording: str | None) -> Opened | None:
    """The game in ``folder`` if it has not ended. Raises JournalError for one that cannot go on."""
    with ExitStack() as stack:
        try:
            journal = Journal.open(folder)
            stack.callback(journal.close)
            header, entries = journal.header(), journal.entries()
            if any(entry.kind is Kind.NOTE and entry.payload.get("ended") for entry in entries):
                return None
            game = LiveGame(arbiter_of(header))
            told_again(game, entries)
        except NoGame:
            return None
        except DiskError:
            raise
        except JournalError as error:
            raise JournalError(f"{error}; or begin another game with --new") from None
        except ValueError as error:
            raise JournalError(f"{folder}: {error}: begin another game with --new") from None
        if header.recording != recording:
            what = f"the recording {header.recording!r}" if header.recording else "the camera"
            raise JournalError(f"{folder}: this game has not ended, and {what} shows it: go on with that, or use --new")
        stack.pop_all()
    known = journal.last_known()
    away_ns = time.time_ns() - known.wall_ns
    ids = tuple(entry.payload["asked"] for entry in entries if "asked" in entry.payload)
    return Opened(
        folder=folder,
        journal=journal,
        game=game,
        stopped_ns=known.t_ns + 1,  # at one instant facts have no order
        away_ns=away_ns if 0 < away_ns < _MOST_AWAY_NS else 0,
        resumed=True,
        ids=ids,
    )


def frame_error_of(header: Header) -> int:
    """What is allowed for the instants of frames, in nanoseconds."""
    return FRAME_ERROR_NS if header.frame_error_ns is None else header.frame_error_ns


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
        frame_error_ns=frame_error_of(header),
        control=parse(str(header.time_control)),
        takes_effect=None if header.takes_effect is None else frozenset(header.takes_effect),
    )


def _name(recording: Recording | None) -> str | None:
    return None if recording is None else recording.folder.resolve().name


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
        recording=_name(recording),
        frame_error_ns=frame_error_ns(settings.camera),
        software=version("caipan"),
    )
