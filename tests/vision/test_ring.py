"""The ring: what is taken stays as it is; what was written over is not given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.cameras import numbered
from vision.ring import FEWEST_SLOTS, MOST_SLOTS, RING_BYTES, Layout, RingReader, RingWriter, new_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.observation import Frame

SMALL = Layout(slots=4, height=48, width=64)


class Both:
    """Both ends of a ring."""

    def __init__(self) -> None:
        fd = new_memory()
        self.writer, self.reader = RingWriter(fd, SMALL), RingReader(fd, SMALL)
        os.close(fd)

    def put(self, index: int) -> tuple[int, int]:
        put = self.writer.put(numbered(index))
        assert put is not None
        return put


@pytest.fixture
def ring() -> Both:
    return Both()


@pytest.fixture
def memory() -> Iterator[int]:
    fd = new_memory()
    yield fd
    os.close(fd)


def test_nothing_can_be_left_of_the_memory(memory: int) -> None:
    assert os.fstat(memory).st_nlink == 0  # no folder has a name for it


def test_what_is_put_is_taken(ring: Both) -> None:
    frame = ring.reader.take(*ring.put(7))
    assert frame is not None
    np.testing.assert_array_equal(frame.image, numbered(7).image)
    assert (frame.index, frame.start_ns, frame.end_ns, frame.name) == (7, 7_000_000, 7_000_000, "picture 7")
    with pytest.raises(ValueError, match="read-only"):
        frame.image[0] = 0


def test_what_was_written_over_is_not_given(ring: Both) -> None:
    first = ring.put(1)
    second, third, *_ = [ring.put(index) for index in (2, 3, 4)]
    assert ring.reader.take(*first) is None  # its slot is withdrawn, to be written next
    frame = ring.reader.take(*second)
    assert frame is not None
    assert frame.index == 2
    ring.put(5)
    ring.put(6)
    assert ring.reader.take(*third) is None


@pytest.mark.parametrize("put", [(-1, 1), (4, 1), (1 << 40, 1), (0, 0), (0, -1), (1, 0), (2, 3)])
def test_what_nobody_put_is_not_given(ring: Both, put: tuple[int, int]) -> None:
    ring.put(1)
    assert ring.reader.take(*put) is None


def test_when_all_are_in_use_a_frame_is_left_out_until_one_is_free(ring: Both) -> None:
    kept: list[Frame | None] = []
    for index in range(1, 4):
        kept.append(ring.reader.take(*ring.put(index)))
    kept.append(ring.reader.take(*ring.put(4)))
    assert [frame.index for frame in kept if frame] == [1, 2, 3, 4]
    assert ring.writer.put(numbered(5)) is None
    del kept[0]
    assert ring.writer.put(numbered(6)) is None  # the slot is found free, for the next one
    slot, serial = ring.put(7)
    assert (slot, serial) == (0, 5)
    assert [np.unique(frame.image).tolist() for frame in kept if frame] == [[2], [3], [4]]


def test_a_slot_that_was_taken_while_it_was_withdrawn_is_not_written(ring: Both) -> None:
    """The reader, in the other process, found it good and marked it at the very moment."""
    for index in range(1, 5):
        ring.put(index)
    ring.reader._table["held"][0] = 1
    assert ring.writer.put(numbered(5)) is None
    picture = np.frombuffer(ring.reader._memory, np.uint8, SMALL.picture_bytes, SMALL.place(0))
    assert np.all(picture == 1)
    assert ring.put(6)[0] == 1


@given(st.lists(st.one_of(st.just("put"), st.just("take"), st.integers(0, 5)), max_size=60))
def test_whatever_is_kept_stays_as_it_was(steps: list[str | int]) -> None:
    """Puts, takes of what was put last, and drops of what is kept, in any order."""
    ring, index, waiting = Both(), 0, list[tuple[int, tuple[int, int]]]()
    kept: list[tuple[int, np.ndarray]] = []
    crowded = False
    """When a frame was last put, no slot was free for the next one."""
    for step in steps:
        match step:
            case "put":
                index += 1
                put = ring.writer.put(numbered(index))
                if put is not None:
                    waiting.append((index, put))
                else:
                    assert crowded
                crowded = len(kept) >= SMALL.slots - 1
            case "take" if waiting:
                number, put = waiting.pop()
                frame = ring.reader.take(*put)
                if frame is not None:
                    assert frame.index == number
                    kept.append((number, frame.image[::7]))
            case int() if kept:
                kept.pop(step % len(kept))
        for number, view in kept:
            assert np.all(view == number % 251)


def test_a_picture_of_another_size_is_refused(ring: Both) -> None:
    ring.put(1)
    with pytest.raises(ValueError, match="is 8 x 48 pixels, not 64 x 48 like the first"):
        ring.writer.put(numbered(2, width=8))


@pytest.mark.parametrize(
    ("height", "width", "slots"),
    [(972, 1296, RING_BYTES // (972 * 1296 * 3)), (48, 64, MOST_SLOTS), (5000, 8000, FEWEST_SLOTS)],
)
def test_as_many_slots_as_the_memory_holds_within_reason(height: int, width: int, slots: int) -> None:
    assert Layout.of(height, width).slots == slots


@pytest.mark.parametrize(
    ("slots", "height", "width"), [(0, 1, 1), (1000, 1, 1), (1, 0, 1), (1, -5, 1), (8, 9000, 9000)]
)
def test_what_is_no_layout_is_refused(slots: int, height: int, width: int) -> None:
    with pytest.raises(ValueError, match=r"is no layout|are too large"):
        Layout(slots=slots, height=height, width=width)


def test_memory_smaller_than_said_is_refused(memory: int) -> None:
    os.ftruncate(memory, 100)
    with pytest.raises(ValueError, match="smaller than"):
        RingReader(memory, SMALL)
