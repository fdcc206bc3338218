"""What each fact makes of the game, and in which orders facts may be told where the camera leaves that open."""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from appliance.arbiter import deciding, lateness, presses, remedies, stones
from appliance.arbiter.consequences import in_square
from appliance.arbiter.facts import Decision, NoFrames, Outage, Press, TimePassed
from appliance.arbiter.ordering import Untold, may_be_next
from appliance.arbiter.outcomes import Standing
from appliance.arbiter.rulings import Certainty
from appliance.arbiter.state import Finding, State, changed, colour_of
from vision.acts import (
    BoardAct,
    BoardMoved,
    CameraCovered,
    Displaced,
    Dropped,
    Hand,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from appliance.arbiter.facts import Told
    from vision.observation import Intersection


def after(state: State, fact: Told) -> State:
    """The game after ``fact``."""
    match fact:
        case Press():
            return state if state.over or state.rebuilding is not None else presses.pressed(state, fact)
        case Decision():
            return _decided(state, fact)
        case NoFrames():
            return changed(state, gaps=(*state.gaps, (fact.from_ns, fact.t_ns)))
        case Outage():
            return _stood_still(state, fact)
        case TimePassed():
            return state.passed(fact.t_ns)
    state = _on_the_board(state, fact)
    return remedies.settled(state) if state.dues else state


def _on_the_board(state: State, act: BoardAct) -> State:
    if isinstance(act, Restored):
        return stones.restored(state)
    if state.over or state.rebuilding is not None or state.put_away:
        return stones.only_watched(state, act)
    match act:
        case Placed():
            state = stones.placed(state, act)
            return stones.asked_about(state, act) if act.beside else state
        case Relocated():
            return stones.relocated(state, act)
        case Removed():
            return stones.removed(state, act)
        case Dropped():
            return state.found(stones.dropped(state, act))
        case Displaced():
            return state.found(_notice("stone_displaced", state, act, [act.at]))
        case Straightened():
            # Whether it was announced, and by whom it was done, no camera sees.
            found = _notice("stones_straightened", state, act, act.points)
            return state.found(replace(found, certainty=Certainty.COULD_NOT_SEE))
        case BoardMoved():
            return state.found(_notice("board_moved", state, act))
        case Scattered():
            return stones.scattered(state, act)
        case CameraCovered():
            return state.found(_notice("camera_covered", state, act))
    raise TypeError(f"no way to take {type(act).__name__}")


def _notice(code: str, state: State, act: BoardAct, at: Iterable[Intersection] = ()) -> Finding:
    points = tuple(sorted(state.point(one) for one in at))
    return Finding(code=code, t_ns=act.bracket.by_ns, points=points, bracket=act.bracket)


def _decided(state: State, decision: Decision) -> State:
    try:
        return deciding.decided(state, decision)
    except ValueError as error:
        # It was possible when it was entered; what became known since, late, has made it void.
        reason = f"decision {decision.number} ({decision.act.what}) does not hold any more: {error}"
        return state.noted(state.ledger.outcome(decision.t_ns, "decision_void", None, Standing.REJECTED, reason))


def _stood_still(state: State, outage: Outage) -> State:
    """The clocks stand from the last known instant on; what happened meanwhile nobody saw (C14)."""
    state = state.stopped(outage.t_ns, "the box had no power")
    state = changed(state, gaps=(*state.gaps, (outage.t_ns, outage.until_ns)))
    return state.found(Finding(code="power_cut", t_ns=outage.t_ns, press_ns=outage.until_ns))


def settled(state: State, t_ns: int, takes_effect: frozenset[str]) -> State:
    """The game once the whole board was seen at ``t_ns``: no hidden stone can overturn what was found by then.

    ``takes_effect``: the codes that count with nobody raising them (the organiser's table, where there is no referee).
    """
    findings = tuple(replace(finding, settled=True) for finding in state.findings)
    state = changed(state, findings=findings)
    for finding in findings:
        if (
            finding.code in takes_effect
            and finding.certainty is Certainty.CERTAIN
            and finding.key not in state.verdicts
            and not state.over
        ):
            state = deciding.raised(state, t_ns, finding, by=finding.seat.other if finding.seat else None)
    return state


def closed(state: State) -> State:
    """The game when no more facts come: what waited for one is found as it stands."""
    return stones.given_up(stones.stray_told(state, None))


# In which order?


def tellings(state: State, facts: Sequence[Told]) -> Iterator[State]:
    """The ways to tell ``facts`` from ``state`` on, the likelier first: what is least strange so far is told on."""
    serial = count()
    begun = [(_promise(state), 0, next(serial), state, Untold.of(_by_one_hand(_without_doubles(facts))))]
    while begun:
        *_, state, left = heappop(begun)
        while left.facts:
            chosen = choices(state, may_be_next(left, state.frame_error_ns))
            if len(chosen) > 1:
                for fact in chosen:
                    told, others = after(state, fact), left.without(fact)
                    heappush(begun, (_promise(told), len(others.facts), next(serial), told, others))
                break
            left = left.without(chosen[0])
            state = after(state, chosen[0])
        else:
            yield state


def _without_doubles(facts: Sequence[Told]) -> list[Told]:
    """``facts`` without the leavings that a relocation tells as well."""
    moved = {(fact.origin, fact.left) for fact in facts if isinstance(fact, Relocated)}
    return [fact for fact in facts if not (isinstance(fact, Removed) and (fact.at, fact.bracket) in moved)]


def _by_one_hand(facts: Sequence[Told]) -> list[Told]:
    """``facts``, in which no hand is said to have brought two stones that were hidden at one time.

    One of them may be a blot that came meanwhile; not so if one hand hid both and let both be seen in the same frames.
    """
    brackets = [fact.bracket for fact in facts if isinstance(fact, Placed)]
    return [
        replace(fact, hand=Hand.NEAR)
        if isinstance(fact, Placed) and fact.hand is Hand.OVER and stones.shares_hand(fact.bracket, brackets)
        else fact
        for fact in facts
    ]


def choices(state: State, possible: Sequence[Told]) -> list[Told]:
    """Which of the ``possible`` next facts to take, the likelier first; more than one where all depends on it.

    What is in order goes before what is not, so that nobody is accused of more than he must have done. While the
    opening's protocol lasts, a press and a stone of the side that is to act may mean different things by their order
    (O3, O5); then both are to be tried.
    """
    best = min(possible, key=lambda fact: _readiness(state, fact))
    if not isinstance(best, Placed) or not state.protocol.open_ended:
        return [best]
    laid = [fact for fact in possible if isinstance(fact, Placed) and _readiness(state, fact) < 2]
    turn_ends = [fact for fact in possible if isinstance(fact, Press) and fact.seat is state.protocol.seat]
    return [*laid, *turn_ends[:1]] if turn_ends else [best]


def _readiness(state: State, fact: Told) -> int:
    """How well ``fact`` fits as the next one, where the camera leaves the order open: less is better."""
    match fact:
        case NoFrames() | Outage():
            return -3
        case Scattered():
            return -2  # the acts of the single stones come after it
        case Decision():
            return -1  # it rests on what was known by then
        case Restored():
            return 7  # and before this
        case Placed():
            if not state.protocol.may_lay(colour_of(fact.content)):
                return 5
            return 0 if in_square(state.point(fact.at), state.protocol.square, state.position.size) else 1
        case Press():
            if not state.unpressed(fact.seat):
                return 4 if fact.seat is state.running else 3
            # The turn is complete, unless its player is to lay more stones in it.
            return 3 if state.protocol.seat is fact.seat else -1
        case Removed():
            return 2 if state.position.at(state.point(fact.at)) is colour_of(fact.content) else 6
        case Relocated():
            return 2 if state.position.at(state.point(fact.origin)) is colour_of(fact.content) else 6
    return 2


def _promise(state: State) -> tuple[int, int]:
    """How soon to tell on from ``state``, the lower the sooner: any doubt counts here, or the orders are too many."""
    least, _ = strangeness(state)
    return least, sum(finding.certainty is not Certainty.CERTAIN for finding in state.findings)


def strangeness(state: State) -> tuple[int, int]:
    """How much in a game's telling is out of order or unexplained, and how much may be: the least strange is right.

    That a press may have come before its stone is said of every hidden stone, and speaks against no telling.
    """
    certain = sum(finding.certainty is Certainty.CERTAIN for finding in state.findings)
    doubtful = sum(
        finding.certainty is not Certainty.CERTAIN and finding.code != lateness.CODE for finding in state.findings
    )
    return certain + len(state.open_presses) + (state.stray is not None), doubtful
