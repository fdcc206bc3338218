"""The renderer of recordings: its geometry, its truth, and what it writes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from appliance.game.points import Colour, Point
from appliance.game.position import Position
from appliance.game.shapes import winning_line
from calibration.grid import find_grid
from fixtures.render import ACTS, Spec, render_recording, spec_from_seed
from fixtures.render.camera import Camera, corner_pixels, make_camera, near_edge
from fixtures.render.geometry import BoardPose, grid_places, point_place
from fixtures.render.hands import HandState, arm_balls
from fixtures.render.spec import SIDES
from fixtures.render.stage import Scene
from fixtures.render.stones import PlacedStone
from fixtures.render.write import Truth, prepare, shoot, visible
from vision.recording import Recording

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SMALL = Spec(seed=5, size=(480, 360), fps=3, tilt=20, start=6, acts=(None,), fill=0.9, material="paper", table="plain")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rendered") / "early"
    render_recording(replace(SMALL, acts=("press_before_placing", "stone_lifted")), folder)
    return folder


def overhead(focal: float = 500.0, height: float = 50.0, k1: float = 0.0) -> Camera:
    """A camera straight above the middle; the far side of the board is the top of the picture."""
    return Camera(
        width=401,
        height=301,
        focal=focal,
        k1=k1,
        position=np.array([0.0, 0.0, height]),
        rotation=np.array([[1.0, 0, 0], [0, -1.0, 0], [0, 0, -1.0]]),
    )


def test_projection_is_that_of_a_pinhole() -> None:
    # 5 cm to the right and 10 cm away from the player, 40 cm below the camera: 500 · 5 / 40 and 500 · 10 / 40 pixels
    assert overhead().project(np.array([5.0, 10.0, 10.0])) == pytest.approx([200 + 62.5, 150 - 125])


def test_distortion_moves_pixels_outwards_or_inwards() -> None:
    # r² = (10/50)² = 0.04, so the radius changes by 0.04 · k1
    assert overhead(k1=-0.1).project(np.array([10.0, 0.0, 0.0])) == pytest.approx([200 + 100 * (1 - 0.004), 150])


@pytest.mark.parametrize("k1", [-0.1, 0.0, 0.05])
def test_rays_undo_projection(k1: float) -> None:
    camera = overhead(k1=k1)
    places = grid_places()
    pixels = camera.project(np.concatenate([places, np.full((15, 15, 1), 1.5)], axis=-1))
    assert camera.on_plane(pixels[..., 0], pixels[..., 1], 1.5) == pytest.approx(places, abs=2e-3)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("tilt", [0.0, 35.0, 60.0])
def test_black_sits_at_the_edge_asked_for_and_the_board_is_in_view(side: str, tilt: float) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        camera = make_camera(rng, size=(960, 540), black_side=side, tilt=tilt, fill=0.95, distance=90.0)
        assert near_edge(camera) == side
        corners = corner_pixels(camera)
        assert np.all((corners > 0) & (corners < (959, 539)))
        # clockwise in the picture, as top left, top right, bottom right, bottom left are
        assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0


def test_a_turned_board_takes_its_places_along() -> None:
    pose = BoardPose(dx=1.0, dy=-2.0, turn=90.0)
    assert pose.world(np.array([3.0, 0.0])) == pytest.approx([1.0, 1.0])
    assert pose.board(np.array([[1.0, 1.0]], np.float32)) == pytest.approx(np.array([[3.0, 0.0]]), abs=1e-5)


def test_corners_lie_where_the_outer_lines_end() -> None:
    play = prepare(SMALL)
    light = cv2.GaussianBlur(play.stage.render(Scene()).picture.mean(axis=-1), (0, 0), 0.7)
    corners = corner_pixels(play.stage.camera)

    def seen(at: NDArray[np.float64]) -> float:
        return float(light[round(at[1]), round(at[0])])

    for i, corner in enumerate(corners):
        one, other = ((corners[(i + k) % 4] - corner) / 14 for k in (1, 3))
        paper = seen(corner + (one + other) / 2)
        for line in (one, other):
            assert seen(corner + 0.4 * line) < 0.93 * paper
    # the finder of grids, which knows nothing of the renderer, sees them in the same places
    picture = play.exposure.develop(play.stage.render(Scene()).picture)
    found = find_grid(picture, 15).corners
    assert min(float(np.abs(np.roll(found, k, axis=0) - corners).max()) for k in range(4)) < 1.0


@pytest.mark.parametrize("point", ["A1", "H8", "O15", "C12"])
def test_a_stone_appears_where_its_point_projects(point: str) -> None:
    play = prepare(SMALL)
    z = play.stage.stones.height / 2
    at = Point.parse(point)
    x, y = point_place(at.file, at.rank)
    empty = play.stage.render(Scene()).picture
    full = play.stage.render(Scene(resting=(PlacedStone(colour="B", at=(x, y, z)),))).picture
    stone = full.min(axis=-1) < 0.3 * empty.min(axis=-1)
    rows, cols = np.nonzero(stone)
    middle = play.stage.camera.project(np.array([x, y, z]))
    assert (cols.mean(), rows.mean()) == pytest.approx(tuple(middle), abs=1.5)
    edge = play.stage.camera.project(np.array([x + play.stage.stones.radius, y, z]))
    radius = float(np.hypot(*(edge - middle)))
    assert stone.sum() == pytest.approx(np.pi * radius**2, rel=0.25)


def test_hidden_points_are_those_the_hand_covers() -> None:
    play = prepare(SMALL)
    hand = HandState(seat="first", grip=(0.0, 0.0, 0.5), pose="pinch", next_pose="pinch", mix=0.0)
    empty, held = play.stage.render(Scene()), play.stage.render(Scene(hands=(hand,)))
    assert not empty.cover.any()
    places = grid_places().reshape(-1, 2)
    seen = visible(play.stage.camera, BoardPose(), held.cover, places)
    # independently: a point is hidden when the line from the camera to it passes through the hand's body
    balls = arm_balls(play.stage.people["first"], hand)
    eye = play.stage.camera.position
    for place, letter in zip(places, seen, strict=True):
        way = np.array([*place, 0.0]) - eye
        way /= np.linalg.norm(way)
        off = balls.centres - eye
        gap = np.linalg.norm(off - (off @ way)[:, None] * way, axis=1) - balls.radii
        if letter == "0":
            assert gap.min() < 0.3
        if letter == "1":
            assert gap.min() > -0.5
    assert seen.count("0") > 5
    assert seen.count("1") > 100


def test_a_hand_comes_from_its_players_side() -> None:
    people = prepare(SMALL).stage.people
    for seat, side in (("first", -1), ("second", 1)):
        hand = HandState(seat=seat, grip=(0.0, 0.0, 1.0), pose="pinch", next_pose="pinch", mix=0.0)
        assert np.sign(arm_balls(people[seat], hand).centres[:, 1].mean()) == side


def test_the_same_seed_gives_the_same_pictures() -> None:
    first, second = (next(iter(shoot(prepare(SMALL)))).picture for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("seed", range(20))
def test_games_are_fair_and_truth_agrees_with_itself(seed: int) -> None:
    spec = replace(spec_from_seed(seed), size=(480, 360))
    line = prepare(spec).timeline
    position = Position.from_rows(line.start)
    for point, colour in line.moves:
        position = position.placed(Point.parse(point), Colour(colour))
        assert not winning_line(position, Point.parse(point), exact=False)
    assert position.rows() == line.final
    assert all(code in ACTS for code, *_ in line.acts)
    assert sorted(t for t, _ in line.presses) == [t for t, _ in line.presses]
    for code, t, points, seat, _ in line.acts:
        if code == "press_before_placing":
            touch = next(when for when, point, _ in line.touches if point == points[0] and when > t)
            assert (t, seat) in line.presses
            assert 0.3 <= touch - t <= 1.21


def test_a_stone_rests_at_its_last_point() -> None:
    play = prepare(replace(SMALL, acts=("stone_slid", "stone_lifted", "wrong_stone", "stone_dropped"), start=8))
    line = play.timeline
    end = line.scene(line.duration)
    assert not end.moving
    assert not end.carried
    rows = [["."] * 15 for _ in range(15)]
    grid = grid_places()
    for stone in end.resting:
        row, col = np.unravel_index(np.argmin(np.linalg.norm(grid - stone.at[:2], axis=-1)), (15, 15))
        rows[row][col] = stone.colour
    assert ["".join(row) for row in rows] == line.final


def test_an_act_is_required_only_when_a_frame_could_show_it() -> None:
    play = prepare(replace(SMALL, acts=("press_before_placing",)))
    truth, shots = Truth(play), []
    for shot in shoot(play):
        truth.see(shot)
        shots.append(shot)
    told = truth.told()
    (act,) = told["acts"]
    touch = told["touches"][0]["t_ms"]
    point = Point.parse(act["points"][0])
    hidden = {entry["t_ms"]: entry["visible"] for entry in told["hidden"]}
    between = [shot.t_ms for shot in shots if act["t_ms"] + 30 <= shot.t_ms < touch]
    # the stone is a little beside its point, so only clear cases can be compared
    letters = [hidden[t][14 - point.rank][point.file] if t in hidden else "1" for t in between]
    if act["required"]:
        assert set(letters) - {"0"}
    else:
        assert "1" not in letters


def test_a_recording_can_be_opened_and_replayed(written: Path) -> None:
    recording = Recording.open(written)
    frames = list(recording.frames(lambda bad: pytest.fail(str(bad))))
    assert len(frames) == len(recording) > 20
    assert frames[0].image.shape == (360, 480, 3)
    truth = json.loads((written / "truth.json").read_text())
    assert [act["code"] for act in truth["acts"]] == ["press_before_placing", "stone_lifted"]
    assert len(truth["moves"]) == len(truth["colours"]) == 2
    assert {frame.instant_ns // 1_000_000 for frame in frames} >= {entry["t_ms"] for entry in truth["hidden"]}
    presses = (written / "events.jsonl").read_text().splitlines()
    assert [json.loads(line)["seat"] for line in presses] == ["first", "second"]


def test_an_unknown_act_is_refused() -> None:
    with pytest.raises(ValueError, match="no act 'juggling'"):
        spec_from_seed(1, acts=("juggling",))
