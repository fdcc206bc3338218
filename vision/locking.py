"""A camera's automatics are let go until they have settled, then everything is locked for a game.

Pure: says which of libcamera's controls to set, from the metadata of frames. What the camera's kind does not have,
such as focus, is left alone.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vision.flicker import MAINS_HZ, half_period_us, measured_mains_hz, whole_half_periods_us

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

Controls: TypeAlias = dict[str, Any]
"""Values by libcamera's names of controls."""

MANUAL_FOCUS, CONTINUOUS_FOCUS = 0, 2
"""Of ``AfMode``."""
_SCANNING = 1
"""Of ``AfState``."""

LONGEST_US = 20_000
"""A stone that is laid down is no blur; longer than this only where the light is too weak."""
PROBE_US, PROBE_FRAME_US = 3_000, 37_000
"""How frames are taken that show the flicker: short, and in step with neither mains."""
PROBE_FRAMES = 24
SETTLED_FRAMES = 5
"""So many frames on end must be exposed alike, …"""
ALIKE = 0.03
"""… within so much."""
LONGEST_SETTLING_NS = 6_000_000_000
"""Then it is locked as it is."""
TAKES_FRAMES = 12
"""A control is obeyed so many frames later at the latest."""
UNWILLING_FRAMES = 5
"""So many frames on end tell that it is not."""


class Mains(StrEnum):
    """How it is known what the lamps flicker with."""

    MEASURED = "measured"
    SAID = "said"
    ASSUMED = "assumed"

    def told(self, mains_hz: int) -> str:
        """That in a few words."""
        match self:
            case Mains.MEASURED:
                return f"lamps on {mains_hz} Hz flicker"
            case Mains.SAID:
                return f"mains of {mains_hz} Hz, as was said"
            case Mains.ASSUMED:
                return f"mains of {mains_hz} Hz, as nothing else is known"


class Lock(BaseModel):
    """What is locked. Microseconds; gains are factors; ``lens_position`` in dioptres, None: left alone.

    ``mains_hz``: of the lamps that the exposure suits. ``mains``: how that is known.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)

    exposure_us: Annotated[float, Field(gt=0)]
    gain: Annotated[float, Field(gt=0)]
    colour_gains: tuple[float, float] | None
    lens_position: float | None
    frame_us: Annotated[int, Field(gt=0)]
    mains_hz: int
    mains: Mains

    @property
    def flickers(self) -> bool:
        """Whether its exposure is none of whole half periods, and sees lamps flicker."""
        halves = self.exposure_us / half_period_us(self.mains_hz)
        return halves < 0.99 or abs(halves - round(halves)) > 0.01 * halves

    def controls(self) -> Controls:
        """What to set."""
        controls: Controls = {
            "AeEnable": False,
            "ExposureTime": round(self.exposure_us),
            "AnalogueGain": self.gain,
            "FrameDurationLimits": (self.frame_us, self.frame_us),
        }
        if self.colour_gains is not None:
            controls |= {"AwbEnable": False, "ColourGains": self.colour_gains}
        if self.lens_position is not None:
            controls |= {"AfMode": MANUAL_FOCUS, "LensPosition": self.lens_position}
        return controls

    def __str__(self) -> str:
        focus = "" if self.lens_position is None else f", focus {self.lens_position:.2f} dioptres"
        return (
            f"exposure {self.exposure_us / 1000:.1f} ms, gain {self.gain:.1f}, "
            f"{1e6 / self.frame_us:.3g} frames a second{focus}; {self.mains.told(self.mains_hz)}"
        )


def lock_of(text: str) -> Lock | None:
    """What :meth:`Lock.model_dump_json` wrote; None: that is not what it says."""
    try:
        return Lock.model_validate_json(text)
    except ValidationError:
        return None


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What somebody has chosen; None: it is measured. Units as in :class:`Lock`."""

    fps: float
    mains_hz: int | None = None
    exposure_us: int | None = None
    lens_position: float | None = None

    @property
    def frame_us(self) -> int:
        """From one frame to the next."""
        return round(1e6 / self.fps)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the camera can do. ``advertised``: the names of its controls."""

    advertised: frozenset[str]
    gain: tuple[float, float] = (1.0, 8.0)

    @classmethod
    def of(cls, camera_controls: Mapping[str, tuple[Any, Any, Any]]) -> Limits:
        """From picamera2's ``camera_controls``: smallest, largest and default value by name."""
        least, most, _ = camera_controls.get("AnalogueGain", (1.0, 8.0, None))
        return cls(advertised=frozenset(camera_controls), gain=(float(least), float(most)))

    def allowed(self, controls: Controls) -> Controls:
        """Those of ``controls`` that the camera has."""
        return {name: value for name, value in controls.items() if name in self.advertised}


