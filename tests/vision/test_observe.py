"""Readings of drawn boards: what stands where, what cannot be seen, and a board that moved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn import CORNERS, HEIGHT, WIDTH, board
from vision.observation import Content, Frame, Intersection, Observation
from vision.observe import Observer

EMPTY = ["." * 15] * 15
STEP_NS = 200_000_000


def watch(pictures: Sequence[NDArray[np.uint8]], start: Sequence[str] = EMPTY) -> list[Observation]:
    """The observations of ``pictures`` taken five times a second."""
    observer = Observer(CORNERS, start, (WIDTH, HEIGHT))
    frames = [
        Frame(index=i, start_ns=i * STEP_NS, end_ns=i * STEP_NS, image=picture) for i, picture in enumerate(pictures)
    ]
    return [observer.observe(frame) for frame in frames]


def rows(stones: dict[tuple[int, int], str]) -> tuple[str, ...]:
    """Rows of a position."""
    return tuple("".join(stones.get((row, col), ".") for col in range(15)) for row in range(15))


def test_bare_board_is_seen_whole() -> None:
    (observation,) = watch([board({})])
    assert observation.rows == tuple(EMPTY)
    assert not observation.disturbed
    assert observation.confidence.min() > 0.5


@pytest.mark.parametrize("colour", ["B", "W"])
@pytest.mark.parametrize("at", [(7, 7), (0, 0), (14, 14), (0, 9), (6, 14)])
@pytest.mark.parametrize("light", [0.6, 1.0, 1.25])
def test_new_stone_is_seen_at_once(colour: str, at: tuple[int, int], light: float) -> None:
    before = board({}, light=light)
    observations = watch([before, board({}, light=light, seed=1), board({at: colour}, light=light, seed=2)])
    assert observations[-1].rows == rows({at: colour})
    assert not observations[-1].disturbed


def test_start_position_is_known_and_a_taken_stone_is_missed() -> None:
    stones = {(7, 7): "B", (7, 8): "W", (8, 7): "W", (8, 8): "B"}
    without = {at: colour for at, colour in stones.items() if at != (8, 8)}
    first, second = watch([board(stones), board(without, seed=1)], rows(stones))
    assert first.rows == rows(stones)
    assert second.rows == rows(without)


def test_point_under_a_hand_is_unseen_and_keeps_nothing_from_the_others() -> None:
    stones = {(3, 3): "W", (10, 10): "B"}
    hidden = board(stones, hand=((10.0, 10.0), (17.0, 17.0)), seed=1)
    _, covered = watch([board(stones), hidden], rows(stones))
    assert covered.at(Intersection(10, 10)) is Content.UNSEEN
    assert covered.at(Intersection(12, 12)) is Content.UNSEEN
    assert covered.at(Intersection(3, 3)) is Content.WHITE
    assert covered.at(Intersection(3, 12)) is Content.EMPTY
    assert covered.disturbed
    assert set("".join(covered.rows)) == {".", "W", "?"}, "a hand is no stone"


@pytest.mark.parametrize(("radius", "odd"), [(0.35, True), (0.42, False), (0.47, False)])
def test_what_is_smaller_than_the_stones_of_its_colour(radius: float, odd: bool) -> None:
    """Once three of them are known."""
    stones = {(3, 3): "B", (3, 11): "B", (11, 3): "B", (7, 7): "W"}
    came, radii = {**stones, (8, 10): "B"}, {(8, 10): radius}
    pictures = [board(stones), board(came, radii=radii, seed=1), board(came, radii=radii, seed=2)]
    seen = watch(pictures, rows(stones))[-1]
    stone = seen.stones[Intersection(8, 10)]
    assert stone.radius == pytest.approx(radius, abs=0.06)
    assert stone.odd_size is odd


def test_lamp_going_out_changes_nothing() -> None:
    stones = {(7, 7): "B", (6, 8): "W"}
    pictures = [board(stones, light=light, seed=i) for i, light in enumerate([1.0, 1.0, 0.55, 0.55, 1.0])]
    assert {observation.rows for observation in watch(pictures, rows(stones))} == {rows(stones)}


def test_stone_left_lying_beside_its_point_counts_for_the_nearest_after_a_while() -> None:
    between = {(7, 7): (0.42, 0.0)}
    hand = ((2.0, 12.0), (-3.0, 17.0))
    pictures = [board({}), board({(7, 7): "B"}, offsets=between, hand=hand, seed=1)]
    pictures += [board({(7, 7): "B"}, offsets=between, seed=seed) for seed in range(2, 20)]
    observations = watch(pictures)
    for observation in observations[1:15]:
        assert list(observation.loose) == [Intersection(7, 7)], "it may be picked up again"
        assert observation.loose[Intersection(7, 7)].dx == pytest.approx(0.42, abs=0.1)
    assert observations[-1].rows == rows({(7, 7): "B"})
    assert observations[-1].stones[Intersection(7, 7)].off_centre == pytest.approx(0.42, abs=0.1)


def test_stone_between_four_points_counts_for_none() -> None:
    pictures = [board({}), *(board({(7, 7): "W"}, offsets={(7, 7): (0.5, 0.5)}, seed=seed) for seed in range(1, 22))]
    assert "W" not in "".join(watch(pictures)[-1].rows)


def test_nudged_board_is_found_again_and_no_stone_has_moved() -> None:
    stones = {(7, 7): "B", (7, 8): "W", (2, 3): "B", (11, 12): "W"}
    moved = CORNERS + np.array([9.0, -4.0])
    pictures = [board(stones, seed=0), board(stones, seed=1)]
    pictures += [board(stones, corners=moved, seed=seed) for seed in range(2, 8)]
    observations = watch(pictures, rows(stones))
    cell = np.linalg.norm(CORNERS[1] - CORNERS[0]) / 14
    shifts = [observation.shift for observation in observations if observation.shift]
    assert len(shifts) == 1
    assert shifts[0] == pytest.approx(np.hypot(9, 4) / cell, rel=0.3)
    assert observations[-1].rows == rows(stones)
    read = {observation.rows for observation in observations if "?" not in "".join(observation.rows)}
    assert read == {rows(stones)}, "what is read while the board is looked for is nothing, or the truth"


def test_shaking_camera_is_steadied() -> None:
    stones = {(7, 7): "B", (5, 9): "W"}
    shakes = [(0, 0), (2, -1), (-2, 2), (1, 2), (-1, -2)]
    pictures = [board(stones, corners=CORNERS + np.array(shake), seed=i) for i, shake in enumerate(shakes)]
    assert {observation.rows for observation in watch(pictures, rows(stones))} == {rows(stones)}


def test_covered_camera_reads_nothing() -> None:
    grey = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    _, blind = watch([board({(7, 7): "B"}), grey], rows({(7, 7): "B"}))
    assert set("".join(blind.rows)) == {"?"}


def test_what_is_seen_in_one_place_of_a_picture_that_shows_another_scene_is_not_read() -> None:
    """A crossing that lies where a stone was remembered does not say that it was taken."""
    stones = {(7, 7): "B", (3, 11): "W"}
    other, bare = np.full((HEIGHT, WIDTH, 3), 90, np.uint8), board({}, seed=2)
    x, y = np.rint(CORNERS.mean(axis=0)).astype(int)
    other[y - 60 : y + 60, x - 60 : x + 60] = bare[y - 60 : y + 60, x - 60 : x + 60]
    *_, seen = watch([board(stones), board(stones, seed=1), other], rows(stones))
    assert seen.blind
    assert set("".join(seen.rows)) == {"?"}
