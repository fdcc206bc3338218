"""The record sheet: what stands on it, where, and that nothing overlaps."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from appliance.game.points import Colour, Point, Seat
from appliance.record.game_record import GameRecord, RecordedMove, RecordedRuling
from appliance.record.sheet import PAGE, render_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

SVG = "{http://www.w3.org/2000/svg}"


def sheet(record: GameRecord, language: str = "en") -> Element:
    return ElementTree.fromstring(render_sheet(record, "zh" if language == "zh" else "en"))


def groups(root: Element, name: str) -> list[Element]:
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == name]


def texts(root: Element) -> list[str]:
    return [t.text or "" for t in root.iter(f"{SVG}text")]


def number(element: Element, name: str) -> float:
    return float(element.attrib[name])


def centre(group: Element) -> tuple[float, float]:
    circle = group.find(f"{SVG}circle")
    assert circle is not None
    return number(circle, "cx"), number(circle, "cy")


def crossing(root: Element, file: int, rank: int) -> tuple[float, float]:
    """Where the drawn lines of a file and of a rank, counted from left and from below, cross."""
    (lines,) = groups(root, "lines")
    upright = sorted({number(x, "x1") for x in lines if x.get("x1") == x.get("x2")})
    level = sorted({number(x, "y1") for x in lines if x.get("y1") == x.get("y2")}, reverse=True)
    assert len(upright) == len(level)
    return upright[file], level[rank]


def full_game(moves: int, size: int = 15, first: Colour = Colour.BLACK) -> GameRecord:
    points = [Point(i * 7 % size, (i * 7 // size + i // size) % size) for i in range(size * size)]
    assert len(set(points)) == size * size
    return GameRecord(
        board_size=size,
        ruleset="competition",
        title="决赛 " * 8,
        event="A long name of an event " * 5,
        black="A player with a very long name of many parts and a club",
        white="名字很长的棋手" * 8,
        moves=tuple(
            RecordedMove(
                number=i + 1,
                point=point,
                colour=first if i % 2 == 0 else first.other,
                t_ms=61_000 * i,
                thinking_ms=61_000,
            )
            for i, point in enumerate(points[:moves])
        ),
        rulings=tuple(
            RecordedRuling(
                code="stone_relocated",
                rule="P5",
                certainty="could not see",
                seat=Seat.SECOND,
                points=(Point(7, 7), Point(8, 8)) if size > 8 else (),
                t_ms=61_000 * i,
                text="判放回第一个无子交叉点 " + "x" * 60,
            )
            for i in range(12)
        ),
    )


def test_black_in_circles_and_white_plain(short_game: GameRecord) -> None:
    root = sheet(short_game)
    black, white = groups(root, "move B"), groups(root, "move W")
    assert [t for g in black for t in texts(g)] == ["1", "3", "5", "7"]
    assert [t for g in white for t in texts(g)] == ["2", "4", "6"]
    for group, ringed in [*((g, True) for g in black), *((g, False) for g in white)]:
        (circle,) = group.findall(f"{SVG}circle")
        assert circle.get("fill") == "white"
        assert (circle.get("stroke") == "black") is ringed


@pytest.mark.parametrize("moves", [0, 5, 60, 225])
def test_every_move_is_on_the_board_and_in_the_list(moves: int) -> None:
    root = sheet(full_game(moves))
    assert len(groups(root, "move B")) == (moves + 1) // 2
    assert len(groups(root, "move W")) == moves // 2
    (entries,) = groups(root, "list")
    assert len(entries.findall(f"{SVG}text")) == 4 * moves
    assert texts(entries).count("1:01.000") == moves


def test_points_lie_where_their_lines_cross(short_game: GameRecord) -> None:
    root = sheet(short_game)
    first, *_, last = groups(root, "move B")
    assert centre(first) == pytest.approx(crossing(root, 7, 7), abs=0.01)  # H8
    assert centre(last) == pytest.approx(crossing(root, 0, 0), abs=0.01)  # A1
    a, b = crossing(root, 0, 0), crossing(root, 1, 1)
    assert (b[0] - a[0]) / (a[1] - b[1]) == pytest.approx(2.4 / 2.5, abs=0.001)
    stars = {(number(c, "cx"), number(c, "cy")) for c in groups(root, "stars")[0]}
    assert stars == {crossing(root, f, r) for f, r in [(7, 7), (3, 3), (3, 11), (11, 11), (11, 3)]}


@pytest.mark.parametrize("size", [5, 9, 13, 15, 19])
def test_letters_stand_below_and_numbers_beside_their_lines(size: int) -> None:
    root = sheet(GameRecord(board_size=size, ruleset="freestyle"))
    (coordinates,) = groups(root, "coordinates")
    labels = {t.text: t for t in coordinates}
    for i in range(size):
        x, y = crossing(root, i, i)
        letter, rank = labels["ABCDEFGHIJKLMNOPQRS"[i]], labels[str(i + 1)]
        assert number(letter, "x") == pytest.approx(x, abs=0.01)
        assert number(letter, "y") > crossing(root, 0, 0)[1]
        assert number(rank, "x") < crossing(root, 0, 0)[0]
        assert number(rank, "y") == pytest.approx(y + 0.36 * number(rank, "font-size"), abs=0.05)


def test_start_stones_are_discs_without_numbers(from_midgame: GameRecord) -> None:
    root = sheet(from_midgame)
    black, white = groups(root, "start B"), groups(root, "start W")
    assert {centre(group) for group in black} == {crossing(root, 6, 6), crossing(root, 7, 6)}  # G7, H7
    assert len(white) == 2
    assert not any(texts(group) for group in black + white)
    fills = {g.attrib["class"]: g[0].get("fill") for g in black + white}
    assert fills == {"start B": "black", "start W": "white"}
    assert "pass" in texts(root)


def test_a_move_to_a_taken_point_is_listed_not_drawn(short_game: GameRecord) -> None:
    again = RecordedMove(number=8, point=Point.parse("H8"), colour=Colour.WHITE)
    root = sheet(replace(short_game, moves=(*short_game.moves, again)))
    assert len(groups(root, "move W")) == 3
    assert "H8*" in texts(root)
    assert "* on a point already drawn on; also offered for move 5: G6" in texts(root)


def test_words_in_both_languages(short_game: GameRecord) -> None:
    english = texts(sheet(short_game))
    assert "Result: Black wins (Resignation)" in english
    assert "Rules: Competition rules, two points on move five" in english
    assert "● Black: 王小明" in english
    assert "城市杯 · 北京 · 2026-11-29" in english
    assert any(line.startswith("0:31.000 P8 Clock pressed before") for line in english)
    chinese = texts(sheet(short_game, "zh"))
    assert "结果: 黑胜 (认输)" in chinese
    assert any(line.startswith("规则: 竞赛规则") and "五手两打" in line for line in chinese)
    assert "0:31.000 P8 先按钟后落子 黑方 I9" in chinese
    assert any(line.startswith("0:31.500 E1 棋盘移动 shifted [0.4] cells") for line in chinese)


def test_names_from_elsewhere_stay() -> None:
    words = texts(sheet(GameRecord(board_size=15, ruleset="Swap2", title="<&>")))
    assert "Rules: Swap2" in words
    assert "<&>" in words
    assert "Result: not finished" in words


def boxes(root: Element) -> Iterator[tuple[str, float, float, float, float]]:
    """Every text with its left, top, right and bottom, letters taken as wide as in a common sans serif face."""
    narrow = " .,:;'()[]ijlI"
    for text in root.iter(f"{SVG}text"):
        words, size = text.text or "", number(text, "font-size")
        width = size * sum(1.0 if ord(c) > 0x2000 else 0.28 if c in narrow else 0.57 for c in words)
        x, y = number(text, "x"), number(text, "y")
        left = x - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", "start")]
        if words:
            yield words, left, y - 0.78 * size, left + width, y + 0.2 * size


@pytest.mark.parametrize(("moves", "size"), [(5, 15), (60, 15), (225, 15), (150, 13), (361, 19), (25, 5)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_overlaps(moves: int, size: int, language: str) -> None:
    root = sheet(full_game(moves, size), language)
    found = list(boxes(root))
    for words, left, top, right, bottom in found:
        assert left > 5, words
        assert top > 5, words
        assert right < PAGE[0] - 5, words
        assert bottom < PAGE[1] - 5, words
    for a, b in combinations(found, 2):
        assert a[3] <= b[1] or b[3] <= a[1] or a[4] <= b[2] or b[4] <= a[2], (a, b)
    board = max(number(x, "x2") for x in groups(root, "lines")[0])
    stones = [(*centre(g), number(g[0], "r")) for g in groups(root, "move B")]
    for (x, y, r), (u, v, s) in combinations(stones, 2):
        assert (x - u) ** 2 + (y - v) ** 2 >= (r + s) ** 2
    assert all(left > board + 4 for words, left, *_ in found if words.startswith("0:"))
