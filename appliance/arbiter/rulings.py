"""What the arbiter concludes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from appliance.arbiter.articles import Article
    from appliance.arbiter.outcomes import Standing
    from appliance.game.points import Colour, Point, Seat
    from appliance.game.ruleset import Penalty, Remedy
    from vision.acts import Bracket


class Certainty(StrEnum):
    """Whether the evidence carries the ruling. What could not be seen accuses nobody."""

    CERTAIN = "certain"
    COULD_NOT_SEE = "could not see"


class OutOfTurn(StrEnum):
    """In what a stone was out of turn (P4, P17). That a point was taken no camera sees: the stone lies on another."""

    OTHER_COLOUR = "other colour"
    OPPONENTS_TIME = "opponent's time"
    SECOND_STONE = "second stone"


class Audience(StrEnum):
    """Who may hear of a ruling before it is claimed or decided (D8)."""

    REFEREE = "referee"
    EVERYBODY = "everybody"


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """One conclusion, with the article that it rests on.

    ``number``: from 1, in the order in which the game's rulings were made. ``t_ns``: when the act happened, as nearly
    as is known. ``seen_ns``: with which fact it became known. ``points``: in the order of the act (first touched, then
    final). ``seat``: the offender or, at an end, whom it concerns; None: left open. ``bracket`` and ``press_ns``: what
    it was judged by, for the evidence. ``colour`` and ``out_of_turn``: of a stone that was not due, the latter where
    the clock tells it. ``remedies``: the usual one first; none, and no penalty, where it is uncertain.
    ``standing``: accepted once it was confirmed, rejected once it was dismissed; None: open.
    """

    number: int
    code: str
    article: Article
    certainty: Certainty
    seat: Seat | None
    points: tuple[Point, ...]
    t_ns: int
    seen_ns: int
    bracket: Bracket | None = None
    press_ns: int | None = None
    colour: Colour | None = None
    out_of_turn: OutOfTurn | None = None
    remedies: tuple[Remedy, ...] = ()
    penalty: Penalty | None = None
    audience: Audience = Audience.REFEREE
    standing: Standing | None = None

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.article.rule
