"""The source against the real libcamera and picamera2, whose "virtual" pipeline plays pictures from a folder.

Opt-in: ``tests/vision/virtual_camera.sh`` makes a system for it. The pipeline has no controls but the frame duration,
tells nothing in its metadata but the stamp, and gives NV12 alone.
"""

from __future__ import annotations

import os
import sys
from itertools import islice, pairwise
from unittest.mock import MagicMock

import pytest

from vision.locking import Wish
from vision.observation import Frame
from vision.picamera2_source import Picamera2Source
from vision.sources import Remark

pytestmark = pytest.mark.skipif(
    "CAIPAN_VIRTUAL_CAMERA" not in os.environ,
    reason="needs libcamera's virtual pipeline: run tests/vision/virtual_camera.sh",
)


@pytest.fixture
def virtual_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    """What picamera2 takes for granted on a Pi: a display library, raw modes, and buffers from its own heap."""
    monkeypatch.setitem(sys.modules, "pykms", MagicMock())
    from picamera2 import picamera2
    from picamera2.allocators import LibcameraAllocator

    monkeypatch.setattr(picamera2.Picamera2, "_get_raw_modes", lambda self: [])
    monkeypatch.setattr(
        picamera2.Picamera2, "_select_native_mode", lambda self, modes: {"size": (640, 480), "format": "NV12"}
    )
    opened = picamera2.Picamera2.__init__

    def with_its_buffers(self: object, *args: int) -> None:
        opened(self, *args)
        self.allocator = LibcameraAllocator(self.camera)  # type: ignore[attr-defined]

    monkeypatch.setattr(picamera2.Picamera2, "__init__", with_its_buffers)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # picamera2's own
@pytest.mark.usefixtures("virtual_camera")
def test_frames_come_from_the_real_library() -> None:
    source = Picamera2Source(wish=Wish(fps=30, mains_hz=50), width=640, height=480, pixel_format="NV12")
    given = list(islice(source.frames(None), 200))
    frames = [one for one in given if isinstance(one, Frame)]
    told = [one.what for one in given if isinstance(one, Remark)]
    assert len(frames) > 100
    assert all(frame.image.shape == (480, 640, 3) for frame in frames)
    # The pictures in the folder: grey 40 to 200 from the left, and a red square that moves. The pipeline gives a JPEG's
    # full range for the limited one, so that 40 becomes 1.164 (40 - 16), and 200 likewise.
    grey = frames[-1].image[300].astype(int)
    assert abs(grey[0].mean() - 28) <= 3
    assert abs(grey[-1].mean() - 214) <= 3
    assert any(
        (frame.image[120].astype(int)[:, 2] - frame.image[120].astype(int)[:, 0] > 100).any() for frame in frames
    )
    assert told[0].startswith("locked: ")
    assert "cannot be locked: it has no ExposureTime and AnalogueGain" in told
    assert not any("clock" in what for what in told)  # its stamps are of the monotonic one
    assert all(before.instant_ns < after.instant_ns for before, after in pairwise(frames))
