"""One game's journal: a folder with ``journal.sqlite``, to which entries are added and nothing else is done, and
``frames``, where the evidence lies.

What :meth:`Journal.append` has returned is on the disk and stays there, whatever stops the program or the machine
afterwards. One process writes a game; any number may read it meanwhile.
"""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from filelock import FileLock, Timeout
from pydantic import ValidationError

from appliance.journal import durable
from appliance.journal.entries import (
    ORIGIN,
    Draft,
    Entry,
    EntryError,
    Kind,
    Row,
    canonical,
    entry,
    rows,
    wrong_with,
)
from appliance.journal.header import Header
from appliance.journal.schema import APPLICATION_ID, STEPS, bring_up, version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILE, FRAMES = "journal.sqlite", "frames"
"""The names in a game's folder."""

_COLUMNS = tuple(field.name for field in fields(Row))
_INT64 = 2**63
_LOCK = "writer.lock"
_WAIT_S = 2.0
"""How long a reader that looks at just the wrong moment is waited for."""


class JournalError(Exception):
    """A journal that cannot be used; the message says in one line what, where and what to do."""


class DiskError(JournalError):
    """The disk does not let it be used now, as when it is full; the same may work later."""


class NoGame(JournalError):  # noqa: N818
    """A place that holds no game: it was cut off before anything was written there."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """An instant at which the box is known to have run."""

    t_ns: int
    wall_ns: int


class Journal:
    """The journal in ``folder``. One thread at a time may use it. Every method may raise :class:`JournalError`."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, holding: ExitStack) -> None:
        """Use :meth:`create` or :meth:`open`."""
        self.folder = folder
        self._connection, self._holding = connection, holding
        self._seq: int = 0
        self._digest: bytes = ORIGIN
        if last := self._one("SELECT seq, digest FROM entry ORDER BY seq DESC LIMIT 1"):
            self._seq, self._digest = last

    @classmethod
    def create(cls, folder: Path, header: Header, *, wall_ns: int) -> Self:
        """Begin a game in ``folder``, which may exist but holds no journal yet."""
        path = folder / FILE
        with _telling(path), ExitStack() as stack:
            durable.make_folder(folder)
            durable.make_folder(folder / FRAMES)
            _hold(folder, stack)
            if path.exists():
                raise JournalError(f"{path} holds a game already: begin this one in another folder")
            connection = stack.enter_context(closing(_connect(path, "rwc")))
            _for_writing(connection)
            bring_up(connection, STEPS)
            journal = cls(folder, connection, stack)
            journal.append([Draft(t_ns=0, wall_ns=wall_ns, kind=Kind.HEADER, payload=header.payload())])
            durable.settle(folder)
            journal._holding = stack.pop_all()
        return journal

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False, steps: Sequence[str] = STEPS) -> Self:
        """Open the game in ``folder``. An older file is brought up, a copy of it kept beside as ``journal.sqlite.v1``;
        with ``read_only`` neither is done, and nothing can be added.
        """
        path = folder / FILE
        with _telling(path), ExitStack() as stack:
            if not path.is_file():
                raise NoGame(f"{folder} holds no game: there is no {FILE} in it")
            if not read_only:
                _hold(folder, stack)
            connection = _opened_to_read(path, stack) if read_only else _opened_to_write(path, stack)
            found = _checked(connection, path, len(steps))
            if found < len(steps):
                connection = _migrated(connection, path, found, steps, stack, read_only=read_only)
            journal = cls(folder, connection, stack)
            if journal._seq == 0:
                raise NoGame(f"{path} holds no game: it was cut off before anything was written; delete {folder}")
            journal._holding = stack.pop_all()
        return journal

    @property
    def head(self) -> bytes:
        """The digest of the last entry, which stands for all of them."""
        return self._digest

    @property
    def last_seq(self) -> int:
        """The number of the last entry."""
        return self._seq

    def header(self) -> Header:
        """What the game began with."""
        (first,) = self._good(0, limit=1)
        try:
            return Header.model_validate_json(canonical(first.payload))
        except ValidationError as error:
            what = error.errors()[0]
            where = ".".join(map(str, what["loc"]))
            raise JournalError(
                f"{self.folder / FILE}: the game's header cannot be used ({where}: {what['msg']}); "
                "was it written by another version of Caipan?"
            ) from None

    def append(self, drafts: Sequence[Draft], pulse: Known | None = None) -> tuple[Entry, ...]:
        """Add entries, all of them or, where an error is raised, none. ``pulse`` is set along with them."""
        if any((draft.kind is Kind.HEADER) != (self._seq + place == 0) for place, draft in enumerate(drafts)):
            raise EntryError("a journal has one header, and begins with it")
        new = list(rows(drafts, seq=self._seq, previous=self._digest))
        with _telling(self.folder / FILE), self._transaction():
            self._connection.executemany(
                f"INSERT INTO entry ({', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [tuple(getattr(row, column) for column in _COLUMNS) for row in new],
            )
            if pulse is not None:
                self._connection.execute(
                    "INSERT INTO pulse VALUES (1, ?, ?) "
                    "ON CONFLICT (only) DO UPDATE SET t_ns = excluded.t_ns, wall_ns = excluded.wall_ns",
                    (pulse.t_ns, pulse.wall_ns),
                )
        if new:
            self._seq, self._digest = new[-1].seq, new[-1].digest
        return tuple(map(entry, new))

    def pulse(self, t_ns: int, wall_ns: int) -> None:
        """Note that the box runs; about once a second, so that after a cut it is known until when the clocks ran."""
        self.append((), Known(t_ns=t_ns, wall_ns=wall_ns))

    def last_known(self) -> Known:
        """The last instant at which the box is known to have run."""
        latest = self._one(
            "SELECT t_ns, wall_ns FROM (SELECT t_ns, wall_ns FROM entry UNION ALL SELECT t_ns, wall_ns FROM pulse) "
            "ORDER BY t_ns DESC, wall_ns DESC LIMIT 1"
        )
        assert latest is not None  # there is a header
        return Known(t_ns=latest[0], wall_ns=latest[1])

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """The entries after number ``after``, each checked against the one before it."""
        return self._good(after)

    def rows(self) -> Iterator[Row]:
        """The entries as they stand in the file, unchecked, as far as they can be read."""
        return self._rows(-_INT64)

    def copy_to(self, path: Path) -> None:
        """Write the file as it stands now to the new file ``path``, though another process add to it meanwhile."""
        with _telling(path), closing(_connect(path, "rwc")) as copy:
            self._connection.backup(copy)

    def close(self) -> None:
        """Let go of the file."""
        with _telling(self.folder / FILE):
            self._holding.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _good(self, after: int, limit: int = -1) -> tuple[Entry, ...]:
        before = self._one("SELECT digest FROM entry WHERE seq = ?", after) if after else None
        seq, previous = after, before[0] if before else ORIGIN
        found = []
        for row in self._rows(after + 1, limit):
            wrong = wrong_with(row, seq=seq, previous=previous)
            if wrong is not None:
                raise JournalError(f"{self.folder / FILE}: {wrong.why}; 'caipan verify' tells more")
            seq, previous = row.seq, row.digest
            found.append(entry(row))
        return tuple(found)

    def _rows(self, first: int, limit: int = -1) -> Iterator[Row]:
        with _telling(self.folder / FILE):
            found = self._connection.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM entry WHERE seq >= ? ORDER BY seq LIMIT ?",
                (first, limit),
            )
            for values in found:
                if [type(value) for value in values] != [int, int, int, str, str, bytes, bytes]:
                    raise JournalError(f"{self.folder / FILE}: there is an entry that no journal can hold")
                yield Row(**dict(zip(_COLUMNS, values, strict=True)))

    def _one(self, query: str, *values: int) -> tuple[Any, ...] | None:
        with _telling(self.folder / FILE):
            found: tuple[Any, ...] | None = self._connection.execute(query, values).fetchone()
        return found

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


