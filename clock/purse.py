"""One seat's time under its allowance: what passes, what a move does, when the flag falls.

A purse is a value: every function gives a new one. Nothing here knows instants; ``dual`` does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from clock.control import Allowance, BonusKind, ByoYomi, Canadian, FirstIncrement, Period, Stage


@dataclass(frozen=True, kw_only=True, slots=True)
class Purse:
    """One seat's time, in nanoseconds."""

    allowance: Allowance
    left_ns: int
    """Until what is running now (a period, a byo-yomi period, a Canadian time) is used up; 0 only when flagged, or
    when it is a shared time that the other side used up."""
    lowest_ns: int
    """The least that ``left_ns`` has been since this time was given: no low-time warning is repeated."""
    index: int = 0
    """Which stage it is."""
    counting: bool = False
    """Inside byo-yomi or Canadian. False with such a stage: time kept from before, or added, is used up first."""
    moves_left: int | None = None
    """Moves to be completed before ``left_ns`` is used up; None: no number is set."""
    periods_left: int | None = None
    """Byo-yomi periods not lost; None: the allowance has none."""
    moves_made: int = 0
    """Moves completed: presses that took effect (T6)."""
    turn_ns: int = 0
    """What this turn took until now."""
    used_ns: int = 0
    """All time that has passed on this side, whether it cost anything or not."""
    flagged: bool = False
    """Nothing is left at all (C3)."""

    @property
    def stage(self) -> Stage:
        """The stage that the time left belongs to, or comes before."""
        return self.allowance.stages[self.index]

    @property
    def free_ns(self) -> int:
        """How long this turn's delay still holds the time left."""
        stage = self.stage
        if isinstance(stage, Period) and stage.bonus and stage.bonus.kind is BonusKind.DELAY:
            return max(0, stage.bonus.time_ns - self.turn_ns)
        return 0

    @property
    def lasts_ns(self) -> int:
        """How long until what is running now is used up, if no move is made."""
        return self.free_ns + self.left_ns


