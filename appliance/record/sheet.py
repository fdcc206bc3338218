"""The record sheet (E3, R1) as SVG: A4 portrait, black on white, all lengths in millimetres."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import east_asian_width

import svgwrite

from appliance.arbiter.articles import article, codes
from appliance.game.points import Colour, Point, star_points
from appliance.game.ruleset import Text, load_ruleset, ruleset_names
from appliance.record.game_record import clock_text, points_and_repeats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from appliance.record.game_record import GameRecord, RecordedMove, RecordedRuling

Language = Literal["en", "zh"]

PAGE = (210.0, 297.0)
MARGIN = 12.0
BOARD_TOP, BOARD_BOTTOM = 47.0, 177.0
"""Between them stand the board with its letters, and beside it the rulings."""
SIDE = 138.0
LIST_TOP, LIST_BOTTOM = 186.0, 276.0
SIGNATURES = 287.0
COLUMNS, MIN_ROWS = 7, 10
ASPECT = 2.4 / 2.5
"""A cell's width to its height (E1)."""

_PIECE = r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]{1,24}\s*|\s+"
"""Between such pieces a line may break: wide letters, words with the blanks after them, 24 letters of a long word."""

FONT = "Noto Sans, Noto Sans CJK SC, sans-serif"

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "sheet": "Game record",
        "black": "Black",
        "white": "White",
        "rules": "Rules",
        "result": "Result",
        "rulings": "Rulings",
        "none": "none",
        "more": "and {} more",
        "thought": "Moves, with the time used",
        "instant": "Moves, with the time of the record",
        "untimed": "Moves",
        "pass": "pass",
        "taken": "* on a point already drawn on",
        "offered": "also offered for move 5:",
        "could not see": "Could not see",
        "referee": "Referee",
        "B": "Black wins",
        "W": "White wins",
        "D": "draw",
        "0-0": "both lose",
        "open": "not finished",
    },
    "zh": {
        "sheet": "对局记录",
        "black": "黑方",
        "white": "白方",
        "rules": "规则",
        "result": "结果",
        "rulings": "裁决",
        "none": "无",
        "more": "另有{}条",
        "thought": "着法与用时",
        "instant": "着法与时刻",
        "untimed": "着法",
        "pass": "放弃",
        "taken": "* 落于图中已有记号之点",
        "offered": "第5手另有打点",
        "could not see": "未能看清",
        "referee": "裁判员",
        "B": "黑胜",
        "W": "白胜",
        "D": "和棋",
        "0-0": "双方均负",
        "open": "未终局",
    },
}


@dataclass(frozen=True)
class Grid:
    """Where the board's lines lie on the page: ``left`` is file A, ``bottom`` rank 1, ``cell`` a cell's height."""

    size: int
    left: float
    bottom: float
    cell: float

    @classmethod
    def fitting(cls, size: int) -> Grid:
        """The largest board, letters included, in the space left of the rulings."""
        lines = size + 1.2
        cell = min((BOARD_BOTTOM - BOARD_TOP) / lines, (SIDE - 4 - MARGIN) / (lines * ASPECT), 13.0)
        return cls(size, MARGIN + cell * ASPECT * 1.1, BOARD_TOP + cell * (size - 0.4), cell)

    @property
    def width(self) -> float:
        """A cell's width."""
        return self.cell * ASPECT

    def at(self, point: Point) -> tuple[float, float]:
        """A point's place on the page: x, y from the page's top left corner."""
        return round(self.left + point.file * self.width, 3), round(self.bottom - point.rank * self.cell, 3)


def render_sheet(record: GameRecord, language: Language = "en") -> str:
    """The record sheet of one game as an SVG document."""
    words = WORDS[language]
    drawing = svgwrite.Drawing(size=("210mm", "297mm"), viewBox="0 0 210 297", debug=False)
    drawing.add(drawing.rect((0, 0), PAGE, fill="white"))
    page = drawing.add(drawing.g(font_family=FONT, fill="black"))
    pen = _Pen(drawing, page)
    grid = Grid.fitting(record.board_size)
    drawn, repeats = points_and_repeats(record)
    _header(pen, record, language)
    _lines(pen, grid)
    for point, colour in record.start_stones.items():
        pen.disc(grid.at(point), 0.44 * grid.width, colour)
    for point, move in drawn.items():
        _numbered(pen, grid, point, move)
    _rulings(pen, record, language)
    _moves(pen, record, repeats, words)
    for i, who in enumerate(("black", "white", "referee")):
        x = MARGIN + i * 64
        pen.text(words[who], (x, SIGNATURES), 3.2, 16)
        pen.line((x + 18, SIGNATURES + 0.5), (x + 58, SIGNATURES + 0.5), 0.2)
    return str(drawing.tostring())


