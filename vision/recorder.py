"""Write a recording as frames and events come, so that a power cut costs no more than the last of them."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import cv2

from vision.recording import EVENTS, HEADER, NS_PER_MS, STILLS, Header, RecordedDecision, RecordedEvent, RecordedPress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from vision.observation import Frame


class Recorder:
    """Writes the format that :class:`vision.recording.Recording` opens.

    Instants are given in nanoseconds of the clock that showed ``start_ns`` at the recording's start; they are kept to
    the nearest millisecond. Header and events are on the card when a call returns. Frames are not waited for: one that
    a power cut tears is left out on reading.
    """

    def __init__(self, folder: Path, header: Header, *, start_ns: int = 0, jpeg_quality: int = 90) -> None:
        """Begin a recording in ``folder``, made if need be. ``jpeg_quality``: 0 to 100.

        Raises FileExistsError when the folder holds a recording, other OSErrors when it cannot be written.
        """
        if (folder / HEADER).exists():
            raise FileExistsError(f"{folder}: holds a recording already; choose another folder")
        self._folder = folder
        self._header = header
        self._start_ns = start_ns
        self._jpeg = [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality]
        self._frame_ms = -1
        self._event_ms = 0
        (folder / STILLS).mkdir(parents=True, exist_ok=True)
        self._events = (folder / EVENTS).open("wb")
        write_whole(folder / HEADER, header.model_dump_json(indent=1, exclude_none=True).encode() + b"\n")

    def frame(self, frame: Frame) -> str:
        """Keep a frame at its mid-exposure; the name of its file.

        Raises ValueError when it is not at least a millisecond later than the one before, or not of the header's size.
        """
        t_ms = self._ms(frame.instant_ns)
        if t_ms <= self._frame_ms:
            raise ValueError(f"a frame at {t_ms} ms cannot follow one at {self._frame_ms} ms")
        height, width = frame.image.shape[:2]
        if self._header.frame_size not in (None, (width, height)):
            raise ValueError(f"a frame of {width} x {height} pixels in a recording of {self._header.frame_size}")
        name = f"{t_ms:09d}.jpg"
        (self._folder / STILLS / name).write_bytes(cv2.imencode(".jpg", frame.image, self._jpeg)[1].tobytes())
        self._frame_ms = t_ms
        return name

    def event(self, event: RecordedEvent) -> None:
        """Keep a press or a decision. Raises ValueError when it is earlier than the one before."""
        t_ms = self._ms(event.t_ns)
        if t_ms < self._event_ms:
            raise ValueError(f"an event at {t_ms} ms cannot follow one at {self._event_ms} ms")
        line: dict[str, object]
        match event:
            case RecordedPress(seat=seat):
                line = {"t_ms": t_ms, "type": "press", "seat": seat}
            case RecordedDecision(payload=payload):
                line = {**payload, "t_ms": t_ms, "type": "decision"}
            case _:
                raise ValueError(f"{event!r} is neither press nor decision")
        self._events.write(json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n")
        self._events.flush()
        os.fsync(self._events.fileno())
        self._event_ms = t_ms

    def close(self) -> None:
        """End the recording."""
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ms(self, t_ns: int) -> int:
        if t_ns < self._start_ns:
            raise ValueError(f"{t_ns} ns is before the recording's start, {self._start_ns} ns")
        return (t_ns - self._start_ns + NS_PER_MS // 2) // NS_PER_MS


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all, whenever the power goes."""
    with draft_of(path) as draft, draft.open("wb") as file:
        file.write(data)


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """An empty file beside ``path`` to write to, which takes that name once the block has ended well.

    ``path`` is there whole or not at all, whenever the power goes. Raises OSError.
    """
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.open("wb").close()
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
