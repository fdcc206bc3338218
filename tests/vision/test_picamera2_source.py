"""The Pi's camera through a double for picamera2 that hangs, lies and loses frames: in a real camera process what may
hang it, and in made-up time what its frames are worth.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.vision.doubles import picamera2 as double
from vision.camera import Camera
from vision.camera_watch import SECOND_NS, CameraBack, CameraFault, Patience
from vision.locking import Wish
from vision.observation import Frame
from vision.picamera2_source import Picamera2Source
from vision.sources import Remark, SourceFault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.camera import Happening
    from vision.sources import Given

MS = 1_000_000
SOON = Patience(start_ns=10 * SECOND_NS, silence_ns=SECOND_NS, retry_ns=MS)
FPS = 50.0
STEP_NS = 20 * MS
SIGHT_NS = (20_000 - 7 + double.READOUT_US) * 1000
"""The exposure, of which the camera takes 7 µs less, and then the read-out of all rows."""
ON_THE_WAY_NS = double.READOUT_US * 1000 + double.PIPELINE_NS
"""From a frame's stamp until it comes."""
LONG_S = 60.0
"""What a test waits at most for the next thing to happen."""
LOCKED = "locked: exposure 20.0 ms, gain 1.7, 50 frames a second, focus 2.50 dioptres; mains of 50 Hz, as was said"
"""What the automatics let in, 17 ms at gain 2, is kept: two half periods of 50 Hz at gain 1.7."""
LATE = (
    "its frames come late by more than 0.1 s, as on a machine that is too busy: when they were seen is less well known"
)
DISBELIEVED = (
    "its stamps do not fit this box's clock: when a frame was seen is known by its arrival alone, to a second or so"
)


class MadeUpTime:
    """In place of the module ``time``: it goes by when somebody sleeps."""

    CLOCK_BOOTTIME = time.CLOCK_BOOTTIME

    def __init__(self) -> None:
        self._now_ns = 1_000 * SECOND_NS
        self.asleep_ns = 0

    def begin_again(self) -> None:
        self._now_ns = 1_000 * SECOND_NS

    def monotonic_ns(self) -> int:
        return self._now_ns

    def sleep(self, seconds: float) -> None:
        self._now_ns += round(seconds * 1e9)

    def clock_gettime_ns(self, clock: int) -> int:
        assert clock == self.CLOCK_BOOTTIME
        return self._now_ns + self.asleep_ns


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Has picamera2 replaced, in the camera's process too, and says what goes wrong there."""
    monkeypatch.syspath_prepend(str(Path(double.__file__).parent))
    monkeypatch.setitem(sys.modules, "picamera2", double)
    monkeypatch.setenv(double.ENVIRONMENT, str(tmp_path / "trouble"))

    def tell(what: str = "", after: int = 0, mains_hz: int = 0) -> None:
        told = {"what": what, "after": after, "mains_hz": mains_hz}
        Path(os.environ[double.ENVIRONMENT]).write_text(json.dumps(told))

    return tell


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUpTime:
    made_up = MadeUpTime()
    monkeypatch.setattr("vision.picamera2_source.time", made_up)
    monkeypatch.setattr(double, "time", made_up)
    return made_up


def source(*, mains_hz: int | None = 50, width: int = 64, device: int = 0) -> Picamera2Source:
    return Picamera2Source(wish=Wish(fps=FPS, mains_hz=mains_hz), width=width, height=48, device=device)


def given(source: Picamera2Source, frames: int) -> list[Given]:
    """All that comes until so many frames were looked at."""
    coming = source.frames(None)
    told: list[Given] = []
    while sum(isinstance(one, Frame) for one in told) < frames:
        told += islice(coming, 1)
    return told


def watched(source: Picamera2Source, enough: Callable[[Happening], bool]) -> list[Happening]:
    """What happens with a camera's process until it is enough."""
    with closing(Camera(source, patience=SOON)) as camera:
        return happenings(camera, enough)


def happenings(camera: Camera, enough: Callable[[Happening], bool]) -> list[Happening]:
    happened: list[Happening] = []
    while not happened or not enough(happened[-1]):
        now = camera.next(LONG_S)
        assert now is not None, happened
        happened.append(now)
    return happened


def remark(beginning: str) -> Callable[[Happening], bool]:
    return lambda one: isinstance(one, Remark) and one.what.startswith(beginning)


def remarks(told: Sequence[Happening | Given]) -> list[str]:
    return [one.what for one in told if isinstance(one, Remark)]


def frames(told: Sequence[Happening | Given]) -> list[Frame]:
    return [one for one in told if isinstance(one, Frame)]


def steps(frames: Sequence[Frame]) -> list[int]:
    return [after.start_ns - before.start_ns for before, after in pairwise(frames)]


