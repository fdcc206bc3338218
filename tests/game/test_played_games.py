"""Whole games: every ply of the recorded ones, and how they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.game.points import Colour, Point
from appliance.game.position import Position
from appliance.game.shapes import Verdict, five_points, judge, overline, winning_line
from tests.game.boards import json_lines

if TYPE_CHECKING:
    from pathlib import Path


def test_games_are_legal_and_end_as_recorded(shared: Path) -> None:
    games = json_lines(shared / "games/renju_games.jsonl")
    assert len(games) == 597
    for game in games:
        position = Position(15)
        events = []
        for ply, text in enumerate(game["moves"], start=1):
            point = Point.parse(text)
            colour = Colour.BLACK if ply % 2 else Colour.WHITE
            exact = colour is Colour.BLACK
            wins = point in five_points(position, colour, exact=exact)
            if colour is Colour.BLACK:
                expected = Verdict.FIVE if wins else Verdict.LEGAL
                assert judge(position, point) is expected, (game["source"], ply)
            position = position.placed(point, colour)
            row = winning_line(position, point, exact=exact)
            assert bool(row) == wins
            if row:
                events.append([ply, colour.value, "overline" if overline(position, point) else "five"])
        assert events == game["oracle_events"], game["source"]
        assert game["result"] == (events[0][1] if events else "D")
        assert game["plies"] == len(game["moves"]) == (events[0][0] if events else game["plies"])
