"""Brackets of frames that were seen at some time within wide limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.drawn import CORNERS, HEIGHT, WIDTH, board
from vision.acts import BoardAct, Bracket, Manner, Placed, Relocated
from vision.eyes import Eyes
from vision.frame_error import FrameErrors
from vision.observation import Content, Frame, Intersection

MS = 1_000_000
IMAGE = np.zeros((300, 300, 3), np.uint8)


def frame(index: int, *, width_ms: int) -> Frame:
    """Each 100 ms one, known to so much."""
    middle = index * 100 * MS
    return Frame(index=index, start_ns=middle - width_ms * MS // 2, end_ns=middle + width_ms * MS // 2, image=IMAGE)


def placed(after: int | None, by: int) -> Placed:
    bracket = Bracket(
        after_ns=None if after is None else after * 100 * MS, by_ns=by * 100 * MS, after_frame=after, by_frame=by
    )
    return Placed(bracket=bracket, seen_ns=by * 100 * MS, at=Intersection(7, 7), content=Content.BLACK)


def bracket_ms(errors: FrameErrors, after: int | None, by: int) -> tuple[float | None, float]:
    bracket = errors.widened(placed(after, by)).bracket
    assert (bracket.after_frame, bracket.by_frame) == (after, by)
    return None if bracket.after_ns is None else bracket.after_ns / MS, bracket.by_ns / MS


def test_what_is_allowed_for_is_not_added() -> None:
    errors = FrameErrors(25 * MS)
    for index in range(10):
        errors.saw(frame(index, width_ms=50))
    assert bracket_ms(errors, 3, 5) == (300, 500)


def test_what_is_more_makes_the_bracket_wider_at_its_ends() -> None:
    errors = FrameErrors(25 * MS)
    for index, width_ms in enumerate([40, 40, 250, 40, 450, 450, 40, 40]):
        errors.saw(frame(index, width_ms=width_ms))
    assert bracket_ms(errors, 0, 1) == (0, 100)
    assert bracket_ms(errors, 2, 3) == (200 - 100, 300)
    assert bracket_ms(errors, 3, 4) == (300, 400 + 200)
    assert bracket_ms(errors, 4, 5) == (400 - 200, 500 + 200)
    assert bracket_ms(errors, 6, 7) == (600, 700)
    assert bracket_ms(errors, None, 4) == (None, 600)


def test_a_frame_left_out_counts_as_the_one_before() -> None:
    errors = FrameErrors(0)
    errors.saw(frame(1, width_ms=20))
    errors.saw(frame(5, width_ms=0))
    assert bracket_ms(errors, 3, 6) == (290, 600)


def test_both_brackets_of_a_way_are_made_wider() -> None:
    errors = FrameErrors(0)
    errors.saw(frame(0, width_ms=100))
    left, came = placed(1, 2).bracket, placed(3, 4).bracket
    act = Relocated(
        bracket=came,
        left=left,
        seen_ns=5,
        origin=Intersection(1, 1),
        at=Intersection(1, 2),
        content=Content.WHITE,
        manner=Manner.SLID,
    )
    wide = errors.widened(act)
    assert isinstance(wide, Relocated)
    assert (wide.left.after_ns, wide.left.by_ns) == (50 * MS, 250 * MS)
    assert (wide.bracket.after_ns, wide.bracket.by_ns) == (250 * MS, 450 * MS)


def test_of_what_is_long_past_the_largest_counts() -> None:
    errors = FrameErrors(0)
    errors.saw(frame(0, width_ms=600))
    for index in range(1, 12_000):
        errors.saw(frame(index, width_ms=index % 2 * 20))
    assert bracket_ms(errors, 5, 11_999) == (500 - 300, 1_199_900 + 10)


def watched(frame_error_ns: int | None) -> Bracket:
    """The bracket of a stone that a hand brings, in frames known to 300 ms."""
    eyes = Eyes(CORNERS, ["." * 15] * 15, (WIDTH, HEIGHT), frame_error_ns=frame_error_ns)
    acts: list[BoardAct] = []
    for index in range(30):
        hand = ((7.0, 7.0), (7.0, 18.0)) if 10 <= index < 20 else None
        image = board({} if index < 15 else {(7, 7): "B"}, hand=hand, seed=index)
        acts += eyes.see(replace(frame(index, width_ms=300), image=image)).acts
    (act,) = acts
    assert isinstance(act, Placed)
    return act.bracket


def test_what_is_seen_is_bracketed_by_what_is_sure() -> None:
    """By the middle of the frames if nothing else is asked, as of a recording, whose frames have one instant each."""
    middle = watched(None)
    assert (middle.after_ns, middle.by_ns) == (900 * MS, 2000 * MS)
    sure = watched(25 * MS)
    assert (sure.after_ns, sure.by_ns) == (900 * MS - 125 * MS, 2000 * MS + 125 * MS)
    assert (sure.after_frame, sure.by_frame) == (9, 20)
