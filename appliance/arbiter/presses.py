"""What a press of a clock button does to the game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from appliance.arbiter import judging, lateness, occurrences, remedies, stones
from appliance.arbiter.protocol import PressMeaning
from appliance.arbiter.state import changed
from clock.press import Button
from clock.press import Press as ClockPress

if TYPE_CHECKING:
    from appliance.arbiter.facts import Press
    from appliance.arbiter.state import State


def pressed(state: State, press: Press) -> State:
    """A press; one by the side whose clock does not run only tells whose a stray stone is."""
    state = stones.stray_told(stones.given_up(state), press)
    state = state.clocked(ClockPress(button=Button(press.seat.value), at_ns=press.t_ns, error_ns=press.error_ns))
    told = state.clock.presses[-1]
    if told.ignored is not None:
        return state
    thought = told.took_ns
    state = changed(state, presses=(*state.presses, press), thought=(*state.thought, thought))
    laid = state.unpressed(press.seat)
    passed = state.passing is press.seat
    for move in laid:
        state = state.with_move(move, replace(move, press=press, thinking_ns=thought))
        if move.in_turn:
            state = lateness.judged(state, press, move)
    state = lateness.doubted(state, press)
    if laid:
        state = state.happened(occurrences.Pressed(t_ns=press.t_ns, seat=press.seat))
    if passed:
        return changed(state, passing=None)
    meaning = state.protocol.press_meaning(press.seat, has_laid=bool(laid))
    if meaning is PressMeaning.SWAP:
        state = changed(state, swaps=(*state.swaps, press))
    elif not laid:
        state = changed(state, open_presses=(*state.open_presses, press))
    match meaning:
        case PressMeaning.OFFER:
            state = judging.offered(state, press)
        case PressMeaning.STONE:
            state = judging.alone(state)
    state = changed(state, protocol=state.protocol.press(press.seat, has_laid=bool(laid)))
    return remedies.settled(state) if state.dues else state
