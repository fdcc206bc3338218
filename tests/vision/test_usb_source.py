"""A USB camera: what is locked, and that each frame was truly seen within what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import cv2
import pytest

from tests.vision.doubles.usb_camera import INTERVAL_NS, UsbCamera
from vision.locking import Wish
from vision.observation import Frame
from vision.recording import BadFrame
from vision.sources import Given, Learned, Place, Remark, SourceFault
from vision.usb_source import UsbSource, exposure_units

LOCKED = "locked: exposure 20.0 ms; mains of 50 Hz, as was said"
WIDTH_SAID = "when a frame was seen is known to 700 ms only, as of every USB camera"
SOURCE = UsbSource(wish=Wish(fps=10, mains_hz=50), width=64, height=48, device="/dev/video0")


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> UsbCamera:
    return connected(monkeypatch, UsbCamera())


def connected(monkeypatch: pytest.MonkeyPatch, camera: UsbCamera) -> UsbCamera:
    monkeypatch.setattr(cv2, "VideoCapture", camera)
    monkeypatch.setattr("vision.usb_source.time", camera)
    return camera


def until_frames(coming: Iterator[Given], frames: int) -> list[Given]:
    given: list[Given] = []
    while sum(isinstance(one, Frame) for one in given) < frames:
        given += islice(coming, 1)
    return given


def remarks(given: list[Given]) -> list[str]:
    return [one.what for one in given if isinstance(one, Remark)]


def test_it_is_asked_for_its_pictures_and_locked_as_it_had_settled(camera: UsbCamera) -> None:
    given = until_frames(SOURCE.frames(None), 3)
    assert camera.opened == ("/dev/video0", cv2.CAP_V4L2)
    assert (camera.get(cv2.CAP_PROP_FRAME_WIDTH), camera.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (64, 48)
    assert camera.get(cv2.CAP_PROP_FPS) == 10
    # 16.6 ms become 20 ms, two half periods of 50 Hz; by hand from now on.
    assert (camera.get(cv2.CAP_PROP_AUTO_EXPOSURE), camera.get(cv2.CAP_PROP_EXPOSURE)) == (1, 200)
    assert (camera.get(cv2.CAP_PROP_AUTO_WB), camera.get(cv2.CAP_PROP_WB_TEMPERATURE)) == (0, 4600)
    assert (camera.get(cv2.CAP_PROP_AUTOFOCUS), camera.get(cv2.CAP_PROP_FOCUS)) == (0, 30)
    assert remarks(given) == [LOCKED, WIDTH_SAID]


def test_a_camera_without_focus_says_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    connected(monkeypatch, UsbCamera(lacks=(cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)))
    assert remarks(until_frames(SOURCE.frames(None), 1)) == [LOCKED, WIDTH_SAID]


def test_a_camera_that_exposes_as_it_likes_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    connected(monkeypatch, UsbCamera(lacks=(cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)))
    assert remarks(until_frames(SOURCE.frames(None), 1)) == [
        "cannot be locked: it does not let its exposure be set",
        WIDTH_SAID,
    ]


@pytest.mark.parametrize(
    ("unwilling", "name"),
    [
        (cv2.CAP_PROP_AUTO_EXPOSURE, "exposure"),
        (cv2.CAP_PROP_EXPOSURE, "exposure"),
        (cv2.CAP_PROP_AUTO_WB, "white balance"),
        (cv2.CAP_PROP_AUTOFOCUS, "focus"),
    ],
)
def test_what_is_not_obeyed_is_said(monkeypatch: pytest.MonkeyPatch, unwilling: int, name: str) -> None:
    connected(monkeypatch, UsbCamera(unwilling=(unwilling,)))
    given = until_frames(SOURCE.frames(None), 1)
    assert remarks(given) == [LOCKED, f"cannot be locked: its {name} does not do as told", WIDTH_SAID]


def test_after_an_outage_it_is_locked_as_before(camera: UsbCamera) -> None:
    given = until_frames(SOURCE.frames(None), 2)
    learned = next(one.what for one in given if isinstance(one, Learned))
    camera.values |= {cv2.CAP_PROP_EXPOSURE: 500.0, cv2.CAP_PROP_FOCUS: 0.0}
    after = Place(index=7, instant_ns=0, learned=learned)
    again = until_frames(SOURCE.frames(after), 1)
    assert (camera.get(cv2.CAP_PROP_EXPOSURE), camera.get(cv2.CAP_PROP_FOCUS)) == (200, 30)
    assert [one.index for one in again if isinstance(one, Frame)] == [8]


@pytest.mark.parametrize("held_up_ms", [0, 50, 95, 130, 700])
def test_each_frame_was_seen_within_what_is_said(camera: UsbCamera, held_up_ms: int) -> None:
    """Whether the box waits for it, or comes late and finds it lying there."""
    coming = SOURCE.frames(None)
    until_frames(coming, 4)  # before, only the driver's beginning is known
    camera.held_up_ns = held_up_ms * 1_000_000
    widths = []
    for _ in range(30):
        frame = next(coming)
        if isinstance(frame, Remark):  # that few frames come
            continue
        assert isinstance(frame, Frame)
        start_ns, end_ns = camera.seen(camera.number)
        assert frame.start_ns <= start_ns
        assert end_ns <= frame.end_ns == camera.now_ns
        widths.append(frame.end_ns - frame.start_ns)
    if held_up_ms == 0:
        assert widths == [7 * INTERVAL_NS] * 30


def test_a_frame_that_cannot_be_decoded_is_left_out(camera: UsbCamera) -> None:
    coming = SOURCE.frames(None)
    until_frames(coming, 1)
    camera.broken = {camera.number + 1}
    assert next(coming) == BadFrame(name="frame 2", t_ns=camera.now_ns, reason="cannot be decoded")
    assert isinstance(next(coming), Frame)


def test_no_camera_is_told_in_one_line(camera: UsbCamera) -> None:
    camera.there = False
    with pytest.raises(SourceFault, match=r"^there is no USB camera /dev/video0 that can be opened: plug it in"):
        next(SOURCE.frames(None))


def test_a_cable_pulled_out_is_told_in_one_line(camera: UsbCamera) -> None:
    camera.frames = 40
    with pytest.raises(SourceFault, match=r"^the USB camera gives no picture: check its cable$"):
        list(SOURCE.frames(None))


def test_without_a_real_camera_opencv_says_so() -> None:
    with pytest.raises(SourceFault, match=r"^there is no USB camera /dev/no-such-camera"):
        next(UsbSource(wish=Wish(fps=10), device="/dev/no-such-camera").frames(None))


@pytest.mark.parametrize(
    ("chosen", "wish", "units"),
    [
        (166, Wish(fps=10, mains_hz=50), 200),
        (140, Wish(fps=10, mains_hz=50), 100),
        (140, Wish(fps=10, mains_hz=60), 167),
        (166, Wish(fps=10), 200),
        (60, Wish(fps=10, mains_hz=50), 100),
        (20, Wish(fps=10, mains_hz=50), 20),
        (166, Wish(fps=10, exposure_us=5_000), 50),
    ],
)
def test_exposures_in_units_of_100_microseconds(chosen: float, wish: Wish, units: float) -> None:
    assert exposure_units(chosen, wish) == units
