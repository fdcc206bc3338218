"""Every control against games worked out by hand. Times are in seconds; games start at T0."""

from __future__ import annotations

import pytest

from clock.dual import told
from clock.events import FlagFell, PeriodLost, StageBegan
from clock.facts import AddTime, Resume, Split, Stop, TakeTime
from clock.seats import Seat
from tests.clock.play import FIRST, MIN, SECOND, T0, S, lefts, of_kind, play, press, shown, started

F, W = FIRST, SECOND  # W: who starts as White


@pytest.mark.parametrize(
    ("control", "took", "expected"),
    [
        # Sudden death (C3): 30:00 each; 60 s, 120 s, 30 s.
        ("30m", (60, 120, 30), [(F, 1740), (W, 1680), (F, 1710)]),
        # Periods without a number of moves (C6): 50 s of the first hour are left, then 70 s: 20 s into the 30 minutes.
        ("1h; 30m", (3550, 1, 70), [(F, 50), (W, 3599), (F, 1780)]),
        # 3 moves in 10 minutes, then 5 minutes are added to what is left: 600 - 100 - 200 - 50 + 300.
        ("3/10m; 5m", (100, 1, 200, 1, 50, 1), [(F, 500), (W, 599), (F, 300), (W, 598), (F, 550), (W, 897)]),
        # The last period with a number of moves comes again and again: 2 moves in each minute, what is left is kept.
        ("2/1m", (20, 1, 30, 1, 65, 1), [(F, 40), (W, 59), (F, 70), (W, 118), (F, 5), (W, 117)]),
        # Time odds: 5 minutes against 2 minutes and a second more for each move.
        ("5m vs 2m+1s", (10, 10, 10, 10), [(F, 290), (W, 111), (F, 280), (W, 102)]),
        # Byo-yomi (C4). 15:00 and three periods of 30 s: 890 s, then 39 s: 10 s of main time and 29 s of the first
        # period, which cost nothing; then 30 s are one period lost; then 59 s are one more, but not the last.
        ("15m; 3x30s", (890, 5, 39, 5, 30, 5, 59), [(F, 10), (W, 895), (F, 30), (W, 890), (F, 30), (W, 885), (F, 30)]),
        # One period of 60 s, for as long as one likes: 59 s cost nothing, again and again.
        ("1m; 1x60s", (119, 61, 59, 59, 59, 1), [(F, 60), (W, 60), (F, 60), (W, 60), (F, 60), (W, 60)]),
        # Canadian: 3 stones in each minute; what is left of it lapses. 10 s of main time, then 15 s of the first
        # minute with 3 stones to go, 20 s, 20 s: done with 5 s left, 60 s again.
        ("10s; canadian 3/1m", (25, 1, 20, 1, 20, 1), [(F, 45), (W, 9), (F, 25), (W, 8), (F, 60), (W, 7)]),
        # The same as moves in time (C6): those 5 s are kept.
        ("10s; 3/1m", (25, 1, 20, 1, 20, 1), [(F, 45), (W, 9), (F, 25), (W, 8), (F, 65), (W, 7)]),
        # What is left of a number of moves is used up before byo-yomi: 60 - 20 - 30 = 10, 9 s, then 31 s: 1 s and 30 s.
        (
            "2/1m; 2x30s",
            (20, 1, 30, 1, 9, 1, 31, 1),
            [(F, 40), (W, 59), (F, 10), (W, 58), (F, 1), (W, 57), (F, 30), (W, 56)],
        ),
        # Fischer (C7): 5:00, 3 s after each move: 300 - 10 + 3, then - 20 + 3.
        ("5m+3s", (10, 1, 20, 1), [(F, 293), (W, 302), (F, 276), (W, 304)]),
        ("5m+3s first=start", (10, 1, 20, 1), [(F, 296), (W, 305), (F, 279), (W, 307)]),
        ("5m+3s first=none", (10, 1, 20, 1), [(F, 290), (W, 299), (F, 273), (W, 301)]),
        # The increment comes after the move: 5 s left, a move in 4 s leaves 1 + 3.
        ("5s+3s", (4, 1), [(F, 4), (W, 7)]),
        # Increments are the stage's own: 2 s in the first, 10 s in the second.
        ("2/1m+2s; 1m+10s", (10, 1, 10, 1, 10, 1), [(F, 52), (W, 61), (F, 104), (W, 122), (F, 104), (W, 131)]),
        # Bronstein: what a move took is given back, up to 3 s. Delay: the first 3 s are free. The same sums.
        ("5m bronstein 3s", (2, 3, 10, 4), [(F, 300), (W, 300), (F, 293), (W, 299)]),
        ("5m delay 3s", (2, 3, 10, 4), [(F, 300), (W, 300), (F, 293), (W, 299)]),
        # Hourglass: what one uses the other gains.
        ("hourglass 1m", (20, 50, 5), [(F, 40), (W, 30), (F, 85)]),
        # Shared (C2): one time for both.
        ("shared 10m", (60, 120, 30), [(F, 540), (W, 420), (F, 390)]),
    ],
)
def test_what_is_left_after_each_press(control: str, took: tuple[int, ...], expected: list[tuple[Seat, int]]) -> None:
    assert lefts(play(started(control), *took)) == expected


