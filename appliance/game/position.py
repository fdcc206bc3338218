"""A position: which stones stand where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.game.points import Colour, Point

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

EMPTY = "."


class Position:
    """Stones on a ``size`` × ``size`` board, immutable; adding or removing a stone gives a new position."""

    __slots__ = ("_stones", "size")

    def __init__(self, size: int = 15, stones: Mapping[Point, Colour] | None = None) -> None:
        self.size = size
        self._stones: dict[Point, Colour] = dict(stones or {})

    @classmethod
    def from_rows(cls, rows: Sequence[str]) -> Position:
        """Read rows of ``.``, ``B``, ``W``: the first is the farthest rank, the first character file A.

        Raises ValueError when the rows are no square or hold another character.
        """
        size = len(rows)
        stones: dict[Point, Colour] = {}
        for i, row in enumerate(rows):
            if len(row) != size:
                raise ValueError(f"row {i + 1} has {len(row)} points, expected {size}")
            for file, letter in enumerate(row):
                if letter == EMPTY:
                    continue
                if letter not in tuple(Colour):
                    raise ValueError(f"row {i + 1} holds {letter!r}; only '.', 'B' and 'W' mean anything")
                stones[Point(file, size - 1 - i)] = Colour(letter)
        return cls(size, stones)

    def rows(self) -> list[str]:
        """The position as in :meth:`from_rows`."""
        return [
            "".join(self._stones.get(Point(file, rank), EMPTY) for file in range(self.size))
            for rank in reversed(range(self.size))
        ]

    def at(self, point: Point) -> Colour | None:
        """The stone on ``point``, or None."""
        return self._stones.get(point)

    @property
    def stones(self) -> Mapping[Point, Colour]:
        """All stones; do not change it."""
        return self._stones

    def points(self, colour: Colour) -> frozenset[Point]:
        """Where the stones of ``colour`` stand."""
        return frozenset(p for p, c in self._stones.items() if c is colour)

    def count(self, colour: Colour) -> int:
        """How many stones of ``colour`` stand on the board."""
        return sum(c is colour for c in self._stones.values())

    def placed(self, point: Point, colour: Colour) -> Position:
        """This position with one stone more. Raises ValueError when ``point`` is taken or off the board."""
        if not (0 <= point.file < self.size and 0 <= point.rank < self.size):
            raise ValueError(f"{point} is not on a {self.size} x {self.size} board")
        if point in self._stones:
            raise ValueError(f"{point} is occupied")
        return Position(self.size, {**self._stones, point: colour})

    def removed(self, points: Iterable[Point]) -> Position:
        """This position without the stones on ``points``."""
        gone = set(points)
        return Position(self.size, {p: c for p, c in self._stones.items() if p not in gone})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.size == other.size and self._stones == other._stones

    def __hash__(self) -> int:
        return hash((self.size, frozenset(self._stones.items())))

    def __repr__(self) -> str:
        return f"Position.from_rows({self.rows()!r})"
