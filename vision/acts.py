"""What happened on the board between frames, each with the bracket of time in which it happened."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.observation import Content, Intersection


@dataclass(frozen=True, kw_only=True)
class Bracket:
    """The act happened in ``(after_ns, by_ns]``.

    ``after_*``: the last frame that SAW the point without the change; None when none did.
    ``by_*``: the first frame that SAW it with the change. Frames in which the point was covered move neither end.
    """

    after_ns: int | None
    by_ns: int
    after_frame: int | None
    by_frame: int

    def overlaps(self, other: Bracket) -> bool:
        """Whether both points were out of sight at one time."""
        return (self.after_ns or 0) < other.by_ns and (other.after_ns or 0) < self.by_ns


class Manner(StrEnum):
    """How a stone came from one point to another."""

    SLID = "slid"
    LIFTED = "lifted"
    UNKNOWN = "unknown"


class Hand(StrEnum):
    """Whether something that may have been a hand was seen where a stone came or went, since that was last seen so not.

    OVER: it hid the point itself. NEAR: points around it, or it brought another stone as well, or one colour gave way
    to the other. NONE: nothing did, or what came is larger or smaller than this game's stones. No stone comes or goes
    without a hand, but what looks like one on the lens does.
    """

    OVER = "over"
    NEAR = "near"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class BoardAct:
    """Common to all acts. ``seen_ns``: the instant of the frame with which the act became certain."""

    bracket: Bracket
    seen_ns: int


@dataclass(frozen=True, kw_only=True)
class Placed(BoardAct):
    """A stone came to stand on a free point.

    ``alone``: it was seen there with no hand at it. ``beside``: it was left lying so far from the point that which one
    is meant is for the referee to say.
    """

    at: Intersection
    content: Content
    alone: bool = True
    beside: bool = False
    hand: Hand = Hand.OVER


@dataclass(frozen=True, kw_only=True)
class Removed(BoardAct):
    """A stone left the board."""

    at: Intersection
    content: Content
    hand: Hand = Hand.OVER


@dataclass(frozen=True, kw_only=True)
class Relocated(BoardAct):
    """A stone went from ``origin``, the first point it touched, to ``at``.

    ``left``: the bracket in which it left ``origin``; ``bracket``: that in which it came to ``at``. A :class:`Removed`
    may have been told before, when the stone's leaving was seen first. ``alone``: it was seen at ``at`` with no hand
    at it. ``hand``: that at ``origin`` when the stone left, or at ``at`` when it came, whichever was less there.
    """

    origin: Intersection
    at: Intersection
    content: Content
    manner: Manner
    left: Bracket
    alone: bool = True
    hand: Hand = Hand.OVER

    @property
    def way(self) -> Bracket:
        """The bracket of the whole way."""
        return replace(self.bracket, after_ns=self.left.after_ns, after_frame=self.left.after_frame)


@dataclass(frozen=True, kw_only=True)
class Dropped(BoardAct):
    """A stone lay beside the points, nearest to ``near``, and was picked up again.

    ``hand``: that near it when it came, or when it went, whichever was less there.
    """

    near: Intersection
    content: Content
    hand: Hand = Hand.OVER


@dataclass(frozen=True, kw_only=True)
class Displaced(BoardAct):
    """An earlier stone was nudged but still stands nearest to its point. ``offset``: cells (columns, rows)."""

    at: Intersection
    content: Content
    offset: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Straightened(BoardAct):
    """Stones were brought nearer to the points on which they stand: ``points``."""

    points: frozenset[Intersection]


@dataclass(frozen=True, kw_only=True)
class BoardMoved(BoardAct):
    """Board or camera moved; the grid was found again. ``shift``: the largest corner's way, in cells."""

    shift: float


@dataclass(frozen=True, kw_only=True)
class CameraCovered(BoardAct):
    """The board could not be made out for a while; one act for the whole of it, however long it lasts.

    ``bracket``: from the last frame that showed the board to the first that did not.
    """


@dataclass(frozen=True, kw_only=True)
class Scattered(BoardAct):
    """Several stones left their points at once: ``points``. What stands now is no longer what was played.

    The acts of the single stones are told after it, until :class:`Restored`: they are no moves.
    """

    points: frozenset[Intersection]


@dataclass(frozen=True, kw_only=True)
class Restored(BoardAct):
    """The board is again as it was before it was scattered."""
