"""``caipan backup`` and ``caipan restore``."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from appliance.cli.app import app
from appliance.journal import backup as backups
from appliance.journal.entries import Draft, Kind
from appliance.journal.games import new_folder
from appliance.journal.journal import Journal
from appliance.journal.keeping import Picture, Shows, dropped_note, kept_note
from appliance.journal.verify import verify
from tests.journal.games import WALL_NS, begun, fact

DAY = date(2026, 11, 30)
FIRST, SECOND = "2026-11-30-1", "2026-11-30-2"


def caipan(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def note(payload: dict[str, Any]) -> Draft:
    return Draft(t_ns=0, wall_ns=WALL_NS, kind=Kind.NOTE, payload=payload)


def keep_picture(journal: Journal, name: str, data: bytes) -> Picture:
    picture = Picture(file=name, bytes=len(data), t_ns=1, shows=Shows.MOVE, number=1, sha256=sha256(data).hexdigest())
    (journal.folder / "frames" / name).write_bytes(data)
    journal.append([note(dict(kept_note(picture)))])
    return picture


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Two games, the first with a picture, a profile and another program's database."""
    state = tmp_path / "state"
    with begun(new_folder(state, DAY), 3) as journal:
        keep_picture(journal, "1.jpg", b"seen" * 1000)
    begun(new_folder(state, DAY), 5).close()
    (state / "profile.json").write_text("{}")
    (state / "referee.sock.lock").touch()
    with closing(sqlite3.connect(state / "club.sqlite")) as club:
        club.execute("CREATE TABLE player (name)")
        club.execute("INSERT INTO player VALUES ('王')")
        club.commit()
    return state


def files(folder: Path) -> dict[str, bytes]:
    """All files but those that SQLite keeps beside a journal for its readers."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm")))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def heads(state: Path) -> dict[str, tuple[str, int]]:
    """The games' heads and numbers of pictures; each must be good."""
    found = {}
    for folder in sorted((state / "games").iterdir()):
        verdict = verify(folder)
        assert verdict.broken is None
        found[folder.name] = (verdict.head, verdict.pictures)
    return found


def test_there_and_back(state: Path, tmp_path: Path) -> None:
    before = files(state)
    result = caipan("backup", tmp_path / "box.tar", "--state", state)
    assert (result.exit_code, result.stdout) == (0, f"{FIRST}: saved\n{SECOND}: saved\n")
    assert files(state) == before  # nothing of its own is left behind
    assert [path.name for path in state.iterdir() if path.name.startswith(".")] == []

    new = tmp_path / "new"
    result = caipan("restore", tmp_path / "box.tar", "--state", new)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{name}: restored" for name in (FIRST, SECOND, "club.sqlite", "profile.json")
    ]
    assert heads(new) == heads(state)
    assert heads(new)[FIRST][1] == 1
    assert (new / "games" / FIRST / "frames" / "1.jpg").read_bytes() == b"seen" * 1000
    assert (new / "profile.json").read_text() == "{}"
    with closing(sqlite3.connect(new / "club.sqlite")) as club:
        assert club.execute("SELECT name FROM player").fetchall() == [("王",)]
    with Journal.open(new / "games" / FIRST) as journal:  # the game goes on there
        journal.append([fact(9, move=9)])


def test_a_game_that_is_being_written(state: Path, tmp_path: Path) -> None:
    with Journal.open(state / "games" / SECOND) as journal:
        journal.append([fact(9, move=9)])  # stands in the write-ahead log alone
        assert caipan("backup", tmp_path / "box.tar", "--state", state).exit_code == 0
        head = journal.head.hex()
        journal.append([fact(10, move=10)])
    assert caipan("restore", tmp_path / "box.tar", "--state", tmp_path / "new").exit_code == 0
    assert heads(tmp_path / "new")[SECOND][0] == head


