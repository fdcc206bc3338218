"""Pictures handed from one process to another through memory that both have mapped: no copy for the one who reads.

The memory has no name, so that nothing of it is left when both processes are gone, however they went. One process
writes, one reads. A picture that the reader still has, or any view of it, is never written over: the writer takes
another slot, and leaves a picture out when all are taken.
"""

from __future__ import annotations

import mmap
import os
import sys
import weakref
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import numpy as np

from vision.observation import Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

RING_BYTES = 128 << 20
"""About 3 s of 1296 x 972 pixels at 10 frames a second."""

FEWEST_SLOTS, MOST_SLOTS = 8, 128
MOST_PIXELS = 1 << 26

_SLOT = np.dtype(
    [
        ("serial", "<u8"),
        ("held", "<u8"),
        ("index", "<i8"),
        ("start_ns", "<i8"),
        ("end_ns", "<i8"),
        ("name", "S64"),
    ]
)
"""``serial``: which picture the slot holds, from 1; 0: none, or it is being written. ``held``: the reader has it."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How the memory is divided: a table of slots, then their pictures, each (height, width, 3) uint8."""

    slots: int
    height: int
    width: int

    @classmethod
    def of(cls, height: int, width: int) -> Layout:
        """The layout for pictures of this size: as many as :data:`RING_BYTES` hold, within reason."""
        slots = RING_BYTES // max(1, height * width * 3)
        return cls(slots=min(MOST_SLOTS, max(FEWEST_SLOTS, slots)), height=height, width=width)

    def __post_init__(self) -> None:
        if not 1 <= self.slots <= MOST_SLOTS or min(self.height, self.width) < 1:
            raise ValueError(f"{self} is no layout")
        if self.height * self.width > MOST_PIXELS:
            raise ValueError(f"pictures of {self.width} x {self.height} pixels are too large: choose a smaller size")

    @property
    def picture_bytes(self) -> int:
        """Bytes of one picture."""
        return self.height * self.width * 3

    def place(self, slot: int) -> int:
        """Where the picture of ``slot`` begins; ``place(slots)`` is where everything ends."""
        return -(-self.slots * _SLOT.itemsize // mmap.PAGESIZE) * mmap.PAGESIZE + slot * self.picture_bytes


def new_memory() -> int:
    """Empty memory without a name, as a file descriptor that the caller closes."""
    if sys.platform != "linux":
        with TemporaryFile() as file:
            return os.dup(file.fileno())
    return os.memfd_create("caipan-frames")


class RingWriter:
    """Puts pictures into the memory ``fd``, which it makes as large as ``layout`` asks."""

    def __init__(self, fd: int, layout: Layout) -> None:
        os.ftruncate(fd, layout.place(layout.slots))
        self._layout = layout
        self._memory = mmap.mmap(fd, layout.place(layout.slots))
        self._table = np.frombuffer(self._memory, _SLOT, layout.slots)
        self._serial = 0
        self._newest: NDArray[np.uint8] | None = None
        # The slot to be written next was withdrawn a picture earlier: by now each side has seen what the other wrote
        # into the table, whatever order the processors kept.
        self._next: int | None = 0

    @property
    def newest(self) -> NDArray[np.uint8] | None:
        """The picture put last."""
        return self._newest

    def put(self, frame: Frame) -> tuple[int, int] | None:
        """Copy a frame into the ring: its slot and serial number; None: no slot was free, it is left out.

        Raises ValueError for a picture that is not of the layout's size.
        """
        layout, slot = self._layout, self._next
        if frame.image.shape != (layout.height, layout.width, 3):
            height, width = frame.image.shape[:2]
            raise ValueError(f"is {width} x {height} pixels, not {layout.width} x {layout.height} like the first")
        if slot is None or self._table["held"][slot]:
            self._next = self._withdrawn(-1 if slot is None else slot)
            return None
        picture = np.frombuffer(self._memory, np.uint8, layout.picture_bytes, layout.place(slot))
        self._newest = picture.reshape(layout.height, layout.width, 3)
        np.copyto(self._newest, frame.image)
        entry = self._table[slot]
        entry["index"], entry["start_ns"], entry["end_ns"] = frame.index, frame.start_ns, frame.end_ns
        entry["name"] = frame.name.encode(errors="replace")
        self._serial += 1
        entry["serial"] = self._serial
        self._next = self._withdrawn(slot)
        return slot, self._serial

    def _withdrawn(self, slot: int) -> int | None:
        """The next slot after ``slot`` that nobody has; from now on nobody gets it."""
        slots = self._layout.slots
        for step in range(1, slots + 1):
            candidate = (slot + step) % slots
            if candidate != slot and not self._table["held"][candidate]:
                self._table["serial"][candidate] = 0
                return candidate
        return None


class RingReader:
    """Takes pictures out of the memory ``fd``. Raises ValueError when it is smaller than ``layout`` says."""

    def __init__(self, fd: int, layout: Layout) -> None:
        size = layout.place(layout.slots)
        if os.fstat(fd).st_size < size:
            raise ValueError(f"the memory is smaller than {layout}")
        self._layout = layout
        self._memory = mmap.mmap(fd, size)
        self._table = np.frombuffer(self._memory, _SLOT, layout.slots)

    def take(self, slot: int, serial: int) -> Frame | None:
        """The frame with that number, to be taken once; None: it has been written over, or there is no such slot.

        Its picture cannot be written to. It stays as it is while the frame, or any view of the picture, is in use.
        """
        layout = self._layout
        if not 0 <= slot < layout.slots:
            return None
        entry = self._table[slot]
        if entry["held"]:
            return None
        entry["held"] = 1
        if serial < 1 or entry["serial"] != serial:
            entry["held"] = 0
            return None
        picture = np.frombuffer(self._memory, np.uint8, layout.picture_bytes, layout.place(slot))
        picture.flags.writeable = False
        # All views of it have it as their base: it goes when the last of them does.
        weakref.finalize(picture, _release, self._table, slot).atexit = False
        return Frame(
            index=int(entry["index"]),
            start_ns=int(entry["start_ns"]),
            end_ns=int(entry["end_ns"]),
            image=picture.reshape(layout.height, layout.width, 3),
            name=bytes(entry["name"]).decode(errors="replace"),
        )


def _release(table: NDArray[np.void], slot: int) -> None:
    table["held"][slot] = 0
