"""One game refereed: eyes, follower and arbiter together, fed with frames and presses in order of their instants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.facts import Press
from appliance.game.points import Colour, Seat
from appliance.game.position import Position
from appliance.record.game_record import GameRecord, Outcome, RecordedMove, RecordedRuling
from vision.follow import Follower
from vision.observation import Intersection
from vision.observe import Observer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from appliance.arbiter.rulings import Ruling
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
    moves = tuple(
        RecordedMove(
            number=number,
            point=move.point,
            colour=move.colour,
            t_ms=(move.press.t_ns if move.press else move.bracket.by_ns) // NS_PER_MS,
            thinking_ms=None if move.thinking_ns is None else move.thinking_ns // NS_PER_MS,
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
            t_ms=ruling.t_ns // NS_PER_MS,
            text=ruling.article.title_en,
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
