"""The thread that keeps the pictures behind rulings and moves. It may wait for the disk; the game does not."""

from __future__ import annotations

from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

import cv2
import numpy as np

from appliance.journal.evidence import exhibits, panel, strip
from appliance.journal.evidence_store import EvidenceResumed, EvidenceStopped, jpeg
from appliance.journal.keeping import Shows
from appliance.live.items import Noted
from vision.observation import Frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from appliance.arbiter.rulings import Ruling
    from appliance.journal.evidence_store import EvidenceFact, EvidenceStore
    from appliance.live.items import Item
    from appliance.live.recent import Kept, Recent

_MOVE_LONGEST = 480
"""Pixels of the longer side of a move's picture."""


@dataclass(frozen=True, kw_only=True)
class RulingMade:
    """A ruling that wants its pictures. ``corners``: where the board lies, None where that is not known."""

    ruling: Ruling
    corners: NDArray[np.float64] | None
    size: int
    now_ns: int
    wall_ns: int


@dataclass(frozen=True, kw_only=True)
class MoveMade:
    """A move that wants its picture; ``t_ns``: of the first frame that showed it."""

    number: int
    t_ns: int
    now_ns: int
    wall_ns: int


@dataclass(frozen=True, kw_only=True)
class RoomWanted:
    """The game cannot be written: pictures go first."""

    now_ns: int
    wall_ns: int


class Exhibiting:
    """Keeps pictures out of ``recent`` in ``store`` until closed."""

    def __init__(self, store: EvidenceStore, recent: Recent, say: Callable[[Item], None]) -> None:
        self._store, self._recent, self._say = store, recent, say
        self._wanted: SimpleQueue[RulingMade | MoveMade | RoomWanted | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="evidence", daemon=True)
        self._thread.start()

    def want(self, wanted: RulingMade | MoveMade | RoomWanted) -> None:
        """Have it kept, or room made; returns at once."""
        self._wanted.put(wanted)

    def close(self) -> None:
        """Keep what is wanted still, and end."""
        self._wanted.put(None)
        self._thread.join(10)

    def _run(self) -> None:
        while (wanted := self._wanted.get()) is not None:
            try:
                self._do(wanted)
            except Exception as error:  # no picture is worth a game
                text = f"a picture could not be made ({error!r}): report this error"
                self._say(Noted(about="evidence", text=text))

    def _do(self, wanted: RulingMade | MoveMade | RoomWanted) -> None:
        match wanted:
            case RulingMade():
                self._ruling(wanted)
            case MoveMade():
                self._move(wanted)
            case RoomWanted():
                self._tell(self._store.give_way(self._store.short, now_ns=wanted.now_ns, wall_ns=wanted.wall_ns))

    def _move(self, made: MoveMade) -> None:
        kept = self._recent.after(made.t_ns)
        if kept is None:
            return
        image = _image(kept)
        self._keep(f"move-{made.number:03}.jpg", jpeg(image, longest=_MOVE_LONGEST), Shows.MOVE, made.number, made)

    def _ruling(self, made: RulingMade) -> None:
        ruling, bracket = made.ruling, made.ruling.bracket
        frames: dict[int, Kept] = {}
        instants = [ruling.t_ns, ruling.press_ns]
        instants += [] if bracket is None else [bracket.after_ns, bracket.by_ns]
        for t_ns in instants:
            for kept in () if t_ns is None else (self._recent.before(t_ns), self._recent.after(t_ns)):
                if kept is not None:
                    frames[kept.index] = kept
        if not frames or made.corners is None:
            return
        known = [frames[index].t_ns if index in frames else -1 for index in range(max(frames) + 1)]
        panels = []
        for exhibit in exhibits(ruling, known):
            before = bracket is not None and exhibit.frame == bracket.after_frame
            kept = _in_place_of(exhibit.frame, frames, before=before)
            panels.append(panel(ruling, exhibit, _frame(kept), made.corners * kept.scale, made.size))
        name = f"ruling-{ruling.number:03}-{ruling.code.replace('_', '-')}.jpg"
        self._keep(name, jpeg(strip(ruling, panels)), Shows.RULING, ruling.number, made)

    def _keep(self, name: str, data: bytes, shows: Shows, number: int, made: RulingMade | MoveMade) -> None:
        t_ns = made.t_ns if isinstance(made, MoveMade) else made.ruling.t_ns
        self._tell(
            self._store.keep(
                name, data, shows=shows, number=number, t_ns=t_ns, now_ns=made.now_ns, wall_ns=made.wall_ns
            )
        )

    def _tell(self, told: EvidenceFact | None) -> None:
        match told:
            case EvidenceStopped(why=why):
                self._say(Noted(about="evidence", text=why, stands=True))
            case EvidenceResumed():
                self._say(Noted(about="evidence", text="pictures are kept again", stands=False))


def _in_place_of(index: int, frames: Mapping[int, Kept], *, before: bool) -> Kept:
    """The frame ``index``, or where that is gone the next one kept: ``before`` an act an earlier one, else a later."""
    fitting = [known for known in frames if (known <= index if before else known >= index)]
    return frames[min(fitting or frames, key=lambda known: abs(known - index))]


def _image(kept: Kept) -> NDArray[np.uint8]:
    decoded = cv2.imdecode(np.frombuffer(kept.data, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(decoded, np.uint8)


def _frame(kept: Kept) -> Frame:
    return Frame(index=kept.index, start_ns=kept.t_ns, end_ns=kept.t_ns, image=_image(kept))
