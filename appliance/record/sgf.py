"""Smart Game Format, GM[4] (gomoku and renju).

Point letters are x then y from the top: ``a`` is file A, ``a`` is the farthest rank. Besides the standard properties
we write, to read it back exactly, INSTANT and THOUGHT (milliseconds), RULING (JSON), REASON and SEAT; comments say the
same for people. RenLib wants B or W first in a node, ``tt`` for a pass and the points not kept for move 5 in ``5A``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from sgfmill import sgf, sgf_properties

from appliance.game.points import MAX_SIZE, MIN_SIZE, Colour, Point, Seat
from appliance.game.position import Position
from appliance.record.game_record import GameRecord, Outcome, RecordedMove, RecordedRuling, clock_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Properties = list[tuple[str, list[bytes]]]

GOMOKU = 4
_OFFERED = "OFFERED"
"""Stands for RenLib's ``5A`` while sgfmill has the file in hand: property names with digits are not SGF."""

_INFO = {"RU": "ruleset", "GN": "title", "EV": "event", "PC": "place", "DT": "date", "PB": "black", "PW": "white"}

_ENDINGS = {
    "resignation": "R",
    "flag": "T",
    **dict.fromkeys(
        ("late", "abandoned", "refusal", "outside_help", "stopped_clock", "second_violation", "third_warning"), "F"
    ),
}
_REASONS = {"R": "resignation", "RESIGN": "resignation", "T": "flag", "TIME": "flag"}

_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_CHARSET = re.compile(rb"(?<![A-Z])CA\s*\[([^\]]*)\]")
_VALUE_OR_5A = re.compile(rb"\[(?:[^\\\]]|\\.)*\]|5A", re.DOTALL)


_DOUBT = "Could not see whether"
"""How the comment on what the evidence does not carry begins."""


class Mark(StrEnum):
    """A sign on a point, by the name of its property."""

    CROSS = "MA"
    SQUARE = "SQ"


class SgfError(ValueError):
    """A file that cannot be read as a game; the message is one line."""


def write_sgf(record: GameRecord, marks: Mapping[Mark, Sequence[Point]] = MappingProxyType({})) -> bytes:
    """The record as an SGF file in UTF-8. Runs of blanks and line ends within a text become one space.

    ``marks``: points to mark on the board before move 1, for people; they are no part of the record.
    """
    presenter = sgf_properties.Presenter(record.board_size, "UTF-8")
    rulings = _rulings_by_node(record)
    nodes = [_root(record, presenter, rulings[0], marks)]
    number = 0
    for move, ruled in zip(record.moves, rulings[1:], strict=True):
        number += 1
        nodes.append(_move_node(move, ruled, number, presenter))
        number = move.number
    return b"(" + b"\n".join(b";" + _serialised(node) for node in nodes) + b")\n"


def read_sgf(data: bytes, y_from: Literal["top", "bottom"] | None = None) -> GameRecord:
    """Read the main line of the first game of a file.

    ``y_from`` says from which edge the file counts y. GM[4] files count from the top unless it says otherwise; of
    other files one has to know. Raises SgfError, in one line, when the file cannot be read.
    """
    try:
        game = sgf.Sgf_game.from_bytes(_utf8(data), override_encoding="UTF-8")
        nodes = list(game.main_sequence_iter())
        root = nodes[0]
        size = _size(root)
        kind = root.get("GM") if root.has_property("GM") else None
        if kind != GOMOKU and y_from is None:
            written = "no GM" if kind is None else f"GM[{kind}]"
            raise SgfError(f"{written}, not GM[4]: say whether the file counts y from the top or from the bottom")
        reader = _Reader(size=size, from_bottom=y_from == "bottom")
        for node in nodes:
            reader.take(node)
        return reader.record(root)
    except SgfError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise SgfError(f"not a readable SGF game: {_line(str(error)) or 'a value is malformed'}") from None


def _line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


# -- writing ----------------------------------------------------------------------------------------------------------


