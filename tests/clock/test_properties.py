"""What holds for every control and any course of facts: nothing is lost, nothing rises by itself, flags are exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clock.control import Allowance, BonusKind, ByoYomi, Canadian, FirstIncrement, Period, Sharing, TimeControl
from clock.dual import DualClock, Step, told
from clock.events import FlagFell, Intervened, PeriodLost, Pressed, StageBegan
from clock.facts import AddTime, Fact, Resume, Start, Stop, TakeTime, Undo
from clock.purse import Purse, flag_after, opened, spent
from clock.reading import Reading
from clock.seats import Seat
from tests.clock.play import (
    FIRST,
    SECOND,
    T0,
    TIMES,
    allowances,
    controls,
    of_kind,
    own_controls,
    plain_controls,
    press,
    started,
)

GAPS = st.one_of(st.integers(1, 100), st.integers(1, 10**11), st.integers(1, 10**13))
SEATS = st.sampled_from(Seat)


EXAMPLES = settings(max_examples=35)
"""A course of facts is many examples in one."""


Maker = Callable[[int, Seat, int], Fact]
MAKERS: tuple[Maker, ...] = (
    *(lambda at_ns, seat, ns: press(seat, at_ns),) * 4,
    lambda at_ns, seat, ns: Stop(at_ns=at_ns, reason="a test"),
    lambda at_ns, seat, ns: Resume(at_ns=at_ns, reason="a test"),
    lambda at_ns, seat, ns: AddTime(at_ns=at_ns, reason="a test", seat=seat, ns=ns),
    lambda at_ns, seat, ns: TakeTime(at_ns=at_ns, reason="a test", seat=seat, ns=ns),
)


@st.composite
def courses(draw: st.DrawFn, most: int = 10) -> list[Fact]:
    """Facts after the start, each some time after the one before; presses are the most of them."""
    parts = draw(st.lists(st.tuples(st.sampled_from(MAKERS), GAPS, SEATS, TIMES), max_size=most))
    facts = []
    at_ns = T0
    for make, gap_ns, seat, ns in parts:
        at_ns += gap_ns
        facts.append(make(at_ns, seat, ns))
    return facts


def steps(clock: DualClock, facts: list[Fact]) -> Iterator[tuple[DualClock, Fact, Step]]:
    """The clock just before each fact, at its instant; the fact; and what became of it."""
    for fact in facts:
        step = clock.apply(fact)
        yield clock, fact, step
        clock = step[0]


# Time is conserved


@EXAMPLES
@given(controls(), courses())
def test_what_both_sides_used_is_what_passed_while_the_clock_ran(control: TimeControl, facts: list[Fact]) -> None:
    passed_ns = 0
    for clock, fact, (after, _) in steps(started(control), facts):
        passed_ns += fact.at_ns - clock.since_ns if clock.running else 0
        assert after.first.purse.used_ns + after.second.purse.used_ns == passed_ns


def in_hand(purse: Purse) -> int:
    """All the time that this side can lose before its flag falls, with the rules' words alone."""
    stages = purse.allowance.stages
    stage = stages[purse.index]
    if purse.flagged:
        return 0
    match stage:
        case ByoYomi():
            assert purse.periods_left is not None
            return purse.left_ns + (purse.periods_left - purse.counting) * stage.time_ns
        case Canadian():
            return purse.left_ns + (0 if purse.counting else stage.time_ns)
        case Period(moves=None):
            return purse.left_ns + from_stage(purse.allowance, purse.index + 1, purse.periods_left)
        case Period():
            return purse.left_ns


def from_stage(allowance: Allowance, index: int, periods_left: int | None) -> int:
    """What the stages from ``index`` hold before a move must have been made."""
    total_ns = 0
    for stage in allowance.stages[index:]:
        total_ns += stage.time_ns * (periods_left or 0) if isinstance(stage, ByoYomi) else stage.time_ns
        if isinstance(stage, Period) and stage.moves is not None:
            break
    return total_ns


def earned(purse: Purse) -> int:
    """By how much a move at this moment raises the time in hand."""
    stage = purse.stage
    if purse.flagged:
        return 0
    if isinstance(stage, ByoYomi):
        return stage.time_ns - purse.left_ns if purse.counting else 0
    gain = 0
    if isinstance(stage, Period) and stage.bonus is not None:
        first = purse.moves_made == 0 and purse.allowance.first_increment is FirstIncrement.NONE
        if stage.bonus.kind is BonusKind.INCREMENT and not first:
            gain = stage.bonus.time_ns
        if stage.bonus.kind is BonusKind.BRONSTEIN:
            gain = min(stage.bonus.time_ns, purse.turn_ns)
    if purse.moves_left == 1:
        if isinstance(stage, Canadian):
            gain += stage.time_ns - purse.left_ns
        elif purse.index + 1 == len(purse.allowance.stages):
            gain += stage.time_ns
        else:
            gain += from_stage(purse.allowance, purse.index + 1, purse.periods_left)
    return gain


