"""Recordings: read back what was written, and say in one line what is wrong with a broken one."""

from __future__ import annotations

import json
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.recording import (
    BadFrame,
    RecordedDecision,
    RecordedPress,
    Recording,
    RecordingError,
    Start,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.observation import Frame

WIDTH, HEIGHT = 64, 48
MS = 1_000_000
ROWS = ["....."] * 3 + ["..B.W", "W...."]
HEADER: dict[str, Any] = {
    "format": 1,
    "board_size": 5,
    "black_side": "left",
    "frame_size": [WIDTH, HEIGHT],
    "ruleset": "renju",
    "time_control": None,
    "corners": [[10, 5], [50, 6.5], [52, 40], [8, 41]],
    "start": {"stones": ROWS, "to_move": "black"},
    "licence": "made for this test",
}
EVENTS = (
    '{"t_ms": 120, "type": "press", "seat": "first"}\n'
    '{"t_ms": 120, "type": "decision", "choice": "confirm", "note": "裁判"}\n'
    '{"t_ms": 333, "type": "press", "seat": "second"}\n'
)


def picture(brightness: int, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.uint8]:
    return np.full((height, width, 3), brightness, np.uint8)


def encoded(image: NDArray[np.uint8], extension: str = ".jpg") -> bytes:
    return cv2.imencode(extension, image)[1].tobytes()


STILLS: dict[str, bytes] = {
    "recording.json": json.dumps(HEADER).encode(),
    "events.jsonl": EVENTS.encode(),
    "frames/000000000.jpg": encoded(picture(10)),
    "frames/000000250.png": encoded(picture(20), ".png"),
    "frames/000001000.jpg": encoded(picture(30)),
}


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a recording whose frames are a video."""
    path = tmp_path_factory.mktemp("video") / "video.mp4"
    fourcc = cv2.VideoWriter.fourcc(*"mp4v")
    writer = cv2.VideoWriter(str(path), fourcc, 10, (WIDTH, HEIGHT))
    for brightness in (40, 120, 200):
        writer.write(picture(brightness))
    writer.release()
    return {
        "recording.json": STILLS["recording.json"],
        "events.jsonl": STILLS["events.jsonl"],
        "video.mp4": path.read_bytes(),
        "frames.csv": b"index,t_ms\n0,0\n1,100\n2,350\n",
    }


def lay_out(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def read_all(folder: Path) -> tuple[list[Frame], list[BadFrame]]:
    bad: list[BadFrame] = []
    return list(Recording.open(folder).frames(bad.append)), bad


def refusal(folder: Path) -> str:
    with pytest.raises(RecordingError) as caught:
        read_all(folder)
    message = str(caught.value)
    assert "\n" not in message
    return message


# Whole recordings


def test_header_events_and_frames_are_read(tmp_path: Path) -> None:
    recording = Recording.open(lay_out(tmp_path, STILLS))
    header = recording.header
    assert (header.board_size, header.black_side, header.frame_size) == (5, "left", (64, 48))
    assert header.corners == ((10.0, 5.0), (50.0, 6.5), (52.0, 40.0), (8.0, 41.0))
    assert header.start == Start(stones=tuple(ROWS), to_move="black")
    assert header.model_extra == {"licence": "made for this test"}
    assert recording.events == (
        RecordedPress(t_ns=120 * MS, seat="first"),
        RecordedDecision(t_ns=120 * MS, payload={"choice": "confirm", "note": "裁判"}),
        RecordedPress(t_ns=333 * MS, seat="second"),
    )
    assert len(recording) == 3
    frames, bad = read_all(tmp_path)
    assert not bad
    assert [(f.index, f.start_ns, f.end_ns, f.name) for f in frames] == [
        (0, 0, 0, "000000000.jpg"),
        (1, 250 * MS, 250 * MS, "000000250.png"),
        (2, 1000 * MS, 1000 * MS, "000001000.jpg"),
    ]
    assert [float(f.image.mean()) for f in frames] == pytest.approx([10, 20, 30], abs=1)
    assert all(f.image.shape == (HEIGHT, WIDTH, 3) and f.image.dtype == np.uint8 for f in frames)


def test_only_three_keys_are_needed(tmp_path: Path) -> None:
    header = {"format": 1, "board_size": 19, "black_side": "top"}
    lay_out(tmp_path, {**STILLS, "recording.json": json.dumps(header).encode(), "events.jsonl": b""})
    recording = Recording.open(tmp_path)
    assert recording.header.start is None
    assert recording.events == ()


def test_the_number_is_the_instant_whatever_its_digits(tmp_path: Path) -> None:
    lay_out(tmp_path, STILLS | {"frames/90.JPG": encoded(picture(15))})
    assert [f.name for f in read_all(tmp_path)[0]] == [
        "000000000.jpg",
        "90.JPG",
        "000000250.png",
        "000001000.jpg",
    ]


def test_windows_line_ends_and_byte_order_marks_do_no_harm(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        STILLS
        | {
            "recording.json": b"\xef\xbb\xbf" + STILLS["recording.json"],
            "events.jsonl": EVENTS.replace("\n", "\r\n").encode(),
        },
    )
    assert len(Recording.open(tmp_path).events) == 3


def test_last_event_may_lack_its_newline(tmp_path: Path) -> None:
    lay_out(tmp_path, STILLS | {"events.jsonl": EVENTS.rstrip().encode()})
    assert len(Recording.open(tmp_path).events) == 3


def test_the_systems_hidden_files_are_no_frames(tmp_path: Path) -> None:
    lay_out(tmp_path, STILLS | {"frames/.DS_Store": b"x", "frames/._000000000.jpg": b"x"})
    assert len(Recording.open(tmp_path)) == 3


def test_truth_is_never_read(tmp_path: Path) -> None:
    lay_out(tmp_path, STILLS)
    (tmp_path / "truth.json").mkdir()
    assert len(read_all(tmp_path)[0]) == 3


def test_video_with_its_instants(tmp_path: Path, video: dict[str, bytes]) -> None:
    frames, bad = read_all(lay_out(tmp_path, video))
    assert not bad
    assert [f.instant_ns for f in frames] == [0, 100 * MS, 350 * MS]
    assert [float(f.image.mean()) for f in frames] == pytest.approx([40, 120, 200], abs=6)
    assert frames[2].name == "video.mp4 frame 2"


def test_instants_need_no_column_names(tmp_path: Path, video: dict[str, bytes]) -> None:
    lay_out(tmp_path, video | {"frames.csv": b"0,5\r\n1, 6\r\n2,7"})
    assert [f.instant_ns for f in read_all(tmp_path)[0]] == [5 * MS, 6 * MS, 7 * MS]


@pytest.mark.parametrize("kind", ["stills", "video"])
def test_frames_since_an_instant_keep_their_numbers(tmp_path: Path, video: dict[str, bytes], kind: str) -> None:
    recording = Recording.open(lay_out(tmp_path, STILLS if kind == "stills" else video))
    whole = list(recording.frames(lambda bad: None))
    for since_ns, first in (
        (0, 0),
        (whole[1].instant_ns, 1),
        (whole[1].instant_ns + 1, 2),
        (whole[2].instant_ns + 1, 3),
    ):
        bad: list[BadFrame] = []
        later = list(recording.frames_since(since_ns, bad.append))
        assert [(one.index, one.name) for one in later] == [(one.index, one.name) for one in whole[first:]]
        assert not bad


def test_earlier_stills_are_not_even_read(tmp_path: Path) -> None:
    recording = Recording.open(lay_out(tmp_path, STILLS))
    (tmp_path / "frames" / "000000000.jpg").write_bytes(b"torn")
    bad: list[BadFrame] = []
    assert len(list(recording.frames_since(1, bad.append))) == 2
    assert not bad


# Broken frames: left out, the rest is used


def huge_png() -> bytes:
    """A few hundred bytes that unfold to 400 megapixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    side = (20_000).to_bytes(4)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", side + side + bytes([1, 0, 0, 0, 0]))
        + chunk(b"IDAT", zlib.compress(bytes(1000)))
        + chunk(b"IEND", b"")
    )


