"""The dual clock: presses, the referee's hand, the order of facts, both flags."""

from __future__ import annotations

from itertools import permutations

import pytest

from clock.dual import DualClock, told
from clock.events import FlagFell, Ignored, Intervened, NothingDone
from clock.facts import AddTime, Fact, Resume, SetTime, Split, Start, Stop, TakeTime, Undo, order
from clock.falls import FirstFall
from clock.notation import parse
from clock.press import Button, Press
from tests.clock.play import FIRST, MIN, SECOND, T0, S, of_kind, play, press, shown, started


def told_one(clock: DualClock, fact: Fact) -> DualClock:
    return clock.apply(fact)[0]


# Presses


def test_a_press_by_the_side_that_does_not_run_is_recorded_and_does_nothing() -> None:
    clock = play(started("30m"), 10)
    after = told_one(clock, press(FIRST, T0 + 12 * S, error_ns=3))
    (_, extra) = after.presses
    assert (extra.seat, extra.at_ns, extra.error_ns, extra.ignored) == (FIRST, T0 + 12 * S, 3, Ignored.NOT_RUNNING)
    assert (extra.took_ns, extra.left_ns, extra.moves_made) == (0, 1790 * S, 1)
    for at_ns in (T0 + 12 * S, T0 + 60 * S):
        assert after.reading(at_ns) == clock.reading(at_ns)


def test_every_press_is_kept_with_its_time() -> None:
    clock = play(started("30m"), 10, 20, 30)
    assert [(p.seat, p.at_ns - T0, p.took_ns, p.moves_made) for p in clock.presses] == [
        (FIRST, 10 * S, 10 * S, 1),
        (SECOND, 30 * S, 20 * S, 1),
        (FIRST, 60 * S, 30 * S, 2),
    ]


def test_both_buttons_at_one_instant() -> None:
    """The side that ran has moved; the other's press does nothing: in whichever order they are told."""
    clock = play(started("5m+3s"), 10)
    both = [press(SECOND, T0 + 15 * S), press(FIRST, T0 + 15 * S)]
    ends = []
    for facts in permutations(both):
        after = clock
        for fact in facts:
            after = told_one(after, fact)
        ends.append((after.first, after.second, after.running))
        assert {(p.seat, p.ignored is None) for p in after.presses[1:]} == {(SECOND, True), (FIRST, False)}
    assert ends[0] == ends[1]
    assert ends[0][2] is FIRST


def test_a_press_before_the_start_or_while_stopped_does_nothing() -> None:
    clock = told_one(DualClock.of(parse("30m")), press(FIRST, T0 - S))
    assert clock.presses[0].ignored is Ignored.NOT_STARTED
    clock = told_one(clock, Start(at_ns=T0))
    clock = told_one(clock, Stop(at_ns=T0 + 10 * S, reason="a claim"))
    clock = told_one(clock, press(FIRST, T0 + 20 * S))
    assert clock.presses[1].ignored is Ignored.STOPPED
    assert shown(clock.reading(T0 + 3600 * S)) == (1790, 1800)
    assert clock.flag_ns() is None


def test_the_referees_buttons_are_no_presses_of_the_clock() -> None:
    with pytest.raises(ValueError, match="the button stop is the referee's"):
        started("30m").apply(Press(button=Button.STOP, at_ns=T0 + 1))


def test_before_the_start_the_clock_shows_what_was_set() -> None:
    reading = DualClock.of(parse("15m; 3x30s vs 5m+3s first=start")).reading(T0)
    assert shown(reading) == (900, 303)
    assert (reading.running, reading.started) == (None, False)
    assert (reading.first.periods_left, reading.second.periods_left) == (3, None)


# The order of facts


def test_a_fact_from_before_the_newest_is_refused() -> None:
    clock = play(started("30m"), 10, 20)
    with pytest.raises(ValueError, match="belongs before"):
        clock.apply(press(FIRST, T0 + 29 * S))
    with pytest.raises(ValueError, match="cannot go back"):
        clock.reading(T0 + 29 * S)


