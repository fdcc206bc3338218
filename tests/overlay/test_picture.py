"""A picture of a film: its marks lie on the right pixels and tell apart what they should."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from appliance.game.points import Point
from appliance.overlay.captions import Caption, Kind
from appliance.overlay.picture import LONGEST, Telling, draw_picture
from appliance.replaying import Seen
from vision.observation import Content, Frame, Intersection, Observation, Stone

CORNERS = np.array([[100.0, 30.0], [520.0, 30.0], [520.0, 450.0], [100.0, 450.0]])
"""15 lines, 30 pixels apart, Black's seat below: A1 lies at (100, 450), H8 at (310, 240)."""

EMPTY = "." * 15
ROWS = ("B.............W", *[EMPTY] * 6, ".......B.......", *[EMPTY] * 6, "??.............")
LOOSE = {Intersection(4, 4): Stone(content=Content.WHITE, dx=0.5, dy=0.4)}

HEAD = Telling(head="0:01.000   Black to play (first)")


def seen(width: int = 640, height: int = 480, corners: NDArray[np.float64] = CORNERS) -> Seen:
    frame = Frame(index=0, start_ns=0, end_ns=0, image=np.full((height, width, 3), 128, np.uint8))
    observation = Observation(
        frame=0,
        start_ns=0,
        end_ns=0,
        rows=ROWS,
        stones={},
        loose=LOOSE,
        confidence=np.ones((15, 15), np.float32),
    )
    return Seen(frame=frame, observation=observation, corners=corners)


def ruled(kind: Kind, *points: str) -> Telling:
    caption = Caption(kind=kind, text=f"P8 code: {kind}", points=tuple(map(Point.parse, points)))
    return Telling(head=HEAD.head, captions=(caption,))


def colours(picture: NDArray[np.uint8], x: float, y: float, radius: int = 12) -> set[str]:
    """Colours about a pixel, by name."""
    return {name for name, mask in masks(picture, x, y, radius).items() if mask.sum() >= 5}


def masks(picture: NDArray[np.uint8], x: float, y: float, radius: int) -> dict[str, NDArray[np.bool_]]:
    spot = picture[max(0, round(y) - radius) : round(y) + radius + 1, max(0, round(x) - radius) : round(x) + radius + 1]
    blue, green, red = (spot[..., k].astype(int) for k in range(3))
    return {
        "cyan": (blue > 200) & (green > 180) & (red < 80),
        "red": (red > 200) & (green < 60) & (blue < 120),
        "green": (green > 160) & (red < 110) & (blue < 90),
        "orange": (red > 220) & (green > 110) & (green < 165) & (blue < 60),
        "yellow": (red > 220) & (green > 220) & (blue < 60),
        "magenta": (red > 220) & (green < 60) & (blue > 220),
        "amber": (red > 220) & (green > 170) & (green < 210) & (blue < 60),
        "white": (red > 230) & (green > 230) & (blue > 230),
    }


def test_each_point_is_marked_as_read() -> None:
    picture = draw_picture(seen(), HEAD)
    assert colours(picture, 100, 30, 9) == colours(picture, 310, 240, 9) == {"cyan"}, "A15 and H8"
    assert colours(picture, 520, 30, 9) == {"red"}, "O15"
    assert colours(picture, 100, 450, 9) == colours(picture, 130, 450, 9) == {"orange"}, "A1 and B1"
    assert colours(picture, 160, 420) == {"green"}, "a bare point"
    assert colours(picture, 175, 405, 8) == set(), "the middle of a cell"


def test_loose_stone_is_marked_where_it_lies() -> None:
    x, y = 100 + 4.5 * 30, 30 + 4.4 * 30
    assert {"yellow", "red"} <= colours(draw_picture(seen(), HEAD), x, y, 16)


def test_the_last_move_is_filled() -> None:
    last = draw_picture(seen(), Telling(head="", last=Point.parse("H8")))
    assert masks(last, 310, 240, 2)["cyan"].all()
    assert not masks(draw_picture(seen(), HEAD), 310, 240, 2)["cyan"].any()
    assert not masks(last, 100, 30, 2)["cyan"].any(), "another stone"


