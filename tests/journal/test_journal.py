"""The journal's file: append-only, one writer, whole after anything, and refused in one line where it is not."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.journal.entries import Draft, EntryError, Kind
from appliance.journal.journal import DiskError, Journal, JournalError, Known
from appliance.journal.schema import STEPS
from tests.journal.disks import fill, mounted, remount
from tests.journal.games import HEADER, WALL_NS, begun, fact

ROOT = Path(__file__).parents[2]
SECOND_STEP = "ALTER TABLE pulse ADD COLUMN boot TEXT NOT NULL DEFAULT ''"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk") as place:
        yield place


def told(folder: Path, *, read_only: bool = False) -> str:
    """The one line with which the game is refused."""
    with pytest.raises(JournalError) as refused:
        Journal.open(folder, read_only=read_only)
    line = str(refused.value)
    assert "\n" not in line
    assert str(folder) in line
    return line


def file(folder: Path) -> sqlite3.Connection:
    """The file as any other program sees it."""
    return sqlite3.connect(folder / "journal.sqlite", isolation_level=None)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        (first,) = journal.append([fact(5, press="first", 名="王", at=1.5, none=None)])
        (second,) = journal.append([Draft(t_ns=3, wall_ns=9, kind=Kind.RULING, payload={})])
        assert second.previous == first.digest
    for read_only in (False, True):
        with Journal.open(tmp_path, read_only=read_only) as again:
            header, *rest = again.entries()
            assert rest == [first, second]
            assert (header.seq, header.kind, header.t_ns, header.wall_ns) == (1, Kind.HEADER, 0, WALL_NS)
            assert again.header() == HEADER
            assert again.entries(after=2) == (second,)
            assert again.entries(after=3) == again.entries(after=99) == ()
            assert (again.head, again.last_seq) == (second.digest, 3)


def test_the_writer_goes_on_where_it_ended(tmp_path: Path) -> None:
    begun(tmp_path, 2).close()
    with Journal.open(tmp_path) as journal:
        (entry,) = journal.append([fact(7)])
        assert entry.seq == 4
        assert [entry.seq for entry in journal.entries()] == [1, 2, 3, 4]


def test_a_reader_sees_what_is_written_meanwhile(tmp_path: Path) -> None:
    with begun(tmp_path) as writer, Journal.open(tmp_path, read_only=True) as reader:
        writer.append([fact(1)])
        assert [entry.seq for entry in reader.entries()] == [1, 2]


def test_a_reader_writes_nothing(tmp_path: Path) -> None:
    with begun(tmp_path), Journal.open(tmp_path, read_only=True) as reader, pytest.raises(DiskError):
        reader.append([fact(1)])


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entry SET payload = '{}' WHERE seq = 2",
        "UPDATE entry SET seq = 9 WHERE seq = 3",
        "DELETE FROM entry WHERE seq = 3",
        "DELETE FROM entry",
        "INSERT OR REPLACE INTO entry SELECT seq, t_ns, wall_ns, kind, '{}', previous, digest FROM entry WHERE seq = 2",
        "INSERT INTO entry SELECT seq + 2, t_ns, wall_ns, kind, '{}', previous, digest FROM entry WHERE seq = 2",
        "INSERT INTO entry SELECT seq + 5, t_ns, wall_ns, kind, '{}', digest, digest FROM entry WHERE seq = 3",
    ],
)
def test_nothing_is_changed(tmp_path: Path, change: str) -> None:
    with begun(tmp_path, 2) as journal:
        before = journal.entries()
        connection = file(tmp_path)
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(change)
        connection.close()
        assert journal.entries() == before


def test_entries_come_together_or_not_at_all(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        with pytest.raises(EntryError):
            journal.append([fact(1), Draft(t_ns=2, wall_ns=2, kind=Kind.HEADER, payload={})])
        assert journal.last_seq == 1
        assert len(journal.entries()) == 1


def test_last_known(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        assert journal.last_known() == Known(t_ns=0, wall_ns=WALL_NS)
        journal.pulse(1_000, 50)
        journal.pulse(2_000, 60)
        assert journal.last_known() == Known(t_ns=2_000, wall_ns=60)
        journal.append([fact(3_000)])
        journal.append([fact(1_500)])  # came late
        assert journal.last_known() == Known(t_ns=3_000, wall_ns=WALL_NS + 3_000)
        assert journal.last_seq == 3
    with Journal.open(tmp_path, read_only=True) as again:
        assert again.last_known().t_ns == 3_000


def test_two_writers(tmp_path: Path) -> None:
    with begun(tmp_path):
        assert "another caipan" in told(tmp_path)
        Journal.open(tmp_path, read_only=True).close()
    Journal.open(tmp_path).close()


def test_a_folder_takes_one_game(tmp_path: Path) -> None:
    begun(tmp_path).close()
    with pytest.raises(JournalError, match="holds a game already"):
        begun(tmp_path)


def test_no_game(tmp_path: Path) -> None:
    assert "holds no game" in told(tmp_path)
    assert "holds no game" in told(tmp_path / "absent")
    (tmp_path / "journal.sqlite").touch()
    assert "cut off before anything was written" in told(tmp_path)
    assert "cut off before anything was written" in told(tmp_path, read_only=True)


def test_another_programs_database(tmp_path: Path) -> None:
    connection = file(tmp_path)
    connection.execute("CREATE TABLE entry (seq)")
    connection.close()
    assert "another program's database" in told(tmp_path)


def test_a_newer_file(tmp_path: Path) -> None:
    begun(tmp_path).close()
    connection = file(tmp_path)
    connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    connection.close()
    for read_only in (False, True):
        assert "update Caipan" in told(tmp_path, read_only=read_only)


@pytest.mark.parametrize("what", [b"no database at all" * 400, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_destroyed_beginning(tmp_path: Path, what: bytes) -> None:
    begun(tmp_path).close()
    (tmp_path / "journal.sqlite").write_bytes(what)
    for read_only in (False, True):
        assert "take a copy of the game" in told(tmp_path, read_only=read_only)


def test_destroyed_pages(tmp_path: Path) -> None:
    begun(tmp_path, 500).close()
    path = tmp_path / "journal.sqlite"
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    assert "damaged" in told(tmp_path)


def test_a_changed_entry_is_not_handed_out(tmp_path: Path) -> None:
    begun(tmp_path, 5).close()
    connection = file(tmp_path)
    connection.execute("DROP TRIGGER entry_stays")
    connection.execute("UPDATE entry SET t_ns = t_ns + 1 WHERE seq = 4")
    connection.close()
    with Journal.open(tmp_path, read_only=True) as journal, pytest.raises(JournalError, match="entry 4 is not"):
        journal.entries()


def test_an_older_file_is_brought_up(tmp_path: Path) -> None:
    with begun(tmp_path, 3) as journal:
        before = journal.entries()
    newer = (*STEPS, SECOND_STEP)
    with Journal.open(tmp_path, read_only=True, steps=newer) as journal:
        assert journal.entries() == before
    assert not list(tmp_path.glob("*.v1"))
    with Journal.open(tmp_path, steps=newer) as journal:
        assert journal.entries() == before
        journal.append([fact(9)])
    connection = file(tmp_path)
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    assert "boot" in [column[1] for column in connection.execute("PRAGMA table_info(pulse)")]
    connection.close()
    kept = tmp_path / "kept"
    kept.mkdir()
    (tmp_path / "journal.sqlite.v1").rename(kept / "journal.sqlite")
    with Journal.open(kept) as old:
        assert old.entries() == before


def test_a_step_that_fails_changes_nothing(tmp_path: Path) -> None:
    with begun(tmp_path, 3) as journal:
        before = journal.entries()
    with pytest.raises(JournalError):
        Journal.open(tmp_path, steps=(*STEPS, f"{SECOND_STEP}; ALTER TABLE absent ADD COLUMN x TEXT"))
    with Journal.open(tmp_path) as journal:
        assert journal.entries() == before
        journal.pulse(1, 1)  # the table is what it was


APPENDS = """
import sys
from pathlib import Path
from appliance.journal.journal import Journal
from tests.journal.disks import fill, mounted, remount
from tests.journal.games import fact
journal = Journal.open(Path(sys.argv[1]))
for n in range(100_000):
    for entry in journal.append([fact(n, n=n), fact(n, n=-n)][: 1 + n % 2]):
        print(entry.seq, entry.digest.hex(), flush=True)
    journal.pulse(n, n)
