"""Presses out of bouncing contacts: none lost, none doubled, each stamped with its first edge."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from clock.debounce import QUIET_NS, STUCK_NS, ButtonEdge, Debouncer, HeldAtStart, Stuck
from clock.press import Button, Press
from tests.clock.bounces import MILLISECOND, Level, as_linux_tells, played

if TYPE_CHECKING:
    from collections.abc import Iterable

PRESS, RELEASE = True, False


def stamps(edges: Iterable[Level], debouncer: Debouncer | None = None) -> list[int]:
    debouncer = debouncer or Debouncer(error_ns=0)
    presses = [debouncer.edge(ButtonEdge(button=Button.FIRST, at_ns=at, pressed=down)) for at, down in edges]
    return [press.at_ns for press in presses if press is not None]


def ms(*edges: tuple[float, bool]) -> list[Level]:
    return [(round(at * MILLISECOND), down) for at, down in edges]


def test_ten_thousand_trains_lose_no_press_and_double_none() -> None:
    random = Random(6)
    game = played(random, 10_000)
    assert len(game.levels) > 100_000  # they do bounce
    assert stamps(game.levels) == game.presses


def test_ten_thousand_trains_as_linux_tells_them() -> None:
    random = Random(7)
    game = played(random, 10_000)
    edges = as_linux_tells(random, game.levels)
    repeated = sum(a[1] == b[1] for a, b in pairwise(edges))
    assert repeated > 1_000  # merged edges are among them
    assert stamps(edges) == game.presses


def test_clean_contacts_lose_nothing_either() -> None:
    game = played(Random(8), 2_000, bouncy=0.0)
    assert stamps(game.levels) == game.presses


@pytest.mark.parametrize(
    ("edges", "presses"),
    [
        pytest.param([(0, PRESS), (5, RELEASE)], [0], id="tap of 5 ms"),
        pytest.param([(0, PRESS), (0.1, RELEASE), (29.9, PRESS), (30, RELEASE)], [0], id="longest gap in a train"),
        pytest.param([(0, PRESS), (50, RELEASE), (120, PRESS), (170, RELEASE)], [0, 120], id="two taps 120 ms apart"),
        pytest.param(
            [(0, PRESS), (50, RELEASE), (50.2, PRESS), (80, RELEASE), (120, PRESS)], [0, 120], id="with longest chatter"
        ),
        pytest.param([(0, PRESS), (1000, RELEASE), (1001, PRESS), (1002, RELEASE)], [0], id="chatter on release"),
        pytest.param([(0, PRESS), (1000, PRESS), (1000.1, RELEASE)], [0], id="chatter told as a second press"),
        pytest.param([(0, PRESS), (500, RELEASE), (520, PRESS), (900, RELEASE)], [0], id="contact lost while held"),
        pytest.param([(0, RELEASE), (0.4, PRESS), (60, RELEASE)], [0], id="first contact told as a release"),
        pytest.param([(0, RELEASE), (1000, PRESS)], [1000], id="a spike long before is no press"),
        pytest.param([(0, PRESS), (10, RELEASE), (44.999, PRESS)], [0], id="not yet at rest"),
        pytest.param([(0, PRESS), (10, RELEASE), (45, PRESS)], [0, 45], id="just at rest"),
    ],
)
def test_trains_by_hand(edges: list[tuple[float, bool]], presses: list[float]) -> None:
    assert stamps(ms(*edges)) == [round(at * MILLISECOND) for at in presses]


def test_noise_does_not_date_a_press_back() -> None:
    noise = [(at * 20 * MILLISECOND, RELEASE) for at in range(50)]
    press_ns = 990 * MILLISECOND
    assert stamps([*noise, (press_ns, PRESS)]) == [press_ns]


def test_buttons_do_not_disturb_each_other() -> None:
    debouncer = Debouncer(error_ns=250)
    edges = [ButtonEdge(button=button, at_ns=5, pressed=True) for button in Button]
    assert [debouncer.edge(edge) for edge in edges] == [
        Press(button=button, at_ns=5, error_ns=250) for button in Button
    ]


def test_held_at_start_is_told_and_counts_only_once_let_go() -> None:
    debouncer = Debouncer(error_ns=0)
    assert debouncer.start([Button.FIRST], 7) == [HeldAtStart(button=Button.FIRST, at_ns=7)]
    assert debouncer.stuck(STUCK_NS * 2) == []  # it has been told
    let_go = ms((100, RELEASE), (101, PRESS), (102, RELEASE))
    assert stamps(let_go, debouncer) == []
    assert stamps(ms((300, PRESS)), debouncer) == [300 * MILLISECOND]


def test_a_stuck_button_is_told_once_and_works_when_free() -> None:
    debouncer = Debouncer(error_ns=0)
    assert stamps([(0, PRESS)], debouncer) == [0]
    assert debouncer.stuck(STUCK_NS - 1) == []
    assert debouncer.stuck(STUCK_NS) == [Stuck(button=Button.FIRST, since_ns=0, at_ns=STUCK_NS)]
    assert debouncer.stuck(STUCK_NS * 5) == []
    free_ns = STUCK_NS * 6
    assert stamps([(free_ns, RELEASE), (free_ns + QUIET_NS, PRESS)], debouncer) == [free_ns + QUIET_NS]
    assert debouncer.stuck(free_ns + QUIET_NS + STUCK_NS)[0].since_ns == free_ns + QUIET_NS


def test_a_button_let_go_is_not_stuck() -> None:
    debouncer = Debouncer(error_ns=0)
    assert stamps(ms((0, PRESS), (50, RELEASE)), debouncer) == [0]
    assert debouncer.stuck(STUCK_NS * 5) == []


def test_a_button_that_never_stops_chattering_is_stuck() -> None:
    debouncer = Debouncer(error_ns=0)
    chatter = [(at * 20 * MILLISECOND, at % 2 == 0) for at in range(501)]  # 10 s
    assert stamps(chatter, debouncer) == [0]
    assert [fact.since_ns for fact in debouncer.stuck(STUCK_NS)] == [0]


def test_an_older_edge_is_refused_and_changes_nothing() -> None:
    debouncer = Debouncer(error_ns=0)
    assert stamps(ms((0, PRESS), (50, RELEASE)), debouncer) == [0]
    with pytest.raises(ValueError, match="comes before"):
        stamps(ms((49, PRESS)), debouncer)
    assert stamps(ms((90, PRESS)), debouncer) == [90 * MILLISECOND]
