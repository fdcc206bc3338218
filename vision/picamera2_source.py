"""A Raspberry Pi's camera, through picamera2.

Nothing here waits for ``stop()`` or ``close()``, which may never return when a cable is loose: the process ends, and
the kernel lets go of the camera.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from vision.arrival import ArrivalInstants
from vision.flicker import rows_of
from vision.frame_rate import FrameRate
from vision.lighting import LightWatch
from vision.locking import Limits, Lock, Obedience, Settling, Wish, lock_of
from vision.observation import Frame
from vision.pixel_formats import bgr, known
from vision.recording import BadFrame
from vision.sensor_clock import SAMPLES, SLOWEST_NS, SensorClock, Stamped, Trust, measured_offset
from vision.sources import Learned, Remark, SourceFault

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from vision.sources import Given, Place

BUFFERS = 6
"""As many frames libcamera may be filling or keeping."""


@dataclass(frozen=True, kw_only=True)
class Picamera2Source:
    """Camera number ``device``, its pictures ``width`` x ``height`` pixels. A :class:`vision.sources.Source`.

    ``pixel_format``: libcamera's name; "RGB888" is BGR in memory, as the readers take it, and costs no conversion.
    """

    wish: Wish
    width: int = 1296
    height: int = 972
    device: int = 0
    pixel_format: str = "RGB888"

    @property
    def as_taken(self) -> bool:
        """A camera waits for nobody."""
        return False

    def frames(self, after: Place | None) -> Iterator[Given]:
        """Frames with the instants of the sensor's stamps, once the camera is locked; as before ``after`` an outage."""
        camera = _Camera(self)
        locked = yield from _lock(camera, self.wish, lock_of(after.learned) if after is not None else None)
        yield Learned(what=locked.lock.model_dump_json())
        for what in (*camera.remarks, *locked.remarks()):
            yield Remark(t_ns=time.monotonic_ns(), what=what)
        yield from _watched(camera, locked, first=1 if after is None else after.index + 1)


@dataclass(frozen=True, kw_only=True)
class _Shot:
    """One frame as it came. ``picture``: an array in the camera's format."""

    array: NDArray[np.uint8]
    metadata: Mapping[str, Any]
    asked_ns: int
    came_ns: int

    @property
    def stamped(self) -> Stamped:
        return Stamped(sensor_ns=self.metadata.get("SensorTimestamp"), came_ns=self.came_ns)


class _Camera:
    """A running camera. Raises SourceFault where there is none that can be used."""

    def __init__(self, source: Picamera2Source) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise SourceFault(f"picamera2 cannot be used ({error}): install it as the README's Camera says") from None
        try:
            self._camera = Picamera2(source.device)
        except (RuntimeError, IndexError) as error:
            why = _first_cause(error)
            raise SourceFault(
                f"there is no camera {source.device} that can be opened ({why}): check its cable, and that no other "
                "program has it"
            ) from None
        self.limits = Limits.of(self._camera.camera_controls)
        settling = self.limits.allowed({"FrameDurationLimits": (source.wish.frame_us, source.wish.frame_us)})
        main = {"size": (source.width, source.height), "format": source.pixel_format}
        try:
            self._camera.configure(
                self._camera.create_video_configuration(main=main, buffer_count=BUFFERS, controls=settling)
            )
            given = self._camera.camera_configuration()["main"]
            width, height = given["size"]
            self._format, self._size = str(given["format"]), (int(width), int(height))
            if not known(self._format):
                raise SourceFault(f"the camera gives {self._format}, which cannot be read: choose another camera")
            shortest_us = self._camera.camera_controls.get("FrameDurationLimits", (source.wish.frame_us,))[0]
            self._camera.start()
        except RuntimeError as error:
            raise SourceFault(
                f"the camera cannot be started with {source.width} x {source.height} pixels ({error}): choose another "
                "size under [camera]"
            ) from None
        self.began_ns = time.monotonic_ns()
        self.remarks = list[str]()
        if self._size != (source.width, source.height):
            width, height = self._size
            self.remarks.append(f"gives {width} x {height} pixels, not {source.width} x {source.height} as asked")
        # No frame can follow sooner than the one before has been read out.
        self.readout_ns = min(int(shortest_us), source.wish.frame_us) * 1000

    def shot(self) -> _Shot:
        """The next frame; never, when the cable is loose. Its buffer is given back at once."""
        asked_ns = time.monotonic_ns()
        request = self._camera.capture_request()
        came_ns = time.monotonic_ns()
        try:
            metadata, array = request.get_metadata(), request.make_array("main")
        finally:
            request.release()
        return _Shot(array=array, metadata=metadata, asked_ns=asked_ns, came_ns=came_ns)

    def picture(self, shot: _Shot) -> NDArray[np.uint8]:
        """Raises ValueError for an array that is none."""
        return bgr(shot.array, self._format, self._size)

    def set(self, controls: Mapping[str, Any]) -> None:
        if controls:
            self._camera.set_controls(dict(controls))


