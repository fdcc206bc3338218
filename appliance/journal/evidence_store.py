"""The pictures on the disk. What goes wrong there stops the evidence, never the game, and is told once."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np
import simplejpeg

from appliance.journal import durable
from appliance.journal.entries import Draft, Kind
from appliance.journal.keeping import Need, Picture, Room, Shows, dropped, dropped_note, kept_note, noted, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from appliance.journal.entries import Entry


@dataclass(frozen=True, kw_only=True)
class EvidenceStopped:
    """Pictures are no longer kept; ``why`` is one line."""

    why: str


@dataclass(frozen=True, kw_only=True)
class EvidenceResumed:
    """Pictures are kept again."""


EvidenceFact: TypeAlias = EvidenceStopped | EvidenceResumed


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(frozen=True, kw_only=True)
class Disk:
    """What is done to the disk; each may raise OSError."""

    write: Callable[[Path, bytes], None] = durable.write_whole
    remove: Callable[[Path], None] = Path.unlink
    free: Callable[[Path], int] = _free


class EvidenceStore:
    """The pictures of one game in the folder ``frames``; for one thread, which may wait for the disk.

    ``entries``: the game's so far. ``need`` tells how much a picture is needed at the moment. ``note`` has an entry
    written and returns when it is committed, or cannot be for now. ``budget``: bytes for all pictures; ``floor``:
    bytes of the disk that are left to the game.
    """

    def __init__(
        self,
        frames: Path,
        entries: Iterable[Entry],
        *,
        budget: int,
        floor: int,
        need: Callable[[Picture], Need],
        note: Callable[[Draft], object],
        disk: Disk | None = None,
    ) -> None:
        self._frames, self._budget, self._floor = frames, budget, floor
        self._need, self._note, self._disk = need, note, disk or Disk()
        evidence = noted(entries)
        self._kept = {file: picture for file, (_, picture) in evidence.kept.items()}
        self._stopped = False
        # What a cut left undone.
        with suppress(OSError):
            for path in [*(frames / file for file in evidence.dropped), *frames.glob(f"*{durable.PART}")]:
                if path.exists():
                    self._disk.remove(path)

    @property
    def kept(self) -> tuple[Picture, ...]:
        """The pictures that are there."""
        return tuple(self._kept.values())

    @property
    def short(self) -> int:
        """How many bytes of the disk the game lacks; 0 where the disk cannot be asked."""
        try:
            return max(0, self._floor - self._disk.free(self._frames))
        except OSError:
            return 0

    def keep(
        self, file: str, data: bytes, *, shows: Shows, number: int, t_ns: int, now_ns: int, wall_ns: int
    ) -> EvidenceFact | None:
        """Keep the picture ``data`` of the instant ``t_ns``, which is written at ``now_ns``, both in game time.

        Returns a fact when pictures stop being kept, or are kept again.
        """
        new = Picture(
            file=file, bytes=len(data), t_ns=t_ns, shows=shows, number=number, sha256=sha256(data).hexdigest()
        )
        try:
            free = self._disk.free(self._frames)
            found = plan(self._kept.values(), new, self._need, Room(budget=self._budget, floor=self._floor, free=free))
            if not found.keep:
                return self._stop("no room for another picture beside those that are needed: make room on the disk")
            self._drop(found.drop, now_ns=now_ns, wall_ns=wall_ns)
            self._disk.write(self._frames / file, data)
        except OSError as error:
            return self._stop(f"a picture could not be kept in {self._frames}: {error.strerror}")
        self._kept[file] = new
        self._note(Draft(t_ns=now_ns, wall_ns=wall_ns, kind=Kind.NOTE, payload=kept_note(new)))
        resumed, self._stopped = self._stopped, False
        return EvidenceResumed() if resumed else None

    def give_way(self, wanted: int, *, now_ns: int, wall_ns: int) -> EvidenceFact | None:
        """Free ``wanted`` bytes for the game, or as many as can be, when its disk is full."""
        spare = sum(picture.bytes for picture in self._kept.values() if self._need(picture) is not Need.CONTESTED)
        going = dropped(self._kept.values(), self._need, min(wanted, spare)) or ()
        try:
            self._drop(going, now_ns=now_ns, wall_ns=wall_ns)
        except OSError as error:
            return self._stop(f"a picture could not be removed from {self._frames}: {error.strerror}")
        return None

    def _drop(self, going: Iterable[Picture], *, now_ns: int, wall_ns: int) -> None:
        for picture in going:
            # Noted first: a picture that is missing without a note would look as if somebody had taken it away.
            self._note(Draft(t_ns=now_ns, wall_ns=wall_ns, kind=Kind.NOTE, payload=dropped_note(picture)))
            try:
                self._disk.remove(self._frames / picture.file)
            except OSError:
                self._note(Draft(t_ns=now_ns, wall_ns=wall_ns, kind=Kind.NOTE, payload=kept_note(picture)))
                raise
            del self._kept[picture.file]

    def _stop(self, why: str) -> EvidenceFact | None:
        already, self._stopped = self._stopped, True
        return None if already else EvidenceStopped(why=why)


def jpeg(image: NDArray[np.uint8], *, longest: int | None = None, quality: int = 80) -> bytes:
    """An image as JPEG; (H, W, 3) uint8 BGR. ``longest``: pixels that the longer side has at most."""
    scale = 1.0 if longest is None else min(1.0, longest / max(image.shape[:2]))
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    data: bytes = simplejpeg.encode_jpeg(np.ascontiguousarray(image), quality=quality, colorspace="BGR")
    return data
