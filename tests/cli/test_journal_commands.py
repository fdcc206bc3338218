"""``caipan games`` and ``caipan verify``."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from appliance.cli.app import app
from appliance.journal.games import new_folder
from appliance.journal.journal import Journal
from tests.journal.games import HEADER, WALL_NS, begun

DAY = date(2026, 11, 30)


def caipan(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory with a good game, one without a title and players, and a damaged one."""
    monkeypatch.setenv("TZ", "UTC")
    begun(new_folder(tmp_path, DAY), 3).close()
    plain = HEADER.model_copy(update={"title": None, "first": None, "second": None})
    Journal.create(new_folder(tmp_path, DAY), plain, wall_ns=WALL_NS).close()
    begun(new_folder(tmp_path, DAY)).close()
    (tmp_path / "games" / "2026-11-30-3" / "journal.sqlite").write_bytes(b"x" * 9000)
    return tmp_path


def test_games(state: Path) -> None:
    result = caipan("games", "--state", str(state))
    assert result.exit_code == 0
    named, plain, damaged = result.stdout.splitlines()
    assert named.split("  ")[0] == "2026-11-30-1"
    assert named.endswith("Club evening  王 – Berg  0 moves")
    assert plain.split()[0] == "2026-11-30-2"
    assert damaged.startswith("2026-11-30-3    damaged: ")
    assert "take a copy" in damaged


def test_games_as_json(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAIPAN_STATE", str(state))
    named, _, damaged = map(json.loads, caipan("games", "--json").stdout.splitlines())
    assert named == {
        "type": "game",
        "game": "2026-11-30-1",
        "path": str(state / "games" / "2026-11-30-1"),
        "begun": "2026-11-30T00:53:20+00:00",
        "title": "Club evening",
        "first": "王",
        "second": "Berg",
        "moves": 0,
        "result": None,
    }
    assert "take a copy" in damaged["damaged"]


def test_no_games(tmp_path: Path) -> None:
    result = caipan("games", "--state", str(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no games" in result.stderr
    (tmp_path / "file").touch()
    assert caipan("games", "--state", str(tmp_path / "file")).exit_code == 2


def test_verify(state: Path) -> None:
    game = state / "games" / "2026-11-30-1"
    with Journal.open(game, read_only=True) as journal:
        second, *_, last = (entry.digest.hex() for entry in journal.entries(after=1))
    result = caipan("verify", "2026-11-30-1", "--state", str(state))
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["2026-11-30-1: good; 4 entries, 0 pictures", f"head (entry 4): {last}"]
    result = caipan("verify", str(game), "--state", str(state), "--head", last)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "the head given is this one")
    result = caipan("verify", str(game), "--head", second[:16])
    assert result.exit_code == 0
    assert "entry 2; what comes after it was added later" in result.stdout
    result = caipan("verify", str(game), "--head", "0" * 64)
    assert result.exit_code == 1
    assert "NO entry has the head given" in result.stdout


def verdict(*arguments: str) -> tuple[int, dict[str, Any]]:
    result = caipan("verify", *arguments, "--json")
    (line,) = result.stdout.splitlines()
    answer: dict[str, Any] = json.loads(line)
    return result.exit_code, answer


def test_verify_as_json(state: Path) -> None:
    game = state / "games" / "2026-11-30-1"
    with Journal.open(game, read_only=True) as journal:
        third, last = (entry.digest.hex() for entry in journal.entries(after=2))
    good = {
        "type": "verdict",
        "game": "2026-11-30-1",
        "good": True,
        "entries": 4,
        "head": last,
        "head_at": 4,
        "break": None,
        "pictures": 0,
        "dropped": 0,
        "unnoted": 0,
    }
    assert verdict(str(game), "--head", last) == (0, good)
    data = (game / "journal.sqlite").read_bytes()
    assert data.count(b'{"facts":[],"move":3}') == 1
    (game / "journal.sqlite").write_bytes(data.replace(b'{"facts":[],"move":3}', b'{"facts":[],"move":4}'))
    why = "entry 4 is not what was written: its digest does not fit"
    changed = good | {"good": False, "entries": 3, "head": third, "break": {"entry": 4, "why": why}}
    assert verdict(str(game)) == (1, changed | {"head_at": None})
    assert verdict(str(game), "--head", third) == (1, changed | {"head_at": 3})
    told = caipan("verify", str(game))
    assert told.exit_code == 1
    assert told.stdout.splitlines()[0] == f"2026-11-30-1: NOT GOOD, from entry 4 on: {why}"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("2027",), "there is no game"),
        (("2026",), "write more of the name"),
        (("2026-11-30-3",), "take a copy"),
        (("2026-11-30-1", "--head", "abc"), "is no head"),
    ],
)
def test_unusable(state: Path, arguments: tuple[str, ...], why: str) -> None:
    result = caipan("verify", *arguments, "--state", str(state))
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("caipan: ")
    assert why in line
