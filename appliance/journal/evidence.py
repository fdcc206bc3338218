"""The pictures behind a ruling: one strip with the frames before, at and after it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from appliance.arbiter.rulings import Certainty
from appliance.arbiter.wording import in_short, instant, seat_in_words
from calibration.grid import homography

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from appliance.arbiter.rulings import Ruling
    from appliance.game.points import Point
    from vision.observation import Frame

_PANEL = (480, 360)
"""Width and height of one picture in the strip, pixels."""

_CELLS = 7.0
"""How many cells a picture shows across, at least."""

_RING = (40, 40, 230)
_INK, _PAPER = (32, 32, 32), (245, 245, 245)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """One picture of a strip: which frame, and what it shows in this ruling."""

    frame: int
    caption: str


def exhibits(ruling: Ruling, instants_ns: Sequence[int]) -> list[Exhibit]:
    """The frames that show ``ruling``, in order of time; at least one wherever the camera saw anything.

    ``instants_ns``: the instant of every frame by its index, -1 where a frame was left out.
    """
    known = [index for index, t_ns in enumerate(instants_ns) if t_ns >= 0]
    bracket = ruling.bracket
    chosen: dict[int, list[str]] = defaultdict(list)
    before, after = _shown(ruling)
    if bracket is not None and bracket.after_frame is not None:
        chosen[bracket.after_frame].append(f"last frame {before}")
    if bracket is not None:
        chosen[bracket.by_frame].append(f"first frame {after}")
    if ruling.press_ns is not None and known:
        press_ns = ruling.press_ns
        nearest = min(known, key=lambda index: abs(instants_ns[index] - press_ns))
        chosen[nearest].append(f"at the press ({instant(press_ns)})")
    if not chosen and known:
        chosen[min(known, key=lambda index: abs(instants_ns[index] - ruling.t_ns))].append("at the time")
    return [Exhibit(frame=index, caption="; ".join(chosen[index])) for index in sorted(chosen)]


def _shown(ruling: Ruling) -> tuple[str, str]:
    """What the last frame before an act shows, and the first after it, in words."""
    points = [str(point) for point in ruling.points]
    match ruling.code:
        case "stone_slid" | "stone_lifted" | "stone_relocated" if len(points) == 2:
            return f"with the stone on {points[0]}", f"with it on {points[1]}"
        case "stone_displaced" if len(points) == 2:
            return f"before the stone on {points[0]} moved", f"with a stone near {points[1]}"
        case "stone_displaced" | "stones_straightened":
            return "with the stones as they lay before", "with them moved"
        case "stone_dropped":
            return "without the stone", "with the stone beside the point"
        case "stone_removed":
            return "with the stone", "without the stone"
        case "board_moved":
            return "with the board where it was", "with it moved"
        case "board_scattered":
            return "with the stones on their points", "with the stones scattered"
        case "camera_covered":
            return "with the board in sight", "without it"
    return "without the stone", "with the stone"


def panel(ruling: Ruling, exhibit: Exhibit, frame: Frame, corners: NDArray[np.float64], size: int) -> NDArray[np.uint8]:
    """One picture of a ruling's evidence, (H, W, 3) uint8 BGR: the points ringed, the instant below.

    ``corners``: outer intersections in board order, as they lay at the time.
    """
    to_image = homography(corners, size)
    spots = [_spot(point, to_image, size) for point in ruling.points]
    window = _window(spots, corners, size, frame.image.shape)
    return _panel(frame, exhibit.caption, spots, window)


def strip(ruling: Ruling, panels: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """A ruling's pictures side by side, the ruling in words above; what could not be seen names nobody."""
    row = np.hstack(panels)
    title = f"{ruling.rule} {in_short(ruling)} ({ruling.code})"
    if ruling.certainty is Certainty.CERTAIN:
        facts = (ruling.certainty.value, seat_in_words(ruling.seat), " ".join(map(str, ruling.points)))
        title += f": {', '.join(filter(None, facts))}"
    return np.vstack([_bar(row.shape[1], title, 0.55), row])


def _spot(point: Point, to_image: NDArray[np.float64], size: int) -> tuple[NDArray[np.float64], float]:
    """A point's place in the picture and the length of a cell there, in pixels."""
    here = np.array([[[point.file, size - 1 - point.rank]]], np.float64)
    around = here + np.array([[[0, 0]], [[0.5, 0]], [[-0.5, 0]], [[0, 0.5]], [[0, -0.5]]])
    centre, *sides = cv2.perspectiveTransform(around.reshape(-1, 1, 2), to_image)[:, 0]
    cell = max(np.linalg.norm(sides[0] - sides[1]), np.linalg.norm(sides[2] - sides[3]))
    return centre, float(cell)


def _window(
    spots: Sequence[tuple[NDArray[np.float64], float]],
    corners: NDArray[np.float64],
    size: int,
    shape: tuple[int, ...],
) -> tuple[int, int, int, int]:
    """The part of the picture to show, (x, y, width, height): the points and some cells around, or the whole board."""
    height, width = shape[:2]
    wide, high = _PANEL
    if spots:
        places = np.array([place for place, _ in spots])
        cell = max(length for _, length in spots)
        low, top = places.min(axis=0) - cell, places.max(axis=0) + cell
        least = _CELLS * cell
    else:
        low, top = corners.min(axis=0), corners.max(axis=0)
        least = float(np.ptp(corners[:, 0])) * (size + 2) / size
    across = max(least, top[0] - low[0], (top[1] - low[1]) * wide / high)
    across = min(across, width, height * wide / high)
    down = across * high / wide
    x, y = np.clip((low + top) / 2 - [across / 2, down / 2], 0, [width - across, height - down])
    return round(float(x)), round(float(y)), round(float(across)), round(float(down))


def _panel(
    frame: Frame,
    caption: str,
    spots: Sequence[tuple[NDArray[np.float64], float]],
    window: tuple[int, int, int, int],
) -> NDArray[np.uint8]:
    x, y, width, height = window
    cut = frame.image[y : y + height, x : x + width]
    picture = cv2.resize(cut, _PANEL, interpolation=cv2.INTER_CUBIC)
    scale = _PANEL[0] / width
    for place, cell in spots:
        centre = np.round((place - [x, y]) * scale).astype(int)
        cv2.circle(picture, (int(centre[0]), int(centre[1])), round(cell * scale * 0.62), _RING, 2, cv2.LINE_AA)
    picture = cv2.copyMakeBorder(picture, 2, 0, 2, 2, cv2.BORDER_CONSTANT, value=_PAPER)
    return np.vstack([picture, _bar(picture.shape[1], f"{instant(frame.instant_ns)}  {caption}", 0.5)])


def _bar(width: int, text: str, scale: float) -> NDArray[np.uint8]:
    """A line of text on paper, made smaller where it would not fit."""
    (length, _), _ = cv2.getTextSize(text, _FONT, scale, 1)
    scale *= min(1.0, (width - 16) / max(length, 1))
    bar = np.full((30, width, 3), _PAPER, np.uint8)
    cv2.putText(bar, text, (8, 20), _FONT, scale, _INK, 1, cv2.LINE_AA)
    return bar
