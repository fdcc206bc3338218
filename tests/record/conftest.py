"""Games to write down."""

from __future__ import annotations

import pytest

from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.record.game_record import GameRecord, Outcome, RecordedMove, RecordedRuling


def moves_of(points: list[str | None], size: int = 15, first: Colour = Colour.BLACK) -> tuple[RecordedMove, ...]:
    """Alternating moves, one every 10.25 s, each thought over for 9 s."""
    return tuple(
        RecordedMove(
            number=i + 1,
            point=Point.parse(text, size) if text else None,
            colour=first if i % 2 == 0 else first.other,
            t_ms=10_250 * (i + 1),
            thinking_ms=9_000,
        )
        for i, text in enumerate(points)
    )


@pytest.fixture
def short_game() -> GameRecord:
    """Seven moves, two rulings, Black wins."""
    return GameRecord(
        board_size=15,
        ruleset="competition-five-two",
        title="Final",
        event="城市杯",
        place="北京",
        date="2026-11-29",
        black="王小明",
        white="A. Smith",
        moves=moves_of(["H8", "H9", "I9", "G7", "J10", "K11", "A1"]),
        offered=(Point.parse("G6"),),
        rulings=(
            RecordedRuling(
                code="press_before_placing",
                rule="P8",
                certainty="certain",
                seat=Seat.FIRST,
                points=(Point.parse("I9"),),
                t_ms=31_000,
                text="先按钟后落子",
            ),
            RecordedRuling(code="board_moved", rule="E1", certainty="certain", t_ms=31_500, text="shifted [0.4] cells"),
        ),
        result=Outcome.BLACK,
        reason="resignation",
    )


@pytest.fixture
def from_midgame() -> GameRecord:
    """A game that starts with four stones, White to move, with a pass."""
    start = Position(13, {Point.parse(p, 13): Colour(c) for p, c in zip(["G7", "G8", "H7", "A1"], "BWBW", strict=True)})
    return GameRecord(
        board_size=13,
        ruleset="freestyle",
        start=start,
        to_move=Colour.WHITE,
        moves=moves_of(["M13", None, "B2"], 13, Colour.WHITE),
    )
