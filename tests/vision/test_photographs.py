"""The scoreboard: how the labelled photographs and stills in shared are read, corners given and found."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from vision.picture_file import read_picture
from vision.still import NoBoard, read_still

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Reached:
    """Boards read exactly right, corners given and found; the part of all points right, corners given; boards found
    and read wrong."""

    given: int
    points: float
    found: int
    wrong: int


REACHED = {
    "photos": Reached(given=149, points=0.9996, found=142, wrong=2),
    "stills15": Reached(given=11, points=0.9996, found=11, wrong=1),
}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one picture. ``wrong``: points in plain view read wrong; None when no board was read."""

    name: str
    group: str
    board: bool
    points: int
    wrong: int | None
    covered_empty: int = 0


def turns(rows: list[str]) -> list[list[str]]:
    """The board in its 8 attitudes: which way round is what a found grid cannot know."""
    board = np.array([list(row) for row in rows])
    return [["".join(row) for row in np.rot90(one, quarter)] for one in (board, board[:, ::-1]) for quarter in range(4)]


def outcome(label: Path, *, found: bool) -> Outcome:
    """Read the picture that ``label`` belongs to, and count what is wrong."""
    cv2.setNumThreads(1)
    told: dict[str, Any] = json.loads(label.read_text())
    stones: list[str] = told.get("stones") or []
    corners = None if found or not stones else np.array(told["corners"], float)
    out: set[tuple[int, ...]] = {tuple(at) for at in (told.get("occluded") or []) + (told.get("uncertain") or [])}
    plain = [(r, c) for r in range(len(stones)) for c in range(len(stones)) if (r, c) not in out]
    wrong = None
    covered_empty = 0
    try:
        reading = read_still(read_picture(label.with_suffix(".jpg")), [told.get("board_size") or 19], corners)
    except NoBoard:
        pass
    else:
        boards = turns(list(reading.rows)) if found else [list(reading.rows)]
        wrong = min(sum(rows[r][c].replace("?", ".") != stones[r][c] for r, c in plain) for rows in boards)
        if not found:
            covered_empty = sum(
                stones[r][c] in "BW" and reading.rows[r][c] == "." for r, c in told.get("occluded") or []
            )
    return Outcome(
        name=f"{label.parent.name}/{label.stem}",
        group=label.parent.name,
        board=bool(stones),
        points=len(plain),
        wrong=wrong,
        covered_empty=covered_empty,
    )


def outcomes(folder: Path, *, found: bool) -> list[Outcome]:
    labels = [path for path in sorted(folder.rglob("*.json")) if path.with_suffix(".jpg").exists()]
    assert labels
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        return list(pool.map(partial(outcome, found=found), labels, chunksize=4))


def scoreboard(title: str, scored: list[Outcome]) -> str:
    """A line per group, a total, and what was not exactly right."""
    lines = [f"\n{title}: images, boards exact, wrong, refused, points right"]
    for group in [*dict.fromkeys(one.group for one in scored), ""]:
        members = [one for one in scored if group in ("", one.group)]
        count = Counter(
            "no board" if not one.board else "refused" if one.wrong is None else "wrong" if one.wrong else "exact"
            for one in members
        )
        seen = [one for one in members if one.board and one.wrong is not None]
        right = 1 - sum(one.wrong or 0 for one in seen) / max(1, sum(one.points for one in seen))
        lines.append(
            f"  {group or 'all':22} {len(members):4} {count['exact']:4} {count['wrong']:3} {count['refused']:3}  "
            f"{right:8.3%}"
        )
    missed = [
        f"{one.name} ({'refused' if one.wrong is None else one.wrong})"
        for one in scored
        if one.board and one.wrong != 0
    ]
    return "\n".join([*lines, f"  not exact: {', '.join(missed) or 'none'}"])


@pytest.mark.parametrize("name", REACHED)
def test_read_with_the_corners_given(shared: Path, name: str, record_property: Callable[[str, object], None]) -> None:
    scored = [one for one in outcomes(shared / name, found=False) if one.board]
    record_property("scoreboard", scoreboard(f"{name}, corners given", scored))
    assert sum(one.wrong == 0 for one in scored) >= REACHED[name].given
    assert sum(one.wrong or 0 for one in scored) <= (1 - REACHED[name].points) * sum(one.points for one in scored)
    assert sum(one.covered_empty for one in scored) == 0


@pytest.mark.parametrize("name", REACHED)
def test_read_with_the_board_found(shared: Path, name: str, record_property: Callable[[str, object], None]) -> None:
    scored = outcomes(shared / name, found=True)
    record_property("scoreboard", scoreboard(f"{name}, board found", scored))
    assert [one.name for one in scored if not one.board and one.wrong is not None] == []
    assert sum(one.board and one.wrong == 0 for one in scored) >= REACHED[name].found
    assert sum(one.board and bool(one.wrong) for one in scored) <= REACHED[name].wrong