class Lapse(StrEnum):
    """What it was that was used up."""

    STAGE = "stage"
    """The next stage begins."""
    PERIOD = "period"
    """A byo-yomi period was lost, and there is another."""
    FLAG = "flag"
    """There is nothing more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """Something was used up, after ``after_ns`` of the time that passed; ``purse``: just after it."""

    after_ns: int
    lapse: Lapse
    purse: Purse


def opened(allowance: Allowance) -> Purse:
    """The purse before the game."""
    byo_yomi = allowance.byo_yomi
    purse = Purse(
        allowance=allowance, left_ns=0, lowest_ns=0, periods_left=byo_yomi.periods if byo_yomi is not None else None
    )
    purse = _in_stage(purse, 0)
    if allowance.first_increment is FirstIncrement.START:
        purse = _given(purse, _increment_ns(purse))
    return purse


# Time passes


def spent(purse: Purse, ns: int) -> tuple[Purse, tuple[Ending, ...]]:
    """``ns`` pass on this side: the purse after it, and what was used up meanwhile.

    What is used up exactly at the end of ``ns`` is used up: one minute on the clock is one minute too many (C4).
    """
    endings = []
    passed = 0
    while not purse.flagged and passed < ns:
        step = min(purse.lasts_ns, ns - passed)
        passed += step
        if step < purse.lasts_ns:
            purse = _flowed(purse, step)
        else:
            purse, lapse = used_up(purse)
            endings.append(Ending(after_ns=passed, lapse=lapse, purse=purse))
    # Under a fallen flag time goes on, and costs nothing more.
    rest = ns - passed
    if rest == 0:
        return purse, tuple(endings)
    return replace(purse, turn_ns=purse.turn_ns + rest, used_ns=purse.used_ns + rest), tuple(endings)


def used_up(purse: Purse) -> tuple[Purse, Lapse]:
    """All that is left of what is running passes: what follows (C3, C4, C6)."""
    purse = _flowed(purse, purse.lasts_ns)
    stage = purse.stage
    if isinstance(stage, ByoYomi) and purse.counting and purse.periods_left is not None and purse.periods_left > 1:
        return _given_anew(replace(purse, periods_left=purse.periods_left - 1), stage.time_ns), Lapse.PERIOD
    if not isinstance(stage, Period) and not purse.counting:
        return _in_stage(purse, purse.index), Lapse.STAGE
    if isinstance(stage, Period) and stage.moves is None and purse.index + 1 < len(purse.allowance.stages):
        return _in_stage(purse, purse.index + 1), Lapse.STAGE
    periods_left = 0 if isinstance(stage, ByoYomi) else purse.periods_left
    return replace(purse, left_ns=0, lowest_ns=0, periods_left=periods_left, flagged=True), Lapse.FLAG


def flag_after(purse: Purse) -> int | None:
    """After how much more time on this side the flag falls, if no move is made; None: it has fallen."""
    if purse.flagged:
        return None
    passed, lapse = 0, None
    while lapse is not Lapse.FLAG:
        passed += purse.lasts_ns
        purse, lapse = used_up(purse)
    return passed


def _flowed(purse: Purse, ns: int) -> Purse:
    """``ns`` pass, no more than there is."""
    left_ns = purse.left_ns - max(0, ns - purse.free_ns)
    return replace(
        purse,
        left_ns=left_ns,
        lowest_ns=min(purse.lowest_ns, left_ns),
        turn_ns=purse.turn_ns + ns,
        used_ns=purse.used_ns + ns,
    )


def _in_stage(purse: Purse, index: int) -> Purse:
    """The beginning of a stage's own time."""
    stage = purse.allowance.stages[index]
    moves_left = None if isinstance(stage, ByoYomi) else stage.moves
    counting = not isinstance(stage, Period)
    return _given_anew(replace(purse, index=index, counting=counting, moves_left=moves_left), stage.time_ns)


def _given(purse: Purse, ns: int) -> Purse:
    """``ns`` more of what is running."""
    return replace(purse, left_ns=purse.left_ns + ns)


def _given_anew(purse: Purse, ns: int) -> Purse:
    """``ns``, whatever was left; warnings may come again."""
    return replace(purse, left_ns=ns, lowest_ns=ns)


# A move is made


def moved(purse: Purse) -> Purse:
    """The clock was pressed: the move is complete (T6). Under a fallen flag it is counted and earns nothing."""
    if not purse.flagged:
        purse = _earned(purse)
    return replace(purse, moves_made=purse.moves_made + 1, turn_ns=0)


def _earned(purse: Purse) -> Purse:
    """The move's bonus, a period begun afresh, a number of moves completed."""
    stage = purse.stage
    match stage:
        case ByoYomi():
            return _given_anew(purse, stage.time_ns) if purse.counting else purse
        case Period(bonus=bonus) if bonus is not None:
            ns = {
                BonusKind.INCREMENT: 0 if _earns_no_increment(purse) else bonus.time_ns,
                BonusKind.BRONSTEIN: min(bonus.time_ns, purse.turn_ns),
                BonusKind.DELAY: 0,
            }[bonus.kind]
            purse = _given(purse, ns) if ns else purse
    if purse.moves_left is None:
        return purse
    purse = replace(purse, moves_left=purse.moves_left - 1)
    return purse if purse.moves_left else _completed(purse)


def _completed(purse: Purse) -> Purse:
    """The stage's number of moves was made in time (C5, C6)."""
    stages = purse.allowance.stages
    if isinstance(purse.stage, Canadian):
        return _in_stage(purse, purse.index)
    index = min(purse.index + 1, len(stages) - 1)
    following = stages[index]
    if isinstance(following, Period):
        purse = replace(purse, index=index, moves_left=following.moves)
        return _given_anew(purse, purse.left_ns + following.time_ns)
    # What is left is used up before byo-yomi, for any number of moves.
    return replace(purse, index=index, moves_left=None)


