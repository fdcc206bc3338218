"""What the camera's process tells comes over as it was told."""

from __future__ import annotations

import pytest

from vision.camera_link import LONGEST, Fault, Laid, Message, NoMessage, Put, Said, line_of, message_of
from vision.locking import Lock, Mains
from vision.recording import BadFrame
from vision.ring import Layout
from vision.sources import Learned, Remark

LOCK = Lock(
    exposure_us=20_000 / 3,
    gain=1 / 3,
    colour_gains=(1 / 3, 2 / 3),
    lens_position=1 / 3,
    frame_us=100_000,
    mains_hz=60,
    mains=Mains.MEASURED,
)


@pytest.mark.parametrize(
    "message",
    [
        Said.OVER,
        Laid(layout=Layout(slots=8, height=972, width=1296)),
        Put(slot=3, serial=10**15),
        BadFrame(name="frame 7", t_ns=-5, reason="is torn"),
        Fault(why="no camera"),
        Remark(t_ns=10**18, what="the light has changed, 灯"),
        Learned(what=LOCK.model_dump_json()),
    ],
)
def test_a_message_is_one_line_and_comes_back(message: Message) -> None:
    line = line_of(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert len(line) <= LONGEST
    assert message_of(line) == message


def test_long_remarks_are_cut() -> None:
    line = line_of(Remark(t_ns=0, what="x" * 10_000))
    assert len(line) <= LONGEST


@pytest.mark.parametrize("line", [b'["remark", "now", "x"]\n', b'["learned", 5]\n', b'["learned"]\n', b'["remark"]\n'])
def test_what_is_no_message_is_told_so(line: bytes) -> None:
    with pytest.raises(NoMessage):
        message_of(line)
