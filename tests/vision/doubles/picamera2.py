"""In picamera2's place where there is no camera: the calls that are made of it, and the errors it answers with.

It stands for a fixed scene under lamps, seen by a rolling shutter, in real time. What goes wrong is told by a JSON file
that the environment names; it is read once and taken away, so that a camera started again is well.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ENVIRONMENT = "CAIPAN_CAMERA_DOUBLE"
READOUT_US = 15_000
MS = 1_000_000
PIPELINE_NS = 15 * MS
"""From the last row's read-out until a request is completed."""
DELAY_FRAMES = 3
"""Frames until a control is obeyed."""
_AUTOMATIC_US, _AUTOMATIC_GAIN = 17_000, 2.0
_AUTOMATIC_COLOURS = (1.8, 1.4)
_AUTOMATIC_FOCUS = 2.5


@dataclass(frozen=True)
class Trouble:
    """``after``: frames that are well before it."""

    what: str = ""
    after: int = 0
    mains_hz: int = 0

    @classmethod
    def told(cls) -> Trouble:
        path = Path(os.environ.get(ENVIRONMENT, "/nowhere"))
        if not path.exists():
            return cls()
        told = json.loads(path.read_text())
        path.unlink()
        return cls(**told)


class Request:
    """A CompletedRequest."""

    def __init__(self, camera: Picamera2, array: NDArray[np.uint8], metadata: dict[str, Any]) -> None:
        self._camera, self._array, self._metadata = camera, array, metadata
        self._count = 1

    def make_array(self, name: str) -> NDArray[np.uint8]:
        if name != "main":
            raise RuntimeError(f"Stream {name!r} is not defined")
        return self._array.copy()

    def get_metadata(self) -> dict[str, Any]:
        assert self._count
        return dict(self._metadata)

    def release(self) -> None:
        self._count -= 1
        if self._count < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._camera.held -= 1


