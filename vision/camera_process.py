"""The camera's own process: takes frames from a source, puts them into the ring, and tells so.

Started by :mod:`vision.camera` as ``python -m vision.camera_process RING LINK``, both file descriptors; the source and
the place to go on from come pickled on stdin. It ends when the box does, however that happens.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import socket
import sys
import time
from threading import Semaphore, Thread
from typing import TYPE_CHECKING

import numpy as np

from vision.camera_link import Fault, Laid, Put, Said, line_of
from vision.observation import Frame
from vision.recording import BadFrame
from vision.ring import Layout, RingWriter
from vision.sources import Learned, Remark, SourceFault

if TYPE_CHECKING:
    from vision.camera_link import Message
    from vision.sources import Place, Source

AHEAD = 4
"""How many frames a source that waits for the box may be ahead of it."""
_LIFE_SIGN_S = 0.5
_FULL_S = 0.01
_ROWS = 37
"""Every so many rows are compared first: two pictures differ nearly always, and nearly everywhere."""


class CameraProcess:
    """Serves one source until its end."""

    def __init__(self, ring_fd: int, link: socket.socket) -> None:
        self._ring_fd, self._link = ring_fd, link
        self._ring: RingWriter | None = None
        self._taken = Semaphore(AHEAD)
        Thread(target=self._listen, name="link", daemon=True).start()

    def serve(self, source: Source, after: Place | None) -> None:
        """Hand over all frames. Raises OSError when the box is gone."""
        try:
            for given in source.frames(after):
                match given:
                    case None:
                        self._tell(Said.ALIVE)
                    case BadFrame() | Remark() | Learned():
                        self._tell(given)
                    case Frame():
                        self._hand_over(given, waits=source.as_taken)
        except SourceFault as fault:
            self._tell(Fault(why=str(fault)))
        except Exception as error:  # whatever a driver raises: it must be known, not only in a log
            self._tell(Fault(why=f"the camera's driver failed ({error!r}): report this error"))
        else:
            self._tell(Said.OVER)

    def _hand_over(self, frame: Frame, *, waits: bool) -> None:
        if self._ring is None:
            try:
                layout = Layout.of(*frame.image.shape[:2])
            except ValueError as error:
                raise SourceFault(str(error)) from None
            self._ring = RingWriter(self._ring_fd, layout)
            self._tell(Laid(layout=layout))
        if self._ring.newest is not None and _same(self._ring.newest, frame):
            reason = "is the picture of the one before again, to the last pixel"
            self._tell(BadFrame(name=frame.name, t_ns=frame.instant_ns, reason=reason))
            return
        while waits and not self._taken.acquire(timeout=_LIFE_SIGN_S):
            self._tell(Said.ALIVE)
        try:
            put = self._ring.put(frame)
            while waits and put is None:
                self._tell(Said.ALIVE)
                time.sleep(_FULL_S)
                put = self._ring.put(frame)
        except ValueError as error:
            self._taken.release()
            self._tell(BadFrame(name=frame.name, t_ns=frame.instant_ns, reason=str(error)))
            return
        self._tell(Said.LEFT_OUT if put is None else Put(slot=put[0], serial=put[1]))

    def _tell(self, message: Message) -> None:
        self._link.sendall(line_of(message))

    def _listen(self) -> None:
        """A byte for each frame that the box has taken; the end, when the box is gone."""
        try:
            while taken := self._link.recv(1024):
                self._taken.release(len(taken))
        finally:
            os._exit(0)  # the main thread may hang in a driver


def _same(newest: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], frame: Frame) -> bool:
    """No sensor sees the same twice: the camera stands still, and its old picture is no new sighting."""
    return np.array_equal(newest[::_ROWS], frame.image[::_ROWS]) and np.array_equal(newest, frame.image)


def _end_with_the_box() -> None:
    """Even when this process is stopped or hangs, and cannot see that the link is closed."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def main() -> None:
    """The process."""
    _end_with_the_box()
    ring_fd, link_fd = map(int, sys.argv[1:])
    process = CameraProcess(ring_fd, socket.socket(fileno=link_fd))
    try:
        process.serve(*pickle.load(sys.stdin.buffer))
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()