def width(frame: Frame) -> int:
    return frame.end_ns - frame.start_ns


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("no camera", "there is no camera 0 that can be opened (No camera number 0 found - use "),
        ("busy", "there is no camera 0 that can be opened (Failed to acquire camera: Device or resource busy)"),
        ("other format", "the camera gives MJPEG, which cannot be read: choose another camera"),
        ("cable loose", "the camera has stopped: no picture comes: check its cable"),
        ("wrong array", "the camera has stopped: each picture is an array of (48, 64), no RGB888 of 64 x 48 pixels"),
    ],
)
def test_what_cannot_go_on_is_told_once_and_begun_anew(trouble: Callable[..., None], what: str, why: str) -> None:
    trouble(what, after=30)
    happened = watched(source(), lambda one: isinstance(one, CameraBack))
    faults = [one.what for one in happened if isinstance(one, CameraFault)]
    assert len(faults) == 1
    assert faults[0].startswith(why)


def test_a_cable_that_was_loose_before_the_first_frame(trouble: Callable[..., None]) -> None:
    trouble("cable loose")
    patience = Patience(start_ns=3 * SECOND_NS, silence_ns=SECOND_NS, retry_ns=MS)
    with closing(Camera(source(), patience=patience)) as camera:
        happened = happenings(camera, lambda one: isinstance(one, Frame))
    assert [one.what for one in happened if isinstance(one, CameraFault)] == [
        "the camera does not start: no picture comes: check its cable"
    ]


def test_after_an_outage_it_is_locked_as_before(trouble: Callable[..., None]) -> None:
    trouble("cable loose", after=60, mains_hz=60)
    happened = watched(source(mains_hz=None), remark("locked as before"))
    first, again = remarks(happened)
    assert first.startswith("locked: exposure 16.7 ms")
    # The lamps do not flicker any more, but that is not asked again.
    assert again == first.replace("locked: ", "locked as before: ")
    assert any(isinstance(one, CameraFault) for one in happened)


def test_between_games_the_light_is_learned_anew(trouble: Callable[..., None]) -> None:
    trouble(mains_hz=60)
    with closing(Camera(source(mains_hz=None))) as camera:
        happened = happenings(camera, lambda one: isinstance(one, Frame))
        camera.relearn()
        happened += happenings(camera, remark("locked"))
        happened += happenings(camera, lambda one: isinstance(one, Frame))
    assert not any(isinstance(one, (CameraFault, CameraBack)) for one in happened)
    first, again = remarks(happened)
    assert first.endswith("; lamps on 60 Hz flicker")
    assert again.startswith("locked: exposure 20.0 ms")
    numbers = [frame.index for frame in frames(happened)]
    assert numbers == sorted(set(numbers))


def test_without_picamera2_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceFault, match=r"^picamera2 cannot be used \(.+\): install it as the README's Camera says$"):
        next(source().frames(None))


def test_the_box_itself_never_imports_it() -> None:
    code = "import sys, appliance.live.running; sys.exit('picamera2' in sys.modules or 'libcamera' in sys.modules)"
    path = os.pathsep.join([str(Path(double.__file__).parent), *sys.path])
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, check=True)


