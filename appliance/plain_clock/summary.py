"""What a clock has to say when it is put away: both sides' times and moves, whose flag fell and when, forfeits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from appliance.plain_clock.records import shortly, within
from clock.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Set
    from datetime import datetime

    from clock.dual import DualClock
    from clock.falls import Fall

Wall: TypeAlias = "Callable[[int], datetime]"
"""The wall's time at an instant of the monotonic clock."""


def summary_data(clock: DualClock, forfeits: Set[Seat], wall: Wall) -> dict[str, Any]:
    """One JSON object; instants of flags are nanoseconds since the clock was started, and times of day."""
    sides = {seat.value: _side_data(clock, seat, wall) for seat in Seat}
    first = clock.first_fall(clock.since_ns)
    fallen = None if first is None else {"seat": first.seat, "certain": first.certain}
    ended = {"at_ns": clock.since_ns, "time": _iso(wall(clock.since_ns))}
    return {"type": "summary", **ended, **sides, "first_fall": fallen, "forfeits": sorted(forfeits)}


def summary_lines(clock: DualClock, forfeits: Set[Seat], wall: Wall) -> list[str]:
    """The same in words."""
    if clock.started_ns is None:
        return ["The clock was not started."]
    lines = [_side_line(clock, seat) for seat in Seat]
    lines += [_fall_line(clock, seat, wall) for seat in Seat if clock.side(seat).fall]
    first = clock.first_fall(clock.since_ns)
    if first is not None and clock.first.fall and clock.second.fall:
        who = "Both flags fell at one instant" if first.seat is None else f"The {first.seat} player's fell first"
        sure = "." if first.certain else ", but not by more than the presses' instants may be off: it cannot be told."
        lines.append(who + sure)
    elif first is not None and not first.certain:
        lines.append("The press came so near to it that it may have been in time: it cannot be told.")
    lines += [f"The {seat} player came later than the limit, or not at all, and forfeits." for seat in sorted(forfeits)]
    return lines


def _side_data(clock: DualClock, seat: Seat, wall: Wall) -> dict[str, Any]:
    side = clock.side(seat)
    purse, fall = side.purse, side.fall
    flag = None
    if fall is not None:
        flag = {"after_ns": _after(clock, fall), "error_ns": fall.error_ns, "time": _iso(wall(fall.at_ns))}
    return {
        "used_ns": purse.used_ns,
        "left_ns": purse.left_ns,
        "moves": purse.moves_made,
        "periods_left": purse.periods_left,
        "flag": flag,
    }


def _iso(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds")


def _side_line(clock: DualClock, seat: Seat) -> str:
    purse = clock.side(seat).purse
    moves = f"{purse.moves_made} move{'' if purse.moves_made == 1 else 's'}"
    line = f"{seat:6}  {moves:>9}  used {shortly(purse.used_ns):>11}  left {shortly(purse.left_ns):>11}"
    return line if purse.periods_left is None else f"{line}  periods {purse.periods_left}"


def _fall_line(clock: DualClock, seat: Seat, wall: Wall) -> str:
    fall = clock.side(seat).fall
    assert fall is not None
    after = within(_after(clock, fall), fall.error_ns)
    return f"The flag of the {seat} player fell {after} after the start, at {wall(fall.at_ns):%H:%M:%S}."


def _after(clock: DualClock, fall: Fall) -> int:
    assert clock.started_ns is not None
    return fall.at_ns - clock.started_ns
