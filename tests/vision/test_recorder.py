"""The recorder: what it writes can be read back at any time, and nothing else is written."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.observation import Frame
from vision.recorder import Recorder, draft_of
from vision.recording import Header, RecordedDecision, RecordedEvent, RecordedPress, Recording, Start

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

WIDTH, HEIGHT = 64, 48
MS = 1_000_000


def picture(brightness: int, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.uint8]:
    return np.full((height, width, 3), brightness, np.uint8)


def read_frames(folder: Path) -> list[Frame]:
    return list(Recording.open(folder).frames(lambda bad: pytest.fail(str(bad))))


def frame_at(t_ns: int, brightness: int = 100, exposure_ns: int = 0) -> Frame:
    return Frame(index=0, start_ns=t_ns, end_ns=t_ns + exposure_ns, image=picture(brightness))


def test_what_is_recorded_can_be_read_back(tmp_path: Path) -> None:
    header = Header.model_validate_json(
        '{"format": 1, "board_size": 5, "black_side": "left", "frame_size": [64, 48], "ruleset": "renju", '
        '"corners": [[10, 5], [50, 6.5], [52, 40], [8, 41]], "licence": "made for this test", '
        '"start": {"stones": [".....", ".....", ".....", "..B.W", "W...."], "to_move": "black"}}'
    )
    start = 5_000_000_000_000
    with Recorder(tmp_path / "new/game", header, start_ns=start, jpeg_quality=95) as recorder:
        names = [
            recorder.frame(frame_at(start, 50)),
            recorder.frame(frame_at(start + 39_600_000, 150, exposure_ns=20_000_000)),
        ]
        recorder.event(RecordedPress(t_ns=start + 120 * MS, seat="first"))
        recorder.event(RecordedDecision(t_ns=start + 120_400_000, payload={"choice": "confirm", "note": "裁判"}))
        recorder.event(RecordedPress(t_ns=start + 332_500_000, seat="second"))
        names.append(recorder.frame(frame_at(start + 3_600_000_000_000, 250)))
    assert names == ["000000000.jpg", "000000050.jpg", "003600000.jpg"]  # 39.6 + 20 / 2 = 49.6 ms
    recording = Recording.open(tmp_path / "new/game")
    assert recording.header == header
    assert recording.header.start == Start(stones=(".....",) * 3 + ("..B.W", "W...."), to_move="black")
    assert recording.events == (
        RecordedPress(t_ns=120 * MS, seat="first"),
        RecordedDecision(t_ns=120 * MS, payload={"choice": "confirm", "note": "裁判"}),
        RecordedPress(t_ns=333 * MS, seat="second"),
    )
    frames = read_frames(tmp_path / "new/game")
    assert [f.instant_ns for f in frames] == [0, 50 * MS, 3_600_000 * MS]
    assert [float(f.image.mean()) for f in frames] == pytest.approx([50, 150, 250], abs=1)


HEADER_ONLY = Header(format=1, board_size=15, black_side="bottom")


@settings(max_examples=25)
@given(
    notes=st.lists(
        st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"])).filter(lambda key: key not in ("t_ms", "type")),
            st.none()
            | st.booleans()
            | st.integers(-(2**60), 2**60)
            | st.text(st.characters(exclude_categories=["Cs"])),
        ),
        max_size=5,
    )
)
def test_any_decision_survives(notes: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Recorder(folder, HEADER_ONLY) as recorder:
            recorder.frame(frame_at(0))
            events = [RecordedDecision(t_ns=i * MS, payload=note) for i, note in enumerate(notes)]
            for event in events:
                recorder.event(event)
        assert list(Recording.open(folder).events) == events


def test_recording_under_way_is_readable(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, HEADER_ONLY)
    recorder.frame(frame_at(0))
    recorder.event(RecordedPress(t_ns=7 * MS, seat="second"))
    assert Recording.open(tmp_path).events == (RecordedPress(t_ns=7 * MS, seat="second"),)
    recorder.close()


def test_quality_is_a_choice(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)

    def size(quality: int) -> int:
        with Recorder(tmp_path / str(quality), HEADER_ONLY, jpeg_quality=quality) as recorder:
            name = recorder.frame(Frame(index=0, start_ns=0, end_ns=0, image=noise))
        return (tmp_path / str(quality) / "frames" / name).stat().st_size

    assert size(30) < size(60) < size(95)


def test_a_recording_is_not_overwritten(tmp_path: Path) -> None:
    with Recorder(tmp_path, HEADER_ONLY) as recorder:
        recorder.frame(frame_at(0))
        recorder.event(RecordedPress(t_ns=0, seat="first"))
    with pytest.raises(FileExistsError, match="holds a recording already; choose another folder"):
        Recorder(tmp_path, HEADER_ONLY)
    assert len(Recording.open(tmp_path).events) == 1


WRONG: dict[str, tuple[Callable[[Recorder], object], str]] = {
    "frame at the same millisecond": (
        lambda r: r.frame(frame_at(1000 * MS + 400_000)),
        "a frame at 1000 ms cannot follow one at 1000 ms",
    ),
    "frame before the start": (lambda r: r.frame(frame_at(-1)), "before the recording's start"),
    "frame of another size": (
        lambda r: r.frame(Frame(index=0, start_ns=2000 * MS, end_ns=2000 * MS, image=picture(0, 32, 24))),
        "a frame of 32 x 24 pixels in a recording of",
    ),
    "event going back": (
        lambda r: r.event(RecordedPress(t_ns=999 * MS, seat="first")),
        "an event at 999 ms cannot follow one at 1000 ms",
    ),
    "event of no kind": (lambda r: r.event(RecordedEvent(t_ns=2000 * MS)), "is neither press nor decision"),
    "payload no JSON": (
        lambda r: r.event(RecordedDecision(t_ns=2000 * MS, payload={"x": float("nan")})),
        "not JSON compliant",
    ),
}


@pytest.mark.parametrize(("act", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_could_not_be_read_back_is_not_written(
    tmp_path: Path, act: Callable[[Recorder], object], message: str
) -> None:
    header = HEADER_ONLY.model_copy(update={"frame_size": (WIDTH, HEIGHT)})
    with Recorder(tmp_path, header) as recorder:
        recorder.frame(frame_at(1000 * MS))
        recorder.event(RecordedPress(t_ns=1000 * MS, seat="first"))
        with pytest.raises(ValueError, match=message):
            act(recorder)
    assert len(Recording.open(tmp_path).events) == 1
    assert [f.name for f in read_frames(tmp_path)] == ["000001000.jpg"]


def test_draft_takes_the_name_once_written(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"before")
    with draft_of(path) as draft:
        draft.write_bytes(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"
    assert list(tmp_path.iterdir()) == [path]


def test_draft_that_failed_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"before")

    def broken_off() -> None:
        with draft_of(path) as draft:
            draft.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
