"""A real camera process that dies, hangs and sends garbage; nothing waits for it, and nothing is left of it."""

from __future__ import annotations

import gc
import os
import random
import select
import signal
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from appliance.game.position import Position
from appliance.game.ruleset import load_ruleset
from appliance.referee import Referee, board_order, press_of
from appliance.replaying import Replay, find_board
from tests.vision.cameras import MS, Source, Trouble, numbered
from vision.camera import Camera
from vision.camera_watch import SECOND_NS, CameraBack, CameraFault, CameraOver, Patience
from vision.observation import Frame
from vision.recorded_source import Pace, RecordedEvents, RecordedSource
from vision.recording import BadFrame, RecordedPress, Recording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vision.camera import Happening

SOON = Patience(silence_ns=SECOND_NS // 2, retry_ns=MS)
LONG_S = 60.0
"""What a test waits at most for the next thing to happen."""
ROOT = Path(__file__).parents[2]


def happenings(camera: Camera, enough: Callable[[Happening], bool]) -> list[Happening]:
    """What happens until it is enough."""
    happened: list[Happening] = []
    while not happened or not enough(happened[-1]):
        now = camera.next(LONG_S)
        assert now is not None, happened
        happened.append(now)
    return happened


def frames(happened: list[Happening]) -> Iterator[Frame]:
    return (one for one in happened if isinstance(one, Frame))


def numbers(happened: list[Happening]) -> list[int]:
    return [frame.index for frame in frames(happened)]


def gone(pid: int) -> Callable[[], bool]:
    """Whether a process that runs now is gone soon; to be asked once."""
    poll, fd = select.poll(), os.pidfd_open(pid)
    poll.register(fd, select.POLLIN)

    def is_gone() -> bool:
        ended = bool(poll.poll(LONG_S * 1000))
        os.close(fd)
        return ended

    return is_gone


def test_all_frames_come_as_they_were_taken_and_then_the_end() -> None:
    with closing(Camera(Source(last=20))) as camera:
        happened = happenings(camera, lambda one: isinstance(one, CameraOver))
        assert numbers(happened) == list(range(1, 21))
        assert [one for one in happened if not isinstance(one, Frame)] == happened[-1:]
        for frame in frames(happened):
            expected = numbered(frame.index)
            np.testing.assert_array_equal(frame.image, expected.image)
            assert (frame.start_ns, frame.end_ns, frame.name) == (expected.start_ns, expected.end_ns, expected.name)
            assert not frame.image.flags.writeable
        assert (camera.dropped, camera.pid, camera.next(0)) == (0, None, None)


@pytest.mark.parametrize(
    ("trouble", "what"),
    [
        (Trouble.DIES, "the camera's process has ended (SIGKILL)"),
        (Trouble.HANGS, "the camera has stopped: no picture comes: check its cable"),
        (Trouble.FAULT, "no camera: plug it in"),
        (
            Trouble.DRIVER,
            "the camera's driver failed (RuntimeError('Control X is not advertised by libcamera')): report this error",
        ),
        (
            Trouble.GARBAGE,
            r"the camera's process sent garbage (b'\xff\x00[1, 2\n' is no message): report this error",
        ),
        (
            Trouble.ENDLESS_LINE,
            "the camera's process sent garbage (a line without an end): report this error",
        ),
        (Trouble.NO_SUCH_SLOT, "the camera has stopped: no picture comes: check its cable"),
        (
            Trouble.FROZEN,
            "the camera has stopped: each picture is the picture of the one before again, to the last pixel: "
            "check its cable",
        ),
        (
            Trouble.FROZEN_AND_FAST,
            "the camera has stopped: each picture is the picture of the one before again, to the last pixel: "
            "check its cable",
        ),
        (
            Trouble.BACK_IN_TIME,
            "the camera has stopped: each picture is not later than the one before: check its cable",
        ),
        (
            Trouble.OTHER_SIZE,
            "the camera has stopped: each picture is 10 x 48 pixels, not 64 x 48 like the first: check its cable",
        ),
    ],
)
def test_trouble_is_told_once_and_the_camera_started_again(trouble: Trouble, what: str) -> None:
    with closing(Camera(Source(trouble), patience=SOON)) as camera:
        happened = happenings(camera, lambda one: isinstance(one, CameraBack))
        happened += happenings(camera, lambda one: isinstance(one, Frame) and one.index >= 8)
        assert numbers(happened) == list(range(1, 9))
        assert [one.what for one in happened if isinstance(one, CameraFault)] == [what]
        assert all(isinstance(one, (Frame, BadFrame, CameraFault, CameraBack)) for one in happened)


@pytest.mark.parametrize(
    ("number", "what"),
    [
        (signal.SIGKILL, "the camera's process has ended (SIGKILL)"),
        (signal.SIGSTOP, "the camera has stopped: no picture comes: check its cable"),
    ],
)
def test_a_process_killed_or_stopped_from_outside_is_replaced(number: signal.Signals, what: str) -> None:
    with closing(Camera(Source(), patience=SOON)) as camera:
        happened = happenings(camera, lambda one: isinstance(one, Frame) and one.index == 5)
        assert camera.pid is not None
        is_gone = gone(camera.pid)
        os.kill(camera.pid, number)
        happened += happenings(camera, lambda one: isinstance(one, CameraBack))
        assert is_gone()
        assert [one.what for one in happened if isinstance(one, CameraFault)] == [what]
        after = happenings(camera, lambda one: isinstance(one, Frame))
        last = numbers(happened)[-1]
        assert numbers(happened) == list(range(1, last + 1))
        assert numbers(after)[0] == last + 1


def test_a_picture_in_use_is_never_written_over() -> None:
    """A camera that waits for nobody, and a reader that keeps some pictures for long."""
    with closing(Camera(Source(last=400, as_taken=False, height=720))) as camera:
        kept: list[tuple[int, np.ndarray]] = []
        choice = random.Random(1)
        seen = 0
        while not isinstance(one := camera.next(LONG_S), CameraOver):
            assert isinstance(one, Frame)
            seen += 1
            kept.append((one.index, one.image[100:200:3]))  # a view is enough to keep it
            for index, view in kept:
                assert np.all(view == index % 251)
            if len(kept) > 20:
                kept.pop(choice.randrange(len(kept)))
        assert seen + camera.dropped == 400
        assert seen > 20


def test_pictures_stay_when_the_camera_is_gone() -> None:
    with closing(Camera(Source(Trouble.DIES), patience=SOON)) as camera:
        first = camera.next(LONG_S)
        happenings(camera, lambda one: isinstance(one, CameraBack))
    assert isinstance(first, Frame)
    assert np.all(first.image == 1)


def open_files() -> list[str]:
    """What this process has open, but for what it opens to find that out."""
    opened = []
    for file in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            opened.append(str(file.readlink()))
    return sorted(opened)


def test_nothing_is_left_of_processes_that_were_killed() -> None:
    gc.collect()
    before = open_files()
    with closing(Camera(Source(), patience=Patience(retry_ns=1))) as camera:
        for _ in range(3):
            happenings(camera, lambda one: isinstance(one, Frame))
            assert camera.pid is not None
            os.kill(camera.pid, signal.SIGKILL)
            happenings(camera, lambda one: isinstance(one, CameraBack))
    gc.collect()
    assert open_files() == before


BOX = """
import os, signal, sys
from tests.vision.cameras import Source
from vision.camera import Camera
camera = Camera(Source())
camera.next(60)
print(camera.pid, flush=True)
if sys.argv[1] == "stopped":
    os.kill(camera.pid, signal.SIGSTOP)
    print("stopped", flush=True)
signal.pause()
"""


@pytest.mark.parametrize("state", ["running", "stopped"])
def test_the_process_does_not_outlive_a_box_that_is_killed(state: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BOX, state], stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": "."}
    ) as box:
        assert box.stdout is not None
        is_gone = gone(int(box.stdout.readline()))
        if state == "stopped":
            assert box.stdout.readline() == b"stopped\n"
        box.kill()
    assert is_gone()


