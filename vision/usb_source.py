"""A USB camera, through OpenCV and Linux's V4L2.

Nobody tells when such a camera saw a frame, so its instants are as wide as the arrival leaves open: seven frames or so,
in which a press can neither be called early nor in time. The more frames a second, the finer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count, pairwise
from statistics import median
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.arrival import ArrivalInstants
from vision.flicker import MAINS_HZ, half_period_us
from vision.frame_rate import FrameRate
from vision.lighting import LightWatch
from vision.locking import Mains
from vision.observation import Frame
from vision.recording import BadFrame
from vision.sources import Learned, Remark, SourceFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.locking import Wish
    from vision.sources import Given, Place

BUFFERS = 4
"""OpenCV has the driver fill so many in turn, and gives each back when it asks for the next frame."""
SIGHT_FRAMES = 3
"""A frame is exposed, read out and sent in at most so many intervals."""
_SETTLING_S = 2.0
_AUTOMATIC, _MANUAL = 3, 1
"""Of V4L2's exposure."""
_UNIT_US = 100
"""V4L2's unit of exposure."""

_AUTOMATICS = {
    cv2.CAP_PROP_AUTO_EXPOSURE: _AUTOMATIC,
    cv2.CAP_PROP_AUTO_WB: 1,
    cv2.CAP_PROP_AUTOFOCUS: 1,
}
_LOCKS = (
    ("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL, cv2.CAP_PROP_EXPOSURE),
    ("white balance", cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE),
    ("focus", cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS),
)
"""Name, the automatic's property and its value when it is off, and what it had chosen."""


@dataclass(frozen=True, kw_only=True)
class UsbSource:
    """The camera ``device``, a number or a path, its pictures ``width`` x ``height`` pixels.

    A :class:`vision.sources.Source`. The wish's exposure is kept, its focus is not.
    """

    wish: Wish
    width: int = 1280
    height: int = 960
    device: int | str = 0

    @property
    def as_taken(self) -> bool:
        """A camera waits for nobody."""
        return False

    def frames(self, after: Place | None) -> Iterator[Given]:
        """Frames with instants as wide as their errors, once the camera is locked."""
        camera = cv2.VideoCapture(self.device, cv2.CAP_V4L2)
        if not camera.isOpened():
            raise SourceFault(
                f"there is no USB camera {self.device} that can be opened: plug it in, check camera.device, and that "
                "no other program has it"
            )
        began_ns = time.monotonic_ns()
        for name, value in (
            (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),  # others do not fit through USB 2
            (cv2.CAP_PROP_FRAME_WIDTH, self.width),
            (cv2.CAP_PROP_FRAME_HEIGHT, self.height),
            (cv2.CAP_PROP_FPS, self.wish.fps),
            *_AUTOMATICS.items(),
        ):
            camera.set(name, value)
        came_ns = list[int]()
        while time.monotonic_ns() - began_ns < _SETTLING_S * 1e9:
            _grab(camera)
            came_ns.append(time.monotonic_ns())
            yield None
        values = _values_of(after.learned) if after is not None else None
        values = values or self._values(camera)
        yield Learned(what=" ".join(map(str, values)))
        interval_ns = max([round(1e9 / self.wish.fps), *_median_step(came_ns)])
        mains = Mains.ASSUMED if self.wish.mains_hz is None else Mains.SAID
        exposure = f"exposure {values[0] * _UNIT_US / 1000:.1f} ms; {mains.told(self.wish.mains_hz or MAINS_HZ[0])}"
        remarks = [
            f"locked: {exposure}" if values[0] > 0 else "cannot be locked: it does not let its exposure be set",
            *(f"cannot be locked: its {name} does not do as told" for name in _lock(camera, values)),
        ]
        known_ms = (SIGHT_FRAMES + BUFFERS) * interval_ns / 1e6
        remarks.append(f"when a frame was seen is known to {known_ms:.0f} ms only, as of every USB camera")
        for what in remarks:
            yield Remark(t_ns=time.monotonic_ns(), what=what)
        arrival = ArrivalInstants(began_ns, sight_ns=SIGHT_FRAMES * interval_ns, turns=BUFFERS - 1)
        yield from self._watched(camera, arrival, first=1 if after is None else after.index + 1)

    def _values(self, camera: cv2.VideoCapture) -> list[float]:
        """What the automatics have chosen, in the order of the locks; the exposure so that it sees no flicker."""
        values = [float(camera.get(value)) for *_, value in _LOCKS]
        values[0] = exposure_units(values[0], self.wish)
        return values

    def _watched(self, camera: cv2.VideoCapture, arrival: ArrivalInstants, *, first: int) -> Iterator[Given]:
        light, rate = LightWatch(), FrameRate(self.wish.fps)
        for index in count(first):
            asked_ns = time.monotonic_ns()
            _grab(camera)
            came_ns = time.monotonic_ns()
            start_ns, end_ns = arrival.came(asked_ns, came_ns)
            good, array = camera.retrieve()
            if not good or array.ndim != 3 or array.shape[2] != 3:
                yield BadFrame(name=f"frame {index}", t_ns=came_ns, reason="cannot be decoded")
                continue
            picture: NDArray[np.uint8] = np.asarray(array, np.uint8)
            yield Frame(index=index, start_ns=start_ns, end_ns=end_ns, image=picture, name=f"frame {index}")
            if (times := light.frame(picture, came_ns)) is not None:
                what = f"the light has changed, {times:.2g} times as bright: begin the next game under this one"
                yield Remark(t_ns=came_ns, what=what)
            if (fps := rate.frame(came_ns)) is not None:
                yield Remark(t_ns=came_ns, what=f"only {fps:.1f} frames a second come, not {self.wish.fps:g}")


def exposure_units(chosen: float, wish: Wish) -> float:
    """The exposure to be locked, in V4L2's units: the wished one, or the whole half periods nearest to the ``chosen``.

    A shorter one than half a period is left alone.
    """
    if wish.exposure_us is not None:
        return wish.exposure_us / _UNIT_US
    half = half_period_us(wish.mains_hz or MAINS_HZ[0]) / _UNIT_US
    return float(round(max(1, round(chosen / half)) * half)) if chosen >= half / 2 else chosen


def _grab(camera: cv2.VideoCapture) -> None:
    """Waits for the next frame. Raises SourceFault."""
    if not camera.grab():
        raise SourceFault("the USB camera gives no picture: check its cable")


def _lock(camera: cv2.VideoCapture, values: list[float]) -> list[str]:
    """Lock everything; the names of what was not obeyed. A camera without such a control says 0 or less."""
    disobeyed = []
    for (name, automatic, off, value), meant in zip(_LOCKS, values, strict=True):
        if meant <= 0:
            continue
        camera.set(automatic, off)
        camera.set(value, meant)
        if camera.get(automatic) != off or abs(camera.get(value) - meant) > max(1.0, 0.05 * meant):
            disobeyed.append(name)
    return disobeyed


def _values_of(learned: str) -> list[float] | None:
    words = learned.split()
    return [float(word) for word in words] if len(words) == len(_LOCKS) else None


def _median_step(came_ns: list[int]) -> list[int]:
    steps = [after - before for before, after in pairwise(came_ns)]
    return [round(median(steps))] if steps else []