def huge_jpeg() -> bytes:
    """A small picture whose header is changed to claim 20000 x 20000 pixels."""
    data = bytearray(encoded(picture(0)))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = (20_000).to_bytes(2) * 2
    return bytes(data)


NOISE = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
BAD_FRAMES = {
    "empty": (b"", "is empty"),
    "no picture": (b"hello", "is no JPEG, PNG, WebP or HEIC picture"),
    "another kind of picture": (encoded(picture(0), ".bmp"), "is no JPEG, PNG, WebP or HEIC picture"),
    "JPEG cut short": (encoded(NOISE)[:-200], "is a damaged or incomplete picture"),
    "JPEG ending in zeros": (encoded(NOISE)[:-200] + bytes(200), "is a damaged or incomplete picture"),
    "JPEG of a header": (encoded(NOISE)[:100], "is a damaged or incomplete picture"),
    "PNG cut short": (encoded(NOISE, ".png")[:-200], "is a damaged or incomplete picture"),
    "PNG of a header": (encoded(NOISE, ".png")[:18], "is a damaged or incomplete picture"),
    "smaller": (encoded(picture(0, 32, 24)), "is 32 x 24 pixels, not 64 x 48 as recording.json says"),
    "huge PNG": (huge_png(), "has 20000 x 20000 pixels, more than 100 megapixels"),
    "huge JPEG": (huge_jpeg(), "has 20000 x 20000 pixels, more than 100 megapixels"),
}


