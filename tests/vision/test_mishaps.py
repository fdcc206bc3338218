"""Recordings to which something happened on the way: nobody is accused of it, and no move is invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.disturbances import MISHAPS
from fixtures.sweep import OF_EVENTS, outcome

TRIED = [
    "fly on the lens, 0",
    "dust on the lens, 2",
    "drop on the lens, 1",
    "frozen while two are laid",
    "no frames while two are laid",
    "covered 12 s and a stone moved, 0",
    "torn, a tenth, lately",
    "another board for 1 s",
    "turned by 3 degrees",
    "cut short in mid-move",
    "presses come twice",
]


@pytest.mark.parametrize("name", TRIED)
def test_nobody_is_accused_of_a_mishap(name: str, fixtures: Path) -> None:
    assert name in MISHAPS or name in OF_EVENTS
    folder = fixtures / "recordings" / "quiet-opening"
    came = outcome(folder, name, fixtures / "recordings" / "stone-lifted")
    assert came is not None
    assert (came.false, came.invented, came.note) == ((), (), "")
