"""The game in letters."""

from __future__ import annotations

from appliance.game.points import Colour, Point
from appliance.record.diagram import diagram
from appliance.record.game_record import GameRecord, RecordedMove


def test_a_short_game(short_game: GameRecord) -> None:
    lines = diagram(short_game).split("\n")
    assert lines[0] == lines[-1] == "    A   B   C   D   E   F   G   H   I   J   K   L   M   N   O"
    assert lines[1].startswith("15  ·   ·   · ")
    assert lines[1].endswith("  15")
    ranks = {line[:2].strip(): line[3:-3].split() for line in lines[1:-1]}
    assert ranks["9"][7:9] == ["2", "(3)"]
    assert ranks["8"][7] == "(1)"
    assert ranks["7"][6] == "4"
    assert ranks["10"][9] == "(5)"
    assert ranks["11"][10] == "6"
    assert ranks["1"][0] == "(7)"
    assert [ranks["12"][i] for i in (3, 11)] == ["+", "+"]
    assert sum(row.count("·") for row in ranks.values()) == 225 - 7 - 4  # tengen is under move 1


def test_from_midgame_with_a_pass(from_midgame: GameRecord) -> None:
    lines = diagram(from_midgame).split("\n")
    ranks = {line[:2].strip(): line[3:-3].split() for line in lines[1:14]}
    assert ranks["7"][6:8] == ["●", "●"]
    assert ranks["8"][6] == "○"
    assert ranks["1"][0] == "○"
    assert ranks["13"][12] == "1"
    assert ranks["2"][1] == "3"
    assert lines[15:] == ["2 ● pass"]


def test_columns_stay_aligned_and_repeats_are_named() -> None:
    moves = [
        RecordedMove(number=n, point=Point.parse(p), colour=Colour(c))
        for n, p, c in [(9, "H8", "B"), (10, "A15", "W"), (101, "O15", "B"), (102, "H8", "W")]
    ]
    lines = diagram(GameRecord(board_size=15, ruleset="renju", moves=tuple(moves))).split("\n")
    assert len({len(line) for line in lines[1:16]}) == 1
    assert lines[1].startswith("15   10 ")
    assert lines[1].endswith("(101) 15")
    assert lines[0].index("O") == lines[1].rindex("1)")
    assert "(  9)" in lines[8]
    assert lines[17:] == ["102 ○ H8 (taken point)"]
