"""Follower and arbiter together: games in which nobody does anything wrong, under cover and with misread points."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.arbiter.facts import Press
from appliance.game.points import Colour, Point, Seat
from appliance.game.ruleset import load_ruleset
from appliance.referee import Referee
from tests.arbiter.table import accusations, facts
from tests.vision.films import SIZE, Film, film
from tests.vision.streams import MS, observation, rows
from vision.observation import Observation


def referee(size: int) -> Referee:
    """With a camera straight above, whose frames are never used."""
    corners = np.array([(100, 100), (500, 100), (500, 500), (100, 500)], np.float64)
    return Referee(load_ruleset("freestyle"), corners, (600, 600), size=size)


def watch(judge: Referee, shown: Observation) -> None:
    judge.rule(judge.eyes.follow(shown), shown.instant_ns)


def test_a_stone_uncovered_when_the_next_becomes_certain() -> None:
    """An arm hides White's stone until Black's is certain: the board is in sight, White's stone not yet known."""
    judge = referee(7)
    arm = "A1 B1 C1"
    shows = [
        (0, rows()),
        (100, rows("D4")),
        (200, rows("D4")),
        (400, rows("D4", hidden=arm)),  # White lays A1 and presses
        (500, rows("D4", hidden=arm)),
        (700, rows("D4 F6", hidden=arm)),
        (800, rows("D4 F6", "A1")),
        (900, rows("D4 F6", "A1")),
        (1100, rows("D4 F6", "A1 G2")),
        (1200, rows("D4 F6", "A1 G2")),
        (1400, rows("D4 F6", "A1 G2")),
    ]
    presses = {200: Seat.FIRST, 500: Seat.SECOND, 900: Seat.FIRST, 1200: Seat.SECOND}
    for frame, (t, board) in enumerate(shows):
        watch(judge, observation(frame, t, board))
        if t in presses:
            judge.press(Press(seat=presses[t], t_ns=(t + 50) * MS))
    judge.finish()
    assert facts(accusations(judge.arbiter.rulings)) == []
    assert [f"{m.colour.value}{m.point}" for m in judge.arbiter.moves] == ["BD4", "WA1", "BF6", "WG2"]


def play(shot: Film, random: Random) -> Referee:
    """The game of a film, each stone followed by its player's press before the next stone comes."""
    judge = referee(SIZE)
    # A stone that frame n first could show came after frame n - 1.
    laid = [random.randint(shot.instants[n - 1] + 1, shot.instants[n]) for _, n in shot.laid.values()]
    presses = []
    for n, (now, then) in enumerate(pairwise([*laid, shot.instants[-1] + 10_000])):
        seat = Seat.FIRST if n % 2 == 0 else Seat.SECOND
        presses.append(Press(seat=seat, t_ns=random.randint(now * MS, then * MS - 1)))
    frames = enumerate(zip(shot.instants, shot.boards, strict=True))
    for number, (t, board) in frames:
        while presses and presses[0].t_ns <= t * MS:
            judge.press(presses.pop(0))
        watch(judge, observation(number, t, board))
    final = [
        "".join(next((c.value for at, (c, _) in shot.laid.items() if at == (row, col)), ".") for col in range(SIZE))
        for row in range(SIZE)
    ]
    for n in range(3):
        watch(judge, observation(len(shot.boards) + n, shot.instants[-1] + 200 * (n + 1), final))
    for press in presses:
        judge.press(press)
    judge.finish()
    return judge


def check(seed: int, noise: float) -> None:
    random = Random(seed)
    shot = film(random, noise=noise, spare_new=True)
    judge = play(shot, random)
    assert facts(accusations(judge.arbiter.rulings)) == []
    truth = {Point(at.col, SIZE - 1 - at.row): Colour(content.value) for at, (content, _) in shot.laid.items()}
    assert judge.arbiter.position.stones == truth


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_under_cover(seed: int) -> None:
    check(seed, 0.0)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_with_misread_points(seed: int) -> None:
    """One reading in a hundred, but not of a stone just laid."""
    check(seed, 0.01)