@pytest.mark.usefixtures("made_up")
class TestInMadeUpTime:
    """What comes of frames, whatever the machine has to do meanwhile."""

    def test_frames_are_stamped_by_the_sensor_and_everything_is_locked(self, trouble: Callable[..., None]) -> None:
        trouble()
        told = given(source(), 40)
        seen = frames(told)
        assert remarks(told) == [LOCKED]
        assert [frame.index for frame in seen] == list(range(1, 41))
        assert {width(frame) for frame in seen} == {SIGHT_NS}
        assert set(steps(seen)) == {STEP_NS}

    @pytest.mark.parametrize(("mains_hz", "exposure_ms"), [(50, "20.0"), (60, "16.7")])
    def test_the_lamps_are_measured(self, trouble: Callable[..., None], mains_hz: int, exposure_ms: str) -> None:
        trouble(mains_hz=mains_hz)
        told = given(source(mains_hz=None, width=128), 5)
        assert f"exposure {exposure_ms} ms" in remarks(told)[0]
        assert remarks(told)[0].endswith(f"; lamps on {mains_hz} Hz flicker")
        # No flicker is left in what comes now: all rows are as bright as one another.
        rows = frames(told)[-1].image.mean(axis=(1, 2))
        assert rows.max() - rows.min() < 1.0

    def test_without_flicker_it_is_said_what_is_assumed(self, trouble: Callable[..., None]) -> None:
        trouble()
        assert remarks(given(source(mains_hz=None), 1)) == [LOCKED.replace("as was said", "as nothing else is known")]

    def test_stamps_that_count_the_machines_sleep_are_converted(
        self, trouble: Callable[..., None], made_up: MadeUpTime
    ) -> None:
        trouble()
        awake = frames(given(source(), 3))
        trouble("boottime")
        made_up.begin_again()
        made_up.asleep_ns = 3600 * SECOND_NS
        told = given(source(), 3)
        assert remarks(told) == [LOCKED]
        assert [(frame.start_ns, frame.end_ns) for frame in frames(told)] == [
            (frame.start_ns, frame.end_ns) for frame in awake
        ]

    def test_what_the_camera_does_not_obey_is_said_once(self, trouble: Callable[..., None]) -> None:
        trouble("not obeyed", after=40)
        assert remarks(given(source(), 60)) == [
            LOCKED,
            "does not do as it was told: ExposureTime is 32993, not 20000 µs",
        ]

    def test_a_camera_without_focus_is_locked_as_well(self, trouble: Callable[..., None]) -> None:
        trouble("no lens")
        assert remarks(given(source(), 1)) == [LOCKED.replace(", focus 2.50 dioptres", "")]

    def test_another_size_than_asked_for_is_said(self, trouble: Callable[..., None]) -> None:
        trouble("other size")
        told = given(source(), 1)
        assert remarks(told) == ["gives 32 x 24 pixels, not 64 x 48 as asked", LOCKED]
        assert frames(told)[0].image.shape == (24, 32, 3)

    @pytest.mark.parametrize("what", ["other clock", "no stamp"])
    def test_stamps_of_another_clock_are_not_believed(
        self, trouble: Callable[..., None], made_up: MadeUpTime, what: str
    ) -> None:
        trouble()
        true = frames(given(source(), 12))
        trouble(what)
        made_up.begin_again()
        told = given(source(), 12)
        assert remarks(told) == [LOCKED, DISBELIEVED]
        for frame, one in zip(frames(told), true, strict=True):
            assert frame.start_ns <= one.start_ns
            assert frame.end_ns == one.end_ns + double.PIPELINE_NS
        # On the way for 0.4 s at most, as is assumed, in one of six buffers that are filled in turn.
        assert width(frames(told)[-1]) <= 400 * MS + 20 * MS + 7 * STEP_NS

    @pytest.mark.parametrize(("what", "said"), [("jump ahead", DISBELIEVED), ("jump back", LATE)])
    def test_stamps_that_jump_are_not_believed_any_more(
        self, trouble: Callable[..., None], made_up: MadeUpTime, what: str, said: str
    ) -> None:
        trouble()
        true = {frame.index: frame for frame in frames(given(source(), 80))}
        trouble(what, after=40)
        made_up.begin_again()
        told = given(source(), 80)
        assert remarks(told) == [LOCKED, said]
        seen = frames(told)
        assert [width(frame) for frame in seen[:10]] == [SIGHT_NS] * 10
        assert all(width(frame) > SIGHT_NS for frame in seen[-20:])
        for frame in seen:
            assert frame.start_ns <= true[frame.index].start_ns
            assert true[frame.index].end_ns <= frame.end_ns

    def test_stamps_that_fit_again_are_believed_again(self, trouble: Callable[..., None]) -> None:
        trouble("jump for a while", after=40)
        told = given(source(), 100)
        assert remarks(told) == [LOCKED, DISBELIEVED, "its stamps fit this box's clock again"]
        assert width(frames(told)[-1]) == SIGHT_NS

    def test_frames_that_come_late_keep_the_sensors_instant(self, trouble: Callable[..., None]) -> None:
        trouble("late", after=40)
        told = given(source(), 80)
        assert remarks(told) == [LOCKED]
        assert all(step % STEP_NS == 0 for step in steps(frames(told)))
        # A stamp may be wrong when a frame comes so late; then it was seen by its arrival.
        assert {width(frame) for frame in frames(told)} == {SIGHT_NS, 20_000_000 - 7_000 + ON_THE_WAY_NS + 300 * MS}

    def test_between_frames_that_are_lost_more_time_goes_by(self, trouble: Callable[..., None]) -> None:
        trouble("dropped", after=40)
        told = given(source(), 60)
        assert steps(frames(told))[-6:] in ([STEP_NS, 2 * STEP_NS] * 3, [2 * STEP_NS, STEP_NS] * 3)

    def test_many_lost_frames_are_said_once(self, trouble: Callable[..., None]) -> None:
        trouble("dropped", after=10)
        assert remarks(given(source(), 1000)) == [LOCKED, "only 33.3 frames a second come, not 50"]

    def test_another_light_is_said_in_a_game_and_changes_nothing(self, trouble: Callable[..., None]) -> None:
        trouble("bright", after=40)
        assert remarks(given(source(), 400)) == [
            LOCKED,
            "the light has changed, 1.8 times as bright: begin the next game under this one",
        ]

    def test_a_frame_given_twice_keeps_its_instant(self, trouble: Callable[..., None]) -> None:
        """The box then leaves it out: it is not later than the one before."""
        trouble("repeated", after=30)
        assert 0 in steps(frames(given(source(), 30)))