class _Pen:
    """Draws into one SVG group."""

    def __init__(self, drawing: Any, group: Any) -> None:
        self._drawing = drawing
        self._group = group

    def group(self, name: str) -> _Pen:
        """A pen for a group of its own, of class ``name``."""
        return _Pen(self._drawing, self._group.add(self._drawing.g(class_=name)))

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
        self._group.add(self._drawing.line(start, end, stroke="black", stroke_width=width))

    def circle(self, centre: tuple[float, float], radius: float, fill: str, stroke_width: float = 0) -> None:
        stroke = {"stroke": "black", "stroke_width": stroke_width} if stroke_width else {}
        self._group.add(self._drawing.circle(centre, round(radius, 3), fill=fill, **stroke))

    def disc(self, centre: tuple[float, float], radius: float, colour: Colour) -> None:
        """A stone without a number."""
        self.group(f"start {colour}").circle(centre, radius, "black" if colour is Colour.BLACK else "white", 0.3)

    def text(
        self,
        text: str,
        at: tuple[float, float],
        size: float,
        width: float,
        anchor: str = "start",
        weight: str = "normal",
    ) -> None:
        """One line of text, made smaller, and at last cut, to be at most ``width`` wide."""
        size = floor(100 * max(min(size, width / max(_ems(text), 1e-9)), 0.6 * size)) / 100
        while _ems(text) * size > width:
            text = text[:-2] + "…"
        self._group.add(self._drawing.text(text, at, font_size=size, text_anchor=anchor, font_weight=weight))


def _ems(text: str) -> float:
    """An upper estimate of a line's length in units of its font size."""
    return sum(
        1.0 if east_asian_width(c) in "WFA" else 0.35 if c in " .,:;'()[]ijlI" else 0.72 if c.isupper() else 0.6
        for c in text
    )


def _header(pen: _Pen, record: GameRecord, language: Language) -> None:
    words = WORDS[language]
    width = PAGE[0] - 2 * MARGIN
    pen.text(record.title or words["sheet"], (PAGE[0] / 2, 20), 6.5, width, "middle", "bold")
    pen.text(
        " · ".join(filter(None, (record.event, record.place, record.date))), (PAGE[0] / 2, 27), 3.6, width, "middle"
    )
    half = width / 2
    pen.text(f"● {words['black']}: {record.black or '-'}", (MARGIN, 35), 4, half - 6)
    pen.text(f"○ {words['white']}: {record.white or '-'}", (MARGIN + half, 35), 4, half - 4)
    result = words[record.result or "open"]
    reason = _title(record.reason, language)
    pen.text(f"{words['rules']}: {_ruleset(record.ruleset, language)}", (MARGIN, 41.5), 3.6, half - 4)
    pen.text(f"{words['result']}: {result}" + (f" ({reason})" if reason else ""), (MARGIN + half, 41.5), 3.6, half)


def _ruleset(name: str, language: Language) -> str:
    if name not in ruleset_names():
        return name or "-"
    ruleset = load_ruleset(name)
    return ruleset.title_zh if language == "zh" else ruleset.title_en


def _title(code: str, language: Language) -> str:
    """What a code is called; a code from elsewhere stays as it is."""
    if code not in codes():
        return code
    found = article(code, Text.B)
    return found.title_zh if language == "zh" else found.title_en


def _lines(pen: _Pen, grid: Grid) -> None:
    last = grid.size - 1
    lines, stars, letters = pen.group("lines"), pen.group("stars"), pen.group("coordinates")
    for i in range(grid.size):
        width = 0.5 if i in (0, last) else 0.2
        lines.line(grid.at(Point(i, 0)), grid.at(Point(i, last)), width)
        lines.line(grid.at(Point(0, i)), grid.at(Point(last, i)), width)
        x, y = grid.at(Point(i, i))
        size = 0.4 * grid.cell
        letters.text(chr(ord("A") + i), (x, round(grid.bottom + 0.95 * grid.cell, 3)), size, grid.width, "middle")
        letters.text(str(i + 1), (round(grid.left - 0.6 * grid.width, 3), round(y + 0.36 * size, 3)), size, 9, "end")
    for point in star_points(grid.size):
        stars.circle(grid.at(point), 0.1 * grid.cell, "black")


