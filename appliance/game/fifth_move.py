"""The points that Black offers for move 5: no two may give the same shape (O5, P16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.game.points import Colour
from appliance.game.symmetry import shape_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from appliance.game.points import Point
    from appliance.game.position import Position


def same_shape_groups(position: Position, offered: Iterable[Point]) -> list[tuple[Point, ...]]:
    """Those of the ``offered`` points that give the same shape, group by group; empty when all differ.

    ``position`` holds the stones before move 5. Raises ValueError when a point is taken or off the board.
    """
    groups: dict[object, list[Point]] = {}
    for point in dict.fromkeys(offered):
        groups.setdefault(shape_key(position.placed(point, Colour.BLACK)), []).append(point)
    return [tuple(points) for points in groups.values() if len(points) > 1]
