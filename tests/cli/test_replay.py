"""``caipan replay`` on real and rendered recordings, and on broken ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from sgfmill import sgf
from typer.testing import CliRunner

from appliance.cli.app import app
from appliance.overlay.mp4 import Mp4
from calibration.grid import find_grid, homography

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
    standing: dict[int, dict[str, Any]] = {}
    for line in lines:
        if line["type"] in ("ruling", "ruling_amended"):
            standing[line["number"]] = line
        elif line["type"] == "ruling_withdrawn":
            assert standing.pop(line["number"])["code"] == line["code"]
    told = [standing[number] for number in sorted(standing)]
    assert [{key: line[key] for key in ruling} for line, ruling in zip(told, rulings, strict=True)] == rulings
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


def test_presses_without_a_stone_and_sums(copy: Path) -> None:
    """The recording's own press is at 1162 ms; each further turn counts for who ended it."""
    with (copy / "events.jsonl").open("a") as events:
        events.write('{"t_ms": 5000, "type": "press", "seat": "second"}\n')
        events.write('{"t_ms": 65001, "type": "press", "seat": "first"}\n')
    result = CliRunner().invoke(app, ["replay", str(copy)])
    lines = result.stdout.splitlines()
    at = lines.index("Moves")
    assert [" ".join(line.split()) for line in lines[at + 1 : at + 4]] == [
        "1 black F7 pressed 0:01.162 used 0:01.162",
        "– second – pressed 0:05.000 used 0:03.838, no stone on record",
        "– first – pressed 1:05.001 used 1:00.001, no stone on record",
    ]
    at = lines.index("Totals")
    assert lines[at + 1 : at + 3] == [
        "  first player (black): 1 move · used 1:01.163 to the last press · 1 certain ruling against",
        "  second player (white): 0 moves · used 0:03.838 to the last press · 0 certain rulings against",
    ]
    summary = run("replay", copy, "--json")[1][-1]
    assert summary["totals"] == {
        "first": {"colour": "B", "moves": 1, "used_ms": 61163, "flags": 1},
        "second": {"colour": "W", "moves": 0, "used_ms": 3838, "flags": 0},
    }
    assert summary["presses_without_stone"] == [
        {"t_ms": 5000, "seat": "second", "used_ms": 3838},
        {"t_ms": 65001, "seat": "first", "used_ms": 60001},
    ]


def test_report_of_stones_out_of_turn(shared: Path) -> None:
    """Two stones before one press share its time; what was wrong with a stone is said; so is each press."""
    out = CliRunner().invoke(app, ["replay", str(shared / "recordings" / "turns")]).stdout
    lines = [" ".join(line.split()) for line in out.splitlines()]
    at = lines.index("Moves")
    assert lines[at + 1 : at + 6] == [
        "1 black H10 pressed 0:03.384 used 0:03.384",
        "– second – pressed 0:07.271 used 0:03.887, no stone on record",
        "2 white H11 pressed 0:14.786 used 0:07.515",
        "3 black F6 pressed 0:22.144 used –",
        "4 black D4 pressed 0:22.144 used 0:07.358 for moves 3, 4",
    ]
    assert any("a black stone was laid on H12" in line and "the other side's colour" in line for line in lines)
    assert any("a black stone was laid on D4" in line and "a second stone in one turn" in line for line in lines)


def test_a_text_is_cited_in_full_once_and_a_doubt_is_a_question(shared: Path) -> None:
    out = CliRunner().invoke(app, ["replay", str(shared / "recordings" / "press")]).stdout
    assert out.count("（8）先按钟后落子，或者未用落子手按钟。") == 1
    assert out.count("text B 不合规则1(8), 纪律3(3)A, in full with ruling 1") == 1
    assert "0:16.461  Could not see whether the stone on D5 was down before the press at 0:16.461" in out


def test_several_recordings_by_several_workers(fixtures: Path) -> None:
    names = ["press-before-stone", "stone-lifted"]
    folders = [fixtures / "recordings" / name for name in names]
    code, lines, _ = run("replay", *folders, "--json", "--workers", "2")
    assert code == 0
    assert [Path(line["recording"]).name for line in lines if line["type"] == "summary"] == names


def test_a_folder_of_recordings_is_all_of_them_by_name(copy: Path, tmp_path: Path) -> None:
    """Other things in it are left alone; a recording without its header is told, not passed over."""
    games = tmp_path / "games"
    for name in ("b", "a", "c"):
        shutil.copytree(copy, games / name)
    (games / "c" / "recording.json").unlink()
    (games / "notes").mkdir()
    (games / "list.txt").write_text("a, b, c")
    code, lines, stderr = run("replay", games, "--json")
    assert code == 2
    assert [line["recording"] for line in lines if line["type"] == "summary"] == [str(games / "a"), str(games / "b")]
    (line,) = stderr.splitlines()
    assert f"{games / 'c' / 'recording.json'}: no such file" in line