@pytest.mark.parametrize(("data", "reason"), BAD_FRAMES.values(), ids=BAD_FRAMES.keys())
@pytest.mark.parametrize("name", ["000000000.jpg", "000000500.jpg", "000002000.jpg"])
def test_bad_frame_is_left_out(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    lay_out(tmp_path, STILLS | {f"frames/{name}": data})
    frames, bad = read_all(tmp_path)
    assert name not in [f.name for f in frames]
    assert len(frames) >= 2
    (only,) = bad
    assert (only.name, only.t_ns) == (name, int(name[:9]) * MS)
    assert only.reason.startswith(reason)
    assert str(only).startswith(f"frame '{name}' left out: it {reason}")
    assert sorted([f.index for f in frames]) != [0, 1, 2] or name == "000002000.jpg"


def test_frame_unlike_the_first_is_left_out(tmp_path: Path) -> None:
    header = {key: value for key, value in HEADER.items() if key != "frame_size"}
    lay_out(
        tmp_path,
        STILLS
        | {"recording.json": json.dumps(header).encode(), "frames/000000250.png": encoded(picture(0, 32, 24), ".png")},
    )
    assert [b.reason for b in read_all(tmp_path)[1]] == ["is 32 x 24 pixels, not 64 x 48 like '000000000.jpg'"]


def test_a_picture_that_comes_again_to_the_last_pixel_is_no_new_sighting(tmp_path: Path) -> None:
    """The camera stood still; a sensor's noise is never the same twice."""
    again = {
        "frames/000000250.png": STILLS["frames/000000250.png"],
        "frames/000000300.png": STILLS["frames/000000250.png"],
    }
    frames, bad = read_all(lay_out(tmp_path, STILLS | again))
    assert [f.name for f in frames] == ["000000000.jpg", "000000250.png", "000001000.jpg"]
    assert [(b.name, b.reason) for b in bad] == [
        ("000000300.png", "is the picture of '000000250.png' again, to the last pixel")
    ]


def test_second_frame_of_an_instant_is_left_out(tmp_path: Path, video: dict[str, bytes]) -> None:
    frames, bad = read_all(lay_out(tmp_path / "stills", STILLS | {"frames/1000.jpg": encoded(picture(0))}))
    assert [f.name for f in frames] == ["000000000.jpg", "000000250.png", "000001000.jpg"]
    assert [(b.name, b.reason) for b in bad] == [("1000.jpg", "has the same instant as '000001000.jpg'")]
    frames, bad = read_all(lay_out(tmp_path / "video", video | {"frames.csv": b"0,0\n1,0\n2,5\n"}))
    assert [f.index for f in frames] == [0, 2]
    assert [b.reason for b in bad] == ["has the same instant as 'video.mp4 frame 0'"]


def test_a_good_frame_stands_in_for_a_bad_one_of_its_instant(tmp_path: Path) -> None:
    frames, bad = read_all(lay_out(tmp_path, STILLS | {"frames/0.jpg": encoded(picture(0)), "frames/00.jpg": b""}))
    assert [f.instant_ns for f in frames] == [0, 250 * MS, 1000 * MS]
    assert len(bad) == 2


def test_folders_and_links_in_place_of_frames(tmp_path: Path) -> None:
    lay_out(tmp_path, STILLS)
    frames = tmp_path / "frames"
    (frames / "300.jpg").mkdir()
    (frames / "400.jpg").symlink_to("nowhere.jpg")
    (frames / "500.jpg").symlink_to("500.jpg")
    (frames / "600.jpg").symlink_to("000000000.jpg")
    good, bad = read_all(tmp_path)
    assert [f.name for f in good][2:] == ["600.jpg", "000001000.jpg"]
    assert [(b.name, b.reason) for b in bad] == [
        ("300.jpg", "is no file"),
        ("400.jpg", "does not exist"),
        ("500.jpg", "does not exist"),
    ]


def test_frame_that_goes_away_while_reading_is_left_out(tmp_path: Path) -> None:
    recording = Recording.open(lay_out(tmp_path, STILLS))
    (tmp_path / "frames/000000250.png").unlink()
    bad: list[BadFrame] = []
    assert len(list(recording.frames(bad.append))) == 2
    assert [b.reason for b in bad] == ["does not exist"]


# Broken recordings: refused in one line that says where and what to do


def header_with(**changes: object) -> dict[str, bytes]:
    return {"recording.json": json.dumps(HEADER | changes).encode()}


def events_of(*lines: str) -> dict[str, bytes]:
    return {"events.jsonl": "".join(line + "\n" for line in lines).encode()}


PRESS = '{"t_ms": 120, "type": "press", "seat": "first"}'
SIZE_ADVICE = "write the number of lines, 5 to 19"
CORNER_ADVICE = "write the four outer intersections as [x, y] in pixels, clockwise from the picture's top left"
START_ADVICE = 'write {"stones": [a string of ".", "B", "W" for each rank, farthest first], '
TIME_ADVICE = "write whole milliseconds since the start, 0 or more"
TEXT_EDITOR = "; mend it with a text editor"

BROKEN_FILES: dict[str, tuple[Mapping[str, bytes | None], str, str]] = {
    "no header": (
        {"recording.json": None},
        "/recording.json: no such file",
        "; name the folder of a recording",
    ),
    "empty header": ({"recording.json": b""}, "/recording.json: not JSON (EOF", TEXT_EDITOR),
    "header no JSON": ({"recording.json": b"{'format': 1}"}, "/recording.json: not JSON (key must be", TEXT_EDITOR),
    "header nested without end": ({"recording.json": b"[" * 9999}, "/recording.json: not JSON (recursion", TEXT_EDITOR),
    "header a list": ({"recording.json": b"[1]"}, "/recording.json: no JSON object", 'write {"name": value, …}'),
    "header not UTF-8": (
        {"recording.json": b'{\n"title": "\xb2\xc3"}'},
        "/recording.json, line 2: not UTF-8",
        "save the file as UTF-8",
    ),
    "header not a number": ({"recording.json": b'{"format": NaN}'}, "/recording.json: not JSON (", TEXT_EDITOR),
    "format missing": ({"recording.json": b"{}"}, "/recording.json: format is missing", "this program reads format 1"),
    "format of the future": (header_with(format=2), "/recording.json: format is 2", "this program reads format 1"),
    "board too small": (header_with(board_size=4), "/recording.json: board_size is 4;", SIZE_ADVICE),
    "board too large": (header_with(board_size=20), "/recording.json: board_size is 20;", SIZE_ADVICE),
    "board size a text": (header_with(board_size="15"), '/recording.json: board_size is "15";', SIZE_ADVICE),
    "board size true": (header_with(board_size=True), "/recording.json: board_size is true;", SIZE_ADVICE),
    "black side unknown": (
        header_with(black_side="north"),
        '/recording.json: black_side is "north"',
        "write the picture's edge nearest to Black: bottom, top, left or right",
    ),
    "frame size negative": (
        header_with(frame_size=[640, -1]),
        "/recording.json: frame_size[1] is -1",
        "write [width, height] in pixels",
    ),
    "ruleset no name": (header_with(ruleset=3), "/recording.json: ruleset is 3", "write the name of a ruleset"),
    "no time control": (
        header_with(time_control="15m; 3x30"),
        "/recording.json: time_control is '15m; 3x30', at '30' (character 8): a time needs its unit",
        'write a time control, such as "15m; 3x30s"',
    ),
    "time control a number": (header_with(time_control=30), "/recording.json: time_control is 30;", "such as"),
    "title no text": (header_with(title=[]), "/recording.json: title is []", "write a text"),
    "three corners": (header_with(corners=[[0, 0], [9, 0], [9, 9]]), "/recording.json: corners[3]", CORNER_ADVICE),
    "five corners": (header_with(corners=[[0, 0]] * 5), "/recording.json: corners is [[0, 0]", CORNER_ADVICE),
    "corner without end": (
        {"recording.json": json.dumps(HEADER).replace("6.5", "1e999").encode()},
        "/recording.json: corners[1][1] is ",
        CORNER_ADVICE,
    ),
    "corners anticlockwise": (
        header_with(corners=[[0, 0], [0, 9], [9, 9], [9, 0]]),
        "/recording.json: corners do not go clockwise round a convex board",
        CORNER_ADVICE,
    ),
    "corners crossed": (header_with(corners=[[0, 0], [9, 9], [9, 0], [0, 9]]), "corners do not go", CORNER_ADVICE),
    "corners dented": (header_with(corners=[[0, 0], [9, 0], [2, 2], [0, 9]]), "corners do not go", CORNER_ADVICE),
    "corners on a line": (header_with(corners=[[0, 0], [9, 0], [18, 0], [0, 9]]), "corners do not go", CORNER_ADVICE),
    "corners in one place": (header_with(corners=[[3, 3]] * 4), "corners do not go", CORNER_ADVICE),
    "start without stones": (
        header_with(start={"to_move": "black"}),
        "/recording.json: start.stones is missing",
        START_ADVICE,
    ),
    "start without a rank": (
        header_with(start={"stones": ROWS[1:], "to_move": "black"}),
        "/recording.json: start has 4 rows of stones on a board of 5 lines",
        START_ADVICE,
    ),
    "start with a long rank": (
        header_with(start={"stones": [*ROWS[:4], "......"], "to_move": "black"}),
        "/recording.json: start has 6 points in row 5 on a board of 5 lines",
        START_ADVICE,
    ),
    "start with a strange stone": (
        header_with(start={"stones": ["..b..", *ROWS[1:]], "to_move": "black"}),
        "/recording.json: start has 'b' in row 1",
        START_ADVICE,
    ),
    "start with a number for a rank": (
        header_with(start={"stones": [*ROWS[:4], 5], "to_move": "black"}),
        "/recording.json: start.stones[4] is 5",
        START_ADVICE,
    ),
    "to move unknown": (
        header_with(start={"stones": ROWS, "to_move": "first"}),
        '/recording.json: start.to_move is "first"',
        START_ADVICE,
    ),
    "no events file": (
        {"events.jsonl": None},
        "/events.jsonl: no such file",
        "make an empty one if no button was pressed",
    ),
    "last event cut short": (
        {"events.jsonl": (EVENTS + '{"t_ms": 400, "ty').encode()},
        "/events.jsonl, line 4: incomplete, writing it was cut short",
        "delete this line",
    ),
    "last event zeros": (
        {"events.jsonl": EVENTS.encode() + bytes(30)},
        "/events.jsonl, line 4: incomplete",
        "delete this line",
    ),
    "event no JSON": (
        events_of(PRESS, "press!", PRESS),
        "/events.jsonl, line 2: not JSON (expected value at column 1)",
        TEXT_EDITOR,
    ),
    "event no object": (events_of(PRESS, "12"), "/events.jsonl, line 2: no JSON object", "write {"),
    "event type unknown": (
        events_of(PRESS, '{"t_ms": 130, "type": "pass"}'),
        '/events.jsonl, line 2: type is "pass"',
        "write press or decision",
    ),
    "event type missing": (
        events_of('{"t_ms": 130}'),
        "/events.jsonl, line 1: type is missing",
        "write press or decision",
    ),
    "seat unknown": (
        events_of('{"t_ms": 130, "type": "press", "seat": "black"}'),
        '/events.jsonl, line 1: seat is "black"',
        "write first or second",
    ),
    "seat missing": (
        events_of(PRESS, "", '{"t_ms": 130, "type": "press"}'),
        "/events.jsonl, line 3: seat is missing",
        "write first or second",
    ),
    "time negative": (
        events_of('{"t_ms": -1, "type": "press", "seat": "first"}'),
        "/events.jsonl, line 1: t_ms is -1",
        TIME_ADVICE,
    ),
    "time a fraction": (
        events_of('{"t_ms": 1.5, "type": "decision"}'),
        "/events.jsonl, line 1: t_ms is 1.5",
        TIME_ADVICE,
    ),
    "time a text": (events_of('{"t_ms": "9", "type": "decision"}'), 'line 1: t_ms is "9"', TIME_ADVICE),
    "time missing": (events_of('{"type": "decision"}'), "line 1: t_ms is missing", TIME_ADVICE),
    "events out of order": (
        events_of(PRESS, '{"t_ms": 119, "type": "decision"}'),
        "/events.jsonl, line 2: 119 ms after 120 ms, time goes back",
        "put the lines in order of t_ms",
    ),
    "events not UTF-8": ({"events.jsonl": b"\xff\xfe"}, "/events.jsonl, line 1: not UTF-8", "save the file as UTF-8"),
    "frame's name no number": (
        {"frames/first.jpg": b""},
        "/frames: 'first.jpg' is no frame's name",
        "name frames by their milliseconds since the start, such as 000012345.jpg",
    ),
    "frame's name negative": ({"frames/-5.jpg": b""}, "/frames: '-5.jpg' is no frame's name", "name frames by"),
    "frame's name in other digits": ({"frames/١٢.jpg": b""}, "/frames: '١٢.jpg' is no", "name frames by"),
    "frame's name beyond all time": ({f"frames/{'9' * 40}.jpg": b""}, "is no frame's name", "name frames by"),
    "no frames at all": (
        dict.fromkeys(name for name in STILLS if name.startswith("frames/")),
        "/frames: no frames",
        "record or copy it again",
    ),
    "no readable frame": (
        {name: b"" for name in STILLS if name.startswith("frames/")},
        ": no frame is usable, '000000000.jpg' is empty",
        "record or copy it again",
    ),
    "frame size of another camera": (
        header_with(frame_size=[640, 480]),
        ": no frame is usable, '000000000.jpg' is 64 x 48 pixels, not 640 x 480 as recording.json says",
        "record or copy it again",
    ),
    "frames and video": ({"video.mp4": b""}, ": both frames/ and video.mp4", "keep one of them"),
}

BROKEN_VIDEOS: dict[str, tuple[Mapping[str, bytes | None], str, str]] = {
    "neither frames nor video": (
        {"video.mp4": None},
        ": neither frames/ nor video.mp4",
        "one of them must hold the frames",
    ),
    "no instants": ({"frames.csv": None}, "/frames.csv: no such file", "write the instants of the frames of video.mp4"),
    "instants empty": ({"frames.csv": b"index,t_ms\n"}, "/frames.csv: no frames", "record or copy it again"),
    "an instant too few": (
        {"frames.csv": b"0,0\n1,100\n"},
        "/video.mp4: 3 frames, but frames.csv lists 2",
        "write one line for each frame of the video",
    ),
    "an instant too many": (
        {"frames.csv": b"0,0\n1,100\n2,200\n3,300\n"},
        "/video.mp4: 3 frames, but frames.csv lists 4",
        "write one line for each frame of the video",
    ),
    "instants go back": (
        {"frames.csv": b"index,t_ms\n0,0\n1,100\n2,99\n"},
        "/frames.csv, line 4: 99 ms after 100 ms, time goes back",
        "mend the instants",
    ),
    "a frame left out": (
        {"frames.csv": b"0,0\n2,200\n"},
        "/frames.csv, line 2: frame 2 where 1 is due",
        "list every frame, from 0",
    ),
    "instant no number": (
        {"frames.csv": b"0,0\n1,soon\n"},
        '/frames.csv, line 2: ["1", "soon"]',
        "write the frame's number and its milliseconds: 0,0",
    ),
    "instant with a control character": (
        {"frames.csv": b"0,\x1f0\n"},
        "/frames.csv, line 1: [",
        "write the frame's number",
    ),
    "instant missing": ({"frames.csv": b"0\n"}, '/frames.csv, line 1: ["0"]', "write the frame's number and"),
    "instants no CSV": ({"frames.csv": b'0,0\n"1,1\n'}, "/frames.csv, line 2: not CSV (", "mend or delete the line"),
    "video empty": ({"video.mp4": b""}, "/video.mp4: no readable video", "record or copy it again"),
    "video of text": ({"video.mp4": b"hello" * 99}, "/video.mp4: no readable video", "record or copy it again"),
    "video smaller than said": (
        header_with(frame_size=[640, 480]),
        ": no frame is usable, 'video.mp4 frame 0' is 64 x 48 pixels, not 640 x 480 as recording.json says",
        "record or copy it again",
    ),
}


def broken(folder: Path, files: Mapping[str, bytes], changes: Mapping[str, bytes | None]) -> str:
    """What is said of ``files`` after ``changes``; None takes a file away."""
    (folder / "game/frames").mkdir(parents=True)
    if not any(name.startswith("frames/") for name in files):
        (folder / "game/frames").rmdir()
    lay_out(folder / "game", {name: data for name, data in {**files, **changes}.items() if data is not None})
    return refusal(folder / "game")


@pytest.mark.parametrize(("changes", "place", "advice"), BROKEN_FILES.values(), ids=BROKEN_FILES.keys())
def test_broken_recording(tmp_path: Path, changes: Mapping[str, bytes | None], place: str, advice: str) -> None:
    message = broken(tmp_path, STILLS, changes)
    assert message.startswith(str(tmp_path / "game"))
    assert place in message
    assert advice in message


@pytest.mark.parametrize(("changes", "place", "advice"), BROKEN_VIDEOS.values(), ids=BROKEN_VIDEOS.keys())
def test_broken_video_recording(
    tmp_path: Path, video: dict[str, bytes], changes: Mapping[str, bytes | None], place: str, advice: str
) -> None:
    message = broken(tmp_path, video, changes)
    assert message.startswith(str(tmp_path / "game"))
    assert place in message
    assert advice in message


@pytest.mark.parametrize("name", ["nowhere", "file", "x" * 300, "nul\0"])
def test_no_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / name) in refusal(tmp_path / name)


