"""The record of a refereed game: times of moves that shared a press, and the move that a ruling is about; the sums."""

from __future__ import annotations

import pytest

from appliance.game.points import Colour, Seat
from appliance.record.game_record import GameRecord
from appliance.record.of_arbiter import record_of
from appliance.totals import presses_without_stone, totals
from tests.arbiter.table import MS, Table, placed, relocated, removed


def record(table: Table) -> GameRecord:
    table.finish()
    return record_of(table.arbiter)


def timed(table: Table) -> list[tuple[str, int | None, int | None]]:
    return [(str(move.point), move.t_ms, move.thinking_ms) for move in record(table).moves]


def ruled(table: Table) -> list[tuple[str, int | None]]:
    return [(ruling.code, ruling.move) for ruling in record(table).rulings]


def test_each_move_has_the_time_to_its_press() -> None:
    table = Table()
    table.lay("H8", "B", 1_000, 1_200)
    table.press("first", 2_000)
    table.lay("I9", "W", 4_000, 4_200)
    table.press("second", 5_500)
    assert timed(table) == [("H8", 2_000, 2_000), ("I9", 5_500, 3_500)]


def test_of_two_stones_before_one_press_the_last_has_the_turns_time() -> None:
    table = Table()
    t = table.play("H8")
    table.lay("I9", "W", t + 2_000, t + 2_200)
    table.lay("J10", "W", t + 4_000, t + 4_200)
    table.press("second", t + 6_000)
    assert timed(table)[1:] == [("I9", t + 6_000, None), ("J10", t + 6_000, 6_000)]
    assert sum(used or 0 for _, _, used in timed(table)) == t + 6_000


def test_a_turn_of_several_stones() -> None:
    """O2: one press for the whole designated opening."""
    table = Table("competition")
    for n, (name, colour) in enumerate((("H8", "B"), ("I9", "W"), ("H9", "B"))):
        table.lay(name, colour, 1_000 + 1_000 * n, 1_200 + 1_000 * n)
    table.press("first", 5_000)
    assert timed(table) == [("H8", 5_000, None), ("I9", 5_000, None), ("H9", 5_000, 5_000)]


def test_without_a_clock_no_time_is_told() -> None:
    table = Table()
    table.play("H8 I9", clock=False)
    assert [used for _, _, used in timed(table)] == [None, None]


def test_an_early_press_is_about_its_own_move() -> None:
    table = Table()
    t = table.play("H8")
    table.press("second", t + 2_000)
    table.lay("I9", "W", t + 3_000, t + 3_200)
    table.press("first", t + 9_000)
    table.lay("H9", "B", t + 10_000, t + 10_200)
    assert ruled(table) == [("press_before_placing", 2), ("press_before_placing", 3)]


def test_a_stone_taken_back_is_about_the_turn_in_which_it_lay() -> None:
    """The second player's wrong stone: move 2, though move 1 was the last one complete."""
    table = Table()
    t = table.play("H8")
    table.lay("J10", "B", t + 2_000, t + 2_200)
    table.press("second", t + 3_000)
    table.see(removed("J10", "B", t + 5_000, t + 5_200))
    table.lay("I9", "W", t + 7_000, t + 7_200)
    table.press("second", t + 8_000)
    assert ruled(table) == [("wrong_stone", 2)]


def test_a_stone_brought_to_another_point_is_about_the_move_there() -> None:
    table = Table()
    t = table.play("H8")
    table.see(placed("I9", "W", t + 1_000, t + 1_200))
    table.see(*relocated("I9", "J9", "W", t + 2_000, t + 2_200))
    table.press("second", t + 4_000)
    assert ruled(table) == [("stone_relocated", 2)]


def test_what_befell_the_board_is_about_no_move() -> None:
    table = Table()
    t = table.play("H8 I9 H9")
    table.see(removed("H8", "B", t + 1_000, t + 1_200))
    table.lay("J10", "W", t + 4_000, t + 4_200)
    table.press("second", t + 5_000)
    assert ruled(table) == [("stone_removed", None)]


def test_sums() -> None:
    """Every turn counts for who ended it, the stone on record or not; what was not seen stands against nobody."""
    table = Table()
    table.lay("H8", "B", 1_000, 3_000)
    table.press("first", 2_000)  # which was first could not be seen
    table.lay("G9", "B", 4_000, 4_200)
    table.press("second", 5_000)  # a wrong stone
    table.see(removed("G9", "B", 6_000, 6_200))
    table.lay("I9", "W", 8_000, 8_200)
    table.press("second", 9_500)
    table.finish()
    first, second = totals(table.arbiter)
    assert (first.seat, first.colour, first.moves, first.used_ns, first.flags) == (
        Seat.FIRST,
        Colour.BLACK,
        1,
        2_000 * MS,
        0,
    )
    assert (second.seat, second.colour, second.moves, second.used_ns, second.flags) == (
        Seat.SECOND,
        Colour.WHITE,
        1,
        7_500 * MS,
        1,
    )
    assert [(press.t_ns // MS, used // MS) for press, used in presses_without_stone(table.arbiter).items()] == [
        (5_000, 3_000)
    ]


@pytest.mark.parametrize("moves", ["", "H8 I9"])
def test_no_press_no_sum(moves: str) -> None:
    table = Table()
    table.play(moves, clock=False)
    table.finish()
    assert [one.used_ns for one in totals(table.arbiter)] == [None, None]
    assert presses_without_stone(table.arbiter) == {}