def _hold(folder: Path, stack: ExitStack) -> None:
    """Be the only writer until ``stack`` is closed."""
    try:
        # No soft lock: it would outlive a writer that was killed.
        stack.enter_context(FileLock(folder / _LOCK, blocking=False, thread_local=False, fallback_to_soft=False))
    except Timeout:
        raise JournalError(f"{folder} is being written by another caipan: end that one first") from None


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=_WAIT_S,
    )
    # A destroyed text is to be told of by the chain, with its place.
    connection.text_factory = lambda data: data.decode(errors="surrogateescape")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _for_writing(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _opened_to_write(path: Path, stack: ExitStack) -> sqlite3.Connection:
    connection = stack.enter_context(closing(_connect(path, "rw")))
    _for_writing(connection)
    return connection


def _opened_to_read(path: Path, stack: ExitStack) -> sqlite3.Connection:
    connection = stack.enter_context(closing(_connect(path, "ro")))
    try:
        version(connection)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        # A reader of a WAL keeps a file beside it; where it may not, a copy is read. Nobody writes there now: a
        # writer's own such file would have served.
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="caipan-")))
        for name in (path.name, f"{path.name}-wal", f"{path.name}-journal"):
            if (path.parent / name).exists():
                copyfile(path.parent / name, folder / name)
        return stack.enter_context(closing(_connect(folder / path.name, "rw")))
    return connection


