"""The eight rotations and reflections of the square, and what stays the same under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from appliance.game.points import Colour, Point
    from appliance.game.position import Position

SYMMETRIES = tuple((swapped, across, up) for swapped in (False, True) for across in (1, -1) for up in (1, -1))
"""Each as: are files and ranks exchanged, then the signs of both."""


def turned(file: int, rank: int, symmetry: tuple[bool, int, int]) -> tuple[int, int]:
    """An offset from the centre after ``symmetry``."""
    swapped, across, up = symmetry
    if swapped:
        file, rank = rank, file
    return across * file, up * rank


def shape_key(position: Position) -> tuple[tuple[int, int, Colour], ...]:
    """Equal for two positions when a rotation or reflection together with a shift turns one into the other (O5).

    The edges of the board play no part.
    """
    return min(_placed_at_zero(position.stones, symmetry) for symmetry in SYMMETRIES)


def _placed_at_zero(
    stones: Mapping[Point, Colour], symmetry: tuple[bool, int, int]
) -> tuple[tuple[int, int, Colour], ...]:
    turned_stones = [(*turned(point.file, point.rank, symmetry), colour) for point, colour in stones.items()]
    left = min((file for file, _, _ in turned_stones), default=0)
    near = min((rank for _, rank, _ in turned_stones), default=0)
    return tuple(sorted((file - left, rank - near, colour) for file, rank, colour in turned_stones))