def _earns_no_increment(purse: Purse) -> bool:
    return purse.moves_made == 0 and purse.allowance.first_increment is FirstIncrement.NONE


def _increment_ns(purse: Purse) -> int:
    stage = purse.stage
    return stage.bonus.time_ns if isinstance(stage, Period) and stage.bonus is not None else 0


# The referee's hand


def added(purse: Purse, ns: int) -> Purse:
    """``ns`` more. In byo-yomi they are used up before the running period, which then starts afresh (P8, C10)."""
    if isinstance(purse.stage, ByoYomi) and purse.counting:
        periods_left = 1 if purse.flagged else purse.periods_left
        return _given_anew(replace(purse, counting=False, periods_left=periods_left, flagged=False), ns)
    return _given_anew(replace(purse, flagged=False), purse.left_ns + ns)


def taken(purse: Purse, ns: int) -> tuple[Purse, tuple[Ending, ...]]:
    """``ns`` less, as if they had passed outside any turn: periods may be lost, and the flag may fall (P8, C10)."""
    # The delay's and Bronstein's turn is not longer for it, so it neither shields nor is given back.
    away, endings = spent(replace(purse, turn_ns=_NO_DELAY_NS), ns)
    return replace(away, turn_ns=purse.turn_ns, used_ns=purse.used_ns), endings


_NO_DELAY_NS = 1 << 62


def set_to(
    purse: Purse,
    left_ns: int,
    *,
    stage: int | None = None,
    moves_left: int | None = None,
    periods_left: int | None = None,
) -> Purse:
    """The time, and where given the periods left, the stage (from 0) and its moves left, as set by hand (C10, C14).

    A stage that is given begins anew. More than a byo-yomi period's length is time before that period. Raises
    ValueError, one line, for what the allowance does not know.
    """
    allowance = purse.allowance
    if left_ns <= 0:
        raise ValueError("a time that is set must be more than nothing: rule the flag instead")
    if stage is not None and not 0 <= stage < len(allowance.stages):
        raise ValueError(f"there is no stage {stage}: the stages are 0 to {len(allowance.stages) - 1}")
    if periods_left is not None and (allowance.byo_yomi is None or periods_left < 1):
        raise ValueError("periods can be set only with byo-yomi, to 1 or more")
    if moves_left is not None and (stage is None or not _counts(allowance.stages[stage]) or moves_left < 1):
        raise ValueError(
            "moves left are set together with their stage, which must have a number of moves, to 1 or more"
        )
    if stage is not None:
        purse = _in_stage(purse, stage)
    if periods_left is not None:
        purse = replace(purse, periods_left=periods_left)
    elif purse.flagged and purse.periods_left == 0:
        purse = replace(purse, periods_left=1)
    if moves_left is not None:
        purse = replace(purse, moves_left=moves_left)
    if isinstance(purse.stage, ByoYomi):
        purse = replace(purse, counting=left_ns <= purse.stage.time_ns)
    return _given_anew(replace(purse, flagged=False), left_ns)


def _counts(stage: Stage) -> bool:
    return not isinstance(stage, ByoYomi) and stage.moves is not None


def halved(purse: Purse) -> tuple[Purse, Purse]:
    """A shared time as two: half of what is left each, an odd nanosecond to the second (C2)."""
    half_ns = purse.left_ns // 2
    return _given_anew(purse, half_ns), _given_anew(purse, purse.left_ns - half_ns)


def received(purse: Purse, ns: int) -> Purse:
    """What the other side of an hourglass used."""
    return purse if purse.flagged else _given(purse, ns)


def holding(purse: Purse, other: Purse) -> Purse:
    """Of a shared time there is as much as the ``other`` side has left of it."""
    return replace(purse, left_ns=other.left_ns, lowest_ns=other.lowest_ns)
