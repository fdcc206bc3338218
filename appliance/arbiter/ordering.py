"""In which order did it happen? Each fact holds for a span of time; where two overlap, their order is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.facts import Press, Stamped
from appliance.arbiter.timing import Order, order
from vision.acts import BoardAct, Relocated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from appliance.arbiter.facts import Told
    from vision.acts import Bracket


def precedes(first: Told, second: Told, frame_error_ns: int) -> bool:
    """Whether ``first`` certainly happened before ``second``.

    Frames share one clock: a stone that a frame showed lay there before one that the same frame showed missing. Between
    a frame and a stamp both errors count. Stamps are taken as they are, presses first (as the chess clock does).
    """
    if isinstance(first, Stamped):
        if isinstance(second, Stamped):
            return _stamp(first) < _stamp(second)
        return order(first, _bracket(second), frame_error_ns) is Order.PRESS_FIRST
    if isinstance(second, Stamped):
        return order(second, _bracket(first), frame_error_ns) is Order.STONE_FIRST
    after_ns = _bracket(second).after_ns
    return after_ns is not None and _bracket(first).by_ns <= after_ns


def may_be_next(facts: Sequence[Told], frame_error_ns: int) -> list[Told]:
    """Those of ``facts`` before which none of the others must have happened, the one that was over first first."""
    in_order = sorted(facts, key=_over)
    # What the fact that was over first need not precede, no other need.
    possible = [in_order[0], *(fact for fact in in_order[1:] if not precedes(in_order[0], fact, frame_error_ns))]
    # A bracket may end between two stamps: only the earlier of these can be next. Of one instant, presses apart, it is
    # the one that was entered first.
    stamped = [fact for fact in possible if isinstance(fact, Stamped)]
    earliest = min(stamped, key=_stamp, default=None)
    return [
        fact
        for fact in possible
        if not isinstance(fact, Stamped)
        or fact is earliest
        or (isinstance(fact, Press) and earliest is not None and _stamp(fact) == _stamp(earliest))
    ]


def _stamp(fact: Stamped) -> tuple[int, int]:
    return fact.t_ns, 0 if isinstance(fact, Press) else 1


def _bracket(act: BoardAct) -> Bracket:
    return act.way if isinstance(act, Relocated) else act.bracket


def _over(fact: Told) -> tuple[int, int]:
    """When a fact was over at the latest, and could have begun at the earliest."""
    if isinstance(fact, Stamped):
        return fact.t_ns, fact.t_ns
    bracket = _bracket(fact)
    return bracket.by_ns, -1 if bracket.after_ns is None else bracket.after_ns
