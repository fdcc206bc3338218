"""What a film says of each fact, and how long."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from appliance.arbiter.articles import article, codes
from appliance.arbiter.rulings import Certainty, Ruling
from appliance.game.points import Point, Seat
from appliance.overlay.captions import Caption, Captions, Kind, caption_of
from appliance.overlay.marks import CAPITAL, FONT
from appliance.replaying import Amended, Happening, Note, OutOfStep, Seen, Withdrawn
from vision.acts import (
    BoardMoved,
    Bracket,
    CameraCovered,
    Displaced,
    Dropped,
    Manner,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)
from vision.observation import Content, Frame, Intersection, Observation
from vision.recording import BadFrame, RecordedDecision, RecordedPress

S, MS = 1_000_000_000, 1_000_000
BRACKET = Bracket(after_ns=1_655 * MS, by_ns=2_855 * MS, after_frame=6, by_frame=12)
F7, G7 = Intersection(8, 5), Intersection(8, 6)

RULING = Ruling(
    number=1,
    code="press_before_placing",
    article=article("press_before_placing", "B"),
    certainty=Certainty.CERTAIN,
    seat=Seat.FIRST,
    points=(Point.parse("F7"),),
    t_ns=1_162 * MS,
    seen_ns=3 * S,
)


@pytest.mark.parametrize(
    ("happening", "kind", "text"),
    [
        (RULING, Kind.CERTAIN, "P8 Clock pressed before the stone was placed: certain, first, F7, 0:01.162"),
        (
            replace(RULING, certainty=Certainty.COULD_NOT_SEE, seat=None, points=(Point(0, 0), Point(14, 14))),
            Kind.COULD_NOT_SEE,
            "could not see: P8 Clock pressed before the stone was placed: A1 O15, 0:01.162",
        ),
        (
            Amended(ruling=replace(RULING, certainty=Certainty.COULD_NOT_SEE), before=RULING, t_ns=3 * S),
            Kind.COULD_NOT_SEE,
            "could not see: P8 Clock pressed before the stone was placed: F7, 0:01.162",
        ),
        (Withdrawn(ruling=RULING, t_ns=3 * S), Kind.REMARK, "withdrawn: P8 press_before_placing F7"),
        (RecordedPress(t_ns=61_162 * MS, seat="second"), Kind.PRESS, "PRESS second  1:01.162"),
        (
            Placed(bracket=BRACKET, seen_ns=3 * S, at=F7, content=Content.BLACK),
            Kind.ACT,
            "placed black F7, 0:01.655 to 0:02.855",
        ),
        (
            Removed(bracket=replace(BRACKET, after_ns=None), seen_ns=3 * S, at=F7, content=Content.WHITE),
            Kind.ACT,
            "removed white F7, by 0:02.855",
        ),
        (
            Relocated(
                bracket=BRACKET,
                seen_ns=3 * S,
                origin=F7,
                at=G7,
                content=Content.WHITE,
                manner=Manner.SLID,
                left=replace(BRACKET, after_ns=1 * S),
            ),
            Kind.ACT,
            "slid white F7 to G7, 0:01.000 to 0:02.855",
        ),
        (
            Dropped(bracket=BRACKET, seen_ns=3 * S, near=F7, content=Content.BLACK),
            Kind.ACT,
            "dropped black beside F7, 0:01.655 to 0:02.855",
        ),
        (
            Displaced(bracket=BRACKET, seen_ns=3 * S, at=F7, content=Content.BLACK, offset=(0.3, 0.0)),
            Kind.ACT,
            "nudged black F7, 0:01.655 to 0:02.855",
        ),
        (
            Straightened(bracket=BRACKET, seen_ns=3 * S, points=frozenset({F7, Intersection(7, 7)})),
            Kind.ACT,
            "straightened F7 H8, 0:01.655 to 0:02.855",
        ),
        (
            BoardMoved(bracket=BRACKET, seen_ns=3 * S, shift=0.3),
            Kind.ACT,
            "board or camera moved, 0:01.655 to 0:02.855",
        ),
        (
            CameraCovered(bracket=BRACKET, seen_ns=3 * S),
            Kind.ACT,
            "board not to be made out, 0:01.655 to 0:02.855",
        ),
        (
            Scattered(bracket=BRACKET, seen_ns=3 * S, points=frozenset({F7, Intersection(7, 7), Intersection(7, 8)})),
            Kind.ACT,
            "3 stones scattered, 0:01.655 to 0:02.855",
        ),
        (Restored(bracket=BRACKET, seen_ns=3 * S), Kind.ACT, "board restored, 0:01.655 to 0:02.855"),
        (
            OutOfStep(t_ns=3 * S, points=(Point.parse("D5"), Point.parse("E5"))),
            Kind.REMARK,
            "board and record differ on D5 E5, 0:03.000",
        ),
        (OutOfStep(t_ns=3 * S, points=()), Kind.REMARK, "board and record agree again, 0:03.000"),
        (
            BadFrame(name="000000255.jpg", t_ns=255 * MS, reason="is empty"),
            Kind.REMARK,
            "0:00.255 frame '000000255.jpg' left out: it is empty",
        ),
        (RecordedDecision(t_ns=2 * S, payload={}), Kind.REMARK, "the referee decided, 0:02.000"),
        (Note(t_ns=0, text="look here"), Kind.REMARK, "look here"),
    ],
)
def test_words(happening: Happening, kind: Kind, text: str) -> None:
    caption = caption_of(happening, 15)
    assert caption is not None
    assert (caption.kind, caption.text) == (kind, text)
    shown = happening.ruling if isinstance(happening, Amended) else happening
    assert caption.points == (shown.points if isinstance(shown, Ruling | OutOfStep) else ())


@pytest.mark.parametrize(
    ("certainty", "before", "after"),
    [
        (Certainty.CERTAIN, "", "certain, seat left open, "),
        (Certainty.COULD_NOT_SEE, "could not see: ", ""),
    ],
)
@pytest.mark.parametrize("code", codes())
def test_rulings_fit_into_a_small_picture(code: str, certainty: Certainty, before: str, after: str) -> None:
    """At three quarters of the usual size, 7 pixels a capital, the narrowest that a picture writes."""
    points = tuple(Point(file, 14) for file in range(15))
    ruling = replace(RULING, article=article(code, "B"), certainty=certainty, seat=None, points=points)
    caption = caption_of(replace(ruling, t_ns=3_599_999 * MS), 15)
    assert caption is not None
    assert caption.text.startswith(f"{before}{ruling.article.rule} {ruling.article.title_en[:10]}")
    assert caption.text.endswith(f": {after}A15 B15 C15 D15 and 11 more, 59:59.999")
    assert cv2.getTextSize(caption.text, FONT, 7.1 / CAPITAL, 1)[0][0] < 610


def test_a_frame_needs_no_words() -> None:
    image = np.zeros((9, 9, 3), np.uint8)
    observation = Observation(
        frame=0, start_ns=0, end_ns=0, rows=(".",), stones={}, loose={}, confidence=np.ones((1, 1), np.float32)
    )
    frame = Frame(index=0, start_ns=0, end_ns=0, image=image)
    assert caption_of(Seen(frame=frame, observation=observation, corners=np.zeros((4, 2))), 15) is None


def test_captions_stay_four_seconds_from_the_picture_that_first_shows_them() -> None:
    captions = Captions()
    early, late = (Caption(kind=Kind.ACT, text=text) for text in ("early", "late"))
    captions.tell(early)
    assert captions.at(10 * S) == (early,)
    captions.tell(late)
    assert captions.at(12 * S) == (early, late)
    assert captions.at(14 * S - 1) == (early, late)
    assert captions.at(14 * S) == (late,)
    assert captions.at(16 * S) == ()


def test_what_no_picture_has_shown_is_waiting() -> None:
    captions = Captions()
    states = [captions.waiting]
    captions.tell(Caption(kind=Kind.ACT, text="an act"))
    states.append(captions.waiting)
    captions.at(0)
    states.append(captions.waiting)
    assert states == [False, True, False]
