"""From a frame to an observation: what stands on each intersection, and which of them cannot be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.pose import camera_position
from vision.belief import (
    BESIDE_HAND_SURROUNDED,
    CLEAR_SCORE,
    SETTLED_NS,
    STONE_SCORE,
    STONES_APART,
    apart,
    believed,
    hidden_around,
    nearest_only,
)
from vision.hands import Looks, Memory, find_crossing, looks, texture, unmoved
from vision.observation import NEAREST, ON_POINT, Content, Instant, Intersection, Observation, Stone
from vision.place import BoardPlace
from vision.quiet import QuietWatch
from vision.rectify import CELL
from vision.second_look import SecondLook
from vision.stones import (
    GLARE,
    STONE_MIDDLE,
    Disc,
    Palette,
    Tint,
    colour_of,
    find_disc,
    log_tint,
    radius_at,
    surrounded,
    tint_at,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.observation import Frame

CLEAR_PLACE = 0.7
"""Least score of a disc whose place is trusted to be beside its point, and whose radius is."""

ONLY_NETWORK_SCORE = 0.25
"""The score of a stone that the network alone sees: where on its point it lies is not measured."""

LOOSE_SCORE = 0.55
"""Least score of a stone that is reported beside the points."""

CELL_CHANGED = 0.2
"""Log ratio of a cell's middle to what it was, beyond what changed around it, from which a stone is sought there."""

LEFT_LYING_NS = 3_000_000_000
"""How long a stone must lie beside its point, with nobody near, before it counts for the nearest: it may be a dropped
one that will be picked up."""

BARE = 0.45
"""Least score of a bare crossing (hands stay below it in 97 of 100 places)."""

BARE_OF_USUAL = 0.7
"""… and the part of this board's median score that it must reach."""

BLOCKED_NS = 30_000_000_000
"""What hides a point for so long without moving is a thing, not a hand."""

NEIGHBOURS_SEEN = 7
"""… of its 8 neighbours."""

BLIND = 0.4
"""When fewer of the points than this part look right, nothing is read at all: the camera or the board moves."""

STONES_HOLD = 0.5
"""The part of the known stones that must look right again after the board was found anew."""

SIZE_KNOWN = 3
"""So many stones of a colour tell how large such a stone is on this board, seen by this camera …"""

ODD_SIZE = 0.07
"""… and by so many cells another one may differ in radius (stones of seven games: within 0.04)."""

_ADAPT = np.float32(0.1)
_AROUND_TILE = np.ones((3, 3), np.uint8)

_CODES = {Content.EMPTY: 0, Content.BLACK: 1, Content.WHITE: 2, Content.UNSEEN: 3}
_CONTENTS = tuple(_CODES)
_EMPTY, _UNSEEN = _CODES[Content.EMPTY], _CODES[Content.UNSEEN]
_BOARD = np.s_[1:-1, 1:-1]
"""The board's own tiles, without the ring around it."""


@dataclass(frozen=True, kw_only=True)
class _View:
    """One frame's canvas, and what is read off it.

    ``texture``: (side, side). ``looks``: of its tiles. ``tint``: (side, side, 2). ``middles``: (size + 1, size + 1, 2),
    that of the cells' middles. ``board``: (size, size, 2), the tint of the board itself around each point.
    """

    texture: NDArray[np.float32]
    looks: Looks
    tint: NDArray[np.float32]
    middles: NDArray[np.float32]
    board: NDArray[np.float32]


