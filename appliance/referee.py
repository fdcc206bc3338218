"""One game refereed: eyes, follower and arbiter together, fed with frames and presses in order of their instants."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.facts import Press
from appliance.arbiter.wording import in_short
from appliance.game.points import Colour, Seat
from appliance.game.position import Position
from appliance.record.game_record import GameRecord, Outcome, RecordedMove, RecordedRuling, milliseconds
from vision.follow import Follower
from vision.observation import Intersection
from vision.observe import Observer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from appliance.arbiter.rulings import Ruling
    from appliance.arbiter.state import Move
    from appliance.game.points import Point
    from appliance.game.ruleset import Ruleset
    from vision.acts import BoardAct
    from vision.observation import Frame, Observation
    from vision.recording import Header, RecordedPress

NS_PER_MS = 1_000_000

_TURNS = {"bottom": 0, "left": -1, "top": 2, "right": 1}
"""By how much image order (TL, TR, BR, BL) is turned to begin with rank N left, as seen from Black's seat."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """What one fact brought: the board acts that became certain, and the rulings."""

    acts: Sequence[BoardAct]
    rulings: Sequence[Ruling]


def board_order(corners: NDArray[np.float64], black_side: str) -> NDArray[np.float64]:
    """Corners given in image order (TL, TR, BR, BL), reordered to begin with rank N left as Black sees it.

    ``black_side``: the image edge nearest to Black's seat: bottom, top, left or right.
    """
    return np.roll(corners, _TURNS[black_side], axis=0)


class Referee:
    """Referees one game. ``corners``: outer intersections in image pixels, in board order."""

    def __init__(
        self,
        ruleset: Ruleset,
        corners: NDArray[np.float64],
        frame_size: tuple[int, int],
        *,
        size: int = 15,
        start: Position | None = None,
        to_move: Colour = Colour.BLACK,
    ) -> None:
        rows = (start or Position(size)).rows()
        self.observer = Observer(corners, rows, frame_size)
        self.follower = Follower(rows)
        self.arbiter = Arbiter(ruleset, size=size, start=start, to_move=to_move)
        self._last_ns = 0
        self._shown: tuple[str, ...] | None = None
        self.out_of_step: tuple[Point, ...] = ()
        """Where board and record differed when the whole board was last seen with nobody about."""

    def see(self, frame: Frame) -> Step:
        """A frame came."""
        observation = self.observer.observe(frame)
        acts = self.follower.follow(observation)
        return Step(acts=acts, rulings=self.rule(acts, observation))

    def rule(self, acts: Sequence[BoardAct], observation: Observation) -> Sequence[Ruling]:
        """Judge the acts that ``observation`` made certain.

        The whole board counts as seen when two observations on end showed all of it, and the later one nothing else
        than the first but what is so new that it came after: a single one may be misread.
        """
        self._last_ns = max(self._last_ns, observation.instant_ns)
        before, self._shown = self._shown, observation.rows if observation.whole else None
        fresh = self.follower.fresh
        whole = (
            before is not None
            and self._shown is not None
            and self.follower.waiting == fresh
            and _differ(before, self._shown) <= fresh
        )
        # A frame that does not show the board is as good as none.
        seen_ns = 0 if observation.blind else observation.instant_ns
        rulings = self.arbiter.see(acts, whole_board=whole, now_ns=seen_ns)
        if whole and not observation.disturbed:
            self.out_of_step = self.arbiter.differing
        return rulings

    def press(self, press: Press) -> Step:
        """A clock button went down."""
        self._last_ns = max(self._last_ns, press.t_ns)
        return Step(acts=(), rulings=self.arbiter.press(press))

    def finish(self) -> Step:
        """No more facts come."""
        acts = self.follower.finish()
        return Step(
            acts=acts, rulings=[*self.arbiter.see(acts, whole_board=False), *self.arbiter.finish(self._last_ns)]
        )


def _differ(before: Sequence[str], now: Sequence[str]) -> frozenset[Intersection]:
    """The points at which two readings differ."""
    return frozenset(
        Intersection(row, col)
        for row, (was, is_) in enumerate(zip(before, now, strict=True))
        for col, (a, b) in enumerate(zip(was, is_, strict=True))
        if a != b
    )


def press_of(event: RecordedPress) -> Press:
    """A recorded press as a fact; recordings keep whole milliseconds."""
    return Press(seat=Seat(event.seat), t_ns=event.t_ns, error_ns=NS_PER_MS // 2)


def record_of(arbiter: Arbiter, header: Header) -> GameRecord:
    """The record of the game as it stands."""
    start = Position.from_rows(header.start.stones) if header.start else None
    first = 1 if header.start is None or header.start.to_move == "black" else 2
    # Of several stones laid before one press nobody knows each one's share: the last ended the turn and has its time.
    last_of_turn = {move.press: move for move in arbiter.moves if move.press is not None}
    moves = tuple(
        RecordedMove(
            number=number,
            point=move.point,
            colour=move.colour,
            t_ms=milliseconds(_complete_ns(move)),
            thinking_ms=milliseconds(move.thinking_ns)
            if move.press is not None and move.thinking_ns is not None and last_of_turn[move.press] is move
            else None,
        )
        for number, move in enumerate(arbiter.moves, first)
    )
    rulings = tuple(
        RecordedRuling(
            code=ruling.code,
            rule=ruling.rule,
            certainty=ruling.certainty.value,
            seat=ruling.seat,
            points=ruling.points,
            t_ms=milliseconds(ruling.t_ns),
            text=in_short(ruling),
            move=_number_of(ruling, arbiter.moves, first),
        )
        for ruling in arbiter.rulings
    )
    outcome = Outcome.DRAW if arbiter.drawn else None if arbiter.result is None else Outcome(arbiter.result.value)
    ending = {"five", "double_three", "double_four", "overline", "board_full"}
    return GameRecord(
        board_size=arbiter.size,
        ruleset=arbiter.ruleset.name,
        title=header.title or "",
        black_seat=arbiter.protocol.black,
        start=start,
        to_move=Colour.BLACK if first == 1 else Colour.WHITE,
        moves=moves,
        rulings=rulings,
        result=outcome,
        reason=next((r.code for r in reversed(arbiter.rulings) if r.code in ending), "") if outcome else "",
    )


def _complete_ns(move: Move) -> int:
    """When a move was complete: its press or, where none came, the first frame that showed it."""
    return move.press.t_ns if move.press else move.bracket.by_ns


def _number_of(ruling: Ruling, moves: Sequence[Move], first: int) -> int | None:
    """The number of the move that ``ruling`` is about: its stone's, or that of the turn in which it happened."""
    own = (n for n, move in reversed(list(enumerate(moves, first))) if _is_about(ruling, move))
    following = ((n, move) for n, move in enumerate(moves, first) if _complete_ns(move) >= ruling.t_ns)
    turn = (n for n, move in islice(following, 1) if ruling.seat is not None and move.seat is ruling.seat)
    return next(chain(own, turn), None)


def _is_about(ruling: Ruling, move: Move) -> bool:
    """Whether the stone of ``move`` is what was judged: it came just then, or came to stand there in its turn."""
    if ruling.code in ("stone_slid", "stone_lifted", "stone_relocated"):
        return move.point == ruling.points[-1]
    return move.bracket == ruling.bracket and not {move.point, move.first}.isdisjoint(ruling.points)
