"""What happens in a game beside the camera's view of it: what the rules of conduct take in, each with its instant.

All are facts that somebody states: the arbiter (a move was completed), a player (a claim), the referee (an act is
raised). Whose turn it is, the protocol has checked before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from appliance.game.points import Colour, Point, Seat
    from appliance.game.position import Position
    from appliance.game.ruleset import Remedy


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A stone of the game was laid by ``seat``; ``position`` holds it. Of the points for move 5, the one that stays."""

    t_ns: int
    seat: Seat
    colour: Colour
    point: Point
    position: Position


@dataclass(frozen=True, kw_only=True)
class Restood:
    """The last stone laid on ``origin`` now stands on ``point`` (P5, P6 or their remedy); ``position`` shows it so."""

    t_ns: int
    origin: Point
    point: Point
    position: Position


@dataclass(frozen=True, kw_only=True)
class TakenBack:
    """The stone on ``point`` is no move any more: its player took it back, before the press or under a ruling."""

    t_ns: int
    point: Point


@dataclass(frozen=True, kw_only=True)
class BackTo:
    """The referee takes the game back: of its moves, passes among them, the first ``number`` stand."""

    t_ns: int
    number: int


@dataclass(frozen=True, kw_only=True)
class Passed:
    """``seat`` gave up its turn (D7)."""

    t_ns: int
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Pressed:
    """``seat`` pressed its clock and so ended its turn."""

    t_ns: int
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class ActSeen:
    """An act of the rules' section 4 was seen, and nobody has raised it yet. ``seat``: whose; None: left open.

    ``number``: the last move before it; None: the last one.
    """

    t_ns: int
    code: str
    seat: Seat | None
    number: int | None = None
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ActRaised:
    """Somebody raises an act, seen before or not. ``by``: a player, or None for the referee.

    ``seat``: whose act; None: left open, or as it was seen. ``happened_after``: the number of the last move before it;
    None: the last such act that was seen, or just now where none was. ``remedy``: what was chosen, None for the usual
    one. ``offender_left_s``: what the offender's clock shows, None where no time is kept. ``opponent_gains_s``,
    ``offender_loses_s``: the referee's choice where the ruleset leaves it to him, None for the ruleset's own amounts.
    """

    t_ns: int
    code: str
    seat: Seat | None
    by: Seat | None
    happened_after: int | None = None
    remedy: Remedy | None = None
    offender_left_s: float | None = None
    opponent_gains_s: int | None = None
    offender_loses_s: int | None = None


@dataclass(frozen=True, kw_only=True)
class ViolationGiven:
    """The referee gives ``seat`` a violation, or a warning, for what section 4 does not list. ``code``: the article."""

    t_ns: int
    seat: Seat
    code: str


@dataclass(frozen=True, kw_only=True)
class FiveDeclared:
    """``seat`` declares that it has made a five (W1)."""

    t_ns: int
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class ForbiddenClaimed:
    """``by`` points out a forbidden move of Black's (W2, W3). ``point``: its stone, or any stone of an overline."""

    t_ns: int
    by: Seat
    point: Point


@dataclass(frozen=True, kw_only=True)
class FlagsCalled:
    """Somebody calls time (W5). ``down``: whose flags are down; ``first``: whose fell first, None where unknown."""

    t_ns: int
    down: frozenset[Seat]
    first: Seat | None = None


@dataclass(frozen=True, kw_only=True)
class TooLate:
    """``seats`` did not come within the limit (C9)."""

    t_ns: int
    seats: frozenset[Seat]


@dataclass(frozen=True, kw_only=True)
class DrawOffered:
    """``seat`` offers a draw (D6)."""

    t_ns: int
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class DrawAnswered:
    """``seat`` answers the offer of the other by word."""

    t_ns: int
    seat: Seat
    accepts: bool


@dataclass(frozen=True, kw_only=True)
class DrawAgreed:
    """Both agree on a draw (D1)."""

    t_ns: int


@dataclass(frozen=True, kw_only=True)
class ResultAgreed:
    """Both agree on the result (W7). ``winner``: None for a draw. ``clocks_stopped``: both of them."""

    t_ns: int
    winner: Seat | None
    clocks_stopped: bool


@dataclass(frozen=True, kw_only=True)
class LossEntered:
    """The referee enters that ``seat`` loses, by one of the codes of W6: see ``conduct.ENTERED``."""

    t_ns: int
    seat: Seat
    code: str


@dataclass(frozen=True, kw_only=True)
class ResultRuled:
    """The referee ends the game. ``winner``: None where it is ``drawn``, or both lose."""

    t_ns: int
    winner: Seat | None
    drawn: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class SealedIllegal:
    """The move that ``seat`` sealed on ``point`` cannot be played (C13)."""

    t_ns: int
    seat: Seat
    point: Point


Occurrence = (
    Moved
    | Restood
    | TakenBack
    | BackTo
    | Passed
    | Pressed
    | ActSeen
    | ActRaised
    | ViolationGiven
    | FiveDeclared
    | ForbiddenClaimed
    | FlagsCalled
    | TooLate
    | DrawOffered
    | DrawAnswered
    | DrawAgreed
    | ResultAgreed
    | LossEntered
    | ResultRuled
    | SealedIllegal
)
