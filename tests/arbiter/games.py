"""Games for tests of the rules of conduct: moves by name, the seats as a protocol would tell them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.arbiter.conduct import after
from appliance.arbiter.ledger import Ledger
from appliance.arbiter.occurrences import Moved, Passed
from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.game.ruleset import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterable

    from appliance.arbiter.occurrences import Occurrence
    from appliance.arbiter.outcomes import Outcome
    from appliance.game.ruleset import Ruleset

FIRST, SECOND = Seat.FIRST, Seat.SECOND
BLACK, WHITE = Colour.BLACK, Colour.WHITE
RULESETS = {"A": "competition-five-two", "B": "competition", "C": "school"}


class Game:
    """One game: Black at the first seat, who lays all of a designated opening; occurrences one by one."""

    def __init__(self, ruleset: str | Ruleset, *, size: int = 15) -> None:
        rules = load_ruleset(RULESETS.get(ruleset, ruleset)) if isinstance(ruleset, str) else ruleset
        self.ledger = Ledger(ruleset=rules)
        self.position = Position(size)
        self.black = FIRST
        self._opening = 3 if rules.act("opening_outside_26") else 0  # laid by the first player in one turn (O2)
        self.outcomes: list[Outcome] = []
        self.t_ns = 0

    def happens(self, occurrence: Occurrence) -> list[Outcome]:
        """What follows from ``occurrence``, its instant set to the next one."""
        self.t_ns += 1
        self.ledger, outcomes = after(self.ledger, replace(occurrence, t_ns=self.t_ns))
        self.outcomes += outcomes
        return list(outcomes)

    def play(self, moves: str | Iterable[str]) -> list[Outcome]:
        """Moves in turn from the colour that is due, ``pass`` among them."""
        outcomes = []
        for name in moves.split() if isinstance(moves, str) else moves:
            number = self.ledger.number + 1
            colour = BLACK if number % 2 else WHITE
            seat = FIRST if number <= self._opening else self.seat_of(colour)
            if name == "pass":
                outcomes += self.happens(Passed(t_ns=0, seat=seat))
            else:
                outcomes += self.lay(name, colour, seat)
        return outcomes

    def lay(self, name: str, colour: Colour, seat: Seat) -> list[Outcome]:
        """One stone."""
        point = Point.parse(name, self.position.size)
        self.position = self.position.placed(point, colour)
        return self.happens(Moved(t_ns=0, seat=seat, colour=colour, point=point, position=self.position))

    def seat_of(self, colour: Colour) -> Seat:
        """Where the player of ``colour`` sits."""
        return self.black if colour is BLACK else self.black.other

    @property
    def result(self) -> str | None:
        """``B``, ``W``, ``D``, ``none`` when both lost, None while the game goes on."""
        end = self.ledger.end
        if end is None:
            return None
        if end.drawn:
            return "D"
        return "none" if end.winner is None else ("B" if end.winner is self.black else "W")


def full_board(size: int = 15) -> Position:
    """A full board without three in a row anywhere: pairs of files, turned by two every rank."""
    return Position(
        size,
        {
            Point(file, rank): BLACK if (file + 2 * rank) % 4 < 2 else WHITE
            for file in range(size)
            for rank in range(size)
        },
    )
