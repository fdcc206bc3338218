"""What the referee's buttons mean as the game stands."""

from __future__ import annotations

import pytest

from appliance.arbiter.decisions import ClaimForbidden, ClaimTime, Confirm
from appliance.game.points import Seat
from appliance.live.referee_buttons import claimed, confirmed
from clock.press import Button
from tests.arbiter.table import placed
from tests.live.test_game import MS, Played, S

FIRST, SECOND = Seat.FIRST, Seat.SECOND


def played(moves: str, *, takes_effect: tuple[str, ...] | None, seconds: int = 10) -> Played:
    """A game in which the players lay and press in turn, every ten seconds."""
    game = Played("20m", takes_effect)
    for n, name in enumerate(moves.split()):
        at = (n + 1) * seconds * 1_000
        game.see((at - 500) * MS, placed(name, "BW"[n % 2], at - 3_000, at - 1_000))
        game.press((FIRST, SECOND)[n % 2], at * MS)
        game.see((at + 200) * MS)
    return game


DOUBLE_THREE = "H8 A1 I8 A15 J10 O15 J11 O1 J8"


def test_confirm_is_the_newest_ruling_that_is_open_and_certain() -> None:
    game = played(DOUBLE_THREE, takes_effect=None)
    (ruling,) = game.game.arbiter.rulings
    assert (ruling.code, ruling.seat) == ("double_three", FIRST)
    assert confirmed(game.game.arbiter) == Confirm(ruling=1)
    game.decide(Confirm(ruling=1), 100 * S)
    with pytest.raises(ValueError, match="there is no ruling to confirm"):
        confirmed(game.game.arbiter)


def test_a_claim_where_there_is_a_referee_calls_him() -> None:
    assert claimed(played(DOUBLE_THREE, takes_effect=None).game.arbiter, Button.CLAIM_SECOND) is None


def test_a_claim_of_a_forbidden_move_is_the_opponents() -> None:
    game = played(DOUBLE_THREE, takes_effect=())
    assert claimed(game.game.arbiter, Button.CLAIM_FIRST) is None
    act = claimed(game.game.arbiter, Button.CLAIM_SECOND)
    assert isinstance(act, ClaimForbidden)
    assert (act.by, str(act.point)) == (SECOND, "J8")
    game.decide(act, 95 * S)
    assert game.game.arbiter.result is not None
    assert game.game.snapshot(96 * S)["result"] == "W"


def test_a_claim_of_time_is_the_opponents() -> None:
    game = Played("10s", ())
    game.pass_to(11 * S)
    assert claimed(game.game.arbiter, Button.CLAIM_FIRST) is None
    assert claimed(game.game.arbiter, Button.CLAIM_SECOND) == ClaimTime()
