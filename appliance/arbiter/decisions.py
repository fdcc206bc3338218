"""What a referee can enter, and what players tell the box by word: each decision as a value, read from plain data.

``what`` names the kind. Whatever changes a time or a result needs its reason. Points are written as ``H8``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, TypeAdapter, ValidationError

from appliance.arbiter.protocol import Choice
from appliance.game.points import MAX_SIZE, Colour, Point, Seat
from appliance.game.ruleset import Remedy

if TYPE_CHECKING:
    from collections.abc import Mapping


def _point(value: object) -> Point:
    if isinstance(value, Point):
        return value
    if not isinstance(value, str):
        raise ValueError("write a point as H8")
    return Point.parse(value, MAX_SIZE)


AlgebraicPoint = Annotated[Point, BeforeValidator(_point), PlainSerializer(str, return_type=str)]
Reason = Annotated[str, Field(pattern=r"\S", max_length=1000)]
Seconds = Annotated[float, Field(ge=0, le=360_000)]
Amount = Annotated[float, Field(gt=0, le=360_000)]


@dataclass(frozen=True, kw_only=True)
class _Act:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


# About a ruling


@dataclass(frozen=True, kw_only=True)
class Confirm(_Act):
    """Ruling ``ruling`` takes effect. ``by``: who raised it, None: the referee.

    ``remedy``: None for the usual one. ``opponent_gains_s``, ``offender_loses_s``: where the ruleset leaves that open.
    """

    ruling: int
    by: Seat | None = None
    remedy: Remedy | None = None
    opponent_gains_s: int | None = None
    offender_loses_s: int | None = None
    what: Literal["confirm"] = "confirm"


@dataclass(frozen=True, kw_only=True)
class Dismiss(_Act):
    """Nothing follows from ruling ``ruling``."""

    ruling: int
    reason: Reason
    what: Literal["dismiss"] = "dismiss"


@dataclass(frozen=True, kw_only=True)
class Amend(_Act):
    """Ruling ``ruling`` should say something else; what is None stays. It is then open, as any other."""

    ruling: int
    reason: Reason
    code: str | None = None
    seat: Seat | None = None
    points: tuple[AlgebraicPoint, ...] | None = None
    what: Literal["amend"] = "amend"


# What no camera sees: claims, words, conduct


@dataclass(frozen=True, kw_only=True)
class RaiseAct(_Act):
    """An act of section 4 is raised that has no ruling. ``by``: None for the referee; the rest as for ActRaised."""

    code: str
    seat: Seat | None = None
    by: Seat | None = None
    happened_after: int | None = None
    remedy: Remedy | None = None
    opponent_gains_s: int | None = None
    offender_loses_s: int | None = None
    what: Literal["raise"] = "raise"


@dataclass(frozen=True, kw_only=True)
class GiveViolation(_Act):
    """``seat`` is given a violation, or warning, for ``code``."""

    seat: Seat
    code: str
    reason: Reason
    what: Literal["violation"] = "violation"


@dataclass(frozen=True, kw_only=True)
class DeclareFive(_Act):
    """``seat`` declares its five (W1)."""

    seat: Seat
    what: Literal["declare_five"] = "declare_five"


@dataclass(frozen=True, kw_only=True)
class ClaimForbidden(_Act):
    """``by`` points out a forbidden move on ``point`` (W2, W3)."""

    by: Seat
    point: AlgebraicPoint
    what: Literal["claim_forbidden"] = "claim_forbidden"


@dataclass(frozen=True, kw_only=True)
class ClaimTime(_Act):
    """Somebody calls time (W5): the clock says whose flag is down."""

    what: Literal["claim_time"] = "claim_time"


@dataclass(frozen=True, kw_only=True)
class Pass(_Act):
    """``seat`` gives up its turn (D7); it still presses its clock."""

    seat: Seat
    what: Literal["pass"] = "pass"


@dataclass(frozen=True, kw_only=True)
class OfferDraw(_Act):
    """``seat`` offers a draw (D6)."""

    seat: Seat
    what: Literal["offer_draw"] = "offer_draw"


@dataclass(frozen=True, kw_only=True)
class AnswerDraw(_Act):
    """``seat`` answers the other's offer by word."""

    seat: Seat
    accepts: bool
    what: Literal["answer_draw"] = "answer_draw"


