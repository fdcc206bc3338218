"""The thread that looks: takes the camera's frames, reads the board, and tells the ordering loop."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING

from appliance.journal.evidence_store import jpeg
from appliance.live.items import Ended, Noted, Saw
from appliance.live.recent import Kept, Recent
from appliance.referee import board_order
from calibration.grid import GridNotFound, find_grid
from vision.camera_watch import CameraBack, CameraFault, CameraOver
from vision.eyes import Eyes
from vision.observation import Frame
from vision.recording import BadFrame
from vision.sources import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from appliance.live.items import Item
    from vision.camera import Camera

_WAIT_S = 0.2
_SEARCH_NS = 1_000_000_000
"""How often the board is looked for while it is not found."""
_LONGEST = 1280
"""Pixels of the longer side of what is kept as evidence."""


class Watcher:
    """Watches the board until it is closed.

    ``open_camera`` is called in its thread. ``rows``: what should stand there now. ``frame_error_ns``: what is allowed
    for frames' instants. ``game_ns``: game time for the box's. ``before``: called with each frame's instant before that
    is told, game time.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        say: Callable[[Item], None],
        *,
        corners: NDArray[np.float64] | None,
        black_side: str,
        size: int,
        rows: Sequence[str],
        frame_error_ns: int,
        game_ns: Callable[[int], int],
        before: Callable[[int], None],
        recent: Recent,
    ) -> None:
        self._open, self._say, self._game_ns, self._before = open_camera, say, game_ns, before
        self._given, self._black_side, self._size, self._rows = corners, black_side, size, list(rows)
        self._frame_error_ns, self._recent = frame_error_ns, recent
        self._eyes: Eyes | None = None
        self._shape: tuple[int, ...] = ()
        """Of the frames that they were opened for."""
        self._strange = False
        self._search_ns = -_SEARCH_NS
        self._not_found = False
        self._closing = Event()
        self._thread = Thread(target=self._run, name="watcher", daemon=True)

    @property
    def corners(self) -> NDArray[np.float64] | None:
        """Where the board lies, outer intersections in board order; None: it has not been found."""
        eyes = self._eyes
        return None if eyes is None else eyes.observer.corners

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join(5)

    def _run(self) -> None:
        camera = self._open()
        try:
            while not self._closing.is_set():
                match camera.next(_WAIT_S):
                    case Frame() as frame:
                        self._see(frame)
                    case BadFrame() as bad:
                        self._say(Noted(about="camera", text=str(bad)))
                    case Remark(what=what):
                        self._say(Noted(about="camera", text=what))
                    case CameraFault(what=what):
                        self._say(Noted(about="camera", text=f"sees nothing: {what}", stands=True))
                    case CameraBack(outage_ns=outage_ns):
                        text = f"sees again, after {outage_ns / 1e9:.1f} s"
                        self._say(Noted(about="camera", text=text, stands=False))
                    case CameraOver():
                        if self._eyes is not None:
                            acts = self._eyes.finish()
                            last = self._last
                            if acts and last is not None:
                                self._say(replace(last, sighting=replace(last.sighting, acts=acts, whole=False)))
                        self._say(Ended(why="the recording is over", over=True))
                        return
        finally:
            with suppress(OSError):
                camera.close()

    _last: Saw | None = None

    def _see(self, frame: Frame) -> None:
        frame = replace(frame, start_ns=self._game_ns(frame.start_ns), end_ns=self._game_ns(frame.end_ns))
        self._before(frame.instant_ns)
        if self._eyes is None and not self._found(frame):
            return
        assert self._eyes is not None
        if self._is_strange(frame):
            return
        sighting = self._eyes.see(frame)
        data = jpeg(frame.image, longest=_LONGEST)
        scale = min(1.0, _LONGEST / max(frame.image.shape[:2]))
        self._recent.add(Kept(index=frame.index, t_ns=frame.instant_ns, data=data, scale=scale))
        self._last = Saw(t_ns=frame.instant_ns, sighting=sighting)
        self._say(self._last)

    def _is_strange(self, frame: Frame) -> bool:
        """Whether the camera gives pictures of another size all at once; told when it begins and when it ends."""
        strange = frame.image.shape != self._shape
        if strange != self._strange:
            self._strange = strange
            height, width = frame.image.shape[:2]
            text = (
                f"gives pictures of {width} x {height}: start the box again if that is meant"
                if strange
                else "is as before"
            )
            self._say(Noted(about="camera's size", text=text, stands=strange))
        return strange

    def _found(self, frame: Frame) -> bool:
        """Whether the board is found in ``frame``; told once when it is not, and looked for each second."""
        corners = self._given
        if corners is None:
            if frame.instant_ns - self._search_ns < _SEARCH_NS:
                return False
            self._search_ns = frame.instant_ns
            try:
                corners = find_grid(frame.image, self._size).corners
            except (GridNotFound, ValueError) as error:
                if not self._not_found:
                    self._not_found = True
                    text = f"not found: {error}; clear it, or give its corners"
                    self._say(Noted(about="board", text=text, stands=True))
                return False
        if self._not_found:
            self._say(Noted(about="board", text="found", stands=False))
        self._shape = frame.image.shape
        height, width = self._shape[:2]
        self._eyes = Eyes(
            board_order(corners, self._black_side), self._rows, (width, height), frame_error_ns=self._frame_error_ns
        )
        return True