class Picamera2:
    """One camera, number 0."""

    def __init__(self, camera_num: int = 0) -> None:
        self.trouble = Trouble.told()
        if camera_num or self.trouble.what == "no camera":
            raise RuntimeError(
                f'No camera number {camera_num} found - use "rpicam-hello --list-cameras" to check connected cameras'
            )
        if self.trouble.what == "busy":
            try:
                raise RuntimeError("Failed to acquire camera: Device or resource busy")
            except RuntimeError as error:
                raise RuntimeError("Camera __init__ sequence did not complete.") from error
        self.camera_controls: dict[str, tuple[Any, Any, Any]] = {
            "AeEnable": (False, True, None),
            "AfMode": (0, 2, 0),
            "AnalogueGain": (1.0, 16.0, None),
            "AwbEnable": (False, True, None),
            "ColourGains": (0.0, 32.0, None),
            "ExposureTime": (30, 500_000, None),
            "FrameDurationLimits": (READOUT_US, 1_000_000, None),
            "LensPosition": (0.0, 15.0, 1.0),
        }
        if self.trouble.what == "no lens":
            del self.camera_controls["AfMode"], self.camera_controls["LensPosition"]
        self.held = 0
        self._config: dict[str, Any] | None = None
        self._started = False
        self._set: dict[str, Any] = {}
        self._coming: deque[dict[str, Any]] = deque([{}] * DELAY_FRAMES)
        self._frame = 0
        self._begin_ns = 0
        self._last: Request | None = None
        self._light = 1.0
        atexit.register(self.close)

    def create_video_configuration(
        self, main: dict[str, Any], buffer_count: int = 6, controls: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        main = {"format": "XBGR8888", "size": (1280, 720), **main}
        return {"main": main, "buffer_count": buffer_count, "controls": controls or {}}

    def configure(self, camera_config: dict[str, Any]) -> None:
        if self._started:
            raise RuntimeError("Camera must be stopped before configuring")
        main = dict(camera_config["main"])
        if main["size"][0] % 2 or main["size"][1] % 2:
            raise RuntimeError("width and height should be even")
        if self.trouble.what == "other format":
            main["format"] = "MJPEG"
        if self.trouble.what == "other size":
            main["size"] = (main["size"][0] // 2, main["size"][1] // 2)
        self._config = {**camera_config, "main": main}
        self.set_controls(camera_config["controls"])

    def camera_configuration(self) -> dict[str, Any]:
        assert self._config is not None
        return self._config

    def start(self) -> None:
        if self._config is None:
            raise RuntimeError("Camera has not been configured")
        self._started = True
        self._begin_ns = time.monotonic_ns()

    def stop(self) -> None:
        if self.trouble.what == "cable loose" and self._started:
            _for_ever()
        self._started = False

    def close(self) -> None:
        self.stop()

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name, value in controls.items():
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            self._set[name] = value

    @contextmanager
    def captured_request(self) -> Iterator[Request]:
        request = self.capture_request()
        try:
            yield request
        finally:
            request.release()

    def capture_request(self) -> Request:
        assert self._config is not None
        assert self._started
        if self.held >= self._config["buffer_count"]:
            _for_ever()  # no buffer is left to be filled
        trouble = self.trouble.what if self._frame >= self.trouble.after else ""
        if trouble == "cable loose":
            _for_ever()
        self._coming.append(dict(self._set))
        obeyed = self._coming.popleft()
        frame_us = obeyed.get("FrameDurationLimits", (100_000, 100_000))[0]
        lost = 1 + (trouble == "dropped" and self._frame % 2)
        begin_ns = self._begin_ns + lost * frame_us * 1000
        while begin_ns + READOUT_US * 1000 + PIPELINE_NS < time.monotonic_ns() - frame_us * 1000:
            begin_ns += frame_us * 1000  # of frames that nobody has taken yet only the newest is kept
        self._begin_ns = begin_ns
        request = self._request(trouble, obeyed, begin_ns, frame_us)
        self._frame += 1
        self.held += 1
        late_ns = 300 * MS if trouble == "late" and self._frame % 8 == 0 else 0
        due_ns = begin_ns + READOUT_US * 1000 + PIPELINE_NS + late_ns
        # As the real one, which gives a frame once it has been exposed: in the camera's process, where no test waits.
        time.sleep(max(0, due_ns - time.monotonic_ns()) / 1e9)
        if trouble == "repeated" and self._frame % 3 == 0 and self._last is not None:
            request = self._last
        self._last = request
        return Request(self, request.make_array("main"), request.get_metadata())

    def _request(self, trouble: str, obeyed: dict[str, Any], begin_ns: int, frame_us: int) -> Request:
        exposure_us = obeyed.get("ExposureTime") or _AUTOMATIC_US
        gain = obeyed.get("AnalogueGain") or _AUTOMATIC_GAIN
        if trouble == "not obeyed":
            exposure_us = 33_000
        if trouble == "bright":
            self._light = 1.8
        metadata = {
            "SensorTimestamp": begin_ns,
            "ExposureTime": exposure_us - 7,
            "AnalogueGain": gain * 0.995,
            "DigitalGain": 1.0,
            "FrameDuration": frame_us + 5,
            "ColourGains": obeyed.get("ColourGains", _AUTOMATIC_COLOURS),
        }
        if "AfMode" in self.camera_controls:
            metadata |= {"LensPosition": obeyed.get("LensPosition", _AUTOMATIC_FOCUS), "AfState": 2}
        if trouble == "jump for a while" and self._frame < self.trouble.after + 20:
            metadata["SensorTimestamp"] = begin_ns + 200 * MS
        if trouble == "boottime":
            metadata["SensorTimestamp"] = begin_ns + time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
        if trouble == "other clock":
            metadata["SensorTimestamp"] = begin_ns + 1_700_000_000_000_000_000
        if trouble == "jump ahead":
            metadata["SensorTimestamp"] = begin_ns + 200 * MS
        if trouble == "jump back":
            metadata["SensorTimestamp"] = begin_ns - 200 * MS
        if trouble == "no stamp":
            del metadata["SensorTimestamp"]
        picture = self._picture(begin_ns, exposure_us, exposure_us * gain)
        if trouble == "wrong array":
            picture = picture[:, :, 0]
        return Request(self, picture, metadata)

    def _picture(self, begin_ns: int, exposure_us: float, sensitivity: float) -> NDArray[np.uint8]:
        """A ramp under lamps, with the noise by which no two pictures of a sensor are the same."""
        assert self._config is not None
        width, height = self._config["main"]["size"]
        row_s = begin_ns / 1e9 + np.arange(height) / height * READOUT_US / 1e6
        light = np.ones(height)
        if self.trouble.mains_hz:
            flashes = 2 * np.pi * 2 * self.trouble.mains_hz
            before_s = row_s - exposure_us / 1e6
            # The mean of 1 + cos/2 over each row's exposure.
            light += 0.5 * (np.sin(flashes * row_s) - np.sin(flashes * before_s)) / (flashes * exposure_us / 1e6)
        scene = np.linspace(40, 90, width)[None, :, None] * light[:, None, None]
        scene = scene * self._light * sensitivity / (_AUTOMATIC_US * _AUTOMATIC_GAIN)
        noise = np.random.default_rng(self._frame).normal(0, 1.5, (height, width, 3))
        return np.asarray(np.clip(scene + noise, 0, 255), np.uint8)


def _for_ever() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    while True:
        signal.pause()
