"""Which frames carry a ruling, and that the strip shows its point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from appliance.arbiter.articles import article
from appliance.arbiter.rulings import Certainty, Ruling
from appliance.game.points import Point, Seat
from appliance.journal.evidence import exhibits, panel, strip
from vision.acts import Bracket
from vision.observation import Frame

MS = 1_000_000
INSTANTS = [n * 200 * MS for n in range(10)]
CORNERS = np.array([[100.0, 50.0], [520.0, 50.0], [520.0, 470.0], [100.0, 470.0]])
"""15 lines, 30 pixels apart, seen straight from above."""


def early_press(point: str, press_ms: int, after: int, by: int) -> Ruling:
    return Ruling(
        number=1,
        code="press_before_placing",
        article=article("press_before_placing", "B"),
        certainty=Certainty.CERTAIN,
        seat=Seat.FIRST,
        points=(Point.parse(point),),
        t_ns=press_ms * MS,
        seen_ns=INSTANTS[by],
        bracket=Bracket(after_ns=INSTANTS[after], by_ns=INSTANTS[by], after_frame=after, by_frame=by),
        press_ns=press_ms * MS,
    )


def test_frames_before_at_and_after_in_order_of_time() -> None:
    shown = exhibits(early_press("H8", 390, 4, 7), INSTANTS)
    assert [one.frame for one in shown] == [2, 4, 7]
    assert [one.caption.split(" (")[0] for one in shown] == [
        "at the press",
        "last frame without the stone",
        "first frame with the stone",
    ]


def test_one_frame_that_is_both_is_shown_once() -> None:
    shown = exhibits(early_press("H8", 790, 4, 7), INSTANTS)
    assert [(one.frame, one.caption) for one in shown] == [
        (4, "last frame without the stone; at the press (0:00.790)"),
        (7, "first frame with the stone"),
    ]


@pytest.mark.parametrize(
    ("code", "points", "captions"),
    [
        ("two_moves", "H8", ["last frame without the stone", "first frame with the stone"]),
        ("stone_relocated", "H8 I9", ["last frame with the stone on H8", "first frame with it on I9"]),
        ("stone_displaced", "H8 I9", ["last frame before the stone on H8 moved", "first frame with a stone near I9"]),
        ("stone_displaced", "H8", ["last frame with the stones as they lay before", "first frame with them moved"]),
        ("stone_dropped", "H8", ["last frame without the stone", "first frame with the stone beside the point"]),
        ("stone_removed", "H8", ["last frame with the stone", "first frame without the stone"]),
        (
            "board_scattered",
            "H8 I9",
            ["last frame with the stones on their points", "first frame with the stones scat"],
        ),
        ("board_moved", "", ["last frame with the board where it was", "first frame with it moved"]),
        ("camera_covered", "", ["last frame with the board in sight", "first frame without it"]),
    ],
)
def test_each_kind_of_act_says_what_its_frames_show(code: str, points: str, captions: list[str]) -> None:
    named = tuple(map(Point.parse, points.split()))
    ruling = replace(early_press("H8", 0, 4, 7), code=code, points=named, press_ns=None)
    assert [
        one.caption[: len(said)] for one, said in zip(exhibits(ruling, INSTANTS), captions, strict=True)
    ] == captions


def test_a_frame_left_out_is_not_chosen() -> None:
    instants = [*INSTANTS]
    instants[2] = -1
    assert [one.frame for one in exhibits(early_press("H8", 390, 4, 7), instants)] == [1, 4, 7]


def test_ruling_without_bracket_shows_its_instant() -> None:
    ruling = Ruling(
        number=1,
        code="board_full",
        article=article("board_full", "B"),
        certainty=Certainty.CERTAIN,
        seat=None,
        points=(),
        t_ns=610 * MS,
        seen_ns=610 * MS,
    )
    assert [one.frame for one in exhibits(ruling, INSTANTS)] == [3]


@pytest.mark.parametrize("point", ["H8", "A1", "O15"])
def test_the_point_is_ringed(point: str) -> None:
    ruling = early_press(point, 390, 4, 7)
    frames = {
        n: Frame(index=n, start_ns=INSTANTS[n], end_ns=INSTANTS[n], image=np.full((520, 640, 3), 200, np.uint8))
        for n in (2, 4, 7)
    }
    shown = exhibits(ruling, INSTANTS)
    picture = strip(ruling, [panel(ruling, one, frames[one.frame], CORNERS, 15) for one in shown])
    red = (picture[..., 2] > 180) & (picture[..., 1] < 120)
    columns = np.flatnonzero(red.any(axis=0))
    width = picture.shape[1] // 3
    assert {int(column) // width for column in columns} == {0, 1, 2}, "a ring in each of the three pictures"