class _Phase(Enum):
    AUTOMATIC = auto()
    PROBING = auto()
    DONE = auto()


class Settling:
    """From automatic to locked, frame by frame."""

    def __init__(self, wish: Wish, limits: Limits, now_ns: int, *, readout_ns: int) -> None:
        self._wish, self._limits, self._began_ns, self._readout_ns = wish, limits, now_ns, readout_ns
        self._phase = _Phase.AUTOMATIC
        self._light = deque[float](maxlen=SETTLED_FRAMES)
        self._metadata: Mapping[str, Any] = {}
        self._skip = 0
        self._rows: list[NDArray[np.float64]] = []
        self._starts_ns: list[int] = []
        self.lock: Lock | None = None
        """What it came to; None: not yet."""

    def automatic(self) -> Controls:
        """What to set first."""
        controls: Controls = {
            "AeEnable": True,
            "ExposureTime": 0,
            "AnalogueGain": 0.0,
            "AwbEnable": True,
            "FrameDurationLimits": (self._wish.frame_us, self._wish.frame_us),
        }
        if self._wish.lens_position is None:
            controls["AfMode"] = CONTINUOUS_FOCUS
        else:
            controls |= {"AfMode": MANUAL_FOCUS, "LensPosition": self._wish.lens_position}
        return self._limits.allowed(controls)

    def frame(self, metadata: Mapping[str, Any], rows: NDArray[np.float64], start_ns: int, now_ns: int) -> Controls:
        """What to set after this frame, if anything; ``rows`` as :func:`vision.flicker.rows_of` gives them."""
        match self._phase:
            case _Phase.AUTOMATIC:
                return self._settled(metadata, now_ns)
            case _Phase.PROBING:
                return self._probed(rows, start_ns)
            case _Phase.DONE:
                return {}

    def _settled(self, metadata: Mapping[str, Any], now_ns: int) -> Controls:
        self._light.append(_light_of(metadata))
        self._metadata = metadata
        alike = len(self._light) == SETTLED_FRAMES and max(self._light) <= (1 + ALIKE) * min(self._light)
        settled = alike and metadata.get("AfState") != _SCANNING
        if not settled and now_ns - self._began_ns < LONGEST_SETTLING_NS:
            return {}
        if self._wish.mains_hz is not None:
            return self._locked(self._wish.mains_hz, Mains.SAID)
        self._phase, self._skip = _Phase.PROBING, TAKES_FRAMES
        light = self._light[-1] / PROBE_US
        least, most = self._limits.gain
        return self._limits.allowed(
            {
                "AeEnable": False,
                "ExposureTime": PROBE_US,
                "AnalogueGain": min(most, max(least, light)),
                "FrameDurationLimits": (PROBE_FRAME_US, PROBE_FRAME_US),
            }
        )

    def _probed(self, rows: NDArray[np.float64], start_ns: int) -> Controls:
        if self._skip:
            self._skip -= 1
            return {}
        self._rows.append(rows)
        self._starts_ns.append(start_ns)
        if len(self._rows) < PROBE_FRAMES:
            return {}
        mains_hz = measured_mains_hz(self._rows, self._starts_ns, self._readout_ns)
        if mains_hz is None:
            return self._locked(MAINS_HZ[0], Mains.ASSUMED)
        return self._locked(mains_hz, Mains.MEASURED)

    def _locked(self, mains_hz: int, mains: Mains) -> Controls:
        self._phase = _Phase.DONE
        wish, metadata = self._wish, self._metadata
        light, (least, most) = self._light[-1], self._limits.gain
        exposure_us = float(wish.exposure_us or 0)
        if not exposure_us:
            exposure_us = _exposure_us(light, mains_hz, least, most, wish.frame_us)
        colour_gains = metadata.get("ColourGains")
        lens_position = wish.lens_position if wish.lens_position is not None else metadata.get("LensPosition")
        self.lock = Lock(
            exposure_us=exposure_us,
            gain=min(most, max(least, light / exposure_us)),
            colour_gains=None if colour_gains is None else (float(colour_gains[0]), float(colour_gains[1])),
            lens_position=None if lens_position is None else float(lens_position),
            frame_us=wish.frame_us,
            mains_hz=mains_hz,
            mains=mains,
        )
        return self._limits.allowed(self.lock.controls())


