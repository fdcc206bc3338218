"""``caipan bench`` says what it measured; the figures themselves are no test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from appliance.cli import bench_clock
from appliance.cli.app import app
from vision.recording import Recording


def test_every_stage_and_the_floor_are_told(fixtures: Path) -> None:
    recording = fixtures / "recordings" / "press-before-stone"
    result = CliRunner().invoke(app, ["bench", str(recording), "--json"])
    assert result.exit_code == 0, result.stderr
    figures = json.loads(result.stdout)
    assert figures["frames"] == 18
    assert set(figures["ms_per_frame"]) == {"decode", "see", "follow", "rule"}
    assert figures["ratio_to_floor"] > 1


def test_presses_are_measured_beside_vision_and_alone(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_clock, "IDLE_S", 0.1)
    asked = ["bench", "clock", "--presses", "10", "--recording", str(fixtures / "recordings" / "press-before-stone")]
    figures = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    for where in ("beside_vision", "alone"):
        assert set(figures[where]) == {
            "counting_cpu_ms",
            "handling_cpu_ms",
            "bare_thread_ms",
            "other_clock_running_ms",
            "display_updated_ms",
        }
        for running, shown in zip(*(figures[where][f"{what}_ms"].values() for what in _IN_TURN), strict=True):
            assert 0 < running < shown
    assert figures["vision_frames_per_second"] > 0
    assert len(bench_clock.in_words(figures).splitlines()) == 13


def test_a_press_is_counted_for_the_bar(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_clock, "IDLE_S", 0.1)
    pressed: list[None] = []
    recording = Recording.open(fixtures / "recordings" / "press-before-stone")
    bench_clock.measured(recording, 10, lambda: pressed.append(None))
    assert len(pressed) == 20


_IN_TURN = ("other_clock_running", "display_updated")


def test_broken_recording_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["bench", str(tmp_path)])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.jsonl"
    path.write_text('{"black": ["G8", "H9", "H10", "F8"], "white": ["A1"]}\n{"black": ["H8"], "white": []}\n')
    return path


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text('{"moves": ["H8", "H9", "I9"]}\n{"moves": ["H8", "G7"]}\n')
    return path


def test_rules_over_positions_and_every_ply(vectors: Path, games: Path) -> None:
    asked = ["bench", "rules", "--vectors", str(vectors), "--games", str(games)]
    told = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)["positions_per_second"]
    assert {path: rates["positions"] for path, rates in told.items()} == {str(vectors): 2, str(games): 5}
    assert all(rates["best_pass"] >= rates["first_pass"] > 0 for rates in told.values())
    in_words = CliRunner().invoke(app, asked).stdout
    assert in_words.count("positions/s") == 4


def test_the_positions_lie_beside_the_current_folder(
    tmp_path: Path, vectors: Path, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    absent = CliRunner().invoke(app, ["bench", "rules"])
    assert absent.exit_code == 2
    (line,) = absent.stderr.splitlines()
    assert "forbidden.jsonl: cannot be read (No such file or directory): name another file with --vectors" in line
    for folder, source, name in (("vectors", vectors, "forbidden.jsonl"), ("games", games, "renju_games.jsonl")):
        (tmp_path / "shared" / folder).mkdir(parents=True)
        source.rename(tmp_path / "shared" / folder / name)
    assert CliRunner().invoke(app, ["bench", "rules"]).exit_code == 0


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("\n", "holds no line"),
        ("[1]\n", "line 1: no JSON object"),
        ('{"moves": 1}\n', "line 1: moves is missing"),
        ('{"moves": ["H8", "H8"]}\n', "line 1: stone 2: H8 is occupied"),
    ],
)
def test_a_file_that_will_not_do(vectors: Path, games: Path, content: str, what: str) -> None:
    games.write_text(content)
    result = CliRunner().invoke(app, ["bench", "rules", "--vectors", str(vectors), "--games", str(games)])
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert what in line
