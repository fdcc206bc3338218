"""A table to play at in tests: facts by hand, in milliseconds and algebraic notation, put to an arbiter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.arbiter import Arbiter
from appliance.arbiter.decisions import decision_of
from appliance.arbiter.facts import Decision, Press, TimePassed, WholeBoard
from appliance.arbiter.rulings import Certainty
from appliance.game.points import Colour, Point, Seat
from appliance.game.ruleset import load_ruleset
from clock.notation import parse
from vision.acts import (
    BoardAct,
    BoardMoved,
    Bracket,
    Displaced,
    Dropped,
    Manner,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)
from vision.observation import Content, Intersection

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from appliance.arbiter.arbiter import News
    from appliance.arbiter.outcomes import Outcome
    from appliance.arbiter.rulings import Ruling
    from appliance.game.position import Position

MS = 1_000_000


def on(name: str, size: int = 15) -> Intersection:
    """The point called ``name`` as the camera counts it: row 0 is the farthest rank."""
    point = Point.parse(name, size)
    return Intersection(size - 1 - point.rank, point.file)


def between(after: int | None, by: int) -> Bracket:
    """The bracket ``(after, by]``, in milliseconds."""
    return Bracket(after_ns=None if after is None else after * MS, by_ns=by * MS, after_frame=after, by_frame=by)


def placed(
    name: str, colour: str, after: int | None, by: int, seen: int | None = None, *, alone: bool = True
) -> Placed:
    """A stone came to stand on ``name`` in ``(after, by]``; ``seen``: when that was certain, else at once."""
    return Placed(
        at=on(name),
        content=Content(colour),
        bracket=between(after, by),
        seen_ns=(by if seen is None else seen) * MS,
        alone=alone,
    )


def removed(name: str, colour: str, after: int, by: int) -> Removed:
    """A stone left ``name`` in ``(after, by]``."""
    return Removed(at=on(name), content=Content(colour), bracket=between(after, by), seen_ns=by * MS)


def relocated(
    origin: str, name: str, colour: str, after: int, by: int, manner: Manner = Manner.UNKNOWN, seen: int | None = None
) -> tuple[Removed, Relocated]:
    """A stone left ``origin`` and came to ``name``, all in ``(after, by]``: told as one leaving and one coming."""
    seen_ns = (by if seen is None else seen) * MS
    left = between(after, by)
    return (
        Removed(at=on(origin), content=Content(colour), bracket=left, seen_ns=seen_ns),
        Relocated(
            origin=on(origin),
            at=on(name),
            content=Content(colour),
            manner=manner,
            left=left,
            bracket=left,
            seen_ns=seen_ns,
        ),
    )


def dropped(near: str, colour: str, after: int, by: int) -> Dropped:
    """A stone lay beside ``near`` and was picked up again."""
    return Dropped(near=on(near), content=Content(colour), bracket=between(after, by), seen_ns=(by + 500) * MS)


def displaced(name: str, colour: str, after: int, by: int) -> Displaced:
    """A stone was nudged on its point."""
    return Displaced(
        at=on(name), content=Content(colour), offset=(0.4, 0.0), bracket=between(after, by), seen_ns=by * MS
    )


def straightened(names: str, after: int, by: int) -> Straightened:
    """Stones were brought nearer to their points."""
    points = frozenset(on(name) for name in names.split())
    return Straightened(points=points, bracket=between(after, by), seen_ns=by * MS)


def board_moved(after: int, by: int) -> BoardMoved:
    """The board moved."""
    return BoardMoved(shift=0.3, bracket=between(after, by), seen_ns=by * MS)


def scattered(names: str, after: int, by: int) -> Scattered:
    """Stones left their points at once."""
    points = frozenset(on(name) for name in names.split())
    return Scattered(points=points, bracket=between(after, by), seen_ns=by * MS)


def restored(by: int) -> Restored:
    """The board is as it was."""
    return Restored(bracket=between(None, by), seen_ns=by * MS)


class Table:
    """An arbiter with the facts put to it in few words."""

    def __init__(
        self,
        ruleset: str = "renju",
        *,
        start: Position | None = None,
        to_move: Colour = Colour.BLACK,
        control: str | None = None,
        takes_effect: Iterable[str] | None = None,
    ) -> None:
        """``control``: as ``15m; 3x30s``; the clock is then started by a decision."""
        self.arbiter = Arbiter(
            load_ruleset(ruleset),
            start=start,
            to_move=to_move,
            start_ns=0 if control is None else None,
            control=None if control is None else parse(control),
            takes_effect=None if takes_effect is None else frozenset(takes_effect),
        )

    def decide(self, t: int, what: str, **more: Any) -> News:
        """The referee enters a decision at ``t``."""
        return self.arbiter.take(Decision(t_ns=t * MS, act=decision_of({"what": what, **more})))

    def pass_time(self, t: int) -> News:
        """It is ``t``."""
        return self.arbiter.take(TimePassed(t_ns=t * MS))

    def look(self, t: int) -> News:
        """The whole board is in sight at ``t``."""
        return self.arbiter.take(WholeBoard(t_ns=t * MS))

    def press(self, seat: str, t: int, error: int = 0) -> list[Ruling]:
        """The ``seat``'s button went down at ``t``."""
        return self.arbiter.press(Press(seat=Seat(seat), t_ns=t * MS, error_ns=error * MS))

    def see(self, *acts: BoardAct, whole: bool = True) -> list[Ruling]:
        """One observation made ``acts`` certain; ``whole``: it showed every point, and nothing is pending."""
        return self.arbiter.see(acts, whole_board=whole)

    def lay(self, name: str, colour: str, after: int | None, by: int, seen: int | None = None) -> list[Ruling]:
        """A stone was laid in ``(after, by]``."""
        return self.see(placed(name, colour, after, by, seen))

    def finish(self, t: int = 10_000_000) -> list[Ruling]:
        """No more facts come."""
        return self.arbiter.finish(t * MS)

    def play(self, names: str, *, clock: bool = True, from_ms: int = 0, colour: str | None = None) -> int:
        """Alternate moves, one every 10 s, seen well before each press; returns the instant of the last press.

        ``colour``: of the first stone, else that which is due; its side must be to move.
        """
        protocol = self.arbiter.protocol
        colour_now = Colour(colour) if colour else protocol.due
        seat = protocol.seat_of(colour_now)
        t = from_ms
        for name in names.split():
            t += 10_000
            self.lay(name, colour_now.value, t - 3_000, t - 2_800)
            if clock:
                self.press(seat.value, t)
            seat, colour_now = seat.other, colour_now.other
        return t

    @property
    def moves(self) -> str:
        """The record, such as ``"BH8 WH9"``."""
        return " ".join(f"{move.colour.value}{move.point}" for move in self.arbiter.moves)

    def left(self, seat: str, t: int) -> float:
        """Seconds that ``seat`` has at ``t``, of its main time or its period."""
        return self.arbiter.clock.reading(t * MS).face(Seat(seat)).left_ns / 1e9

    def number(self, code: str) -> int:
        """The number of the last ruling of ``code`` that stands."""
        return [ruling.number for ruling in self.arbiter.rulings if ruling.code == code][-1]

    @property
    def outcomes(self) -> list[tuple[str, str]]:
        """Code and standing of all that followed, in order."""
        return [(outcome.code, outcome.standing.value) for outcome in self.arbiter.outcomes]

    def outcome(self, code: str) -> Outcome:
        """The last that followed under ``code``."""
        return [outcome for outcome in self.arbiter.outcomes if outcome.code == code][-1]

    def result(self) -> str | None:
        """The winner's seat, ``drawn``, ``none`` when both lost; None while the game goes on."""
        end = self.arbiter.state.ledger.end
        if end is None:
            return None
        if end.drawn:
            return "drawn"
        return "none" if end.winner is None else end.winner.value

    @property
    def ruled(self) -> list[str]:
        """The codes of all rulings, in order."""
        return [ruling.code for ruling in self.arbiter.rulings]

    @property
    def accused(self) -> list[Ruling]:
        """The rulings that accuse somebody with certainty."""
        return [*accusations(self.arbiter.rulings)]


NOT_ACCUSING = frozenset(
    {
        "board_moved",
        "board_scattered",
        "camera_covered",
        "laid_unseen",
        "pressed_without_move",
        "stone_beside_point",
        "stone_displaced",
        "stone_removed",
    }
)
"""Acts that nobody need have committed, and notices."""


def accusations(rulings: Iterable[Ruling]) -> Iterable[Ruling]:
    """Those that accuse a player of an act of section 4, and are certain."""
    return (
        r for r in rulings if r.certainty is Certainty.CERTAIN and r.rule.startswith("P") and r.code not in NOT_ACCUSING
    )


def facts(rulings: Iterable[Ruling]) -> list[tuple[str, str | None, str, bool]]:
    """Code, seat, points and whether it is certain, for comparison."""
    return [
        (
            r.code,
            r.seat.value if r.seat else None,
            " ".join(str(p) for p in r.points),
            r.certainty is Certainty.CERTAIN,
        )
        for r in rulings
    ]
