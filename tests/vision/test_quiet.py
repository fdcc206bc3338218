"""When a frame need not be read: nothing changed. When it must: a stone, a hand, a nudge, or time has passed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn import CORNERS, board
from vision.quiet import READ_AGAIN_NS, QuietWatch

MS = 1_000_000


def watching(*pictures: NDArray[np.uint8]) -> QuietWatch:
    """A watch after ``pictures`` were read, the last at 0 ms."""
    watch = QuietWatch(CORNERS, 15)
    for picture in pictures:
        watch.read(picture, 0, settled=True)
    return watch


@pytest.mark.parametrize("light", [0.4, 1.0, 1.2])
def test_the_same_board_is_quiet(light: float) -> None:
    watch = watching(*(board({(3, 3): "B"}, light=light, seed=seed) for seed in (1, 2, 3)))
    assert all(watch.quiet(board({(3, 3): "B"}, light=light, seed=seed), 100 * MS) for seed in range(4, 10))


def test_a_little_brighter_is_quiet() -> None:
    watch = watching(board({}, seed=1), board({}, seed=2))
    assert watch.quiet(board({}, light=1.04, seed=3), 100 * MS)


@pytest.mark.parametrize("colour", ["B", "W"])
@pytest.mark.parametrize("at", [(0, 0), (7, 7), (14, 0), (9, 13)])
def test_a_stone_is_not_quiet(colour: str, at: tuple[int, int]) -> None:
    watch = watching(board({}, seed=1), board({}, seed=2))
    assert not watch.quiet(board({at: colour}, seed=3), 100 * MS)


def test_a_hand_at_the_edge_is_not_quiet() -> None:
    watch = watching(board({}, seed=1), board({}, seed=2))
    assert not watch.quiet(board({}, hand=((15.2, 7.0), (18.0, 7.0)), seed=3), 100 * MS)


def test_a_nudged_board_is_not_quiet() -> None:
    watch = watching(board({}, seed=1), board({}, seed=2))
    assert not watch.quiet(board({}, corners=CORNERS + 6, seed=3), 100 * MS)


def test_after_a_disturbance_nothing_is_quiet_until_the_board_was_read_again() -> None:
    watch = watching(board({}, seed=1), board({}, seed=2))
    assert not watch.quiet(board({(7, 7): "B"}, seed=3), 100 * MS)
    assert not watch.quiet(board({}, seed=4), 200 * MS)
    watch.read(board({}, seed=5), 300 * MS, settled=True)
    assert watch.quiet(board({}, seed=6), 400 * MS)


def test_a_frame_read_with_somebody_about_is_nothing_to_compare_with() -> None:
    watch = watching(board({}, seed=1), board({}, seed=2))
    watch.read(board({}, seed=3), 100 * MS, settled=False)
    assert not watch.quiet(board({}, seed=4), 200 * MS)


def test_the_board_is_read_again_from_time_to_time() -> None:
    watch = watching(board({}, seed=1), board({}, seed=2))
    assert watch.quiet(board({}, seed=3), READ_AGAIN_NS - 1)
    assert not watch.quiet(board({}, seed=4), READ_AGAIN_NS)


def test_a_picture_that_flickers_much_is_never_quiet() -> None:
    noise = np.random.default_rng(5)
    loud = [np.clip(board({}) + noise.normal(0, 25, (540, 960, 3)), 0, 255).astype(np.uint8) for _ in range(3)]
    assert not watching(*loud[:2]).quiet(loud[2], 100 * MS)


def test_what_is_usual_must_be_known_first() -> None:
    assert not watching(board({}, seed=1)).quiet(board({}, seed=2), 0)
