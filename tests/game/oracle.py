"""The forbidden moves once more, slowly and word by word from rules T1 to T5, to hold the product against."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set

XY = tuple[int, int]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""T1: horizontal, vertical, both diagonals."""


class Oracle:
    """Black stones may come and go; white stones and the size stay."""

    def __init__(self, size: int, black: Set[XY], white: Set[XY], *, five_elsewhere_is_three: bool) -> None:
        self.size = size
        self.black = set(black)
        self.white = set(white)
        self.five_elsewhere_is_three = five_elsewhere_is_three

    def forbidden(self) -> dict[XY, str]:
        """All forbidden points."""
        verdicts = {(x, y): self.verdict((x, y)) for x in range(self.size) for y in range(self.size)}
        return {p: v for p, v in verdicts.items() if v not in ("legal", "five", "taken")}

    def verdict(self, p: XY) -> str:
        """T5 for a black stone on ``p``."""
        if not self.empty(p):
            return "taken"
        self.black.add(p)
        try:
            return self.verdict_of_stone(p)
        finally:
            self.black.remove(p)

    def verdict_of_stone(self, p: XY) -> str:
        lengths = [len(self.run(p, d)) for d in DIRECTIONS]
        if 5 in lengths:
            return "five"
        if max(lengths) > 5:
            return "overline"
        if sum(len(self.fours(p, d)) for d in DIRECTIONS) >= 2:
            return "double_four"
        if sum(self.open_threes(p, d) for d in DIRECTIONS) >= 2:
            return "double_three"
        return "legal"

    def empty(self, p: XY) -> bool:
        on_board = 0 <= p[0] < self.size and 0 <= p[1] < self.size
        return on_board and p not in self.black and p not in self.white

    def run(self, p: XY, d: XY) -> frozenset[XY]:
        """The adjacent black stones through ``p`` on one line (T2)."""
        stones = {p}
        for sign in (1, -1):
            x, y = p[0] + sign * d[0], p[1] + sign * d[1]
            while (x, y) in self.black:
                stones.add((x, y))
                x, y = x + sign * d[0], y + sign * d[1]
        return frozenset(stones)

    def near(self, p: XY, d: XY) -> list[XY]:
        """The empty points of the line that can share a five with ``p``."""
        line = [(p[0] + k * d[0], p[1] + k * d[1]) for k in range(-4, 5)]
        return [q for q in line if self.empty(q)]

    def fours(self, p: XY, d: XY) -> dict[frozenset[XY], int]:
        """T3: the stones of each four that ``p`` is part of, and how many points make a five of it."""
        fours: dict[frozenset[XY], int] = {}
        if self.lonely(p, d, 3):
            return fours
        for q in self.near(p, d):
            self.black.add(q)
            run = self.run(q, d)
            self.black.remove(q)
            if len(run) == 5 and p in run:
                fours[run - {q}] = fours.get(run - {q}, 0) + 1
        return fours

    def open_threes(self, p: XY, d: XY) -> int:
        """T4: how many open threes ``p`` is part of on one line."""
        threes = set()
        if self.lonely(p, d, 2):
            return 0
        for q in self.near(p, d):
            self.black.add(q)
            open_fours = [four for four, points in self.fours(q, d).items() if points == 2 and p in four]
            self.black.remove(q)
            for four in open_fours:
                verdict = self.verdict(q)
                if verdict == "legal" or (verdict == "five" and self.five_elsewhere_is_three):
                    threes.add(four - {q})
        return len(threes)

    def lonely(self, p: XY, d: XY, others: int) -> bool:
        """Fewer than so many other black stones near enough: spares the work, changes nothing."""
        line = [(p[0] + k * d[0], p[1] + k * d[1]) for k in range(-4, 5) if k]
        return sum(q in self.black for q in line) < others
