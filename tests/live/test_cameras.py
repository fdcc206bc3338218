"""The source that the box's file means."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.live.cameras import source_of
from appliance.live.settings import BoxError, CameraKind, CameraSettings
from vision.recorded_source import Pace, RecordedSource

PACE = Pace(at_ns=5, speed=2.0)


def test_a_recording() -> None:
    settings = CameraSettings(source=CameraKind.RECORDING, recording=Path("one"))
    assert source_of(settings, PACE) == RecordedSource(folder=Path("one"), pace=PACE)


@pytest.mark.parametrize("kind", [CameraKind.PICAMERA2, CameraKind.USB])
def test_what_there_is_not_yet_is_said(kind: CameraKind) -> None:
    with pytest.raises(BoxError, match=f"^camera.source: {kind} cannot be used yet: "):
        source_of(CameraSettings(source=kind), PACE)
