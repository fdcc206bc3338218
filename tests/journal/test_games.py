"""The games of a box: names that nobody else gets, found again by as much of them as fits no other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from appliance.journal.games import (
    DamagedGame,
    Game,
    GamesError,
    Summary,
    find,
    known_at_start,
    listed,
    new_folder,
    state_folder,
)
from appliance.journal.journal import Journal, JournalError
from tests.journal.games import WALL_NS, begun

DAY = date(2026, 11, 30)


def test_where_the_state_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/referee")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert state_folder(Path("given"), {"CAIPAN_STATE": "/said"}) == Path("given")
    assert state_folder(None, {"CAIPAN_STATE": "/said"}) == Path("/said")
    assert state_folder(None, {"CAIPAN_STATE": ""}) == Path("/home/referee/.local/state/caipan")
    monkeypatch.setenv("XDG_STATE_HOME", "/states")
    assert state_folder(None, {}) == Path("/states/caipan")


def test_names(tmp_path: Path) -> None:
    state = tmp_path / "not" / "there" / "yet"
    assert new_folder(state, DAY) == state / "games" / "2026-11-30-1"
    assert new_folder(state, DAY).name == "2026-11-30-2"
    assert new_folder(state, date(2026, 12, 1)).name == "2026-12-01-1"


def test_names_taken_at_the_same_time_differ(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: new_folder(tmp_path, DAY), range(40)))
    assert {folder.name for folder in folders} == {f"2026-11-30-{n}" for n in range(1, 41)}


def test_a_state_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(GamesError, match="name another directory"):
        new_folder(tmp_path / "file", DAY)
    with pytest.raises(GamesError, match="name another directory"):
        list(listed(tmp_path / "file"))


def test_find(tmp_path: Path) -> None:
    for _ in range(12):
        new_folder(tmp_path, DAY)
    other = new_folder(tmp_path, date(2026, 12, 1))
    games = tmp_path / "games"
    assert find(tmp_path, "2026-11-30-1") == games / "2026-11-30-1"
    assert find(tmp_path, "2026-11-30-12") == games / "2026-11-30-12"
    assert find(tmp_path, "2026-12") == other
    with pytest.raises(GamesError, match=r"fits 12 games, 2026-11-30-1, 2026-11-30-2, .*, …: write more"):
        find(tmp_path, "2026-11")
    for wanted in ("2027", "", "..", "/", "a/b", "\0", "x" * 5000):
        with pytest.raises(GamesError, match="there is no game") as refused:
            find(tmp_path, wanted)
        assert "\n" not in str(refused.value)
    copied = tmp_path / "copied"
    begun(copied).close()
    assert find(tmp_path, str(copied)) == copied
    assert find(tmp_path / "absent", str(copied)) == copied


def test_list(tmp_path: Path) -> None:
    assert list(listed(tmp_path)) == []
    folders = [new_folder(tmp_path, DAY) for _ in range(11)]
    for folder in folders[:9]:
        begun(folder).close()
    (folders[3] / "journal.sqlite").write_bytes(b"x" * 9000)
    found = list(listed(tmp_path))
    assert [game.name for game in found] == [f"2026-11-30-{n}" for n in range(1, 12)]
    assert [n for n, game in enumerate(found) if isinstance(game, DamagedGame)] == [3, 9, 10]
    assert found[0] == Game(
        name="2026-11-30-1",
        folder=folders[0],
        summary=Summary(begun_ns=WALL_NS, title="Club evening", first="王", second="Berg"),
    )
    assert isinstance(found[9], DamagedGame)
    assert "holds no game" in found[9].why


def test_whoever_knows_more_of_a_game_tells_it(tmp_path: Path) -> None:
    begun(new_folder(tmp_path, DAY), 3).close()
    begun(new_folder(tmp_path, DAY), 4).close()

    def summarise(journal: Journal) -> Summary:
        if journal.last_seq == 5:
            raise JournalError("of another kind")
        return Summary(begun_ns=known_at_start(journal).begun_ns, title=None, first=None, second=None, moves=3)

    good, bad = listed(tmp_path, summarise)
    assert isinstance(good, Game)
    assert good.summary.moves == 3
    assert bad == DamagedGame(name="2026-11-30-2", folder=tmp_path / "games" / "2026-11-30-2", why="of another kind")
