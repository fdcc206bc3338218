"""Was the stone down before the press? (P8; design, section 1)"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from appliance.arbiter.facts import Press

if TYPE_CHECKING:
    from appliance.arbiter.facts import Stamped
    from vision.acts import Bracket


class Order(StrEnum):
    """What the evidence says about a press and a stone."""

    STONE_FIRST = "stone first"
    PRESS_FIRST = "press first"
    UNKNOWN = "unknown"


def order(press: Stamped, bracket: Bracket, frame_error_ns: int) -> Order:
    """Compare a press, or another stamped fact, with the bracket (after, by] in which a stone was laid.

    ``frame_error_ns``: how far a frame's instant may be off; the press brings its own error. Both are taken in the
    player's favour, so that only what is beyond any error is called PRESS_FIRST.
    """
    error = (press.error_ns if isinstance(press, Press) else 0) + frame_error_ns
    if bracket.by_ns + error <= press.t_ns:
        return Order.STONE_FIRST
    if bracket.after_ns is not None and bracket.after_ns - error >= press.t_ns:
        return Order.PRESS_FIRST
    return Order.UNKNOWN
