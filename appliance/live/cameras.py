"""Which source the box's file means. Kinds of camera are added here, each in a module of its own in ``vision``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.arbiter import FRAME_ERROR_NS
from appliance.live.settings import CameraKind
from vision.locking import Wish
from vision.picamera2_source import Picamera2Source
from vision.recorded_source import RecordedSource
from vision.usb_source import BUFFERS, SIGHT_FRAMES, UsbSource

if TYPE_CHECKING:
    from appliance.live.settings import CameraSettings
    from vision.recorded_source import Pace
    from vision.sources import Source

_PI_SIZE, _USB_SIZE = (1296, 972), (1280, 960)
"""Pixels, width and height."""
_PI_ERROR_NS = 25_000_000
"""Half of an exposure of 20 ms and of a read-out of as much, and a bit."""


def source_of(settings: CameraSettings, pace: Pace) -> Source:
    """What the frames come from; ``pace`` is a recording's."""
    wish = Wish(
        fps=settings.fps,
        mains_hz=settings.mains_hz,
        exposure_us=settings.exposure_us,
        lens_position=settings.lens_position,
    )
    match settings.source:
        case CameraKind.RECORDING:
            assert settings.recording is not None  # the settings see to it
            return RecordedSource(folder=settings.recording, pace=pace)
        case CameraKind.PICAMERA2:
            assert isinstance(settings.device, int)  # and to this
            width, height = _size(settings, _PI_SIZE)
            return Picamera2Source(wish=wish, width=width, height=height, device=settings.device)
        case CameraKind.USB:
            width, height = _size(settings, _USB_SIZE)
            return UsbSource(wish=wish, width=width, height=height, device=settings.device)


def frame_error_ns(settings: CameraSettings) -> int:
    """How far a frame's instant may be off when all is well; where it is more, the frame itself says so."""
    match settings.source:
        case CameraKind.RECORDING:
            return FRAME_ERROR_NS
        case CameraKind.PICAMERA2:
            return _PI_ERROR_NS
        case CameraKind.USB:
            return round((BUFFERS + SIGHT_FRAMES) * 1e9 / settings.fps / 2)


def _size(settings: CameraSettings, usual: tuple[int, int]) -> tuple[int, int]:
    if settings.width is None or settings.height is None:
        return usual
    return settings.width, settings.height
