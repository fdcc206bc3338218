"""Facts that do not come from the camera. Board acts, which do, are in ``vision.acts``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from appliance.game.points import Seat


@dataclass(frozen=True, kw_only=True)
class Press:
    """A clock button went down at ``t_ns``, give or take ``error_ns``."""

    seat: Seat
    t_ns: int
    error_ns: int = 0


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What the referee entered, as it was entered."""

    t_ns: int
    payload: Mapping[str, Any]
