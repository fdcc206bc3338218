"""A camera that may hang, die or send garbage, without anybody waiting for it: it lives in a process of its own.

That process is started as a program, never forked: OpenCV does not survive a fork. Its pictures come through shared
memory (:mod:`vision.ring`), and what is to be said about them through a socket. Each process has new memory, so that
one that could not be killed writes where nobody reads.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, TypeAlias

from vision.camera_link import LONGEST, Fault, Laid, NoMessage, Put, Said, message_of
from vision.camera_watch import (
    Alive,
    CameraBack,
    CameraFault,
    CameraOver,
    CameraWatch,
    Failed,
    LeftOut,
    Order,
    Patience,
    Renewed,
    Seen,
)
from vision.observation import Frame
from vision.recording import BadFrame
from vision.ring import MOST_SLOTS, RingReader, new_memory
from vision.sources import Learned, Place, Remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.camera_link import Message
    from vision.camera_watch import Fact, Outcome
    from vision.ring import Layout
    from vision.sources import Source

Happening: TypeAlias = Frame | BadFrame | Remark | CameraFault | CameraBack | CameraOver
"""What comes of a camera."""

BACKLOG = 8
"""With so many frames waiting only every second one is taken, with twice as many every third, and so on."""
_AT_ONCE = 64
"""So many messages are heard between two frames."""
_MOST_WAITING = 2 * MOST_SLOTS
_STDERR = 2
"""Where a driver may print: the box's own output is read by programs."""
_EXIT_S, _END_S = 0.05, 1.0
"""What a process may take to be gone, of itself and when killed."""


