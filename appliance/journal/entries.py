"""The journal's entries: what each says, as canonical JSON, and the chain of digests through them.

Canonical JSON: UTF-8, keys in the order of their code points, no spaces, numbers as Python's ``repr`` writes them.
RFC 8785 is not used: its numbers end at 2⁵³, and instants are larger. An entry's digest is the SHA-256 of
``{"kind", "payload", "previous", "seq", "t_ns", "wall_ns"}`` in that form, ``previous`` being the digest of the entry
before it as hexadecimal digits; that of the first entry is all zeros.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

DIGEST_BYTES = 32
ORIGIN = bytes(DIGEST_BYTES)
"""What stands for the digest before the first entry."""

_INT64 = 2**63


class EntryError(ValueError):
    """What cannot be an entry; one line."""


class Kind(StrEnum):
    """What an entry is. ``HEADER`` is the first entry and no other."""

    HEADER = "header"
    FACT = "fact"
    RULING = "ruling"
    OUTCOME = "outcome"
    WITHDRAWN = "withdrawn"
    NOTE = "note"


@dataclass(frozen=True, kw_only=True)
class Draft:
    """An entry that is not in the journal yet.

    ``t_ns``: nanoseconds since the game's start. ``wall_ns``: nanoseconds since 1970, a label for people. Raises
    EntryError where ``payload`` does not come back from JSON as it was.
    """

    t_ns: int
    wall_ns: int
    kind: Kind
    payload: Mapping[str, Any]
    text: str = field(init=False, compare=False, repr=False)
    """The payload as canonical JSON, as it was when the draft was made."""

    def __post_init__(self) -> None:
        for name, value in (("t_ns", self.t_ns), ("wall_ns", self.wall_ns)):
            if not -_INT64 <= value < _INT64:
                raise EntryError(f"{name} {value} is no instant: it does not fit into 64 bits")
        object.__setattr__(self, "text", canonical(self.payload))


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry of the journal. ``seq`` counts from 1; ``previous`` and ``digest``: 32 bytes each."""

    seq: int
    t_ns: int
    wall_ns: int
    kind: Kind
    payload: Mapping[str, Any]
    previous: bytes
    digest: bytes


@dataclass(frozen=True, kw_only=True)
class Row:
    """An entry as it stands in the file, whatever was done to it there; ``payload`` is text.

    Bytes that are no UTF-8 are kept in its texts as ``surrogateescape`` does.
    """

    seq: int
    t_ns: int
    wall_ns: int
    kind: str
    payload: str
    previous: bytes
    digest: bytes


def canonical(payload: Mapping[str, Any]) -> str:
    """``payload`` as canonical JSON. Raises EntryError where it does not come back from JSON as it was."""
    try:
        text = json.dumps(payload, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
        text.encode()
        back = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise EntryError(f"a payload that is no JSON: {error}") from None
    # Numbers as keys, tuples and the like are turned into something else without a word.
    if back != payload:
        raise EntryError("a payload that JSON changes: use lists, text as keys, and finite numbers")
    return text


def digest(row: Row) -> bytes:
    """What the digest of ``row`` must be, 32 bytes, from all of it but its own digest."""
    # The payload stands in canonical form already, and the keys here are in order.
    kind = json.dumps(row.kind, ensure_ascii=False)
    text = (
        f'{{"kind":{kind},"payload":{row.payload},"previous":"{row.previous.hex()}",'
        f'"seq":{row.seq},"t_ns":{row.t_ns},"wall_ns":{row.wall_ns}}}'
    )
    return sha256(text.encode(errors="surrogateescape")).digest()


def rows(drafts: Iterable[Draft], *, seq: int, previous: bytes) -> Iterator[Row]:
    """The rows for ``drafts`` after the entry ``seq`` with digest ``previous``; at the start ``0`` and ``ORIGIN``."""
    for draft in drafts:
        seq += 1
        unsealed = Row(
            seq=seq,
            t_ns=draft.t_ns,
            wall_ns=draft.wall_ns,
            kind=draft.kind.value,
            payload=draft.text,
            previous=previous,
            digest=ORIGIN,
        )
        previous = digest(unsealed)
        yield replace(unsealed, digest=previous)


@dataclass(frozen=True, kw_only=True)
class Break:
    """The first place where the chain does not hold. ``seq``: the entry, or the place where it should be."""

    seq: int
    why: str


def wrong_with(row: Row, *, seq: int, previous: bytes) -> Break | None:
    """What is wrong with ``row`` as the entry after ``seq`` with the digest ``previous``; None: it is good."""
    place = seq + 1
    if row.seq != place:
        return Break(seq=place, why=f"entry {place} is missing; the one found there is numbered {row.seq}")
    if row.previous != previous:
        return Break(seq=place, why=f"entry {place} does not follow from the one before it")
    if row.digest != digest(row):
        return Break(seq=place, why=f"entry {place} is not what was written: its digest does not fit")
    if row.kind not in set(Kind):
        return Break(seq=place, why=f"entry {place} is of no known kind")
    if (row.kind == Kind.HEADER) != (place == 1):
        return Break(
            seq=place, why="the first entry is no header" if place == 1 else f"entry {place} is a second header"
        )
    try:
        payload = json.loads(row.payload)
        kept = isinstance(payload, dict) and canonical(payload) == row.payload
    except (ValueError, RecursionError):
        kept = False
    return None if kept else Break(seq=place, why=f"what entry {place} says is not in canonical form")


def entry(row: Row) -> Entry:
    """The entry that a good ``row`` is."""
    return Entry(
        seq=row.seq,
        t_ns=row.t_ns,
        wall_ns=row.wall_ns,
        kind=Kind(row.kind),
        payload=json.loads(row.payload),
        previous=row.previous,
        digest=row.digest,
    )
