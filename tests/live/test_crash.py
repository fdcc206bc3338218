"""A box that is killed in the midst of a game loses nothing; the script does the same two hundred times."""

from __future__ import annotations

from pathlib import Path

from tests.live.crash import crashed


def test_a_box_killed_three_times(fixtures: Path, tmp_path: Path) -> None:
    figures = crashed(fixtures / "recordings" / "quiet-opening", tmp_path, kills=3, seed=2)
    assert figures.kills == 3
    assert figures.games >= 1
    assert figures.entries >= 21 * figures.games
