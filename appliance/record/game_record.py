"""The record of one game (R1, E3): what is printed, shown and exchanged as a file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from appliance.game.points import Colour, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from appliance.game.points import Point
    from appliance.game.position import Position


class Outcome(StrEnum):
    """How a game ended for the two colours."""

    BLACK = "B"
    WHITE = "W"
    DRAW = "D"
    BOTH_LOSE = "0-0"
    """Both forfeit (C9)."""


@dataclass(frozen=True, kw_only=True)
class RecordedMove:
    """One move.

    ``number``: as on the record sheet. ``point``: None is a pass. ``t_ms``: when the move was complete, since the start
    of the record; ``thinking_ms``: time used for it, or for the turn that it ended; both None where no clock ran, the
    latter too for what was laid before other stones of the same turn. ``remarks``: one line each.
    """

    number: int
    point: Point | None
    colour: Colour
    t_ms: int | None = None
    thinking_ms: int | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RecordedRuling:
    """One ruling. ``seat``: whom it concerns, if anyone; ``text``: one line for people, in the record's language.

    ``move``: the number of the move that it is about, None: it is about none, or not known about which.
    """

    code: str
    rule: str
    certainty: str
    seat: Seat | None = None
    points: tuple[Point, ...] = ()
    t_ms: int
    text: str = ""
    move: int | None = None

    @property
    def certain(self) -> bool:
        """Whether the evidence carries it."""
        return self.certainty == "certain"


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """A game as it stands in the books.

    ``ruleset``: its name. ``black``, ``white``: the players of the colours in the end, after any swap (O3);
    ``black_seat``: where Black sits. ``date``: ISO 8601. ``start``: stones that stood before move 1, None: none; then
    ``to_move`` moves, None: not known. ``offered``: points that Black offered for move 5 and White took away (O5).
    ``rulings``: in order of time. ``reason``: the code of the ending, such as ``five``. ``remarks``: on the whole game,
    one line each. Empty text: not known.
    """

    board_size: int
    ruleset: str
    title: str = ""
    event: str = ""
    place: str = ""
    date: str = ""
    black: str = ""
    white: str = ""
    black_seat: Seat = Seat.FIRST
    start: Position | None = None
    to_move: Colour | None = Colour.BLACK
    moves: tuple[RecordedMove, ...] = ()
    offered: tuple[Point, ...] = ()
    rulings: tuple[RecordedRuling, ...] = ()
    result: Outcome | None = None
    reason: str = ""
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError, in one line, when a point is off the board or ``start`` is of another size."""
        size = self.board_size
        if self.start and self.start.size != size:
            raise ValueError(f"the start position has {self.start.size} lines, the record {size}: make them one size")
        played = [move.point for move in self.moves if move.point]
        for point in (*played, *self.offered):
            if not (0 <= point.file < size and 0 <= point.rank < size):
                raise ValueError(f"{point} is not on a {size} x {size} board")

    @property
    def start_stones(self) -> Mapping[Point, Colour]:
        """The stones that stood before move 1."""
        return self.start.stones if self.start else {}

    def colour_of(self, seat: Seat) -> Colour:
        """The colour of a seat in the end."""
        return Colour.BLACK if seat is self.black_seat else Colour.WHITE


def points_and_repeats(record: GameRecord) -> tuple[dict[Point, RecordedMove], list[RecordedMove]]:
    """Which move is drawn on each point, and the moves whose point was already drawn on (named beside the board)."""
    drawn: dict[Point, RecordedMove] = {}
    repeats = []
    for move in record.moves:
        if move.point is None:
            continue
        if move.point in drawn or move.point in record.start_stones:
            repeats.append(move)
        else:
            drawn[move.point] = move
    return drawn, repeats


def milliseconds(t_ns: int) -> int:
    """Nanoseconds rounded to whole milliseconds, as a record keeps them."""
    return (t_ns + 500_000) // 1_000_000


def clock_text(t_ms: int) -> str:
    """Milliseconds as ``m:ss.mmm`` or ``h:mm:ss.mmm``: the one way in which a game's times are written for people."""
    seconds, ms = divmod(t_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    rest = f"{seconds:02}.{ms:03}"
    return f"{hours}:{minutes:02}:{rest}" if hours else f"{minutes}:{rest}"