@dataclass(frozen=True, kw_only=True)
class _Locked:
    """How frames are taken, and how far their stamps are to be trusted."""

    lock: Lock
    again: bool
    lacking: str | None
    clock: SensorClock

    def remarks(self) -> Iterator[str]:
        """What the record should say of it."""
        lock = self.lock
        yield f"locked{' as before' if self.again else ''}: {lock}"
        if lock.flickers:
            yield (
                f"an exposure of {lock.exposure_us / 1000:.1f} ms sees lamps on {lock.mains_hz} Hz flicker: dim the "
                "light, or set no exposure_us"
            )
        if self.lacking is not None:
            yield f"cannot be locked: it has no {self.lacking}"
        if self.clock.trust is not Trust.FULL:
            yield _TOLD[self.clock.trust]


_TOLD = {
    Trust.FULL: "its stamps fit this box's clock again",
    Trust.LATE: "its frames come late by more than 0.1 s, as on a machine that is too busy: when they were seen is "
    "less well known",
    Trust.NONE: "its stamps do not fit this box's clock: when a frame was seen is known by its arrival alone, to a "
    "second or so",
}


def _lock(camera: _Camera, wish: Wish, before: Lock | None) -> Generator[BadFrame | None, None, _Locked]:
    """Lock the camera, as ``before`` if it was; returns how that came out."""
    stamped = deque[Stamped](maxlen=8 * SAMPLES)
    settling = Settling(wish, camera.limits, time.monotonic_ns(), readout_ns=camera.readout_ns)
    lock = before
    camera.set(settling.automatic() if lock is None else camera.limits.allowed(lock.controls()))
    while lock is None:
        shot = camera.shot()
        stamped.append(shot.stamped)
        yield None
        try:
            rows = rows_of(camera.picture(shot))
        except ValueError as error:
            yield BadFrame(name="while it settles", t_ns=shot.came_ns, reason=str(error))
            continue
        start_ns = shot.metadata.get("SensorTimestamp", shot.came_ns)
        camera.set(settling.frame(shot.metadata, rows, start_ns, shot.came_ns))
        lock = settling.lock
    obedience = Obedience(lock, camera.limits)
    while len(stamped) < SAMPLES or not obedience.settled:
        shot = camera.shot()
        stamped.append(shot.stamped)
        obedience.frame(shot.metadata)
        yield None
    offset = measured_offset(stamped, _boottime_ahead_ns())
    return _Locked(
        lock=lock,
        again=before is not None,
        lacking=obedience.lacking(),
        clock=SensorClock(offset, readout_ns=camera.readout_ns),
    )


def _watched(camera: _Camera, locked: _Locked, *, first: int) -> Iterator[Given]:
    """All frames from now on, and what is odd of them."""
    lock, clock = locked.lock, locked.clock
    obedience, light = Obedience(lock, camera.limits), LightWatch()
    rate = FrameRate(1e6 / lock.frame_us)
    arrival = ArrivalInstants(camera.began_ns, sight_ns=SLOWEST_NS + round(lock.exposure_us * 1000), turns=BUFFERS)
    for index in count(first):
        shot = camera.shot()
        # A camera that does not tell how long it exposes may do so for the whole of a frame.
        exposure_ns = int(shot.metadata.get("ExposureTime", lock.frame_us)) * 1000
        trust = clock.trust
        start_ns, end_ns = clock.seen(shot.stamped, exposure_ns, arrival.came(shot.asked_ns, shot.came_ns))
        try:
            picture = camera.picture(shot)
        except ValueError as error:
            yield BadFrame(name=f"frame {index}", t_ns=(start_ns + end_ns) // 2, reason=str(error))
            continue
        yield Frame(index=index, start_ns=start_ns, end_ns=end_ns, image=picture, name=f"frame {index}")
        remarks = [f"does not do as it was told: {what}" for what in obedience.frame(shot.metadata)]
        if clock.trust is not trust:
            remarks.append(_TOLD[clock.trust])
        if (times := light.frame(picture, shot.came_ns)) is not None:
            remarks.append(f"the light has changed, {times:.2g} times as bright: begin the next game under this one")
        if (fps := rate.frame(shot.came_ns)) is not None:
            remarks.append(f"only {fps:.1f} frames a second come, not {1e6 / lock.frame_us:.3g}")
        for what in remarks:
            yield Remark(t_ns=shot.came_ns, what=what)


def _boottime_ahead_ns() -> int:
    """How far the kernel's clock that counts sleep is ahead of the monotonic one."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()


def _first_cause(error: BaseException) -> str:
    """What picamera2 raised first: it tells the rest of it by "from"."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split()) or type(error).__name__
