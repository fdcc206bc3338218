"""The rules of conduct beyond the table: games taken back, acts nobody saw, what never happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.arbiter.accusations import terms
from appliance.arbiter.conduct import ENTERED
from appliance.arbiter.occurrences import (
    ActRaised,
    ActSeen,
    BackTo,
    DrawAgreed,
    DrawAnswered,
    DrawOffered,
    FiveDeclared,
    FlagsCalled,
    ForbiddenClaimed,
    LossEntered,
    Moved,
    Passed,
    Pressed,
    Restood,
    ResultAgreed,
    TakenBack,
    TooLate,
    ViolationGiven,
)
from appliance.arbiter.outcomes import Standing
from appliance.game.points import Point
from appliance.game.position import Position
from appliance.game.ruleset import Remedy, load_ruleset, ruleset_names
from tests.arbiter.games import BLACK, FIRST, SECOND, WHITE, Game, full_board

if TYPE_CHECKING:
    from appliance.arbiter.occurrences import Occurrence
    from appliance.arbiter.outcomes import Outcome

DOUBLE_THREE = "G8 G9 H9 G10 H10 F9 F8 F10 H8"


def pointed_out(game: Game, point: str) -> Outcome:
    (told,) = game.happens(ForbiddenClaimed(t_ns=0, by=SECOND, point=Point.parse(point)))
    return told


def restand(game: Game, origin: str, name: str) -> list[Outcome]:
    stood, stands = Point.parse(origin), Point.parse(name)
    colour = game.position.at(stood)
    assert colour is not None
    game.position = game.position.removed([stood]).placed(stands, colour)
    return game.happens(Restood(t_ns=0, origin=stood, point=stands, position=game.position))


def test_a_stone_that_came_to_another_point_is_judged_there() -> None:
    game = Game("B")
    game.play(DOUBLE_THREE)
    restand(game, "H8", "A1")
    assert pointed_out(game, "H8").standing is Standing.REJECTED
    restand(game, "A1", "H8")
    assert pointed_out(game, "H8").code == "double_three"


def test_white_has_laid_a_stone_before_the_other_was_put_back() -> None:
    game = Game("B")
    game.play(DOUBLE_THREE)
    restand(game, "H8", "A1")
    game.play("A15")
    restand(game, "A1", "H8")
    assert pointed_out(game, "H8").code == "claim_too_late"


def test_picking_up_the_white_stone_does_not_bring_the_claim_back() -> None:
    game = Game("A")
    game.play(f"{DOUBLE_THREE} A1")
    game.happens(TakenBack(t_ns=0, point=Point.parse("A1")))
    assert game.ledger.number == 9
    assert pointed_out(game, "H8").code == "claim_too_late"


def test_a_game_taken_back_stands_as_it_stood_then() -> None:
    game = Game("A")
    game.play(f"{DOUBLE_THREE} A1 A3")
    game.happens(ActRaised(t_ns=0, code="stone_slid", seat=FIRST, by=SECOND))
    game.happens(BackTo(t_ns=0, number=9))
    assert game.ledger.number == 9
    assert game.ledger.violations == (FIRST,)
    assert pointed_out(game, "H8").code == "double_three"


def test_an_act_of_moves_that_were_taken_back_is_gone() -> None:
    game = Game("A")
    game.play("H8 H9 I9 G7 J10 F6 A1")
    game.happens(ActSeen(t_ns=0, code="stone_slid", seat=FIRST))
    game.happens(BackTo(t_ns=0, number=6))
    (told,) = game.happens(ActRaised(t_ns=0, code="stone_slid", seat=FIRST, by=SECOND))
    assert told.standing is Standing.REJECTED


def test_a_five_taken_back_cannot_be_declared() -> None:
    game = Game("A")
    game.play("H8 A1 I8 A2 J8 A3 K8 A4 L8")
    game.happens(TakenBack(t_ns=0, point=Point.parse("L8")))
    (told,) = game.happens(FiveDeclared(t_ns=0, seat=FIRST))
    assert told.standing is Standing.REJECTED


def test_an_act_that_nobody_saw_is_raised() -> None:
    game = Game("B")
    game.play("H8 H9 I9 G7 J10 F6 A1")
    (told,) = game.happens(ActRaised(t_ns=0, code="other_hand", seat=FIRST, by=SECOND))
    assert told.violations == 1
    (again,) = game.happens(ActRaised(t_ns=0, code="other_hand", seat=FIRST, by=SECOND))
    assert "ruled on" in again.reason
    game.play("A15 C1")
    (other,) = game.happens(ActRaised(t_ns=0, code="other_hand", seat=FIRST, by=SECOND, happened_after=7))
    assert other.standing is Standing.REJECTED
    outcomes = game.happens(ActRaised(t_ns=0, code="other_hand", seat=FIRST, by=SECOND, happened_after=9))
    assert [outcome.code for outcome in outcomes] == ["other_hand", "second_violation"]


def test_an_old_act_that_nobody_saw_is_too_late() -> None:
    game = Game("A")
    game.play("H8 H9 I9 G7 J10 F6 A1 A15")
    (told,) = game.happens(ActRaised(t_ns=0, code="stone_slid", seat=FIRST, by=None, happened_after=7))
    assert told.reason == "too late: move 8 was played without it"


def test_a_pass_waives_nothing() -> None:
    game = Game("B")
    game.play("H8 H9 I9 G7 J10 F6 A1")
    game.happens(ActSeen(t_ns=0, code="stone_slid", seat=FIRST))
    game.play("pass")
    (told,) = game.happens(ActRaised(t_ns=0, code="stone_slid", seat=FIRST, by=SECOND))
    assert told.standing is Standing.ACCEPTED


def test_whose_act_it_was_is_left_open() -> None:
    """The remedy holds, nobody is penalised; named when it is raised, the offender is."""
    for seat, violations in ((None, ()), (SECOND, (SECOND,))):
        game = Game("B")
        game.play("H8 H9 I9 G7 J10 F6 A1")
        game.happens(ActSeen(t_ns=0, code="two_moves", seat=None))
        (told,) = game.happens(ActRaised(t_ns=0, code="two_moves", seat=seat, by=None))
        assert (told.standing, told.remedy) == (Standing.ACCEPTED, Remedy.TAKE_BACK)
        assert game.ledger.violations == violations


def test_board_full_with_an_unclaimed_forbidden_move_ends_with_the_pass() -> None:
    """No white stone can follow: White points it out or, passing, has the draw of the full board."""
    stones = dict(full_board().stones)
    stones |= {Point.parse(name): BLACK for name in ("E8", "F8", "G8", "H8", "I8", "J8")}
    stones |= {Point.parse(name): WHITE for name in ("D8", "K8")}
    for claims, result in ((True, "W"), (False, "D")):
        game = Game("A")
        game.play("H8 H9 I9 G7 J10 F6")
        game.position = Position(15, stones)
        last = Moved(t_ns=0, seat=FIRST, colour=BLACK, point=Point.parse("G8"), position=game.position)
        assert game.happens(last) == []
        if claims:
            pointed_out(game, "G8")
        else:
            game.happens(Passed(t_ns=0, seat=SECOND))
        assert game.result == result


def test_full_board_with_a_five_that_nobody_declared_is_not_drawn() -> None:
    """D3: "board full without a five"; its player may still declare it (W1)."""
    game = Game(load_ruleset("free").model_copy(update={"board_size": 5}), size=5)
    moves = "A1 A2 B1 B2 C1 C2 D1 D2 E1 A3 E2 B3 A4 C3 B4 D3 E3 C4 A5 D4 E4 B5 C5 E5 D5"
    for name in moves.split():
        game.play(name)
        game.happens(Pressed(t_ns=0, seat=game.ledger.turns[-1].seat))
    assert game.result is None
    game.happens(FiveDeclared(t_ns=0, seat=FIRST))
    assert game.result == "B"


def test_what_happened_twice_after_one_move_can_be_raised_twice() -> None:
    game = Game("B")
    game.play("H8 H9")
    for count in (1, 2):
        game.happens(DrawOffered(t_ns=0, seat=FIRST))
        game.happens(DrawOffered(t_ns=0, seat=FIRST))
        (told, *_) = game.happens(ActRaised(t_ns=0, code="draw_offer_improper", seat=FIRST, by=SECOND))
        assert (told.standing, told.violations) == (Standing.ACCEPTED, count)


def test_first_stone_off_tengen_may_be_raised_until_white_answers() -> None:
    """P1: the offender lays all three stones of the opening, so White's next move is move 4."""
    for moves, standing in (("G8 H9 J9", Standing.ACCEPTED), ("G8 H9 J9 A1", Standing.REJECTED)):
        game = Game("A")
        game.play(moves)
        (told,) = game.happens(ActRaised(t_ns=0, code="first_stone_off_tengen", seat=FIRST, by=None, happened_after=1))
        assert told.standing is standing