def test_at_one_instant_presses_come_before_the_referee() -> None:
    """Pressed as the referee stops: the move is made, and the other side's clock stands still."""
    stop: Fact = Stop(at_ns=T0 + 10 * S, reason="a claim")
    pressed = press(FIRST, T0 + 10 * S)
    assert order(pressed) < order(stop)
    clock, _ = told(started("30m"), [stop, pressed])
    assert (clock.turn, clock.ticking, shown(clock.reading(T0 + 60 * S))) == (SECOND, False, (1790, 1800))
    with pytest.raises(ValueError, match="belongs before"):
        told_one(started("30m"), stop).apply(pressed)


def test_the_referees_facts_of_one_instant_keep_their_order() -> None:
    at_ns = T0 + 10 * S
    clock, _ = told(
        started("30m"),
        [
            Stop(at_ns=at_ns, reason="wrong time"),
            SetTime(at_ns=at_ns, reason="wrong time", seat=FIRST, left_ns=600 * S),
            AddTime(at_ns=at_ns, reason="and a minute", seat=FIRST, ns=MIN),
            Resume(at_ns=at_ns, reason="done"),
        ],
    )
    assert shown(clock.reading(at_ns + 5 * S)) == (655, 1800)


def test_a_press_known_late_is_put_in_its_place() -> None:
    facts: list[Fact] = [
        press(FIRST, T0 + 10 * S),
        press(FIRST, T0 + 50 * S),
        Stop(at_ns=T0 + 60 * S, reason="a claim"),
    ]
    clock, _ = told(started("30m"), facts)
    assert [p.ignored for p in clock.presses] == [None, Ignored.NOT_RUNNING]
    clock, _ = told(started("30m"), [*facts, press(SECOND, T0 + 30 * S)])
    assert [p.ignored for p in clock.presses] == [None, None, None]
    # First 10 + 20 s, second 20 + 10 s.
    assert shown(clock.reading(T0 + 60 * S)) == (1770, 1770)


def test_a_flag_comes_before_the_facts_of_its_instant() -> None:
    clock, events = started("10s").apply(AddTime(at_ns=T0 + 10 * S, reason="too late", seat=FIRST, ns=5 * S))
    assert [type(event) for event in events] == [FlagFell, Intervened]
    assert clock.reading(T0 + 12 * S).first.left_ns == 3 * S


def test_what_time_does_is_told_once_by_apply_and_whenever_asked_by_due() -> None:
    clock = started("10s")
    fell = FlagFell(at_ns=T0 + 10 * S, seat=FIRST, error_ns=0)
    assert clock.next_due_ns() == T0 + 10 * S
    assert clock.due(T0, T0 + 10 * S - 1) == ()
    assert clock.due(T0, T0 + 10 * S) == (fell,)
    assert clock.due(T0 + 10 * S, T0 + 99 * S) == ()
    assert clock.due(0, T0 - 1) == ()
    clock, events = clock.apply(press(FIRST, T0 + 11 * S))
    assert of_kind(events, FlagFell) == [fell]
    clock, events = clock.apply(press(SECOND, T0 + 12 * S))
    assert of_kind(events, FlagFell) == []
    assert clock.next_due_ns() is None


# The referee (C10)


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_a_reason_is_required(reason: str) -> None:
    at_ns = T0 + S
    for make in (
        lambda: Stop(at_ns=at_ns, reason=reason),
        lambda: Resume(at_ns=at_ns, reason=reason),
        lambda: SetTime(at_ns=at_ns, reason=reason, seat=FIRST, left_ns=1),
        lambda: AddTime(at_ns=at_ns, reason=reason, seat=FIRST, ns=1),
        lambda: TakeTime(at_ns=at_ns, reason=reason, seat=FIRST, ns=1),
        lambda: Undo(at_ns=at_ns, reason=reason),
        lambda: Split(at_ns=at_ns, reason=reason),
    ):
        with pytest.raises(ValueError, match="give the reason") as refused:
            make()
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("ns", [0, -1])
def test_no_time_can_be_neither_added_nor_taken(ns: int) -> None:
    for kind in (AddTime, TakeTime):
        with pytest.raises(ValueError, match="more than nothing"):
            kind(at_ns=T0, reason="P8", seat=FIRST, ns=ns)