def _numbered(pen: _Pen, grid: Grid, point: Point, move: RecordedMove) -> None:
    """Black's number in a circle, White's plain; the lines stop at either."""
    x, y = grid.at(point)
    number = str(move.number)
    size = grid.width * {1: 0.62, 2: 0.52}.get(len(number), 0.4)
    stone = pen.group(f"move {move.colour}")
    stone.circle((x, y), 0.46 * grid.width, "white", 0.25 if move.colour is Colour.BLACK else 0)
    stone.text(number, (x, round(y + 0.36 * size, 3)), size, grid.width, "middle")


def _rulings(pen: _Pen, record: GameRecord, language: Language) -> None:
    """The rulings in the column beside the board, wrapped; what does not fit is counted."""
    words = WORDS[language]
    width, height, size, indent = PAGE[0] - MARGIN - SIDE, 3.6, 2.5, 2.5
    pen.text(words["rulings"], (SIDE, BOARD_TOP + 1), 3.4, width, weight="bold")
    room = int((BOARD_BOTTOM - BOARD_TOP) / height) - 2
    entries = [_wrapped(_ruling(record, ruling, language), (width - indent) / size) for ruling in record.rulings]
    lines = [] if entries else [(0.0, words["none"])]
    for i, entry in enumerate(entries):
        last = i == len(entries) - 1
        if len(lines) + len(entry) > room - (0 if last else 1):
            lines.append((0.0, words["more"].format(len(entries) - i)))
            break
        lines += [(indent if continued else 0.0, line) for continued, line in enumerate(entry)]
    column = pen.group("rulings")
    for i, (x, line) in enumerate(lines):
        column.text(line, (SIDE + x, round(BOARD_TOP + 1 + (i + 1.4) * height, 3)), size, width - x)


def _ruling(record: GameRecord, ruling: RecordedRuling, language: Language) -> str:
    words = WORDS[language]
    who = "" if ruling.seat is None else words["black" if record.colour_of(ruling.seat) is Colour.BLACK else "white"]
    points = map(str, ruling.points)
    title = _title(ruling.code, language)
    if not ruling.certain:
        # What could not be seen says so before all else, and names nobody.
        return " ".join((clock_text(ruling.t_ms), f"{words['could not see']}:", ruling.rule, title, *points))
    parts = (clock_text(ruling.t_ms), ruling.rule, title, who, *points)
    return " ".join(filter(None, (*parts, ruling.text if ruling.text != title else "")))


def _wrapped(text: str, ems: float) -> list[str]:
    """``text`` in lines of at most ``ems``: broken at blanks, at wide letters, and within longer words."""
    lines = [""]
    for piece in re.findall(_PIECE, text):
        if lines[-1] and _ems(lines[-1] + piece.rstrip()) > ems:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece
    return lines


def _moves(pen: _Pen, record: GameRecord, repeats: Sequence[RecordedMove], words: dict[str, str]) -> None:
    """The list of moves, column by column, in rows as low as their number needs."""
    moves = record.moves
    thought = any(move.thinking_ms is not None for move in moves)
    timed = thought or any(move.t_ms is not None for move in moves)
    heading = words["thought" if thought else "instant" if timed else "untimed"]
    notes = [words["taken"]] if repeats else []
    if record.offered:
        notes.append(" ".join((words["offered"], *map(str, record.offered))))
    pen.text(heading, (MARGIN, LIST_TOP - 3), 3.4, 70, weight="bold")
    pen.text("; ".join(notes), (PAGE[0] - MARGIN, LIST_TOP - 3), 3, 110, "end")
    rows = max(MIN_ROWS, ceil(len(moves) / COLUMNS))
    row = min(4.2, (LIST_BOTTOM - LIST_TOP) / rows)
    column = (PAGE[0] - 2 * MARGIN) / COLUMNS
    size = min(0.76 * row, 2.6)
    entries = pen.group("list")
    for i, move in enumerate(moves):
        x, y = MARGIN + (i // rows) * column, round(LIST_TOP + (i % rows + 0.8) * row, 3)
        ms = move.thinking_ms if thought else move.t_ms
        point = words["pass"] if move.point is None else str(move.point) + ("*" if move in repeats else "")
        entries.text(str(move.number), (round(x + 4.6, 3), y), size, 4.4, "end")
        entries.text("●" if move.colour is Colour.BLACK else "○", (round(x + 5.2, 3), y), size, 2.8)
        entries.text(point, (round(x + 8.4, 3), y), size, 7)
        entries.text(
            clock_text(ms) if ms is not None else "–" if thought else "",
            (round(x + column - 2, 3), y),
            size,
            9.5,
            "end",
        )
