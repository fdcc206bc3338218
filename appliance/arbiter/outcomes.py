"""What follows from what happened, under the rules of conduct."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from appliance.arbiter.articles import article

if TYPE_CHECKING:
    from appliance.arbiter.articles import Article
    from appliance.game.points import Seat
    from appliance.game.ruleset import Penalty, Remedy, Text


class Standing(StrEnum):
    """What became of it."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    RECORDED = "recorded"
    """Nobody asked for anything: put on record, and the game goes on."""


@dataclass(frozen=True, kw_only=True)
class End:
    """How a game ended. ``winner``: None when ``drawn``, or when both lost (both late beyond the limit, C9)."""

    code: str
    winner: Seat | None
    drawn: bool = False


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One thing that follows.

    ``code`` and ``text``: which article it rests on. ``seat``: whom it concerns: the claimant of a claim, the offender
    of an act, the loser of a game lost without a claim; None: both, or left open. ``violations``: how many ``seat``
    has, when it was given one. ``opponent_gains_s``, ``offender_loses_s``: what the referee sets on the clocks.
    ``end``: set by the outcome that ended the game.
    """

    t_ns: int
    code: str
    text: Text
    seat: Seat | None
    standing: Standing
    reason: str
    remedy: Remedy | None = None
    penalty: Penalty | None = None
    violations: int | None = None
    opponent_gains_s: int = 0
    offender_loses_s: int = 0
    end: End | None = None

    @property
    def article(self) -> Article:
        """The article that it cites."""
        return article(self.code, self.text)

    def seconds(self, seat: Seat) -> int:
        """By how much the clock of ``seat`` is set forward (more time) or back (negative)."""
        if self.seat is None:
            return 0
        return -self.offender_loses_s if seat is self.seat else self.opponent_gains_s
