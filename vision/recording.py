"""Open a recording: a folder of frames and events that can be replayed (design, section 6)."""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, Field, JsonValue, PositiveInt, ValidationError, field_validator
from pydantic_core import from_json

from clock.control import ControlError
from clock.notation import parse
from vision.observation import Frame
from vision.picture_file import MAX_PIXELS, PictureError, read_picture
from vision.torn import TornWatch

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Set
    from pathlib import Path

    from numpy.typing import NDArray
    from pydantic import ValidationInfo

FORMAT = 1
"""The version of the format that this program reads and writes."""

HEADER, EVENTS, STILLS, VIDEO, INSTANTS = "recording.json", "events.jsonl", "frames", "video.mp4", "frames.csv"
"""The names in a recording's folder."""

NS_PER_MS = 1_000_000
_MAX_MS = 10**12
_MS = re.compile(r"[0-9]{1,12}", re.ASCII)
_COLUMNS = ["index", "t_ms"]

Seat = Literal["first", "second"]
Point = tuple[float, float]


class RecordingError(Exception):
    """The recording cannot be used; the message says in one line what, where and what to do."""


class Start(BaseModel):
    """The position a recording begins with. ``stones``: rows of ``.BW`` from Black's seat, farthest rank first."""

    model_config = ConfigDict(frozen=True, strict=True)

    stones: tuple[str, ...]
    to_move: Literal["black", "white"]


class Header(BaseModel):
    """What recording.json says; other keys are kept. The descriptions tell people how to mend a value.

    ``corners``: outer intersections in pixels, image TL, TR, BR, BL. ``time_control``: see :mod:`clock.notation`.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="allow", allow_inf_nan=False)

    format: Literal[1] = Field(description=f"this program reads format {FORMAT}")
    board_size: int = Field(ge=5, le=19, description="write the number of lines, 5 to 19")
    black_side: Literal["bottom", "top", "left", "right"] = Field(
        description="write the picture's edge nearest to Black: bottom, top, left or right"
    )
    frame_size: tuple[PositiveInt, PositiveInt] | None = Field(
        default=None, description="write [width, height] in pixels"
    )
    ruleset: str | None = Field(default=None, description="write the name of a ruleset")
    time_control: str | None = Field(default=None, description='write a time control, such as "15m; 3x30s", or null')
    corners: tuple[Point, Point, Point, Point] | None = Field(
        default=None,
        description="write the four outer intersections as [x, y] in pixels, clockwise from the picture's top left",
    )
    start: Start | None = Field(
        default=None,
        description='write {"stones": [a string of ".", "B", "W" for each rank, farthest first], '
        '"to_move": "black" or "white"}',
    )
    title: str | None = Field(default=None, description="write a text")
    camera: str | None = Field(default=None, description="write a text")

    @field_validator("time_control")
    @classmethod
    def _can_be(cls, control: str | None) -> str | None:
        if control is not None:
            try:
                parse(control)
            except ControlError as error:
                raise ValueError(f"is {error}") from None
        return control

    @field_validator("corners")
    @classmethod
    def _clockwise(cls, corners: tuple[Point, ...] | None) -> tuple[Point, ...] | None:
        if corners is not None:
            sides = np.roll(corners, -1, axis=0) - corners
            ahead = np.roll(sides, -1, axis=0)
            if not np.all(sides[:, 0] * ahead[:, 1] > sides[:, 1] * ahead[:, 0]):
                raise ValueError("do not go clockwise round a convex board")
        return corners

    @field_validator("start")
    @classmethod
    def _fits_board(cls, start: Start | None, info: ValidationInfo) -> Start | None:
        size = info.data.get("board_size")
        if start is not None and size is not None:
            if len(start.stones) != size:
                raise ValueError(f"has {len(start.stones)} rows of stones on a board of {size} lines")
            for number, row in enumerate(start.stones, 1):
                if len(row) != size:
                    raise ValueError(f"has {len(row)} points in row {number} on a board of {size} lines")
                if strange := set(row) - set(".BW"):
                    raise ValueError(f"has {min(strange)!r} in row {number}")
        return start


@dataclass(frozen=True, kw_only=True)
class RecordedEvent:
    """Something that happened beside the board, ``t_ns`` nanoseconds after the recording's start."""

    t_ns: int


