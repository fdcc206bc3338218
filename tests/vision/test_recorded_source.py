"""A recording as a camera: when each thing happens again, and where it goes on."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.observation import Frame
from vision.recorded_source import LIFE_SIGN_NS, Pace, RecordedEvents, RecordedSource
from vision.recording import BadFrame, RecordedDecision, RecordedPress, Recording
from vision.sources import Place, SourceFault

if TYPE_CHECKING:
    from pathlib import Path

S = 1_000_000_000
INF = float("inf")


@pytest.fixture(scope="module")
def recording(fixtures: Path) -> Recording:
    return Recording.open(fixtures / "recordings" / "quiet-opening")


@pytest.mark.parametrize(
    ("speed", "due_ns", "later_ns"),
    [(1.0, 1005 * S, 1005 * S), (10.0, 1000 * S + S // 2, 1050 * S), (0.5, 1010 * S, 0)],
)
def test_the_pace(speed: float, due_ns: int, later_ns: int) -> None:
    """What was recorded at 20 s happens at 1000 s of the monotonic clock."""
    pace = Pace(at_ns=1000 * S, begin_ns=20 * S, speed=speed)
    assert pace.instant_ns(25 * S) == 1005 * S
    assert pace.recorded_ns(1005 * S) == 25 * S
    assert pace.due_ns(25 * S) == due_ns
    assert pace.now_ns(due_ns) == 1005 * S
    if later_ns:
        assert pace.now_ns(1005 * S) == later_ns


def test_taken_frames_set_an_infinite_pace() -> None:
    pace = Pace(at_ns=7, speed=INF)
    assert pace.due_ns(10**15) == 7
    with pytest.raises(ValueError, match="no clock"):
        pace.now_ns(8)


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_time_goes_forward(speed: float) -> None:
    with pytest.raises(ValueError, match="does not go forward"):
        Pace(at_ns=0, speed=speed)


def played(source: RecordedSource, after: Place | None = None) -> list[Frame]:
    return [one for one in source.frames(after) if isinstance(one, Frame)]


def test_all_frames_at_the_boxs_instants(recording: Recording) -> None:
    source = RecordedSource(folder=recording.folder, pace=Pace(at_ns=5 * S, speed=INF))
    frames = played(source)
    recorded = list(recording.frames(lambda bad: None))
    assert [frame.instant_ns - 5 * S for frame in frames] == [frame.instant_ns for frame in recorded]
    assert [frame.index for frame in frames] == [frame.index for frame in recorded]
    assert all(np.array_equal(one.image, other.image) for one, other in zip(frames, recorded, strict=True))


def test_it_begins_at_a_given_instant_and_goes_on_after_an_outage(recording: Recording) -> None:
    recorded = list(recording.frames(lambda bad: None))
    begin_ns = recorded[10].instant_ns
    source = RecordedSource(folder=recording.folder, pace=Pace(at_ns=0, begin_ns=begin_ns, speed=INF))
    frames = played(source)
    assert [frame.index for frame in frames] == list(range(10, len(recorded)))
    assert frames[0].instant_ns == 0
    after = Place(index=20, instant_ns=recorded[20].instant_ns - begin_ns)
    assert [frame.index for frame in played(source, after)] == list(range(21, len(recorded)))


def test_what_happened_while_the_camera_was_away_is_not_seen(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = list(recording.frames(lambda bad: None))
    now_ns = [recorded[12].instant_ns + 1]
    monkeypatch.setattr(time, "monotonic_ns", lambda: now_ns[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now_ns.__setitem__(0, now_ns[0] + round(seconds * S)))
    source = RecordedSource(folder=recording.folder, pace=Pace(at_ns=0))
    assert [frame.index for frame in played(source)] == list(range(len(recorded)))  # late at first, but whole
    now_ns[0] = recorded[12].instant_ns + 1
    after = Place(index=3, instant_ns=recorded[3].instant_ns)
    assert [frame.index for frame in played(source, after)] == list(range(13, len(recorded)))


def test_each_frame_comes_when_it_is_due_with_signs_of_life_before(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_ns = [1000 * S]
    monkeypatch.setattr(time, "monotonic_ns", lambda: now_ns[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now_ns.__setitem__(0, now_ns[0] + round(seconds * S)))
    came: list[tuple[int, Frame | BadFrame | None]] = []
    for one in RecordedSource(folder=recording.folder, pace=Pace(at_ns=1000 * S, speed=0.1)).frames(None):
        came.append((now_ns[0], one))
    frames = [(at_ns, one) for at_ns, one in came if isinstance(one, Frame)]
    assert len(frames) == 52
    assert all(abs(at_ns - 1000 * S - 10 * (frame.instant_ns - 1000 * S)) <= 1 for at_ns, frame in frames)
    assert all(later - earlier <= LIFE_SIGN_NS for (earlier, _), (later, _) in pairwise(came))


def test_a_folder_that_is_no_recording_is_the_sources_fault(tmp_path: Path) -> None:
    source = RecordedSource(folder=tmp_path, pace=Pace(at_ns=0, speed=INF))
    with pytest.raises(SourceFault, match=r"recording\.json: no such file; name the folder of a recording"):
        next(source.frames(None))


def test_events_at_their_instants() -> None:
    events = [
        RecordedPress(t_ns=1 * S, seat="first"),
        RecordedPress(t_ns=2 * S, seat="second"),
        RecordedDecision(t_ns=3 * S, payload={"confirm": 1}),
        RecordedPress(t_ns=9 * S, seat="first"),
    ]
    coming = RecordedEvents(events, Pace(at_ns=100 * S, begin_ns=2 * S))
    assert coming.next_ns() == 100 * S
    assert coming.until(100 * S - 1) == []
    assert coming.until(101 * S) == [replace(events[1], t_ns=100 * S), replace(events[2], t_ns=101 * S)]
    assert coming.next_ns() == 107 * S
    assert coming.until(200 * S) == [replace(events[3], t_ns=107 * S)]
    assert (coming.next_ns(), coming.until(300 * S)) == (None, [])
