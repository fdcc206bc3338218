"""In which order did it happen? Each fact holds for a span of time; where two overlap, their order is open."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from appliance.arbiter.facts import Press, Stamped
from appliance.arbiter.timing import Order, order
from vision.acts import BoardAct, Relocated

if TYPE_CHECKING:
    from collections.abc import Iterable

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


@dataclass(frozen=True, kw_only=True)
class Untold:
    """Facts of one time, in the order in which they were over; ``begins_ns``: before when none from each on began."""

    facts: tuple[Told, ...]
    begins_ns: tuple[int, ...]

    @classmethod
    def of(cls, facts: Iterable[Told]) -> Untold:
        """``facts``, put in order."""
        in_order = sorted(facts, key=_over)
        begins_ns = list(accumulate(map(_begins_ns, reversed(in_order)), min))
        return cls(facts=tuple(in_order), begins_ns=tuple(reversed(begins_ns)))

    def without(self, told: Told) -> Untold:
        """Those but ``told``, by identity."""
        at = next(place for place, fact in enumerate(self.facts) if fact is told)
        return Untold(
            facts=self.facts[:at] + self.facts[at + 1 :], begins_ns=self.begins_ns[:at] + self.begins_ns[at + 1 :]
        )


def may_be_next(untold: Untold, frame_error_ns: int) -> list[Told]:
    """Those before which none of the others must have happened, the one that was over first first."""
    first, *_ = untold.facts
    # What the fact that was over first need not precede, no other need.
    possible = [first]
    reach_ns = _over(first)[0] + frame_error_ns + (first.error_ns if isinstance(first, Press) else 0)
    for fact, begins_ns in zip(untold.facts[1:], untold.begins_ns[1:], strict=True):
        if begins_ns > reach_ns:
            break  # nor need any that is still to come
        if not precedes(first, fact, frame_error_ns):
            possible.append(fact)
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


def _begins_ns(fact: Told) -> int:
    """Before when ``fact`` certainly had not begun, its stamp's own error taken off."""
    return _over(fact)[1] - (fact.error_ns if isinstance(fact, Press) else 0)