def test_a_recording_through_the_camera_is_refereed_as_by_replay(fixtures: Path) -> None:
    recording = Recording.open(fixtures / "recordings" / "press-before-stone")
    header, ruleset = recording.header, load_ruleset("renju")
    assert header.frame_size is not None
    assert header.start is not None
    replay = Replay(recording, ruleset)
    list(replay)
    corners = board_order(find_board(recording), header.black_side)
    referee = Referee(ruleset, corners, header.frame_size, start=Position.from_rows(header.start.stones))
    pace = Pace(at_ns=0, speed=float("inf"))
    events = RecordedEvents(recording.events, pace)
    with closing(Camera(RecordedSource(folder=recording.folder, pace=pace))) as camera:
        while not isinstance(one := camera.next(LONG_S), CameraOver):
            assert isinstance(one, Frame)
            for event in events.until(one.instant_ns):
                assert isinstance(event, RecordedPress)
                referee.press(press_of(event))
            referee.see(one)
    referee.finish()
    assert referee.arbiter.rulings == replay.referee.arbiter.rulings
    assert [ruling.code for ruling in referee.arbiter.rulings] == ["press_before_placing"]


def test_the_box_itself_was_held_up_and_accuses_no_camera() -> None:
    """What nobody listened to for an hour cannot be called silent."""
    now = 0
    with closing(Camera(Source(good=2, trouble=Trouble.HANGS), now=lambda: now)) as camera:
        happenings(camera, lambda one: isinstance(one, Frame) and one.index == 2)
        now += 3600 * SECOND_NS
        assert camera.next(0) is None
        for _ in range(3):
            now += SECOND_NS // 2
            assert camera.next(0) is None
        now += SECOND_NS // 2
        assert isinstance(camera.next(0), CameraFault)  # by now it was listened to for 2 s
