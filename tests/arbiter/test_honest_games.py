"""Whatever the camera sees late or vaguely: who did nothing wrong is never accused with certainty."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.facts import Press
from appliance.game.points import Seat
from appliance.game.ruleset import load_ruleset, ruleset_names
from tests.arbiter.honest_games import HonestGame, alternating, as_seen, designated
from tests.arbiter.table import accusations
from vision.acts import (
    BoardAct,
    BoardMoved,
    Bracket,
    CameraCovered,
    Displaced,
    Dropped,
    Manner,
    Placed,
    Relocated,
    Removed,
    Straightened,
)
from vision.observation import Content, Intersection

SLOW = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def told(game: HonestGame, ruleset: str) -> Arbiter:
    """An arbiter that was told the whole game; nobody may have been accused with certainty."""
    arbiter = Arbiter(load_ruleset(ruleset))
    rulings = [*game.tell(arbiter), *arbiter.rulings]
    # Two points for move 5 on a board so bare may be of one shape; nothing else was done wrong.
    assert [(r.code, r.seat, r.points) for r in accusations(rulings) if r.code != "points_equivalent"] == []
    standing = {point: colour for colour, point in game.moves}
    assert arbiter.position.stones == standing
    return arbiter


@SLOW
@given(as_seen(alternating()))
def test_any_stone_may_be_late(game: HonestGame) -> None:
    told(game, "renju")


@SLOW
@given(as_seen(alternating(), clock=False))
def test_any_stone_may_be_late_without_clock(game: HonestGame) -> None:
    told(game, "renju")


@SLOW
@given(as_seen(designated()))
def test_designated_opening(game: HonestGame) -> None:
    told(game, "competition")


@SLOW
@given(as_seen(alternating(), most_late=0))
def test_seen_at_once(game: HonestGame) -> None:
    """Where nothing is late, nothing is ruled at all, and every move is right with its press."""
    arbiter = told(game, "renju")
    assert arbiter.rulings == []
    assert [(m.colour, m.point) for m in arbiter.moves] == game.moves
    assert all(m.press and m.press.seat is m.seat for m in arbiter.moves)


@SLOW
@given(as_seen(designated(), most_late=0))
def test_designated_opening_seen_at_once(game: HonestGame) -> None:
    arbiter = told(game, "competition")
    assert [r.code for r in arbiter.rulings if r.code != "points_equivalent"] == []
    assert [(m.colour, m.point) for m in arbiter.moves] == game.moves


INTERSECTIONS = st.builds(Intersection, st.integers(5, 8), st.integers(5, 8))
STONES = st.sampled_from([Content.BLACK, Content.WHITE])


@st.composite
def brackets(draw: st.DrawFn) -> Bracket:
    by = draw(st.integers(0, 1000))
    after = draw(st.none() | st.integers(-100, by - 1))
    return Bracket(after_ns=after, by_ns=by, after_frame=None if after is None else 0, by_frame=1)


COMMON = {"bracket": brackets(), "seen_ns": st.integers(0, 1200)}
ACTS: st.SearchStrategy[BoardAct] = st.one_of(
    st.builds(Placed, at=INTERSECTIONS, content=STONES, alone=st.booleans(), **COMMON),
    st.builds(Removed, at=INTERSECTIONS, content=STONES, **COMMON),
    st.builds(
        Relocated,
        origin=INTERSECTIONS,
        at=INTERSECTIONS,
        content=STONES,
        manner=st.sampled_from(Manner),
        left=brackets(),
        alone=st.booleans(),
        **COMMON,
    ),
    st.builds(Dropped, near=INTERSECTIONS, content=STONES, **COMMON),
    st.builds(Displaced, at=INTERSECTIONS, content=STONES, offset=st.just((0.4, 0.1)), **COMMON),
    st.builds(BoardMoved, shift=st.just(0.2), **COMMON),
    st.builds(CameraCovered, **COMMON),
    st.builds(Straightened, points=st.frozensets(INTERSECTIONS, min_size=1, max_size=3), **COMMON),
)
STEPS = st.one_of(
    st.sampled_from(Seat),
    st.tuples(st.lists(ACTS, max_size=3), st.booleans()),
)


@pytest.mark.parametrize("name", sorted(ruleset_names()))
@settings(max_examples=100, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_nothing_raises(name: str, steps: list[Seat | tuple[list[BoardAct], bool]]) -> None:
    """Whatever comes, the arbiter goes on; what it says is complete."""
    arbiter = Arbiter(load_ruleset(name))
    made = []
    for n, step in enumerate(steps):
        if isinstance(step, Seat):
            made += arbiter.press(Press(seat=step, t_ns=n * 40))
        else:
            made += arbiter.see(step[0], whole_board=step[1])
    made += arbiter.finish(2_000)
    # What stands at the end was told once; what was told may have been withdrawn.
    told_of = {(ruling.code, ruling.seat, ruling.points) for ruling in made}
    assert all((ruling.code, ruling.seat, ruling.points) in told_of for ruling in arbiter.rulings)
    assert all(ruling.article.code == ruling.code for ruling in made)
