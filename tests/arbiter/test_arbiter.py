"""The arbiter, act by act: facts in as a table would give them, rulings out as the rules have them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.arbiter.facts import Press
from appliance.arbiter.rulings import Audience, Certainty, Ruling
from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.game.ruleset import Penalty, Remedy, ruleset_names
from tests.arbiter.table import (
    MS,
    Table,
    accusations,
    board_moved,
    displaced,
    dropped,
    facts,
    placed,
    relocated,
    removed,
    restored,
    scattered,
    straightened,
)
from vision.acts import Hand, Manner

FIRST, SECOND = Seat.FIRST, Seat.SECOND
QUIET = "H8 I9 H9 H7 G10 I8 F11 E12"
"""A game in which nothing happens: no five, no three for Black that could be doubled."""


class TestOrderlyGames:
    @pytest.mark.parametrize("name", ["renju", "freestyle", "school"])
    def test_with_clock(self, name: str) -> None:
        table = Table(name)
        table.play(QUIET)
        assert table.finish() == []
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9 WH7 BG10 WI8 BF11 WE12"
        for n, move in enumerate(table.arbiter.moves):
            assert move.seat is (FIRST if n % 2 == 0 else SECOND)
            assert move.press == Press(seat=move.seat, t_ns=(n + 1) * 10_000 * MS)
            assert move.thinking_ns == 10_000 * MS
            assert move.in_turn
        assert table.arbiter.running is FIRST
        assert not table.arbiter.over

    @pytest.mark.parametrize("name", ["renju", "freestyle", "school"])
    def test_without_clock(self, name: str) -> None:
        table = Table(name)
        table.play(QUIET, clock=False)
        assert table.finish() == []
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9 WH7 BG10 WI8 BF11 WE12"
        assert [move.press for move in table.arbiter.moves] == [None] * 8

    def test_from_mid_game(self) -> None:
        start = Position(15, {Point.parse("A1"): Colour.BLACK, Point.parse("B2"): Colour.WHITE})
        start = start.placed(Point.parse("C3"), Colour.BLACK)
        table = Table("competition", start=start, to_move=Colour.WHITE)
        assert table.arbiter.running is SECOND
        table.play("D4 E6 F8")
        assert table.ruled == []
        assert table.moves == "WD4 BE6 WF8"
        assert len(table.arbiter.position.stones) == 6

    def test_stones_known_only_after_their_presses(self) -> None:
        """The hand hid the stone; it was down before the press all the same."""
        table = Table()
        for n, (name, colour, seat) in enumerate([("H8", "B", "first"), ("I9", "W", "second"), ("H9", "B", "first")]):
            t = (n + 1) * 10_000
            assert table.press(seat, t) == []
            assert table.lay(name, colour, t - 2_000, t - 1_000, t + 700) == []
        assert table.finish() == []
        assert table.moves == "BH8 WI9 BH9"
        assert [m.thinking_ns for m in table.arbiter.moves] == [10_000 * MS] * 3


class TestPressBeforePlacing:
    """P8. The frames' own error is 1 ms."""

    @pytest.mark.parametrize(
        ("after", "by", "error", "ruled"),
        [
            (9_000, 9_900, 0, []),
            (9_000, 9_999, 0, []),
            (9_000, 10_000, 0, [("press_before_placing", "first", "H8", False)]),
            (9_000, 12_000, 0, [("press_before_placing", "first", "H8", False)]),
            (None, 12_000, 0, [("press_before_placing", "first", "H8", False)]),
            (10_000, 12_000, 0, [("press_before_placing", "first", "H8", False)]),
            (10_001, 12_000, 0, [("press_before_placing", "first", "H8", True)]),
            (10_010, 12_000, 10, [("press_before_placing", "first", "H8", False)]),
            (10_011, 12_000, 10, [("press_before_placing", "first", "H8", True)]),
            (9_000, 9_990, 10, [("press_before_placing", "first", "H8", False)]),
            (9_000, 9_989, 10, []),
        ],
    )
    def test_certain_or_not(
        self, after: int | None, by: int, error: int, ruled: list[tuple[str, str, str, bool]]
    ) -> None:
        table = Table()
        assert table.press("first", 10_000, error) == []
        assert facts(table.lay("H8", "B", after, by, 13_000)) == ruled
        assert table.moves == "BH8"
        assert table.finish() == []

    @pytest.mark.parametrize(
        ("frames_ms", "certain"),
        [
            (range(0, 14_001, 500), True),
            ([*range(0, 9_501, 500), *range(11_500, 14_001, 500)], False),  # none for 2 s around the press
            ([*range(0, 5_001, 500), *range(7_000, 14_001, 500)], False),  # nor earlier in the turn
            ([*range(0, 12_501, 500), 20_000, 20_500], True),  # after it was known: too late to matter
        ],
    )
    def test_a_stone_may_have_come_and_gone_while_no_frame_came(self, frames_ms: list[int], certain: bool) -> None:
        table = Table()
        pressed, ruled = False, []
        for t in frames_ms:
            if t > 10_000 and not pressed:
                pressed = True
                table.press("first", 10_000)
            acts = [placed("H8", "B", 11_600, 12_000, 12_500)] if t == 12_500 else []
            ruled += table.arbiter.see(acts, whole_board=True, now_ns=t * MS)
        assert facts([*ruled, *table.finish()]) == [("press_before_placing", "first", "H8", certain)]

    def test_a_stone_that_no_hand_brought_was_not_certainly_late(self) -> None:
        table = Table()
        table.press("first", 10_000)
        made = table.see(replace(placed("H8", "B", 11_600, 12_000), hand=Hand.NONE))
        asked, late = facts(made)
        assert asked == ("laid_unseen", None, "H8", False)
        assert late == ("press_before_placing", "first", "H8", False)

    def test_a_stone_known_before_the_press(self) -> None:
        """Brackets end before the press then; a press whose stamp may be early changes nothing."""
        table = Table()
        table.lay("H8", "B", 9_000, 9_500)
        assert table.press("first", 10_000) == []

    def test_what_the_ruling_holds(self) -> None:
        table = Table()
        table.press("first", 10_000)
        (ruling,) = table.lay("H8", "B", 11_000, 11_200, 11_400)
        assert ruling.rule == "P8"
        assert ruling.press_ns == 10_000 * MS
        assert ruling.t_ns == 10_000 * MS
        assert ruling.bracket is not None
        assert (ruling.bracket.after_ns, ruling.bracket.by_ns) == (11_000 * MS, 11_200 * MS)
        assert ruling.seen_ns in (11_200 * MS, 11_400 * MS)
        assert ruling.remedies == (Remedy.STANDS,)
        assert ruling.penalty is Penalty.TIME_AND_VIOLATION
        assert ruling.audience is Audience.REFEREE

    def test_white_too(self) -> None:
        table = Table()
        t = table.play("H8")
        table.press("second", t + 5_000)
        assert facts(table.lay("I9", "W", t + 6_000, t + 6_200)) == [("press_before_placing", "second", "I9", True)]

    @pytest.mark.parametrize("by", [12_000, 21_000])
    def test_not_certain_while_another_stone_may_be_hidden(self, by: int) -> None:
        """The opponent pressed too: Black's first stone may be hidden, and this is the second."""
        table = Table()
        table.press("first", 10_000)
        table.press("second", 20_000)
        table.see(placed("H8", "B", 11_000, by, 21_500), whole=False)
        table.press("first", 30_000)
        table.finish()
        assert table.accused == []

    def test_the_next_turns_are_judged_by_their_own_presses(self) -> None:
        table = Table()
        table.press("first", 10_000)
        table.lay("H8", "B", 11_000, 11_200)
        table.lay("I9", "W", 18_000, 18_200)
        assert table.press("second", 20_000) == []
        table.lay("H9", "B", 28_000, 28_200)
        assert table.press("first", 30_000) == []
        assert table.ruled == ["press_before_placing"]


