"""The referee's judgement: facts in, rulings out.

Facts become known late and out of order: a hand may hide a stone until after the press. So the game is told anew, from
the last time that the whole board was seen, whenever a fact comes: all facts since then are put in the order of their
instants, and where the camera leaves that open, in the order in which nobody did wrong. No ruling is made of it before
the whole board has been seen, since a stone still hidden may tell another story.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from itertools import count, islice
from typing import TYPE_CHECKING

from appliance.arbiter.articles import article
from appliance.arbiter.consequences import FORBIDDEN_CODES
from appliance.arbiter.ordering import Fact, may_be_next, precedes
from appliance.arbiter.protocol import Protocol
from appliance.arbiter.rulings import Audience, Certainty, Ruling
from appliance.arbiter.state import Finding, Move, State, after, choices, closed, shares_hand, strangeness
from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from clock.turns import TurnTimer
from vision.acts import BoardAct, Hand, Placed, Relocated, Removed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from appliance.arbiter.facts import Press
    from appliance.game.ruleset import Ruleset

FRAME_ERROR_NS = 1_000_000
"""How far a frame's instant may be off where nothing better is known: recordings keep whole milliseconds."""

GAP_NS = 1_500_000_000
"""How long no frame must come before a stone may have come and gone unseen."""

MOST_TELLINGS = 64
"""How many ways to tell the same facts are weighed at most."""

_NOTICES = frozenset(
    {
        "board_moved",
        "board_scattered",
        "camera_covered",
        "laid_unseen",
        "pressed_without_move",
        "stone_beside_point",
        "stone_removed",
    }
)
_TOLD_AT_ONCE = frozenset({"board_moved", "board_scattered", "camera_covered", "stone_displaced", "stone_removed"})
"""What accuses nobody and needs no other stone to be true; all else waits until the whole board has been seen."""


