"""``caipan run`` as a program of its own, its socket, and what ``show`` and ``export`` tell of the game afterwards."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from appliance.cli.app import app
from appliance.journal.entries import Kind, canonical
from appliance.journal.games import folders
from appliance.journal.journal import Journal
from appliance.live.game import LiveGame, told_again
from appliance.live.opening import arbiter_of, only_one
from tests.journal.disks import fill, mounted, remount
from tests.live.test_listening import Client

CAIPAN = (sys.executable, "-c", "from appliance.cli import main; main()")
LONG_S = 120.0


def caipan(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def box_file(folder: Path, state: Path | None = None, more: str = "") -> Path:
    path = folder / "box.toml"
    path.write_text(f'[state]\ndir = "{state or folder}"\n[socket]\npath = "{folder / "box.sock"}"\n{more}')
    return path


class Running:
    """A box that runs, as a process; its lines on stderr as they come."""

    def __init__(self, box: Path, *arguments: str) -> None:
        self.process = subprocess.Popen([*CAIPAN, "run", str(box), *arguments], stderr=subprocess.PIPE, text=True)
        self.lines: list[str] = []
        self.socket = box.parent / "box.sock"

    def until(self, text: str) -> str:
        """The first line that holds ``text``."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))
            if text in line:
                return self.lines[-1]
        raise AssertionError(f"no {text!r} in {self.lines}")

    def end(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        assert self.process.stderr is not None
        self.lines += self.process.stderr.read().splitlines()
        return self.process.wait(LONG_S)


@contextmanager
def running(box: Path, *arguments: str) -> Iterator[Running]:
    one = Running(box, *arguments)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate(timeout=LONG_S)


def connected(one: Running) -> Client:
    """A client, once the box has begun: it listens before that is told of its first move."""
    one.until("move 1")
    client = Client(one.socket)
    greeting = client.line()
    assert greeting is not None
    assert greeting["caipan"] == 1
    return client


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state directory with a game played from a recording to its end: pressed before the stone was down."""
    state = tmp_path_factory.mktemp("played")
    recording = Path(__file__).parents[2] / "fixtures" / "recordings" / "press-before-stone"
    command = [*CAIPAN, "run", str(box_file(state)), "--recording", str(recording), "--speed", "inf"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG_S, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == "caipan: stopped: the recording is over"
    return state


def test_the_recording_was_ruled_and_has_its_pictures(played: Path) -> None:
    (game,) = folders(played)
    shown = caipan("show", game.name, "--state", str(played), "--json")
    assert shown.exit_code == 0
    (line,) = shown.stdout.splitlines()
    snapshot = json.loads(line)
    truth = json.loads(
        (Path(__file__).parents[2] / "fixtures/recordings/press-before-stone/truth.json").read_text(encoding="utf-8")
    )
    assert [(one["code"], one["seat"]) for one in snapshot["rulings"]] == [
        (act["code"], act["seat"]) for act in truth["acts"] if act.get("required", True)
    ]
    assert snapshot["same_rulings"]
    assert snapshot["differing"] == []
    (strip,) = (game / "frames").glob("ruling-*.jpg")
    assert strip.name.startswith("ruling-001-")
    assert caipan("verify", game.name, "--state", str(played)).exit_code == 0


def test_told_again_the_rulings_are_the_same_to_the_last_byte(played: Path) -> None:
    with Journal.open(folders(played)[0], read_only=True) as journal:
        header, entries = journal.header(), journal.entries()
    kinds = (Kind.RULING, Kind.OUTCOME, Kind.WITHDRAWN)
    kept = [canonical(entry.payload) for entry in entries if entry.kind in kinds]
    assert len(kept) >= 1
    for _ in range(2):
        said = told_again(LiveGame(arbiter_of(header)), entries)
        assert [canonical(what) for kind, what in said if kind in kinds] == kept


def test_export(played: Path, tmp_path: Path) -> None:
    name = folders(played)[0].name
    for suffix, begins in ((".sgf", b"(;"), (".svg", b"<svg"), (".json", b"{")):
        out = tmp_path / f"game{suffix}"
        assert caipan("export", name, str(out), "--state", str(played)).exit_code == 0
        assert out.read_bytes().startswith(begins)
    refused = caipan("export", name, str(tmp_path / "game.doc"), "--state", str(played))
    assert refused.exit_code == 2
    assert "no format has this ending" in refused.stderr


def test_show_of_no_game(tmp_path: Path) -> None:
    refused = caipan("show", "2026", "--state", str(tmp_path))
    assert refused.exit_code == 2
    assert len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[camera]\nsource = 3\n", "camera.source"),
        ("[game]\nruleset = 'reversi'\n", "game.ruleset"),
        ("[ga", "box.toml"),
        ("[camera]\nsource = 'recording'\nrecording = 'nowhere'\n", "nowhere: no such folder"),
    ],
)
def test_a_box_file_that_is_wrong_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "box.toml"
    path.write_text(text)
    refused = caipan("run", str(path))
    assert refused.exit_code == 2
    (line,) = refused.stderr.splitlines()
    assert said in line
    assert not (tmp_path / "games").exists()


def test_a_referee_at_the_socket_and_the_end_by_a_signal(fixtures: Path, tmp_path: Path) -> None:
    box, recording = box_file(tmp_path), str(fixtures / "recordings" / "quiet-opening")
    with running(box, "--recording", recording) as one:
        with closing(connected(one)) as client:
            snapshot = client.ask({"ask": "snapshot", "id": "s"})
            assert snapshot is not None
            assert [move["point"] for move in snapshot["snapshot"]["moves"]][:1] == ["H8"]
            assert snapshot["snapshot"]["troubles"] == []
            stop = {"decide": {"what": "stop", "reason": "a phone rang"}, "id": 1}
            assert client.ask(stop) == {"id": 1, "accepted": True}
            assert client.ask(stop) == {"id": 1, "accepted": True}
            refused = client.ask({"decide": {"what": "stop"}, "id": 2})
            assert refused == {"id": 2, "error": "stop: reason: is missing"}
            after = client.ask({"ask": "snapshot"})
            assert after is not None
            assert after["snapshot"]["clock"]["running"] is None
            followed = client.ask({"ask": "follow", "after": after["seq"] - 1})
            assert followed == {"following": after["seq"] - 1}
            client.send({"decide": {"what": "resume", "reason": "silence"}, "id": 3})
            seen: list[dict[str, Any]] = []
            while not any(line.get("asked") == 3 for line in seen):
                line = client.line()
                assert line is not None
                seen.append(line)
            (resumed,) = (line for line in seen if line.get("asked") == 3)
            assert resumed["kind"] == "fact"
            assert resumed["facts"][0]["act"] == {"what": "resume", "reason": "silence"}
        assert one.end() == 0
        assert one.lines[-1] == "caipan: stopped: SIGTERM"
    assert len(folders(tmp_path)) == 1
    with running(box, "--recording", recording, "--speed", "inf") as one:
        assert "goes on with game" in one.until("game")
        one.until("power: the box was away for")
        assert one.process.wait(LONG_S) == 0
    snapshot = json.loads(caipan("show", folders(tmp_path)[0].name, "--state", str(tmp_path), "--json").stdout)
    assert [move["point"] for move in snapshot["moves"]] == ["H8", "H9", "G9", "F10"]
    assert [one["code"] for one in snapshot["rulings"]].count("power_cut") == 1
    assert [one for one in snapshot["rulings"] if one["seat"] and one["certainty"] == "certain"] == []


@pytest.mark.parametrize("more", [(), ("--new",)])
def test_a_second_box_is_refused(fixtures: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    recording = str(fixtures / "recordings" / "quiet-opening")
    with only_one(tmp_path):
        refused = caipan("run", str(box_file(tmp_path)), "--recording", recording, *more)
    assert refused.exit_code == 2
    assert re.fullmatch(r"caipan: .*: another box keeps its games there: .*\n", refused.stderr)
    assert folders(tmp_path) == []


def test_a_disk_that_is_full_and_later_is_not(fixtures: Path, tmp_path: Path) -> None:
    """The referee sees that the journal stands still; the game goes on, and all of it is written in the end."""
    with mounted(tmp_path / "disk") as disk:
        box = box_file(tmp_path, disk)
        with running(box, "--recording", str(fixtures / "recordings" / "quiet-opening"), "--speed", "1") as one:
            with closing(connected(one)) as client:
                fill(disk / "ballast")
                client.send({"decide": {"what": "stop", "reason": "a phone rang"}, "id": 1})
                one.until("journal: ")
                assert "the disk is full: make room on it; the game goes on and is kept in memory" in one.lines[-1]
                assert client.line() == {"id": 1, "accepted": True}
                snapshot = client.ask({"ask": "snapshot"})
                assert snapshot is not None
                assert "journal" in [trouble["about"] for trouble in snapshot["snapshot"]["troubles"]]
                assert snapshot["snapshot"]["clock"]["running"] is None
                (disk / "ballast").unlink()
                one.until("journal: all of the game is on the disk")
                answer = client.ask({"decide": {"what": "resume", "reason": "silence"}, "id": 2})
                assert answer == {"id": 2, "accepted": True}
            assert one.end() == 0
        (game,) = folders(disk)
        with Journal.open(game, read_only=True) as journal:
            entries = journal.entries()
        asked = [entry.payload["asked"] for entry in entries if "asked" in entry.payload]
        assert asked == [1, 2]
        assert any("evidence" in str(entry.payload.get("about")) for entry in entries)  # it stopped first


def test_a_disk_that_may_only_be_read(fixtures: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk") as disk:
        remount(disk, "ro")
        refused = caipan(
            "run", str(box_file(tmp_path, disk)), "--recording", str(fixtures / "recordings" / "quiet-opening")
        )
        remount(disk, "rw")
        assert refused.exit_code == 2
        (line,) = refused.stderr.splitlines()
        assert "no game can be kept in" in line
