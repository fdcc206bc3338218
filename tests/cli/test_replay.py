"""``caipan replay`` on real and rendered recordings, and on broken ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest
from sgfmill import sgf
from typer.testing import CliRunner

from appliance.cli.app import app

NOTICES = {"board_moved", "pressed_without_move", "stone_removed", "stone_displaced"}
FIXTURES = ["press-before-stone", "quiet-opening", "stone-lifted"]
SHARED = [
    "accidents-and-light",
    "press",
    "push",
    "quiet-game",
    "real-13x13",
    "slide-and-lift",
    "turns",
]


def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, JSON lines and stderr of ``caipan`` with ``arguments``."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return result.exit_code, lines, result.stderr


def assert_refereed_rightly(recording: Path) -> None:
    """Moves, colours and final position equal the truth; required acts are ruled, and nothing else is."""
    code, lines, stderr = run("replay", recording, "--json")
    assert code == 0, stderr
    summary, truth = lines[-1], json.loads((recording / "truth.json").read_text())
    assert summary["type"] == "summary"
    assert summary["moves"] == truth["moves"]
    assert summary["colours"] == truth["colours"]
    assert summary["final"] == truth["final"]
    rulings = summary["rulings"]
    for act in truth["acts"]:
        if act.get("required", True):
            assert any(found(ruling, act) for ruling in rulings), act
    certain = [r for r in rulings if r["certainty"] == "certain" and r["code"] not in NOTICES]
    assert [r for r in certain if not any(found(r, act) for act in truth["acts"])] == []


def found(ruling: dict[str, Any], act: dict[str, Any]) -> bool:
    """Whether a ruling is about an act of the truth: same code, points and seat, as far as a camera can tell."""
    same = {
        "stone_relocated": {"stone_slid", "stone_lifted"},
        "wrong_stone": {"two_moves"},
        "two_moves": {"wrong_stone"},
    }
    if ruling["code"] != act["code"] and act["code"] not in same.get(ruling["code"], set()):
        return False
    if act["code"] in {"stone_dropped", "board_moved"}:
        return True
    if act["code"] in {"stone_displaced", "stone_removed"}:
        return bool(set(act["points"]) & set(ruling["points"]))
    return set(ruling["points"]) == set(act["points"]) and ruling["seat"] in (act["seat"], None)


@pytest.mark.parametrize("name", FIXTURES)
def test_fixture_is_refereed_rightly(fixtures: Path, name: str) -> None:
    assert_refereed_rightly(fixtures / "recordings" / name)


@pytest.mark.parametrize("name", SHARED)
def test_shared_recording_is_refereed_rightly(shared: Path, name: str) -> None:
    assert_refereed_rightly(shared / "recordings" / name)


def test_brackets_contain_the_touch(fixtures: Path) -> None:
    recording = fixtures / "recordings" / "quiet-opening"
    _, lines, _ = run("replay", recording, "--json")
    touches = {t["point"]: t["t_ms"] for t in json.loads((recording / "truth.json").read_text())["touches"]}
    placed = [line for line in lines if line["type"] == "placed"]
    assert [line["point"] for line in placed] == ["H8", "H9", "G9", "F10"]
    for line in placed:
        assert line["after_ms"] < touches[line["point"]] <= line["by_ms"]


def test_early_press_is_told_with_article_and_evidence(fixtures: Path, tmp_path: Path) -> None:
    recording = fixtures / "recordings" / "press-before-stone"
    code, lines, _ = run("replay", recording, "--json", "--evidence", tmp_path)
    assert code == 0
    (ruling,) = (line for line in lines if line["type"] == "ruling")
    assert (ruling["code"], ruling["rule"], ruling["seat"]) == ("press_before_placing", "P8", "first")
    assert ruling["press_ms"] == 1162
    assert ruling["press_ms"] < ruling["after_ms"] < 2062 <= ruling["by_ms"]
    assert ruling["audience"] == "referee"
    assert "先按钟后落子" in ruling["article"]["text_zh"]
    picture = cv2.imread(str(tmp_path / "press-before-stone" / ruling["evidence"]))
    assert picture is not None
    assert picture.shape[1] > 3 * 480, "before, at and after the press stand side by side"


def test_another_ruleset_changes_the_article(fixtures: Path) -> None:
    recording = fixtures / "recordings" / "press-before-stone"
    _, lines, _ = run("replay", recording, "--json", "--ruleset", "competition-five-two")
    (ruling,) = (line for line in lines if line["type"] == "ruling")
    assert ruling["article"]["citation"].startswith("A 9.2(1)")
    assert "先按鐘后落子" in ruling["article"]["text_zh"]


def test_sgf_and_sheet_are_written(fixtures: Path, tmp_path: Path) -> None:
    recording = fixtures / "recordings" / "quiet-opening"
    code, _, stderr = run("replay", recording, "--sgf", tmp_path / "game.sgf", "--sheet", tmp_path / "sheet.svg")
    assert code == 0, stderr
    game = sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes())
    moves = [node.get_raw_move() for node in game.get_main_sequence()[1:]]
    assert [(colour, raw) for colour, raw in moves] == [("b", b"hh"), ("w", b"hg"), ("b", b"gg"), ("w", b"ff")]
    sheet = (tmp_path / "sheet.svg").read_text(encoding="utf-8")
    assert sheet.startswith("<svg")


def test_report_for_people(fixtures: Path) -> None:
    result = CliRunner().invoke(app, ["replay", str(fixtures / "recordings" / "press-before-stone")])
    assert result.exit_code == 0
    assert "P8" in result.stdout
    assert "the button was pressed at 0:01.162" in result.stdout
    assert "(1)" in result.stdout
    assert "frames/s" in result.stdout


def test_several_recordings_by_several_workers(fixtures: Path) -> None:
    names = ["press-before-stone", "stone-lifted"]
    folders = [fixtures / "recordings" / name for name in names]
    code, lines, _ = run("replay", *folders, "--json", "--workers", "2")
    assert code == 0
    assert [Path(line["recording"]).name for line in lines if line["type"] == "summary"] == names


def test_replaying_twice_gives_the_same_lines(fixtures: Path) -> None:
    recording = fixtures / "recordings" / "stone-lifted"
    first, second = (run("replay", recording, "--json")[1] for _ in range(2))
    for summary in (first[-1], second[-1]):
        del summary["seconds"]
    assert first == second


@pytest.fixture
def copy(fixtures: Path, tmp_path: Path) -> Path:
    """A recording that may be broken."""
    target = tmp_path / "broken"
    shutil.copytree(fixtures / "recordings" / "press-before-stone", target)
    return target


def header(change: dict[str, Any]) -> Callable[[Path], None]:
    """Changes keys of recording.json."""

    def apply(folder: Path) -> None:
        path = folder / "recording.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | change))

    return apply


def unreadable_frames(folder: Path) -> None:
    for path in (folder / "frames").iterdir():
        path.write_bytes(b"no picture")


def truncated_events(folder: Path) -> None:
    path = folder / "events.jsonl"
    path.write_bytes(path.read_bytes()[:-20])


def no_frames_folder(folder: Path) -> None:
    shutil.rmtree(folder / "frames")


def blank_frames(folder: Path) -> None:
    for path in (folder / "frames").iterdir():
        picture = cv2.imread(str(path))
        assert picture is not None
        picture[:] = 128
        cv2.imwrite(str(path), picture)


@pytest.mark.parametrize(
    ("breaking", "what", "advice"),
    [
        (lambda folder: (folder / "recording.json").unlink(), "recording.json: no such file", "name the folder"),
        (lambda folder: (folder / "recording.json").write_text("{"), "not JSON", "mend it"),
        (header({"format": 2}), "format is 2", "reads format 1"),
        (header({"board_size": 4}), "board_size is 4", "5 to 19"),
        (header({"board_size": 20}), "board_size is 20", "5 to 19"),
        (header({"frame_size": [640, 480]}), "no frame is usable", "not 640 x 480"),
        (header({"ruleset": "chess"}), "'chess'", "--ruleset"),
        (header({"black_side": "north"}), "black_side", "bottom, top, left or right"),
        (unreadable_frames, "no frame is usable", "record or copy it again"),
        (no_frames_folder, "neither frames/ nor video.mp4", "one of them"),
        (truncated_events, "events.jsonl, line 1: incomplete", "delete this line"),
        (blank_frames, "no board of 15 lines was found", "corners"),
    ],
)
def test_broken_recording_is_one_line(copy: Path, breaking: Callable[[Path], None], what: str, advice: str) -> None:
    breaking(copy)
    code, lines, stderr = run("replay", copy, "--json")
    assert code == 2
    assert lines == []
    assert len(stderr.splitlines()) == 1
    assert what in stderr
    assert advice in stderr


def test_one_bad_frame_is_left_out(copy: Path) -> None:
    bad = sorted((copy / "frames").iterdir())[3]
    bad.write_bytes(bad.read_bytes()[:1000])
    code, lines, stderr = run("replay", copy, "--json")
    assert code == 0
    assert bad.name in stderr
    assert [line["name"] for line in lines if line["type"] == "bad_frame"] == [bad.name]
    assert lines[-1]["moves"] == ["F7"]
    assert lines[-1]["frames"] == 17


def test_good_recordings_are_refereed_beside_a_broken_one(copy: Path, fixtures: Path) -> None:
    (copy / "recording.json").unlink()
    code, lines, stderr = run("replay", copy, fixtures / "recordings" / "press-before-stone", "--json")
    assert code == 2
    assert len(stderr.splitlines()) == 1
    assert lines[-1]["moves"] == ["F7"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--ruleset", "chess"], "no ruleset 'chess'"),
        (["--ruleset", "missing.toml"], "missing.toml: cannot be read"),
        (["--sgf", "/nowhere/game.sgf"], "/nowhere/game.sgf: there is no folder /nowhere"),
    ],
)
def test_wrong_option_is_one_line(fixtures: Path, arguments: list[str], what: str) -> None:
    code, _, stderr = run("replay", fixtures / "recordings" / "press-before-stone", *arguments, "--json")
    assert code == 2
    assert len(stderr.splitlines()) == 1
    assert what in stderr
