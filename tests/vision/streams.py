"""Observations written by hand: which stones a frame shows, and what it hides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.acts import BoardAct, Bracket
from vision.follow import Follower
from vision.observation import Content, Instant, Intersection, Observation, Stone

MS = 1_000_000


def spot(name: str, size: int = 7) -> Intersection:
    """``"A1"`` is the lower left corner."""
    return Intersection(size - int(name[1:]), ord(name[0]) - ord("A"))


def rows(black: str = "", white: str = "", hidden: str = "", size: int = 7) -> list[str]:
    """A board from lists of points; what is hidden hides stones too."""
    board = [["."] * size for _ in range(size)]
    for names, letter in ((black, "B"), (white, "W"), (hidden, "?")):
        for name in names.split():
            row, col = spot(name, size)
            board[row][col] = letter
    return ["".join(row) for row in board]


def hidden_around(board: Sequence[str], at: Intersection) -> int:
    """How many of the 8 points around cannot be seen."""
    return sum(
        board[row][col] == "?"
        for row in range(max(at.row - 1, 0), min(at.row + 2, len(board)))
        for col in range(max(at.col - 1, 0), min(at.col + 2, len(board)))
    )


def observation(
    frame: int,
    t: int,
    board: Sequence[str],
    *,
    stones: Mapping[str, Stone] | None = None,
    loose: Mapping[str, Stone] | None = None,
    hand: bool | None = None,
    shift: float = 0.0,
    blind: bool = False,
    unnoticed: Mapping[str, Instant] | None = None,
) -> Observation:
    """What frame number ``frame`` showed at ``t`` milliseconds.

    ``stones``: those that are not exactly on their points. ``hand``: whether one is about; if not told, where
    something is hidden.
    """
    size = len(board)
    on_points = {
        Intersection(r, c): Stone(
            content=Content(letter), dx=0.0, dy=0.0, hidden_around=hidden_around(board, Intersection(r, c))
        )
        for r, row in enumerate(board)
        for c, letter in enumerate(row)
        if letter in "BW"
    }
    on_points |= {spot(name, size): stone for name, stone in (stones or {}).items()}
    return Observation(
        frame=frame,
        start_ns=t * MS,
        end_ns=t * MS,
        rows=tuple(board),
        stones=on_points,
        loose={spot(name, size): stone for name, stone in (loose or {}).items()},
        confidence=np.ones((size, size), np.float32),
        disturbed=any("?" in row for row in board) if hand is None else hand,
        blind=blind,
        shift=shift,
        unnoticed={spot(name, size): since for name, since in (unnoticed or {}).items()},
    )


class Watch:
    """A follower to which frames are shown, one every call."""

    def __init__(self, black: str = "", white: str = "") -> None:
        self.follower = Follower(rows(black, white))
        self.frame = -1

    def see(
        self,
        t: int,
        black: str = "",
        white: str = "",
        hidden: str = "",
        *,
        stones: Mapping[str, Stone] | None = None,
        loose: Mapping[str, Stone] | None = None,
        hand: bool | None = None,
        shift: float = 0.0,
        blind: bool = False,
        unnoticed: Mapping[str, Instant] | None = None,
    ) -> list[BoardAct]:
        """The next frame, at ``t`` milliseconds."""
        self.frame += 1
        shown = observation(
            self.frame,
            t,
            rows(black, white, hidden),
            stones=stones,
            loose=loose,
            hand=hand,
            shift=shift,
            blind=blind,
            unnoticed=unnoticed,
        )
        return self.follower.follow(shown)


def interval(bracket: Bracket) -> tuple[int | None, int]:
    """``(after, by]`` in milliseconds."""
    return None if bracket.after_ns is None else bracket.after_ns // MS, bracket.by_ns // MS


def frames(bracket: Bracket) -> tuple[int | None, int]:
    """The numbers of the frames at both ends."""
    return bracket.after_frame, bracket.by_frame