class Camera:
    """The frames of ``source``, and what becomes of its process.

    For one thread alone, which calls :meth:`next` all the time: the process ends with the thread that started it.
    ``dropped``: how many frames were lost because nobody took them in time.
    """

    def __init__(
        self, source: Source, *, patience: Patience | None = None, now: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._source, self._now = source, now
        self._patience = patience or Patience()
        self._listened_ns = now()
        self._watch = CameraWatch(self._listened_ns, self._patience)
        self._process: _Process | None = None
        self._waiting: deque[tuple[RingReader, Put] | BadFrame | Remark | CameraFault] = deque()
        self._told: deque[CameraBack | CameraOver] = deque()
        """What comes before all that waits."""
        self._place: Place | None = None
        self._learned = ""
        self._renew = Event()
        self.dropped = 0

    @property
    def pid(self) -> int | None:
        """The process's number; None: there is none now."""
        return None if self._process is None else self._process.pid

    def next(self, wait_s: float) -> Happening | None:
        """What comes next within ``wait_s``, oldest first; None: nothing."""
        until_ns = self._now() + round(wait_s * 1e9)
        if self._now() - self._listened_ns > self._patience.silence_ns // 2:
            self._tell(Alive(t_ns=self._now()))  # what nobody listened to cannot have been silent
        if self._renew.is_set():
            self._renew.clear()
            self._learned = ""
            self._tell(Renewed(t_ns=self._now()))
        while True:
            if self._told:
                return self._told.popleft()
            self._hear()
            now_ns = self._listened_ns = self._now()
            given = self._given(now_ns)
            if isinstance(given, Frame):
                return given
            if given is None and self._process is not None and self._process.over:
                self._tell(CameraOver(t_ns=now_ns))
            if given is None or self._process is not None:  # none is started before all is taken that the last one gave
                self._do(self._watch.pass_to(now_ns))
            if given is not None:
                return given
            if self._told or self._waiting:
                continue
            if now_ns >= until_ns:
                return None
            due_ns = self._watch.next_ns()
            self._wait((until_ns if due_ns is None else min(due_ns, until_ns)) - self._now())

    def relearn(self) -> None:
        """Begin anew under another light, which takes some seconds: for between games. From any thread."""
        self._renew.set()

    def close(self) -> None:
        """End the process, and let go of what nobody took."""
        self._end()
        self._waiting.clear()

    def _wait(self, wait_ns: int) -> None:
        wait_s = max(0, wait_ns) / 1e9
        if self._process is None:
            time.sleep(wait_s)
        else:
            self._process.wait(wait_s)

    def _hear(self) -> None:
        """What the process has said, but no more than can be told: it may never stop."""
        for _ in range(_AT_ONCE):
            process = self._process
            if process is None or len(self._waiting) >= _MOST_WAITING:
                return
            try:
                message = process.hear()
                if message is None:
                    return
                self._understand(process, message)
            except ValueError as error:
                self._fail(f"the camera's process sent garbage ({error}): report this error")
            except EOFError:
                if process.over:
                    return
                self._fail(f"the camera's process has ended ({process.end()})")

    def _understand(self, process: _Process, message: Message) -> None:
        """What follows from a message. Raises ValueError when it makes no sense."""
        match message:
            case Put():
                if process.ring is None:
                    raise ValueError("a frame without a ring")
                self._waiting.append((process.ring, message))
            case BadFrame() | Remark():
                self._waiting.append(message)
            case Learned():
                self._learned = message.what
            case Fault():
                self._fail(message.why)
            case Laid():
                process.lay(message.layout)
            case Said.ALIVE:
                self._tell(Alive(t_ns=self._now()))
            case Said.LEFT_OUT:
                self.dropped += 1
                self._tell(Alive(t_ns=self._now()))
            case Said.OVER:
                process.over = True

    def _given(self, now_ns: int) -> Frame | BadFrame | Remark | CameraFault | None:
        """The oldest of what waits, or a later one when many frames do; None: nothing waits."""
        skip = sum(isinstance(one, tuple) for one in self._waiting) // BACKLOG
        while self._waiting:
            waiting = self._waiting.popleft()
            if isinstance(waiting, (CameraFault, Remark)):
                return waiting
            if isinstance(waiting, BadFrame):
                return self._left_out(waiting)
            if self._process is not None:
                self._process.acknowledge()
            ring, put = waiting
            frame = None if skip else ring.take(put.slot, put.serial)
            if frame is None:
                skip = max(0, skip - 1)
                self.dropped += 1
                continue
            if self._place is not None and frame.instant_ns <= self._place.instant_ns:
                reason = "is not later than the one before"
                return self._left_out(BadFrame(name=frame.name, t_ns=frame.instant_ns, reason=reason))
            self._place = Place(index=frame.index, instant_ns=frame.instant_ns)
            self._tell(Seen(t_ns=now_ns))
            return frame
        return None

    def _left_out(self, bad: BadFrame) -> BadFrame:
        self._tell(LeftOut(t_ns=self._now(), why=bad.reason))
        return bad

    def _fail(self, why: str) -> None:
        self._tell(Failed(t_ns=self._now(), why=why))

    def _tell(self, fact: Fact) -> None:
        self._do(self._watch.tell(fact))

    def _do(self, outcome: Outcome) -> None:
        for one in outcome:
            match one:
                case Order.START:
                    try:
                        place = self._place and replace(self._place, learned=self._learned)
                        self._process = _Process(self._source, place)
                    except OSError as error:
                        self._fail(f"the camera's process cannot be started ({error.strerror})")
                case Order.KILL:
                    self._end()
                case CameraFault():
                    self._waiting.append(one)
                case _:
                    self._told.append(one)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()
            process.close()


class _Process:
    """One camera process: its link and its ring. Raises OSError when it cannot be started."""

    def __init__(self, source: Source, after: Place | None) -> None:
        self.ring: RingReader | None = None
        self.over = False
        self._heard = b""
        self._memory = new_memory()
        self._link, far = socket.socketpair()
        fds = (self._memory, far.fileno())
        command = [sys.executable, "-P", "-m", "vision.camera_process", *map(str, fds)]
        try:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=_STDERR,
                pass_fds=fds,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )
        except OSError:
            self.close()
            raise
        finally:
            far.close()
        self._link.setblocking(False)
        assert self._popen.stdin is not None
        with suppress(BrokenPipeError), self._popen.stdin as stdin:
            stdin.write(pickle.dumps((source, after)))

    @property
    def pid(self) -> int:
        return self._popen.pid

    def wait(self, wait_s: float) -> None:
        """Until it says something, or the time is over."""
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        poll.poll(wait_s * 1e3)

    def hear(self) -> Message | None:
        """What it said next; None: nothing yet. Raises NoMessage, and EOFError when it says nothing more."""
        while (end := self._heard.find(b"\n") + 1) == 0:
            if len(self._heard) > LONGEST:
                raise NoMessage("a line without an end")
            try:
                heard = self._link.recv(1 << 16)
            except BlockingIOError:
                return None
            except ConnectionError:
                heard = b""
            if not heard:
                raise EOFError
            self._heard += heard
        line, self._heard = self._heard[:end], self._heard[end:]
        return message_of(line)

    def lay(self, layout: Layout) -> None:
        """The ring is there. Raises ValueError when it is not as said."""
        self.ring = RingReader(self._memory, layout)

    def acknowledge(self) -> None:
        """A frame is taken, for a source that waits for that."""
        with suppress(BlockingIOError, ConnectionError):
            self._link.send(b".")

    def end(self) -> str:
        """Kill it, if it still runs; how it ended. One that cannot be killed, as in a driver's call, is left alone."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_EXIT_S)
        self._popen.kill()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_END_S)
        code = self._popen.returncode
        if code is None:
            return "it cannot be killed"
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name

    def close(self) -> None:
        """Let go of link and memory; frames that are still in use keep theirs."""
        self._link.close()
        os.close(self._memory)
