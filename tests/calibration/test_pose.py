"""Where the camera stands, from boards projected by a pinhole camera whose place is known."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.pose import camera_position, raised


def corners_seen_from(
    place: tuple[float, float, float], focal: float, size: int = 15, height: float = 0.0
) -> np.ndarray:
    """Outer intersections in a 1280 × 720 picture by a camera at ``place`` (column, row, height) aimed at tengen.

    ``height``: of the points above the board, cells.
    """
    eye = np.array([place[0], place[1], -place[2]])
    forward = np.array([(size - 1) / 2, (size - 1) / 2, 0.0]) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross([0.0, -1.0, 0.0], forward) if abs(forward[1]) < 0.9 else np.cross([1.0, 0.0, 0.0], forward)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    last = size - 1
    seen = []
    for col, row in ((0, 0), (last, 0), (last, last), (0, last)):
        ray = np.array([col, row, -height]) - eye
        seen.append([640 + focal * (ray @ right) / (ray @ forward), 360 + focal * (ray @ down) / (ray @ forward)])
    return np.array(seen)


@pytest.mark.parametrize("place", [(7.0, 22.0, 20.0), (-8.0, 7.0, 18.0), (20.0, 20.0, 15.0), (10.0, -9.0, 25.0)])
@pytest.mark.parametrize("focal", [900.0, 1400.0])
def test_camera_is_found(place: tuple[float, float, float], focal: float) -> None:
    corners = corners_seen_from(place, focal)
    assert camera_position(corners, 15, (1280, 720)) == pytest.approx(place, abs=0.6)


@pytest.mark.parametrize("place", [(7.0, 22.0, 20.0), (-8.0, 7.0, 18.0), (20.0, 20.0, 15.0)])
@pytest.mark.parametrize("height", [0.0, 0.2, 1.0])
def test_points_above_the_board_appear_where_the_camera_sees_them(
    place: tuple[float, float, float], height: float
) -> None:
    found = raised(corners_seen_from(place, 1100.0), 15, (1280, 720), height)
    true = corners_seen_from(place, 1100.0, height=height)
    # A cell is some 40 pixels wide.
    assert np.abs(found - true).max() < 0.5 + 1.5 * height


def test_straight_from_above() -> None:
    """The focal length cannot be told; the place over the board can."""
    corners = np.array([[400.0, 100.0], [880.0, 100.0], [880.0, 580.0], [400.0, 580.0]])
    column, row, height = camera_position(corners, 15, (1280, 720))
    assert (column, row) == pytest.approx((7.0, 7.58), abs=0.1)
    assert height > 10