"""


def test_killed_at_any_instant(tmp_path: Path) -> None:
    begun(tmp_path).close()
    acknowledged: dict[int, str] = {}
    for number in range(8):
        child = subprocess.Popen(
            [sys.executable, "-c", APPENDS, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(1 + number * 7 % 23)]
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.readlines()  # what it said before the signal came
        child.stdout.close()
        assert child.wait() == -signal.SIGKILL
        whole = [line for line in lines if line.endswith("\n")]
        assert whole
        acknowledged |= {int(seq): digest for seq, digest in map(str.split, whole)}
        with Journal.open(tmp_path) as journal:
            found = {entry.seq: entry.digest.hex() for entry in journal.entries()}
        assert acknowledged.items() <= found.items()


BEGINS = """
import sys
from pathlib import Path
from tests.journal.games import begun
for n in range(100_000):
    begun(Path(sys.argv[1]) / str(n), 1).close()
    print(n, flush=True)
"""


def test_killed_while_games_are_begun(tmp_path: Path) -> None:
    for number in range(5):
        games = tmp_path / str(number)
        child = subprocess.Popen(
            [sys.executable, "-c", BEGINS, str(games)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert child.stdout is not None
        for _ in range(1 + number * 3):
            child.stdout.readline()
        child.send_signal(signal.SIGKILL)
        child.stdout.read()
        child.stdout.close()
        child.wait()
        whole = sorted(games.iterdir(), key=lambda folder: int(folder.name))
        assert len(whole) > number * 3
        *whole, last = whole
        for folder in whole:
            with Journal.open(folder) as journal:
                assert [entry.seq for entry in journal.entries()] == [1, 2]
        try:
            Journal.open(last).close()
        except JournalError as error:
            assert "holds no game" in str(error)  # noqa: PT017  # either is well


@pytest.mark.parametrize("lost", [1, 700, 4096])
def test_a_torn_end_of_the_write_ahead_log(tmp_path: Path, lost: int) -> None:
    with begun(tmp_path / "game", 1) as journal:
        journal.append([fact(2)])
        before = journal.entries()
        journal.append([fact(3)])
        torn = tmp_path / "torn"
        torn.mkdir()
        for name in ("journal.sqlite", "journal.sqlite-wal"):
            (torn / name).write_bytes((tmp_path / "game" / name).read_bytes())
    log = torn / "journal.sqlite-wal"
    os.truncate(log, log.stat().st_size - lost)
    with Journal.open(torn) as journal:
        assert journal.entries() == before
        (entry,) = journal.append([fact(3)])
        assert entry.seq == 4


def test_a_full_disk(small_disk: Path) -> None:
    with begun(small_disk / "game") as journal:
        filler = small_disk / "filler"
        fill(filler)
        much = [fact(n, text="x" * 2000) for n in range(1000)]  # more than the log has room for
        with pytest.raises(DiskError, match="full"):
            journal.append(much)
        before = journal.entries()
        assert journal.last_seq == len(before) == 1
        filler.unlink()
        (entry,) = journal.append([fact(1)])
        assert entry.seq == 2
    with Journal.open(small_disk / "game") as again:
        assert again.entries() == (*before, entry)


def test_a_read_only_disk(small_disk: Path) -> None:
    with begun(small_disk / "closed", 2) as journal:
        before = journal.entries()
    cut = small_disk / "cut"
    with begun(small_disk / "game", 1) as journal:
        in_the_log = journal.entries()
        cut.mkdir()
        for name in ("journal.sqlite", "journal.sqlite-wal"):
            (cut / name).write_bytes((small_disk / "game" / name).read_bytes())
    remount(small_disk, "ro")
    assert "writable" in told(small_disk / "closed")
    for folder, entries in ((small_disk / "closed", before), (cut, in_the_log)):
        with Journal.open(folder, read_only=True) as reader:
            assert reader.entries() == entries