def test_an_act_after_a_move_that_nobody_made() -> None:
    game = Game("B")
    game.play("H8 H9")
    for number in (-1, 3, 99):
        (told,) = game.happens(ActRaised(t_ns=0, code="stone_slid", seat=FIRST, by=SECOND, happened_after=number))
        assert (told.standing, told.reason) == (Standing.REJECTED, f"there is no move {number}: the last is 2")


def test_what_no_game_can_have() -> None:
    game = Game("A")
    game.play("H8")
    with pytest.raises(KeyError):
        game.happens(ActRaised(t_ns=0, code="sneezing", seat=FIRST, by=None))
    with pytest.raises(ValueError, match="stone_slid: draw is no remedy here: use one of back_to_first_point"):
        game.happens(ActRaised(t_ns=0, code="stone_slid", seat=FIRST, by=None, remedy=Remedy.DRAW))
    with pytest.raises(ValueError, match="'five' is nothing that the referee enters"):
        game.happens(LossEntered(t_ns=0, seat=FIRST, code="five"))
    with pytest.raises(ValueError, match="no move stands on A1"):
        game.happens(TakenBack(t_ns=0, point=Point.parse("A1")))


SEATS = st.sampled_from([FIRST, SECOND])
MAYBE_SEAT = st.sampled_from([FIRST, SECOND, None])
DOWN = st.frozensets(SEATS)
NAMES = [f"{file}{rank}" for file in "ABCDEFG" for rank in range(1, 8)]
CODES = [*load_ruleset("renju").acts, "draw_offer_improper"]

