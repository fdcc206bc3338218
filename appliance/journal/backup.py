"""The state directory as one tar file, and back: each game whole as at one instant, though it be played meanwhile, and
nothing overwritten that is there.

In the file lie the games' folders and what else the box keeps, under the names that they have in the state directory;
last of all a list of the games with their heads. So a file that was cut off has no list, and a game that comes out
otherwise than it went in is not put among the others.
"""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import tarfile
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.journal import durable
from appliance.journal.games import GAMES, folders
from appliance.journal.journal import FILE, FRAMES, Journal, JournalError
from appliance.journal.verify import place_of, verify

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST = "caipan-backup.json"
"""The name of the list of games in the file."""
_HIDDEN = "."
"""How a name begins that is no part of the state, such as that of the folder in which a backup is put together."""
_SQLITE = b"SQLite format 3\0"
_LOCK = ".lock"
"""How the names of files end that say nothing but by being held."""
_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, and what a copy that it makes holds already."""


class BackupError(Exception):
    """A backup that cannot be made or used; the message says in one line what, where and what to do."""


@dataclass(frozen=True, kw_only=True)
class Saved:
    """A game is in the backup; ``damaged``: what is wrong with it, in one line, and was before."""

    name: str
    damaged: str | None


@dataclass(frozen=True, kw_only=True)
class Restored:
    """A game, or another file, is back. ``damaged``: what was wrong with it when it was backed up."""

    name: str
    damaged: str | None = None


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What was there stays. ``why``: in one line; ``differs``: the backup holds something that is not there."""

    name: str
    why: str
    differs: bool


Outcome: TypeAlias = Restored | Kept
"""What became of a game, or of another file."""


class _Game(BaseModel):
    """``head``: hexadecimal, empty where no entry is good."""

    model_config = ConfigDict(frozen=True)

    name: str
    head: str
    damaged: str | None


class _List(BaseModel):
    model_config = ConfigDict(frozen=True)

    format: Literal[1] = 1
    games: tuple[_Game, ...]


def back_up(state: Path, file: Path) -> list[Saved]:
    """Write all that is in ``state`` into the new tar ``file``. Raises BackupError, GamesError."""
    if not state.is_dir():
        raise BackupError(f"{state}: nothing is kept there: name the state directory with --state")
    if state.absolute() in file.absolute().parents:
        raise BackupError(f"{file} would lie among what it is to save: name another place, such as a memory stick")
    part = file.with_name(file.name + durable.PART)
    games = []
    with _telling(file), _beside(state) as beside:
        if file.exists():
            raise BackupError(f"{file} is there already: name another file")
        try:
            with part.open("wb") as raw:
                # Dereferencing keeps tarfile from taking a number that the disk uses again for a second name.
                with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT, dereference=True) as tar:
                    for folder in folders(state):
                        if folder.name.startswith(_HIDDEN):
                            continue
                        copy = beside / GAMES / folder.name
                        games.append(_copied(folder, copy))
                        _add(tar, copy, beside)
                        shutil.rmtree(copy)
                    for path in sorted(state.iterdir()):
                        if path.name != GAMES:
                            _copy(path, beside / path.name)
                    _add(tar, beside, beside)
                    data = _List(games=tuple(games)).model_dump_json().encode()
                    member = tarfile.TarInfo(LIST)
                    member.size = len(data)
                    tar.addfile(member, io.BytesIO(data))
                raw.flush()
                os.fsync(raw.fileno())
            _name(part, file)
        finally:
            part.unlink(missing_ok=True)
        durable.settle(file.absolute().parent)
    return [Saved(name=game.name, damaged=game.damaged) for game in games]


def restore(file: Path, state: Path) -> Iterator[Outcome]:
    """Put what the backup ``file`` holds into ``state``, one after the other. Raises BackupError.

    A game comes in whole or not at all, and only where there is none of its name.
    """
    with _telling(file), tarfile.open(file, "r:") as tar:
        members, listed = _read(tar, file)
        durable.make_folder(state / GAMES)
        with _beside(state) as beside:
            for name, member in members.items():
                _extract(tar, member, beside / name)
            wrong = [game.name for game in listed.games if not _as_listed(beside / GAMES / game.name, game)]
            if wrong:
                raise BackupError(f"{file}: {wrong[0]} does not come out as it went in: take another copy of the file")
            _own(beside, state)
            os.sync()
            for game in listed.games:
                yield _put_game(beside / GAMES / game.name, state / GAMES / game.name, game)
            durable.settle(state / GAMES)
            for name in members:
                if PurePosixPath(name).parts[0] != GAMES:
                    outcome = _put_file(beside / name, state / name, name)
                    if outcome is not None:
                        yield outcome


@contextmanager
def _telling(file: Path) -> Iterator[None]:
    """Whatever goes wrong becomes one line."""
    try:
        yield
    except tarfile.TarError as error:
        raise BackupError(f"{file} is no backup, or is damaged ({error}): take another copy of it") from None
    except (OSError, sqlite3.Error) as error:
        place = getattr(error, "filename", None) or file
        reason = getattr(error, "strerror", None) or error
        raise BackupError(f"{place}: {reason}: it must be readable, or writable with room on the disk") from error


@contextmanager
def _beside(state: Path) -> Iterator[Path]:
    """A folder for what is not finished, on the state's own disk if that may be written."""
    with TemporaryDirectory(prefix=f"{_HIDDEN}backup-", dir=state if os.access(state, os.W_OK) else None) as folder:
        yield Path(folder)


def _name(part: Path, file: Path) -> None:
    """Give the finished file its name, which is nobody's yet."""
    try:
        os.link(part, file)  # unlike a renaming, this takes no other file's place
    except FileExistsError:
        raise BackupError(f"{file} is there already: name another file") from None
    except OSError:  # a memory stick's file system has no links
        part.rename(file)