def test_a_picture_that_goes_for_want_of_room_meanwhile(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the journal was copied, and before the pictures are: the copy must not miss what it notes."""
    real, folder = backups._copy_journal, state / "games" / FIRST
    rounds = 0

    def copy_journal(game: Path, copy: Path) -> str | None:
        nonlocal rounds
        if game != folder:
            return real(game, copy)
        rounds += 1
        if rounds > 1:
            return real(game, copy)
        with Journal.open(folder) as journal:
            going = keep_picture(journal, "2.jpg", b"more")
            damaged = real(game, copy)
            journal.append([note(dict(dropped_note(going)))])
            (folder / "frames" / "2.jpg").unlink()
            keep_picture(journal, "3.jpg", b"last")
        return damaged

    monkeypatch.setattr(backups, "_copy_journal", copy_journal)
    assert caipan("backup", tmp_path / "box.tar", "--state", state).exit_code == 0
    assert rounds == 2
    assert caipan("restore", tmp_path / "box.tar", "--state", tmp_path / "new").exit_code == 0
    assert heads(tmp_path / "new")[FIRST][1] == 2  # 1.jpg and 3.jpg


def test_what_is_there_is_never_overwritten(state: Path, tmp_path: Path) -> None:
    caipan("backup", tmp_path / "box.tar", "--state", state)
    with Journal.open(state / "games" / FIRST) as journal:
        journal.append([fact(9, move=9)])
    (state / "profile.json").write_text('{"newer": true}')
    before = files(state)
    result = caipan("restore", tmp_path / "box.tar", "--state", state, "--json")
    assert result.exit_code == 1  # for the profile; the game that goes on further holds all that the backup does
    told = {line["name"]: line for line in map(json.loads, result.stdout.splitlines())}
    assert (told[FIRST]["type"], told[FIRST]["differs"]) == ("kept", False)
    assert "further" in told[FIRST]["why"]
    assert told[SECOND]["why"] == "it is here already"
    assert told["profile.json"]["differs"] is True
    assert files(state) == before


def test_another_game_of_the_same_name(state: Path, tmp_path: Path) -> None:
    caipan("backup", tmp_path / "box.tar", "--state", state)
    new = tmp_path / "new"
    begun(new_folder(new, DAY), 1).close()
    head = heads(new)[FIRST]
    result = caipan("restore", tmp_path / "box.tar", "--state", new)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{FIRST}: left as it is: another one of that name")
    assert heads(new)[FIRST] == head
    assert heads(new)[SECOND] == heads(state)[SECOND]  # the others have come back


def test_less_of_the_game_is_there(state: Path, tmp_path: Path) -> None:
    caipan("backup", tmp_path / "early.tar", "--state", state)
    with Journal.open(state / "games" / SECOND) as journal:
        journal.append([fact(9, move=9)])
    caipan("backup", tmp_path / "late.tar", "--state", state)
    new = tmp_path / "new"
    assert caipan("restore", tmp_path / "early.tar", "--state", new).exit_code == 0
    result = caipan("restore", tmp_path / "late.tar", "--state", new)
    assert result.exit_code == 1
    assert "move " in result.stdout


def test_a_damaged_game_is_saved_as_it_is(state: Path, tmp_path: Path) -> None:
    journal = state / "games" / SECOND / "journal.sqlite"
    journal.write_bytes(b"x" * 9000)
    (state / "games" / FIRST / "frames" / "1.jpg").write_bytes(b"another")
    result = caipan("backup", tmp_path / "box.tar", "--state", state)
    assert result.exit_code == 1
    assert [line.split(", ")[1][:7] for line in result.stdout.splitlines()] == ["DAMAGED"] * 2
    result = caipan("restore", tmp_path / "box.tar", "--state", tmp_path / "new")
    assert result.exit_code == 0
    assert result.stdout.count("DAMAGED") == 2
    assert (tmp_path / "new" / "games" / SECOND / "journal.sqlite").read_bytes() == b"x" * 9000
    assert (tmp_path / "new" / "games" / FIRST / "frames" / "1.jpg").read_bytes() == b"another"


def test_a_damaged_backup_changes_nothing(state: Path, tmp_path: Path) -> None:
    caipan("backup", tmp_path / "box.tar", "--state", state)
    whole = (tmp_path / "box.tar").read_bytes()
    place = whole.index(b"seen")
    new = tmp_path / "new"
    for data in (
        whole[: len(whole) // 2],
        whole[:512],
        b"",
        b"no tar at all" * 100,
        whole[:place] + b"lies" + whole[place + 4 :],
    ):
        (tmp_path / "bad.tar").write_bytes(data)
        result = caipan("restore", tmp_path / "bad.tar", "--state", new)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert str(tmp_path / "bad.tar") in result.stderr
        assert files(new) == {} if new.exists() else True


@pytest.mark.parametrize(
    "name", ["../out", "/tmp/out", "games/../../out", "games/2026-11-30-9/journal.sqlite", "a//b", ".x"]
)
def test_names_that_lead_astray(state: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "box.tar"
    caipan("backup", file, "--state", state)
    with tarfile.open(file, "a") as tar:
        member = tarfile.TarInfo(name)
        member.size = 3
        tar.addfile(member, io.BytesIO(b"bad"))
    result = caipan("restore", file, "--state", tmp_path / "new")
    assert result.exit_code == 2
    assert "do not use it" in result.stderr
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "new").exists()


def test_a_link_in_a_backup(state: Path, tmp_path: Path) -> None:
    file = tmp_path / "box.tar"
    caipan("backup", file, "--state", state)
    with tarfile.open(file, "a") as tar:
        member = tarfile.TarInfo("link")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(member)
    assert caipan("restore", file, "--state", tmp_path / "new").exit_code == 2


def test_mistakes(state: Path, tmp_path: Path) -> None:
    (tmp_path / "box.tar").write_bytes(b"mine")
    for arguments, said in [
        (("backup", tmp_path / "box.tar", "--state", state), "is there already"),
        (("backup", state / "box.tar", "--state", state), "among what it is to save"),
        (("backup", tmp_path / "box2.tar", "--state", tmp_path / "nothing"), "nothing is kept there"),
        (("backup", tmp_path / "no" / "box.tar", "--state", state), "No such file"),
        (("restore", tmp_path / "no.tar", "--state", state), "No such file"),
    ]:
        result = caipan(*arguments)
        assert result.exit_code == 2
        assert said in result.stderr
        assert result.stderr.count("\n") == 1
    assert (tmp_path / "box.tar").read_bytes() == b"mine"
    assert not list(tmp_path.glob("*.part"))