class Arbiter:
    """One game, from the first fact to the last. Facts come in the order in which they become known."""

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        size: int = 15,
        start: Position | None = None,
        to_move: Colour = Colour.BLACK,
        start_ns: int = 0,
        frame_error_ns: int = FRAME_ERROR_NS,
    ) -> None:
        protocol = (
            Protocol.resumed(ruleset.opening, to_move, len(start.stones)) if start else Protocol.start(ruleset.opening)
        )
        self._settled = State(
            ruleset=ruleset,
            frame_error_ns=frame_error_ns,
            from_start=start is None,
            protocol=protocol,
            running=protocol.seat,
            start=start or Position(size),
            position=start or Position(size),
            turn=TurnTimer(since_ns=start_ns),
        )
        self._state = self._settled
        self._frame_ns: int | None = None
        self._unsettled: list[Fact] = []
        self._sure = True
        self._made: dict[Finding, Ruling] = {}
        self._count = 0

    @property
    def ruleset(self) -> Ruleset:
        """The rules that are enforced."""
        return self._state.ruleset

    @property
    def size(self) -> int:
        """Lines of the board."""
        return self._state.position.size

    @property
    def position(self) -> Position:
        """What stands on the board."""
        return self._state.position

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the game, in order."""
        return self._state.moves

    @property
    def protocol(self) -> Protocol:
        """The state of the order of play."""
        return self._state.protocol

    @property
    def running(self) -> Seat:
        """Whose clock runs."""
        return self._state.running

    @property
    def result(self) -> Colour | None:
        """The winner, where no claim is needed for it."""
        return self._state.result

    @property
    def drawn(self) -> bool:
        """Whether the game ended drawn."""
        return self._state.drawn

    @property
    def differing(self) -> tuple[Point, ...]:
        """Out of step: the points that do not show what the record, or the position before a scatter, has there."""
        wanted, shown = self._state.scattered or self._state.recorded, self._state.position
        points = {*wanted.stones, *shown.stones}
        return tuple(sorted(point for point in points if wanted.at(point) is not shown.at(point)))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._state.over

    @property
    def rulings(self) -> list[Ruling]:
        """The rulings that stand, in the order in which they were made."""
        return list(self._made.values())

    def press(self, press: Press) -> list[Ruling]:
        """A clock button went down. A press by the side whose clock does not run changes nothing on the clock."""
        last_of_all = all(precedes(fact, press, self._state.frame_error_ns) for fact in self._unsettled)
        self._unsettled.append(press)
        if last_of_all and self._sure:
            self._state = after(self._state, press)
        else:
            self._tell()
        return self._release(press.t_ns)

    def see(self, acts: Sequence[BoardAct], *, whole_board: bool = True, now_ns: int = 0) -> list[Ruling]:
        """What happened on the board, as one observation, of the instant ``now_ns``, made it certain.

        ``whole_board``: in it every point could be seen, and nothing that it showed is left untold.
        """
        self._note_gap(now_ns)
        self._unsettled += acts
        if acts:
            self._tell()
        elif not (whole_board and self._unsettled):
            return []
        if whole_board and self._sure:
            findings = tuple(replace(finding, settled=True) for finding in self._state.findings)
            self._state = replace(self._state, findings=findings)
            self._settled, self._unsettled = self._state, []
        return self._release(max((act.seen_ns for act in acts), default=now_ns))

    def _note_gap(self, now_ns: int) -> None:
        if self._frame_ns is not None and now_ns - self._frame_ns > GAP_NS:
            gaps = (*self._state.gaps, (self._frame_ns, now_ns))
            self._settled, self._state = replace(self._settled, gaps=gaps), replace(self._state, gaps=gaps)
        self._frame_ns = max(now_ns, self._frame_ns or 0)

    def finish(self, t_ns: int) -> list[Ruling]:
        """No more facts come: what waited for one is ruled as it stands."""
        self._tell()
        self._state = closed(self._state)
        return self._release(t_ns, finishing=True)

    def _tell(self) -> None:
        """Tell the game anew from where it was settled, in the way that leaves least out of order."""
        facts = _by_one_hand(_without_doubles(self._unsettled))
        told = list(islice(_told(self._settled, facts), MOST_TELLINGS))
        self._state = min(told, key=strangeness)
        best = strangeness(self._state)
        self._sure = all(one.protocol == self._state.protocol for one in told if strangeness(one) == best)

    def _release(self, now_ns: int, *, finishing: bool = False) -> list[Ruling]:
        """Make rulings of the findings that may be told; returns those that were not made before."""
        found: dict[Finding, Finding] = {}
        for finding in self._state.findings:
            if finding.settled or finding.code in _TOLD_AT_ONCE or finishing:
                found[replace(finding, settled=False, certainty=Certainty.CERTAIN)] = finding
        standing = {
            key: self._ruling(found[key], before.seen_ns, before.number)
            for key, before in self._made.items()
            if key in found
        }
        new: list[Ruling] = []
        for key, finding in found.items():
            if key not in standing:
                self._count += 1
                standing[key] = self._ruling(finding, now_ns, self._count)
                new.append(standing[key])
        self._made = standing
        return new

    def _ruling(self, finding: Finding, seen_ns: int, number: int) -> Ruling:
        ruleset = self.ruleset
        act = ruleset.acts.get(finding.code)
        sure = finding.settled or finding.code in _TOLD_AT_ONCE
        silent = act is not None or finding.code in _NOTICES or self._waits_for_claim(finding.code)
        certainty = finding.certainty if sure else Certainty.COULD_NOT_SEE
        if certainty is Certainty.COULD_NOT_SEE:
            # Nothing follows from what could not be seen, unless the referee decides so.
            act = None
        return Ruling(
            number=number,
            code=finding.code,
            article=article(finding.code, ruleset.cited_text),
            certainty=certainty,
            seat=finding.seat,
            points=finding.points,
            t_ns=finding.t_ns,
            seen_ns=max(seen_ns, finding.t_ns),
            bracket=finding.bracket,
            press_ns=finding.press_ns,
            remedies=act.remedies if act else (),
            penalty=act.penalty if act else None,
            audience=Audience.REFEREE if silent else Audience.EVERYBODY,
        )

    def _waits_for_claim(self, code: str) -> bool:
        if code == "five":
            return self.ruleset.claims.five
        return code in FORBIDDEN_CODES and self.ruleset.claims.forbidden


def _told(state: State, facts: list[Fact]) -> Iterator[State]:
    """The ways to tell ``facts`` from ``state`` on, the likelier first: what is least strange so far is told on."""
    serial = count()
    begun = [(0, 0, next(serial), state, facts)]
    while begun:
        *_, state, facts = heappop(begun)
        left = list(facts)
        while left:
            chosen = choices(state, may_be_next(left, state.frame_error_ns))
            if len(chosen) > 1:
                for fact in chosen:
                    told = after(state, fact)
                    others = [other for other in left if other is not fact]
                    heappush(begun, (strangeness(told), len(others), next(serial), told, others))
                break
            left.remove(chosen[0])
            state = after(state, chosen[0])
        else:
            yield state


def _without_doubles(facts: Sequence[Fact]) -> list[Fact]:
    """``facts`` without the leavings that a relocation tells as well."""
    moved = {(fact.origin, fact.left) for fact in facts if isinstance(fact, Relocated)}
    return [fact for fact in facts if not (isinstance(fact, Removed) and (fact.at, fact.bracket) in moved)]


def _by_one_hand(facts: Sequence[Fact]) -> list[Fact]:
    """``facts``, in which no hand is said to have brought two stones that were hidden at one time.

    One of them may be a blot that came meanwhile; not so if one hand hid both and let both be seen in the same frames.
    """
    brackets = [fact.bracket for fact in facts if isinstance(fact, Placed)]
    return [
        replace(fact, hand=Hand.NEAR)
        if isinstance(fact, Placed) and fact.hand is Hand.OVER and shares_hand(fact.bracket, brackets)
        else fact
        for fact in facts
    ]
