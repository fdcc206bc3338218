"""From a frame to an observation: what stands on each intersection, and which of them cannot be seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from calibration.grid import homography
from calibration.pose import camera_position
from vision.hands import LOOK, Looks, correlation, find_crossing, looks, texture, unit
from vision.observation import Content, Intersection, Observation, Stone
from vision.rectify import CELL, Rectifier, canvas_to_grid
from vision.registration import register
from vision.stones import Disc, Palette, Tint, find_disc, log_tint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.observation import Frame

SEEN = 0.72
"""A tile is seen when its correlation with its remembered look is at least this part of what is usual for it."""

SEEN_AT_LEAST = 0.45
"""… and never below this: hands reach 0.35 in the rendered recordings."""

LONE_SCORE = 0.25
"""Least shape score of a disc when all around it is seen, so that nothing but a stone can have come (white on glare
scores 0.3)."""

STONE_SCORE = 0.5
"""The same where it is not known what the bare point looks like."""

BESIDE_HAND_SCORE, BESIDE_HAND_SURROUNDED = 0.6, 0.85
"""The same when a point beside it is hidden; and the part of the ring around it that must look like the board."""

SAME_LOOK = 0.8
"""Correlation of two consecutive looks of a tile that is not in motion."""

ON_POINT = 0.35
"""A stone is on a point when its centre is within this of it, in cells."""

BARE = 0.45
"""Least score of a bare crossing (hands stay below it in 97 of 100 places)."""

BARE_OF_USUAL = 0.7
"""… and the part of this board's median score that it must reach."""

SURROUNDED = 0.6
"""The part of the ring around a stone that must look like the board or be another stone's."""

STONE_MIDDLE = 0.17
"""Height of the middle of a stone's outline above the board, in cells (stones are up to 0.8 cm thick, rule E2)."""

STONES_APART = 0.6
"""Two stones cannot be nearer than this to each other, in cells."""

SETTLED_NS = 1_000_000_000
"""What has looked the same for so long, alone among tiles that are seen, or beside the board, is part of the scene."""

NEIGHBOURS_SEEN = 7
"""… of its 8 neighbours."""

LOOSE_SCORE = 0.7
"""Least score of a stone that is reported beside the points."""

CLEAR_SCORE, CLEAR_SURROUNDED = 0.8, 0.9
"""A disc as round and as free of anything around it as this is a stone even when tiles beside it look changed."""

PLAIN = 0.035
"""Texture weaker than this is the sensor's noise on glare (boards: 0.05 to 0.15)."""

SAME_LEVEL = 0.15
"""Log brightness within which a plain tile is as bright as before."""

BLIND = 0.4
"""When fewer of the points than this part look right, nothing is read at all: the camera or the board moves."""

QUIET = 0.9
"""When more of the points than this part look right, the board lies where it lay."""

STILL = 0.8
"""The part of the points that must not be in motion before the board is looked for anew."""

LEAST_SHIFT = 0.04
"""Cells; less is within what looks adapt to by themselves."""

RETRY_NS = 400_000_000
"""How often the board is looked for while much looks wrong."""

_ADAPT = np.float32(0.1)
_EDGE = 1.6
"""Tiles nearer than this to a new stone's centre (cells) must be seen, else a hand may be pretending."""

_UNDER = 0.95
"""Tiles nearer than this to its centre are partly under the stone itself."""

_CODES = {Content.EMPTY: 0, Content.BLACK: 1, Content.WHITE: 2, Content.UNSEEN: 3}
_CONTENTS = tuple(_CODES)


_CODES = {Content.EMPTY: 0, Content.BLACK: 1, Content.WHITE: 2, Content.UNSEEN: 3}
_CONTENTS = tuple(_CODES)
_EMPTY, _UNSEEN = _CODES[Content.EMPTY], _CODES[Content.UNSEEN]


