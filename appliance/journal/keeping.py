"""Which pictures are kept as evidence, and which go first when room is short; how the journal notes both."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from appliance.journal.entries import EntryError, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from appliance.journal.entries import Entry

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}(\.[0-9A-Za-z]{1,9})?")


class Shows(StrEnum):
    """What a picture is kept for."""

    MOVE = "move"
    RULING = "ruling"
    PRESS = "press"


class Need(IntEnum):
    """How much a picture is needed; the least go first, and what is contested never goes."""

    UNNEEDED = 0
    NEEDED = 1
    CONTESTED = 2


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture kept as evidence, of the move, ruling or press ``number``; ``sha256`` in hexadecimal digits."""

    file: str
    bytes: int
    t_ns: int
    shows: Shows
    number: int
    sha256: str

    def __post_init__(self) -> None:
        # What a journal names is deleted some day: it must lie in the game's own folder.
        if not _NAME.fullmatch(self.file):
            raise EntryError(f"{self.file!r} is no name for a picture: use letters, digits, - and one ending")


@dataclass(frozen=True, kw_only=True)
class Room:
    """How much evidence may take: ``budget`` bytes in all, ``floor`` of the ``free`` bytes of the disk left alone."""

    budget: int
    floor: int
    free: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to do with a new picture. ``drop``: what goes before it, in that order; nothing where it is not kept."""

    keep: bool
    drop: tuple[Picture, ...] = ()


def plan(kept: Iterable[Picture], new: Picture, need: Callable[[Picture], Need], room: Room) -> Plan:
    """Whether ``new`` is kept beside ``kept``, and what goes for it: only what would go before it anyway."""
    kept = list(kept)
    excess = max(sum(picture.bytes for picture in kept) - room.budget, room.floor - room.free) + new.bytes
    going = dropped(kept, need, excess, before=new)
    return Plan(keep=False) if going is None else Plan(keep=True, drop=going)


def dropped(
    kept: Iterable[Picture], need: Callable[[Picture], Need], excess: int, before: Picture | None = None
) -> tuple[Picture, ...] | None:
    """What goes so that ``excess`` bytes become free: the least needed, of these the oldest first, and no more than
    that. None: it cannot be done without contested pictures, or those that would go after ``before``.
    """

    def rank(picture: Picture) -> tuple[Need, int, str]:
        return need(picture), picture.t_ns, picture.file

    going: list[Picture] = []
    for picture in sorted(kept, key=rank):
        if excess <= 0:
            break
        if need(picture) is Need.CONTESTED or (before is not None and rank(picture) >= rank(before)):
            return None
        going.append(picture)
        excess -= picture.bytes
    return tuple(going) if excess <= 0 else None


def kept_note(picture: Picture) -> dict[str, Any]:
    """What the journal notes of a picture that is kept."""
    return {"evidence": "kept", **asdict(picture)}


def dropped_note(picture: Picture) -> dict[str, Any]:
    """What the journal notes of a picture that is about to go for want of room."""
    return {"evidence": "dropped", "file": picture.file}


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The pictures that a journal tells of, by file. ``kept``: each with the number of the entry that notes it.

    ``strange``: the numbers of entries that should note a picture and cannot be understood.
    """

    kept: dict[str, tuple[int, Picture]]
    dropped: frozenset[str]
    strange: tuple[int, ...]


def noted(entries: Iterable[Entry]) -> Evidence:
    """What the entries say of pictures."""
    kept: dict[str, tuple[int, Picture]] = {}
    gone: set[str] = set()
    strange: list[int] = []
    for entry in entries:
        if entry.kind is not Kind.NOTE or "evidence" not in entry.payload:
            continue
        match dict(entry.payload):
            case {"evidence": "dropped", "file": str(file)} if file in kept:
                del kept[file]
                gone.add(file)
            case {"evidence": "kept", **said}:
                try:
                    picture = _PICTURE.validate_python(said)
                except ValidationError:
                    strange.append(entry.seq)
                else:
                    kept[picture.file] = entry.seq, picture
                    gone.discard(picture.file)
            case _:
                strange.append(entry.seq)
    return Evidence(kept=kept, dropped=frozenset(gone), strange=tuple(strange))


_PICTURE = TypeAdapter(Picture)
