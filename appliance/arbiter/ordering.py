"""In which order did it happen? Each fact holds for a span of time; where two overlap, their order is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from appliance.arbiter.facts import Press
from vision.acts import BoardAct, Relocated

if TYPE_CHECKING:
    from collections.abc import Sequence

Fact = Press | BoardAct
"""What the arbiter orders: presses and board acts."""

_LONG_AGO = -(10**30)


class Span(NamedTuple):
    """The earliest and the latest instant at which a fact may have happened, nanoseconds."""

    earliest: int
    latest: int


def span(fact: Fact, frame_error_ns: int) -> Span:
    """When ``fact`` may have happened, its stamp's error included."""
    if isinstance(fact, Press):
        return Span(fact.t_ns - fact.error_ns, fact.t_ns + fact.error_ns)
    bracket = fact.way if isinstance(fact, Relocated) else fact.bracket
    earliest = _LONG_AGO if bracket.after_ns is None else bracket.after_ns - frame_error_ns
    return Span(earliest, bracket.by_ns + frame_error_ns)


def may_be_next(facts: Sequence[Fact], frame_error_ns: int) -> list[Fact]:
    """Those of ``facts`` before which none of the others must have happened, the one that was over first first."""
    spans = sorted(((span(fact, frame_error_ns), index) for index, fact in enumerate(facts)), key=_by_latest)
    first_over = spans[0][0].latest
    return [facts[index] for when, index in spans if when.earliest <= first_over]


def _by_latest(item: tuple[Span, int]) -> tuple[int, int, int]:
    when, index = item
    return when.latest, when.earliest, index