def _rulings_by_node(record: GameRecord) -> list[list[tuple[int, RecordedRuling]]]:
    """The rulings at the root and at each move, in the record's order, each with its own place in that order.

    A ruling stands with the move that it is about, else with the last move complete by then.
    """
    nodes: list[list[tuple[int, RecordedRuling]]] = [[] for _ in range(len(record.moves) + 1)]
    numbers = [move.number for move in record.moves]
    for place, ruling in enumerate(record.rulings, 1):
        if ruling.move in numbers:
            at = numbers.index(ruling.move) + 1
        else:
            done = (i for i, move in enumerate(record.moves, 1) if move.t_ms is not None and move.t_ms <= ruling.t_ms)
            at = max(done, default=0)
        nodes[at].append((place, ruling))
    return nodes


def _root(
    record: GameRecord,
    presenter: Any,
    rulings: Sequence[tuple[int, RecordedRuling]],
    marks: Mapping[Mark, Sequence[Point]],
) -> Properties:
    node: Properties = [
        ("GM", [b"4"]),
        ("FF", [b"4"]),
        ("CA", [b"UTF-8"]),
        ("AP", [b"Caipan"]),
        ("SZ", presenter.serialise("SZ", record.board_size)),
    ]
    for name, attribute in _INFO.items():
        text = _line(getattr(record, attribute))
        if text:
            node.append((name, presenter.serialise(name, text)))
    if record.result:
        node.append(("RE", presenter.serialise("RE", _result(record.result, record.reason))))
        node.append(("REASON", presenter.serialise("REASON", _line(record.reason))))
    if record.black_seat is not Seat.FIRST:
        node.append(("SEAT", presenter.serialise("SEAT", record.black_seat.value)))
    if record.offered:
        node.append(("5A", [presenter.serialise("B", _row_col(p))[0] for p in record.offered]))
    for name, colour in (("AB", Colour.BLACK), ("AW", Colour.WHITE)):
        stones = sorted(_row_col(p) for p, c in record.start_stones.items() if c is colour)
        if stones:
            node.append((name, presenter.serialise(name, stones)))
    if record.to_move:
        node.append(("PL", presenter.serialise("PL", record.to_move.value.lower())))
    for mark, points in marks.items():
        if points:
            node.append((mark.value, presenter.serialise(mark.value, sorted(map(_row_col, points)))))
    return node + _notes(None, rulings, record.remarks, presenter)


def _move_node(
    move: RecordedMove, rulings: Sequence[tuple[int, RecordedRuling]], expected: int, presenter: Any
) -> Properties:
    at = None if move.point is None else _row_col(move.point)
    node: Properties = [(move.colour.value, presenter.serialise(move.colour.value, at))]
    if move.number != expected:
        node.append(("MN", presenter.serialise("MN", move.number)))
    for name, ms in (("INSTANT", move.t_ms), ("THOUGHT", move.thinking_ms)):
        if ms is not None:
            node.append((name, [b"%d" % ms]))
    return node + _notes(move, rulings, move.remarks, presenter)


def _notes(
    move: RecordedMove | None, rulings: Sequence[tuple[int, RecordedRuling]], remarks: Iterable[str], presenter: Any
) -> Properties:
    """The rulings for programs, and the comment for people."""
    node: Properties = []
    if rulings:
        node.append(("RULING", [presenter.serialise("RULING", _to_json(*placed))[0] for placed in rulings]))
    lines = [*_comment(move, [ruling for _, ruling in rulings]), *filter(None, map(_line, remarks))]
    if lines:
        node.append(("C", presenter.serialise("C", "\n".join(lines))))
    return node


def _comment(move: RecordedMove | None, rulings: Iterable[RecordedRuling]) -> list[str]:
    """What the comment of a node says of times and rulings; remarks follow."""
    lines = []
    if move and move.t_ms is not None:
        thought = "" if move.thinking_ms is None else f" (+{clock_text(move.thinking_ms)})"
        lines.append(f"{clock_text(move.t_ms)}{thought}")
    for ruling in rulings:
        when, who = clock_text(ruling.t_ms), ruling.seat or ""
        if ruling.certain:
            words = (when, ruling.rule, ruling.code, ruling.certainty, who, *map(str, ruling.points), ruling.text)
        else:
            # What could not be seen names nobody, and says so before all else.
            asked = ruling.text if ruling.text.startswith(_DOUBT) else f"{_DOUBT} this is so: {ruling.text}"
            words = (asked, "(" + " ".join((when, ruling.rule, ruling.code, *map(str, ruling.points))) + ")")
        lines.append(_line(" ".join(words)))
    return lines


