"""In which order did it happen? Each fact holds for a span of time; where two overlap, their order is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.facts import Press
from appliance.arbiter.timing import Order, order
from vision.acts import BoardAct, Relocated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.acts import Bracket

Fact = Press | BoardAct
"""What the arbiter orders: presses and board acts."""


def precedes(first: Fact, second: Fact, frame_error_ns: int) -> bool:
    """Whether ``first`` certainly happened before ``second``.

    Frames share one clock: a stone that a frame showed lay there before one that the same frame showed missing. Between
    a frame and a press both stamps' errors count.
    """
    if isinstance(first, Press):
        if isinstance(second, Press):
            return first.t_ns + first.error_ns <= second.t_ns - second.error_ns
        return order(first, _bracket(second), frame_error_ns) is Order.PRESS_FIRST
    if isinstance(second, Press):
        return order(second, _bracket(first), frame_error_ns) is Order.STONE_FIRST
    after_ns = _bracket(second).after_ns
    return after_ns is not None and _bracket(first).by_ns <= after_ns


def may_be_next(facts: Sequence[Fact], frame_error_ns: int) -> list[Fact]:
    """Those of ``facts`` before which none of the others must have happened, the one that was over first first."""
    in_order = sorted(facts, key=_over)
    # What the fact that was over first need not precede, no other need.
    return [in_order[0], *(fact for fact in in_order[1:] if not precedes(in_order[0], fact, frame_error_ns))]


def _bracket(act: BoardAct) -> Bracket:
    return act.way if isinstance(act, Relocated) else act.bracket


def _over(fact: Fact) -> tuple[int, int]:
    """When a fact was over at the latest, and could have begun at the earliest."""
    if isinstance(fact, Press):
        return fact.t_ns, fact.t_ns
    bracket = _bracket(fact)
    return bracket.by_ns, -1 if bracket.after_ns is None else bracket.after_ns