class TestOutOfTurn:
    """P4, P17."""

    def test_two_moves_in_ones_own_time(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("I9", "W", t + 2_000, t + 2_200)
        made = table.lay("J10", "W", t + 4_000, t + 4_200)
        assert facts(made) == [("two_moves", "second", "J10", True)]
        assert (made[0].rule, made[0].remedies, made[0].penalty) == ("P4", (Remedy.TAKE_BACK,), Penalty.VIOLATION)
        assert made[0].audience is Audience.REFEREE
        assert table.press("second", t + 6_000) == []
        assert table.see(removed("J10", "W", t + 8_000, t + 8_200)) == []
        table.lay("G7", "B", t + 12_000, t + 12_200)
        assert table.press("first", t + 13_000) == []
        assert table.finish() == []
        assert table.moves == "BH8 WI9 BG7"
        assert table.ruled == ["two_moves"]

    def test_two_moves_that_stand(self) -> None:
        """B 不合规则2: the opponent plays on, the stone stands."""
        table = Table()
        t = table.play("H8")
        table.lay("I9", "W", t + 2_000, t + 2_200)
        table.lay("J10", "W", t + 4_000, t + 4_200)
        table.press("second", t + 6_000)
        table.play("G7 F6 E5", from_ms=t + 6_000)
        table.finish()
        assert table.ruled == ["two_moves"]
        assert table.moves == "BH8 WI9 WJ10 BG7 WF6 BE5"

    def test_black_twice_at_the_start(self) -> None:
        table = Table()
        table.lay("H8", "B", 1_000, 1_200)
        table.lay("H9", "B", 3_000, 3_200)
        table.press("first", 5_000)
        table.finish()
        assert facts(table.accused) in ([("two_moves", "first", "H9", True)], [("two_moves", None, "H9", True)])

    def test_without_clock_the_seat_is_open(self) -> None:
        table = Table()
        table.play("H8 I9", clock=False)
        table.lay("J10", "W", 30_000, 30_200)
        table.finish()
        assert facts(table.arbiter.rulings) == [("two_moves", None, "J10", True)]

    def test_both_stones_at_once(self) -> None:
        """The hand goes away and two stones of one colour lie there: which came first is open; two there are."""
        table = Table()
        t = table.play("H8")
        table.see(placed("I9", "W", t + 2_000, t + 4_000), placed("J10", "W", t + 2_000, t + 4_000))
        table.press("second", t + 5_000)
        table.finish()
        assert [(r.code, r.seat) for r in table.accused] == [("two_moves", SECOND)]

    def test_not_two_moves_after_a_pass(self) -> None:
        """D7: the opponent pressed without a stone."""
        table = Table()
        t = table.play(QUIET)
        table.press("first", t + 5_000)
        table.lay("D13", "W", t + 8_000, t + 8_200)
        table.press("second", t + 9_000)
        table.finish()
        assert table.accused == []
        assert table.ruled == ["pressed_without_move"]
        assert table.moves.endswith("WE12 WD13")

    def test_in_the_opponents_time_and_its_owner_presses(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.press("first", t + 4_000)
        table.see()
        table.finish()
        (ruling,) = table.accused
        assert ruling.code in ("two_moves", "wrong_stone")  # P4 or P17, they cost the same
        assert (ruling.seat, ruling.points) == (FIRST, (Point.parse("J10"),))
        assert table.arbiter.running is SECOND

    def test_in_the_opponents_time_and_the_opponent_presses(self) -> None:
        """The stone is the wrong stone of the side whose turn it was."""
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.press("second", t + 4_000)
        table.see()
        table.finish()
        assert facts(table.accused) == [("wrong_stone", "second", "J10", True)]
        assert table.accused[0].rule == "P17"
        assert table.arbiter.running is FIRST

    def test_in_the_opponents_time_and_nobody_presses(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.finish()
        (ruling,) = table.arbiter.rulings
        assert ruling.code in ("two_moves", "wrong_stone")
        assert ruling.seat is None

    def test_in_the_opponents_time_and_taken_back_before_any_press(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.see(removed("J10", "B", t + 4_000, t + 4_200))
        table.lay("I9", "W", t + 6_000, t + 6_200)
        table.press("second", t + 7_000)
        table.finish()
        (ruling,) = table.arbiter.rulings
        assert ruling.code in ("two_moves", "wrong_stone")
        assert ruling.seat is None
        assert table.moves == "BH8 WI9"

    def test_the_opponents_own_move_hidden_when_it_presses(self) -> None:
        """Black lays a second stone in White's time; White plays on, its hand hides its stone until after its press."""
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.press("second", t + 6_000)
        table.lay("I9", "W", t + 4_800, t + 5_500, t + 6_800)
        table.press("first", t + 15_000)
        table.finish()
        assert not [r for r in table.accused if r.seat is SECOND]
        assert sorted(table.moves.split()) == ["BH8", "BJ10", "WI9"]

    def test_wrong_stone_put_right(self) -> None:
        """White lays a black stone and presses; takes it back, lays its own, presses again."""
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.press("second", t + 3_000)
        table.see()
        table.see(removed("J10", "B", t + 6_000, t + 6_200))
        table.lay("I9", "W", t + 9_000, t + 9_200)
        table.press("second", t + 10_000)
        table.play("G7 F6", from_ms=t + 10_000)
        table.finish()
        assert facts(table.arbiter.rulings) == [("wrong_stone", "second", "J10", True)]
        assert table.moves == "BH8 WI9 BG7 WF6"

    def test_wrong_stone_known_only_after_its_press(self) -> None:
        table = Table()
        t = table.play("H8")
        table.press("second", t + 3_000)
        table.lay("J10", "B", t + 2_000, t + 2_200, t + 3_500)
        table.finish()
        # The order of facts is all that differs; Black did nothing.
        assert not [r for r in table.accused if r.seat is FIRST]
        assert [r for r in table.arbiter.rulings if r.code in ("wrong_stone", "two_moves", "pressed_without_move")]

    def test_wrong_stone_not_put_right(self) -> None:
        """The opponent plays on: it stands (B 不合规则2), and nobody is accused again."""
        table = Table()
        t = table.play("H8")
        table.lay("J10", "B", t + 2_000, t + 2_200)
        table.press("second", t + 3_000)
        table.see()
        table.play("G7 F6 E5", from_ms=t + 3_000, colour="B")
        table.finish()
        assert facts(table.arbiter.rulings) == [("wrong_stone", "second", "J10", True)]
        assert table.moves == "BH8 BJ10 BG7 WF6 BE5"

    def test_recorded_game(self) -> None:
        """Two in a row and a wrong colour, as in the rendered game ``turns``."""
        start = Position.from_rows(
            [
                *["..............."] * 6,
                ".......BW......",
                "......WB.......",
                ".....WBB.......",
                ".......W.......",
                *["..............."] * 5,
            ]
        )
        table = Table(start=start)
        table.lay("H10", "B", 2_250, 2_500, 3_250)
        table.press("first", 3_384)
        table.lay("H12", "B", 6_181, 6_431, 6_931)
        table.press("second", 7_271)
        table.see()
        table.see(removed("H12", "B", 10_379, 10_629))
        table.lay("H11", "W", 13_465, 13_715, 14_465)
        table.press("second", 14_786)
        table.lay("F6", "B", 17_395, 17_895, 18_395)
        table.lay("D4", "B", 20_734, 20_984, 21_984)
        table.press("first", 22_144)
        table.finish()
        assert facts(table.arbiter.rulings) == [
            ("wrong_stone", "second", "H12", True),
            ("two_moves", "first", "D4", True),
        ]
        assert table.moves == "BH10 WH11 BF6 BD4"


class TestMissedStones:
    def test_seen_after_the_next_one(self) -> None:
        """White's stone was hidden until Black's next was known: nobody is accused, the order is right."""
        table = Table()
        t = table.play("H8")
        table.press("second", t + 10_000)
        made = table.see(placed("H9", "B", t + 17_000, t + 17_200), whole=False)
        made += table.lay("I9", "W", t + 6_000, t + 18_000, t + 18_200)
        made += table.press("first", t + 20_000)
        table.play("H7 G10", from_ms=t + 20_000)
        made += table.finish()
        assert not [*accusations(made)]
        assert table.moves == "BH8 WI9 BH9 WH7 BG10"
        assert [m.seat for m in table.arbiter.moves] == [FIRST, SECOND, FIRST, SECOND, FIRST]

    def test_seen_after_the_next_ones_press(self) -> None:
        table = Table()
        t = table.play("H8")
        table.press("second", t + 10_000)
        table.see(placed("H9", "B", t + 17_000, t + 17_200), whole=False)
        table.press("first", t + 20_000)
        table.lay("I9", "W", t + 6_000, t + 7_000, t + 21_000)
        table.play("H7 G10", from_ms=t + 20_000)
        table.finish()
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9 WH7 BG10"
        assert [m.press.t_ns // MS - t if m.press else None for m in table.arbiter.moves] == [
            0,
            10_000,
            20_000,
            30_000,
            40_000,
        ]

    @pytest.mark.parametrize("bracket", [(None, 30_000), (5_000, 30_000), (12_000, 14_000)])
    def test_without_clock(self, bracket: tuple[int | None, int]) -> None:
        table = Table()
        table.play("H8", clock=False)
        table.see(placed("H9", "B", 25_000, 25_200), whole=False)
        table.lay("I9", "W", *bracket, 31_000)
        table.finish()
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9"

    def test_never_seen(self) -> None:
        """Nobody is accused for what the camera missed; the game goes on."""
        table = Table()
        t = table.play("H8")
        table.press("second", t + 10_000)
        table.see(placed("H9", "B", t + 17_000, t + 17_200), whole=False)
        table.press("first", t + 20_000)
        table.see(placed("H7", "W", t + 27_000, t + 27_200), whole=False)
        table.press("second", t + 30_000)
        table.see(placed("G10", "B", t + 37_000, t + 37_200), whole=False)
        table.press("first", t + 40_000)
        table.finish()
        assert table.accused == []
        assert table.ruled in ([], ["pressed_without_move"])
        assert table.moves == "BH8 BH9 WH7 BG10"

    def test_never_seen_without_clock(self) -> None:
        table = Table()
        table.play("H8", clock=False)
        table.see(placed("H9", "B", 25_000, 25_200), whole=False)
        table.see(placed("H7", "W", 35_000, 35_200), whole=False)
        table.see(placed("G10", "B", 45_000, 45_200), whole=False)
        table.finish()
        assert table.accused == []
        assert table.moves.split()[-2:] == ["WH7", "BG10"]

    def test_two_turns_known_in_one_observation(self) -> None:
        """Both under an arm, either order: the one whose turn it was comes first."""
        black, white = placed("H9", "B", 22_000, 39_000, 39_200), placed("H7", "W", 22_000, 39_000, 39_200)
        for acts in ((black, white), (white, black)):
            table = Table()
            table.play("H8 I9")
            table.press("first", 30_000)
            table.see(*acts)
            table.press("second", 40_000)
            table.finish()
            assert table.accused == []
            assert table.moves == "BH8 WI9 BH9 WH7"

    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 2, 1)])
    def test_three_turns_in_one_observation_without_clock(self, order: tuple[int, ...]) -> None:
        acts = [
            placed("H8", "B", None, 30_000),
            placed("I9", "W", None, 30_000),
            placed("H9", "B", None, 30_000),
        ]
        table = Table()
        table.see(*(acts[n] for n in order))
        table.finish()
        assert table.accused == []
        assert [m.colour for m in table.arbiter.moves] == [Colour.BLACK, Colour.WHITE, Colour.BLACK]

    def test_the_first_stone_hidden_longer_than_the_third(self) -> None:
        """P1 needs the first stone; the one seen first may not be it."""
        table = Table("competition")
        table.see(placed("H10", "B", 5_000, 5_200), whole=False)
        table.see(placed("H8", "B", None, 5_400), placed("H9", "W", None, 5_400))
        table.press("first", 8_000)
        table.finish()
        assert table.accused == []

    def test_the_first_stone_of_all_hidden(self) -> None:
        """White's stone is not the first one because Black's has not been seen yet."""
        table = Table()
        table.press("first", 10_000)
        table.see(placed("I9", "W", 17_000, 17_200), whole=False)
        table.press("second", 20_000)
        table.see(placed("H9", "B", 27_000, 27_200), whole=False)
        table.press("first", 30_000)
        table.lay("H8", "B", None, 31_000)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8 WI9 BH9"

    def test_the_first_stone_of_all_hidden_without_clock(self) -> None:
        table = Table()
        table.see(placed("I9", "W", 17_000, 17_200), whole=False)
        table.see(placed("H9", "B", 27_000, 27_200), whole=False)
        table.lay("H8", "B", None, 31_000)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8 WI9 BH9"


class TestMovedStones:
    @pytest.mark.parametrize(
        ("manner", "code", "rule"),
        [
            (Manner.SLID, "stone_slid", "P5"),
            (Manner.LIFTED, "stone_lifted", "P6"),
            (Manner.UNKNOWN, "stone_relocated", "P5"),
        ],
    )
    def test_in_ones_own_turn(self, manner: Manner, code: str, rule: str) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("J7", "W", t + 2_000, t + 2_200)
        made = table.see(*relocated("J7", "J5", "W", t + 3_000, t + 3_200, manner))
        assert facts(made) == [(code, "second", "J7 J5", True)]
        assert made[0].rule == rule
        assert made[0].remedies == (Remedy.BACK_TO_FIRST_POINT,)
        assert made[0].penalty is Penalty.VIOLATION
        assert table.press("second", t + 5_000) == []
        table.play("H9", from_ms=t + 5_000)
        assert table.moves == "BH8 WJ5 BH9"
        assert table.arbiter.position.at(Point.parse("J5")) is Colour.WHITE
        assert table.arbiter.position.at(Point.parse("J7")) is None

    def test_put_right_in_the_same_turn(self) -> None:
        """The remedy, back to the first point, is no second violation."""
        table = Table()
        t = table.play("H8")
        table.lay("J7", "W", t + 2_000, t + 2_200)
        table.see(*relocated("J7", "J5", "W", t + 3_000, t + 3_200))
        table.see(*relocated("J5", "J7", "W", t + 6_000, t + 6_200))
        table.press("second", t + 8_000)
        table.finish()
        assert table.ruled == ["stone_relocated"]
        assert table.moves == "BH8 WJ7"

    def test_lifted_and_put_right_in_steps(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("J7", "W", t + 2_000, t + 2_200)
        table.see(removed("J7", "W", t + 3_000, t + 3_200))
        table.see(placed("J5", "W", t + 4_000, t + 4_200))
        table.see(removed("J5", "W", t + 6_000, t + 6_200))
        table.see(placed("J7", "W", t + 7_000, t + 7_200))
        table.press("second", t + 8_000)
        table.finish()
        assert table.ruled == ["stone_lifted"]
        assert table.moves == "BH8 WJ7"

    def test_not_certain_where_the_stone_never_stood_alone(self) -> None:
        """A fingertip may have been taken for it, or the hand had not let go."""
        table = Table()
        t = table.play("H8")
        table.see(placed("J7", "W", t + 2_000, t + 2_200, alone=False))
        made = table.see(*relocated("J7", "J5", "W", t + 3_000, t + 3_200))
        assert facts(made) == [("stone_relocated", "second", "J7 J5", False)]
        assert table.moves == "BH8 WJ5"

    def test_known_after_the_press_but_done_before(self) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("J7", "W", t + 2_000, t + 2_200)
        table.press("second", t + 5_000)
        made = table.see(*relocated("J7", "J5", "W", t + 3_000, t + 4_000, seen=t + 5_500))
        assert facts(made) == [("stone_relocated", "second", "J7 J5", True)]
        assert table.moves == "BH8 WJ5"

    def test_after_the_press(self) -> None:
        """P11: it had been laid; who moved it the camera does not say."""
        table = Table()
        t = table.play("H8 J7")
        made = table.see(*relocated("J7", "J5", "W", t + 3_000, t + 3_200))
        assert facts(made) == [("stone_displaced", None, "J7 J5", True)]
        assert made[0].rule == "P11"
        assert made[0].remedies == (Remedy.PUT_BACK, Remedy.STANDS, Remedy.DRAW, Remedy.REPLAY)
        assert made[0].penalty is Penalty.NONE
        table.play("H9", from_ms=t)
        assert table.accused == []

    def test_an_older_stone(self) -> None:
        table = Table()
        t = table.play("H8 J7")
        table.lay("H9", "B", t + 1_000, t + 1_200)
        made = table.see(*relocated("H8", "G8", "B", t + 3_000, t + 3_200))
        assert facts(made) == [("stone_displaced", None, "H8 G8", True)]
        table.press("first", t + 5_000)
        table.finish()
        assert table.accused == []

    def test_lifted_in_two_steps(self) -> None:
        """Seen to leave, and a stone of its colour came elsewhere in the same turn."""
        table = Table()
        t = table.play("H8")
        table.lay("J7", "W", t + 2_000, t + 2_200)
        assert table.see(removed("J7", "W", t + 3_000, t + 3_200)) == []
        made = table.see(placed("J5", "W", t + 4_000, t + 4_200))
        assert facts(made) == [("stone_lifted", "second", "J7 J5", True)]
        assert table.press("second", t + 6_000) == []
        table.play("H9", from_ms=t + 6_000)
        table.finish()
        assert table.moves == "BH8 WJ5 BH9"
        assert table.ruled == ["stone_lifted"]

    @pytest.mark.parametrize("as_one", [False, True])
    def test_lifted_and_its_second_point_known_after_the_press(self, as_one: bool) -> None:
        """The hand hides the second point until after the press."""
        table = Table()
        t = table.play("H8")
        table.lay("J7", "W", t + 2_000, t + 2_200)
        table.see(removed("J7", "W", t + 3_000, t + 3_200), whole=False)
        table.press("second", t + 6_000)
        if as_one:
            table.see(relocated("J7", "J5", "W", t + 3_000, t + 5_000, Manner.LIFTED, t + 6_500)[1])
        else:
            table.see(placed("J5", "W", t + 4_000, t + 5_000, t + 6_500))
        table.play("H9 I9", from_ms=t + 6_000)
        table.finish()
        assert table.moves == "BH8 WJ5 BH9 WI9"
        assert ("stone_lifted", "second", "J7 J5", True) in facts(table.arbiter.rulings)
        assert len(table.accused) == 1

    def test_taken_up_and_put_back(self) -> None:
        table = Table()
        t = table.play("H8 I9")
        table.see(removed("H8", "B", t + 2_000, t + 2_200))
        table.see(placed("H8", "B", t + 4_000, t + 4_200))
        table.play("H9", from_ms=t)
        table.finish()
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9"

    def test_last_stone_taken_up_and_put_back(self) -> None:
        table = Table()
        table.lay("H8", "B", 2_000, 2_200)
        table.see(removed("H8", "B", 3_000, 3_200))
        table.see(placed("H8", "B", 4_000, 4_200))
        table.press("first", 6_000)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8"

    def test_own_stone_taken_back_and_laid_anew_in_a_later_look(self) -> None:
        """Taken off the board for good, before the press: no move was made by it."""
        table = Table()
        t = table.play("H8 I9")
        table.lay("H9", "B", t + 1_000, t + 1_200)
        table.see(removed("H9", "B", t + 3_000, t + 3_200))
        table.press("first", t + 8_000)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8 WI9"

    def test_own_stone_taken_back_and_the_opponent_lays(self) -> None:
        """Whatever that means, the arbiter goes on."""
        table = Table()
        table.lay("H8", "B", 2_000, 2_200)
        table.see(removed("H8", "B", 3_000, 3_200))
        table.lay("I9", "W", 5_000, 5_200)
        table.finish()
        assert table.arbiter.position.stones == {Point.parse("I9"): Colour.WHITE}

    @pytest.mark.parametrize("end", ["press", "next stone", "finish"])
    def test_removed(self, end: str) -> None:
        """A notice, once it is plain that the stone does not come back; nobody is accused."""
        table = Table()
        t = table.play("H8 I9 H9 H7")
        assert table.see(removed("I9", "W", t + 2_000, t + 2_200)) == []
        if end == "next stone":
            made = table.lay("G10", "B", t + 6_000, t + 6_200)
        else:
            made = table.press("first", t + 6_000) if end == "press" else table.finish()
        assert facts(made) == [("stone_removed", None, "I9", True)]
        assert made[0].penalty is None
        assert table.arbiter.position.at(Point.parse("I9")) is None
        assert table.finish() == []

    def test_while_a_stone_is_missing_board_and_record_are_out_of_step(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9 H7")
        steps = [table.arbiter.differing]
        table.see(removed("I9", "W", t + 2_000, t + 2_200))
        steps.append(table.arbiter.differing)
        table.see(placed("I9", "W", t + 4_000, t + 4_200))
        steps.append(table.arbiter.differing)
        assert steps == [(), (Point.parse("I9"),), ()]

    def test_a_stone_that_lies_elsewhere_is_out_of_step_on_both_points(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9 H7")
        table.see(*relocated("H8", "G9", "B", t + 2_000, t + 2_200))
        assert [str(point) for point in table.arbiter.differing] == ["G9", "H8"]

    def test_displaced_and_put_straight(self) -> None:
        table = Table()
        t = table.play("H8 I9")
        made = table.see(displaced("H8", "B", t + 1_000, t + 1_200))
        assert facts(made) == [("stone_displaced", None, "H8", True)]
        assert table.moves == "BH8 WI9"
        assert table.accused == []

    @pytest.mark.parametrize("handed", [True, False])
    def test_a_stone_that_no_hand_brought_accuses_nobody_for_certain(self, handed: bool) -> None:
        table = Table()
        t = table.play("H8")
        table.lay("I9", "W", t + 2_000, t + 2_200)
        table.see(replace(placed("J10", "W", t + 4_000, t + 4_200), hand=Hand.OVER if handed else Hand.NONE))
        table.press("second", t + 6_000)
        table.finish()
        assert table.ruled == ["two_moves"]
        assert [ruling.certainty is Certainty.CERTAIN for ruling in table.arbiter.rulings] == [handed]

    @pytest.mark.parametrize(("after", "sure"), [(2_200, True), (2_100, False)])
    @pytest.mark.parametrize("settled", [True, False])
    def test_of_two_stones_hidden_at_one_time_which_the_hand_brought_is_open(
        self, after: int, sure: bool, settled: bool
    ) -> None:
        table = Table()
        t = table.play("H8")
        table.see(placed("I9", "W", t + 2_000, t + 2_200), whole=settled)
        table.lay("J10", "W", t + after, t + 2_800)
        table.press("second", t + 6_000)
        table.finish()
        assert table.ruled == ["two_moves"]
        assert bool(table.accused) is sure

    def test_after_a_move_that_no_hand_was_seen_to_lay_the_next_stone_may_have_been_due(self) -> None:
        table = Table()
        t = table.play("H8")
        table.see(replace(placed("C3", "W", t + 2_000, t + 2_200), hand=Hand.NONE))
        table.lay("I9", "W", t + 4_000, t + 4_200)
        table.press("second", t + 6_000)
        table.finish()
        assert table.ruled == ["laid_unseen", "two_moves"]
        assert table.accused == []

    def test_no_hand_was_seen_to_lay_the_first_stone(self) -> None:
        table = Table()
        table.see(replace(placed("C3", "B", 2_000, 2_200), hand=Hand.NONE))
        table.finish()
        assert table.ruled == ["laid_unseen", "first_stone_off_tengen"]
        assert table.accused == []

    @pytest.mark.parametrize("together", [False, True])
    def test_one_stone_between_two_photographs_is_a_move_but_of_two_nobody_saw_the_order(self, together: bool) -> None:
        table = Table("freestyle")
        last = 4_000 if together else 8_000
        came = {
            t: replace(
                one, hand=Hand.NONE, bracket=replace(one.bracket, after_frame=t // 4_000 - 1, by_frame=t // 4_000)
            )
            for t, one in [(4_000, placed("H8", "B", 0, 4_000)), (last + 1, placed("I9", "W", last - 4_000, last))]
        }
        for t in sorted({0, 4_000, last, last + 1}):
            table.arbiter.see([came[t]] if t in came else [], now_ns=t * MS)
        both = (Point.parse("H8"), Point.parse("I9"))
        assert [ruling.points for ruling in table.arbiter.rulings] == ([both] if together else [])

    @pytest.mark.parametrize(("hand", "sure"), [(Hand.NEAR, True), (Hand.NONE, False)])
    def test_what_lay_beside_a_point_may_have_been_no_stone(self, hand: Hand, sure: bool) -> None:
        table = Table()
        t = table.play("H8")
        table.see(replace(dropped("D4", "W", t + 2_000, t + 2_200), hand=hand))
        table.finish()
        assert table.ruled == ["stone_dropped"]
        assert bool(table.accused) is sure

    @pytest.mark.parametrize(("by", "sure"), [(3_000, True), (12_000, False)])
    def test_after_long_out_of_sight_which_stone_went_where_is_open(self, by: int, sure: bool) -> None:
        table = Table()
        t = table.play("H8 I9 G7")
        moved = relocated("H8", "K8", "B", t + 1_000, t + by)
        table.see(*moved)
        table.finish()
        (displaced,) = [ruling for ruling in table.arbiter.rulings if ruling.code == "stone_displaced"]
        assert (displaced.certainty is Certainty.CERTAIN) is sure

    def test_laid_between_points(self) -> None:
        """It counts for the nearest; the referee is asked, and nobody is accused."""
        table = Table()
        t = table.play("H8 I9")
        made = table.see(replace(placed("H9", "B", t + 1_000, t + 1_200), beside=True))
        assert facts(made) == [("stone_beside_point", None, "H9", False)]
        assert (made[0].penalty, made[0].remedies, made[0].audience) == (None, (), Audience.REFEREE)
        assert table.moves == "BH8 WI9 BH9"

    def test_straightened(self) -> None:
        """By whom, and whether it was announced, could not be seen."""
        table = Table()
        t = table.play("H8 I9 H9")
        made = table.see(straightened("I9 H8", t + 1_000, t + 1_200))
        assert facts(made) == [("stones_straightened", None, "H8 I9", False)]
        assert (made[0].rule, made[0].penalty, made[0].remedies) == ("P10", None, ())
        assert table.moves == "BH8 WI9 BH9"

    def test_board_moved(self) -> None:
        table = Table()
        t = table.play("H8")
        made = table.see(board_moved(t + 1_000, t + 1_200))
        assert facts(made) == [("board_moved", None, "", True)]
        assert (made[0].penalty, made[0].remedies, made[0].audience) == (None, (), Audience.REFEREE)
        table.play("I9", from_ms=t)
        assert table.ruled == ["board_moved"]


class TestScattered:
    def scatter(self, table: Table, t: int) -> list[Ruling]:
        """After H8 I9 H9 H7: two stones lie elsewhere, one is gone."""
        between = (t + 1_000, t + 1_200)
        return table.see(
            scattered("H8 I9 H7", *between),
            *relocated("H8", "F5", "B", *between),
            *relocated("I9", "K4", "W", *between),
            removed("H7", "W", *between),
        )

    def test_nobody_is_accused_and_nothing_is_a_move(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9 H7")
        made = self.scatter(table, t)
        assert facts(made) == [("board_scattered", None, "H7 H8 I9", True)]
        assert (made[0].rule, made[0].penalty, made[0].audience) == ("P13", Penalty.NONE, Audience.REFEREE)
        assert table.finish() == []
        assert table.moves == "BH8 WI9 BH9 WH7"
        assert table.accused == []

    def test_what_was_told_of_a_stone_before_is_no_act_either(self) -> None:
        """The last stone was seen on another point first: it was not its player who lifted it."""
        table = Table()
        t = table.play("H8 I9 H9")
        between = (t + 1_000, t + 1_200)
        table.see(*relocated("H9", "E4", "B", *between), whole=False)
        table.see(
            scattered("H9 H8 I9", *between),
            *relocated("H8", "F5", "B", t + 1_000, t + 1_400),
            *relocated("I9", "K4", "W", t + 1_000, t + 1_400),
        )
        table.finish()
        assert table.accused == []
        assert table.ruled == ["board_scattered"]
        assert table.moves == "BH8 WI9 BH9"

    def test_what_differs_is_told_while_it_is_put_back(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9 H7")
        self.scatter(table, t)
        assert [str(point) for point in table.arbiter.differing] == ["F5", "H7", "H8", "I9", "K4"]
        table.see(*relocated("F5", "H8", "B", t + 5_000, t + 5_200))
        assert [str(point) for point in table.arbiter.differing] == ["H7", "I9", "K4"]

    def test_a_press_meanwhile_means_nothing(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9 H7")
        self.scatter(table, t)
        assert table.press("first", t + 3_000) == []
        assert table.arbiter.running is FIRST

    def test_the_game_goes_on_when_the_board_is_restored(self) -> None:
        table = Table()
        t = table.play("H8 I9 H9 H7")
        self.scatter(table, t)
        back = (t + 9_000, t + 9_200)
        table.see(
            *relocated("F5", "H8", "B", *back),
            *relocated("K4", "I9", "W", *back),
            placed("H7", "W", *back),
            restored(t + 9_200),
        )
        assert table.arbiter.differing == ()
        table.play("G10 G8", from_ms=t + 10_000)
        assert table.moves == "BH8 WI9 BH9 WH7 BG10 WG8"
        assert table.ruled == ["board_scattered"]


class TestDropped:
    def test_in_ones_own_time(self) -> None:
        table = Table()
        t = table.play("H8")
        made = table.see(dropped("E5", "W", t + 1_000, t + 1_200))
        assert facts(made) == [("stone_dropped", "second", "E5", True)]
        assert (made[0].rule, made[0].remedies, made[0].penalty) == ("P7", (Remedy.CHOOSE_AGAIN,), Penalty.VIOLATION)
        table.play("I9", from_ms=t)
        assert table.ruled == ["stone_dropped"]
        assert table.moves == "BH8 WI9"

    def test_in_the_opponents_time_the_seat_is_open(self) -> None:
        table = Table()
        t = table.play("H8")
        assert facts(table.see(dropped("E5", "B", t + 1_000, t + 1_200))) == [("stone_dropped", None, "E5", True)]

    def test_the_first_seat_lays_the_white_stone_of_the_opening_too(self) -> None:
        table = Table("competition")
        table.lay("H8", "B", 1_000, 1_200)
        (ruling,) = table.see(dropped("E5", "W", 3_000, 3_200))
        assert ruling.seat in (FIRST, None)


class TestClock:
    def test_a_press_by_the_side_that_does_not_run(self) -> None:
        table = Table()
        assert table.press("second", 5_000) == []
        assert table.arbiter.running is FIRST
        t = table.play("H8")
        assert table.press("first", t + 500) == []
        assert table.press("first", t + 900) == []
        assert table.arbiter.running is SECOND
        table.play("I9 H9", from_ms=t)
        table.finish()
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9"

    def test_black_forgets_to_press(self) -> None:
        """White plays on; nobody is reminded (A 7.9), nothing is ruled."""
        table = Table()
        table.lay("H8", "B", 2_000, 2_200)
        table.lay("I9", "W", 8_000, 8_200)
        table.press("second", 9_000)
        table.press("first", 10_000)
        table.press("second", 11_000)
        table.play("H9 H7", from_ms=11_000)
        table.finish()
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9 WH7"

    def test_black_forgets_and_presses_with_the_next_move(self) -> None:
        table = Table()
        table.lay("H8", "B", 2_000, 2_200)
        table.lay("I9", "W", 8_000, 8_200)
        table.lay("H9", "B", 12_000, 12_200)
        table.press("first", 14_000)
        table.play("H7 G10", from_ms=14_000)
        table.finish()
        assert table.ruled == []
        assert table.moves == "BH8 WI9 BH9 WH7 BG10"

    def test_black_presses_twice(self) -> None:
        table = Table()
        table.lay("H8", "B", 2_000, 2_200)
        table.press("first", 4_000)
        table.press("first", 4_100)
        table.play("I9 H9", from_ms=4_100)
        table.finish()
        assert table.ruled == []


class TestEnds:
    def test_five_that_needs_no_claim(self) -> None:
        table = Table("freestyle")
        t = table.play("H8 A1 H9 A3 H10 A5 H11 A7")
        made = table.lay("H12", "B", t + 2_000, t + 2_200)
        assert [(r.code, r.seat, r.audience) for r in made] == [("five", FIRST, Audience.EVERYBODY)]
        assert table.arbiter.result is Colour.BLACK
        assert table.arbiter.over
        # The stones are cleared away; that concerns nobody.
        assert table.press("first", t + 3_000) == []
        assert table.see(removed("H12", "B", t + 5_000, t + 5_200), removed("A1", "W", t + 5_000, t + 5_200)) == []
        assert table.see(*relocated("H11", "C3", "B", t + 6_000, t + 6_200)) == []
        assert table.lay("A1", "B", t + 7_000, t + 7_200) == []
        assert table.lay("A2", "B", t + 8_000, t + 8_200) == []
        assert table.finish() == []
        assert table.ruled == ["five"]

    def test_five_that_must_be_declared(self) -> None:
        """W1, D8: the referee alone is shown it, and the game goes on."""
        table = Table("renju")
        t = table.play("H8 A1 H9 A3 H10 A5 H11 A7")
        made = table.lay("H12", "B", t + 2_000, t + 2_200)
        assert [(r.code, r.seat, r.audience, r.rule) for r in made] == [("five", FIRST, Audience.REFEREE, "W1")]
        assert not table.arbiter.over
        table.press("first", t + 3_000)
        table.play("C3 D8", from_ms=t + 3_000)
        assert table.ruled == ["five"]

    @pytest.mark.parametrize(
        ("black", "last", "code"),
        [
            ("G8 I8 H7 H9", "H8", "double_three"),
            ("E8 F8 G8 H5 H6 H7", "H8", "double_four"),
            ("E8 F8 G8 I8 J8", "H8", "overline"),
        ],
    )
    def test_forbidden_is_for_the_referee_alone(self, black: str, last: str, code: str) -> None:
        names = black.split()
        start = Position(15, {Point.parse(name): Colour.BLACK for name in names})
        for n in range(len(names)):
            start = start.placed(Point(14, 2 * n), Colour.WHITE)
        table = Table("competition", start=start)
        made = table.lay(last, "B", 2_000, 2_200)
        assert [(r.code, r.seat, r.audience) for r in made] == [(code, FIRST, Audience.REFEREE)]
        assert not table.arbiter.over
        free = Table("freestyle", start=start)
        assert [r.code for r in free.lay(last, "B", 2_000, 2_200)] == (["five"] if code == "overline" else [])

    def test_first_stone_off_tengen(self) -> None:
        table = Table("competition")
        made = table.lay("H9", "B", 2_000, 2_200)
        assert facts(made) == [("first_stone_off_tengen", "first", "H9", True)]
        assert (made[0].rule, made[0].remedies) == ("P1", (Remedy.MOVE_TO_TENGEN,))
        assert (made[0].penalty, made[0].audience) == (Penalty.VIOLATION, Audience.REFEREE)

    def test_first_stone_moved_to_tengen(self) -> None:
        """The remedy of P1 is no act of its own."""
        table = Table("renju")
        table.lay("H9", "B", 2_000, 2_200)
        table.see(*relocated("H9", "H8", "B", 6_000, 6_200))
        table.press("first", 9_000)
        table.play("I9", from_ms=9_000)
        table.finish()
        assert table.ruled == ["first_stone_off_tengen"]
        assert table.moves == "BH8 WI9"

    def test_full_board_draws(self) -> None:
        stones = {
            Point(file, rank): Colour.BLACK if (file + 2 * rank) % 4 < 2 else Colour.WHITE
            for file in range(15)
            for rank in range(15)
        }
        last = next(p for p, c in stones.items() if c is Colour.WHITE)
        del stones[last]
        table = Table("freestyle", start=Position(15, stones), to_move=Colour.WHITE)
        made = table.lay(str(last), "W", 1_000, 1_200)
        assert [(r.code, r.audience) for r in made] == [("board_full", Audience.EVERYBODY)]
        assert table.arbiter.drawn
        assert table.arbiter.over
        assert table.arbiter.result is None


class TestPenalties:
    @pytest.mark.parametrize("name", sorted(ruleset_names()))
    def test_two_moves_cost_a_violation_everywhere(self, name: str) -> None:
        start = Position(15, {Point.parse("H8"): Colour.BLACK})
        table = Table(name, start=start, to_move=Colour.WHITE)
        t = table.play("I9 G7")
        table.lay("J10", "W", t + 1_000, t + 1_200)
        (ruling,) = table.lay("J11", "W", t + 3_000, t + 3_200)
        assert (ruling.code, ruling.penalty, ruling.remedies) == ("two_moves", Penalty.VIOLATION, (Remedy.TAKE_BACK,))
        assert ruling.audience is Audience.REFEREE
        assert ruling.certainty is Certainty.CERTAIN

    @pytest.mark.parametrize(
        ("name", "remedies"), [("competition", (Remedy.NEW_OPENING,)), ("competition-five-two", ())]
    )
    def test_opening_outside_26(self, name: str, remedies: tuple[Remedy, ...]) -> None:
        table = Table(name)
        table.lay("H8", "B", 1_000, 1_200)
        table.lay("H9", "W", 2_000, 2_200)
        made = table.lay("H12", "B", 3_000, 3_200)
        assert facts(made) == [("opening_outside_26", "first", "H12", True)]
        assert (made[0].rule, made[0].remedies, made[0].penalty) == ("P2", remedies, Penalty.VIOLATION)


class TestDesignatedOpening:
    def opened(self, name: str = "competition") -> Table:
        """After H8, H9, H10 by the first player, who pressed at 10 s."""
        table = Table(name)
        for n, (point, colour) in enumerate([("H8", "B"), ("H9", "W"), ("H10", "B")]):
            assert table.lay(point, colour, 2_000 * n + 1_000, 2_000 * n + 1_200) == []
            assert table.arbiter.running is FIRST
        assert table.press("first", 10_000) == []
        return table

    @pytest.mark.parametrize("name", ["competition", "competition-five-two"])
    def test_declined(self, name: str) -> None:
        table = self.opened(name)
        table.lay("I9", "W", 17_000, 17_200)
        table.press("second", 20_000)
        assert table.arbiter.protocol.black is FIRST
        self.offer_and_choose(table, "first", "second")
        assert table.moves == "BH8 WH9 BH10 WI9 BF6 WJ7 BG7"
        assert [m.seat for m in table.arbiter.moves] == [FIRST, FIRST, FIRST, SECOND, FIRST, SECOND, FIRST]

    @pytest.mark.parametrize("name", ["competition", "competition-five-two"])
    def test_swapped(self, name: str) -> None:
        table = self.opened(name)
        assert table.press("second", 14_000) == []
        assert table.arbiter.protocol.black is SECOND
        table.lay("I9", "W", 17_000, 17_200)
        assert table.press("first", 20_000) == []
        self.offer_and_choose(table, "second", "first")
        assert table.moves == "BH8 WH9 BH10 WI9 BF6 WJ7 BG7"
        assert [m.seat for m in table.arbiter.moves] == [FIRST, FIRST, FIRST, FIRST, SECOND, FIRST, SECOND]

    def offer_and_choose(self, table: Table, black: str, white: str) -> None:
        """Black offers E5 and F6 by 30 s; White takes E5 away and plays J7 by 40 s; Black plays G7."""
        table.lay("E5", "B", 24_000, 24_200)
        table.lay("F6", "B", 26_000, 26_200)
        table.press(black, 30_000)
        table.see(removed("E5", "B", 34_000, 34_200))
        table.lay("J7", "W", 37_000, 37_200)
        table.press(white, 40_000)
        table.lay("G7", "B", 47_000, 47_200)
        table.press(black, 50_000)
        table.finish()
        assert table.ruled == []
        assert table.arbiter.position.at(Point.parse("E5")) is None

    def test_points_known_after_the_press(self) -> None:
        table = self.opened()
        table.lay("I9", "W", 17_000, 17_200)
        table.press("second", 20_000)
        table.press("first", 30_000)
        table.see(placed("E5", "B", 24_000, 28_000, 31_000), placed("F6", "B", 25_000, 29_000, 31_000))
        table.see(removed("E5", "B", 34_000, 34_200))
        table.lay("J7", "W", 37_000, 37_200)
        table.press("second", 40_000)
        table.lay("G7", "B", 47_000, 47_200)
        table.press("first", 50_000)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8 WH9 BH10 WI9 BF6 WJ7 BG7"

    def test_one_of_the_points_known_after_the_press(self) -> None:
        table = self.opened()
        table.lay("I9", "W", 17_000, 17_200)
        table.press("second", 20_000)
        table.lay("E5", "B", 24_000, 24_200)
        table.press("first", 30_000)
        table.lay("F6", "B", 25_000, 29_000, 31_000)
        table.see(removed("E5", "B", 34_000, 34_200))
        table.lay("J7", "W", 37_000, 37_200)
        table.press("second", 40_000)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8 WH9 BH10 WI9 BF6 WJ7"

    def test_points_without_clock(self) -> None:
        """Where nobody presses, White's taking a point away ends the offer."""
        table = Table("competition")
        table.play("H8 H9 H10 I9", clock=False)
        table.lay("E5", "B", 50_000, 50_200)
        table.lay("F6", "B", 52_000, 52_200)
        table.see(removed("E5", "B", 54_000, 54_200))
        table.lay("J7", "W", 57_000, 57_200)
        table.lay("G7", "B", 60_000, 60_200)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8 WH9 BH10 WI9 BF6 WJ7 BG7"

    def test_points_do_not_make_shapes_together(self) -> None:
        """O5: they lie there together but are one move; I8 alone makes no double three."""
        table = Table("competition")
        for n, (point, colour) in enumerate([("H8", "B"), ("G9", "W"), ("J8", "B")]):
            table.lay(point, colour, 2_000 * n + 1_000, 2_000 * n + 1_200)
        table.press("first", 10_000)
        table.lay("B14", "W", 17_000, 17_200)
        table.press("second", 20_000)
        for n, point in enumerate(["I7", "I6", "I8"]):
            assert table.lay(point, "B", 22_000 + 2_000 * n, 22_200 + 2_000 * n) == []
        table.press("first", 30_000)
        assert table.ruled == []

    @pytest.mark.parametrize("by", [13_000, 14_500])
    def test_white_4_known_after_its_press(self, by: int) -> None:
        """It lay there, or may have: the press was no swap."""
        table = self.opened()
        table.press("second", 14_000)
        made = table.lay("I9", "W", 12_000, by, 15_000)
        assert not [*accusations(made)]
        assert table.arbiter.protocol.black is FIRST
        assert [m.seat for m in table.arbiter.moves] == [FIRST, FIRST, FIRST, SECOND]
        self.offer_and_choose_after(table)

    def offer_and_choose_after(self, table: Table) -> None:
        table.lay("E5", "B", 24_000, 24_200)
        table.lay("F6", "B", 26_000, 26_200)
        table.press("first", 30_000)
        table.see(removed("E5", "B", 34_000, 34_200))
        table.lay("J7", "W", 37_000, 37_200)
        table.press("second", 40_000)
        table.finish()
        assert table.accused == []
        assert table.moves == "BH8 WH9 BH10 WI9 BF6 WJ7"

    def test_white_4_known_after_black_5(self) -> None:
        """Hidden until the first point of move 5 was known: still no swap, and nobody is accused."""
        table = self.opened()
        table.press("second", 14_000)
        table.see(placed("E5", "B", 24_000, 24_200), whole=False)
        table.lay("I9", "W", 12_000, 13_000, 25_000)
        table.lay("F6", "B", 26_000, 26_200)
        table.press("first", 30_000)
        table.see(removed("E5", "B", 34_000, 34_200))
        table.lay("J7", "W", 37_000, 37_200)
        table.press("second", 40_000)
        table.lay("G7", "B", 47_000, 47_200)
        table.press("first", 50_000)
        table.finish()
        assert table.accused == []
        assert table.arbiter.protocol.black is FIRST
        assert table.moves == "BH8 WH9 BH10 WI9 BF6 WJ7 BG7"

    def test_swapped_and_white_4_hidden_until_its_press(self) -> None:
        """The first player's press shows that the stone was its own, so the press before it was a swap."""
        table = self.opened()
        table.press("second", 14_000)
        table.press("first", 20_000)
        table.lay("I9", "W", 13_700, 19_000, 20_500)
        assert table.accused == []
        assert table.arbiter.protocol.black is SECOND
        self.offer_and_choose(table, "second", "first")

    def test_swapped_and_white_4_in_a_bracket_that_spans_the_press(self) -> None:
        """The point was last seen free before the swap; the press that follows is the first player's all the same."""
        table = self.opened()
        table.press("second", 14_000)
        table.lay("I9", "W", 13_700, 16_000)
        table.press("first", 20_000)
        table.see()
        assert table.accused == []
        assert table.arbiter.protocol.black is SECOND
        self.offer_and_choose(table, "second", "first")

    def test_white_4_before_the_first_player_pressed(self) -> None:
        """The first player forgot to press after the opening."""
        table = Table("competition")
        for n, (point, colour) in enumerate([("H8", "B"), ("H9", "W"), ("H10", "B")]):
            table.lay(point, colour, 2_000 * n + 1_000, 2_000 * n + 1_200)
        table.lay("I9", "W", 17_000, 17_200)
        table.press("second", 18_000)
        table.press("first", 19_000)
        table.press("second", 20_000)
        assert table.ruled == []
        assert table.arbiter.protocol.black is FIRST

    def test_points_of_the_same_shape(self) -> None:
        """P16: G8 and I8 are mirror images about the line of the three stones."""
        table = self.opened("competition-five-two")
        table.lay("H11", "W", 17_000, 17_200)
        table.press("second", 20_000)
        table.lay("G8", "B", 24_000, 24_200)
        table.lay("I8", "B", 26_000, 26_200)
        table.press("first", 30_000)
        table.see()
        assert facts(table.accused) == [("points_equivalent", "first", "G8 I8", True)]