def has_delay(allowance: Allowance) -> bool:
    return any(
        isinstance(stage, Period) and stage.bonus is not None and stage.bonus.kind is BonusKind.DELAY
        for stage in allowance.stages
    )


@EXAMPLES
@given(own_controls(), courses())
def test_each_side_loses_what_passed_on_it_and_gains_what_its_moves_and_the_referee_gave(
    control: TimeControl, facts: list[Fact]
) -> None:
    """The time in hand, that is until the flag if no move is made, balances to the nanosecond.

    Passing time takes as much as passes (a delay's part of it nothing) until nothing is left. A move gives its
    increment, what Bronstein gives back, a byo-yomi period or Canadian time made whole, and the stages it opens. What
    the referee adds and takes is added and taken; time added in byo-yomi also makes the running period whole.
    """
    for clock, fact, (after, _) in steps(started(control), facts):
        passed_ns = fact.at_ns - clock.since_ns
        for seat in Seat:
            before, purse = clock.side(seat).purse, after.side(seat).purse
            hand_ns = in_hand(before)
            ran = clock.running is seat
            moved = purse.moves_made > before.moves_made
            at_fact, _ = spent(before, passed_ns if ran else 0)
            lost_ns = hand_ns - in_hand(at_fact)
            if not ran:
                assert lost_ns == 0
            elif has_delay(before.allowance):
                assert 0 <= lost_ns <= passed_ns
            else:
                assert lost_ns == min(passed_ns, hand_ns)
            assert at_fact.flagged == (in_hand(at_fact) == 0)
            expected_ns = in_hand(at_fact) + (earned(at_fact) if moved else 0)
            if isinstance(fact, AddTime) and fact.seat is seat:
                stage = at_fact.stage
                if isinstance(stage, ByoYomi) and at_fact.counting:
                    expected_ns += stage.time_ns - at_fact.left_ns
                if at_fact.flagged and not isinstance(stage, ByoYomi):
                    # The stage in which the flag fell goes on, and what follows it.
                    expected_ns = in_hand(replace(at_fact, flagged=False))
                expected_ns += fact.ns
            if isinstance(fact, TakeTime) and fact.seat is seat:
                expected_ns = max(0, expected_ns - fact.ns)
            assert in_hand(purse) == expected_ns


@EXAMPLES
@given(plain_controls(), courses())
def test_an_hourglass_and_a_shared_time_hold_their_sum(control: TimeControl, facts: list[Fact]) -> None:
    """Hourglass: what one side uses the other gains. Shared: what either uses, both have less. Until a flag falls."""
    first_ns, second_ns = opened(control.first).left_ns, opened(control.second).left_ns
    for clock, fact, (after, _) in steps(started(control), facts):
        ran = clock.running
        passed_ns = fact.at_ns - clock.since_ns if ran else 0
        if ran and clock.reading(fact.at_ns).face(ran).flagged:
            return
        given_ns = fact.ns if isinstance(fact, AddTime) else -fact.ns if isinstance(fact, TakeTime) else 0
        if control.sharing is Sharing.SHARED:
            first_ns = second_ns = first_ns - passed_ns + given_ns
        else:
            gained_ns = passed_ns if ran is SECOND else -passed_ns
            first_ns, second_ns = first_ns + gained_ns, second_ns - gained_ns
            first_ns += given_ns if isinstance(fact, AddTime | TakeTime) and fact.seat is FIRST else 0
            second_ns += given_ns if isinstance(fact, AddTime | TakeTime) and fact.seat is SECOND else 0
        if first_ns <= 0 or second_ns <= 0:
            return
        assert (after.first.purse.left_ns, after.second.purse.left_ns) == (first_ns, second_ns)


# Nothing rises without a cause


