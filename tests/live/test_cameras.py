"""The source that the box's file means."""

from __future__ import annotations

from pathlib import Path

from appliance.live.cameras import frame_error_ns, source_of
from appliance.live.settings import CameraKind, CameraSettings
from vision.locking import Wish
from vision.picamera2_source import Picamera2Source
from vision.recorded_source import Pace, RecordedSource
from vision.usb_source import UsbSource

PACE = Pace(at_ns=5, speed=2.0)


def test_a_recording() -> None:
    settings = CameraSettings(source=CameraKind.RECORDING, recording=Path("one"))
    assert source_of(settings, PACE) == RecordedSource(folder=Path("one"), pace=PACE)


def test_the_pis_camera_unless_something_else_is_said() -> None:
    assert source_of(CameraSettings(), PACE) == Picamera2Source(wish=Wish(fps=10), width=1296, height=972, device=0)


def test_what_is_said_of_the_pis_camera() -> None:
    settings = CameraSettings(
        device=1, width=640, height=480, fps=20, mains_hz=60, exposure_us=8_000, lens_position=2.5
    )
    wish = Wish(fps=20, mains_hz=60, exposure_us=8_000, lens_position=2.5)
    assert source_of(settings, PACE) == Picamera2Source(wish=wish, width=640, height=480, device=1)


def test_a_usb_camera() -> None:
    settings = CameraSettings(source=CameraKind.USB, device="/dev/video2", fps=30)
    assert source_of(settings, PACE) == UsbSource(wish=Wish(fps=30), width=1280, height=960, device="/dev/video2")


def test_the_error_of_a_frame_is_half_of_the_time_in_which_it_may_have_been_seen() -> None:
    recording = CameraSettings(source=CameraKind.RECORDING, recording=Path("one"))
    assert frame_error_ns(recording) == 1_000_000
    assert frame_error_ns(CameraSettings()) == 25_000_000
    # Four buffers and three frames on the way, a thirtieth of a second each.
    assert frame_error_ns(CameraSettings(source=CameraKind.USB, fps=30)) == 7_000_000_000 // 60 + 1
