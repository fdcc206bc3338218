"""``caipan bench`` says what it measured; the figures themselves are no test."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from appliance.cli.app import app


def test_every_stage_and_the_floor_are_told(fixtures: Path) -> None:
    result = CliRunner().invoke(app, ["bench", str(fixtures / "recordings" / "press-before-stone"), "--json"])
    assert result.exit_code == 0, result.stderr
    figures = json.loads(result.stdout)
    assert figures["frames"] == 18
    assert set(figures["ms_per_frame"]) == {"decode", "see", "follow", "rule"}
    assert figures["ratio_to_floor"] > 1


def test_broken_recording_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["bench", str(tmp_path)])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
