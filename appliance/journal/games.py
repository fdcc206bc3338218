"""The games of a box: one folder for each under ``games`` in the state directory, named by its day and a number."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_state_path

from appliance.journal import durable
from appliance.journal.journal import FILE, Journal, JournalError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import date

VARIABLE = "CAIPAN_STATE"
"""The environment's name for the state directory."""

GAMES = "games"
"""The folder of the games in the state directory."""


class GamesError(Exception):
    """No such game, or nowhere to keep one; the message says in one line what, where and what to do."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A game in short. ``begun_ns``: wall time, nanoseconds since 1970. None: it is not known."""

    begun_ns: int
    title: str | None
    first: str | None
    second: str | None
    moves: int | None = None
    result: str | None = None


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game that can be read."""

    name: str
    folder: Path
    summary: Summary


@dataclass(frozen=True, kw_only=True)
class DamagedGame:
    """A game that cannot be read, and why, in one line."""

    name: str
    folder: Path
    why: str


def state_folder(given: Path | None, environment: Mapping[str, str]) -> Path:
    """Where the box keeps its state: as ``given``, as ``CAIPAN_STATE`` says, as systemd says to a service, or where
    this system keeps such.
    """
    if given is not None:
        return given
    for name in (VARIABLE, "STATE_DIRECTORY"):
        if environment.get(name):
            return Path(environment[name])
    return user_state_path("caipan", appauthor=False)


def new_folder(state: Path, day: date) -> Path:
    """A folder for a new game that nobody else gets, such as ``2026-11-30-1``. Raises GamesError."""
    games = state / GAMES
    try:
        durable.make_folder(games)
        for number in count(1):
            folder = games / f"{day.isoformat()}-{number}"
            try:
                durable.make_folder(folder, exist_ok=False)
            except FileExistsError:
                continue
            return folder
    except OSError as error:
        raise GamesError(f"no game can be kept in {games} ({error.strerror}): name another directory") from error
    raise AssertionError  # pragma: no cover  # there is always a next number


def find(state: Path, wanted: str) -> Path:
    """The folder of a game: by its name, by a beginning that fits no other, or by a path. Raises GamesError."""
    names = [folder.name for folder in folders(state)]
    fitting = [name for name in names if name == wanted] or [
        name for name in names if wanted and name.startswith(wanted)
    ]
    if len(fitting) == 1:
        return state / GAMES / fitting[0]
    if not fitting and _is_game(Path(wanted)):
        return Path(wanted)
    if fitting:
        shown = ", ".join(fitting[:5]) + (", …" if len(fitting) > 5 else "")
        raise GamesError(f"{wanted!r} fits {len(fitting)} games, {shown}: write more of the name")
    raise GamesError(f"there is no game {wanted!r} in {state / GAMES}: 'caipan games' lists them")


def known_at_start(journal: Journal) -> Summary:
    """A game in short, by what its journal begins with."""
    header = journal.header()
    return Summary(begun_ns=journal.entries()[0].wall_ns, title=header.title, first=header.first, second=header.second)


def listed(state: Path, summarise: Callable[[Journal], Summary] = known_at_start) -> Iterator[Game | DamagedGame]:
    """The games, in the order in which they were begun. ``summarise`` may raise JournalError. Raises GamesError."""
    for folder in folders(state):
        try:
            with Journal.open(folder, read_only=True) as journal:
                yield Game(name=folder.name, folder=folder, summary=summarise(journal))
        except JournalError as error:
            yield DamagedGame(name=folder.name, folder=folder, why=str(error))


def _is_game(path: Path) -> bool:
    try:
        return (path / FILE).exists()
    except OSError:  # a name too long, a closed folder: no game is seen there
        return False


def folders(state: Path) -> list[Path]:
    """The games' folders, in the order in which they were begun. Raises GamesError."""
    try:
        found = [path for path in (state / GAMES).iterdir() if path.is_dir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise GamesError(f"{state / GAMES} cannot be read ({error.strerror}): name another directory") from error
    return sorted(found, key=_order)


def _order(folder: Path) -> tuple[str, int, str]:
    """2026-11-30-2 before 2026-11-30-10."""
    day, _, number = folder.name.rpartition("-")
    return (day, int(number), "") if number.isdecimal() else (folder.name, 0, folder.name)
