"""One game refereed: eyes, follower and arbiter together, fed with frames and presses in order of their instants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.facts import Decision, Press
from appliance.game.points import Colour, Seat
from appliance.game.position import Position
from vision.eyes import Eyes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from appliance.arbiter.decisions import Act
    from appliance.arbiter.rulings import Ruling
    from appliance.game.points import Point
    from appliance.game.ruleset import Ruleset
    from clock.control import TimeControl
    from vision.acts import BoardAct
    from vision.eyes import Sighting
    from vision.observation import Frame
    from vision.recording import RecordedPress

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
        control: TimeControl | None = None,
    ) -> None:
        self.eyes = Eyes(corners, (start or Position(size)).rows(), frame_size)
        # What was recorded is judged with no referee at hand: he may have been there, but was not recorded.
        self.arbiter = Arbiter(
            ruleset, size=size, start=start, to_move=to_move, control=control, takes_effect=frozenset()
        )
        self._last_ns = 0
        self.out_of_step: tuple[Point, ...] = ()
        """Where board and record differed when the whole board was last seen with nobody about."""

    def see(self, frame: Frame) -> Step:
        """A frame came."""
        return self.rule(self.eyes.see(frame), frame.instant_ns)

    def rule(self, sighting: Sighting, now_ns: int) -> Step:
        """Judge what a frame of the instant ``now_ns`` brought."""
        self._last_ns = max(self._last_ns, now_ns)
        rulings = self.arbiter.see(sighting.acts, whole_board=sighting.whole, now_ns=sighting.seen_ns)
        if sighting.whole and sighting.quiet:
            self.out_of_step = self.arbiter.differing
        return Step(acts=sighting.acts, rulings=rulings)

    def press(self, press: Press) -> Step:
        """A clock button went down."""
        self._last_ns = max(self._last_ns, press.t_ns)
        return Step(acts=(), rulings=self.arbiter.press(press))

    def decide(self, act: Act, t_ns: int) -> Step:
        """The referee decided. Raises ValueError, one line, where that cannot be."""
        self._last_ns = max(self._last_ns, t_ns)
        return Step(acts=(), rulings=self.arbiter.take(Decision(t_ns=t_ns, act=act)).rulings)

    def finish(self) -> Step:
        """No more facts come."""
        acts = self.eyes.finish()
        made = self.arbiter.see(acts, whole_board=False)
        return Step(acts=acts, rulings=[*made, *self.arbiter.finish(self._last_ns)])


def press_of(event: RecordedPress) -> Press:
    """A recorded press as a fact; recordings keep whole milliseconds."""
    return Press(seat=Seat(event.seat), t_ns=event.t_ns, error_ns=NS_PER_MS // 2)
