"""Forbidden points against the slow oracle; CAIPAN_ORACLE_POSITIONS sets how many positions."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest

from appliance.game.points import Colour, Point
from appliance.game.shapes import FiveEye, Verdict, forbidden_points, judge
from tests.game.boards import disturbed, json_lines, of_lists, scattered, woven
from tests.game.oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from appliance.game.position import Position

POSITIONS = int(os.environ.get("CAIPAN_ORACLE_POSITIONS", "1500"))


def check(position: Position, five_eye: FiveEye) -> None:
    oracle = Oracle(
        position.size,
        position.points(Colour.BLACK),
        position.points(Colour.WHITE),
        five_elsewhere_is_three=five_eye is FiveEye.SEKAI,
    )
    assert forbidden_points(position, five_eye) == oracle.forbidden(), (five_eye, position)


@pytest.mark.parametrize("draw", [scattered, woven])
def test_drawn_positions_agree(draw: Callable[[Random], Position]) -> None:
    random = Random(1)
    for i in range(POSITIONS // 3):
        check(draw(random), FiveEye.SEKAI if i % 4 == 3 else FiveEye.RIF)


def test_disturbed_vectors_agree(shared: Path) -> None:
    random = Random(2)
    vectors = json_lines(shared / "vectors/forbidden.jsonl")
    for i in range(POSITIONS // 3):
        vector = random.choice(vectors)
        position = disturbed(of_lists(vector["black"], vector["white"]), random)
        check(position, FiveEye.SEKAI if i % 4 == 3 else FiveEye.RIF)


def test_judge_agrees_on_every_point() -> None:
    random = Random(3)
    for _ in range(20):
        position = woven(random)
        oracle = Oracle(
            position.size,
            position.points(Colour.BLACK),
            position.points(Colour.WHITE),
            five_elsewhere_is_three=False,
        )
        for file in range(position.size):
            for rank in range(position.size):
                verdict = oracle.verdict((file, rank))
                if verdict != "taken":
                    assert judge(position, Point(file, rank)) is Verdict(verdict), (file, rank, position)
