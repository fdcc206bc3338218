"""The page: what stands on it, at every size."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from appliance.plain_clock.page import page
from appliance.plain_clock.table import Board, Line
from clock.reading import Face, Reading
from clock.seats import Seat
from tests.clock.play import S

BOARD = Board(
    lines=(Line(since_ns=None, text="MAX7219: gone: plug it in"), Line(since_ns=65 * S, text="first: move 1 in 9.9 s")),
    lines_in_all=2,
    help="a first   l second   space stop",
)


def reading(*, running: Seat | None = Seat.FIRST, flagged: bool = False) -> Reading:
    first = Face(seat=Seat.FIRST, left_ns=754 * S, moves_made=1, periods_left=3, flagged=flagged)
    second = Face(seat=Seat.SECOND, left_ns=27 * S, moves_made=0, periods_left=3, counting=True)
    return Reading(at_ns=100 * S, first=first, second=second, running=running, started=True)


def shown(width: int, height: int, board: Board = BOARD, **changes: bool) -> list[str]:
    return [line.plain for line in page(reading(**changes), board, "caipan clock  15m; 3x30s", width, height).lines]  # type: ignore[arg-type]


def test_the_large_page() -> None:
    text = [line.rstrip() for line in shown(80, 20)]
    assert text[:4] == [
        " caipan clock  15m; 3x30s                                            first runs",
        "",
        "                ▶ first                                   second",
        "",
    ]
    assert text[10] == "           1 move · 3 periods                byo-yomi · 0 moves · 3 periods"
    assert text[12:15] == ["            MAX7219: gone: plug it in", "    1:05.0  first: move 1 in 9.9 s", ""]
    assert text[-1] == BOARD.help
    assert len(text) == 20


THICK = [
    "    ██  ██████    ██████  ██  ██        ██████  ██████    ██████  ██████",
    "    ██      ██ ██     ██  ██  ██        ██  ██  ██  ██ ██     ██      ██",
    "    ██  ██████    ██████  ██████        ██  ██  ██  ██    ██████      ██",
    "    ██  ██     ██     ██      ██        ██  ██  ██  ██ ██ ██          ██",
    "    ██  ██████    ██████      ██        ██████  ██████    ██████      ██",
]
THIN = [
    "   █ ████   ████ █  █         ████ ████   ████ ████",
    "   █    █ █    █ █  █         █  █ █  █ █    █    █",
    "   █ ████   ████ ████         █  █ █  █   ████    █",
    "   █ █    █    █    █         █  █ █  █ █ █       █",
    "   █ ████   ████    █         ████ ████   ████    █",
]


@pytest.mark.parametrize(("width", "left", "drawn"), [(80, 4, THICK), (60, 4, THIN)])
def test_the_digits_are_drawn_segment_by_segment(width: int, left: int, drawn: list[str]) -> None:
    """12:34, and 27 seconds of byo-yomi."""
    assert [line.rstrip() for line in shown(width, 20)[4:9]] == [" " * left + row for row in drawn]


def test_hours_are_told_to_the_second_and_a_wide_terminal_draws_them_thick() -> None:
    long = Face(seat=Seat.FIRST, left_ns=10_787 * S + 1, moves_made=0)
    both = Reading(
        at_ns=0, first=long, second=replace(long, seat=Seat.SECOND, left_ns=9_250_000_000), running=None, started=True
    )
    assert [line.plain for line in page(both, BOARD, "", 40, 6, tenths=True).lines][:2] == [
        " first  2:59:48 0 moves",
        " second     9.3 0 moves",
    ]
    thin, thick = (page(both, BOARD, "", width, 20).lines[4].plain for width in (80, 100))
    assert thin.split()[:2] == ["████", "████"]
    assert thick.split()[:2] == ["██████", "██████"]


def test_the_small_page_has_both_sides_and_the_newest() -> None:
    assert shown(40, 6) == [
        ">first  12:34 1 move · 3 periods",
        " second 00:27 byo-yomi · 0 moves · 3 pe…",
        "            MAX7219: gone: plug it in",
        "    1:05.0  first: move 1 in 9.9 s",
        "",
        BOARD.help,
    ]


def test_where_there_is_room_the_small_page_says_what_is_awaited() -> None:
    assert shown(40, 8, replace(BOARD, notice="starts at 14:00"))[0] == " caipan clock  15m; 3x… starts at 14:00 "


def test_no_key_and_no_message_is_cut_off_on_a_narrow_terminal() -> None:
    keys = "a first   l second   space stop   u undo   + add   - take   = set   h halve   q end"
    told = "MAX7219: nothing answers at /dev/spidev0.0: plug it in, or switch SPI on with raspi-config"
    board = Board(
        lines=(Line(since_ns=None, text=told),), lines_in_all=1, help=keys, hint="why " * 20, question="so? " * 20
    )
    for width in (40, 60, 80):
        text = shown(width, 40, board)
        assert " ".join(" ".join(text).split()).count(" ".join(told.split())) == 1
    assert [line for line in shown(60, 20, replace(board, hint="", question="")) if line][-2:] == [
        "a first   l second   space stop   u undo   + add   - take",
        "= set   h halve   q end",
    ]
    assert sum(line.count("so?") for line in shown(40, 40, board)) == 20
    assert sum(line.count("why") for line in shown(40, 40, board)) == 20


@pytest.mark.parametrize("asked", ["", "Why was the clock stopped? [space bar]"])
def test_at_every_size_each_line_fits_and_what_is_asked_is_seen(asked: str) -> None:
    board = Board(lines=BOARD.lines * 30, help=BOARD.help, question=asked, typed="因为" * 30, hint="not so")
    for width in (1, 2, 5, 20, 45, 46, 60, 67, 68, 80, 200):
        for height in (1, 2, 3, 4, 5, 6, 13, 14, 24, 60):
            lines = shown(width, height, board)
            assert len(lines) <= height
            assert all(cell_len(line) <= width for line in lines)
            if asked and width == 80:
                assert any(line.startswith(asked) and line.endswith("因为_") for line in lines)


def test_a_fallen_flag_is_plain_to_see() -> None:
    assert "FLAG" in shown(40, 6, flagged=True)[0]
    (line, *_) = page(reading(flagged=True), BOARD, "", 40, 6).lines
    assert "red" in str(line.style)