class Observer:
    """Reads the frames of one camera that stands still.

    ``corners``: (4, 2) outer intersections in image pixels in board order (rank N left first, clockwise).
    ``start``: rows of ``.BW``, what should stand there in the first frame. ``frame_size``: width and height in pixels.
    """

    def __init__(self, corners: NDArray[Any], start: Sequence[str], frame_size: tuple[int, int]) -> None:
        self.size = len(start)
        self._place = BoardPlace(corners, self.size, frame_size)
        self._quiet = QuietWatch(self._place.corners, self.size)
        self._content = np.array([[_CODES[Content(letter)] for letter in row] for row in start], np.int8)
        self._memory = Memory(self.size)
        self._board = np.zeros((self.size, self.size, 2), np.float32)
        self._middles = np.zeros((self.size + 1, self.size + 1, 2), np.float32)
        # Where a stone's outline and a crossing really appear, (size, size, 2) cells (x, y) from the point.
        self._lean = _lean(camera_position(corners, self.size, frame_size), self.size)
        self._light_lines = False
        self._bare_score = 1.0
        # How much of the first frame looked as it should, and where it plainly did not.
        self.start_seen = 0.0
        self.start_doubts: list[Intersection] = []
        self._stones: dict[Intersection, Stone] = {}
        self._contrast: dict[Intersection, Tint] = {}
        # The frame before, to tell what stands still.
        self._last_looks: Looks | None = None
        self._last_reading = self._content.copy()
        # Stones that lie beside the points, and since when each has lain there.
        self._beside: dict[Intersection, Stone] = {}
        self._beside_since: dict[Intersection, int] = {}
        self._still_since = np.zeros((self.size + 2, self.size + 2), np.int64)
        self._second_look = SecondLook(self.size)
        self._last: Observation | None = None
        self.read_last = False
        """Whether the newest frame had to be read, nothing having been quiet since the one before."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """Where the outer intersections lie now, (4, 2) image pixels in board order."""
        return self._place.corners

    def observe(self, frame: Frame) -> Observation:
        """Read one frame; frames come in the order of their instants.

        The first one is learnt from: afterwards ``start_seen`` tells how much of it, 0 to 1, looked as it should, and
        ``start_doubts`` where it plainly shows something else.
        """
        self.read_last = self._last is None or not self._quiet.quiet(frame.image, frame.instant_ns)
        if self._last is not None and not self.read_last:
            return replace(self._last, frame=frame.index, start_ns=frame.start_ns, end_ns=frame.end_ns, shift=0.0)
        self._last = self._read(frame)
        return self._last

    def _read(self, frame: Frame) -> Observation:
        view = self._view(frame)
        if self._last_looks is None:
            self._start(view)
        still = self._watch_motion(view.looks, frame.instant_ns)
        alike, matched = self._memory.match(view.looks)
        right, at_rest = float(matched[_BOARD].mean()), float(still[_BOARD].mean())
        shift = self._place.found_anew(frame, view.texture, right, at_rest, self._stones_hold)
        if shift:
            self._second_look.forget()
            self._quiet = QuietWatch(self._place.corners, self.size)
            view = self._view(frame)
            alike, matched = self._memory.match(view.looks)
            right = float(matched[_BOARD].mean())
        self._place.looks_right(right, view.texture)
        blind = right < BLIND
        unnoticed: dict[Intersection, Instant] = {}
        if blind:
            # Camera or board moves: what the lines of old are laid over says nothing.
            matched = np.zeros_like(matched)
            self._second_look.forget()
        else:
            onto_stones, changed = self._place.rectify_stones, ~matched[_BOARD]
            self._second_look.ask(frame, onto_stones, changed, self._content, self._still_since)
            unnoticed = self._disputed(view.texture)
            for at in unnoticed:
                matched[at.row + 1, at.col + 1] = False
        reading = np.where(matched[_BOARD], self._content, _UNSEEN).astype(np.int8)
        if not blind:
            self._read_emptied(view.texture, reading)
        seen = matched.copy()
        seen[_BOARD] |= reading != _UNSEEN
        lit = self._lit(view.board, seen)
        at_rim = (matched & ~self._memory.wholly & (view.looks.strength >= self._memory.plain))[_BOARD]
        at_rim |= matched[_BOARD] & self._beside_changed_cell(view)
        discs = self._read_stones(view, lit, seen, reading, at_rim, frame.instant_ns)
        explained = self._explained(matched)
        discs |= self._read_judged(view, lit, explained, reading, discs)
        loose = self._beside_points(discs)
        self._watch_beside(loose, frame.instant_ns)
        for at in loose:
            reading[at] = self._content[at] if matched[at.row + 1, at.col + 1] else _UNSEEN
        disturbed = _hand_near(explained, discs)
        if not disturbed:
            self._read_left_alone(view.tint, lit, reading, discs, loose, frame.instant_ns)
        self._learn(view, alike, matched, still, reading, discs, frame.instant_ns)
        as_known = not disturbed and not discs and bool(matched[_BOARD].all())
        self._quiet.read(
            frame.image, frame.instant_ns, settled=as_known and bool((reading == self._last_reading).all())
        )
        self._last_reading, self._last_looks = reading, view.looks
        return Observation(
            frame=frame.index,
            start_ns=frame.start_ns,
            end_ns=frame.end_ns,
            rows=tuple("".join(_CONTENTS[code] for code in row) for row in reading),
            stones={at: stone for at, stone in {**self._stones, **discs}.items() if at not in loose},
            loose={at: stone for at, stone in loose.items() if stone.score >= LOOSE_SCORE},
            confidence=np.where(reading == _UNSEEN, 0, np.maximum(alike[_BOARD], 0)).astype(np.float32),
            blocked=self._blocked(reading, frame.instant_ns),
            disturbed=disturbed,
            blind=blind,
            shift=shift,
            unnoticed=unnoticed,
        )

    # Seeing

    def _view(self, frame: Frame) -> _View:
        canvas, textured = self._place.canvas(frame)
        tint = log_tint(canvas)
        return _View(
            texture=textured,
            looks=looks(canvas, textured),
            tint=tint,
            middles=(middles := _middles(tint, self.size)),
            board=_board_tint(middles),
        )

    def _watch_motion(self, now: Looks, now_ns: int) -> NDArray[np.bool_]:
        """Which tiles look as they did in the frame before."""
        still = np.zeros_like(self._memory.learnt) if self._last_looks is None else unmoved(self._last_looks, now)
        self._still_since[~still] = now_ns
        return still

    def _start(self, view: _View) -> None:
        """Learn from the first frame what looks plausible for what should stand there, and how the lens bends."""
        self._board, self._middles = view.board.copy(), view.middles.copy()
        empty = self._content == _EMPTY
        crossings = {light: self._crossings(view.texture, light_lines=light) for light in (False, True)}
        usual = {light: float(np.median(crossings[light][empty, 0])) if empty.any() else 0.0 for light in crossings}
        self._light_lines = usual[True] > usual[False]
        found = crossings[self._light_lines]
        self._bare_score = max(BARE, BARE_OF_USUAL * usual[self._light_lines])
        bare = empty & (found[..., 0] >= self._bare_score)
        self._lean = self._lean + _smooth_field(found[..., 1:], bare)
        self._memory.usual_texture(view.looks.strength[_BOARD][bare])
        plausible = np.ones_like(self._memory.learnt)
        plausible[_BOARD] = bare
        for row, col in np.argwhere(~empty):
            at = Intersection(int(row), int(col))
            content = _CONTENTS[self._content[at]]
            disc = find_disc(view.tint, row + 1, col + 1, _tint(view.board[at]), Palette(), only=content)
            if disc is not None:
                self._contrast[at] = disc.contrast
                self._stones[at] = self._measured(view, at, self._stone(at, disc), _tint(view.board[at]))
                plausible[at.row + 1, at.col + 1] = True
        self._memory.remember(plausible, view.looks)
        self._place.anchor(found, bare, light_lines=self._light_lines)
        self.start_seen = float(plausible[_BOARD].mean())
        self.start_doubts = self._doubts(view, found[..., 0])

    def _doubts(self, view: _View, crossings: NDArray[np.float64]) -> list[Intersection]:
        """Points where the first frame plainly shows something else than what should stand there."""
        doubts = []
        plain: dict[Intersection, Stone] = {}
        for row, col in np.ndindex(self.size, self.size):
            at, content = Intersection(row, col), _CONTENTS[self._content[row, col]]
            if content is not Content.EMPTY:
                if crossings[at] >= self._bare_score:
                    doubts.append(at)
                continue
            if crossings[at] >= self._bare_score:
                continue
            disc = find_disc(view.tint, row + 1, col + 1, _tint(view.board[at]), Palette(), ON_POINT)
            if disc is not None and disc.score >= CLEAR_SCORE and not disc.colourless:
                plain[at] = self._stone(at, disc)
        for at, stone in plain.items():
            centre, others = self._centre(at, stone), self._centres_near(at, {**self._stones, **plain})
            board = _tint(view.board[at])
            free = surrounded(view.tint, *centre, board, others, light_lines=self._light_lines)
            if free >= BESIDE_HAND_SURROUNDED:
                doubts.append(at)
        return doubts

    def _crossings(self, textured: NDArray[np.float32], *, light_lines: bool) -> NDArray[np.float64]:
        """(size, size, 3): score, dx and dy of every point as a bare crossing."""
        span = range(self.size)
        return np.array(
            [[find_crossing(textured, row, col, self.size, light_lines=light_lines) for col in span] for row in span]
        )

    def _stone(self, at: Intersection, disc: Disc) -> Stone:
        """A disc as a stone, its place corrected for where the crossing and a stone's outline really appear."""
        lean_x, lean_y = self._lean[at]
        return Stone(
            content=disc.content,
            dx=float(disc.dx - lean_x),
            dy=float(disc.dy - lean_y),
            score=max(0.0, disc.score),
        )

    def _measured(self, view: _View, at: Intersection, stone: Stone, board: Tint) -> Stone:
        """``stone`` with its radius, where its whole rim shows, and whether that is odd among the known ones' radii."""
        if stone.score < CLEAR_PLACE or stone.hidden_around:
            return stone
        radius = radius_at(view.tint, *self._centre(at, stone), stone.content, board)
        known = [
            one.radius
            for other, one in self._stones.items()
            if other != at and one.content is stone.content and one.radius is not None and not one.odd_size
        ]
        odd = len(known) >= SIZE_KNOWN and abs(radius - float(np.median(known))) > ODD_SIZE
        return replace(stone, radius=radius, odd_size=odd)

    def _centre(self, at: Intersection, stone: Stone) -> tuple[float, float]:
        """Where the middle of a stone's outline lies on the canvas, pixels (x, y)."""
        lean_x, lean_y = self._lean[at]
        return (at.col + 1.5 + stone.dx + lean_x) * CELL, (at.row + 1.5 + stone.dy + lean_y) * CELL

    def _stones_hold(self, canvas: NDArray[np.uint8]) -> bool:
        """Whether the stones that were known look right on ``canvas``."""
        _, matched = self._memory.match(looks(canvas, texture(canvas)))
        return not self._stones or float(matched[_BOARD][self._content != _EMPTY].mean()) >= STONES_HOLD

    # Reading the tiles that changed

    def _read_emptied(self, textured: NDArray[np.float32], reading: NDArray[np.int8]) -> None:
        """Where a remembered stone is no longer seen: does the bare crossing show?"""
        for row, col in np.argwhere((reading == _UNSEEN) & (self._content != _EMPTY)):
            crossing = find_crossing(textured, row, col, self.size, light_lines=self._light_lines)
            if crossing.score >= self._bare_score:
                reading[row, col] = _EMPTY

    def _lit(self, board: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
        """(size, size, 2): tint of the bare board around each unseen point in the present light; NaN where unknown."""
        change = np.where(seen[_BOARD][..., None], board - self._board, np.nan)
        padded = np.pad(change, ((2, 2), (2, 2), (0, 0)), constant_values=np.nan)
        out = np.full_like(change, np.nan)
        row, col = np.nonzero(~seen[_BOARD])
        near = np.arange(5)
        # NaN is sorted to the end.
        around = np.sort(
            padded[row[:, None, None] + near[:, None], col[:, None, None] + near].reshape(-1, 25, 2), axis=1
        )
        known = np.count_nonzero(~np.isnan(around[..., 0]), axis=1)
        row, col, around, known = row[known >= 3], col[known >= 3], around[known >= 3], known[known >= 3]
        each = np.arange(len(known))
        median = (around[each, (known - 1) // 2] + around[each, known // 2]) / 2
        out[row, col] = self._board[row, col] + median
        return out

    def _read_stones(
        self,
        view: _View,
        lit: NDArray[np.float32],
        seen: NDArray[np.bool_],
        reading: NDArray[np.int8],
        at_rim: NDArray[np.bool_],
        now_ns: int,
    ) -> dict[Intersection, Stone]:
        """Look for stones on the tiles that changed, and keep those that no hand can be pretending."""
        standing = {at: stone for at, stone in self._stones.items() if seen[at.row + 1, at.col + 1]}
        palette = self._palette()
        found = self._find_discs(view, lit, seen, reading, palette)
        for row, col in np.argwhere(at_rim):
            # The point itself is as it was; a stone may lie beside it.
            at = Intersection(int(row), int(col))
            disc = find_disc(view.tint, at.row + 1, at.col + 1, _tint(view.board[at]), palette)
            plain_disc = disc is not None and not disc.colourless and disc.score >= LOOSE_SCORE
            if disc is not None and plain_disc and self._stone(at, disc).off_centre >= NEAREST:
                found[at] = disc
        stones = nearest_only({at: self._stone(at, disc) for at, disc in found.items()}, standing)
        # Round enough to be a stone beside which another may stand.
        clear = {at: stone for at, stone in stones.items() if found[at].score >= CLEAR_SCORE}
        explained = seen.copy()
        for at in clear:
            explained[at.row + 1, at.col + 1] = True
        kept: dict[Intersection, Stone] = {}
        for at, stone in stones.items():
            centre, others = self._centre(at, stone), self._centres_near(at, {**standing, **clear})
            board = _tint(view.board[at] if np.isnan(lit[at][0]) else lit[at])
            free = surrounded(view.tint, *centre, board, others, light_lines=self._light_lines)
            hidden = hidden_around(at, stone, explained)
            still_ns = now_ns - int(self._still_since[at.row + 1, at.col + 1])
            faint = found[at].score < STONE_SCORE
            if believed(found[at], free, hidden, still_ns) and not (faint and stone.off_centre > ON_POINT):
                stone = replace(stone, hidden_around=hidden, score=max(0.0, min(found[at].score, free)))
                kept[at] = self._measured(view, at, stone, board)
                reading[at] = _CODES[stone.content]
                self._contrast[at] = found[at].contrast
        return kept

    def _beside_points(self, discs: dict[Intersection, Stone]) -> dict[Intersection, Stone]:
        """Those of ``discs`` that lie beside their points. A faint one's place is not well measured."""
        return {
            at: stone
            for at, stone in discs.items()
            if stone.off_centre > NEAREST
            or (
                stone.off_centre > ON_POINT
                and (stone.score >= CLEAR_PLACE or self._second_look.sees(at) is not stone.content)
            )
        }

    def _explained(self, matched: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The tiles (with the ring) that look as they did, or that the network is sure nothing covers."""
        explained = matched.copy()
        explained[_BOARD] |= self._second_look.uncovered()
        return explained

    def _disputed(self, textured: NDArray[np.float32]) -> dict[Intersection, Instant]:
        """The points that the network sees otherwise than they are held, unless the lines refute it, and since when."""
        disputed = {}
        for at, agreed in self._second_look.disputed().items():
            bare = find_crossing(textured, *at, self.size, light_lines=self._light_lines).score >= self._bare_score
            if bare == (self._second_look.sees(at) is Content.EMPTY):
                disputed[at] = agreed
        return disputed

    def _read_judged(
        self,
        view: _View,
        lit: NDArray[np.float32],
        explained: NDArray[np.bool_],
        reading: NDArray[np.int8],
        discs: dict[Intersection, Stone],
    ) -> dict[Intersection, Stone]:
        """What the network sees on points that are still unseen, where nothing beside them is covered.

        It does not tell where a stone lies: one that lies beside its point, or is one of the ``discs``, is left.
        """
        free = cv2.erode(explained.astype(np.uint8), _AROUND_TILE)[_BOARD]
        stones: dict[Intersection, Stone] = {}
        palette = self._palette()
        for row, col in np.argwhere((reading == _UNSEEN) & (free > 0)):
            at = Intersection(int(row), int(col))
            content = self._second_look.sees(at)
            if content is Content.EMPTY:
                reading[at] = _EMPTY
            if content not in (Content.BLACK, Content.WHITE):
                continue
            disc = self._faint_disc(view, lit, at, content)
            if palette.refutes(content, disc.contrast):
                continue
            stone = self._stone(at, disc)
            taken = any(apart(at, stone, other_at, other) < STONES_APART for other_at, other in discs.items())
            if taken or stone.off_centre > ON_POINT:
                continue
            reading[at] = _CODES[content]
            stones[at] = replace(stone, score=ONLY_NETWORK_SCORE)
            self._contrast[at] = disc.contrast
        return stones

    def _faint_disc(self, view: _View, lit: NDArray[np.float32], at: Intersection, content: Content) -> Disc:
        """The disc of a stone that is known to be there; on its point where none shows plainly."""
        board = _tint(view.board[at] if np.isnan(lit[at][0]) else lit[at])
        disc = find_disc(view.tint, at.row + 1, at.col + 1, board, Palette(), only=content)
        if disc is not None and disc.score >= STONE_SCORE:
            return disc
        lean_x, lean_y = self._lean[at]
        middle = tint_at(view.tint, *self._centre(at, Stone(content=content, dx=0.0, dy=0.0)))
        contrast = Tint(middle.brightest - board.brightest, middle.darkest - board.darkest)
        return Disc(content=content, dx=float(lean_x), dy=float(lean_y), score=ONLY_NETWORK_SCORE, contrast=contrast)

    def _beside_changed_cell(self, view: _View) -> NDArray[np.bool_]:
        """(size, size): points beside a cell whose middle changed as it did nowhere around: a stone may lie there."""
        change = view.middles - self._middles
        alone = np.abs(change - cv2.medianBlur(change, 5)).max(axis=-1) > CELL_CHANGED
        return np.asarray(alone[:-1, :-1] | alone[:-1, 1:] | alone[1:, :-1] | alone[1:, 1:])

    def _find_discs(
        self,
        view: _View,
        lit: NDArray[np.float32],
        seen: NDArray[np.bool_],
        reading: NDArray[np.int8],
        palette: Palette,
    ) -> dict[Intersection, Disc]:
        """Whatever is like a stone on the tiles that changed, as far as they can be seen at all."""
        found: dict[Intersection, Disc] = {}
        for row, col in np.argwhere(reading == _UNSEEN):
            at = Intersection(int(row), int(col))
            neighbours = int(seen[row : row + 3, col : col + 3].sum())
            washed_out = view.looks.strength[at.row + 1, at.col + 1] < self._memory.plain and lit[at][0] > GLARE
            if np.isnan(lit[at][0]) or neighbours < 4 or washed_out:
                continue
            disc = find_disc(view.tint, at.row + 1, at.col + 1, _tint(lit[at]), palette)
            if disc is not None and not disc.colourless and disc.score >= STONE_SCORE:
                found[at] = disc
        return found

    def _centres_near(self, at: Intersection, stones: dict[Intersection, Stone]) -> NDArray[np.float64]:
        """(n, 2): the middles of the other ``stones`` within two points of ``at``, canvas pixels (x, y)."""
        near = [
            self._centre(other, stone)
            for other, stone in stones.items()
            if other != at and max(abs(other.row - at.row), abs(other.col - at.col)) <= 2
        ]
        return np.array(near, np.float64).reshape(-1, 2)

    def _palette(self) -> Palette:
        """What the stones on the board look like against it."""
        known = {
            content: [self._contrast[at] for at, stone in self._stones.items() if stone.content is content]
            for content in (Content.BLACK, Content.WHITE)
        }
        black, white = (_tint(np.median(tints, axis=0)) if tints else None for tints in known.values())
        return Palette(black=black, white=white)

    def _watch_beside(self, loose: dict[Intersection, Stone], now_ns: int) -> None:
        """Note since when each stone beside the points has lain still."""
        since = {}
        for at, stone in loose.items():
            before = self._beside.get(at)
            same = before is not None and before.content is stone.content and apart(at, stone, at, before) < 0.1
            since[at] = self._beside_since[at] if same else now_ns
        self._beside, self._beside_since = dict(loose), since

    def _read_left_alone(
        self,
        tint: NDArray[np.float32],
        lit: NDArray[np.float32],
        reading: NDArray[np.int8],
        discs: dict[Intersection, Stone],
        loose: dict[Intersection, Stone],
        now_ns: int,
    ) -> None:
        """No hand is about: a stone left lying beside its point counts for the nearest; one not there is gone."""
        for at, stone in list(loose.items()):
            lain_ns = now_ns - self._beside_since[at]
            if stone.score >= LOOSE_SCORE and stone.off_centre <= NEAREST and lain_ns >= LEFT_LYING_NS:
                reading[at] = _CODES[stone.content]
                del loose[at]
        for row, col in np.argwhere((reading == _UNSEEN) & (self._content != _EMPTY)):
            at = Intersection(int(row), int(col))
            if at in self._stones and at not in discs and not np.isnan(lit[row, col, 0]):
                stone = self._stones[at]
                if any(apart(at, stone, other_at, other) < STONES_APART for other_at, other in discs.items()):
                    # That one now lies where this one would have to lie too.
                    reading[at] = _EMPTY
                    continue
                there = colour_of(tint_at(tint, *self._centre(at, stone)), _tint(lit[at]), Palette())
                reading[at] = _CODES[stone.content] if there is stone.content else _EMPTY

    def _blocked(self, reading: NDArray[np.int8], now_ns: int) -> frozenset[Intersection]:
        """Points that never could be seen, under a thing that has not moved for long or in glare.

        A point that could be seen before and now looks like nothing known may hold a stone: it is not one of them.
        """
        hidden = (reading == _UNSEEN) & (now_ns - self._still_since[_BOARD] >= BLOCKED_NS)
        hidden &= ~self._memory.learnt[_BOARD]
        return frozenset(Intersection(int(row), int(col)) for row, col in np.argwhere(hidden))

    # Learning

    def _learn(
        self,
        view: _View,
        alike: NDArray[np.float32],
        matched: NDArray[np.bool_],
        still: NDArray[np.bool_],
        reading: NDArray[np.int8],
        discs: dict[Intersection, Stone],
        now_ns: int,
    ) -> None:
        """Follow slow change, and take on new looks: of points read the same twice, and of what has settled."""
        self._memory.adapt(view.looks, alike, matched)
        beside = np.zeros((self.size + 1, self.size + 1), bool)
        for at, stone in discs.items():
            if stone.off_centre > ON_POINT:
                beside[at.row : at.row + 2, at.col : at.col + 2] = True
        self._middles[~beside] += _ADAPT * (view.middles[~beside] - self._middles[~beside])
        inner = matched[_BOARD]
        self._board[inner] += _ADAPT * (view.board[inner] - self._board[inner])
        fresh = np.zeros_like(matched)
        fresh[_BOARD] = (reading != _UNSEEN) & (reading == self._last_reading) & still[_BOARD]
        fresh[_BOARD] &= (reading != self._content) | ~inner
        for row, col in np.argwhere(fresh[_BOARD]):
            at = Intersection(int(row), int(col))
            self._content[at] = reading[at]
            self._stones.pop(at, None)
            if at in discs:
                self._stones[at] = discs[at]
        settled = self._settled(view, matched, reading, discs, now_ns)
        self._memory.remember(fresh | settled, view.looks)

    def _settled(
        self,
        view: _View,
        matched: NDArray[np.bool_],
        reading: NDArray[np.int8],
        discs: dict[Intersection, Stone],
        now_ns: int,
    ) -> NDArray[np.bool_]:
        """Tiles whose long unchanged look is simply theirs: beside the board, or a bare point alone among seen ones.

        A point that looks like a stone never is one of them: it is left unseen rather than taken for empty.
        """
        settled = now_ns - self._still_since >= SETTLED_NS
        around = cv2.boxFilter(matched.astype(np.float32), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
        inner = settled[_BOARD] & (reading == _UNSEEN) & (self._content == _EMPTY)
        inner &= around[_BOARD] >= NEIGHBOURS_SEEN
        for row, col in np.argwhere(inner):
            at = Intersection(int(row), int(col))
            inner[at] = (
                at not in discs and self._looks_bare(view, at) and self._second_look.sees(at) in (None, Content.EMPTY)
            )
        settled[_BOARD] = inner
        return settled

    def _looks_bare(self, view: _View, at: Intersection) -> bool:
        """Whether a point may be empty: its lines show, or all is glare; one never known before, if no disc shows."""
        if view.looks.strength[at.row + 1, at.col + 1] < self._memory.plain:
            return True
        crossing = find_crossing(view.texture, at.row, at.col, self.size, light_lines=self._light_lines)
        if crossing.score >= BARE or self._memory.learnt[at.row + 1, at.col + 1]:
            return crossing.score >= BARE
        disc = find_disc(view.tint, at.row + 1, at.col + 1, _tint(view.board[at]), Palette(), ON_POINT)
        return disc is None or disc.colourless or disc.score < STONE_SCORE


def _tint(pair: NDArray[np.floating[Any]]) -> Tint:
    return Tint(float(pair[0]), float(pair[1]))


def _lean(camera: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """(size, size, 2): how far a stone's outline appears from its point, (x, y) in cells, away from the camera."""
    row, col = np.mgrid[:size, :size]
    away = np.stack([col - camera[0], row - camera[1]], -1) / camera[2]
    return np.asarray(STONE_MIDDLE * away)


def _smooth_field(offsets: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """``offsets`` (size, size, 2) at the ``known`` points as a quadratic over the whole board: the lens's bending."""
    size = len(offsets)
    if known.sum() < 4 * size:
        return np.zeros_like(offsets)
    row, col = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    terms = np.stack(
        [np.ones_like(row), row, col, row * col, row**2, col**2, row**2 * col, row * col**2, row**3, col**3], -1
    )
    inliers = known
    fit = np.zeros_like(offsets)
    for _ in range(3):
        weights, *_ = np.linalg.lstsq(terms[inliers], offsets[inliers], rcond=None)
        fit = terms @ weights
        inliers = known & (np.linalg.norm(offsets - fit, axis=-1) < 0.08)
        if inliers.sum() < 2 * size:
            return np.zeros_like(offsets)
    return np.asarray(fit)


def _middles(tint: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """(size + 1, size + 1, 2): tint in the middles of the cells and of those around the board.

    No stone that stands on its point reaches them.
    """
    half = CELL // 8
    places = (CELL * np.arange(1, size + 2)[:, None] + np.arange(-half, half + 1)).ravel()
    around = np.ascontiguousarray(tint[places][:, places])
    blurred = cv2.blur(around, (2 * half + 1, 2 * half + 1))
    return np.asarray(blurred[half :: 2 * half + 1, half :: 2 * half + 1], np.float32)


def _board_tint(middles: NDArray[np.float32]) -> NDArray[np.float32]:
    """(size, size, 2): the board's tint around each point."""
    around = [middles[:-1, :-1], middles[:-1, 1:], middles[1:, :-1], middles[1:, 1:]]
    return np.asarray(np.median(around, axis=0), np.float32)


def _hand_near(matched: NDArray[np.bool_], discs: dict[Intersection, Stone]) -> bool:
    """Whether anything looks changed that does not lie around a stone: a hand over the board or beside it."""
    changed = ~matched
    for at in discs:
        changed[at.row : at.row + 3, at.col : at.col + 3] = False
    return int(changed.sum()) > 1