@dataclass(frozen=True, kw_only=True)
class AgreeDraw(_Act):
    """Both agree on a draw (D1)."""

    what: Literal["agree_draw"] = "agree_draw"


@dataclass(frozen=True, kw_only=True)
class Announce(_Act):
    """How many points Black will offer for move 5 (O2)."""

    points: int
    what: Literal["announce"] = "announce"


@dataclass(frozen=True, kw_only=True)
class Choose(_Act):
    """The player to move says what the opening lets it choose without a stone."""

    choice: Choice
    what: Literal["choose"] = "choose"


@dataclass(frozen=True, kw_only=True)
class Lose(_Act):
    """``seat`` loses by one of the codes of W6: resignation, abandoned, refusal, outside_help, stopped_clock."""

    seat: Seat
    code: str
    reason: Reason
    what: Literal["lose"] = "lose"


# The clock (C10: only the referee, with the reason)


@dataclass(frozen=True, kw_only=True)
class StartClock(_Act):
    """The appointed hour (C8). ``absent``: who is not there (C9)."""

    absent: tuple[Seat, ...] = ()
    what: Literal["start"] = "start"


@dataclass(frozen=True, kw_only=True)
class Arrived(_Act):
    """``seat``, who was absent, has come."""

    seat: Seat
    what: Literal["arrived"] = "arrived"


@dataclass(frozen=True, kw_only=True)
class StopClock(_Act):
    """Both sides stand still."""

    reason: Reason
    what: Literal["stop"] = "stop"


@dataclass(frozen=True, kw_only=True)
class ResumeClock(_Act):
    """The clock goes on: for ``turn``, None: whose turn it is."""

    reason: Reason
    turn: Seat | None = None
    what: Literal["resume"] = "resume"


@dataclass(frozen=True, kw_only=True)
class SetTime(_Act):
    """``seat`` has ``left_s`` left; None leaves the rest of its time as it is."""

    seat: Seat
    left_s: Seconds
    reason: Reason
    stage: int | None = None
    moves_left: int | None = None
    periods_left: int | None = None
    what: Literal["set_time"] = "set_time"


@dataclass(frozen=True, kw_only=True)
class AddTime(_Act):
    """``seat`` gets ``seconds`` more."""

    seat: Seat
    seconds: Amount
    reason: Reason
    what: Literal["add_time"] = "add_time"


@dataclass(frozen=True, kw_only=True)
class TakeTime(_Act):
    """``seat`` has ``seconds`` less."""

    seat: Seat
    seconds: Amount
    reason: Reason
    what: Literal["take_time"] = "take_time"


@dataclass(frozen=True, kw_only=True)
class UndoPress(_Act):
    """The last press that took effect is as if it had not been, both times as they were; so is its swap or offer."""

    reason: Reason
    what: Literal["undo_press"] = "undo_press"


@dataclass(frozen=True, kw_only=True)
class SplitTime(_Act):
    """A shared time becomes two halves (C2)."""

    reason: Reason
    what: Literal["split_time"] = "split_time"


# The board, the game


@dataclass(frozen=True, kw_only=True)
class TakeBack(_Act):
    """The game goes back to move ``number`` of the record, 0: the empty board; passes are undone for themselves.

    The stones are then to be taken off; where there is a referee the clock stands until it is resumed.
    """

    number: Annotated[int, Field(ge=0)]
    reason: Reason
    what: Literal["take_back"] = "take_back"


@dataclass(frozen=True, kw_only=True)
class CorrectPosition(_Act):
    """Board and record differ: which of them is ``right``. ``to_move``: None where the numbers of stones tell.

    Where the record is right the board is to be put right, as after a game was taken back.
    """

    right: Literal["board", "record"]
    reason: Reason
    to_move: Colour | None = None
    what: Literal["correct_position"] = "correct_position"


