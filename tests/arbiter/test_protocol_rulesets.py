"""Every ruleset's opening (O2 to O8), turn by turn as its source has it, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.arbiter.protocol import Choice, Kind, Phase, Possible, PressMeaning, Protocol
from appliance.game.points import Colour, Point, Seat
from appliance.game.ruleset import Ruleset, load_ruleset, ruleset_names

B, W = Colour.BLACK, Colour.WHITE
FIRST, SECOND = Seat.FIRST, Seat.SECOND
BOARD = [Point(n % 15, n // 15) for n in range(225)]


def walk(name: str, acts: str) -> Protocol:
    """Through an opening.

    ``B``, ``W``: a stone. ``1!``, ``2!``: that seat presses after laying; ``1?``, ``2?``: without having laid. ``-``:
    the point offered first is taken away. ``=3``: so many points are announced. Else: a choice.
    """
    protocol = Protocol.start(load_ruleset(name).opening)
    free = iter(BOARD)
    for act in acts.split():
        if act in ("B", "W"):
            protocol = protocol.lay(next(free), Colour(act))
        elif act[-1] in "!?":
            protocol = protocol.press(FIRST if act[0] == "1" else SECOND, has_laid=act[-1] == "!")
        elif act == "-":
            protocol = protocol.take_away(protocol.offered[0])
        elif act[0] == "=":
            protocol = protocol.declare(int(act[1:]))
        else:
            protocol = protocol.choose(Choice(act))
    return protocol


@pytest.mark.parametrize(
    ("name", "acts", "seat", "phase", "laid", "black"),
    [
        # Text A and RIF: three stones, swap, two points.
        ("rif-classical", "B W B 1!", SECOND, Phase.SWAP, 3, FIRST),
        ("rif-classical", "B W B 1! 2?", FIRST, Phase.SWAP, 3, SECOND),
        ("rif-classical", "B W B 1! 2? W 1!", SECOND, Phase.OFFER, 4, SECOND),
        ("rif-classical", "B W B 1! 2? W 1! B B 2!", FIRST, Phase.CHOOSE, 5, SECOND),
        ("rif-classical", "B W B 1! 2? W 1! B B 2! - W", SECOND, Phase.PLAY, 6, SECOND),
        # Yamaguchi, text B: the first player announces.
        ("yamaguchi", "B W B =3 1! W 2! B B B 1!", SECOND, Phase.CHOOSE, 5, FIRST),
        ("competition", "B W B =1 1! W 2! B 1! W 2!", FIRST, Phase.PLAY, 6, FIRST),
        # Soosyrv-8: the swap is open again after White 4.
        ("soosyrv-8", "B W B 1! 2? W =2 1!", SECOND, Phase.OFFER, 4, SECOND),
        ("soosyrv-8", "B W B 1! 2? W =2 1! 2?", FIRST, Phase.OFFER, 4, FIRST),
        ("soosyrv-8", "B W B 1! 2? W =2 1! 2? B B 1!", SECOND, Phase.CHOOSE, 5, FIRST),
        ("soosyrv-8", "B W B 1! W =1 2! B 1! W", FIRST, Phase.PLAY, 6, FIRST),
        # Taraguchi-10: a swap after each stone, one point or ten.
        ("taraguchi-10", "B 1!", SECOND, Phase.SWAP, 1, FIRST),
        ("taraguchi-10", "B 1! 2?", FIRST, Phase.SWAP, 1, SECOND),
        ("taraguchi-10", "B 1! 2? W 1! 2?", FIRST, Phase.SWAP, 2, FIRST),
        ("taraguchi-10", "B W B W", FIRST, Phase.SWAP, 4, FIRST),
        ("taraguchi-10", "B W B W B", FIRST, Phase.OFFER, 4, FIRST),
        ("taraguchi-10", "B W B W B 1!", SECOND, Phase.SWAP, 5, FIRST),
        ("taraguchi-10", "B W B W B 1! 2?", FIRST, Phase.SWAP, 5, SECOND),
        ("taraguchi-10", "B W B W B 1! 2? W", SECOND, Phase.PLAY, 6, SECOND),
        ("taraguchi-10", "B W B W B W", FIRST, Phase.PLAY, 6, FIRST),
        ("taraguchi-10", "B W B W B stay", SECOND, Phase.SWAP, 5, FIRST),
        ("taraguchi-10", "B W B W 1? B", FIRST, Phase.SWAP, 5, SECOND),
        ("taraguchi-10", "B W B W" + 10 * " B" + " 1!", SECOND, Phase.CHOOSE, 5, FIRST),
        ("taraguchi-10", "B W B W" + 10 * " B" + " 1!" + 9 * " -" + " W", FIRST, Phase.PLAY, 6, FIRST),
        ("taraguchi-10", "B W B W instead B", FIRST, Phase.OFFER, 4, FIRST),
        ("taraguchi-10", "B W B W stay B", SECOND, Phase.SWAP, 5, FIRST),
        # Swap2: the second player takes White, takes Black, or lays two more and leaves the choice to the first.
        ("swap2", "B W B 1!", SECOND, Phase.SWAP, 3, FIRST),
        ("swap2", "B W B 1! W 2!", FIRST, Phase.PLAY, 4, FIRST),
        ("swap2", "B W B 1! 2?", FIRST, Phase.SWAP, 3, SECOND),
        ("swap2", "B W B 1! 2? W 1!", SECOND, Phase.PLAY, 4, SECOND),
        ("swap2", "B W B 1! W B 2!", FIRST, Phase.SWAP, 5, SECOND),
        ("swap2", "B W B 1! W B 2! W 1!", SECOND, Phase.PLAY, 6, SECOND),
        ("swap2", "B W B 1! W B 2! 1?", SECOND, Phase.SWAP, 5, FIRST),
        ("swap2", "B W B 1! W B 2! 1? W 2!", FIRST, Phase.PLAY, 6, FIRST),
        ("swap2", "B W B 1! instead W B 2! 1? W 2!", FIRST, Phase.PLAY, 6, FIRST),
        ("swap2", "B W B 1! W instead", SECOND, Phase.OPENING, 4, FIRST),
        # No opening, or tengen alone.
        ("free", "B", SECOND, Phase.PLAY, 1, FIRST),
        ("standard", "B W", FIRST, Phase.PLAY, 2, FIRST),
        ("school", "B", SECOND, Phase.PLAY, 1, FIRST),
    ],
)
def test_turn_by_turn(name: str, acts: str, seat: Seat, phase: Phase, laid: int, black: Seat) -> None:
    protocol = walk(name, acts)
    assert (protocol.seat, protocol.phase, protocol.laid, protocol.black) == (seat, phase, laid, black)


@pytest.mark.parametrize(
    ("name", "acts", "possible"),
    [
        ("competition", "", "first lays B@1, first declares"),
        ("competition", "B", "first lays W@3, first declares"),
        ("competition", "B W B", "second lays W, second swaps, second chooses stay swap, first declares"),
        ("competition", "B W B =2 2?", "first lays W"),
        ("competition", "B W B =2 W", "first lays B/2"),
        ("competition", "B W B =2 W B B", "first lays B/2, first presses"),
        ("competition", "B W B =2 W B B 1!", "second takes away"),
        ("competition", "B W B =2 W B B 1! -", "second lays W"),
        ("soosyrv-8", "B W B", "second lays W, second swaps, second chooses stay swap, second declares 8"),
        ("soosyrv-8", "B W B 2?", "first lays W, first declares 8"),
        ("taraguchi-10", "B W B", "second lays W@7, second swaps, second chooses stay swap"),
        ("taraguchi-10", "B W B W", "first lays B@9, first swaps, first chooses stay swap instead"),
        ("taraguchi-10", "B W B W B", "first lays B/10, second lays W/10, first chooses stay instead, first presses"),
        ("taraguchi-10", "B W B W 1?", "second lays B@9"),
        ("swap2", "B W B W", "second lays B, second chooses stay instead, second presses"),
        ("swap2", "B W B 2?", "first lays W"),
        ("renju", "B W B W", "first lays B"),
        ("renju", "B W B W B", "second lays W, second passes"),
    ],
)
def test_what_is_possible(name: str, acts: str, possible: str) -> None:
    verbs = {"lay": "lays", "take_away": "takes away", "press": "presses", "pass": "passes"}

    def short(act: Possible) -> str:
        square = f"@{act.within}" if act.within else ""
        most = "" if act.most is None else f" {act.most}" if act.kind is Kind.DECLARE else f"/{act.most}"
        what = f" {act.colour}{square}" if act.colour else ""
        return " ".join([f"{act.seat} {verbs.get(act.kind, act.kind + 's')}{what}{most}", *act.choices])

    found = walk(name, acts).possible(load_ruleset(name).passes)
    assert ", ".join(map(short, found)) == possible


@pytest.mark.parametrize(
    ("name", "acts", "seat", "has_laid", "meaning"),
    [
        ("competition", "B W", FIRST, True, PressMeaning.NOTHING),
        ("competition", "B W B", FIRST, True, PressMeaning.NOTHING),
        ("competition", "B W B", SECOND, False, PressMeaning.SWAP),
        ("competition", "B W B 2?", FIRST, False, PressMeaning.NOTHING),
        ("competition", "B W B W B", FIRST, True, PressMeaning.OFFER),
        ("taraguchi-10", "B W B W B", FIRST, True, PressMeaning.STONE),
        ("taraguchi-10", "B W B W B B", FIRST, True, PressMeaning.OFFER),
        ("taraguchi-10", "B W B W instead", FIRST, False, PressMeaning.NOTHING),
        ("swap2", "B W B W", SECOND, True, PressMeaning.STONE),
        ("renju", "B W", FIRST, False, PressMeaning.NOTHING),
    ],
)
def test_what_a_press_means(name: str, acts: str, seat: Seat, has_laid: bool, meaning: PressMeaning) -> None:
    assert walk(name, acts).press_meaning(seat, has_laid=has_laid) is meaning


@pytest.mark.parametrize(
    ("name", "acts", "colour", "seat", "breach"),
    [
        ("renju", "B", B, FIRST, "two_moves"),
        ("renju", "B", B, SECOND, "wrong_stone"),
        ("renju", "B", B, None, "two_moves"),
        ("competition", "B", B, FIRST, "two_moves"),
        ("competition", "B", W, SECOND, "wrong_stone"),  # the first player lays all three
        ("competition", "B W B 2?", B, SECOND, "two_moves"),
    ],
)
def test_which_rule_a_stone_out_of_turn_breaks(
    name: str, acts: str, colour: Colour, seat: Seat | None, breach: str
) -> None:
    assert walk(name, acts).breach_of(colour, seat) == breach


@pytest.mark.parametrize(
    ("name", "acts", "breach"),
    [
        ("competition", "B W", None),  # still time
        ("competition", "B W B", "points_not_announced"),
        ("competition", "B W B =4", None),
        ("competition", "B W B W B B", "points_not_announced"),
        ("competition", "B W B W B B =2", None),
        ("competition", "B W B W B B 1! - W", None),  # P3 lapses with move 5
        ("competition-five-two", "B W B", None),
        ("soosyrv-8", "B W B", None),
        ("soosyrv-8", "B W B W", "points_not_announced"),
    ],
)
def test_an_announcement_left_out(name: str, acts: str, breach: str | None) -> None:
    assert walk(name, acts).breach == breach


def test_who_owes_the_announcement_keeps_it_through_a_swap() -> None:
    assert walk("competition", "B W B 1! 2?").declarer is FIRST
    assert walk("soosyrv-8", "B W B 1! W 2! 1?").declarer is SECOND


@pytest.mark.parametrize(("name", "count"), [("soosyrv-8", 0), ("soosyrv-8", 9), ("yamaguchi", 0)])
def test_a_number_that_cannot_be_announced(name: str, count: int) -> None:
    with pytest.raises(ValueError, match="points cannot be announced"):
        walk(name, "B W B").declare(count)


def test_swapping_twice_restores_the_colours() -> None:
    before = walk("taraguchi-10", "B")
    once = before.press(SECOND, has_laid=False)
    twice = once.lay(BOARD[1], W).press(SECOND, has_laid=False)
    assert (before.black, once.black, twice.black) == (FIRST, SECOND, FIRST)


@pytest.mark.parametrize(
    ("name", "acts"),
    [("competition", "B"), ("competition", "B W B"), ("taraguchi-10", "B W B W B"), ("swap2", "B W B W")],
)
def test_a_stone_taken_back(name: str, acts: str) -> None:
    """All is as before it, but a stone declines the swap."""
    before = walk(name, acts.rpartition(" ")[0])
    after = walk(name, acts).undone()
    assert (after.laid, after.due, after.steps, after.done, after.offered) == (
        before.laid,
        before.due,
        before.steps,
        before.done,
        before.offered,
    )


def test_a_stone_taken_back_has_declined_the_swap() -> None:
    assert not walk("competition", "B W B W").undone().swap_is_open()
    assert walk("swap2", "B W B W").undone().choices == (Choice.STAY, Choice.SWAP, Choice.INSTEAD)
    with pytest.raises(ValueError, match="no stone"):
        walk("competition", "").undone()


def test_a_turn_given_up_in_the_opening() -> None:
    assert walk("competition", "B W B").skip().phase is Phase.OFFER
    assert walk("competition", "B W B W").skip().due is W
    assert (walk("competition", "B W B W B B 1!").skip().due, walk("renju", "").skip().due) == (B, W)


def applied(protocol: Protocol, act: Possible, point: Point, pick: int) -> Protocol:
    """After ``act``; ``point``: a free one; ``pick``: which of several."""
    match act.kind:
        case Kind.LAY:
            assert act.colour is not None
            return protocol.lay(point, act.colour)
        case Kind.TAKE_AWAY:
            return protocol.take_away(act.points[pick % len(act.points)])
        case Kind.SWAP:
            return protocol.press(act.seat, has_laid=False)
        case Kind.PRESS:
            return protocol.press(act.seat, has_laid=True)
        case Kind.CHOOSE:
            return protocol.choose(act.choices[pick % len(act.choices)])
        case Kind.DECLARE:
            return protocol.declare(1 + pick % (act.most or 12))
        case Kind.PASS:
            return protocol.skip()


def illegal(protocol: Protocol, ruleset: Ruleset) -> Iterator[str]:
    """Acts that are not in order, each of which must raise; yields those that do not."""
    kinds = {(act.kind, act.colour) for act in protocol.possible(ruleset.passes)}
    before = replace(protocol)
    attempts = [
        *(partial(protocol.lay, BOARD[-1], colour) for colour in Colour if (Kind.LAY, colour) not in kinds),
        *(partial(protocol.choose, choice) for choice in Choice if choice not in protocol.choices),
        *([partial(protocol.declare, 1)] if (Kind.DECLARE, None) not in kinds else []),
        partial(protocol.take_away, BOARD[-1]),
    ]
    for number, attempt in enumerate(attempts):
        try:
            attempt()
        except ValueError:
            continue
        yield f"attempt {number}"
    if protocol != before:
        yield "changed"


@given(st.sampled_from(ruleset_names()), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=70))
def test_somebody_may_always_act(name: str, picks: list[tuple[int, int]]) -> None:
    """Until two passes in a row end the game; illegal acts raise and change nothing; a swap moves colours only."""
    ruleset = load_ruleset(name)
    protocol = Protocol.start(ruleset.opening)
    free = iter(BOARD)
    passed = 0
    for which, pick in picks:
        possible = protocol.possible(ruleset.passes)
        assert possible
        assert any(act.kind in (Kind.LAY, Kind.TAKE_AWAY) for act in possible)
        assert [*illegal(protocol, ruleset)] == []
        act = possible[which % len(possible)]
        before, protocol = protocol, applied(protocol, act, next(free), pick)
        passed = passed + 1 if act.kind is Kind.PASS else 0
        if act.kind is Kind.SWAP:
            assert protocol.black is before.black.other
            assert replace(protocol, black=before.black, settled=before.settled) == before
        # Black's one stone counts as move 5 only once White has answered it with a stone.
        answered = act.colour is W and before.phase is Phase.OFFER and len(before.offered) == 1
        assert protocol.laid - before.laid in ((2,) if answered else (0, 1))
        assert protocol.seat_of(B) is protocol.seat_of(W).other
        if passed == 2:
            return


def played_through(protocol: Protocol, used: int = 0) -> Iterator[Protocol]:
    """Every state in which an opening ends, by stones, swaps and presses; offered are as many as are wanted, or two."""
    if protocol.phase is Phase.PLAY:
        yield protocol
        return
    wanted = protocol.wanted or 2
    for act in protocol.possible():
        enough = protocol.phase is Phase.OFFER and len(protocol.offered) >= wanted and act.colour is B
        if act.kind in (Kind.CHOOSE, Kind.DECLARE) or enough:
            continue
        yield from played_through(applied(protocol, act, BOARD[used], 0), used + 1)


AFTER_SIX = {(6, FIRST), (6, SECOND)}
ENDS = {
    "competition": AFTER_SIX,
    "competition-five-two": AFTER_SIX,
    "rif-classical": AFTER_SIX,
    "yamaguchi": AFTER_SIX,
    "soosyrv-8": AFTER_SIX,
    "taraguchi-10": AFTER_SIX,
    "swap2": {(4, FIRST), (4, SECOND)} | AFTER_SIX,
    "renju": {(1, FIRST)},
    "school": {(1, FIRST)},
    "free": {(0, FIRST)},
    "freestyle": {(0, FIRST)},
    "standard": {(0, FIRST)},
}
"""How many moves lie there when an opening ends, and where Black then sits."""


@pytest.mark.parametrize("name", ruleset_names())
def test_every_opening_can_be_played_through(name: str) -> None:
    found = [*played_through(Protocol.start(load_ruleset(name).opening))]
    assert {(protocol.laid, protocol.black) for protocol in found} == ENDS[name]
    assert all(protocol.due is (W if protocol.laid % 2 else B) for protocol in found)
