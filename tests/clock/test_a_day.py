"""A day of play with random presses for every kind of control, against sums that know only how long each turn took."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from clock.dual import DualClock
from clock.facts import Fact, Resume, Stop
from clock.reading import Face
from clock.seats import Seat
from tests.clock.play import FIRST, MIN, T0, S, press, started

DAY = 24 * 60 * MIN
Turns = list[int]


def once(total_ns: int) -> Callable[[Turns, Turns], int]:
    return lambda mine, _: total_ns - sum(mine)


def with_bonus(total_ns: int, bonus: Callable[[int, int], int]) -> Callable[[Turns, Turns], int]:
    """``bonus``: what the move of a number (from 0) earns that took so long; none under a fallen flag."""

    def left(mine: Turns, _: Turns) -> int:
        rest = total_ns
        for number, took in enumerate(mine):
            rest -= took
            if rest <= 0:
                return 0
            rest += bonus(number, took)
        return rest

    return left


def byo_yomi(main_ns: int, periods: int, period_ns: int) -> Callable[[Turns, Turns], int]:
    def left(mine: Turns, _: Turns) -> int:
        main, kept = main_ns, periods
        for took in mine:
            over = took - main
            main = max(0, -over)
            kept -= max(0, over) // period_ns
        return main or (period_ns if kept > 0 else 0)

    return left


def moves_in_time(main_ns: int, moves: int, time_ns: int, keeps: bool) -> Callable[[Turns, Turns], int]:
    def left(mine: Turns, _: Turns) -> int:
        main, stretch, made = main_ns, time_ns, 0
        for took in mine:
            over = took - main
            main = max(0, -over)
            if main:
                continue
            stretch -= over if over > 0 else 0
            if stretch <= 0:
                return 0
            made += 1
            if made % moves == 0:
                stretch = stretch + time_ns if keeps else time_ns
        return main or stretch

    return left


CONTROLS: dict[str, Callable[[Turns, Turns], int]] = {
    "2h": once(120 * MIN),
    "50m; 1h10m": lambda mine, _: (50 * MIN if sum(mine) < 50 * MIN else 120 * MIN) - sum(mine),
    "20m+20s": with_bonus(20 * MIN, lambda number, took: 20 * S),
    "20m+20s first=none": with_bonus(20 * MIN, lambda number, took: 20 * S if number else 0),
    "20m bronstein 19s": with_bonus(20 * MIN, lambda number, took: min(took, 19 * S)),
    "20m delay 19s": lambda mine, _: 20 * MIN - sum(max(0, took - 19 * S) for took in mine),
    "15m; 9x65s": byo_yomi(15 * MIN, 9, 65 * S),
    "10m; 10/5m": moves_in_time(10 * MIN, 10, 5 * MIN, keeps=True),
    "10m; canadian 10/6m": moves_in_time(10 * MIN, 10, 6 * MIN, keeps=False),
    "hourglass 9m": lambda mine, theirs: 9 * MIN - sum(mine) + sum(theirs),
    "shared 4h": lambda mine, theirs: 240 * MIN - sum(mine) - sum(theirs),
}


class Game:
    """One game with random facts; keeps a list of what each turn took, with nothing but the gaps it waited itself."""

    def __init__(self, control: str, random: Random) -> None:
        self.clock: DualClock = started(control)
        self.turns: dict[Seat, Turns] = {seat: [] for seat in Seat}
        self.now_ns = T0
        self._random = random
        self._mover = FIRST
        self.thinking_ns = 0

    def wait(self, counts: bool = True) -> None:
        # Mostly some seconds, now and then a long think.
        most = 40 * S if self._random.random() < 0.9 else 180 * S
        gap_ns = self._random.randrange(1, most)
        self.now_ns += gap_ns
        self.thinking_ns += gap_ns if counts else 0

    def act(self) -> None:
        chance = self._random.random()
        self.wait()
        if chance < 0.1:
            self._tell(press(self._mover.other, self.now_ns))
        elif chance < 0.15:
            self._tell(Stop(at_ns=self.now_ns, reason="a claim"))
            self.wait(counts=False)
            self._tell(press(self._mover, self.now_ns))
            self.wait(counts=False)
            self._tell(Resume(at_ns=self.now_ns, reason="dismissed"))
        else:
            self._tell(press(self._mover, self.now_ns))
            self.turns[self._mover].append(self.thinking_ns)
            self._mover, self.thinking_ns = self._mover.other, 0

    def faces(self) -> tuple[Face, Face]:
        reading = self.clock.reading(self.now_ns)
        return reading.face(self._mover.other), reading.face(self._mover)

    def _tell(self, fact: Fact) -> None:
        self.clock, _ = self.clock.apply(fact)


@pytest.mark.parametrize("control", CONTROLS)
def test_a_day_of_play_ends_with_the_times_of_an_independent_sum(control: str) -> None:
    left = CONTROLS[control]
    random = Random(control)
    played_ns, games, pressed = 0, 0, 0
    while played_ns < DAY:
        game = Game(control, random)
        flagged = False
        while not flagged and played_ns + game.now_ns - T0 < DAY:
            game.act()
            if game.turns[FIRST] and game.clock.turn is game.clock.running and game.clock.presses[-1].ignored is None:
                moved, waiting = game.faces()
                own, other = game.turns[moved.seat], game.turns[waiting.seat]
                expected_ns = max(0, left(own, other))
                assert (moved.left_ns, moved.flagged) == (expected_ns, expected_ns == 0)
                assert (moved.moves_made, waiting.moves_made) == (len(own), len(other))
                flagged = moved.flagged
        played_ns += game.now_ns - T0
        games += 1
        pressed += len(game.clock.presses)
        times = game.clock.first.purse.used_ns + game.clock.second.purse.used_ns
        assert times == sum(map(sum, game.turns.values())) + (0 if flagged else game.thinking_ns)
    assert played_ns >= DAY
    assert games > 2
    assert pressed > 2500