@pytest.mark.parametrize("name", ["recording.json", "events.jsonl"])
def test_folder_in_place_of_a_file(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path, {key: data for key, data in STILLS.items() if key != name})
    (tmp_path / name).mkdir()
    assert f"/{name}: no such file; " in refusal(tmp_path)


def test_file_in_place_of_the_frames_folder(tmp_path: Path) -> None:
    lay_out(tmp_path, {key: data for key, data in STILLS.items() if "/" not in key} | {"frames": b""})
    assert "/frames: no folder; put the frames into a folder of this name" in refusal(tmp_path)


def damaged(data: bytes, draw: st.DataObject) -> bytes:
    """``data`` cut short, overwritten somewhere, or replaced."""
    at = draw.draw(st.integers(0, max(0, len(data) - 1)), label="at")
    garbage = draw.draw(st.binary(max_size=60), label="garbage")
    kind = draw.draw(st.sampled_from(["cut", "overwrite", "insert", "replace"]), label="kind")
    match kind:
        case "cut":
            return data[:at]
        case "overwrite":
            return data[:at] + garbage + data[at + len(garbage) :]
        case "insert":
            return data[:at] + garbage + data[at:]
        case _:
            return garbage


@pytest.mark.parametrize("kind", ["stills", "video"])
@settings(max_examples=150, deadline=None)
@given(draw=st.data())
def test_damage_is_always_told_as_such(video: dict[str, bytes], kind: str, draw: st.DataObject) -> None:
    files = dict(STILLS if kind == "stills" else video)
    for name in draw.draw(st.sets(st.sampled_from(sorted(files)), min_size=1, max_size=2), label="files"):
        files[name] = damaged(files[name], draw)
    with tempfile.TemporaryDirectory() as folder:
        try:
            frames, bad = read_all(lay_out(Path(folder), files))
        except RecordingError as error:
            said = str(error)
        else:
            said = ""
            assert len(frames) + len(bad) == 3
            instants = [f.instant_ns for f in frames]
            assert instants == sorted(set(instants))
    assert "\n" not in said