def test_times_before_and_after_are_told_with_the_reason() -> None:
    clock = play(started("30m"), 10)
    fact = AddTime(at_ns=T0 + 15 * S, reason="P8", seat=FIRST, ns=2 * MIN)
    _, (event,) = clock.apply(fact)
    assert isinstance(event, Intervened)
    assert event.fact is fact
    assert (shown(event.before), shown(event.after)) == ((1790, 1795), (1910, 1795))


def test_the_clock_goes_on_where_it_was_stopped() -> None:
    clock = play(started("30m"), 10)
    clock = told_one(clock, Stop(at_ns=T0 + 15 * S, reason="a claim"))
    clock = told_one(clock, Resume(at_ns=T0 + 100 * S, reason="dismissed"))
    clock = play(clock, 7)
    # The turn took 5 s before the stop and 7 s after it.
    assert clock.presses[-1].took_ns == 12 * S
    assert shown(clock.reading(clock.since_ns)) == (1790, 1788)


def test_the_referee_may_give_the_turn_to_the_other_side() -> None:
    """As after an adjournment (C13): the sealed move is played, and the other clock starts."""
    clock = told_one(started("30m"), Stop(at_ns=T0 + 10 * S, reason="adjourned"))
    clock = told_one(clock, Resume(at_ns=T0 + 20 * S, reason="resumed", turn=SECOND))
    assert clock.running is SECOND
    clock = play(clock, 5)
    assert shown(clock.reading(clock.since_ns)) == (1790, 1795)