def _light_of(metadata: Mapping[str, Any]) -> float:
    """How much light the automatics let in: microseconds at gain 1. A camera that does not tell is taken for usual."""
    gain = metadata.get("AnalogueGain", 1.0) * metadata.get("DigitalGain", 1.0)
    return max(1.0, float(metadata.get("ExposureTime", LONGEST_US)) * float(gain))


def _exposure_us(light: float, mains_hz: int, least_gain: float, most_gain: float, frame_us: int) -> float:
    """Whole half periods where there is not too much light for a single one; longer where gain alone does not do."""
    brightest_us = light / least_gain
    if brightest_us < half_period_us(mains_hz):
        return brightest_us
    darkest_us = light / most_gain
    half_us = half_period_us(mains_hz)
    needed_us = math.ceil(darkest_us / half_us - 1e-6) * half_us
    wanted_us = min(brightest_us, max(LONGEST_US, needed_us))
    return whole_half_periods_us(mains_hz, wanted_us=wanted_us, longest_us=frame_us)


@dataclass(frozen=True, kw_only=True)
class _Told:
    name: str
    meant: float
    within: float
    unit: str = ""

    def obeyed(self, value: float) -> bool:
        return abs(value - self.meant) <= self.within


class Obedience:
    """Whether a camera does what it was told, read from the metadata of its frames."""

    def __init__(self, lock: Lock, limits: Limits) -> None:
        told = [
            _Told(name="ExposureTime", meant=lock.exposure_us, within=max(60.0, 0.02 * lock.exposure_us), unit=" µs"),
            _Told(name="AnalogueGain", meant=lock.gain, within=0.08 * lock.gain),
            _Told(name="FrameDuration", meant=lock.frame_us, within=0.02 * lock.frame_us, unit=" µs"),
        ]
        if lock.lens_position is not None:
            told.append(_Told(name="LensPosition", meant=lock.lens_position, within=0.15, unit=" dioptres"))
        self._told, self._colour_gains = told, lock.colour_gains
        needed = [name for name in lock.controls() if name in ("ExposureTime", "AnalogueGain", "LensPosition")]
        self._lacking = [name for name in needed if name not in limits.advertised]
        self._frames = 0
        self._against: dict[str, int] = {}
        self.settled = False
        """Whether all has been obeyed, or could have been by now."""

    def lacking(self) -> str | None:
        """What the camera does not let us lock, in a few words; None: nothing that matters."""
        return " and ".join(self._lacking) or None

    def frame(self, metadata: Mapping[str, Any]) -> list[str]:
        """What has not been obeyed for some frames, told once until it is obeyed again."""
        self._frames += 1
        compared = self._compared(metadata)
        if self._frames >= TAKES_FRAMES or all(obeyed for *_, obeyed in compared):
            self.settled = True
        if self._frames <= TAKES_FRAMES:
            return []
        complaints = []
        for name, meant, value, obeyed in compared:
            self._against[name] = 0 if obeyed else self._against.get(name, 0) + 1
            if self._against[name] == UNWILLING_FRAMES:
                complaints.append(f"{name} is {value}, not {meant}")
        return complaints

    def _compared(self, metadata: Mapping[str, Any]) -> Sequence[tuple[str, str, str, bool]]:
        compared = [
            (one.name, f"{one.meant:.5g}{one.unit}", f"{metadata[one.name]:.5g}", one.obeyed(metadata[one.name]))
            for one in self._told
            if metadata.get(one.name) is not None
        ]
        gains, meant = metadata.get("ColourGains"), self._colour_gains
        if gains is not None and meant is not None:
            obeyed = all(abs(gain - wish) <= 0.03 * wish for gain, wish in zip(gains, meant, strict=True))
            compared.append(("ColourGains", "{:.2f}, {:.2f}".format(*meant), "{:.2f}, {:.2f}".format(*gains), obeyed))
        return compared