def _to_json(place: int, ruling: RecordedRuling) -> str:
    fields = {"number": place, **vars(ruling), "points": [str(point) for point in ruling.points]}
    return json.dumps(fields, ensure_ascii=False)


def _result(result: Outcome, reason: str) -> str:
    match result:
        case Outcome.DRAW:
            return "Draw"
        case Outcome.BOTH_LOSE:
            return "Void"
        case _:
            return f"{result}+{_ENDINGS.get(reason, '')}"


def _row_col(point: Point) -> tuple[int, int]:
    """A point as sgfmill wants it: row from the bottom, column."""
    return point.rank, point.file


def _serialised(node: Properties) -> bytes:
    return b"".join(name.encode() + b"".join(b"[%s]" % value for value in values) for name, values in node)


# -- reading ----------------------------------------------------------------------------------------------------------


def _utf8(data: bytes) -> bytes:
    """The file in UTF-8 (a GBK byte may look like a bracket), with 5A under a name that SGF allows."""
    named = _CHARSET.search(data)
    charset = named[1].decode("ascii", "replace").strip() if named else "UTF-8"
    try:
        text = data.decode(charset)
    except LookupError:
        raise SgfError(f"unknown charset CA[{charset}]: write UTF-8") from None
    except UnicodeDecodeError:
        if named:
            raise SgfError(f"the file is not in its charset CA[{charset}]: correct CA") from None
        text = data.decode("ISO-8859-1")  # the standard's charset where none is named
    name = _OFFERED.encode()
    return _VALUE_OR_5A.sub(lambda match: name if match[0] == b"5A" else match[0], text.encode())


def _size(root: Any) -> int:
    if not root.has_property("SZ"):
        raise SgfError("no board size: write SZ")
    size = root.get("SZ")
    if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
        raise SgfError(f"SZ[{size}]: only boards of {MIN_SIZE} to {MAX_SIZE} lines can be read")
    return size


