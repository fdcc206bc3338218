"""What is said over the box's socket: JSON Lines in UTF-8, version 1.

The box speaks first: ``{"caipan": 1, "seq": N}``, ``N`` being the number of the newest entry of the game's journal.
A client asks or decides, one line each, of at most 64 KiB:

``{"ask": "snapshot"}``
    is answered by ``{"snapshot": {…}, "seq": N}``: the game as it stands after entry ``N``.
``{"ask": "follow"}``
    is answered by ``{"following": N}``, and from then on each new entry comes as ``{"seq": N+1, …}``. With
    ``"after": M`` those after entry ``M`` come first; when some of them are no longer kept, that is refused: take a
    snapshot and follow after its ``seq``, and nothing is missed.
``{"decide": {…}, "id": …}``
    enters a decision. ``id`` is the client's own, a text or a whole number. The answer is
    ``{"id": …, "accepted": true}`` or ``{"id": …, "error": "…"}``; answers may come in another order. A second decision
    with the same ``id`` is accepted and changes nothing. In the journal's entry the ``id`` stands as ``asked``.
``{"decide": {"what": "seal", "point": "H8"}, "id": …}``
    seals a move at an adjournment. The answer has a ``code`` too, once: neither it nor the point is kept anywhere.
``{"decide": {"what": "open_sealed", "code": "…"}, "id": …}``
    opens it; a ``point`` in place of the code enters what the paper says.

An ``id`` may stand with every line and then stands in its answer. What is not understood is answered by
``{"error": "…"}`` in one line, and the connection is kept. A client that does not read is told
``{"error": "…", "closed": true}`` and cut off. Unknown keys of the box's lines are to be passed over; what changes
their meaning has another version.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic_core import from_json

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 1
LONGEST = 64 << 10
"""Bytes in a client's line, its end not included."""
_LONGEST_ID = 200

Id: TypeAlias = str | int | None


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The game as it stands is asked for."""

    id: Id = None


@dataclass(frozen=True, kw_only=True)
class Follow:
    """Every new entry is asked for, and those after the number ``after``; None: only new ones."""

    after: int | None = None
    id: Id = None


@dataclass(frozen=True, kw_only=True)
class Decide:
    """A decision, as it was entered."""

    decision: Mapping[str, Any]
    id: str | int


Request: TypeAlias = Snapshot | Follow | Decide


class NotUnderstood(ValueError):  # noqa: N818
    """A line that is no request; the message is one line: what is wrong, what to send. ``id``: the line's, if any."""

    def __init__(self, why: str, id_: Id = None) -> None:
        super().__init__(why)
        self.id = id_


class Incoming:
    """The lines in what comes from a client, whatever pieces it comes in."""

    def __init__(self) -> None:
        self._unread = bytearray()
        self._skipping = False
        """The rest of a line that is too long is passed over."""

    def feed(self, data: bytes) -> None:
        """More came."""
        self._unread += data

    def next(self) -> bytes | None:
        """The next line, without its end; None: it has not come yet. Raises NotUnderstood once for each too long."""
        while True:
            end = self._unread.find(b"\n")
            if end < 0 and len(self._unread) <= LONGEST and not self._skipping:
                return None
            line = bytes(self._unread[: end if end >= 0 else None])
            del self._unread[: len(line) + 1]
            skipped, self._skipping = self._skipping, end < 0
            if not skipped and len(line) > LONGEST:
                raise NotUnderstood(f"a line of more than {LONGEST} bytes: send less at a time")
            if not skipped:
                return line
            if end < 0:
                return None


def request_of(line: bytes) -> Request:
    """The request in a line. Raises NotUnderstood."""
    try:
        said = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        raise NotUnderstood(f"not JSON ({error}): send one JSON object a line") from None
    if not isinstance(said, dict):
        raise NotUnderstood('no JSON object: send {"ask": "snapshot"}, {"ask": "follow"} or {"decide": {…}, "id": …}')
    id_ = said.pop("id", None)
    if isinstance(id_, bool) or not isinstance(id_, str | int | None) or len(str(id_)) > _LONGEST_ID:
        raise NotUnderstood(f"id: send a text or a whole number of at most {_LONGEST_ID} characters")
    match said:
        case {"ask": "snapshot", **others} if not others:
            return Snapshot(id=id_)
        case {"ask": "follow", "after": int(after), **others} if not others and not isinstance(after, bool):
            return Follow(after=after, id=id_)
        case {"ask": "follow", **others} if not others:
            return Follow(id=id_)
        case {"decide": dict(decision), **others} if not others:
            if id_ is None:
                raise NotUnderstood("a decision without id: send one, so that it can be answered")
            return Decide(decision=decision, id=id_)
    raise NotUnderstood('unknown request: send {"ask": "snapshot"}, {"ask": "follow"} or {"decide": {…}, "id": …}', id_)


def line_of(said: Mapping[str, Any], id_: Id = None) -> bytes:
    """A line of the box's, with the ``id`` of the line that it answers."""
    answer = said if id_ is None else {"id": id_, **said}
    return json.dumps(answer, ensure_ascii=False, allow_nan=False).encode(errors="replace") + b"\n"
