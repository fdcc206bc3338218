"""The page on a terminal: both sides in large digits, what has happened, the keys. Pure: a reading in, text out.

Times are rounded up, as on the wired displays (see :mod:`clock.digits`), but told whole: there is room for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from appliance.plain_clock.records import shortly
from clock.control import SECOND_NS
from clock.segments import SEGMENTS

if TYPE_CHECKING:
    from appliance.plain_clock.table import Board, Line
    from clock.reading import Face, Reading

_LARGE_HEIGHT, _TITLE_HEIGHT = 14, 8
"""A terminal that is lower gets one line for each side; and no title."""
_RUNNING, _WAITING, _FALLEN, _FAINT = "bold green", "default", "bold white on red", "dim"


@dataclass(frozen=True, kw_only=True)
class Page:
    """All that is on the page: equal pages look the same."""

    lines: tuple[Text, ...]


def page(reading: Reading, board: Board, title: str, width: int, height: int, *, tenths: bool = False) -> Page:
    """The page for a terminal of ``width`` by ``height`` cells; every line fits."""
    large = _large(reading, width, tenths) if height >= _LARGE_HEIGHT else None
    faces = large or _small(reading, tenths)
    head = [_ends(title, board.notice or _state(reading), width)] if height >= _TITLE_HEIGHT else []
    if large:
        head, faces = [*head, Text()], [*faces, Text()]
    talk = _talk(board, width)
    foot = talk if not large and talk else [*(talk or [Text()]), *_help(board, width)]
    room = max(0, height - len(head) - len(faces) - len(foot))
    past: list[Text] = []
    for happened in reversed(board.lines):
        past[:0] = _past(happened, width)
        if len(past) >= room:
            break
    past = past[-room:] if room else []
    lines = [*head, *faces, *past, *[Text()] * (room - len(past)), *foot]
    if len(lines) > height:  # what is asked goes before what is shown
        lines = [*lines[: max(0, height - len(talk))], *talk][-height:]
    for line in lines:
        line.no_wrap = True
        line.truncate(width, overflow="ellipsis")
    return Page(lines=tuple(lines))


def _talk(board: Board, width: int) -> list[Text]:
    """What the one at the keyboard is asked, and told."""
    lines = [Text(part, style="yellow") for part in _packed(board.hint.split(), " ", width)]
    if board.question:
        *before, last = _packed(board.question.split(), " ", max(1, width - 3))
        # The end of what is typed stays in sight.
        room = max(0, width - cell_len(last) - 3)
        typed = board.typed if cell_len(board.typed) <= room else f"…{board.typed[-max(1, room // 2) :]}"
        lines += [Text(part, style="bold yellow") for part in (*before, f"{last} {typed}_")]
    return lines


def _help(board: Board, width: int) -> list[Text]:
    """The keys, none of them cut off."""
    return [Text(part, style=_FAINT) for part in _packed(board.help.split("   "), "   ", width)]


def _packed(parts: list[str], between: str, width: int) -> list[str]:
    """As many of ``parts`` on each line as fit."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(lines[-1]) + cell_len(between) + cell_len(part) <= width:
            lines[-1] += between + part
        else:
            lines.append(part)
    return lines


def _state(reading: Reading) -> str:
    if not reading.started:
        return "not started"
    return "stopped" if reading.running is None else f"{reading.running} runs"


def in_line(line: Line) -> str:
    """Something that happened, with its time since the start."""
    return f" {_when(line):>9}  {line.text}"


def _past(line: Line, width: int) -> list[Text]:
    first, *others = _packed(line.text.split(" "), " ", max(1, width - _INDENT))
    return [Text.assemble((f" {_when(line):>9}  ", _FAINT), first), *(Text(" " * _INDENT + part) for part in others)]


_INDENT = 12
"""Cells before what has happened."""


def _when(line: Line) -> str:
    return "" if line.since_ns is None else shortly(line.since_ns).removesuffix(" s")


def _ends(left: str, right: str, width: int) -> Text:
    room = max(0, width - cell_len(right) - 3)
    text = left if cell_len(left) <= room else set_cell_size(left, max(0, room - 1)) + "…"
    return Text(f" {set_cell_size(text, room)} {right} ", style="reverse")


