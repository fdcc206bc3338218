"""The box's socket: clients ask, decide and follow; the game waits for none of them.

One thread with an event loop serves all clients. The protocol is described in :mod:`appliance.live.messages`.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import socket
from collections import deque
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from appliance.live.messages import (
    VERSION,
    Decide,
    Follow,
    Incoming,
    NotUnderstood,
    Snapshot,
    line_of,
    request_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from appliance.live.messages import Id, Request

KEPT = 2000
"""How many of the newest entries can be asked for again."""
MOST_CLIENTS = 64
MOST_UNREAD = 1 << 20
"""Bytes that may wait for a client; one that reads more slowly is cut off."""
MOST_OPEN = 32
"""Decisions of one client that are not answered yet."""
_AT_ONCE, _REST_S = 32, 0.05
"""So many lines of one client are answered, then it waits so long."""
_LAST_WORDS_S = 5.0
"""How long a client that is cut off may take to read why."""
_MODE = 0o660
_PATIENCE_S = 1.0


class ListeningFault(Exception):  # noqa: N818
    """The socket cannot be had; the message is one line: which, why, what to do."""


class Box(Protocol):
    """What the socket needs of the box. Both are called in the socket's thread, must be quick and raise nothing."""

    def snapshot(self) -> Mapping[str, Any]:
        """The game as it stands: a value that nobody changes, with ``seq``, the number of its newest entry."""

    def decide(self, decision: Mapping[str, Any], id_: str | int) -> Future[Mapping[str, Any]]:
        """Enter a decision; the answer is ``{"accepted": true}`` and what belongs to it, or ``{"error": why not}``."""


class Listening:
    """Listens at ``path`` for ``box`` until closed; ``seq`` is the number of the newest entry, 0 for none.

    Raises ListeningFault when another box listens there, or nobody can.
    """

    def __init__(self, path: Path, box: Box, *, seq: int = 0) -> None:
        self._path, self._lock = path, _locked(path)
        try:
            bound = _bound(path)
        except ListeningFault:
            os.close(self._lock)
            raise
        self._loop, self._ended = asyncio.new_event_loop(), asyncio.Event()
        self._hall = _Hall(box, self._loop, seq)
        self._thread = Thread(target=self._run, args=(bound,), name="socket", daemon=True)
        self._thread.start()

    def publish(self, entry: Mapping[str, Any]) -> None:
        """Tell an entry that is committed, with its ``seq``, to all who follow; from one thread, in order."""
        self._loop.call_soon_threadsafe(self._hall.publish, entry["seq"], line_of(entry))

    def close(self) -> None:
        """Cut off all clients and remove the socket."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(_PATIENCE_S)
        self._path.unlink(missing_ok=True)
        os.close(self._lock)

    def _run(self, bound: socket.socket) -> None:
        self._loop.run_until_complete(self._serve(bound))
        self._loop.close()

    async def _serve(self, bound: socket.socket) -> None:
        server = await self._loop.create_unix_server(lambda: _Client(self._hall), sock=bound)
        await self._ended.wait()
        server.close()
        self._hall.close()
        await asyncio.sleep(0)  # for the clients' connections to be closed


class _Hall:
    """All clients and what they can be told. In the loop's thread alone."""

    def __init__(self, box: Box, loop: asyncio.AbstractEventLoop, seq: int) -> None:
        self.box, self.loop, self.seq = box, loop, seq
        self.clients = set[_Client]()
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT)

    def publish(self, seq: int, line: bytes) -> None:
        self.seq = seq
        self._kept.append((seq, line))
        for client in list(self.clients):
            client.told(seq, line)

    def after(self, seq: int) -> bytes | None:
        """The lines of all entries after that one; None: some are no longer kept."""
        oldest = self._kept[0][0] if self._kept else self.seq + 1
        if seq < oldest - 1:
            return None
        return b"".join(line for number, line in self._kept if number > seq)

    def close(self) -> None:
        for client in list(self.clients):
            client.abort()


