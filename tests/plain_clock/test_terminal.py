"""Keys as they are read, and letters that a terminal does not know."""

from __future__ import annotations

import pytest

from appliance.plain_clock.keys import Key
from appliance.plain_clock.table import Table
from appliance.plain_clock.terminal import _PLAINLY, keys_of, stamped
from clock.notation import parse
from tests.clock.play import FIRST, SECOND, T0


@pytest.mark.parametrize(
    ("typed", "instants"),
    [("a", [0]), ("al", [0, 0]), (" a", [0, 1]), ("aL +", [0, 0, 1, 1]), ("a l", [0, 1, 2]), ("u\rA", [0, 0, 1])],
)
def test_keys_read_at_once_keep_their_order(typed: str, instants: list[int]) -> None:
    assert [key.at_ns - T0 for key in stamped(keys_of(typed), T0)] == instants


def heard(typed: str) -> Table:
    table = Table(parse("5m"), players_on_keys=True)
    for key in stamped(keys_of(typed), T0):
        table.hear(key)
    return table


def test_a_press_after_the_start_is_one_though_both_were_read_at_once() -> None:
    clock = heard(" a").clock
    assert (clock.running, clock.first.purse.moves_made) == (SECOND, 1)


def test_a_press_before_the_stop_is_one_though_both_were_read_at_once() -> None:
    table = Table(parse("5m"), players_on_keys=True)
    table.hear(Key(key=" ", at_ns=T0 - 1))
    for key in stamped(["a", " ", "l"], T0):
        table.hear(key)
    clock = table.clock
    assert (clock.running, clock.turn, clock.second.purse.moves_made) == (None, SECOND, 0)


def test_both_players_keys_read_at_once_are_one_move() -> None:
    clock = heard(" al").clock
    assert (clock.running, clock.first.purse.moves_made, clock.second.purse.moves_made) == (SECOND, 1, 0)
    assert heard(" la").clock.running is SECOND
    assert heard(" ").clock.running is FIRST


def test_a_terminal_of_few_letters_gets_others() -> None:
    assert "██ ▶ first · 1 … 裁".encode("ascii", _PLAINLY) == b"## > first - 1 ~ ?"
    assert "é·█".encode("latin-1", _PLAINLY) == b"\xe9\xb7#"
