"""What a clock has to say when it is put away: both sides' times and moves, and whose flag fell first, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from appliance.plain_clock.records import exactly, shortly
from clock.seats import Seat

if TYPE_CHECKING:
    from clock.dual import DualClock
    from clock.falls import Fall


def summary_data(clock: DualClock) -> dict[str, Any]:
    """One JSON object; instants of flags are nanoseconds since the clock was started."""
    sides = {seat.value: _side_data(clock, seat) for seat in Seat}
    first = clock.first_fall(clock.since_ns)
    fallen = None if first is None else {"seat": first.seat, "certain": first.certain}
    return {"type": "summary", "at_ns": clock.since_ns, **sides, "first_fall": fallen}


def summary_lines(clock: DualClock) -> list[str]:
    """The same in words."""
    if clock.started_ns is None:
        return ["The clock was not started."]
    lines = [_side_line(clock, seat) for seat in Seat]
    first = clock.first_fall(clock.since_ns)
    if first is not None:
        who = "Both flags fell at one instant" if first.seat is None else f"The flag of {first.seat} fell first"
        both = clock.first.fall and clock.second.fall
        if not both:
            who = f"The flag of {first.seat} fell"
        sure = "." if first.certain else ", but not by more than the presses' instants may be off: it cannot be told."
        lines.append(who + sure)
    return lines


def _side_data(clock: DualClock, seat: Seat) -> dict[str, Any]:
    side = clock.side(seat)
    purse, fall = side.purse, side.fall
    return {
        "used_ns": purse.used_ns,
        "left_ns": purse.left_ns,
        "moves": purse.moves_made,
        "periods_left": purse.periods_left,
        "flag": None if fall is None else {"after_ns": _after(clock, fall), "error_ns": fall.error_ns},
    }


def _side_line(clock: DualClock, seat: Seat) -> str:
    side = clock.side(seat)
    purse, fall = side.purse, side.fall
    moves = f"{purse.moves_made} move{'' if purse.moves_made == 1 else 's'}"
    line = f"{seat:6}  {moves:>9}  used {shortly(purse.used_ns):>11}  left {shortly(purse.left_ns):>11}"
    if purse.periods_left is not None:
        line += f"  periods {purse.periods_left}"
    if fall is not None:
        line += f"  flag at {exactly(_after(clock, fall))} ± {fall.error_ns / 1e6:g} ms"
    return line


def _after(clock: DualClock, fall: Fall) -> int:
    assert clock.started_ns is not None
    return fall.at_ns - clock.started_ns
