"""The record itself."""

from __future__ import annotations

import pytest

from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.record.game_record import GameRecord, RecordedMove, clock_text, milliseconds, points_and_repeats


@pytest.mark.parametrize(
    ("t_ms", "text"),
    [
        (0, "0:00.000"),
        (99, "0:00.099"),
        (59_999, "0:59.999"),
        (60_000, "1:00.000"),
        (3_599_950, "59:59.950"),
        (3_600_000, "1:00:00.000"),
        (36_061_234, "10:01:01.234"),
    ],
)
def test_clock_text(t_ms: int, text: str) -> None:
    assert clock_text(t_ms) == text


@pytest.mark.parametrize(("t_ns", "t_ms"), [(0, 0), (499_999, 0), (500_000, 1), (7_514_999_999, 7515)])
def test_nanoseconds_are_rounded_not_cut(t_ns: int, t_ms: int) -> None:
    assert milliseconds(t_ns) == t_ms


def test_points_and_repeats() -> None:
    start = Position(15, {Point(0, 0): Colour.BLACK})
    points = [Point(1, 1), None, Point(0, 0), Point(1, 1)]
    moves = tuple(RecordedMove(number=i, point=p, colour=Colour.WHITE) for i, p in enumerate(points, 1))
    drawn, repeats = points_and_repeats(GameRecord(board_size=15, ruleset="renju", start=start, moves=moves))
    assert drawn == {Point(1, 1): moves[0]}
    assert repeats == [moves[2], moves[3]]


def test_colours_of_seats() -> None:
    record = GameRecord(board_size=15, ruleset="renju", black_seat=Seat.SECOND)
    assert record.colour_of(Seat.SECOND) is Colour.BLACK
    assert record.colour_of(Seat.FIRST) is Colour.WHITE


def test_what_does_not_fit_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="the start position has 15 lines, the record 13: make them one size"):
        GameRecord(board_size=13, ruleset="renju", start=Position(15, {Point(0, 0): Colour.BLACK}))
    with pytest.raises(ValueError, match="O15 is not on a 13 x 13 board"):
        GameRecord(
            board_size=13, ruleset="renju", moves=(RecordedMove(number=1, point=Point(14, 14), colour=Colour.BLACK),)
        )