@pytest.mark.parametrize(
    ("clock", "fact"),
    [
        (started("30m"), Resume(at_ns=T0 + 1, reason="x")),
        (DualClock.of(parse("30m")), Stop(at_ns=T0 + 1, reason="x")),
        (DualClock.of(parse("30m")), Resume(at_ns=T0 + 1, reason="x")),
        (started("30m"), Undo(at_ns=T0 + 1, reason="x")),
        (started("30m"), Split(at_ns=T0 + 1, reason="x")),
        (started("shared 0.000000002s"), Split(at_ns=T0 + 1, reason="x")),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(clock: DualClock, fact: Fact) -> None:
    before = clock.reading(T0 + 1)
    after, events = clock.apply(fact)
    assert [type(event) for event in events] == [NothingDone]
    assert after.reading(T0 + 1) == before


def test_a_time_is_set_with_all_that_belongs_to_it() -> None:
    """A faulty clock is replaced in the middle of byo-yomi (C14)."""
    clock = started("15m; 3x30s")
    clock = told_one(
        clock, SetTime(at_ns=T0 + 5 * S, reason="C14", seat=SECOND, left_ns=20 * S, stage=1, periods_left=2)
    )
    face = clock.reading(T0 + 5 * S).second
    assert (face.left_ns, face.periods_left, face.counting) == (20 * S, 2, True)
    clock = play(told_one(clock, press(FIRST, T0 + 6 * S)), 19)
    assert clock.reading(clock.since_ns).second.left_ns == 30 * S
    # More than a period holds is time before it.
    clock = told_one(clock, SetTime(at_ns=clock.since_ns, reason="C14", seat=SECOND, left_ns=31 * S))
    assert clock.reading(clock.since_ns).second.counting is False
    clock = told_one(
        started("10m; 10/5m"),
        SetTime(at_ns=T0 + 1, reason="C14", seat=FIRST, left_ns=100 * S, stage=1, moves_left=4),
    )
    face = clock.reading(T0 + 1).first
    assert (face.left_ns, face.moves_left) == (100 * S, 4)


@pytest.mark.parametrize(
    ("control", "settings", "why"),
    [
        ("30m", {"left_ns": 0}, "more than nothing"),
        ("30m", {"left_ns": 1, "stage": 1}, "there is no stage 1: the stages are 0 to 0"),
        ("30m", {"left_ns": 1, "stage": -1}, "there is no stage -1"),
        ("30m", {"left_ns": 1, "periods_left": 1}, "only with byo-yomi"),
        ("30m; 3x30s", {"left_ns": 1, "periods_left": 0}, "only with byo-yomi, to 1 or more"),
        ("30m; 10/5m", {"left_ns": 1, "moves_left": 3}, "together with their stage"),
        ("30m; 10/5m", {"left_ns": 1, "stage": 0, "moves_left": 3}, "together with their stage"),
        ("30m; 10/5m", {"left_ns": 1, "stage": 1, "moves_left": 0}, "together with their stage"),
    ],
)
def test_what_the_control_does_not_know_cannot_be_set(control: str, settings: dict[str, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        started(control).apply(SetTime(at_ns=T0 + 1, reason="C14", seat=FIRST, **settings))


@pytest.mark.parametrize("control", ["30s", "15s; 1x15s", "canadian 5/30s", "2/30s", "shared 30s"])
def test_time_that_is_given_raises_a_fallen_flag(control: str) -> None:
    clock = started(control)
    for fact in (
        AddTime(at_ns=T0 + 40 * S, reason="the flag was wrong", seat=FIRST, ns=10 * S),
        SetTime(at_ns=T0 + 40 * S, reason="the flag was wrong", seat=FIRST, left_ns=10 * S),
    ):
        after = told_one(clock, fact)
        assert after.first_fall(T0 + 40 * S) is None
        face = after.reading(T0 + 40 * S).first
        assert (face.flagged, face.left_ns) == (False, 10 * S)
        assert after.reading(T0 + 49 * S).first.left_ns == S


# Undo


@pytest.mark.parametrize(
    "control",
    [
        "30m",
        "60s; 3x30s",
        "5m+3s",
        "5m bronstein 3s",
        "5m delay 3s",
        "hourglass 5m",
        "shared 5m",
        "2/1m",
        "canadian 2/2m",
    ],
)
def test_an_undone_press_gives_both_times_back(control: str) -> None:
    clock = play(started(control), 40, 35)
    at_press = clock.reading(clock.since_ns + 50 * S)
    pressed = play(clock, 50)
    undone = told_one(pressed, Undo(at_ns=pressed.since_ns + 20 * S, reason="pressed by mistake"))
    again = undone.reading(undone.since_ns)
    assert (again.first, again.second, again.running) == (at_press.first, at_press.second, FIRST)
    # And the turn goes on as if nothing had been between: 50 s and 7 s.
    assert play(undone, 7).presses[-1].took_ns == 57 * S
    # Undoing once more gives back the second's turn.
    twice = told_one(undone, Undo(at_ns=undone.since_ns + S, reason="and the one before"))
    assert twice.running is SECOND
    assert twice.reading(twice.since_ns).second == play(started(control), 40).reading(T0 + 75 * S).second


def test_an_undo_raises_the_flag_that_fell_after_the_press() -> None:
    clock = play(started("30s"), 20)
    undone = told_one(clock, Undo(at_ns=T0 + 60 * S, reason="pressed by mistake"))
    reading = undone.reading(T0 + 60 * S)
    assert shown(reading) == (10, 30)
    assert not reading.second.flagged


def test_after_a_correction_there_is_nothing_to_undo() -> None:
    """Else the undo would take back the correction too."""
    clock = play(started("30m"), 20)
    for fact in (
        AddTime(at_ns=T0 + 30 * S, reason="P8", seat=FIRST, ns=MIN),
        TakeTime(at_ns=T0 + 30 * S, reason="P8", seat=FIRST, ns=MIN),
        SetTime(at_ns=T0 + 30 * S, reason="C14", seat=FIRST, left_ns=MIN),
    ):
        _, events = told_one(clock, fact).apply(Undo(at_ns=T0 + 40 * S, reason="pressed by mistake"))
        assert [type(event) for event in events] == [NothingDone]


# Both flags (D4)


def fallen(error_ns: int, ran_on_ns: int) -> DualClock:
    """First presses 30 s and ``ran_on_ns`` after the start, second never."""
    return told_one(started("30s"), press(FIRST, T0 + 30 * S + ran_on_ns, error_ns))


@pytest.mark.parametrize(
    ("error_ns", "ran_on_ns", "certain"),
    [(0, 1, True), (1000, 1001, True), (1000, 1000, False), (1000, 1, False)],
)
def test_whose_flag_fell_first_and_whether_that_is_beyond_the_error(
    error_ns: int, ran_on_ns: int, certain: bool
) -> None:
    clock = fallen(error_ns, ran_on_ns)
    assert clock.first_fall(clock.since_ns) == FirstFall(seat=FIRST, certain=certain)
    # Half a minute later the second's flag is down as well; the first's still fell first, if it fell at all.
    both = clock.reading(clock.since_ns + 30 * S)
    assert both.first.flagged
    assert both.second.flagged
    assert clock.first_fall(clock.since_ns + 40 * S) == FirstFall(seat=FIRST, certain=certain)


def test_later_turns_make_a_doubtful_fall_no_surer() -> None:
    clock = play(fallen(1000, 500), 5, 5, 5)
    assert clock.first_fall(clock.since_ns) == FirstFall(seat=FIRST, certain=False)


def test_the_turn_in_which_the_flag_fell_goes_on_whatever_is_told_meanwhile() -> None:
    clock = told_one(started("30s"), press(SECOND, T0 + 30 * S + 600))
    clock = told_one(clock, press(FIRST, T0 + 30 * S + 1001, error_ns=1000))
    assert clock.first_fall(clock.since_ns) == FirstFall(seat=FIRST, certain=True)


@pytest.mark.parametrize(("ran_on_ns", "certain"), [(1400, False), (1401, True)])
def test_two_falls_closer_than_their_errors_cannot_be_told_apart(ran_on_ns: int, certain: bool) -> None:
    """First falls with 29 s from a stamp of ±1000 ns; second, whose own press that was, 600 ns after first's press."""
    clock = play(started("30s vs 1.0000006s"), 1)
    clock = told_one(clock, press(SECOND, T0 + 2 * S, error_ns=1000))
    clock = told_one(clock, press(FIRST, T0 + 31 * S + ran_on_ns))
    assert clock.first_fall(clock.since_ns + 599) == FirstFall(seat=FIRST, certain=True)
    assert clock.first_fall(clock.since_ns + 600) == FirstFall(seat=FIRST, certain=certain)


def test_the_errors_of_a_sides_stamps_add_up() -> None:
    clock = started("30s")
    for second, (seat, error_ns) in enumerate([(FIRST, 5), (SECOND, 7), (FIRST, 11), (SECOND, 13)], 1):
        clock = told_one(clock, press(seat, T0 + second * S, error_ns))
    # First ran from the exact start to ±5, from ±7 to ±11, and from ±13 on: 28 s from 4 s.
    (fell,) = clock.due(0, T0 + 99 * S)
    assert fell == FlagFell(at_ns=T0 + 32 * S, seat=FIRST, error_ns=36)
    assert clock.first_fall(T0 + 32 * S + 36) == FirstFall(seat=FIRST, certain=False)
    assert clock.first_fall(T0 + 32 * S + 37) == FirstFall(seat=FIRST, certain=True)


def test_both_flags_of_one_instant_cannot_be_told_apart() -> None:
    at_ns = T0 + 10 * S
    clock, _ = told(
        started("30s"),
        [TakeTime(at_ns=at_ns, reason="B 8", seat=seat, ns=MIN) for seat in (SECOND, FIRST)],
    )
    assert clock.first_fall(at_ns) == FirstFall(seat=None, certain=False)
    # With a nanosecond between them they can.
    clock, _ = told(
        started("30s"),
        [TakeTime(at_ns=at_ns + (seat is FIRST), reason="B 8", seat=seat, ns=MIN) for seat in (SECOND, FIRST)],
    )
    assert clock.first_fall(at_ns + 1) == FirstFall(seat=SECOND, certain=True)


def test_nobodys_flag_has_fallen() -> None:
    assert started("30s").first_fall(T0 + 30 * S - 1) is None


def test_set_times_are_free_of_the_errors_before() -> None:
    clock = play(started("30m"), 10)
    clock = told_one(clock, press(SECOND, T0 + 20 * S, error_ns=1000))
    clock = told_one(clock, SetTime(at_ns=T0 + 30 * S, reason="C14", seat=FIRST, left_ns=10 * S))
    assert clock.due(0, T0 + 99 * S) == (FlagFell(at_ns=T0 + 40 * S, seat=FIRST, error_ns=0),)
