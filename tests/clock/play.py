"""Games on the clock for the tests: short words for facts, played in seconds from an odd instant."""

from __future__ import annotations

from hypothesis import strategies as st

from clock.control import (
    Allowance,
    Bonus,
    BonusKind,
    ByoYomi,
    Canadian,
    FirstIncrement,
    Lateness,
    Period,
    Sharing,
    Stage,
    TimeControl,
)
from clock.dual import DualClock
from clock.events import Event, Pressed
from clock.facts import Start
from clock.notation import parse
from clock.press import Button, Press
from clock.reading import Reading
from clock.seats import Seat

FIRST, SECOND = Seat
S = 1_000_000_000
MIN = 60 * S
T0 = 86_399_000_000_007
"""When games start: a day of uptime, and nothing round."""

_BUTTONS = {FIRST: Button.FIRST, SECOND: Button.SECOND}


def press(seat: Seat, at_ns: int, error_ns: int = 0) -> Press:
    return Press(button=_BUTTONS[seat], at_ns=at_ns, error_ns=error_ns)


def started(
    control: str | TimeControl, late: Lateness | None = None, absent: frozenset[Seat] = frozenset()
) -> DualClock:
    """A clock that was started at T0."""
    clock, _ = DualClock.of(parse(control) if isinstance(control, str) else control, late).apply(
        Start(at_ns=T0, absent=absent)
    )
    return clock


def play(clock: DualClock, *took_s: int) -> DualClock:
    """The side whose turn it is moves after so many seconds, then the other, and so on."""
    at_ns = clock.since_ns
    for seconds in took_s:
        at_ns += seconds * S
        clock, _ = clock.apply(press(clock.turn, at_ns))
    return clock


def lefts(clock: DualClock) -> list[tuple[Seat, int]]:
    """Whole seconds left after each press that took effect."""
    done = [pressed for pressed in clock.presses if pressed.ignored is None]
    assert all(pressed.left_ns % S == 0 for pressed in done)
    return [(pressed.seat, pressed.left_ns // S) for pressed in done]


def shown(reading: Reading) -> tuple[int, int]:
    """Whole seconds left, first and second."""
    assert reading.first.left_ns % S == reading.second.left_ns % S == 0
    return reading.first.left_ns // S, reading.second.left_ns // S


def of_kind(events: tuple[Event, ...], *kinds: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kinds)]


def taken_effect(clock: DualClock) -> list[Pressed]:
    return [pressed for pressed in clock.presses if pressed.ignored is None]


# Any control

TIMES = st.one_of(st.integers(1, 100), st.integers(1, 100).map(lambda s: s * S), st.integers(1, 10**13))


def bonuses(kinds: tuple[BonusKind, ...] = tuple(BonusKind)) -> st.SearchStrategy[Bonus]:
    return st.builds(Bonus, kind=st.sampled_from(kinds), time_ns=TIMES)


def periods() -> st.SearchStrategy[Period]:
    return st.builds(Period, time_ns=TIMES, moves=st.none() | st.integers(2, 5), bonus=st.none() | bonuses())


@st.composite
def allowances(draw: st.DrawFn) -> Allowance:
    stages: list[Stage] = draw(st.lists(periods(), max_size=3))
    last = draw(
        st.one_of(
            periods(),
            st.builds(ByoYomi, periods=st.integers(1, 5), time_ns=TIMES),
            st.builds(Canadian, moves=st.integers(1, 5), time_ns=TIMES),
        )
    )
    stages.append(last)
    fischer = isinstance(stages[0], Period) and stages[0].bonus and stages[0].bonus.kind is BonusKind.INCREMENT
    first_increment = draw(st.sampled_from(FirstIncrement)) if fischer else FirstIncrement.AFTER
    return Allowance(stages=tuple(stages), first_increment=first_increment)


@st.composite
def plain_controls(draw: st.DrawFn) -> TimeControl:
    first = Allowance(stages=(Period(time_ns=draw(TIMES)),))
    if draw(st.booleans()):
        return TimeControl(first=first, second=first, sharing=Sharing.SHARED)
    second = Allowance(stages=(Period(time_ns=draw(TIMES)),))
    return TimeControl(first=first, second=second, sharing=Sharing.HOURGLASS)


def own_controls() -> st.SearchStrategy[TimeControl]:
    """Each side with its own time; often the same for both."""
    return allowances().flatmap(
        lambda first: st.builds(TimeControl, first=st.just(first), second=st.just(first) | allowances())
    )


def controls() -> st.SearchStrategy[TimeControl]:
    return own_controls() | plain_controls()
