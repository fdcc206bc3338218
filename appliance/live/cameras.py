"""Which source the box's file means. Kinds of camera are added here, each in a module of its own in ``vision``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.live.settings import BoxError, CameraKind
from vision.recorded_source import RecordedSource

if TYPE_CHECKING:
    from appliance.live.settings import CameraSettings
    from vision.recorded_source import Pace
    from vision.sources import Source


def source_of(settings: CameraSettings, pace: Pace) -> Source:
    """What the frames come from; ``pace`` is a recording's. Raises BoxError for a kind that there is not yet."""
    match settings.source:
        case CameraKind.RECORDING:
            assert settings.recording is not None  # the settings see to it
            return RecordedSource(folder=settings.recording, pace=pace)
        case CameraKind.PICAMERA2 | CameraKind.USB:
            raise BoxError(f'camera.source: {settings.source} cannot be used yet: write "recording" and name one')