@dataclass(frozen=True, kw_only=True)
class RecordedPress(RecordedEvent):
    """A clock button was pressed by the player in ``seat``."""

    seat: Seat


@dataclass(frozen=True, kw_only=True)
class RecordedDecision(RecordedEvent):
    """The referee entered ``payload``: the event's keys except ``t_ms`` and ``type``."""

    payload: Mapping[str, JsonValue]


@dataclass(frozen=True, kw_only=True)
class BadFrame:
    """A frame that was left out, and why; the rest of the recording is good without it."""

    name: str
    t_ns: int
    reason: str

    def __str__(self) -> str:
        return f"frame {self.name!r} left out: it {self.reason}"


class _Line(BaseModel):
    """Common to all lines of events.jsonl."""

    model_config = ConfigDict(strict=True, extra="allow")

    t_ms: Annotated[int, Field(ge=0, lt=_MAX_MS, description="write whole milliseconds since the start, 0 or more")]
    type: Annotated[Literal["press", "decision"], Field(description="write press or decision")]


class _PressLine(_Line):
    seat: Annotated[Seat, Field(description="write first or second")]


@dataclass(frozen=True, kw_only=True)
class _Listed:
    """A frame as the folder or frames.csv lists it."""

    name: str
    t_ms: int


@dataclass(frozen=True, kw_only=True)
class Recording:
    """An opened recording: header and events are checked, frames are read as they are asked for.

    ``len()`` counts the frames listed, bad ones too.
    """

    folder: Path
    header: Header
    events: tuple[RecordedEvent, ...]
    _listed: tuple[_Listed, ...]

    @classmethod
    def open(cls, folder: Path) -> Recording:
        """Read everything in ``folder`` but the pictures, and make sure that one at least is readable.

        Raises RecordingError.
        """
        try:
            if not folder.is_dir():
                raise RecordingError(f"{folder}: no such folder; name the folder that holds {HEADER}")
            where = folder / HEADER
            header = _parse(Header, _text(where, "name the folder of a recording"), str(where))
            events = _read_events(folder / EVENTS)
            recording = cls(folder=folder, header=header, events=events, _listed=_list_frames(folder))
        except OSError as error:
            where = error.filename or folder
            raise RecordingError(f"{where}: cannot be read ({error.strerror}); see to the card or the rights") from None
        bad: list[BadFrame] = []
        with closing(recording.frames(bad.append)) as frames:
            if next(frames, None) is None:
                first = f"{bad[0].name!r} {bad[0].reason}"
                raise RecordingError(f"{folder}: no frame is usable, {first}; record or copy it again")
        return recording

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def instants_ns(self) -> list[int]:
        """When each listed frame was seen, nanoseconds since the recording's start."""
        return [listed.t_ms * NS_PER_MS for listed in self._listed]

    def frames(self, on_bad: Callable[[BadFrame], None]) -> Generator[Frame, None, None]:
        """The frames in order of their instants, one at a time; ``on_bad`` is told of each that is left out.

        ``Frame.index`` counts bad frames too. Raises RecordingError when a video ends before its list of instants.
        """
        before: Frame | None = None
        torn = TornWatch()
        for frame in self._readable(on_bad):
            if before is not None and before.instant_ns == frame.instant_ns:
                reason = f"has the same instant as {before.name!r}"
            elif before is not None and np.array_equal(before.image, frame.image):
                # No sensor sees the same twice: the camera stood still, and its old picture is no new sighting.
                reason = f"is the picture of {before.name!r} again, to the last pixel"
            elif torn.torn(frame.image):
                reason = "is torn: a part of it is an earlier picture's"
            else:
                before = frame
                yield frame
                continue
            on_bad(BadFrame(name=frame.name, t_ns=frame.instant_ns, reason=reason))

    def _readable(self, on_bad: Callable[[BadFrame], None]) -> Generator[Frame, None, None]:
        """The frames that hold a picture of the right size."""
        size, whose = self.header.frame_size, f"as {HEADER} says"
        for index, (listed, picture) in enumerate(self._pictures()):
            t_ns = listed.t_ms * NS_PER_MS
            if isinstance(picture, str):
                reason = picture
            elif size is not None and size != (actual := (picture.shape[1], picture.shape[0])):
                reason = f"is {actual[0]} x {actual[1]} pixels, not {size[0]} x {size[1]} {whose}"
            else:
                if size is None:
                    size, whose = (picture.shape[1], picture.shape[0]), f"like {listed.name!r}"
                yield Frame(index=index, start_ns=t_ns, end_ns=t_ns, image=picture, name=listed.name)
                continue
            on_bad(BadFrame(name=listed.name, t_ns=t_ns, reason=reason))

    def frames_since(self, since_ns: int, on_bad: Callable[[BadFrame], None]) -> Iterator[Frame]:
        """As :meth:`frames`, from ``since_ns`` on; of stills no earlier ones are read."""
        if (self.folder / STILLS).exists():
            passed = sum(listed.t_ms * NS_PER_MS < since_ns for listed in self._listed)
            for frame in replace(self, _listed=self._listed[passed:]).frames(on_bad):
                yield replace(frame, index=frame.index + passed)
            return
        with closing(self.frames(lambda bad: on_bad(bad) if bad.t_ns >= since_ns else None)) as frames:
            yield from (frame for frame in frames if frame.instant_ns >= since_ns)

    def frames_at(self, indices: Set[int]) -> Iterator[Frame]:
        """The usable frames of those ``indices``, in order; of stills no others are read."""
        if (self.folder / STILLS).exists():
            listed = tuple(one for index, one in enumerate(self._listed) if index in indices)
            places = sorted(index for index in indices if 0 <= index < len(self._listed))
            for frame in replace(self, _listed=listed).frames(lambda bad: None):
                yield replace(frame, index=places[frame.index])
            return
        with closing(self.frames(lambda bad: None)) as frames:
            yield from (frame for frame in frames if frame.index in indices)

    def _pictures(self) -> Iterator[tuple[_Listed, NDArray[np.uint8] | str]]:
        """Each listed frame with its picture, or with the reason why it has none."""
        if (self.folder / STILLS).exists():
            for listed in self._listed:
                yield listed, _picture(self.folder / STILLS / listed.name)
        else:
            yield from zip(self._listed, _decode_video(self.folder / VIDEO, len(self._listed)), strict=True)