@dataclass(kw_only=True)
class _Reader:
    """Takes the nodes of the main line one by one."""

    size: int
    from_bottom: bool
    stones: dict[Point, Colour] = field(default_factory=dict)
    to_move: Colour | None = None
    moves: list[RecordedMove] = field(default_factory=list)
    rulings: list[tuple[int, RecordedRuling]] = field(default_factory=list)
    remarks: tuple[str, ...] = ()

    def take(self, node: Any) -> None:
        colours = [colour for colour in Colour if node.has_property(colour.value)]
        where = f"after move {self.moves[-1].number}" if self.moves else "before the first move"
        if len(colours) > 1:
            raise SgfError(f"{where} a node holds both a black and a white move: split it")
        self._set_up(node, where)
        placed = [_from_json(text, self.size, where) for text in _texts(node, "RULING")]
        self.rulings += placed
        rulings = [ruling for _, ruling in placed]
        if not colours:
            last = self.moves[-1] if self.moves else None
            remarks = _remarks(node, _comment(None, rulings))
            if last:
                self.moves[-1] = replace(last, remarks=last.remarks + remarks)
            else:
                self.remarks += remarks
            return
        try:
            raw = node.get(colours[0].value)
        except ValueError:
            raise SgfError(f"{where} a move is off the board or no point: correct {colours[0]}[...]") from None
        number = node.get("MN") if node.has_property("MN") else (self.moves[-1].number if self.moves else 0) + 1
        move = RecordedMove(
            number=number,
            point=None if raw is None else self._point(raw),
            colour=colours[0],
            t_ms=_whole(node, "INSTANT", where),
            thinking_ms=_whole(node, "THOUGHT", where),
        )
        self.moves.append(replace(move, remarks=_remarks(node, _comment(move, rulings))))

    def record(self, root: Any) -> GameRecord:
        info = {attribute: _first(root, name) for name, attribute in _INFO.items()}
        result, reason = _read_result(_first(root, "RE"), root)
        first_mover = self.moves[0].colour if self.moves else Colour.BLACK
        return GameRecord(
            board_size=self.size,
            **info,
            black_seat=Seat(_first(root, "SEAT") or Seat.FIRST),
            start=Position(self.size, self.stones) if self.stones else None,
            to_move=self.to_move or first_mover,
            moves=tuple(self.moves),
            offered=tuple(self._offered(root)),
            rulings=tuple(ruling for _, ruling in sorted(self.rulings, key=lambda placed: placed[0])),
            result=result,
            reason=reason,
            remarks=self.remarks,
        )

    def _set_up(self, node: Any, where: str) -> None:
        if node.has_setup_stones():
            if self.moves:
                raise SgfError(f"{where} stones are set up (AB, AW, AE): only a start position can be read")
            try:
                black, white, gone = ({self._point(p) for p in points} for points in node.get_setup_stones())
            except ValueError:
                raise SgfError("a stone of the start position is off the board: correct AB, AW") from None
            if black & white:
                raise SgfError(f"{min(black & white)} is both black and white at the start: correct AB, AW")
            self.stones |= dict.fromkeys(black, Colour.BLACK) | dict.fromkeys(white, Colour.WHITE)
            self.stones = {p: c for p, c in self.stones.items() if p not in gone}
        if node.has_property("PL"):
            self.to_move = Colour(node.get("PL").upper())

    def _point(self, row_col: tuple[int, int]) -> Point:
        row, col = row_col
        return Point(col, self.size - 1 - row if self.from_bottom else row)

    def _offered(self, root: Any) -> Iterable[Point]:
        """The points of 5A; some servers write their number there instead, which says nothing of the game."""
        for text in _texts(root, _OFFERED):
            if not text.isdecimal():
                yield self._point(sgf_properties.interpret_point(text.encode(), root.get_presenter()))


def _texts(node: Any, name: str) -> list[str]:
    raw = node.get_raw_list(name) if node.has_property(name) else []
    return [sgf_properties.interpret_text(value, node.get_presenter()) for value in raw]


def _first(node: Any, name: str) -> str:
    return _line(" ".join(_texts(node, name)[:1]))


def _whole(node: Any, name: str, where: str) -> int | None:
    text = _first(node, name)
    if text and not re.fullmatch(r"-?\d+", text):
        raise SgfError(f"{where} {name}[{text}] is no whole number of milliseconds: correct it")
    return int(text) if text else None


def _remarks(node: Any, generated: Sequence[str]) -> tuple[str, ...]:
    """The comment's lines without those that repeat times and rulings."""
    lines = [line for text in _texts(node, "C") for line in text.split("\n")]
    if lines[: len(generated)] == list(generated):
        lines = lines[len(generated) :]
    return tuple(filter(None, map(_line, lines)))


def _from_json(text: str, size: int, where: str) -> tuple[int, RecordedRuling]:
    """A ruling and its place among the record's; in files that do not tell it, as in the file."""
    try:
        fields = json.loads(text)
        place = int(fields.pop("number", 0))
        seat = fields.pop("seat")
        points = tuple(Point.parse(point, size) for point in fields.pop("points"))
        return place, RecordedRuling(**fields, seat=Seat(seat) if seat else None, points=points)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SgfError(f"{where} a RULING cannot be read: remove it") from None


def _read_result(text: str, root: Any) -> tuple[Outcome | None, str]:
    """The result and its reason; a result that says neither who won nor that it was a draw is none."""
    winner, _, how = text.upper().partition("+")
    reason = _first(root, "REASON") or _REASONS.get(how, "")
    if winner in ("0", "DRAW") or how == "DRAW":
        return Outcome.DRAW, reason
    if winner in ("B", "W"):
        return Outcome(winner), reason
    return (Outcome.BOTH_LOSE, reason) if winner == "VOID" and root.has_property("REASON") else (None, "")
