"""``verify``: good, or the first place that is not what was written; what only a head shows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.journal.entries import ORIGIN, Break, Draft, Entry, Kind, rows
from appliance.journal.journal import Journal, JournalError
from appliance.journal.keeping import Picture, Shows, dropped_note, kept_note
from appliance.journal.verify import Verdict, place_of, verify
from tests.journal.games import begun, fact


def picture(n: int) -> Picture:
    data = b"picture %d" % n
    digest = sha256(data).hexdigest()
    return Picture(file=f"{n}.jpg", bytes=len(data), t_ns=n, shows=Shows.MOVE, number=n, sha256=digest)


def note(payload: dict[str, object]) -> Draft:
    return Draft(t_ns=0, wall_ns=0, kind=Kind.NOTE, payload=payload)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Entries 1 to 4 are a header and three moves, 5 to 7 note three pictures, 8 says that the first one went."""
    with begun(tmp_path, 3) as journal:
        for n in (1, 2, 3):
            (tmp_path / "frames" / f"{n}.jpg").write_bytes(b"picture %d" % n)
            journal.append([note(kept_note(picture(n)))])
        journal.append([note(dropped_note(picture(1)))])
    (tmp_path / "frames" / "1.jpg").unlink()
    return tmp_path


def entries(folder: Path) -> tuple[Entry, ...]:
    with Journal.open(folder, read_only=True) as journal:
        return journal.entries()


def forge(folder: Path, *changes: str) -> None:
    """Change the file as somebody who may write it can."""
    connection = sqlite3.connect(folder / "journal.sqlite", isolation_level=None)
    for trigger in ("entry_stays", "entry_is_kept", "entry_comes_last"):
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    for change in changes:
        connection.execute(change)
    connection.close()


def test_good(game: Path) -> None:
    head = entries(game)[-1].digest.hex()
    assert verify(game) == Verdict(entries=8, head=head, pictures=2, dropped=1, unnoted=0, broken=None)


@pytest.mark.parametrize(
    ("change", "seq", "why"),
    [
        ("UPDATE entry SET payload = '{\"move\":9}' WHERE seq = 3", 3, "not what was written"),
        ("UPDATE entry SET wall_ns = wall_ns - 1 WHERE seq = 8", 8, "not what was written"),
        ("UPDATE entry SET kind = 'ruling' WHERE seq = 2", 2, "not what was written"),
        ("UPDATE entry SET payload = CAST(x'7bff7d' AS TEXT) WHERE seq = 4", 4, "not what was written"),
        ("UPDATE entry SET previous = zeroblob(32) WHERE seq = 5", 5, "does not follow"),
        ("DELETE FROM entry WHERE seq = 1", 1, "entry 1 is missing"),
        ("DELETE FROM entry WHERE seq IN (4, 5)", 4, "entry 4 is missing; the one found there is numbered 6"),
        ("DELETE FROM entry WHERE seq < 8", 1, "entry 1 is missing"),
        ("INSERT INTO entry SELECT 9, t_ns, wall_ns, kind, payload, previous, digest FROM entry WHERE seq = 8", 9, ""),
        ("INSERT INTO entry SELECT 0, t_ns, wall_ns, kind, payload, previous, digest FROM entry WHERE seq = 8", 1, ""),
        ("INSERT INTO entry SELECT -9, t_ns, wall_ns, kind, payload, previous, digest FROM entry WHERE seq = 8", 1, ""),
    ],
)
def test_a_forged_entry(game: Path, change: str, seq: int, why: str) -> None:
    forge(game, change)
    verdict = verify(game)
    assert verdict.broken is not None
    assert verdict.broken.seq == seq
    assert why in verdict.broken.why
    assert verdict.entries == seq - 1