def test_the_last_move_that_is_hidden_shows_as_unseen() -> None:
    last = draw_picture(seen(), Telling(head="", last=Point.parse("A1")))
    assert colours(last, 100, 450, 9) == {"orange"}


def test_rulings_are_ringed_whole_or_broken() -> None:
    parts = {}
    for kind, colour in ((Kind.CERTAIN, "magenta"), (Kind.COULD_NOT_SEE, "amber")):
        picture = draw_picture(seen(), ruled(kind, "C5", "H8"))
        for x, y in ((160, 330), (310, 240)):
            assert colour in colours(picture, x, y, 22)
            turns = np.linspace(0, 2 * np.pi, 72, endpoint=False)
            ring = [masks(picture, x + 18.6 * np.cos(turn), y + 18.6 * np.sin(turn), 0)[colour].all() for turn in turns]
            parts[kind] = float(np.mean(ring))
        assert colours(picture, 400, 330, 22) == {"green"}
    assert parts[Kind.CERTAIN] > 0.95
    assert 0.4 < parts[Kind.COULD_NOT_SEE] < 0.85


def test_acts_leave_the_board_alone() -> None:
    caption = Caption(kind=Kind.ACT, text="placed black C5")
    with_act = draw_picture(seen(), Telling(head=HEAD.head, captions=(caption,)))
    without = draw_picture(seen(), HEAD)
    assert np.array_equal(with_act[:480], without[:480])
    assert not np.array_equal(with_act[480:], without[480:])


def test_the_bar_lies_below_and_signs_differ() -> None:
    certain, doubtful = (draw_picture(seen(), ruled(kind)) for kind in (Kind.CERTAIN, Kind.COULD_NOT_SEE))
    pressed = draw_picture(seen(), Telling(head="", captions=(Caption(kind=Kind.PRESS, text="PRESS first"),)))
    assert certain.shape == doubtful.shape == pressed.shape
    assert certain.shape[0] > 480
    bars = [masks(picture[480:], 320, 60, 400) for picture in (certain, doubtful, pressed)]
    assert [bool(bar["magenta"].any()) for bar in bars] == [True, False, False]
    assert [bool(bar["amber"].any()) for bar in bars] == [False, True, False]
    assert bars[2]["white"].sum() > 1000, "a press is a lit field"


def test_rulings_stay_when_there_is_no_room_for_all() -> None:
    acts = tuple(Caption(kind=Kind.ACT, text=f"placed black A{rank}") for rank in range(1, 9))
    ruling = Caption(kind=Kind.CERTAIN, text="P5 stone_slid", points=(Point.parse("C5"),))
    picture = draw_picture(seen(), Telling(head="", captions=(ruling, *acts)))
    assert masks(picture[480:], 320, 60, 400)["magenta"].any()


@pytest.mark.parametrize("lower", [0, 29])
def test_coordinates_stand_beside_the_board_in_the_picture(lower: int) -> None:
    """Below the board, or above where the picture ends below it."""
    picture = draw_picture(seen(height=480 - lower, corners=CORNERS + np.array([0, lower])), HEAD)
    white = [
        bool(masks(picture, x, y + lower, 10)["white"].any())
        for x, y in ((100, 450 + 28), (100, 30 - 28), (100 - 28, 240))
    ]
    assert white == [not lower, bool(lower), True]


def test_the_frame_itself_stays_as_it_was() -> None:
    shown = seen()
    draw_picture(shown, ruled(Kind.CERTAIN, "H8"))
    assert (shown.frame.image == 128).all()


def test_large_frames_are_reduced_with_their_marks() -> None:
    picture = draw_picture(seen(6 * 640, 6 * 480, CORNERS * 6), HEAD)
    assert picture.shape[1] == LONGEST == 1920
    assert "cyan" in colours(picture, 3 * 310, 3 * 240, 30)


@pytest.mark.parametrize(("width", "height"), [(91, 90), (120, 700), (700, 120)])
def test_odd_shapes_are_drawn(width: int, height: int) -> None:
    side = 84.0
    corners = np.array([[3, 3], [3 + side, 3], [3 + side, 3 + side], [3, 3 + side]])
    picture = draw_picture(seen(width, height, corners), ruled(Kind.COULD_NOT_SEE, "H8"))
    assert picture.shape[1] == width
    assert picture.shape[0] > height
