"""Whose turn it is, and with what: the order of play as a table of phases (O2 to O7).

A state is immutable; what happens on the board or at the clock makes the next one. Only what is in order does: a
stone that is not due changes nothing here (the arbiter rules on it).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from appliance.game.points import Colour, Seat

if TYPE_CHECKING:
    from appliance.game.points import Point
    from appliance.game.ruleset import Opening


class Phase(StrEnum):
    """What is to be done now.

    OPENING: the first seat lays moves 1 to 3. SWAP: the other seat lays white 4, or presses to take Black. OFFER:
    Black lays the points for move 5. CHOOSE: White takes all but one away, then lays white 6. PLAY: one stone a turn.
    """

    OPENING = "opening"
    SWAP = "swap"
    OFFER = "offer"
    CHOOSE = "choose"
    PLAY = "play"


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """A state of the order of play.

    ``laid``: how many moves count. ``swapped``: Black was taken over after move 3. ``offered``: points for move 5 on
    the board.
    """

    opening: Opening
    phase: Phase
    laid: int = 0
    black: Seat = Seat.FIRST
    due: Colour = Colour.BLACK
    swapped: bool = False
    offered: tuple[Point, ...] = field(default=())

    @classmethod
    def start(cls, opening: Opening) -> Protocol:
        """Before the first move."""
        return cls(opening=opening, phase=Phase.OPENING if opening.protocol == "designated" else Phase.PLAY)

    @classmethod
    def resumed(cls, opening: Opening, due: Colour, laid: int) -> Protocol:
        """In mid-game: ``laid`` stones stand, no opening protocol any more."""
        plain = opening.model_copy(update={"protocol": "alternate", "swap_after_three": False, "fifth_points": None})
        return cls(opening=plain, phase=Phase.PLAY, due=due, laid=laid)

    @property
    def seat(self) -> Seat:
        """Who is to act."""
        if self.phase is Phase.OPENING:
            return Seat.FIRST
        return self.seat_of(self.due)

    def seat_of(self, colour: Colour) -> Seat:
        """Where the player of ``colour`` sits now."""
        return self.black if colour is Colour.BLACK else self.black.other

    def seat_to_lay(self, colour: Colour) -> Seat:
        """Whose hand lays a stone of ``colour`` now: in the opening the first seat lays both colours (O2)."""
        return Seat.FIRST if self.phase is Phase.OPENING else self.seat_of(colour)

    def may_lay(self, colour: Colour) -> bool:
        """Whether a stone of ``colour`` is in order now."""
        if self.phase is Phase.CHOOSE:
            return colour is Colour.WHITE and len(self.offered) == 1
        return colour is self.due

    def lay(self, point: Point, colour: Colour) -> Protocol:
        """After a stone that is due. Raises ValueError, changing nothing, when it is not."""
        if not self.may_lay(colour):
            raise ValueError(f"{colour.name.lower()} is not to lay a stone now")
        match self.phase:
            case Phase.OFFER:
                return replace(self, offered=(*self.offered, point))
            case Phase.CHOOSE:
                return replace(self, phase=Phase.PLAY, laid=self.laid + 1, due=Colour.BLACK, offered=())
        after = replace(self, laid=self.laid + 1, due=colour.other)
        if self.phase is Phase.OPENING and after.laid == 3:
            return replace(after, phase=Phase.SWAP if self.opening.swap_after_three else Phase.PLAY)
        if after.laid == 4 and self.opening.fifth_points is not None:
            return replace(after, phase=Phase.OFFER)
        return replace(after, phase=Phase.PLAY) if self.phase is Phase.SWAP else after

    def press(self, seat: Seat, *, has_laid: bool) -> Protocol:
        """After a press by ``seat``, with or without a stone of this turn."""
        if self.swap_is_open() and seat is self.seat and not has_laid:
            # O3: the press without a stone is the swap, once; the other player now lays white 4.
            return replace(self, black=self.black.other, swapped=True)
        if self.phase is Phase.OFFER and self.offered and seat is self.seat:
            return replace(self, phase=Phase.CHOOSE, laid=self.laid + 1, due=Colour.WHITE)
        return self

    def take_away(self, point: Point) -> Protocol:
        """After White took away one of the points offered for move 5 (O5); that White does so ends the offer."""
        left = tuple(p for p in self.offered if p != point)
        if self.phase is Phase.OFFER and left:
            return replace(self, phase=Phase.CHOOSE, laid=self.laid + 1, due=Colour.WHITE, offered=left)
        return replace(self, offered=left)

    def skip(self) -> Protocol:
        """The side to move gave up its turn."""
        return replace(self, due=self.due.other)

    def undone(self, colour: Colour) -> Protocol:
        """After the last stone, of ``colour``, was taken back before its press; a phase that it ended stays ended."""
        return replace(self, due=colour, laid=self.laid - 1)

    def swap_is_open(self) -> bool:
        """Whether a press without a stone would be a swap."""
        return self.phase is Phase.SWAP and not self.swapped
