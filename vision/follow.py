"""From observations to board acts: what happened, where, and in which bracket of time.

No pixels here. A point keeps its last known content while it cannot be seen; a change counts once it has been seen
twice, and is dated by the first sighting.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from math import hypot
from operator import attrgetter
from typing import TYPE_CHECKING

from vision.acts import (
    BoardAct,
    BoardMoved,
    Bracket,
    CameraCovered,
    Displaced,
    Dropped,
    Hand,
    Manner,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)
from vision.observation import NEAREST, ON_POINT, Content, Instant, Intersection, Observation, Stone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

SIGHTINGS = 2
"""How often a change must be seen, in the same place and with nothing else seen there in between."""

BESIDE_HAND_NS = 350_000_000
"""How long a stone must be seen when a hand may be touching it all the while: a fingertip looks like a stone too."""

NUDGED = 0.3
"""Cells by which a stone must have moved from where it first stood to count as displaced."""

MEASURED_WELL = 0.7
"""Least score of a stone whose place is trusted."""

STRAIGHTENED = 0.15
"""Cells by which a stone must have come nearer to its point to count as straightened (0.09 are measurement)."""

BOARD_SHIFT = 0.1
"""Cells by which the board must have moved to be reported."""

CLEARLY_LOOSE = 0.6
"""Least score that a stone beside the points must once have had: what is barely seen may be pattern or shadow."""

HAND_COVERS, LATELY = 3, 64
"""So many points within HAND_REACH must have been hidden for a hand to have been there; in how many frames before."""

HAND_REACH, MOST_COVERED = 2, 4
"""A hand at a stone hides more than four points within two of it; a stone beside the points covers no more."""

COVERED_NS = 2_000_000_000
"""How long the board must not be made out before the camera is said to be covered; an arm passes more quickly."""

SCATTERED, SCATTER_NS = 3, 2_000_000_000
"""So many stones that leave their points within so short a time were scattered, unless they are all of one colour and
none comes to another point: those are taken away after move 5."""

SAME_PLACE = 0.15
"""Cells within which two sightings are of one stone that is being laid or lies."""

LYING_STILL = 0.03
"""Cells within which a stone seems to move that lies still (one held a millimetre above the board is farther off)."""


@dataclass(frozen=True, kw_only=True)
class _Change:
    """A change that has been seen but not often enough.

    ``first``, ``last``: when it was seen. ``down``: since when a stone has lain where it lies: one that was seen with a
    hand at it and then lay a little elsewhere was still held above the board. ``alone``: seen once at least with no
    hand at it. ``hand``: what hid the point before it was first seen. ``fits``: whether it once was as large as a
    stone of this game, or never was measured.
    """

    content: Content
    first: Instant
    down: Instant
    last: Instant
    sightings: int
    stone: Stone | None
    alone: bool
    hand: Hand = Hand.OVER
    fits: bool | None = None

    def again(self, content: Content, stone: Stone | None, now: Instant) -> _Change:
        """This change seen once more, or a new one when something else is seen."""
        moved = 0.0
        if stone is not None and self.stone is not None:
            moved = hypot(stone.dx - self.stone.dx, stone.dy - self.stone.dy)
        if content is not self.content or moved >= SAME_PLACE:
            return replace(_first_sighting(content, stone, now), hand=self.hand)
        held = self.stone is not None and self.stone.hidden_around > 0 and moved > LYING_STILL
        return replace(
            self,
            down=now if held else self.down,
            last=now,
            sightings=self.sightings + 1,
            stone=stone,
            alone=self.alone or _alone(stone),
            fits=_either(self.fits, _fits(stone)),
        )

    @property
    def brought_by(self) -> Hand:
        """The hand that may have brought a stone: none brings what is no stone of this game by its size."""
        return Hand.NONE if self.fits is False else self.hand

    @property
    def certain(self) -> bool:
        """Whether it has been seen often enough, and long enough where a hand may be pretending."""
        return self.sightings >= SIGHTINGS and (self.alone or self.last.ns - self.first.ns >= BESIDE_HAND_NS)


def _first_sighting(content: Content, stone: Stone | None, now: Instant) -> _Change:
    return _Change(
        content=content,
        first=now,
        down=now,
        last=now,
        sightings=1,
        stone=stone,
        alone=_alone(stone),
        fits=_fits(stone),
    )


def _fits(stone: Stone | None) -> bool | None:
    return None if stone is None or stone.radius is None else not stone.odd_size


def _either(before: bool | None, now: bool | None) -> bool | None:
    return now if before is None else before or bool(now)


def _alone(stone: Stone | None) -> bool:
    return stone is None or stone.hidden_around == 0


@dataclass(frozen=True, kw_only=True)
class _Taken:
    """A stone that left its point and may still be in a ``hand``.

    ``seen_empty``: for each frame since, the points that could be seen empty.
    """

    at: Intersection
    content: Content
    bracket: Bracket
    hand: Hand
    seen_empty: tuple[frozenset[Intersection], ...] = ()


@dataclass(frozen=True, kw_only=True)
class _OnTheWay:
    """A stone that was seen by itself, at ``ns``, where none stands yet. ``row``, ``col``: where, in points."""

    ns: int
    content: Content
    row: float
    col: float


@dataclass(frozen=True, kw_only=True)
class _Left:
    """A stone that was found gone from its point at ``ns``; ``before``: what was known to stand on each point."""

    ns: int
    at: Intersection
    bracket: Bracket
    before: dict[Intersection, Content]


@dataclass(frozen=True, kw_only=True)
class _Lying:
    """A stone that lies beside the points, and the bracket in which it came to lie there.

    ``by_itself``: it was once seen clearly, with no hand about: a fingertip on the board looks like a stone too.
    ``seen_ns``: when it was last seen.
    """

    change: _Change
    bracket: Bracket
    seen_ns: int
    by_itself: bool = False


class Follower:
    """Turns the observations of one game, in order, into acts. ``start``: rows of ``.BW``, the position before."""

    def __init__(self, start: Sequence[str]) -> None:
        self._known = {
            Intersection(row, col): Content(letter)
            for row, letters in enumerate(start)
            for col, letter in enumerate(letters)
        }
        self._seen: dict[Intersection, Instant] = {}
        self._changes: dict[Intersection, _Change] = {}
        self._stood: dict[Intersection, Stone] = {}
        self._nudges: dict[Intersection, _Change] = {}
        self._in_place: dict[Intersection, Instant] = {}
        self._straighter: dict[Intersection, _Change] = {}
        self._not_straighter: dict[Intersection, Instant] = {}
        self._loose: dict[Intersection, _Lying] = {}
        self._taken: list[_Taken] = []
        self._on_the_way: deque[_OnTheWay] = deque(maxlen=LATELY)
        self._last: Observation | None = None
        # The points that could not be seen in each of the last frames.
        self._hidden: deque[tuple[int, frozenset[Intersection]]] = deque(maxlen=LATELY)
        # The stones that left lately, and what stood before they were scattered; None while they were not.
        self._left: list[_Left] = []
        self._before_scatter: dict[Intersection, Content] | None = None
        # The last frame that showed the board, the first of those since that do not, and whether that was told.
        self._board_seen: Instant | None = None
        self._blind_since: Instant | None = None
        self._blind_told = False

    @property
    def known(self) -> dict[Intersection, Content]:
        """What stands on each point as far as is known."""
        return dict(self._known)

    @property
    def differing(self) -> frozenset[Intersection]:
        """The points that are not as they were before the board was scattered; none while it is not."""
        before = self._before_scatter
        return frozenset(() if before is None else (at for at in before if self._known[at] is not before[at]))

    @property
    def waiting(self) -> frozenset[Intersection]:
        """Points where something was seen that must be seen again."""
        return frozenset((*self._changes, *self._nudges))

    @property
    def fresh(self) -> frozenset[Intersection]:
        """Those of them where it was seen in the last observation for the first time."""
        last = self._last.frame if self._last else None
        return frozenset(at for at, change in self._changes.items() if change.first.frame == last)

    def follow(self, observation: Observation) -> list[BoardAct]:
        """Take the next observation; returns the acts that it makes certain, in the order of their brackets."""
        now = Instant(ns=observation.instant_ns, frame=observation.frame)
        acts: list[BoardAct] = [*self._covered(observation, now), *self._board_moved(observation, now)]
        if not observation.blind:
            # What hides all of the board is no hand.
            self._hidden.append((now.ns, _hidden(observation)))
        for at, since in observation.unnoticed.items():
            # It looked as before although it was so no longer: those frames did not see it.
            if at in self._seen and self._seen[at].ns > since.ns:
                self._seen[at] = since
        for at, content in self._known.items():
            self._look_at(at, content, observation, now)
        self._watch_ways(observation, now)
        settled = {at: change for at, change in self._changes.items() if change.certain}
        acts += self._settle(settled, observation.loose, now)
        acts += self._nudged(observation, now)
        acts += self._straightened(observation, now)
        acts += self._dropped(observation, now)
        self._watch_taken(observation)
        self._last = observation
        return acts

    def finish(self) -> list[BoardAct]:
        """No more frames come: what the last one showed, with no hand about, counts as seen."""
        if self._last is None or self._last.disturbed:
            return []
        now = Instant(ns=self._last.instant_ns, frame=self._last.frame)
        return self._settle(
            {at: change for at, change in self._changes.items() if change.first == now}, self._last.loose, now
        )

    def _look_at(self, at: Intersection, content: Content, observation: Observation, now: Instant) -> None:
        seen = observation.at(at)
        if seen is Content.UNSEEN:
            return
        if seen is content:
            if self._changes.pop(at, None) is None and at not in observation.loose:
                # One look that contradicts a change may be the misread one: it does not end "before". Nor does one at
                # which a stone lies beside the point.
                self._seen[at] = now
            if content is not Content.EMPTY and at in observation.stones:
                self._stood.setdefault(at, observation.stones[at])
            return
        before, stone = self._changes.get(at), None if seen is Content.EMPTY else observation.stones.get(at)
        if before is None:
            hand = self._hand_at(at, self._after(at))
            self._changes[at] = replace(_first_sighting(seen, stone, now), hand=hand)
        else:
            self._changes[at] = before.again(seen, stone, now)

    def _hand_at(self, at: Intersection, after_ns: int) -> Hand:
        """Where something was that may have been a hand, seen since ``after_ns``: it hides several points at once."""
        near = [
            at in hidden
            for ns, hidden in self._hidden
            if ns > after_ns and sum(_reaches(at, point) for point in hidden) >= HAND_COVERS
        ]
        return Hand.OVER if any(near) else Hand.NEAR if near else Hand.NONE

    def _settle(
        self, settled: dict[Intersection, _Change], loose: Mapping[Intersection, Stone], now: Instant
    ) -> list[BoardAct]:
        """Make changes known: first the stones that left, then those that came, each in the order of its bracket."""
        acts: list[BoardAct] = self._scattered(settled, now)
        in_order = sorted(settled, key=lambda at: (settled[at].first.ns, self._after(at)))
        for at in in_order:
            change = settled[at]
            if self._known[at] is not Content.EMPTY:
                bracket = self._bracket(at, change)
                gone = self._known[at]
                if change.content is not Content.EMPTY:
                    # A stone does not change its colour, and hardly anyone changes a stone: something may lie over it.
                    change = settled[at] = replace(change, hand=_lesser(change.hand, Hand.NEAR))
                self._taken.append(_Taken(at=at, content=gone, bracket=bracket, hand=change.hand))
                acts.append(Removed(at=at, content=gone, hand=change.hand, bracket=bracket, seen_ns=now.ns))
        coming = [(at, settled[at]) for at in in_order if settled[at].content is not Content.EMPTY]
        acts += self._arrivals(coming, loose, now)
        for at, change in settled.items():
            self._known[at] = change.content
            self._seen[at] = now
            self._stood.pop(at, None)
            if change.stone is not None:
                self._stood[at] = change.stone
            del self._changes[at]
        if self._before_scatter is not None and settled and not self.differing:
            self._before_scatter = None
            last = max(settled.values(), key=lambda change: change.first.ns)
            acts.append(Restored(bracket=_since(None, last), seen_ns=now.ns))
        return acts

    def _scattered(self, settled: dict[Intersection, _Change], now: Instant) -> list[BoardAct]:
        """Whether with what is ``settled`` now so many stones have left at once that nobody can have played so.

        It is dated from the first of them, so that what was told of those before is no act of anybody either.
        """
        self._left = [one for one in self._left if now.ns - one.ns <= SCATTER_NS]
        leaving = [at for at in settled if self._known[at] is not Content.EMPTY]
        self._left += [
            _Left(ns=now.ns, at=at, bracket=self._bracket(at, settled[at]), before=dict(self._known)) for at in leaving
        ]
        if self._before_scatter is not None or not leaving or len(self._left) < SCATTERED:
            return []
        colours = {one.before[one.at] for one in self._left}
        came = [change.content for change in settled.values() if change.content in colours]
        if len(colours) == 1 and len(came) < SCATTERED - 1:
            return []
        self._before_scatter = self._left[0].before
        first = min(self._left, key=lambda one: (one.bracket.after_ns or 0, one.bracket.by_ns))
        points = frozenset(one.at for one in self._left)
        return [Scattered(points=points, bracket=first.bracket, seen_ns=now.ns)]

    def _arrivals(
        self,
        arriving: Sequence[tuple[Intersection, _Change]],
        loose: Mapping[Intersection, Stone],
        now: Instant,
    ) -> list[BoardAct]:
        """Stones that came: new ones, or such as left another point and never left the hand, the nearest first."""
        origins = self._origins(arriving, loose)
        brackets = {at: self._bracket(at, change) for at, change in arriving}
        acts: list[BoardAct] = []
        for at, change in arriving:
            self._loose.pop(at, None)
            bracket = brackets[at]
            if any(brackets[other] == bracket and one.content is not change.content for other, one in arriving):
                # One visit hid both, and one player lays one colour: one of them may be a gleam or a blot.
                change = replace(change, hand=_lesser(change.hand, Hand.NEAR))
            taken = origins.get(at)
            if taken is None:
                acts.append(
                    Placed(
                        at=at,
                        content=change.content,
                        alone=change.alone,
                        hand=change.brought_by,
                        beside=change.stone is not None and change.stone.off_centre > ON_POINT,
                        bracket=bracket,
                        seen_ns=now.ns,
                    )
                )
                continue
            acts.append(
                Relocated(
                    origin=taken.at,
                    at=at,
                    content=change.content,
                    manner=_manner(taken, at, self._on_the_way),
                    left=taken.bracket,
                    bracket=bracket,
                    alone=change.alone,
                    hand=_lesser(taken.hand, change.brought_by),
                    seen_ns=now.ns,
                )
            )
        return acts

    def _origins(
        self, arriving: Sequence[tuple[Intersection, _Change]], loose: Mapping[Intersection, Stone]
    ) -> dict[Intersection, _Taken]:
        """Which taken stone each arrival is, if any; takes them off the list.

        One that lies among the ``loose`` beside its point has not gone elsewhere. A stone that comes to a point from
        which one of its colour was taken is that one, put back: that it was another, nobody could see.
        """
        back = {at for at, change in arriving for t in self._taken if (t.at, t.content) == (at, change.content)}
        self._taken = [taken for taken in self._taken if taken.at not in back]
        pairs = sorted(
            (hypot(at.row - taken.at.row, at.col - taken.at.col), at, index)
            for at, change in arriving
            for index, taken in enumerate(self._taken)
            if at not in back
            and taken.content is change.content
            and taken.at != at
            and change.first.ns > (taken.bracket.after_ns or 0)
            and not any(
                stone.content is taken.content and _near(taken.at, near, stone) for near, stone in loose.items()
            )
        )
        origins: dict[Intersection, _Taken] = {}
        used: set[int] = set()
        for _, at, index in pairs:
            if at not in origins and index not in used:
                origins[at] = self._taken[index]
                used.add(index)
        self._taken = [taken for index, taken in enumerate(self._taken) if index not in used]
        return origins

    def _bracket(self, at: Intersection, change: _Change) -> Bracket:
        return _since(self._seen.get(at), change)

    def _after(self, at: Intersection) -> int:
        before = self._seen.get(at)
        return before.ns if before else -1

    def _watch_taken(self, observation: Observation) -> None:
        """Forget stones that a hand carried off the board; note which points show that one is nowhere on it."""
        if not observation.disturbed and not self._changes:
            self._taken.clear()
            self._on_the_way.clear()
        if self._taken:
            empty = frozenset(at for at in self._known if observation.at(at) is Content.EMPTY)
            self._taken = [replace(taken, seen_empty=(*taken.seen_empty, empty)) for taken in self._taken]

    def _watch_ways(self, observation: Observation, now: Instant) -> None:
        """Note stones that lie by themselves where none stands yet: one that is pushed may be on its way there."""
        self._on_the_way += [
            _OnTheWay(ns=now.ns, content=stone.content, row=at.row + stone.dy, col=at.col + stone.dx)
            for at, stone in {**observation.stones, **observation.loose}.items()
            if self._known[at] is Content.EMPTY and stone.score >= CLEARLY_LOOSE and stone.hidden_around == 0
        ]

    def _nudged(self, observation: Observation, now: Instant) -> Iterator[BoardAct]:
        """Stones that still stand on their points but not where they stood."""
        for at, stood in list(self._stood.items()):
            stone = observation.stones.get(at)
            if stone is None or observation.at(at) is not stood.content or stone.score < MEASURED_WELL:
                continue
            if hypot(stone.dx - stood.dx, stone.dy - stood.dy) <= NUDGED or stood.score < MEASURED_WELL:
                self._nudges.pop(at, None)
                self._in_place[at] = now
                continue
            before = self._nudges.get(at)
            change = before.again(stone.content, stone, now) if before else _first_sighting(stone.content, stone, now)
            self._nudges[at] = change
            if change.certain:
                del self._nudges[at]
                self._stood[at] = stone
                before_it = self._in_place.get(at)
                yield Displaced(
                    at=at,
                    content=stone.content,
                    offset=(stone.dx - stood.dx, stone.dy - stood.dy),
                    bracket=_since(before_it, change),
                    seen_ns=now.ns,
                )

    def _straightened(self, observation: Observation, now: Instant) -> Iterator[BoardAct]:
        """Stones that stand nearer to their points than they did, measured with no hand at them."""
        certain: dict[Intersection, _Change] = {}
        for at, stood in list(self._stood.items()):
            stone = observation.stones.get(at)
            if stone is None or observation.at(at) is not stood.content or not (_plain(stone) and _plain(stood)):
                continue
            if stood.off_centre - stone.off_centre < STRAIGHTENED:
                self._straighter.pop(at, None)
                self._not_straighter[at] = now
                continue
            before = self._straighter.get(at)
            change = before.again(stone.content, stone, now) if before else _first_sighting(stone.content, stone, now)
            self._straighter[at] = change
            if change.certain:
                del self._straighter[at]
                self._stood[at] = stone
                certain[at] = change
        if certain:
            before_it = min(
                (self._not_straighter[at] for at in certain if at in self._not_straighter),
                key=attrgetter("ns"),
                default=None,
            )
            last = max(certain.values(), key=lambda change: change.first.ns)
            yield Straightened(points=frozenset(certain), bracket=_since(before_it, last), seen_ns=now.ns)

    def _dropped(self, observation: Observation, now: Instant) -> Iterator[BoardAct]:
        """Stones that lay beside the points and are gone again."""
        for near, lying in list(self._loose.items()):
            if near not in observation.loose and observation.at(near) is Content.EMPTY:
                del self._loose[near]
                if lying.change.certain and lying.by_itself and lying.change.sightings > SIGHTINGS:
                    yield Dropped(
                        near=near,
                        content=lying.change.content,
                        hand=_lesser(lying.change.hand, self._hand_at(near, lying.seen_ns)),
                        bracket=lying.bracket,
                        seen_ns=now.ns,
                    )
        for near, stone in observation.loose.items():
            if self._known[near] is not Content.EMPTY:
                continue
            before = self._loose.get(near)
            if before is None or before.change.content is not stone.content:
                hand = self._hand_at(near, self._after(near))
                change = replace(_first_sighting(stone.content, stone, now), hand=hand)
                before = _Lying(change=change, bracket=self._bracket(near, change), seen_ns=now.ns)
            else:
                again = before.change.again(stone.content, stone, now)
                if again.sightings > 1 or not before.change.certain:
                    # One that surely lay there and now lies elsewhere is being picked up, or pushed.
                    before = replace(before, change=again)
            clearly = stone.score >= CLEARLY_LOOSE and _no_hand_about(near, observation)
            still = before.by_itself and before.change.sightings > 1
            self._loose[near] = replace(before, seen_ns=now.ns, by_itself=still or clearly)

    def _covered(self, observation: Observation, now: Instant) -> Iterator[BoardAct]:
        if not observation.blind:
            self._board_seen, self._blind_since, self._blind_told = now, None, False
            return
        since = self._blind_since = self._blind_since or now
        if not self._blind_told and now.ns - since.ns >= COVERED_NS:
            self._blind_told = True
            seen = self._board_seen
            bracket = Bracket(
                after_ns=seen.ns if seen else None,
                after_frame=seen.frame if seen else None,
                by_ns=since.ns,
                by_frame=since.frame,
            )
            yield CameraCovered(bracket=bracket, seen_ns=now.ns)

    def _board_moved(self, observation: Observation, now: Instant) -> Iterator[BoardAct]:
        if observation.shift > BOARD_SHIFT:
            before = self._last
            yield BoardMoved(
                shift=observation.shift,
                bracket=Bracket(
                    after_ns=before.instant_ns if before else None,
                    after_frame=before.frame if before else None,
                    by_ns=now.ns,
                    by_frame=now.frame,
                ),
                seen_ns=now.ns,
            )


def _lesser(a: Hand, b: Hand) -> Hand:
    """Of two that must both have been there for a stone to be carried, the one that was less there."""
    return max(a, b, key=[*Hand].index)


def _plain(stone: Stone) -> bool:
    """Whether its place is measured well, with no hand at it."""
    return stone.score >= MEASURED_WELL and stone.hidden_around == 0


def _hidden(observation: Observation) -> frozenset[Intersection]:
    """The points that could not be seen, but those that a thing has hidden for long."""
    return frozenset(
        at
        for row, letters in enumerate(observation.rows)
        if Content.UNSEEN in letters
        for col, letter in enumerate(letters)
        if letter == Content.UNSEEN and (at := Intersection(row, col)) not in observation.blocked
    )


def _no_hand_about(near: Intersection, observation: Observation) -> bool:
    """Whether all points around a loose stone could be seen but those that it may cover: it lies between four."""
    around = [at for at in observation.loose if _reaches(near, at)]
    hidden = sum(
        Content(letter) is Content.UNSEEN and _reaches(near, Intersection(row, col))
        for row, letters in enumerate(observation.rows)
        for col, letter in enumerate(letters)
        if (row, col) not in observation.blocked
    )
    return hidden <= MOST_COVERED * len(around)


def _near(origin: Intersection, near: Intersection, stone: Stone) -> bool:
    """Whether a loose stone lies within a cell of ``origin``."""
    return hypot(near.col + stone.dx - origin.col, near.row + stone.dy - origin.row) < 1


def _reaches(near: Intersection, at: Intersection) -> bool:
    return max(abs(at.row - near.row), abs(at.col - near.col)) <= HAND_REACH


def _since(before: Instant | None, change: _Change) -> Bracket:
    return Bracket(
        after_ns=before.ns if before else None,
        after_frame=before.frame if before else None,
        by_ns=change.down.ns,
        by_frame=change.down.frame,
    )


def _manner(taken: _Taken, at: Intersection, on_the_way: Iterable[_OnTheWay]) -> Manner:
    """Slid when it was seen to lie between the points; lifted when one frame showed them and the whole way empty."""
    if any(
        lying.content is taken.content and lying.ns > (taken.bracket.after_ns or 0) and _between(taken.at, at, lying)
        for lying in on_the_way
    ):
        return Manner.SLID
    way = frozenset(_way(taken.at, at))
    return Manner.LIFTED if any(way <= empty for empty in taken.seen_empty) else Manner.UNKNOWN


def _between(origin: Intersection, at: Intersection, lying: _OnTheWay) -> bool:
    """Whether a stone lies on the straight way between two points, and on neither."""
    rows, cols = at.row - origin.row, at.col - origin.col
    row, col = lying.row - origin.row, lying.col - origin.col
    length = hypot(rows, cols)
    along, aside = (row * rows + col * cols) / length, abs(row * cols - col * rows) / length
    return aside < NEAREST < along < length - NEAREST


def _way(origin: Intersection, at: Intersection) -> Iterator[Intersection]:
    """The points within one cell of the straight line between two points."""
    rows, cols = at.row - origin.row, at.col - origin.col
    length = hypot(rows, cols)
    for row in range(min(origin.row, at.row), max(origin.row, at.row) + 1):
        for col in range(min(origin.col, at.col), max(origin.col, at.col) + 1):
            off = abs((row - origin.row) * cols - (col - origin.col) * rows) / length
            if off <= 1:
                yield Intersection(row, col)