@dataclass(frozen=True, kw_only=True)
class EndGame(_Act):
    """The referee ends the game. ``winner``: None with ``drawn``, or when both lose."""

    reason: Reason
    winner: Seat | None = None
    drawn: bool = False
    what: Literal["end"] = "end"


@dataclass(frozen=True, kw_only=True)
class AgreeResult(_Act):
    """Both agree on the result, both clocks stopped (W7). ``winner``: None for a draw."""

    winner: Seat | None = None
    what: Literal["agree_result"] = "agree_result"


@dataclass(frozen=True, kw_only=True)
class Sign(_Act):
    """``seat`` signs the record."""

    seat: Seat
    what: Literal["sign"] = "sign"


# Adjournment (C13)


@dataclass(frozen=True, kw_only=True)
class Adjourn(_Act):
    """The clocks stop until the game is resumed."""

    reason: Reason
    what: Literal["adjourn"] = "adjourn"


@dataclass(frozen=True, kw_only=True)
class Seal(_Act):
    """The player to move has sealed a move. ``token``: it, so that nobody can read it without the code."""

    token: str
    what: Literal["seal"] = "seal"


@dataclass(frozen=True, kw_only=True)
class OpenSealed(_Act):
    """The envelope is opened: the sealed move is ``point``. It is laid on the board before the clock is resumed."""

    point: AlgebraicPoint
    what: Literal["open_sealed"] = "open_sealed"


@dataclass(frozen=True, kw_only=True)
class Undo(_Act):
    """Decision ``decision`` is as if it had not been; both stay on record. An Undo can itself be undone."""

    decision: int
    reason: Reason
    what: Literal["undo"] = "undo"


Act = (
    Confirm
    | Dismiss
    | Amend
    | RaiseAct
    | GiveViolation
    | DeclareFive
    | ClaimForbidden
    | ClaimTime
    | Pass
    | OfferDraw
    | AnswerDraw
    | AgreeDraw
    | Announce
    | Choose
    | Lose
    | StartClock
    | Arrived
    | StopClock
    | ResumeClock
    | SetTime
    | AddTime
    | TakeTime
    | UndoPress
    | SplitTime
    | TakeBack
    | CorrectPosition
    | EndGame
    | AgreeResult
    | Sign
    | Adjourn
    | Seal
    | OpenSealed
    | Undo
)
"""Anything that can be entered."""

_ADAPTER: TypeAdapter[Act] = TypeAdapter(Annotated[Act, Field(discriminator="what")])


def decision_of(data: Mapping[str, Any]) -> Act:
    """The decision that plain ``data`` tells, such as ``{"what": "stop", "reason": "a phone rang"}``.

    Raises ValueError, one line: what is wrong, where, and what would do.
    """
    try:
        return _ADAPTER.validate_python(dict(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"].startswith("union_tag"):
            kinds = ", ".join(sorted(_ADAPTER_KINDS))
            raise ValueError(f"what: {data.get('what')!r} is nothing that can be decided: use one of {kinds}") from None
        # The first place is the kind, which the reader knows.
        where = ".".join(str(part) for part in first["loc"][1:]) or str(data.get("what"))
        raise ValueError(f"{data['what']}: {where}: {_plainly(first)}") from None


def data_of(act: Act) -> dict[str, Any]:
    """``act`` as plain data, from which :func:`decision_of` makes it again."""
    data: dict[str, Any] = _ADAPTER.dump_python(act, mode="json", exclude_none=True)
    return {"what": data.pop("what"), **data}


def _plainly(error: Any) -> str:
    match error["type"]:
        case "missing":
            return "is missing"
        case "unexpected_keyword_argument":
            return "is no part of this decision"
        case "string_pattern_mismatch":
            return "must not be empty"
        case _:
            message: str = error["msg"].removeprefix("Value error, ")
            return message[:1].lower() + message[1:]


_ADAPTER_KINDS = {kind.what for kind in Act.__args__}
