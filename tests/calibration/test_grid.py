"""The grid finder against boards drawn here, pictures without a board, and the shared recordings and stills."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from calibration.grid import GridNotFound, find_grid, find_grid_near, homography

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

CELL = 40
"""Pixels a cell on the flat drawing."""

MARGIN = 0.8
"""Cells between the outer lines and the edge of the board."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A drawn picture and the true outer intersections in board order, (4, 2)."""

    image: NDArray[np.uint8]
    corners: NDArray[np.float64]


def board(
    size: int,
    rng: np.random.Generator,
    *,
    ground: int,
    line: int,
    width: int = 2,
    stones: int = 0,
    margin: float = MARGIN,
    frame: int = 0,
) -> NDArray[np.uint8]:
    """A flat board: grain, lines, stones, perhaps a dark edge. (H, W) uint8."""
    side = round((size - 1 + 2 * margin) * CELL)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), sigmaX=25, sigmaY=0.8)
    flat = ground + grain / grain.std() * 3
    at = np.rint((np.arange(size) + margin) * CELL).astype(int)
    for p in at.tolist():
        for a, b in (((at[0], p), (at[-1], p)), ((p, at[0]), (p, at[-1]))):
            cv2.line(flat, [int(v) for v in a], [int(v) for v in b], float(line), width, cv2.LINE_AA)
    if frame:
        cv2.rectangle(flat, (1, 1), (side - 2, side - 2), float(line), frame)
    for n in rng.choice(size * size, stones, replace=False):
        jitter = rng.uniform(-0.06, 0.06, 2) * CELL
        centre = (at[n % size] + jitter[0], at[n // size] + jitter[1])
        colour = float(rng.choice([20, 240]))
        cv2.circle(flat, (round(centre[0]), round(centre[1])), round(0.46 * CELL), colour, -1, cv2.LINE_AA)
    return np.asarray(np.clip(cv2.GaussianBlur(flat, (0, 0), 0.7), 0, 255), dtype=np.uint8)


def seen(
    flat: NDArray[np.uint8],
    size: int,
    rng: np.random.Generator,
    *,
    tilt: float,
    turn: float,
    k1: float = 0.0,
    shape: tuple[int, int] = (600, 1000),
    table: int = 90,
    margin: float = MARGIN,
) -> Picture:
    """The flat board as a camera sees it that looks down at ``tilt`` degrees from the vertical, on a grainy table."""
    height, width = shape
    focal = 1.1 * width
    camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    distortion = np.array([k1, 0, 0, 0, 0.0])
    rotation = cv2.Rodrigues(np.radians([tilt, 0, 0]))[0] @ cv2.Rodrigues(np.radians([0, 0, turn]))[0]
    half = (size - 1) / 2
    offset = np.array([0, 0, 2.7 * (size + 1)])
    outer = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    corners = np.asarray(cv2.projectPoints(outer, cv2.Rodrigues(rotation)[0], offset, camera, distortion)[0])
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    rays = np.asarray(cv2.undistortPoints(np.stack([x, y], axis=-1).reshape(-1, 1, 2), camera, distortion)).reshape(
        -1, 2
    )
    to_ray = np.stack([rotation[:, 0], rotation[:, 1], offset], axis=1)
    plane = np.concatenate([rays, np.ones((len(rays), 1))], axis=1) @ np.linalg.inv(to_ray).T
    place = (plane[:, :2] / plane[:, 2:] + half + margin) * CELL
    at = np.where(plane[:, 2:] > 0, place, -1e4).astype(np.float32).reshape(height, width, 2)
    sampled = cv2.remap(flat, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    inside = (at > 0).all(axis=-1) & (at < np.array(flat.shape[::-1]) - 1).all(axis=-1)
    ground = rng.normal(table, 25, (height, width)).astype(np.float32)
    sharp = np.where(inside, sampled, cv2.GaussianBlur(ground, (0, 0), sigmaX=9, sigmaY=0.8)).astype(np.float32)
    grey = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 0.6)) + rng.normal(0, 2, (height, width))
    tinted = grey[..., None] * np.array([0.8, 0.95, 1.0])
    return Picture(image=np.clip(tinted, 0, 255).astype(np.uint8), corners=corners.reshape(4, 2).astype(np.float64))


def error_in_cells(found: NDArray[Any], true: NDArray[Any], size: int) -> float:
    """Largest error of a corner in cells, for the order of the corners that fits best."""
    to_grid = np.linalg.inv(homography(true, size))
    p = np.concatenate([found, np.ones((4, 1))], axis=1) @ to_grid.T
    p = p[:, :2] / p[:, 2:]
    m = size - 1
    grid = np.array([[0, 0], [m, 0], [m, m], [0, m]])
    return min(float(np.linalg.norm(np.roll(p, n, axis=0) - grid, axis=1).max()) for n in range(4))


@pytest.mark.parametrize(
    ("size", "tilt", "turn", "k1", "ground", "line", "width", "stones"),
    [
        (9, 0, 0, 0.0, 190, 60, 2, 0),
        (9, 50, 33, -0.1, 190, 60, 2, 20),
        (13, 30, 12, 0.0, 170, 60, 2, 40),
        (13, 58, 80, -0.05, 200, 50, 2, 30),
        (15, 0, 45, 0.0, 180, 40, 2, 60),
        (15, 40, 100, -0.15, 180, 40, 2, 60),
        (15, 25, 5, 0.08, 60, 190, 2, 40),  # light lines on dark wood
        (15, 35, 20, 0.0, 150, 132, 2, 30),  # faint lines
        (15, 55, -15, 0.0, 230, 90, 1, 0),  # paper
        (15, 20, 61, 0.0, 90, 30, 4, 25),  # thick lines
        (19, 0, 3, 0.0, 190, 50, 2, 0),
        (19, 35, 28, -0.1, 190, 50, 2, 150),
        (19, 45, 70, 0.0, 175, 60, 2, 80),
        (5, 20, 10, 0.0, 190, 60, 2, 4),
        (7, 35, 50, 0.0, 190, 60, 2, 10),
    ],
)
def test_drawn_board_is_found(
    size: int, tilt: float, turn: float, k1: float, ground: int, line: int, width: int, stones: int
) -> None:
    rng = np.random.default_rng(size * 100 + stones)
    flat = board(size, rng, ground=ground, line=line, width=width, stones=stones)
    picture = seen(flat, size, rng, tilt=tilt, turn=turn, k1=k1)
    grid = find_grid(picture.image, size)
    assert grid.size == size
    assert 0 < grid.confidence <= 1
    assert error_in_cells(grid.corners, picture.corners, size) < 0.05


@pytest.mark.parametrize(("columns", "rows"), [(0.0, 0.0), (0.3, -0.2), (1.0, 0.0), (-1.0, 1.0)])
def test_near_given_corners_the_grid_is_found_where_its_lines_are(columns: float, rows: float) -> None:
    rng = np.random.default_rng(7)
    picture = seen(board(15, rng, ground=180, line=60, width=2, stones=20), 15, rng, tilt=30, turn=10)
    aside = np.array([[[0, 0], [14, 0], [14, 14], [0, 14]]]) + np.array([columns, rows], np.float64)
    given = cv2.perspectiveTransform(aside, homography(picture.corners, 15))[0]
    grid = find_grid_near(picture.image, given, 15)
    assert error_in_cells(grid.corners, picture.corners, 15) < 0.05


def test_far_from_given_corners_none_is_found() -> None:
    rng = np.random.default_rng(7)
    picture = seen(board(15, rng, ground=180, line=60, width=2, stones=20), 15, rng, tilt=30, turn=10)
    with pytest.raises(GridNotFound):
        find_grid_near(picture.image, picture.corners * 0.5, 15)


@pytest.mark.parametrize("shape", [(480, 640), (3000, 4000)])
def test_size_of_the_picture_does_not_matter(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    flat = board(15, rng, ground=185, line=50, width=4, stones=30)
    small = seen(flat, 15, rng, tilt=30, turn=20, shape=(min(shape[0], 750), min(shape[1], 1000)))
    enlarged = np.asarray(cv2.resize(small.image, shape[::-1], interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    true = (small.corners + 0.5) * (shape[1] / small.image.shape[1]) - 0.5
    assert error_in_cells(find_grid(enlarged, 15).corners, true, 15) < 0.05


def test_corners_run_clockwise_from_the_top_left_and_turn_with_the_picture() -> None:
    rng = np.random.default_rng(8)
    picture = seen(board(15, rng, ground=180, line=50, stones=40), 15, rng, tilt=30, turn=8)
    height, width = picture.image.shape[:2]
    upright = find_grid(picture.image, 15).corners
    assert np.abs(upright - picture.corners).max() < 1.5
    mirrored = find_grid(np.ascontiguousarray(picture.image[:, ::-1]), 15).corners
    expected = np.stack([width - 1 - upright[[1, 0, 3, 2], 0], upright[[1, 0, 3, 2], 1]], axis=1)
    assert np.abs(mirrored - expected).max() < 1
    turned = find_grid(np.ascontiguousarray(np.rot90(picture.image)), 15).corners
    expected = np.stack([upright[:, 1], width - 1 - upright[:, 0]], axis=1)[[1, 2, 3, 0]]
    assert np.abs(turned - expected).max() < 1
    over = find_grid(np.ascontiguousarray(picture.image[::-1, ::-1]), 15).corners
    expected = np.array([width - 1, height - 1]) - upright[[2, 3, 0, 1]]
    assert np.abs(over - expected).max() < 1


def test_same_picture_gives_the_same_grid() -> None:
    rng = np.random.default_rng(8)
    picture = seen(board(13, rng, ground=180, line=50, stones=20), 13, rng, tilt=30, turn=8)
    assert np.array_equal(find_grid(picture.image, 13).corners, find_grid(picture.image.copy(), 13).corners)


def test_hand_over_a_third_of_the_board() -> None:
    rng = np.random.default_rng(11)
    picture = seen(board(15, rng, ground=180, line=50, stones=25), 15, rng, tilt=30, turn=5)
    image = picture.image.copy()
    right, middle = picture.corners[1], picture.corners.mean(axis=0)
    sleeve = np.concatenate(
        [right + np.array([[200, -80], [200, 150]]), middle + np.array([[30, 90], [-20, 0], [60, -60]])]
    )
    cv2.fillPoly(image, [np.rint(sleeve).astype(np.int32)], (150, 170, 215))
    assert error_in_cells(find_grid(image, 15).corners, picture.corners, 15) < 0.05


def test_half_in_shadow_with_a_hard_patch_of_light() -> None:
    rng = np.random.default_rng(12)
    picture = seen(board(15, rng, ground=150, line=45, stones=25), 15, rng, tilt=35, turn=-10)
    light = np.ones(picture.image.shape[:2], np.float32)
    light[:, : picture.image.shape[1] // 2] = 0.45
    middle = picture.corners.mean(axis=0)
    patch = middle + np.array([[-60, 20], [90, 60], [70, 180], [-90, 120]])
    cv2.fillPoly(light, [np.rint(patch).astype(np.int32)], 1.8)
    image = np.clip(picture.image * light[..., None], 0, 255).astype(np.uint8)
    assert error_in_cells(find_grid(image, 15).corners, picture.corners, 15) < 0.05


@pytest.mark.parametrize(("margin", "frame", "table"), [(0.35, 3, 60), (1.0, 0, 60), (1.0, 3, 230), (1.0, 0, 230)])
def test_edge_of_the_board_is_not_taken_for_a_line(margin: float, frame: int, table: int) -> None:
    rng = np.random.default_rng(31)
    flat = board(15, rng, ground=180, line=50, stones=30, margin=margin, frame=frame)
    picture = seen(flat, 15, rng, tilt=30, turn=12, table=table, margin=margin)
    assert error_in_cells(find_grid(picture.image, 15).corners, picture.corners, 15) < 0.05


def noise(rng: np.random.Generator) -> NDArray[np.uint8]:
    return rng.integers(0, 256, (720, 1280, 3), dtype=np.uint8)


def even(rng: np.random.Generator) -> NDArray[np.uint8]:
    return np.clip(128 + rng.normal(0, 2, (720, 1280, 3)), 0, 255).astype(np.uint8)


def stripes(rng: np.random.Generator) -> NDArray[np.uint8]:
    picture = even(rng)
    for x in range(100, 1100, 40):
        cv2.line(picture, (x, 60), (x + 30, 660), (40, 40, 40), 2, cv2.LINE_AA)
    return picture


def cloth(rng: np.random.Generator) -> NDArray[np.uint8]:
    y, x = np.mgrid[0:1500, 0:1500] // 45
    checked = np.where((x + y) % 2, 60, np.where(x % 2, 130, 220)).astype(np.uint8)
    return seen(checked, 33, rng, tilt=25, turn=15).image


def ruled_table(rng: np.random.Generator) -> NDArray[np.uint8]:
    picture = np.full((720, 1280, 3), 235, np.uint8)
    for y in range(60, 661, 30):
        cv2.line(picture, (200, y), (1080, y), (80, 80, 80), 1)
    for x in (200, 260, 520, 640, 1080):
        cv2.line(picture, (x, 60), (x, 660), (80, 80, 80), 1)
    return np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def score_sheet(rng: np.random.Generator) -> NDArray[np.uint8]:
    sheet = np.full((900, 700), 240, np.uint8)
    for block in (40, 380):
        for row in range(25):
            cv2.line(sheet, (block, 150 + 28 * row), (block + 280, 150 + 28 * row), 90, 1)
            text = f"{row + 1}  {rng.choice(list('ABCDEFGH'))}{rng.integers(1, 16)}"
            cv2.putText(sheet, text, (block + 8, 172 + 28 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 60, 1, cv2.LINE_AA)
        for x in (0, 45, 160, 280):
            cv2.line(sheet, (block + x, 150), (block + x, 150 + 28 * 24), 90, 1)
    return seen(sheet, 16, rng, tilt=25, turn=15).image


def squared_paper(rng: np.random.Generator) -> NDArray[np.uint8]:
    return seen(board(31, rng, ground=230, line=120), 31, rng, tilt=20, turn=10).image


@pytest.mark.parametrize(
    ("picture", "size"),
    [
        (noise, 15),
        (even, 9),
        (stripes, 15),
        (cloth, 9),
        (cloth, 15),
        (ruled_table, 15),
        (score_sheet, 13),
        (squared_paper, 9),
        (squared_paper, 15),
    ],
)
def test_picture_without_a_board_is_refused(
    picture: Callable[[np.random.Generator], NDArray[np.uint8]], size: int
) -> None:
    with pytest.raises(GridNotFound):
        find_grid(picture(np.random.default_rng(5)), size)


@pytest.mark.parametrize(
    ("true", "asked", "stones"), [(19, 15, 60), (15, 13, 0), (13, 15, 30), (9, 19, 0), (15, 14, 30), (19, 9, 0)]
)
def test_board_of_another_size_is_refused(true: int, asked: int, stones: int) -> None:
    rng = np.random.default_rng(true + asked)
    picture = seen(board(true, rng, ground=180, line=50, stones=stones), true, rng, tilt=25, turn=12)
    with pytest.raises(GridNotFound):
        find_grid(picture.image, asked)


@pytest.mark.parametrize(("true", "asked"), [(15, 5), (13, 5), (19, 7), (19, 10), (15, 8)])
def test_every_second_or_third_line_is_no_board(true: int, asked: int) -> None:
    rng = np.random.default_rng(4)
    picture = seen(board(true, rng, ground=170, line=40, stones=6), true, rng, tilt=15, turn=4, shape=(720, 960))
    with pytest.raises(GridNotFound):
        find_grid(picture.image, asked)


@pytest.mark.parametrize("cut", ["left", "right", "top", "bottom"])
def test_board_cut_by_the_picture_is_refused(cut: str) -> None:
    rng = np.random.default_rng(21)
    picture = seen(board(15, rng, ground=180, line=50, stones=20), 15, rng, tilt=20, turn=4)
    left, top = np.ceil(picture.corners.min(axis=0) + 20).astype(int)
    right, bottom = np.floor(picture.corners.max(axis=0) - 20).astype(int)
    image = picture.image
    parts = {"left": image[:, left:], "right": image[:, :right], "top": image[top:], "bottom": image[:bottom]}
    with pytest.raises(GridNotFound):
        find_grid(np.ascontiguousarray(parts[cut]), 15)


def test_unusable_input_is_named() -> None:
    with pytest.raises(ValueError, match="colour picture"):
        find_grid(np.zeros((100, 100), np.uint8), 15)
    with pytest.raises(ValueError, match="5 to 19"):
        find_grid(np.zeros((100, 100, 3), np.uint8), 3)


def test_homography_takes_outer_intersections_to_the_corners() -> None:
    corners = np.array([[10, 20], [110, 25], [120, 130], [5, 125.0]])
    grid = np.array([[0, 0, 1], [14, 0, 1], [14, 14, 1], [0, 14, 1.0]])
    p = grid @ homography(corners, 15).T
    assert np.abs(p[:, :2] / p[:, 2:] - corners).max() < 1e-3


def read(path: Path) -> NDArray[np.uint8]:
    picture = cv2.imread(str(path))
    assert picture is not None, path
    return np.asarray(picture, dtype=np.uint8)


def test_first_frames_of_the_recordings(shared: Path) -> None:
    folders = sorted((shared / "recordings").iterdir())
    assert len(folders) == 7
    for folder in folders:
        size = json.loads((folder / "recording.json").read_text())["board_size"]
        grid = find_grid(read(min((folder / "frames").glob("*.jpg"))), size)
        true = json.loads((folder / "truth.json").read_text()).get("corners")
        if true is not None:
            assert error_in_cells(grid.corners, np.array(true), size) < 0.1, folder.name


def test_stills(shared: Path) -> None:
    stills = sorted((shared / "stills15").glob("*.json"))
    assert len(stills) == 12
    for label in stills:
        fact = json.loads(label.read_text())
        grid = find_grid(read(label.with_suffix(".jpg")), fact["board_size"])
        assert error_in_cells(grid.corners, np.array(fact["corners"]), fact["board_size"]) < 0.15, label.name


def test_photographs_of_boards_that_leave_the_picture_are_refused(shared: Path) -> None:
    for label in sorted((shared / "photos" / "negative_partial").glob("*.json")):
        with pytest.raises(GridNotFound):
            find_grid(read(label.with_suffix(".jpg")), 15)