def _picture(path: Path) -> NDArray[np.uint8] | str:
    try:
        return read_picture(path)
    except PictureError as error:
        return str(error)


def _decode_video(path: Path, count: int) -> Iterator[NDArray[np.uint8]]:
    """The ``count`` pictures of a video; any other number is an error, as no picture's instant would be sure."""
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        if not capture.isOpened():
            raise RecordingError(f"{path}: no readable video; record or copy it again")
        if capture.get(cv2.CAP_PROP_FRAME_WIDTH) * capture.get(cv2.CAP_PROP_FRAME_HEIGHT) > MAX_PIXELS:
            raise RecordingError(f"{path}: more than {MAX_PIXELS // 1_000_000} megapixels a frame; scale it down")
        held = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        if held != count:
            raise RecordingError(
                f"{path}: {held} frames, but {INSTANTS} lists {count}; write one line for each frame of the video"
            )
        for number in range(count):
            good, image = capture.read()
            if not good:
                raise RecordingError(f"{path}: damaged after {number} of {count} frames; record or copy it again")
            yield np.asarray(image, np.uint8)
    except cv2.error:
        raise RecordingError(f"{path}: damaged video; record or copy it again") from None
    finally:
        capture.release()


def _list_frames(folder: Path) -> tuple[_Listed, ...]:
    stills, video = (folder / STILLS).exists(), (folder / VIDEO).is_file()
    if stills and video:
        raise RecordingError(f"{folder}: both {STILLS}/ and {VIDEO}; keep one of them")
    if not stills and not video:
        raise RecordingError(f"{folder}: neither {STILLS}/ nor {VIDEO}; one of them must hold the frames")
    listed = _list_stills(folder / STILLS) if stills else _list_instants(folder / INSTANTS)
    if not listed:
        raise RecordingError(f"{folder / (STILLS if stills else INSTANTS)}: no frames; record or copy it again")
    return listed


