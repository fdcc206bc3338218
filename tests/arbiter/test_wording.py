"""Rulings in words: what was seen is stated, what could not be seen is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.arbiter.articles import codes
from appliance.arbiter.rulings import Certainty, OutOfTurn, Ruling
from appliance.arbiter.wording import in_doubt, in_short, what_was_seen
from appliance.game.points import Point
from tests.arbiter.table import Table, between, dropped


def out_of_turn(table: Table) -> Ruling:
    table.finish()
    (ruling,) = (r for r in table.arbiter.rulings if r.code in ("two_moves", "wrong_stone"))
    return ruling


class TestOutOfTurn:
    """P4 and P17 say the stone's colour and, where the clock tells it, which case it is."""

    def test_a_second_stone_in_one_turn(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("I9", "W", t + 2_000, t + 2_200)
        table.lay("J10", "W", t + 4_000, t + 4_200)
        table.press("second", t + 6_000)
        ruling = out_of_turn(table)
        assert (ruling.code, ruling.out_of_turn) == ("two_moves", OutOfTurn.SECOND_STONE)
        assert what_was_seen(ruling).startswith("a white stone was laid on J10 between ")
        assert what_was_seen(ruling).endswith(", a second stone in one turn")

    def test_the_other_sides_colour(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.press("second", t + 4_000)
        table.see()
        ruling = out_of_turn(table)
        assert (ruling.code, ruling.out_of_turn) == ("wrong_stone", OutOfTurn.OTHER_COLOUR)
        assert in_short(ruling) == "A black stone laid on J10 by the second player, the other side's colour"

    def test_in_the_opponents_time(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.press("first", t + 4_000)
        ruling = out_of_turn(table)
        assert (ruling.seat, ruling.out_of_turn) == ("first", OutOfTurn.OPPONENTS_TIME)
        assert what_was_seen(ruling).endswith(", laid in the opponent's time")

    def test_whose_it_was_is_open(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        ruling = out_of_turn(table)
        assert (ruling.certainty, ruling.out_of_turn) == (Certainty.COULD_NOT_SEE, None)
        assert in_short(ruling) == "Could not see whether the black stone on J10 was laid out of turn, and by whom"

    def test_no_case_is_guessed_without_a_clock(self) -> None:
        table = Table()
        table.play("H8 I9", clock=False)
        table.lay("J10", "W", 30_000, 30_200)
        ruling = out_of_turn(table)
        assert ruling.out_of_turn is None
        assert what_was_seen(ruling).endswith("0:30.200")


def test_a_press_in_doubt() -> None:
    table = Table()
    table.lay("H8", "B", 1_000, 3_000)
    table.press("first", 2_000)
    table.finish()
    (ruling,) = table.arbiter.rulings
    assert in_short(ruling) == "Could not see whether the stone on H8 was down before the press at 0:02.000"


@pytest.mark.parametrize("code", codes())
def test_no_doubt_accuses(code: str) -> None:
    """Of whatever kind, it is asked, and no player is named."""
    table = Table()
    table.see(dropped("H8", "B", 1_000, 1_200))
    table.finish()
    (ruling,) = table.arbiter.rulings
    points = (Point.parse("H8"), Point.parse("I9"))
    doubted = replace(
        ruling, code=code, certainty=Certainty.COULD_NOT_SEE, points=points, bracket=between(1, 2), press_ns=0
    )
    said = in_doubt(doubted)
    assert said.startswith("Could not see whether ")
    of_no_point = {"board_moved", "camera_covered", "board_full", "pressed_without_move", "flag", "late", "power_cut"}
    assert "H8" in said or code in of_no_point
    assert "player" not in said.replace("their player's own time", "")