def test_an_entry_that_no_table_of_ours_holds(game: Path) -> None:
    forge(
        game,
        "CREATE TABLE loose AS SELECT * FROM entry",
        "DROP TABLE entry",
        "ALTER TABLE loose RENAME TO entry",
        "UPDATE entry SET previous = NULL WHERE seq = 6",
    )
    verdict = verify(game)
    assert verdict.broken is not None
    assert verdict.broken.seq == 6


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def replaced(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [Path.unlink, cut_off, replaced])
def test_a_forged_picture(game: Path, harm: Callable[[Path], None]) -> None:
    harm(game / "frames" / "3.jpg")
    verdict = verify(game)
    assert verdict.broken is not None
    assert verdict.broken.seq == 7
    assert "3.jpg" in verdict.broken.why
    harm(game / "frames" / "2.jpg")
    both = verify(game).broken
    assert both is not None
    assert both.seq == 6
    forge(game, "UPDATE entry SET t_ns = 99 WHERE seq = 2")
    assert verify(game).broken == Break(seq=2, why="entry 2 is not what was written: its digest does not fit")


def test_a_picture_that_goes_as_noted_meanwhile_is_not_missed(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes
    with Journal.open(game) as writer:

        def dropped_first(path: Path) -> bytes:
            if path.name == "2.jpg" and path.exists():
                writer.append([note(dropped_note(picture(2)))])
                path.unlink()
            return read(path)

        monkeypatch.setattr(Path, "read_bytes", dropped_first)
        verdict = verify(game)
    assert (verdict.broken, verdict.pictures, verdict.dropped, verdict.entries) == (None, 1, 2, 9)


def test_files_that_no_entry_notes(game: Path) -> None:
    (game / "frames" / "late.jpg").write_bytes(b"?")
    assert verify(game).unnoted == 1
    assert verify(game).broken is None


def test_a_note_that_cannot_be_understood(game: Path) -> None:
    with Journal.open(game) as journal:
        journal.append([note(kept_note(picture(4)) | {"file": "../../4.jpg"}), fact(1)])
    assert verify(game).broken == Break(seq=9, why="entry 9 should note a picture and cannot be understood")


def test_what_only_a_head_shows(tmp_path: Path) -> None:
    game = tmp_path / "game"
    begun(game, 7).close()
    before = entries(game)
    head = before[-1].digest.hex()
    forge(game, "DELETE FROM entry WHERE seq = 8", "DELETE FROM entry WHERE seq = 7")
    assert verify(game).broken is None
    assert place_of(head, game) is None
    assert place_of(before[5].digest.hex(), game) == 6
    # Written anew as a whole, the first move another one.
    drafts = [Draft(t_ns=one.t_ns, wall_ns=one.wall_ns, kind=one.kind, payload=one.payload) for one in before]
    drafts[1] = fact(1, move=99)
    anew = game / "anew"
    anew.mkdir()
    (game / "journal.sqlite").rename(anew / "journal.sqlite")
    forge(anew, "DELETE FROM entry")
    connection = sqlite3.connect(anew / "journal.sqlite")
    for row in rows(drafts, seq=0, previous=ORIGIN):
        connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", tuple(vars(row).values()))
    connection.commit()
    connection.close()
    (game / "frames").rename(anew / "frames")
    assert verify(anew).broken is None
    assert place_of(head, anew) is None
    assert place_of(before[0].digest.hex(), anew) == 1


def test_a_head_as_it_is_written_down(game: Path) -> None:
    digits = entries(game)[4].digest.hex()
    assert place_of(f" {digits.upper()} ", game) == 5
    assert place_of(digits[:16], game) == 5
    for wrong in (digits[:15], digits + "0", "", "x" * 64):
        with pytest.raises(ValueError, match="is no head"):
            place_of(wrong, game)


def test_unusable(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        verify(tmp_path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    begun(folder, 60).close()
    return folder


@settings(max_examples=150, deadline=None)
@given(place=st.integers(0, 10**6), bits=st.integers(1, 255))
def test_any_byte_of_the_file(tmp_path_factory: pytest.TempPathFactory, whole: Path, place: int, bits: int) -> None:
    """A changed byte makes the file unusable, or is found, or was none of an entry's."""
    changed = bytearray((whole / "journal.sqlite").read_bytes())
    changed[place % len(changed)] ^= bits
    folder = tmp_path_factory.mktemp("changed")
    (folder / "journal.sqlite").write_bytes(changed)
    try:
        verdict = verify(folder)
    except JournalError:
        return
    if verdict.broken is None:
        with Journal.open(folder, read_only=True) as journal:
            rest = journal.entries()
        # Entries can be lost from the end, and then the head is another.
        assert rest == entries(whole)[: len(rest)]
