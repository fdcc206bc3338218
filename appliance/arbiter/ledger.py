"""What stands for and against each player: the state that the rules of conduct keep. Nothing here changes in place.

Moves are numbered from 1, passes among them. Windows are kept as numbers of moves, so that a game taken back has them
right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from appliance.arbiter.consequences import made_by
from appliance.arbiter.outcomes import End, Outcome, Standing
from appliance.game.shapes import overline

if TYPE_CHECKING:
    from appliance.arbiter.consequences import Consequence
    from appliance.game.points import Colour, Point, Seat
    from appliance.game.position import Position
    from appliance.game.ruleset import Penalty, Raiser, Remedy, Ruleset, Until


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A move: a stone, or a pass where ``point`` and ``colour`` are None.

    ``made``: what the stone made. ``row``: the stones by which that can be pointed out. ``lost_by``: the number of the
    white move that ended the time for a claim (W2). ``handed_over``: its five was not declared before the press.
    """

    number: int
    seat: Seat
    colour: Colour | None = None
    point: Point | None = None
    made: Consequence | None = None
    row: tuple[Point, ...] = ()
    lost_by: int | None = None
    handed_over: bool = False

    @property
    def code(self) -> str | None:
        """What the stone made, by its code."""
        return self.made.code if self.made else None


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Under what terms an act is judged: a row of the ruleset's table of acts, or one of section 5."""

    remedies: tuple[Remedy, ...]
    penalty: Penalty
    by: tuple[Raiser, ...]
    until: Until


@dataclass(frozen=True, kw_only=True)
class Accusation:
    """An act that was seen. ``number``: the last move before it.

    ``closed``: it was ``raised``, waived, or its time is over.
    """

    code: str
    terms: Terms
    seat: Seat | None
    number: int
    points: tuple[Point, ...] = ()
    closed: bool = False
    raised: bool = False


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """A game as far as conduct goes.

    ``violations``, ``draw_offers``: the seat of each, in order. ``offering``: whose offer of a draw stands.
    ``to_press``: who has laid a stone and not pressed yet. ``full``: no point of the board is free. ``final``: both
    players agreed on the result with both clocks stopped (W7). ``before``: how many stones stood before the first
    turn.
    """

    ruleset: Ruleset
    turns: tuple[Turn, ...] = ()
    accusations: tuple[Accusation, ...] = ()
    violations: tuple[Seat, ...] = ()
    draw_offers: tuple[Seat, ...] = ()
    offering: Seat | None = None
    to_press: Seat | None = None
    full: bool = False
    end: End | None = None
    final: bool = False
    before: int = 0

    @property
    def number(self) -> int:
        """The number of the last move; 0 before the first."""
        return self.turns[-1].number if self.turns else self.before

    @property
    def has_five(self) -> bool:
        """Whether a five stands that nobody has declared."""
        return any(turn.code == "five" for turn in self.turns)

    def outcome(self, t_ns: int, code: str, seat: Seat | None, standing: Standing, reason: str) -> Outcome:
        """An outcome under this game's text, with nothing else to it yet."""
        return Outcome(t_ns=t_ns, code=code, text=self.ruleset.cited_text, seat=seat, standing=standing, reason=reason)

    def ended(self, outcome: Outcome, *, winner: Seat | None, drawn: bool = False) -> Step:
        """The game ends with ``outcome``."""
        end = End(code=outcome.code, winner=winner, drawn=drawn)
        return replace(self, end=end, offering=None), (replace(outcome, end=end),)

    def lost(self, t_ns: int, code: str, seat: Seat, reason: str) -> Step:
        """``seat`` loses, by what it did or was given."""
        return self.ended(self.outcome(t_ns, code, seat, Standing.ACCEPTED, reason), winner=seat.other)

    def refused(self, t_ns: int, code: str, seat: Seat | None, reason: str) -> Step:
        """Nothing follows from what was asked for."""
        return self, (self.outcome(t_ns, code, seat, Standing.REJECTED, reason),)


Step = tuple[Ledger, tuple[Outcome, ...]]
"""The game after an occurrence, and what followed from it."""


def judged(ruleset: Ruleset, turn: Turn, position: Position, point: Point) -> Turn:
    """``turn`` with its stone on ``point`` of ``position``, and what it makes there."""
    made = made_by(ruleset, position, point)
    row: tuple[Point, ...] = ()
    if made is not None:
        row = overline(position, point) if made.code == "overline" else made.points
    return replace(turn, point=point, made=made, row=row)