def _style(face: Face, reading: Reading) -> str:
    if face.flagged:
        return _FALLEN
    return _RUNNING if reading.running is face.seat else _WAITING


def _details(face: Face) -> str:
    """Moves and periods in words."""
    parts = ["byo-yomi"] if face.counting and not face.flagged else []
    parts.append(_count(face.moves_made, "move"))
    if face.moves_left is not None:
        parts.append(f"{face.moves_left} to go")
    if face.periods_left is not None:
        parts.append(_count(face.periods_left, "period"))
    if face.flagged:
        parts.append("FLAG")
    return " · ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _time(face: Face, tenths: bool) -> str:
    """``2:59:48``, ``12:34``, ``9.3``, ``FLAG``."""
    if face.flagged:
        return "FLAG"
    left_tenths, left_s = -(-face.left_ns // _TENTH_NS), -(-face.left_ns // SECOND_NS)
    if tenths and left_tenths < 100:
        return f"{left_tenths // 10}.{left_tenths % 10}"
    minutes, seconds = divmod(left_s, 60)
    if minutes < 60:
        return f"{minutes:02}:{seconds:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


_TENTH_NS = SECOND_NS // 10


# Small: one line for each side


def _small(reading: Reading, tenths: bool) -> list[Text]:
    faces = (reading.first, reading.second)
    times = [_time(face, tenths) for face in faces]
    lines = []
    for face, time in zip(faces, times, strict=True):
        mark = ">" if reading.running is face.seat else " "
        shown = f"{mark}{face.seat:6} {time:>{max(map(len, times))}} {_details(face)}"
        lines.append(Text(shown, style=_style(face, reading)))
    return lines


# Large: seven segments


_STROKES = (2, 1)
"""Cells across a segment, the better first."""
_ROWS = 5
_MARGIN = 2
"""Cells between a side's digits and the end of its half, together."""


def _large(reading: Reading, width: int, tenths: bool) -> list[Text] | None:
    """None: there is no room for it."""
    half = width // 2
    for stroke in _STROKES:
        sides = [_one_large(reading, face, half, stroke, tenths) for face in (reading.first, reading.second)]
        if all(sides):
            return [Text.assemble(left, right) for left, right in zip(*sides, strict=True)]
    return None


def _one_large(reading: Reading, face: Face, width: int, stroke: int, tenths: bool) -> list[Text]:
    """A side's lines; none where they are wider than ``width``."""
    style = _style(face, reading)
    name = f"{'▶ ' if reading.running is face.seat else '  '}{face.seat}"
    rows = _drawn(_time(face, tenths), stroke)
    if len(rows[0]) + _MARGIN > width:
        return []
    lines = [Text(name, style=style), Text(), *(Text(row, style=style) for row in rows), Text(), Text(_details(face))]
    return [_centred(line, width) for line in lines]


def _centred(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    left = max(0, (width - line.cell_len) // 2)
    return Text.assemble(" " * left, line, " " * max(0, width - left - line.cell_len))


def _drawn(text: str, stroke: int) -> list[str]:
    """Five rows of blocks."""
    rows = [""] * _ROWS
    before = ":"
    for char in text:
        gap = " " * (0 if ":" in (before, char) or "." in (before, char) else stroke)
        for number, row in enumerate(_drawn_char(char, stroke)):
            rows[number] += gap + row
        before = char
    return rows


def _drawn_char(char: str, stroke: int) -> list[str]:
    dot, no_dot = f" {'█' * stroke} ", " " * (stroke + 2)
    match char:
        case ":":
            return [no_dot, dot, no_dot, dot, no_dot]
        case ".":
            return [no_dot, no_dot, no_dot, no_dot, dot]
    lit = SEGMENTS[char]

    def row(left: str, across: str, right: str) -> str:
        """A row whose ends belong to several segments, each of which lights them."""
        middle = "█" if across and across in lit else " "
        ends = [("█" if set(end) & set(lit) else " ") * stroke for end in (left, right)]
        return ends[0] + middle * 2 + ends[1]

    return [row("af", "a", "ab"), row("f", "", "b"), row("fge", "g", "bgc"), row("e", "", "c"), row("ed", "d", "cd")]
