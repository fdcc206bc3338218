"""What a bouncing push button does, and what Linux makes of it: edges with known presses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

MICROSECOND, MILLISECOND = 1_000, 1_000_000
Level = tuple[int, bool]
"""The contact changed at this instant and is closed from then on, or open."""


@dataclass(frozen=True)
class Played:
    """Presses of one button: the instants at which the contact first closed, and every change of its level."""

    presses: list[int]
    levels: list[Level]


def played(random: Random, count: int, *, bouncy: float = 1.0) -> Played:
    """``count`` presses in a row, each with a train of 0.1 to 30 ms on its way down and one on its way up.

    A press is a tap of 5 to 50 ms or held for up to 2 s; the next begins at the earliest 120 ms after a tap's begin,
    or 36 ms after the chatter's end. ``bouncy``: the share of presses that bounce at all.
    """
    presses, levels, at_ns = [], [], 10**9
    for _ in range(count):
        tap = random.random() < 0.5
        held = random.randint(5 * MILLISECOND, 50 * MILLISECOND if tap else 2_000 * MILLISECOND)
        bounces = random.random() < bouncy
        down = _train(random, at_ns, min(held - 1, _length(random)), closed=True) if bounces else [(at_ns, True)]
        up_ns = at_ns + held
        chatter = _length(random) if bounces else 0
        up = _train(random, up_ns, chatter, closed=False) if bounces else [(up_ns, False)]
        presses.append(at_ns)
        levels += down + up
        pause = 36 * MILLISECOND if random.random() < 0.5 else random.randint(36, 5_000) * MILLISECOND
        at_ns = max(up[-1][0] + pause, at_ns + 120 * MILLISECOND)
    return Played(presses, levels)


def as_linux_tells(random: Random, levels: list[Level]) -> list[Level]:
    """The edges as Linux hands them on: stamped in the interrupt, the level read up to 0.3 ms later.

    The interrupt is masked until the level has been read; what changed meanwhile makes one more edge, stamped late.
    """
    told: list[Level] = []
    index, closed = 0, False
    while index < len(levels):
        stamp, closed = levels[index]
        index += 1
        while True:
            read_ns = stamp + random.randint(5 * MICROSECOND, 300 * MICROSECOND)
            before = index
            while index < len(levels) and levels[index][0] <= read_ns:
                closed = levels[index][1]
                index += 1
            told.append((stamp, closed))
            if index == before:
                break
            stamp = read_ns
    return told


def _length(random: Random) -> int:
    """How long a train lasts: short ones are as likely as long ones."""
    return int(100 * MICROSECOND * 300 ** random.random())


def _train(random: Random, begin_ns: int, length: int, *, closed: bool) -> list[Level]:
    """The contact goes over to ``closed`` at ``begin_ns`` and flutters, an even number of times, for ``length``."""
    flutters = 2 * random.randint(0, min(15, length // (4 * MICROSECOND)))
    instants = sorted({begin_ns + random.randint(1, length) for _ in range(flutters)})
    instants = instants[: len(instants) // 2 * 2]
    levels = [(begin_ns, closed)]
    for at_ns in instants:
        closed = not closed
        levels.append((at_ns, closed))
    return levels
