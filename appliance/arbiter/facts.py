"""What the arbiter is told. Board acts, which the camera brings, are in ``vision.acts``; here is all the rest.

Instants are nanoseconds of the game's one clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.acts import BoardAct

if TYPE_CHECKING:
    from appliance.arbiter.decisions import Act
    from appliance.arbiter.state import Finding
    from appliance.game.points import Seat


@dataclass(frozen=True, kw_only=True)
class Press:
    """A clock button went down at ``t_ns``, give or take ``error_ns``."""

    seat: Seat
    t_ns: int
    error_ns: int = 0


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What the referee entered.

    ``number``: from 1, in the order of entry; 0 until the arbiter has given it one. ``about``: the finding behind the
    ruling that it names, which the arbiter looks up when it is entered.
    """

    t_ns: int
    act: Act
    number: int = 0
    about: Finding | None = None


@dataclass(frozen=True, kw_only=True)
class WholeBoard:
    """At ``t_ns`` every point had been seen, and nothing that was seen is left untold."""

    t_ns: int


@dataclass(frozen=True, kw_only=True)
class NoFrames:
    """From ``from_ns`` to ``t_ns`` no frame came: a stone may have come and gone unseen."""

    t_ns: int
    from_ns: int


@dataclass(frozen=True, kw_only=True)
class Outage:
    """The box stood still: the last that it knew was at ``t_ns``, and it was back at ``until_ns``."""

    t_ns: int
    until_ns: int


@dataclass(frozen=True, kw_only=True)
class TimePassed:
    """It is ``t_ns``: for what time does by itself (a flag, a forfeit) with nobody doing anything."""

    t_ns: int


@dataclass(frozen=True, kw_only=True)
class NoMore:
    """The recording, or the evening, ends at ``t_ns``: no more facts come."""

    t_ns: int


Stamped = Press | Decision | NoFrames | Outage | TimePassed
"""What happened at one instant, not within a bracket."""

Told = Stamped | BoardAct
"""What the game is told of, in an order that may be open."""

Fact = Told | WholeBoard | NoMore
"""All that the arbiter takes."""


def instant(fact: Fact) -> int:
    """When ``fact`` happened, or where it could only be seen afterwards, became known to the camera."""
    return fact.seen_ns if isinstance(fact, BoardAct) else fact.t_ns