# The recordings made for this project


@pytest.mark.parametrize(
    ("name", "count", "presses", "first_touch_ms"),
    [("quiet-opening", 52, 4, 2120), ("press-before-stone", 18, 1, 2062), ("stone-lifted", 26, 1, 1879)],
)
def test_fixture(fixtures: Path, name: str, count: int, presses: int, first_touch_ms: int) -> None:
    folder = fixtures / "recordings" / name
    recording = Recording.open(folder)
    frames, bad = read_all(folder)
    assert not bad
    assert (len(frames), len(recording), len(recording.events)) == (count, count, presses)
    assert frames[0].instant_ns == 0
    truth = json.loads((folder / "truth.json").read_text())
    assert truth["touches"][0]["t_ms"] == first_touch_ms
    assert all(view["t_ms"] > 1000 for view in truth["hidden"])
    assert {view["t_ms"] * MS for view in truth["hidden"]} < {f.instant_ns for f in frames}
    start = recording.header.start.stones if recording.header.start else ("." * 15,) * 15
    stones = sum(point != "." for row in start for point in row)
    assert sum(point != "." for row in truth["final"] for point in row) == stones + len(truth["moves"])


def test_recordings_of_this_project_stay_small(fixtures: Path) -> None:
    assert sum(p.stat().st_size for p in (fixtures / "recordings").rglob("*") if p.is_file()) < 6 * 2**20
