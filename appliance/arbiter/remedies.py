"""Whether a remedy that was ruled has been carried out on the board, and what to say of one that was not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from appliance.arbiter.consequences import offer_faults
from appliance.arbiter.outcomes import Standing
from appliance.arbiter.state import changed
from appliance.game.points import Colour, tengen
from appliance.game.ruleset import Remedy

if TYPE_CHECKING:
    from appliance.arbiter.state import Finding, State
    from appliance.game.points import Point, Seat


@dataclass(frozen=True, kw_only=True)
class Due:
    """A remedy of ``seat``'s act ``code``: ``point`` must hold ``stone``, None: no stone; an announcement: no point."""

    code: str
    seat: Seat | None
    remedy: Remedy
    point: Point | None = None
    stone: Colour | None = None


def due(state: State, finding: Finding, remedy: Remedy | None) -> Due | None:
    """What ``remedy`` asks for on the board; None: nothing, or nothing that can be seen."""
    code, seat, points = finding.code, finding.seat, finding.points
    match remedy:
        case Remedy.TAKE_BACK if points:
            return Due(code=code, seat=seat, remedy=remedy, point=points[0])
        case Remedy.BACK_TO_FIRST_POINT | Remedy.PUT_BACK if len(points) == 2:
            stone = state.position.at(points[1]) or state.position.at(points[0])
            return Due(code=code, seat=seat, remedy=remedy, point=points[0], stone=stone)
        case Remedy.MOVE_TO_TENGEN:
            centre = tengen(state.position.size)
            return Due(code=code, seat=seat, remedy=remedy, point=centre, stone=Colour.BLACK)
        case Remedy.ANNOUNCE | Remedy.MEND_POINTS:
            return Due(code=code, seat=seat, remedy=remedy)
    return None


def asked_for(state: State, point: Point, *wanted: Remedy) -> bool:
    """Whether one of the remedies ``wanted`` is still to be carried out on ``point``."""
    return any(one.point == point and one.remedy in wanted for one in state.dues)


def mending(state: State) -> bool:
    """Whether Black is putting right the points offered for move 5."""
    return not state.protocol.choosing and any(one.remedy is Remedy.MEND_POINTS for one in state.dues)


def settled(state: State) -> State:
    """The game in which the remedies that have been carried out are on record."""
    done = [one for one in state.dues if _carried_out(state, one)]
    return _ended(state, done, "the remedy was carried out") if done else state


def overdue(state: State, mover: Seat | None) -> State:
    """The game after a move of ``mover``, who waits no longer for what the opponent was to put right."""
    dues = [one for one in state.dues if one.seat is None or one.seat is not mover]
    return _ended(state, dues, "the remedy was not carried out before the next move") if dues else state


def _carried_out(state: State, one: Due) -> bool:
    if one.remedy is Remedy.MEND_POINTS:
        offered = state.protocol.offered
        before = state.position.removed(offered)
        return state.protocol.choosing and not any(offer_faults(state.ruleset, before, offered, state.protocol.wanted))
    if one.point is None:
        return state.protocol.announced is not None
    return state.position.at(one.point) is one.stone


def _ended(state: State, dues: list[Due], reason: str) -> State:
    t_ns = state.clock.since_ns
    told = [
        replace(state.ledger.outcome(t_ns, one.code, one.seat, Standing.RECORDED, reason), remedy=one.remedy)
        for one in dues
    ]
    return changed(state, dues=tuple(one for one in state.dues if one not in dues)).noted(*told)
