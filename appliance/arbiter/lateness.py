"""P8: was the stone down before the press?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.arbiter.rulings import Certainty
from appliance.arbiter.state import Finding, Move, State, changed
from appliance.arbiter.timing import Order, order

if TYPE_CHECKING:
    from appliance.arbiter.facts import Press

CODE = "press_before_placing"


def judged(state: State, press: Press, move: Move) -> State:
    """The game with what is found about ``move`` and the press that ended its turn.

    When the opponent has pressed since, another stone may have been missed, and this is not the one of that press; nor
    is it while another may be hidden that was laid in time, or when one may have come and gone while no frame came;
    nor of a stone that no hand was seen to bring.
    """
    verdict = order(press, move.bracket, state.frame_error_ns)
    if verdict is Order.STONE_FIRST:
        return state
    turn_ns = max((other.t_ns for other in state.presses if other.t_ns < press.t_ns), default=0)
    watched = state.watched(turn_ns, move.bracket.by_ns)
    sure = verdict is Order.PRESS_FIRST and state.presses[-1] == press and watched and move.handed
    return state.found(
        Finding(
            code=CODE,
            t_ns=press.t_ns,
            seat=press.seat,
            points=(move.point,),
            bracket=move.bracket,
            press_ns=press.t_ns,
            certainty=Certainty.CERTAIN if sure else Certainty.COULD_NOT_SEE,
        )
    )


def doubted(state: State, press: Press) -> State:
    """A stone called late may have come only after this press: then it is not the one of the press before."""
    doubtful = {
        finding
        for finding in state.findings
        if finding.code == CODE
        and finding.bracket is not None
        and finding.press_ns != press.t_ns
        and order(press, finding.bracket, state.frame_error_ns) is not Order.STONE_FIRST
    }
    if not doubtful:
        return state
    points = {finding.points for finding in doubtful}
    accusations = tuple(act for act in state.ledger.accusations if act.code != CODE or act.points not in points)
    return changed(
        state,
        ledger=replace(state.ledger, accusations=accusations),
        findings=tuple(
            replace(finding, certainty=Certainty.COULD_NOT_SEE) if finding in doubtful else finding
            for finding in state.findings
        ),
    )