MOVES = st.sampled_from(NAMES)
RARE: st.SearchStrategy[Occurrence] = st.one_of(
    st.builds(FlagsCalled, t_ns=st.just(0), down=DOWN, first=SEATS),
    st.builds(TooLate, t_ns=st.just(0), seats=DOWN),
    st.builds(DrawAgreed, t_ns=st.just(0)),
    st.builds(ResultAgreed, t_ns=st.just(0), winner=MAYBE_SEAT, clocks_stopped=st.booleans()),
    st.builds(LossEntered, t_ns=st.just(0), seat=SEATS, code=st.sampled_from(list(ENTERED))),
    st.builds(ViolationGiven, t_ns=st.just(0), seat=SEATS, code=st.just("stones_straightened")),
    st.builds(BackTo, t_ns=st.just(0), number=st.integers(0, 8)),
)
COMMON: st.SearchStrategy[Occurrence] = st.one_of(
    st.builds(Pressed, t_ns=st.just(0), seat=SEATS),
    st.builds(ActSeen, t_ns=st.just(0), code=st.sampled_from(CODES), seat=MAYBE_SEAT),
    st.builds(
        ActRaised,
        t_ns=st.just(0),
        code=st.sampled_from(CODES),
        seat=MAYBE_SEAT,
        by=MAYBE_SEAT,
        happened_after=st.none() | st.integers(0, 12),
        offender_left_s=st.none() | st.floats(0, 3600),
    ),
    st.builds(FiveDeclared, t_ns=st.just(0), seat=SEATS),
    st.builds(ForbiddenClaimed, t_ns=st.just(0), by=SEATS, point=MOVES.map(Point.parse)),
    st.builds(DrawOffered, t_ns=st.just(0), seat=SEATS),
    st.builds(DrawAnswered, t_ns=st.just(0), seat=SEATS, accepts=st.booleans()),
)
HAPPENINGS = st.lists(st.one_of(MOVES, MOVES, MOVES, MOVES, st.just("pass"), COMMON, COMMON, RARE), max_size=60)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(ruleset_names()), HAPPENINGS)
def test_whatever_happens(ruleset: str, happenings: list[str | Occurrence]) -> None:
    """Nothing legal raises; counts never go down; a game that has ended changes no more; losses have a cause."""
    game = Game(ruleset, size=7)
    for happening in happenings:
        before = game.ledger
        if isinstance(happening, str):
            if happening != "pass" and game.position.at(Point.parse(happening)):
                continue
            outcomes = game.play([happening])
        else:
            outcomes = game.happens(happening)
        after = game.ledger
        for seat in (FIRST, SECOND):
            assert after.violations.count(seat) >= before.violations.count(seat)
            assert after.draw_offers.count(seat) >= before.draw_offers.count(seat)
        if before.end is not None:
            assert after.end == before.end
            assert after.turns == before.turns
            assert after.violations == before.violations
            assert after.final >= before.final
        elif after.end is not None:
            assert [outcome.end for outcome in outcomes if outcome.end] == [after.end]
        for outcome in outcomes:
            assert outcome.article.text_zh
            if outcome.standing is not Standing.ACCEPTED:
                assert (outcome.violations, outcome.end) == (None, None)
        limit = after.ruleset.violations.limit
        assert all(after.violations.count(seat) <= limit for seat in (FIRST, SECOND))
        if after.end is None:
            assert all(after.violations.count(seat) < limit for seat in (FIRST, SECOND))


@pytest.mark.parametrize("name", ruleset_names())
def test_every_act_has_terms(name: str) -> None:
    ruleset = load_ruleset(name)
    for code in ruleset.acts:
        known = terms(ruleset, code)
        assert (known is None) == (ruleset.act(code) is None)