def _list_stills(folder: Path) -> tuple[_Listed, ...]:
    """The names are the instants; names that begin with a dot are the system's and no frames."""
    if not folder.is_dir():
        raise RecordingError(f"{folder}: no folder; put the frames into a folder of this name")
    listed = []
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        if not _MS.fullmatch(path.stem):
            raise RecordingError(
                f"{folder}: {path.name!r} is no frame's name; name frames by their milliseconds since the start, "
                "such as 000012345.jpg, and keep nothing else here"
            )
        listed.append(_Listed(name=path.name, t_ms=int(path.stem)))
    return tuple(sorted(listed, key=lambda frame: (frame.t_ms, frame.name)))


def _list_instants(path: Path) -> tuple[_Listed, ...]:
    """Rows of a frame's number in the video, from 0, and its instant; a first row of column names may be there."""
    listed: list[_Listed] = []
    rows = csv.reader(
        io.StringIO(_text(path, f"write the instants of the frames of {VIDEO}"), newline=""),
        skipinitialspace=True,
        strict=True,
    )
    try:
        for row in rows:
            if not row or (row == _COLUMNS and not listed):
                continue
            where = f"{path}, line {rows.line_num}"
            if len(row) != len(_COLUMNS) or not all(_MS.fullmatch(cell) for cell in row):
                raise RecordingError(f"{where}: {_short(row)}; write the frame's number and its milliseconds: 0,0")
            index, t_ms = map(int, row)
            if index != len(listed):
                raise RecordingError(f"{where}: frame {index} where {len(listed)} is due; list every frame, from 0")
            if listed and t_ms < listed[-1].t_ms:
                raise RecordingError(
                    f"{where}: {t_ms} ms after {listed[-1].t_ms} ms, time goes back; mend the instants"
                )
            listed.append(_Listed(name=f"{VIDEO} frame {index}", t_ms=t_ms))
    except csv.Error as error:
        raise RecordingError(f"{path}, line {rows.line_num}: not CSV ({error}); mend or delete the line") from None
    return tuple(listed)


def _read_events(path: Path) -> tuple[RecordedEvent, ...]:
    events: list[RecordedEvent] = []
    lines = _text(path, "make an empty one if no button was pressed").split("\n")
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        where = f"{path}, line {number}"
        if number == len(lines) and _json_fault(text):  # every whole line ends with a newline
            raise RecordingError(f"{where}: incomplete, writing it was cut short; delete this line")
        event = _event(text, where)
        if events and event.t_ns < events[-1].t_ns:
            raise RecordingError(
                f"{where}: {event.t_ns // NS_PER_MS} ms after {events[-1].t_ns // NS_PER_MS} ms, time goes back; "
                "put the lines in order of t_ms"
            )
        events.append(event)
    return tuple(events)


def _event(text: str, where: str) -> RecordedEvent:
    line = _parse(_Line, text, where)
    t_ns = line.t_ms * NS_PER_MS
    if line.type == "press":
        return RecordedPress(t_ns=t_ns, seat=_parse(_PressLine, text, where).seat)
    return RecordedDecision(t_ns=t_ns, payload=line.model_extra or {})


_Model = TypeVar("_Model", bound=BaseModel)


def _parse(model: type[_Model], text: str, where: str) -> _Model:
    """``text`` as a ``model``; the first thing wrong with it becomes a RecordingError with the field's advice."""
    if fault := _json_fault(text):
        raise RecordingError(f"{where}: not JSON ({fault}); mend it with a text editor")
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    if not first["loc"]:
        raise RecordingError(f'{where}: no JSON object; write {{"name": value, …}}')
    top, *inner = first["loc"]
    name = str(top) + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in inner)
    match first["type"]:
        case "missing":
            problem = "is missing"
        case "value_error":
            problem = str(first["ctx"]["error"])
        case _:
            problem = f"is {_short(first['input'])}"
    raise RecordingError(f"{where}: {name} {problem}; {model.model_fields[str(top)].description}")


def _json_fault(text: str) -> str:
    """What keeps ``text`` from being JSON, or nothing."""
    try:
        from_json(text, allow_inf_nan=False)
    except ValueError as error:
        return str(error).replace(" line 1 column", " column")
    return ""


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def _text(path: Path, if_missing: str) -> str:
    if not path.is_file():
        raise RecordingError(f"{path}: no such file; {if_missing}")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise RecordingError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from None