def _checked(connection: sqlite3.Connection, path: Path, known: int) -> int:
    """The version of the tables, which is one that can be used."""
    found = version(connection)
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if found == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        raise NoGame(f"{path} holds no game: it was cut off before anything was written; delete {path.parent}")
    if application != APPLICATION_ID:
        raise JournalError(f"{path} is another program's database, no journal: name a game's folder")
    if found > known:
        raise JournalError(
            f"{path} was written by a newer Caipan (version {found} of the file, this one knows {known}): update Caipan"
        )
    return found


def _migrated(
    connection: sqlite3.Connection,
    path: Path,
    found: int,
    steps: Sequence[str],
    stack: ExitStack,
    *,
    read_only: bool,
) -> sqlite3.Connection:
    if read_only:
        memory = stack.enter_context(closing(_connect(Path("memory"), "memory")))
        connection.backup(memory)
        bring_up(memory, steps)
        return memory
    kept = path.with_name(f"{path.name}.v{found}")
    with TemporaryDirectory(dir=path.parent, prefix=f"{kept.name}-") as folder:
        copy = Path(folder) / path.name
        with closing(sqlite3.connect(copy)) as beside:
            connection.backup(beside)
        durable.write_whole(kept, copy.read_bytes())
    bring_up(connection, steps)
    return connection


_FAULTS = {
    sqlite3.SQLITE_FULL: "the disk is full: make room on it",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written: look after it",
    sqlite3.SQLITE_READONLY: "it may not be written: make the disk writable",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: make its folder readable and writable, with room on the disk",
    sqlite3.SQLITE_BUSY: "another program holds it: end that one",
    sqlite3.SQLITE_LOCKED: "another program holds it: end that one",
}
"""What a journal's disk can suffer from for a while."""


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Whatever goes wrong with the file at ``path`` becomes one line."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _FAULTS:
            raise DiskError(f"{path}: {_FAULTS[code]}") from error
        if code == sqlite3.SQLITE_NOTADB:
            raise JournalError(
                f"{path} is no journal, or its beginning is destroyed: take a copy of the game"
            ) from error
        what = "".join(letter if letter.isprintable() else "?" for letter in str(error)[:200])
        raise JournalError(f"{path} is damaged ({what}): take a copy of the game") from error
    except UnicodeDecodeError as error:  # SQLite's own message repeats what is destroyed
        raise JournalError(f"{path} is damaged: take a copy of the game") from error
    except OSError as error:
        raise DiskError(f"{path.parent}: {error.strerror}; make it writable, with room on the disk") from error
