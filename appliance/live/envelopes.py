"""The sealed move on its way between a client and the journal: the one names the point, the other never does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from appliance.arbiter.decisions import OpenSealed, Seal
from appliance.game.points import Point
from appliance.journal.envelope import EnvelopeError, opened, seal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from appliance.arbiter.arbiter import Arbiter


def sealing(decision: Mapping[str, Any], arbiter: Arbiter) -> tuple[Seal, str] | None:
    """The seal that ``{"what": "seal", "point": …}`` asks for and the code that opens it; None: it is not asked for.

    Raises ValueError, one line.
    """
    if decision.get("what") != "seal" or "point" not in decision:
        return None
    _alone(decision, "point")
    if not arbiter.state.adjourned:
        raise ValueError("a move is sealed at an adjournment: adjourn the game first")
    sealed = seal(Point.parse(str(decision["point"]), arbiter.size), arbiter.size)
    return Seal(token=sealed.token), sealed.code


def opening(decision: Mapping[str, Any], arbiter: Arbiter) -> OpenSealed | None:
    """The move that ``{"what": "open_sealed", "code": …}`` opens; None: no code is given. Raises ValueError."""
    if decision.get("what") != "open_sealed" or "code" not in decision:
        return None
    _alone(decision, "code")
    token = arbiter.state.sealed
    if token is None:
        raise ValueError("no move is sealed")
    try:
        return OpenSealed(point=opened(token, str(decision["code"])))
    except EnvelopeError as error:
        raise ValueError(str(error)) from None


def _alone(decision: Mapping[str, Any], key: str) -> None:
    others = decision.keys() - {"what", key}
    if others:
        raise ValueError(f"{decision['what']}: {min(others)}: is no part of this decision")