@EXAMPLES
@given(controls(), courses(), st.lists(st.integers(0, 1000), max_size=4))
def test_no_reading_rises_without_a_cause(control: TimeControl, facts: list[Fact], parts: list[int]) -> None:
    """Causes: the seat's own press, a stage that begins, a period that is lost, the referee, an hourglass."""
    shown: Reading | None = None
    for clock, fact, (after, events) in steps(started(control), facts):
        gap_ns = fact.at_ns - clock.since_ns
        instants = sorted(clock.since_ns + gap_ns * part // 1000 for part in parts)
        readings = [clock.reading(at_ns) for at_ns in instants]
        for reading in (*readings, after.reading(fact.at_ns)):
            for seat in Seat if shown else ():
                assert shown is not None
                caused = any(
                    isinstance(event, Intervened)
                    or (isinstance(event, Pressed | StageBegan | PeriodLost) and event.seat is seat)
                    for event in events
                )
                gains = control.sharing is Sharing.HOURGLASS and clock.running is seat.other
                both = control.sharing is Sharing.SHARED and any(isinstance(event, Intervened) for event in events)
                assert caused or gains or both or reading.face(seat).left_ns <= shown.face(seat).left_ns
            shown = reading


# Asking does not change the answer


@EXAMPLES
@given(allowances(), st.lists(GAPS, min_size=1, max_size=6))
def test_time_may_pass_in_one_piece_or_in_many(allowance: Allowance, parts: list[int]) -> None:
    whole, at_once = spent(opened(allowance), sum(parts))
    purse, passed_ns = opened(allowance), 0
    in_parts = []
    for part in parts:
        purse, endings = spent(purse, part)
        in_parts += [(passed_ns + ending.after_ns, ending.lapse) for ending in endings]
        passed_ns += part
    assert purse == whole
    assert in_parts == [(ending.after_ns, ending.lapse) for ending in at_once]


@EXAMPLES
@given(controls(), courses(), GAPS, SEATS)
def test_an_ignored_press_changes_no_time(control: TimeControl, facts: list[Fact], gap_ns: int, seat: Seat) -> None:
    clock, _ = told(started(control), facts)
    at_ns = clock.since_ns + gap_ns
    if clock.running is seat:
        seat = seat.other
    after, _ = clock.apply(press(seat, at_ns))
    assert after.presses[-1].ignored is not None
    for later_ns in (at_ns, at_ns + 1, at_ns + gap_ns):
        assert after.reading(later_ns) == clock.reading(later_ns)


# Flags are exact


@EXAMPLES
@given(controls(), courses())
def test_every_control_reaches_its_flag_at_the_exact_nanosecond(control: TimeControl, facts: list[Fact]) -> None:
    clock, _ = told(started(control), facts)
    seat, flag_ns = clock.running, clock.flag_ns()
    if seat is None or flag_ns is None:
        assert seat is None or clock.reading(clock.since_ns).face(seat).flagged
        return
    if flag_ns > clock.since_ns:
        just = clock.reading(flag_ns - 1).face(seat)
        assert (just.flagged, just.left_ns) == (False, 1)
    fallen = clock.reading(flag_ns + (flag_ns == clock.since_ns)).face(seat)
    assert (fallen.flagged, fallen.left_ns) == (True, 0)
    _, events = clock.apply(press(seat, flag_ns + 10**15))
    assert [event.at_ns for event in of_kind(events, FlagFell)] == [flag_ns]


@EXAMPLES
@given(allowances(), GAPS)
def test_the_flag_falls_after_all_the_time_there_is(allowance: Allowance, ns: int) -> None:
    purse = opened(allowance)
    after_ns = flag_after(purse)
    assert after_ns is not None
    assert spent(purse, ns)[0].flagged == (ns >= after_ns)


# Undo


@EXAMPLES
@given(controls(), courses(), GAPS, GAPS)
def test_press_and_undo_restore_everything(
    control: TimeControl, facts: list[Fact], took_ns: int, later_ns: int
) -> None:
    clock, _ = told(started(control), facts)
    seat = clock.running
    if seat is None:
        return
    at_ns = clock.since_ns + took_ns
    pressed, _ = clock.apply(press(seat, at_ns))
    undone, _ = pressed.apply(Undo(at_ns=at_ns + later_ns, reason="pressed by mistake"))
    # As if the clock had been told something else at that instant that changes nothing.
    instead, _ = clock.apply(press(seat.other, at_ns))
    assert (undone.first.purse, undone.second.purse) == (instead.first.purse, instead.second.purse)
    assert (undone.turn, undone.running, undone.undoable) == (instead.turn, instead.running, instead.undoable)


# The order of facts


@EXAMPLES
@given(controls(), courses(most=8), st.randoms(use_true_random=False))
def test_facts_told_in_any_order_make_one_clock(control: TimeControl, facts: list[Fact], random: object) -> None:
    shuffled = [Start(at_ns=T0), *facts]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    fresh = DualClock.of(control)
    assert told(fresh, shuffled) == told(fresh, [Start(at_ns=T0), *facts])


@EXAMPLES
@given(controls(), courses(), st.integers(1, 10**12))
def test_a_late_fact_is_refused_and_changes_nothing(control: TimeControl, facts: list[Fact], before_ns: int) -> None:
    clock, _ = told(started(control), facts)
    as_it_was = replace(clock)
    with pytest.raises(ValueError, match="belongs before") as refused:
        clock.apply(press(FIRST, clock.since_ns - before_ns))
    assert "\n" not in str(refused.value)
    assert clock == as_it_was


@EXAMPLES
@given(controls(), courses(), GAPS)
def test_both_buttons_at_once_are_one_move_in_either_order(
    control: TimeControl, facts: list[Fact], gap_ns: int
) -> None:
    clock, _ = told(started(control), facts)
    at_ns = clock.since_ns + gap_ns
    one, other = press(FIRST, at_ns), press(SECOND, at_ns)
    this, _ = clock.apply(one)[0].apply(other)
    that, _ = clock.apply(other)[0].apply(one)
    assert replace(this, presses=()) == replace(that, presses=())
    assert sum(pressed.ignored is None for pressed in this.presses) <= 1 + sum(
        pressed.ignored is None for pressed in clock.presses
    )