@pytest.mark.parametrize(
    ("control", "took", "flag_s"),
    [
        ("30m", (), 1800),
        ("30m", (60, 120, 30), 210 + 1680),
        ("1h; 30m", (), 5400),
        ("2h; 30/30m", (), 9000),
        # C5: 10 minutes and then 10 moves in 5 minutes: the tenth not pressed in time is not made (T6). Main time in
        # one move, which is the first of the ten; eight more of 30 s (second: 1 s each), then 60 s are left.
        ("10m; 10/5m", (600, 1, *(30, 1) * 8), 600 + 1 + 31 * 8 + 60),
        ("10m; 10/10m", (600, 1, *(60, 1) * 8), 600 + 1 + 61 * 8 + 120),
        # The tenth in time: five minutes more, and the 300 - 9 * 29 = 39 s that were left.
        ("10m; 10/5m", (600, 1, *(29, 1) * 9), 600 + 1 + 30 * 9 + 339),
        ("10m; canadian 10/5m", (600, 1, *(29, 1) * 9), 600 + 1 + 30 * 9 + 300),
        # C4: main time and every period.
        ("30m; 1x60s", (), 1860),
        ("15m; 3x30s", (), 990),
        ("15m; 3x30s", (950,), 950 + 900 + 90),
        ("15m; 3x30s", (950, 1), 951 + 60),
        ("3x30s", (29, 29, 45, 29), 29 + 29 + 45 + 29 + 60),
        ("1h; canadian 15/5m", (), 3900),
        ("5m+3s", (), 300),
        ("5m+3s first=start", (), 303),
        # 300 - 298 + 3: the increment of a move is not there during that move.
        ("5m+3s", (298, 1), 299 + 5),
        # Bronstein runs down at once, the delay only after its 3 s.
        ("10s bronstein 3s", (5, 5), 10 + 8),
        ("10s delay 3s", (5, 5), 10 + 11),
        ("hourglass 1m", (20,), 20 + 80),
        ("shared 10m", (100, 200), 600),
    ],
)
def test_the_flag_falls_to_the_nanosecond(control: str, took: tuple[int, ...], flag_s: int) -> None:
    clock = play(started(control), *took)
    flag_ns = T0 + flag_s * S
    seat = clock.running
    assert seat is not None
    assert clock.flag_ns() == flag_ns
    assert clock.reading(flag_ns - 1).face(seat).flagged is False
    assert clock.reading(flag_ns - 1).face(seat).left_ns == 1
    fallen = clock.reading(flag_ns).face(seat)
    assert (fallen.flagged, fallen.left_ns) == (True, 0)
    # Asked an hour later, it fell when it fell.
    assert of_kind(clock.due(clock.since_ns, flag_ns + 3600 * S), FlagFell) == [
        FlagFell(at_ns=flag_ns, seat=seat, error_ns=0)
    ]
    # A press at that very instant comes too late: one minute is loss on time (C4).
    late, events = clock.apply(press(seat, flag_ns))
    assert of_kind(events, FlagFell) == [FlagFell(at_ns=flag_ns, seat=seat, error_ns=0)]
    assert late.reading(flag_ns).face(seat).flagged
    in_time, events = clock.apply(press(seat, flag_ns - 1))
    assert of_kind(events, FlagFell) == []
    assert not in_time.reading(flag_ns).face(seat).flagged