def _copied(folder: Path, copy: Path) -> _Game:
    """Copy the game in ``folder``, as it is at one instant."""
    _copy(folder, copy)
    frames = copy / FRAMES
    frames.mkdir(exist_ok=True)
    before = None
    while True:
        damaged = _copy_journal(folder, copy)
        # Pictures are there before they are noted; so the journal's copy comes first, and then those that it notes.
        if (folder / FRAMES).is_dir():
            _copy(folder / FRAMES, frames)
        try:
            verdict = verify(copy)
        except JournalError as error:
            return _Game(name=folder.name, head="", damaged=damaged or str(error))
        if verdict.broken is None or verdict.head == before:
            damaged = damaged or (None if verdict.broken is None else verdict.broken.why)
            return _Game(name=folder.name, head=verdict.head, damaged=damaged)
        before = verdict.head  # a picture may have gone for want of room, as is noted by now


def _copy_journal(folder: Path, copy: Path) -> str | None:
    """Copy the journal; one that cannot be read file by file, as it lies. Returns what is wrong with it."""
    names = (FILE, *(FILE + tail for tail in _BESIDE))
    for name in names:
        (copy / name).unlink(missing_ok=True)
    try:
        with Journal.open(folder, read_only=True) as journal:
            journal.copy_to(copy / FILE)
    except JournalError as error:
        for name in names:
            with suppress(FileNotFoundError):
                shutil.copyfile(folder / name, copy / name)
        return str(error)
    return None


def _copy(source: Path, copy: Path) -> None:
    """Copy a file or a folder, but for the journal; links, sockets and the like are no state."""
    if source.name.startswith(_HIDDEN) or source.is_symlink():
        return
    if source.is_dir():
        copy.mkdir(parents=True, exist_ok=True)
        for path in source.iterdir():
            if path.name != FILE:
                _copy(path, copy / path.name)
    elif source.is_file() and not source.name.endswith((durable.PART, _LOCK, *_BESIDE)):
        with suppress(FileNotFoundError):  # it went meanwhile
            if _is_database(source):
                with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as database:
                    copy.unlink(missing_ok=True)
                    with closing(sqlite3.connect(copy)) as other:
                        database.backup(other)
            elif not copy.exists():
                _link_or_copy(source, copy)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _link_or_copy(source: Path, copy: Path) -> None:
    """What is only ever replaced as a whole may be linked: that takes no room, and stays when the other name goes."""
    try:
        os.link(source, copy)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, copy)


def _add(tar: tarfile.TarFile, folder: Path, root: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            tar.add(path, str(path.relative_to(root)), recursive=False, filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without who owned it here: the state directory's owner has it there."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _read(tar: tarfile.TarFile, file: Path) -> tuple[dict[str, tarfile.TarInfo], _List]:
    """The files in the backup by their names, and its list."""
    members = {member.name: member for member in tar.getmembers()}
    listed = members.pop(LIST, None)
    content = None if listed is None else tar.extractfile(listed)
    if content is None:
        raise BackupError(f"{file} is no backup, or its end is missing: take another copy of it")
    try:
        games = _List.model_validate_json(content.read())
    except ValidationError:
        raise BackupError(f"{file}: its list cannot be read; was it written by a newer Caipan? then update") from None
    names = {game.name for game in games.games}
    for name, member in members.items():
        parts = PurePosixPath(name).parts
        strange = not parts or name != "/".join(parts) or any(part.startswith((_HIDDEN, "/")) for part in parts)
        if strange or not member.isreg() or (parts[0] == GAMES and (len(parts) < 3 or parts[1] not in names)):
            raise BackupError(f"{file} holds {name!r}, which no backup does: do not use it")
    return members, games


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    content = tar.extractfile(member)
    assert content is not None  # a regular file
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        shutil.copyfileobj(content, out)


def _as_listed(folder: Path, game: _Game) -> bool:
    try:
        verdict = verify(folder)
    except JournalError:
        return game.head == "" and game.damaged is not None
    return verdict.head == game.head and (verdict.broken is None or game.damaged is not None)


def _own(folder: Path, state: Path) -> None:
    """What root puts back belongs to whom the state directory belongs: the service that writes there."""
    if os.geteuid() == 0:
        owner = state.stat()
        for path in folder.rglob("*"):
            os.chown(path, owner.st_uid, owner.st_gid)
        os.chown(state / GAMES, owner.st_uid, owner.st_gid)


def _put_game(folder: Path, place: Path, game: _Game) -> Outcome:
    if not place.exists():
        (folder / FRAMES).mkdir(exist_ok=True)
        folder.rename(place)
        return Restored(name=game.name, damaged=game.damaged)
    away = f"move {place} away and restore once more to have the backup's"
    try:
        there = verify(place)
        known = bool(game.head) and place_of(game.head, place) is not None
    except JournalError as error:
        return Kept(name=game.name, why=f"the one here cannot be read ({error}); {away}", differs=True)
    if not known:
        return Kept(name=game.name, why=f"another one of that name, or less of it, is here; {away}", differs=True)
    if there.broken is not None:
        return Kept(name=game.name, why=f"the one here is damaged ({there.broken.why}); {away}", differs=True)
    further = there.head != game.head
    return Kept(name=game.name, why="here it goes on further" if further else "it is here already", differs=False)


def _put_file(file: Path, place: Path, name: str) -> Outcome | None:
    """None: the very same file is there."""
    if not place.exists():
        durable.make_folder(place.parent)
        file.rename(place)
        durable.settle(place.parent)
        return Restored(name=name)
    if place.is_file() and place.read_bytes() == file.read_bytes():
        return None
    return Kept(name=name, why=f"another one is here; move {place} away to have the backup's", differs=True)