def test_a_folder_without_recordings_is_one_line(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "empty" / "pictures").mkdir(parents=True)
    code, lines, stderr = run("replay", tmp_path / "empty", copy, "--json")
    assert code == 2
    assert stderr == (
        f"caipan: {tmp_path / 'empty'} neither is a recording (there is no recording.json) nor holds any; "
        "name the folder of a recording\n"
    )
    assert lines[-1]["moves"] == ["F7"], "the others are refereed all the same"


def test_one_sgf_is_not_for_a_folder_of_several(copy: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copytree(copy, tmp_path / "games" / name)
    code, _, stderr = run("replay", tmp_path / "games", "--sgf", tmp_path / "x.sgf")
    assert (code, stderr) == (2, "caipan: --sgf would be of 2 recordings: name one recording, or leave it out\n")


def test_replaying_twice_gives_the_same_lines(fixtures: Path) -> None:
    recording = fixtures / "recordings" / "stone-lifted"
    first, second = (run("replay", recording, "--json")[1] for _ in range(2))
    for summary in (first[-1], second[-1]):
        del summary["seconds"]
    assert first == second


def test_film(fixtures: Path, tmp_path: Path) -> None:
    """Every frame at its instant; the game is judged as without it."""
    recording = fixtures / "recordings" / "press-before-stone"
    before = hashes(recording)
    code, lines, stderr = run("replay", recording, "--json", "--overlay", tmp_path / "film.MP4")
    assert (code, stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["film.MP4"]
    assert hashes(recording) == before
    plain = run("replay", recording, "--json")[1]
    for summary in (lines[-1], plain[-1]):
        del summary["seconds"]
    assert lines == plain
    frames = film(tmp_path / "film.MP4")
    assert list(frames) == [int(path.stem) for path in sorted((recording / "frames").iterdir())]
    assert {picture.shape for picture in frames.values()} == {(898, 1280, 3)}
    (ruling,) = (line for line in lines if line["type"] == "ruling")
    magenta = {t_ms for t_ms, picture in frames.items() if near(picture, (255, 0, 255)) > 100}
    assert magenta == {t_ms for t_ms in frames if t_ms >= ruling["seen_ms"]}
    assert 0 < len(magenta) < 18
    lit = {t_ms for t_ms, picture in frames.items() if near(picture[765:], (255, 255, 255)) > 2000}
    assert lit == {t_ms for t_ms in frames if t_ms > 1162}, "from the first frame after the press"


def hashes(folder: Path) -> dict[Path, int]:
    return {path: hash(path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def film(path: Path) -> dict[int, Any]:
    """The pictures of a film by their instants in milliseconds."""
    with av.open(str(path)) as container:
        assert container.streams.video[0].codec_context.name == "h264"
        return {round(1000 * frame.time): frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)}


def near(picture: Any, colour: tuple[int, int, int]) -> int:
    """How many pixels are of about that colour."""
    return int(np.sum(np.abs(picture.astype(int) - colour).max(axis=2) < 45))


def test_what_comes_after_the_last_frame_is_shown_in_it_once_more(copy: Path, tmp_path: Path) -> None:
    with (copy / "events.jsonl").open("a") as events:
        events.write('{"t_ms": 5000, "type": "press", "seat": "second"}\n')
    code, _, _ = run("replay", copy, "--json", "--overlay", tmp_path / "film.mp4")
    assert code == 0
    pictures = film(tmp_path / "film.mp4")
    assert list(pictures)[-2:] == [4065, 4065 + 2000]
    assert near(pictures[6065][765:], (255, 255, 255)) > 2000, "the first press is no more shown by then"
    assert np.abs(pictures[6065][:300].astype(int) - pictures[4065][:300]).mean() < 2


def test_film_without_the_bad_frames(copy: Path, tmp_path: Path) -> None:
    frames = sorted((copy / "frames").iterdir())
    for bad in (frames[0], frames[5]):
        bad.write_bytes(b"no picture")
    small = cv2.imread(str(frames[8]))
    assert small is not None
    cv2.imwrite(str(frames[8]), small[::2, ::2])
    code, _, stderr = run("replay", copy, "--json", "--overlay", tmp_path / "film.mp4")
    assert code == 0
    assert len(stderr.splitlines()) == 3
    good = [int(path.stem) for number, path in enumerate(frames) if number not in (0, 5, 8)]
    assert list(film(tmp_path / "film.mp4")) == [t_ms - good[0] for t_ms in good]


@pytest.mark.parametrize("after", [0, 5])
def test_film_that_cannot_be_written(
    fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """The game is refereed all the same; what was there before stays."""
    shown: list[int] = []

    def full(*arguments: Any) -> None:
        shown.append(arguments[2])
        if len(shown) > after:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Mp4, "show", full)
    (tmp_path / "film.mp4").write_bytes(b"before")
    recording = fixtures / "recordings" / "press-before-stone"
    code, lines, stderr = run("replay", recording, "--json", "--overlay", tmp_path / "film.mp4")
    assert code == 2
    assert stderr == (
        f"caipan: {tmp_path / 'film.mp4'}: cannot be written (No space left on device); choose another place\n"
    )
    assert len(shown) == after + 1
    assert lines[-1]["moves"] == ["F7"]
    assert lines[-1]["frames"] == 18
    assert [path.name for path in tmp_path.iterdir()] == ["film.mp4"]
    assert (tmp_path / "film.mp4").read_bytes() == b"before"


def test_no_film_of_a_recording_that_is_refused(copy: Path, tmp_path: Path) -> None:
    header({"black_side": "left"})(copy)
    code, _, stderr = run("replay", copy, "--json", "--overlay", tmp_path / "film.mp4")
    assert code == 2
    assert len(stderr.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["broken"]


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


def corners_beside(columns: float, rows: float, turn: int = 0) -> Callable[[Path], None]:
    """Writes the true corners, so many cells aside and beginning so many corners later, into recording.json."""

    def apply(folder: Path) -> None:
        picture = cv2.imread(str(min((folder / "frames").iterdir())))
        assert picture is not None
        aside = np.array([[0, 0], [14, 0], [14, 14], [0, 14]]) + np.array([columns, rows], np.float64)
        to_image = homography(find_grid(np.asarray(picture, np.uint8), 15).corners, 15)
        corners = np.roll(cv2.perspectiveTransform(aside[None], to_image)[0], -turn, axis=0)
        header({"corners": corners.tolist()})(folder)

    return apply


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (0.25, 0.0)])
def test_corners_that_the_lines_bear_out_are_taken(copy: Path, columns: float, rows: float) -> None:
    corners_beside(columns, rows)(copy)
    code, lines, stderr = run("replay", copy, "--json")
    assert code == 0, stderr
    assert lines[-1]["moves"] == ["F7"]


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
        (corners_beside(1, 0), "are not where the lines of the board are seen", "mend corners"),
        (corners_beside(0, -1), "are not where the lines of the board are seen", "mend corners"),
        (corners_beside(0, 0, turn=1), "not the board's top left", "write them from there on"),
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
        (["--overlay", "/nowhere/film.mp4"], "/nowhere/film.mp4: there is no folder /nowhere"),
        (["--overlay", "film.avi"], "--overlay film.avi: the film is an MP4; choose a name that ends with .mp4"),
        (["--overlay", "/"], "--overlay /: is no file"),
        (["--sgf", "x.mp4", "--overlay", "./x.mp4"], "--sgf and --overlay would both write x.mp4: give two names"),
        (["--evidence", "x.mp4", "--overlay", "x.mp4"], "--evidence and --overlay would both write x.mp4"),
    ],
)
def test_wrong_option_is_one_line(fixtures: Path, arguments: list[str], what: str) -> None:
    code, _, stderr = run("replay", fixtures / "recordings" / "press-before-stone", *arguments, "--json")
    assert code == 2
    assert len(stderr.splitlines()) == 1
    assert what in stderr


@pytest.mark.parametrize("option", ["--sgf", "--overlay"])
@pytest.mark.parametrize("inside", ["video.mp4", "frames/000000001.mp4"])
def test_nothing_is_written_into_a_recording(copy: Path, option: str, inside: str) -> None:
    before = hashes(copy)
    code, _, stderr = run("replay", copy, option, copy / inside)
    assert code == 2
    assert stderr == f"caipan: {option} {copy / inside}: lies in the recording itself; choose another place\n"
    assert hashes(copy) == before


def test_folder_that_may_not_be_written(fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    recording = fixtures / "recordings" / "press-before-stone"
    code, lines, stderr = run("replay", recording, "--json", "--overlay", tmp_path / "film.mp4")
    assert (code, lines) == (2, [])
    assert f"nothing may be written in {tmp_path}; choose" in stderr


def test_a_film_is_of_one_recording(fixtures: Path, tmp_path: Path) -> None:
    recordings = [fixtures / "recordings" / name for name in FIXTURES]
    code, lines, stderr = run("replay", *recordings, "--json", "--overlay", tmp_path / "film.mp4")
    assert (code, lines) == (2, [])
    assert stderr == "caipan: --overlay would be of 3 recordings: name one recording, or leave it out\n"
