"""Whose turn it is, and with what: the order of play as the ruleset's turns tell it (O2 to O8).

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
    from appliance.game.ruleset import Opening, Passes, Step


class Phase(StrEnum):
    """What is to be done now.

    OPENING: the stones of a set turn. SWAP: the same, which a press without a stone, once, hands to the other player.
    OFFER: Black lays the points for move 5. CHOOSE: White takes all but one away, then lays white 6. PLAY: one stone a
    turn.
    """

    OPENING = "opening"
    SWAP = "swap"
    OFFER = "offer"
    CHOOSE = "choose"
    PLAY = "play"


class Choice(StrEnum):
    """What is chosen without a stone.

    SWAP: the other colour. STAY: neither that nor anything instead of the turn. INSTEAD: what the ruleset lets the
    player do instead of the turn.
    """

    SWAP = "swap"
    STAY = "stay"
    INSTEAD = "instead"


class PressMeaning(StrEnum):
    """What a press does to the order of play.

    SWAP: it takes the other colour (O3). OFFER: the points for move 5 are all there. STONE: the one stone was the
    move, and nothing comes instead of it. NOTHING: it only switches the clock.
    """

    SWAP = "swap"
    OFFER = "offer"
    STONE = "stone"
    NOTHING = "nothing"


class Kind(StrEnum):
    """A kind of act that is in order."""

    LAY = "lay"
    TAKE_AWAY = "take_away"
    SWAP = "swap"
    CHOOSE = "choose"
    DECLARE = "declare"
    PASS = "pass"
    PRESS = "press"


@dataclass(frozen=True, kw_only=True)
class Possible:
    """One act that is in order now.

    ``within``: the side of the square around tengen that a stone of ``colour`` must lie in, 0: anywhere. ``points``:
    of which one may be taken away. ``most``: how many points may be declared, or be offered in all; None: open.
    """

    kind: Kind
    seat: Seat
    colour: Colour | None = None
    within: int = 0
    points: tuple[Point, ...] = ()
    most: int | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """A state of the order of play.

    ``steps``: the turns of the opening from the present one on. ``laid``: how many moves count. ``done``: stones of
    the present turn. ``settled``: in it nobody may swap any more, or do anything instead. ``offered``: points for move
    5 on the board; ``choosing``: they are all there. ``rest``: what follows if the turn ends with its one stone, where
    more may come instead. ``announced``: how many points Black will offer; ``owing``: who left that out. ``before``:
    the state before the last stone.
    """

    opening: Opening
    steps: tuple[Step, ...]
    laid: int = 0
    black: Seat = Seat.FIRST
    due: Colour = Colour.BLACK
    done: int = 0
    settled: bool = False
    offered: tuple[Point, ...] = ()
    choosing: bool = False
    rest: tuple[Step, ...] | None = None
    announced: int | None = None
    owing: Seat | None = None
    before: Protocol | None = field(default=None, compare=False, repr=False)

    @classmethod
    def start(cls, opening: Opening) -> Protocol:
        """Before the first move."""
        return cls(opening=opening, steps=opening.steps)

    @classmethod
    def resumed(cls, opening: Opening, due: Colour, laid: int) -> Protocol:
        """In mid-game: ``laid`` stones stand, no opening protocol any more."""
        return cls(opening=opening, steps=(), due=due, laid=laid)

    # Who, and what

    @property
    def step(self) -> Step | None:
        """The present turn of the opening; None once moves alternate."""
        return self.steps[0] if self.steps else None

    @property
    def phase(self) -> Phase:
        """What is to be done now."""
        step = self.step
        if step is None:
            return Phase.PLAY
        if step.offer is not None:
            return Phase.CHOOSE if self.choosing else Phase.OFFER
        return Phase.SWAP if step.swap and not self.done else Phase.OPENING

    @property
    def seat(self) -> Seat:
        """Who is to act."""
        step = self.step
        return self.seat_of(self.due if step is None or self.choosing else step.colour)

    def seat_of(self, colour: Colour) -> Seat:
        """Where the player of ``colour`` sits now."""
        return self.black if colour is Colour.BLACK else self.black.other

    def seat_to_lay(self, colour: Colour) -> Seat:
        """Whose hand lays a stone of ``colour`` now: several stones of one turn come from one hand (O2)."""
        step = self.step
        several = step is not None and step.stones is not None and len(step.stones) > 1
        return self.seat if several else self.seat_of(colour)

    @property
    def open_ended(self) -> bool:
        """Whether a press and the next stone mean different things by their order (O3, O5)."""
        return self.phase in (Phase.SWAP, Phase.OFFER) or self.rest is not None

    @property
    def square(self) -> int:
        """The side of the square around tengen that the stone due must lie in; 0: anywhere."""
        step = self.step
        return step.squares[self.done] if step is not None and step.stones is not None else 0

    @property
    def wanted(self) -> int | None:
        """How many points Black is to offer; None: not known, or no points are offered now."""
        offer = self.step.offer if self.step else None
        return self.announced if offer == "announced" else offer

    @property
    def removable(self) -> tuple[Point, ...]:
        """The offered points that may be taken away; the last one left is the move."""
        return self.offered if not self.choosing or len(self.offered) > 1 else ()

    @property
    def declarer(self) -> Seat | None:
        """Who may, or still must, announce how many points will be offered."""
        if self.announced is not None:
            return None
        return self.seat if self.step and self.step.announces is not None else self.owing

    @property
    def breach(self) -> str | None:
        """The act that was left out and is to be made good: an announcement (P3); None when all is in order."""
        return "points_not_announced" if self.owing is not None and self.announced is None else None

    def may_lay(self, colour: Colour) -> bool:
        """Whether a stone of ``colour`` is in order now."""
        if self.choosing:
            return colour is Colour.WHITE and len(self.offered) == 1
        return colour is self.due or (colour is Colour.WHITE and self._one_was_offered())

    def breach_of(self, colour: Colour, seat: Seat | None) -> str:
        """Which act a stone of ``colour`` is that is not due: P17 by the other side, else P4."""
        return "wrong_stone" if seat is self.seat_to_lay(colour).other else "two_moves"

    def swap_is_open(self) -> bool:
        """Whether a press without a stone would be a swap."""
        return self.step is not None and self.step.swap and not (self.settled or self.done or self.offered)

    def press_meaning(self, seat: Seat, *, has_laid: bool) -> PressMeaning:
        """What a press by ``seat`` means, with or without a stone of this turn."""
        if seat is not self.seat or self.choosing:
            return PressMeaning.NOTHING
        if self.swap_is_open():
            return PressMeaning.NOTHING if has_laid else PressMeaning.SWAP
        if self.rest is not None and (self.done or self.offered):
            return PressMeaning.STONE
        return PressMeaning.OFFER if self.offered else PressMeaning.NOTHING

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What may be chosen without a stone."""
        if self.rest is not None:
            return (Choice.STAY, Choice.INSTEAD) if self.done or self.offered else ()
        step = self.step
        instead = step is not None and bool(step.instead) and not self.settled
        swap = self.swap_is_open()
        found = [*([Choice.SWAP] if swap else []), *([Choice.INSTEAD] if instead else [])]
        return (Choice.STAY, *found) if found else ()

    def possible(self, passes: Passes | None = None) -> tuple[Possible, ...]:
        """Everything that is in order now; ``passes``: when a turn may be given up (D7), None: never."""
        acts = [
            Possible(
                kind=Kind.LAY,
                seat=self.seat_to_lay(colour),
                colour=colour,
                within=self.square,
                most=None if self.choosing else self.wanted,
            )
            for colour in Colour
            if self.may_lay(colour)
        ]
        if self.choosing and self.removable:
            acts.append(Possible(kind=Kind.TAKE_AWAY, seat=self.seat, points=self.removable))
        if self.swap_is_open():
            acts.append(Possible(kind=Kind.SWAP, seat=self.seat))
        if self.choices:
            acts.append(Possible(kind=Kind.CHOOSE, seat=self.seat, choices=self.choices))
        if self.declarer is not None:
            acts.append(Possible(kind=Kind.DECLARE, seat=self.declarer, most=self.opening.most_announced))
        if self.press_meaning(self.seat, has_laid=True) is not PressMeaning.NOTHING:
            acts.append(Possible(kind=Kind.PRESS, seat=self.seat))
        if self.step is None and passes is not None and passes.allowed and self.laid + 1 >= passes.from_move:
            acts.append(Possible(kind=Kind.PASS, seat=self.seat))
        return tuple(acts)

    # What happens

    def lay(self, point: Point, colour: Colour) -> Protocol:
        """After a stone that is due. Raises ValueError, changing nothing, when it is not."""
        if not self.may_lay(colour):
            raise ValueError(f"{colour.name.lower()} is not to lay a stone now")
        state = self._stone_alone() if self._one_was_offered() and colour is Colour.WHITE else self
        step = state.step
        if step is not None and step.instead and not state.settled:
            # The first stone is the turn's own and that of what may come instead: what follows tells.
            state = replace(state, steps=step.instead, rest=state.steps[1:], settled=True)
        return replace(state._laid(point, colour), before=self)

    def press(self, seat: Seat, *, has_laid: bool) -> Protocol:
        """After a press by ``seat``, with or without a stone of this turn."""
        match self.press_meaning(seat, has_laid=has_laid):
            case PressMeaning.SWAP:
                return replace(self, black=self.black.other, settled=True)
            case PressMeaning.OFFER:
                return self._offer_made()
            case PressMeaning.STONE:
                return self._stone_alone()
        return self

    def take_away(self, point: Point) -> Protocol:
        """After White took away one of the points offered for move 5 (O5); that White does so ends the offer.

        Raises ValueError, changing nothing, when ``point`` is not to be taken away.
        """
        if point not in self.removable:
            raise ValueError(f"{point} is not offered for move 5")
        state = replace(self, offered=tuple(p for p in self.offered if p != point))
        return state if self.choosing or not state.offered else state._offer_made()

    def choose(self, choice: Choice) -> Protocol:
        """After a choice without a stone. Raises ValueError, changing nothing, when there is none such now."""
        if choice not in self.choices:
            raise ValueError(f"there is no choice {choice.value!r} now")
        match choice:
            case Choice.SWAP:
                return self.press(self.seat, has_laid=False)
            case Choice.STAY:
                return replace(self, settled=True) if self.rest is None else self._stone_alone()
            case Choice.INSTEAD:
                if self.rest is not None:
                    return replace(self, rest=None)
                return replace(self, steps=self.steps[0].instead, settled=True)

    def declare(self, points: int) -> Protocol:
        """After it was announced how many points Black will offer for move 5 (O2).

        Raises ValueError, changing nothing, when that is not to be announced now, or not so many.
        """
        if self.declarer is None:
            raise ValueError("the number of points is not to be announced now")
        most = self.opening.most_announced
        if points < 1 or (most is not None and points > most):
            raise ValueError(f"{points} points cannot be announced: 1 to {most or 'any number'}")
        return replace(self, announced=points)

    def swapped_back(self) -> Protocol:
        """After the press that took the other colour was undone: the choice is open again."""
        return replace(self, black=self.black.other, settled=False)

    def offer_reopened(self) -> Protocol:
        """With the points for move 5 that are offered still Black's to add to and to take back."""
        return replace(self, choosing=False, laid=self.laid - 1, due=Colour.BLACK) if self.choosing else self

    def offer_withdrawn(self, point: Point) -> Protocol:
        """After Black took back one of the points offered."""
        return replace(self, offered=tuple(p for p in self.offered if p != point))

    def skip(self) -> Protocol:
        """The side to move gave up its turn; in the opening what follows that turn is due."""
        step = self.step
        if step is None:
            return replace(self, due=self.due.other)
        after = self.due.other if step.offer is not None else step.last_colour.other
        return self._entered(self.steps[1:], after)

    def undone(self) -> Protocol:
        """After the last stone was taken back before its press. It has declined a swap all the same.

        Raises ValueError when no stone was laid.
        """
        if self.before is None:
            raise ValueError("no stone was laid")
        if self.choosing:
            return replace(self, choosing=False, offered=(), laid=self.laid - 1, due=Colour.BLACK)
        declined = self.before.swap_is_open() and Choice.INSTEAD not in self.before.choices
        return replace(self.before, settled=self.before.settled or declined, announced=self.announced)

    # How turns follow each other

    def _laid(self, point: Point, colour: Colour) -> Protocol:
        step = self.step
        if step is None:
            return replace(self, laid=self.laid + 1, due=colour.other)
        if self.choosing:
            return replace(self, laid=self.laid + 1)._entered(self.steps[1:], colour.other)
        if step.stones is None:
            return replace(self, offered=(*self.offered, point), rest=None if self.offered else self.rest)
        state = replace(self, laid=self.laid + 1, done=self.done + 1, rest=None if self.done else self.rest)
        if state.done == len(step.stones):
            return state._entered(self.steps[1:], colour.other)
        return replace(state, due=Colour(step.stones[state.done]))

    def _one_was_offered(self) -> bool:
        """Whether one stone lies there that may be an offer's first, or the move."""
        return self.rest is not None and len(self.offered) == 1

    def _stone_alone(self) -> Protocol:
        """The turn ended with the one stone that lies there."""
        assert self.rest is not None
        step = self.steps[0]
        return replace(self, laid=self.laid + len(self.offered))._entered(self.rest, step.colour.other)

    def _offer_made(self) -> Protocol:
        return replace(self, choosing=True, laid=self.laid + 1, due=Colour.WHITE, rest=None)

    def _entered(self, steps: tuple[Step, ...], due: Colour) -> Protocol:
        """At the first of ``steps``; where there is none, ``due`` is to play.

        A swap is for the player who did not act last, who has the colour that is due until it is made.
        """
        acted = self.seat
        owes = self.step is not None and self.step.announces is not None
        state = replace(
            self,
            steps=steps,
            due=steps[0].colour if steps else due,
            done=0,
            settled=False,
            offered=(),
            choosing=False,
            rest=None,
            owing=acted if owes else None if self.step is not None and self.step.offer is not None else self.owing,
        )
        if steps and steps[0].swap and state.seat is acted:
            return replace(state, black=state.black.other)
        return state