def test_byo_yomi_is_told_period_by_period() -> None:
    """15:00 and 3 x 30 s: main time ends at 900 s, the periods at 930 s, 960 s and 990 s."""
    clock = started("15m; 3x30s")
    assert clock.due(T0, T0 + 10_000 * S) == (
        StageBegan(at_ns=T0 + 900 * S, seat=F, stage=1),
        PeriodLost(at_ns=T0 + 930 * S, seat=F, periods_left=2),
        PeriodLost(at_ns=T0 + 960 * S, seat=F, periods_left=1),
        FlagFell(at_ns=T0 + 990 * S, seat=F, error_ns=0),
    )
    faces = [clock.reading(T0 + s * S).first for s in (0, 899, 900, 929, 930, 975, 990)]
    assert [(face.left_ns // S, face.periods_left, face.counting) for face in faces] == [
        (900, 3, False),
        (1, 3, False),
        (30, 3, True),
        (1, 3, True),
        (30, 2, True),
        (15, 1, True),
        (0, 0, True),
    ]


def test_moves_in_time_are_counted_by_presses() -> None:
    """C5, T6: in 10 minutes of 10 moves the face counts down from 10 with each press."""
    clock = play(started("10m; 10/10m"), 605, 1)
    assert clock.reading(clock.since_ns).first.moves_left == 9
    clock = play(clock, *(60, 1) * 8)
    face = clock.reading(clock.since_ns).first
    assert (face.moves_left, face.left_ns // S, face.moves_made) == (1, 600 - 5 - 480, 9)
    clock = play(clock, 15, 1)
    face = clock.reading(clock.since_ns).first
    assert (face.moves_left, face.left_ns // S, face.moves_made) == (10, 100 + 600, 10)
    assert clock.reading(clock.since_ns).second.moves_left is None


def test_canadian_time_counts_stones_and_is_no_byo_yomi_count() -> None:
    face = play(started("canadian 3/1m"), 10, 1).reading(T0 + 11 * S).first
    assert (face.moves_left, face.counting, face.periods_left) == (2, False, None)


# The penalty for a press before the stone (P8): +2 for the opponent, -5 for the offender; under 7 minutes +5 alone.


def test_p8_two_minutes_more_and_five_less() -> None:
    clock = play(started("30m"), 600, 870)  # 20:00 and 15:30 are left
    clock = told(
        clock,
        [
            Stop(at_ns=clock.since_ns + 10 * S, reason="P8"),
            AddTime(at_ns=clock.since_ns + 10 * S, reason="P8", seat=SECOND, ns=2 * MIN),
            TakeTime(at_ns=clock.since_ns + 10 * S, reason="P8", seat=FIRST, ns=5 * MIN),
            Resume(at_ns=clock.since_ns + 40 * S, reason="P8 is done"),
        ],
    )[0]
    # 20:00 - 0:10 - 5:00 = 14:50; 15:30 + 2:00 = 17:30.
    assert shown(clock.reading(clock.since_ns)) == (890, 1050)
    assert clock.running is FIRST


def test_p8_under_seven_minutes_five_more_alone() -> None:
    clock = play(started("30m"), 1381, 870)  # 6:59 and 15:30 are left
    clock, _ = clock.apply(AddTime(at_ns=clock.since_ns, reason="P8", seat=SECOND, ns=5 * MIN))
    assert shown(clock.reading(clock.since_ns)) == (419, 1230)


def test_p8_in_byo_yomi_the_time_added_comes_before_the_period() -> None:
    """Second, in the second of 3 periods, gets 5 minutes: used up first; the period is whole after them."""
    clock = play(started("15m; 3x30s"), 1, 945, 1)
    assert clock.reading(clock.since_ns + 10 * S).second.left_ns == 20 * S
    clock, _ = clock.apply(AddTime(at_ns=clock.since_ns + 10 * S, reason="P8", seat=SECOND, ns=5 * MIN))
    face = clock.reading(clock.since_ns).second
    assert (face.left_ns // S, face.periods_left, face.counting) == (300, 2, False)
    clock = play(clock, 290, 1)
    assert clock.reading(clock.since_ns).second.left_ns == 10 * S
    face = clock.reading(clock.since_ns + 25 * S).second
    assert (face.left_ns // S, face.periods_left, face.counting) == (15, 2, True)


def test_taking_more_than_a_period_loses_it() -> None:
    clock = play(started("15m; 3x30s"), 895, 1)
    clock, events = clock.apply(TakeTime(at_ns=clock.since_ns, reason="B 8", seat=FIRST, ns=45 * S))
    assert of_kind(events, StageBegan, PeriodLost) == [
        StageBegan(at_ns=clock.since_ns, seat=FIRST, stage=1),
        PeriodLost(at_ns=clock.since_ns, seat=FIRST, periods_left=2),
    ]
    face = clock.reading(clock.since_ns).first
    assert (face.left_ns // S, face.periods_left, face.counting) == (20, 2, True)


# Shared time made two halves (C2)


def test_shared_time_is_split_in_halves() -> None:
    """3 h shared; 1:00:00 and 30:00 are used: 1:30:00 are left, 45:00 each."""
    clock = play(started("shared 3h"), 3600, 1800)
    clock, _ = clock.apply(Split(at_ns=clock.since_ns, reason="slow play"))
    assert shown(clock.reading(clock.since_ns)) == (2700, 2700)
    clock = play(clock, 100, 200)
    assert shown(clock.reading(clock.since_ns)) == (2600, 2500)
    clock, _ = started("shared 3h").apply(Split(at_ns=T0 + 1, reason="slow play"))
    reading = clock.reading(T0 + 1)
    assert (reading.first.left_ns, reading.second.left_ns) == (5400 * S - 1, 5400 * S)
