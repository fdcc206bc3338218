"""Random games in which nobody does anything wrong, as a camera may see them: late, and with wide brackets.

A bracket always contains the instant of its act, a press always comes truly after the turn's acts, and the whole board
counts as seen only when nothing that happened is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.facts import Press
from appliance.arbiter.rulings import Ruling
from appliance.game.points import Colour, Point, Seat, tengen
from vision.acts import BoardAct, Bracket, Placed, Removed
from vision.observation import Content, Intersection

MS = 1_000_000
FAR_APART = [Point(file, rank) for file in range(1, 15, 2) for rank in range(1, 15, 2) if (file, rank) != (7, 7)]
"""No two of these are neighbours: no fives, threes or fours come about."""


@dataclass(frozen=True, kw_only=True)
class Done:
    """A stone laid, or taken away, at ``t``; the camera knows of it at ``seen``. Milliseconds."""

    point: Point
    colour: Colour
    t: int
    after: int
    by: int
    seen: int
    away: bool = False

    def act(self) -> BoardAct:
        """As the camera tells it."""
        at, content = Intersection(14 - self.point.rank, self.point.file), Content(self.colour.value)
        bracket = Bracket(after_ns=self.after * MS, by_ns=self.by * MS, after_frame=self.after, by_frame=self.by)
        if self.away:
            return Removed(at=at, content=content, bracket=bracket, seen_ns=self.seen * MS)
        return Placed(at=at, content=content, bracket=bracket, seen_ns=self.seen * MS)


@dataclass(frozen=True, kw_only=True)
class Pressed:
    """A press stamped ``t`` milliseconds, give or take ``error``."""

    seat: Seat
    t: int
    error: int


@dataclass(frozen=True, kw_only=True)
class Look:
    """An observation: what it made certain, and whether it showed all that has happened."""

    t: int
    done: tuple[Done, ...]
    whole: bool


@dataclass(frozen=True, kw_only=True)
class HonestGame:
    """What happened, and the facts in the order in which they become known."""

    done: tuple[Done, ...]
    facts: tuple[Pressed | Look, ...]
    presses: int

    @property
    def moves(self) -> list[tuple[Colour, Point]]:
        """The record: stones that were not taken away."""
        gone = {d.point for d in self.done if d.away}
        return [(d.colour, d.point) for d in self.done if d.point not in gone]

    def tell(self, arbiter: Arbiter) -> Iterator[Ruling]:
        """Put all facts to an arbiter; its rulings."""
        t = 0
        for fact in self.facts:
            t = fact.t
            match fact:
                case Pressed():
                    yield from arbiter.press(Press(seat=fact.seat, t_ns=t * MS, error_ns=fact.error * MS))
                case Look():
                    yield from arbiter.see([d.act() for d in fact.done], whole_board=fact.whole)
        yield from arbiter.finish((t + 1) * MS)


Turn = tuple[Seat, Sequence[tuple[Colour, Point, bool]]]
"""Who plays, and what: colour, point, whether it is taken away."""


@st.composite
def alternating(draw: st.DrawFn) -> list[Turn]:
    """One stone a turn, Black's first on tengen."""
    points = [tengen(15), *draw(st.lists(st.sampled_from(FAR_APART), min_size=2, max_size=9, unique=True))]
    sides = ((Seat.FIRST, Colour.BLACK), (Seat.SECOND, Colour.WHITE))
    return [(sides[n % 2][0], [(sides[n % 2][1], point, False)]) for n, point in enumerate(points)]


@st.composite
def designated(draw: st.DrawFn) -> list[Turn]:
    """The opening, the swap or not, the points of move 5 and the choice among them, and some moves more."""
    black, white = Colour.BLACK, Colour.WHITE
    points = draw(st.lists(st.sampled_from(FAR_APART), min_size=6, max_size=9, unique=True))
    turns: list[Turn] = [
        (Seat.FIRST, [(black, Point(7, 7), False), (white, Point(7, 8), False), (black, Point(7, 9), False)])
    ]
    swapped = draw(st.booleans())
    if swapped:
        turns.append((Seat.SECOND, []))
    whites, blacks = (Seat.FIRST, Seat.SECOND) if swapped else (Seat.SECOND, Seat.FIRST)
    turns.append((whites, [(white, points.pop(), False)]))
    offered = [points.pop(), points.pop()]
    turns.append((blacks, [(black, point, False) for point in offered]))
    taken = draw(st.sampled_from(offered))
    turns.append((whites, [(black, taken, True), (white, points.pop(), False)]))
    for n, point in enumerate(points):
        turns.append((blacks, [(black, point, False)]) if n % 2 == 0 else (whites, [(white, point, False)]))
    return turns


@st.composite
def as_seen(
    draw: st.DrawFn, turns: st.SearchStrategy[list[Turn]], *, clock: bool = True, most_late: int = 40_000
) -> HonestGame:
    """A game as a camera may see it. ``most_late``: milliseconds until an act is known, at most."""
    late = st.sampled_from([0, min(100, most_late)]) | st.integers(0, most_late // 2)
    done: list[Done] = []
    pressed: list[Pressed] = []
    t, press_t = 0, 0
    for seat, acts in draw(turns):
        for colour, point, away in acts:
            t = max(t + 10, press_t + 60) + draw(st.integers(0, 5_000))
            by = t + draw(late)
            seen = by + draw(late)
            after = t - 1 - draw(st.sampled_from([0, 200]) | st.integers(0, 10_000))
            done.append(Done(point=point, colour=colour, t=t, after=after, by=by, seen=seen, away=away))
        error = draw(st.integers(0, 20))
        press_t = max(t, press_t) + draw(st.integers(50, 1_000))
        t = press_t
        pressed.append(Pressed(seat=seat, t=press_t + draw(st.integers(-error, error)), error=error))
    return _told(done, pressed if clock else [], draw(st.lists(st.integers(0, 60_000), max_size=5)))


def _told(done: list[Done], pressed: list[Pressed], looks_at: list[int]) -> HonestGame:
    done = [_after_its_coming(d, done) if d.away else d for d in done]
    instants = sorted({d.seen for d in done} | set(looks_at))
    whole = [t for t in instants if all(d.seen <= t for d in done if d.t <= t)]
    # A look that showed everything showed each point as it then was.
    done = [replace(d, after=max([d.after, *(t for t in whole if t < d.t)])) for d in done]
    looks = [
        Look(
            t=t,
            done=tuple(sorted((d for d in done if d.seen == t), key=lambda d: (not d.away, d.by, d.after))),
            whole=t in whole,
        )
        for t in instants
    ]
    facts: list[Pressed | Look] = sorted([*pressed, *looks], key=lambda fact: (fact.t, isinstance(fact, Look)))
    return HonestGame(done=tuple(done), facts=tuple(facts), presses=len(pressed))


def _after_its_coming(gone: Done, done: list[Done]) -> Done:
    """A stone cannot be seen to go before it was seen to come."""
    came = next(d for d in done if d.point == gone.point and not d.away)
    return replace(
        gone,
        after=max(gone.after, came.t),
        by=max(gone.by, came.seen + 1),
        seen=max(gone.seen, came.seen + 2),
    )
