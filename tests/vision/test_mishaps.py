"""Recordings to which something happened on the way: nobody is accused of it, and no move is invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.disturbances import MISHAPS
from fixtures.sweep import NOT_SO, OF_EVENTS, outcome

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
    "coin on the board, 0",
    "presses come twice",
    "every fourth press is the other's",
    "Black's side a quarter off",
]


@pytest.mark.parametrize("name", TRIED)
def test_nobody_is_accused_of_a_mishap(name: str, fixtures: Path) -> None:
    assert name in {**MISHAPS, **OF_EVENTS, **NOT_SO}
    folder = fixtures / "recordings" / "quiet-opening"
    came = outcome(folder, name, fixtures / "recordings" / "stone-lifted")
    assert came is not None
    assert (came.false, came.invented, came.note) == ((), (), "")


def test_a_gleam_that_comes_with_a_stone_accuses_nobody(fixtures: Path) -> None:
    """It is on record until it goes, as it looks like a stone that the same visit brought."""
    came = outcome(fixtures / "recordings" / "quiet-opening", "a gleam rests on points")
    assert came is not None
    assert (came.false, came.note) == ((), "")