class _Client(asyncio.Protocol):
    """One connection."""

    _transport: asyncio.Transport

    def __init__(self, hall: _Hall) -> None:
        self._hall = hall
        self._incoming = Incoming()
        self._after: int | None = None
        """The newest entry that it has; None: it does not follow."""
        self._open = 0
        self._no_more = False
        """It asks nothing more, but may still read."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if len(self._hall.clients) >= MOST_CLIENTS:
            self._cut_off(f"{MOST_CLIENTS} clients are connected already: end one of them")
            return
        self._hall.clients.add(self)
        self._send(line_of({"caipan": VERSION, "seq": self._hall.seq}))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._hall.clients.discard(self)

    def eof_received(self) -> bool:
        self._no_more = True
        return not self._done()

    def data_received(self, data: bytes) -> None:
        self._incoming.feed(data)
        self._work()

    def told(self, seq: int, line: bytes) -> None:
        """There is a new entry."""
        if self._after is not None and seq > self._after:
            self._after = seq
            self._send(line)

    def abort(self) -> None:
        self._transport.abort()

    def _done(self) -> bool:
        return self._no_more and self._open == 0 and self._after is None

    def _work(self) -> None:
        """Answer the lines that came, a few at a time: nobody gets the processor for himself."""
        for _ in range(_AT_ONCE):
            if self._transport.is_closing():
                return
            try:
                line = self._incoming.next()
                if line is None:
                    return
                self._answer(request_of(line))
            except NotUnderstood as error:
                self._refuse(str(error), error.id)
        self._transport.pause_reading()
        self._hall.loop.call_later(_REST_S, self._go_on)

    def _go_on(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
            self._work()

    def _answer(self, request: Request) -> None:
        match request:
            case Snapshot():
                self._give_snapshot(request.id)
            case Follow():
                self._follow(request)
            case Decide():
                self._decide(request)

    def _give_snapshot(self, id_: Id) -> None:
        snapshot = self._hall.box.snapshot()
        self._send(line_of({"snapshot": snapshot, "seq": snapshot["seq"]}, id_))

    def _follow(self, request: Follow) -> None:
        after = self._hall.seq if request.after is None else request.after
        missed = self._hall.after(after)
        if missed is None:
            self._refuse(f"not all entries after {after} are kept here: take a snapshot, follow after it", request.id)
            return
        self._after = max(after, self._hall.seq)
        self._send(line_of({"following": after}, request.id) + missed)

    def _decide(self, request: Decide) -> None:
        if self._open >= MOST_OPEN:
            self._refuse(f"{MOST_OPEN} decisions are not answered yet: wait for the answers", request.id)
            return
        self._open += 1

        def decided(future: Future[Mapping[str, Any]]) -> None:
            with suppress(RuntimeError):  # the loop is closed
                self._hall.loop.call_soon_threadsafe(self._decided, request.id, future)

        self._hall.box.decide(request.decision, request.id).add_done_callback(decided)

    def _decided(self, id_: Id, future: Future[Mapping[str, Any]]) -> None:
        self._open -= 1
        if future.cancelled():
            self._refuse("not decided: the box is ending", id_)
        else:
            self._send(line_of(future.result(), id_))
        if self._done():
            self._transport.close()

    def _refuse(self, why: str, id_: Id = None) -> None:
        self._send(line_of({"error": why}, id_))

    def _send(self, line: bytes) -> None:
        if self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > MOST_UNREAD:
            self._cut_off("too much is unread: read faster, or follow again after the last entry")
        else:
            self._transport.write(line)

    def _cut_off(self, why: str) -> None:
        self._hall.clients.discard(self)
        self._transport.write(line_of({"error": why, "closed": True}))
        self._transport.close()
        self._hall.loop.call_later(_LAST_WORDS_S, self._transport.abort)


def _locked(path: Path) -> int:
    """The lock that says a box listens at ``path``: it goes with the process, however that ends."""
    lock = path.with_name(f"{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ListeningFault(f"{lock}: cannot be made ({error.strerror}): choose another path for the socket") from None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise ListeningFault(f"{path}: another box listens there: end it, or choose another path") from None
    return fd


def _bound(path: Path) -> socket.socket:
    """A socket with that path, in place of one that a box has left behind."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.exists() and not path.is_socket():
            raise OSError(errno.EEXIST, "there is something else")
        path.unlink(missing_ok=True)
        os.fchmod(listening.fileno(), _MODE)  # before there is a path: never open to all, not even for a moment
        listening.bind(str(path))
        path.chmod(_MODE)  # whatever the umask took away
        listening.listen()
    except OSError as error:
        listening.close()
        raise ListeningFault(f"{path}: cannot be made ({error.strerror or error}): choose another path") from None
    return listening
