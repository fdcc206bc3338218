"""The thread that looks: what the referee is told when the camera or the board gives trouble."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np
import pytest

from appliance.live.items import Ended, Item, Noted, Saw
from appliance.live.recent import Recent
from appliance.live.watcher import Watcher
from vision.camera_watch import CameraBack, CameraFault, CameraOver
from vision.observation import Frame
from vision.recording import BadFrame, Recording

if TYPE_CHECKING:
    from vision.camera import Happening

LONG_S = 60.0
S = 1_000_000_000


class Scripted:
    """A camera in which happens what is written, and then that it is over."""

    def __init__(self, *happening: Happening) -> None:
        self._coming = [*happening, CameraOver(t_ns=0)]
        self.closed = False

    def next(self, wait_s: float) -> Happening | None:  # noqa: ARG002
        return self._coming.pop(0)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def recording() -> Recording:
    return Recording.open(Path(__file__).parents[2] / "fixtures" / "recordings" / "quiet-opening")


@pytest.fixture(scope="module")
def frames(recording: Recording) -> list[Frame]:
    return [frame for _, frame in zip(range(6), recording.frames(lambda bad: None), strict=False)]


def told(recording: Recording, *happening: Happening) -> list[Item]:
    camera, heard = Scripted(*happening), SimpleQueue[Item]()
    watcher = Watcher(
        lambda: camera,  # type: ignore[arg-type, return-value]
        heard.put,
        corners=None,
        black_side=recording.header.black_side,
        size=15,
        rows=["." * 15] * 15,
        frame_error_ns=0,
        game_ns=lambda at_ns: at_ns + S,
        before=lambda t_ns: None,
        recent=Recent(),
    )
    with closing(watcher):
        watcher.start()
        items: list[Item] = []
        while not items or not isinstance(items[-1], Ended):
            items.append(heard.get(timeout=LONG_S))
    assert camera.closed
    assert items[-1] == Ended(why="the recording is over", over=True)
    return items[:-1]


def notes(items: list[Item]) -> list[tuple[str, bool | None]]:
    return [(one.about, one.stands) for one in items if isinstance(one, Noted)]


def test_frames_are_told_in_game_time(recording: Recording, frames: list[Frame]) -> None:
    items = told(recording, *frames)
    assert [one.t_ns for one in items if isinstance(one, Saw)] == [frame.instant_ns + S for frame in frames]
    assert notes(items) == []


def test_a_camera_that_stops_and_sees_again(recording: Recording, frames: list[Frame]) -> None:
    items = told(
        recording,
        frames[0],
        CameraFault(t_ns=0, what="the camera has stopped: no picture comes: check its cable"),
        BadFrame(name="7.jpg", t_ns=7, reason="cannot be decoded"),
        CameraBack(t_ns=0, outage_ns=2_340_000_000),
        frames[1],
    )
    assert notes(items) == [("camera", True), ("camera", None), ("camera", False)]
    texts = [one.text for one in items if isinstance(one, Noted)]
    assert texts[0] == "sees nothing: the camera has stopped: no picture comes: check its cable"
    assert "7.jpg" in texts[1]
    assert texts[2] == "sees again, after 2.3 s"
    assert sum(isinstance(one, Saw) for one in items) == 2


def test_a_board_that_is_not_found_is_told_once_and_looked_for_again(recording: Recording, frames: list[Frame]) -> None:
    table = [replace(frames[0], image=np.full_like(frames[0].image, 90), start_ns=n, end_ns=n) for n in (0, 9, 2 * S)]
    later = [replace(frame, start_ns=4 * S + n, end_ns=4 * S + n) for n, frame in enumerate(frames)]
    items = told(recording, *table, *later)
    assert notes(items) == [("board", True), ("board", False)]
    first = next(one for one in items if isinstance(one, Noted))
    assert first.text.endswith("clear it, or give its corners")
    assert sum(isinstance(one, Saw) for one in items) == len(frames)


def test_pictures_of_another_size_are_told_and_left_out(recording: Recording, frames: list[Frame]) -> None:
    small = replace(frames[1], image=np.ascontiguousarray(frames[1].image[::2, ::2]))
    items = told(recording, frames[0], small, small, *frames[2:4])
    assert notes(items) == [("camera's size", True), ("camera's size", False)]
    assert [one.t_ns - S for one in items if isinstance(one, Saw)] == [frames[n].instant_ns for n in (0, 2, 3)]