class Observer:
    """Reads the frames of one camera that stands still.

    ``corners``: (4, 2) outer intersections in image pixels in board order (rank N left first, clockwise).
    ``start``: rows of ``.BW``, what should stand there in the first frame. ``frame_size``: width and height in pixels.
    """

    def __init__(self, corners: NDArray[Any], start: Sequence[str], frame_size: tuple[int, int]) -> None:
        self.size = len(start)
        count = self.size + 2
        self._rectify = Rectifier(corners, self.size)
        self._content = np.array([[_CODES[Content(letter)] for letter in row] for row in start], np.int8)
        # What is remembered of each tile: its look, the correlation usual for it, and whether anything is.
        self._look = Looks(
            direction=np.zeros((count, count, LOOK), np.float32),
            strength=np.zeros((count, count), np.float32),
            level=np.zeros((count, count), np.float32),
        )
        self._usual = np.full((count, count), 0.9, np.float32)
        self._learnt = np.zeros((count, count), bool)
        self._lean = _lean(camera_position(corners, self.size, frame_size), self.size)
        self._light_lines = False
        self._bare_score = 1.0
        self._board = np.zeros((self.size, self.size, 2), np.float32)
        self._stones: dict[Intersection, Stone] = {}
        self._contrast: dict[Intersection, Tint] = {}
        self._last_loose: dict[Intersection, Stone] = {}
        # To find the board again after a bump: the last quiet canvas's texture.
        self._reference: NDArray[np.float32] | None = None
        self._registered_ns = -RETRY_NS
        # The frame before, to tell what stands still.
        self._last_look: Looks | None = None
        self._last_reading = self._content.copy()
        self._still_since = np.zeros((count, count), np.int64)

    @property
    def corners(self) -> NDArray[np.float64]:
        """Where the outer intersections lie now, (4, 2) image pixels in board order."""
        return self._rectify.corners

    def observe(self, frame: Frame) -> Observation:
        """Read one frame; frames come in the order of their instants."""
        canvas = self._rectify(frame.image)
        tint = log_tint(canvas)
        board = _board_tint(tint, self.size)
        look = looks(canvas)
        still = self._watch_motion(look, frame.instant_ns)
        if not self._learnt.any():
            self._start(canvas, look, board)
        likeness, matched = self._match(look)
        shift = 0.0
        if self._may_have_moved(matched, still, frame.instant_ns):
            shift = self._register(canvas)
            if shift:
                canvas = self._rectify(frame.image)
                tint, look = log_tint(canvas), looks(canvas)
                board = _board_tint(tint, self.size)
                likeness, matched = self._match(look)
        if matched[1:-1, 1:-1].mean() < BLIND:
            matched[...] = False
        elif matched[1:-1, 1:-1].mean() > QUIET:
            self._reference = texture(canvas)
        reading = np.where(matched[1:-1, 1:-1], self._content, _UNSEEN).astype(np.int8)
        self._read_emptied(canvas, reading)
        seen = matched.copy()
        seen[1:-1, 1:-1] |= reading != _UNSEEN
        discs = self._read_stones(tint, self._light(board, seen), seen, reading)
        loose = {at: stone for at, stone in discs.items() if stone.off_centre > ON_POINT}
        for at in loose:
            reading[at] = _UNSEEN
        disturbed = _hand_near(matched, discs)
        if not disturbed:
            self._read_left_alone(reading, discs, loose)
        self._last_loose = loose
        self._adapt(look, likeness, matched, board)
        self._adopt(look, still, matched, reading, discs, frame.instant_ns)
        self._last_reading = reading
        confidence = np.where(reading == _UNSEEN, 0, np.maximum(likeness[1:-1, 1:-1], 0)).astype(np.float32)
        return Observation(
            frame=frame.index,
            start_ns=frame.start_ns,
            end_ns=frame.end_ns,
            rows=tuple("".join(_CONTENTS[code] for code in row) for row in reading),
            stones={at: stone for at, stone in {**self._stones, **discs}.items() if at not in loose},
            loose={at: stone for at, stone in loose.items() if stone.score >= LOOSE_SCORE},
            confidence=confidence,
            disturbed=disturbed,
            shift=shift,
        )

    def _match(self, look: Looks) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """How alike each tile is to what is remembered of it, and whether that is enough.

        Where glare leaves no texture to compare, the tile must still be as plain and as bright as it was.
        """
        likeness = correlation(look.direction, self._look.direction)
        textured = likeness >= np.maximum(SEEN * self._usual, SEEN_AT_LEAST)
        plain = (self._look.strength < PLAIN) & (look.strength < PLAIN * 1.4)
        plain &= np.abs(look.level - self._look.level) < SAME_LEVEL
        return likeness, self._learnt & (textured | plain)

    def _may_have_moved(self, matched: NDArray[np.bool_], still: NDArray[np.bool_], now_ns: int) -> bool:
        """Whether it is worth looking for a moved board: much looks wrong, nothing moves, and not tried just now."""
        inner = np.s_[1:-1, 1:-1]
        if matched[inner].mean() > QUIET or still[inner].mean() < STILL or now_ns - self._registered_ns < RETRY_NS:
            return False
        self._registered_ns = now_ns
        return True

    def _register(self, canvas: NDArray[np.uint8]) -> float:
        """Find the board where it lies now; returns how far its corners moved, in cells, 0 when they did not."""
        if self._reference is None:
            return 0.0
        motion = register(self._reference, texture(canvas), self.size)
        if motion is None:
            return 0.0
        first, last = CELL * 1.5 - 0.5, CELL * (self.size + 0.5) - 0.5
        corners = np.array([[[first, first], [last, first], [last, last], [first, last]]])
        moved = cv2.perspectiveTransform(corners, motion)
        shift = float(np.linalg.norm(moved - corners, axis=-1).max()) / CELL
        if shift < LEAST_SHIFT:
            return 0.0
        to_image = homography(self._rectify.corners, self.size) @ canvas_to_grid()
        self._rectify = Rectifier(cv2.perspectiveTransform(moved, to_image)[0], self.size)
        return shift

    def _watch_motion(self, look: Looks, now_ns: int) -> NDArray[np.bool_]:
        """Which tiles look as they did in the frame before."""
        if self._last_look is None:
            still = np.zeros(look.level.shape, bool)
        else:
            still = correlation(look.direction, self._last_look.direction) >= SAME_LOOK
            still |= (look.strength < PLAIN) & (self._last_look.strength < PLAIN)
        self._still_since[~still] = now_ns
        self._last_look = look
        return still

    def _start(self, canvas: NDArray[np.uint8], look: Looks, board: NDArray[np.float32]) -> None:
        """Learn from the first frame what looks plausible for what should stand there."""
        self._board = board
        self._look = Looks(*(part.copy() for part in look))
        self._learnt[...] = True
        textured, tint = texture(canvas), log_tint(canvas)
        empty = self._content == _EMPTY
        crossings = {light: self._crossings(textured, light_lines=light) for light in (False, True)}
        usual = {light: float(np.median(crossings[light][empty, 0])) for light in (False, True)}
        self._light_lines = usual[True] > usual[False]
        found = crossings[self._light_lines]
        self._bare_score = max(BARE, BARE_OF_USUAL * usual[self._light_lines])
        bare = empty & (found[..., 0] >= self._bare_score)
        self._learnt[1:-1, 1:-1] = bare
        self._lean = self._lean + _smooth_field(found[..., 1:], bare)
        for row, col in np.argwhere(~empty):
            disc = find_disc(tint, row + 1, col + 1, Tint(*map(float, board[row, col])), Palette())
            if disc is not None:
                at = Intersection(int(row), int(col))
                self._contrast[at] = disc.contrast
                self._stones[at] = self._stone(at, disc)
                self._learnt[row + 1, col + 1] = _CODES[disc.content] == self._content[at]

    def _crossings(self, textured: NDArray[np.float32], *, light_lines: bool) -> NDArray[np.float64]:
        """(size, size, 3): score, dx and dy of every point as a bare crossing."""
        span = range(self.size)
        return np.array(
            [[find_crossing(textured, row, col, self.size, light_lines=light_lines) for col in span] for row in span]
        )

    def _stone(self, at: Intersection, disc: Disc) -> Stone:
        """A disc as a stone, its place corrected for where the crossing and a stone's top really appear."""
        lean_x, lean_y = self._lean[at]
        return Stone(
            content=disc.content,
            dx=float(disc.dx - lean_x),
            dy=float(disc.dy - lean_y),
            score=max(0.0, min(disc.score, disc.surrounded)),
        )

    def _centre(self, at: Intersection, stone: Stone) -> tuple[float, float]:
        """Where the middle of a stone's outline lies on the canvas, pixels (x, y)."""
        lean_x, lean_y = self._lean[at]
        return (at.col + 1.5 + stone.dx + lean_x) * CELL, (at.row + 1.5 + stone.dy + lean_y) * CELL

    def _read_emptied(self, canvas: NDArray[np.uint8], reading: NDArray[np.int8]) -> None:
        """Where a remembered stone is no longer seen: does the bare crossing show?"""
        gone = np.argwhere((reading == _UNSEEN) & (self._content != _EMPTY))
        if not len(gone):
            return
        textured = texture(canvas)
        for row, col in gone:
            crossing = find_crossing(textured, row, col, self.size, light_lines=self._light_lines)
            if crossing.score >= self._bare_score:
                reading[row, col] = _EMPTY

    def _light(self, board: NDArray[np.float32], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
        """(size, size, 2): tint of the bare board around each unseen point in the present light; NaN where unknown."""
        change = np.where(seen[1:-1, 1:-1, None], board - self._board, np.nan)
        padded = np.pad(change, ((2, 2), (2, 2), (0, 0)), constant_values=np.nan)
        out = np.full_like(change, np.nan)
        for row, col in np.argwhere(~seen[1:-1, 1:-1]):
            around = padded[row : row + 5, col : col + 5].reshape(-1, 2)
            known = around[~np.isnan(around[:, 0])]
            if len(known) >= 3:
                out[row, col] = self._board[row, col] + np.median(known, axis=0)
        return out

    def _read_stones(
        self,
        tint: NDArray[np.float32],
        board: NDArray[np.float32],
        seen: NDArray[np.bool_],
        reading: NDArray[np.int8],
    ) -> dict[Intersection, Stone]:
        """Look for stones on the tiles that changed, and keep those that no hand can be pretending."""
        palette = self._palette()
        standing = {at: stone for at, stone in self._stones.items() if seen[at.row + 1, at.col + 1]}
        centres = {at: self._centre(at, stone) for at, stone in standing.items()}
        found: dict[Intersection, Disc] = {}
        for row, col in np.argwhere(reading == _UNSEEN):
            if np.isnan(board[row, col, 0]) or seen[row : row + 3, col : col + 3].sum() < 4:
                continue
            known = self._learnt[row + 1, col + 1]
            lone = known and seen[row : row + 3, col : col + 3].sum() == 8
            local = Tint(*map(float, board[row, col]))
            near = [xy for at, xy in centres.items() if max(abs(at.row - row), abs(at.col - col)) <= 2]
            others = np.array(near).reshape(-1, 2)
            disc = find_disc(tint, row + 1, col + 1, local, palette, others)
            if disc is None and lone:
                # Nothing but a stone can have come; half in glare it may look unlike the others.
                disc = find_disc(tint, row + 1, col + 1, local, Palette(), others)
            least = LONE_SCORE if known else STONE_SCORE
            if disc is not None and disc.score >= least and disc.surrounded >= SURROUNDED:
                found[Intersection(int(row), int(col))] = disc
        stones = _nearest_only({at: self._stone(at, disc) for at, disc in found.items()}, standing)
        explained = seen.copy()
        for at in stones:
            explained[at.row + 1, at.col + 1] |= found[at].score >= STONE_SCORE
        kept: dict[Intersection, Stone] = {}
        for at, stone in stones.items():
            hidden = _hidden_around(at, stone, explained)
            if hidden <= _may_hide(found[at]):
                kept[at] = replace(stone, hidden_around=hidden)
                reading[at] = _CODES[stone.content]
                self._contrast[at] = found[at].contrast
        return kept

    def _read_left_alone(
        self, reading: NDArray[np.int8], discs: dict[Intersection, Stone], loose: dict[Intersection, Stone]
    ) -> None:
        """No hand is about: a stone beside its point, seen so twice, counts for the nearest; one not seen is gone."""
        for at, stone in list(loose.items()):
            before = self._last_loose.get(at)
            if before is not None and before.content is stone.content and _apart(at, stone, at, before) < 0.1:
                reading[at] = _CODES[stone.content]
                del loose[at]
        for row, col in np.argwhere((reading == _UNSEEN) & (self._content != _EMPTY)):
            if Intersection(int(row), int(col)) not in discs:
                reading[row, col] = _EMPTY

    def _palette(self) -> Palette:
        """What the stones on the board look like against it."""
        known = {
            content: [self._contrast[at] for at, stone in self._stones.items() if stone.content is content]
            for content in (Content.BLACK, Content.WHITE)
        }
        black, white = (Tint(*map(float, np.median(tints, axis=0))) if tints else None for tints in known.values())
        return Palette(black=black, white=white)

    def _adapt(
        self,
        look: Looks,
        likeness: NDArray[np.float32],
        matched: NDArray[np.bool_],
        board: NDArray[np.float32],
    ) -> None:
        """Follow slow change: what is remembered moves a little towards what is seen."""
        remembered = self._look.direction[matched]
        self._look.direction[matched] = unit(remembered + _ADAPT * (look.direction[matched] - remembered))
        self._look.strength[matched] += _ADAPT * (look.strength[matched] - self._look.strength[matched])
        self._look.level[matched] += _ADAPT * (look.level[matched] - self._look.level[matched])
        self._usual[matched] += _ADAPT * (likeness[matched] - self._usual[matched])
        inner = matched[1:-1, 1:-1]
        self._board[inner] += _ADAPT * (board[inner] - self._board[inner])

    def _adopt(
        self,
        look: Looks,
        still: NDArray[np.bool_],
        matched: NDArray[np.bool_],
        reading: NDArray[np.int8],
        discs: dict[Intersection, Stone],
        now_ns: int,
    ) -> None:
        """Learn a new look: of a point read the same twice without moving, and of what lies long beside the board."""
        fresh = (reading != _UNSEEN) & (reading == self._last_reading) & still[1:-1, 1:-1]
        fresh &= (reading != self._content) | ~matched[1:-1, 1:-1]
        for row, col in np.argwhere(fresh):
            at = Intersection(int(row), int(col))
            self._remember(row + 1, col + 1, look)
            self._content[at] = reading[at]
            self._stones.pop(at, None)
            if at in discs:
                self._stones[at] = discs[at]
        neighbours = cv2.boxFilter(
            matched.astype(np.float32), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        settled = (now_ns - self._still_since >= SETTLED_NS) & ~matched & (neighbours >= NEIGHBOURS_SEEN)
        settled[1:-1, 1:-1] &= (reading == _UNSEEN) & (self._content == _EMPTY)
        settled[[0, -1], :] = settled[:, [0, -1]] = False
        for row, col in np.argwhere(settled):
            if Intersection(int(row) - 1, int(col) - 1) not in discs:
                self._remember(row, col, look)
        ring = np.ones(look.level.shape, bool)
        ring[1:-1, 1:-1] = False
        for row, col in np.argwhere(ring & (now_ns - self._still_since >= SETTLED_NS)):
            self._remember(row, col, look)

    def _remember(self, row: int, col: int, look: Looks) -> None:
        for remembered, seen in zip(self._look, look, strict=True):
            remembered[row, col] = seen[row, col]
        self._usual[row, col] = 0.9
        self._learnt[row, col] = True


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


def _board_tint(tint: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """(size, size, 2): the board's tint around each point, from the middles of the cells; no stone reaches them."""
    middle = cv2.blur(tint, (CELL // 4 | 1, CELL // 4 | 1))[
        CELL : (size + 1) * CELL + 1 : CELL, CELL : (size + 1) * CELL + 1 : CELL
    ]
    return np.median([middle[:-1, :-1], middle[:-1, 1:], middle[1:, :-1], middle[1:, 1:]], axis=0).astype(np.float32)


def _apart(at: Intersection, stone: Stone, other_at: Intersection, other: Stone) -> float:
    """Distance of two stones' centres in cells."""
    return float(np.hypot(at.row + stone.dy - other_at.row - other.dy, at.col + stone.dx - other_at.col - other.dx))


def _nearest_only(found: dict[Intersection, Stone], standing: dict[Intersection, Stone]) -> dict[Intersection, Stone]:
    """One disc may be found from several points; it belongs to the nearest. Those of ``standing`` stones are known."""
    kept = dict(standing)
    for at, stone in sorted(found.items(), key=lambda item: item[1].off_centre):
        if all(_apart(at, stone, other_at, other) > STONES_APART for other_at, other in kept.items()):
            kept[at] = stone
    return {at: stone for at, stone in kept.items() if at not in standing}


def _hand_near(matched: NDArray[np.bool_], discs: dict[Intersection, Stone]) -> bool:
    """Whether anything looks changed that does not lie around a stone: a hand over the board or beside it."""
    changed = ~matched
    for at in discs:
        changed[at.row : at.row + 3, at.col : at.col + 3] = False
    return int(changed.sum()) > 1


def _hidden_around(at: Intersection, stone: Stone, explained: NDArray[np.bool_]) -> int:
    """How many of the tiles around a would-be stone are hidden.

    A finger that hides a point comes from somewhere and hides tiles beside it as well.
    """
    hidden = 0
    for row in range(at.row - 1, at.row + 2):
        for col in range(at.col - 1, at.col + 2):
            away = np.hypot(row - at.row - stone.dy, col - at.col - stone.dx)
            hidden += bool(_UNDER < away < _EDGE) and not explained[row + 1, col + 1]
    return hidden


def _may_hide(disc: Disc) -> int:
    """How many tiles around a disc may be hidden before a hand could be pretending it."""
    if disc.score >= CLEAR_SCORE and disc.surrounded >= CLEAR_SURROUNDED:
        return 4
    return 1 if disc.score >= BESIDE_HAND_SCORE and disc.surrounded >= BESIDE_HAND_SURROUNDED else 0
