"""What a film says below its pictures: one short line for each fact and ruling, there for some seconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from textwrap import shorten
from typing import TYPE_CHECKING

from appliance.arbiter.rulings import Certainty, Ruling
from appliance.arbiter.wording import instant
from appliance.game.points import Point
from appliance.replaying import Amended, Note, OutOfStep, Withdrawn
from vision.acts import (
    BoardAct,
    BoardMoved,
    CameraCovered,
    Displaced,
    Dropped,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)
from vision.observation import Content
from vision.recording import BadFrame, RecordedDecision, RecordedPress

if TYPE_CHECKING:
    from appliance.replaying import Happening
    from vision.acts import Bracket
    from vision.observation import Intersection

LINGER_NS = 4_000_000_000
"""How long a caption stays."""

_LONGEST = 98
"""Letters for which a ruling's line has room in a picture 640 pixels wide; a longer title is cut."""

_SHORTEST = 30
"""Letters that are left of a title at least."""

_POINTS = 4
"""Points named in a ruling's line at most; all are ringed in the picture."""

_COLOURS = {Content.BLACK: "black", Content.WHITE: "white"}


class Kind(StrEnum):
    """What a caption tells of, the weightiest first."""

    CERTAIN = "a ruling that the evidence carries"
    COULD_NOT_SEE = "a ruling of which nothing follows"
    PRESS = "a clock button"
    ACT = "what happened on the board"
    REMARK = "anything else"


@dataclass(frozen=True, kw_only=True)
class Caption:
    """One line. ``points``: those that a ruling is about."""

    kind: Kind
    text: str
    points: tuple[Point, ...] = ()


def caption_of(happening: Happening, size: int) -> Caption | None:
    """What to say of ``happening`` on a board of ``size`` lines, if anything."""
    match happening:
        case Ruling():
            return _of_ruling(happening)
        case Amended(ruling=now, before=before) if now.certainty is not before.certainty:
            return _of_ruling(now)
        case Withdrawn(ruling=ruling):
            points = " ".join(map(str, ruling.points[:_POINTS]))
            return Caption(kind=Kind.REMARK, text=f"withdrawn: {ruling.rule} {ruling.code} {points}".rstrip())
        case RecordedPress():
            return Caption(kind=Kind.PRESS, text=f"PRESS {happening.seat}  {instant(happening.t_ns)}")
        case BoardAct():
            return Caption(kind=Kind.ACT, text=_act(happening, size))
        case RecordedDecision():
            return Caption(kind=Kind.REMARK, text=f"the referee decided, {instant(happening.t_ns)}")
        case BadFrame():
            return Caption(kind=Kind.REMARK, text=f"{instant(happening.t_ns)} {happening}")
        case OutOfStep():
            points = " ".join(map(str, happening.points))
            text = f"board and record differ on {points}" if points else "board and record agree again"
            return Caption(kind=Kind.REMARK, text=f"{text}, {instant(happening.t_ns)}", points=happening.points)
        case Note():
            return Caption(kind=Kind.REMARK, text=happening.text)
    return None


class Captions:
    """The captions that can be read at a time. Each stays from the first picture that shows it."""

    def __init__(self) -> None:
        self._shown: list[tuple[Caption, int]] = []
        self._waiting: list[Caption] = []

    @property
    def waiting(self) -> bool:
        """Whether something was told that no picture has shown yet."""
        return bool(self._waiting)

    def tell(self, caption: Caption) -> None:
        """Show ``caption`` from the next picture on."""
        self._waiting.append(caption)

    def at(self, now_ns: int) -> tuple[Caption, ...]:
        """What a picture at ``now_ns`` shows, in the order in which it was told."""
        self._shown += [(caption, now_ns) for caption in self._waiting]
        self._waiting.clear()
        self._shown = [(caption, since) for caption, since in self._shown if now_ns < since + LINGER_NS]
        return tuple(caption for caption, _ in self._shown)


def _of_ruling(ruling: Ruling) -> Caption:
    """What could not be seen says so before all else, and names nobody."""
    certain = ruling.certainty is Certainty.CERTAIN
    seat = ruling.seat.value if ruling.seat else "seat left open"
    points = " ".join(map(str, ruling.points[:_POINTS]))
    more = f" and {len(ruling.points) - _POINTS} more" if len(ruling.points) > _POINTS else ""
    said = [ruling.certainty.value, seat] if certain else []
    facts = ", ".join([*said, *filter(None, [points + more]), instant(ruling.t_ns)])
    title = shorten(
        f"{'' if certain else 'could not see: '}{ruling.rule} {ruling.article.title_en}",
        max(_SHORTEST, _LONGEST - len(f": {facts}")),
        placeholder="...",
    )
    return Caption(
        kind=Kind.CERTAIN if certain else Kind.COULD_NOT_SEE,
        text=f"{title}: {facts}",
        points=ruling.points,
    )


def _act(act: BoardAct, size: int) -> str:
    def stone(content: Content, at: Intersection) -> str:
        return f"{_COLOURS[content]} {name(at)}"

    def name(at: Intersection) -> str:
        return str(Point(at.col, size - 1 - at.row))

    match act:
        case Placed():
            what = f"placed {stone(act.content, act.at)}"
        case Removed():
            what = f"removed {stone(act.content, act.at)}"
        case Relocated():
            manner = "moved" if act.manner.value == "unknown" else act.manner.value
            return f"{manner} {stone(act.content, act.origin)} to {name(act.at)}, {_bracket(act.way)}"
        case Dropped():
            what = f"dropped {_COLOURS[act.content]} beside {name(act.near)}"
        case Displaced():
            what = f"nudged {stone(act.content, act.at)}"
        case Straightened():
            what = f"straightened {' '.join(sorted(name(at) for at in act.points))}"
        case BoardMoved():
            what = "board or camera moved"
        case CameraCovered():
            what = "board not to be made out"
        case Scattered():
            what = f"{len(act.points)} stones scattered"
        case Restored():
            what = "board restored"
        case _:
            raise TypeError(f"no caption for {type(act).__name__}")
    return f"{what}, {_bracket(act.bracket)}"


def _bracket(bracket: Bracket) -> str:
    if bracket.after_ns is None:
        return f"by {instant(bracket.by_ns)}"
    return f"{instant(bracket.after_ns)} to {instant(bracket.by_ns)}"
