"""Openings beyond the seeds (O8) as stones and presses: colours, squares, offers; nobody is wrongly accused."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.arbiter.arbiter import Arbiter
from appliance.game.points import Colour, Point, Seat
from appliance.game.ruleset import load_ruleset
from tests.arbiter.honest_games import FAR_APART, HonestGame, Turn, as_seen
from tests.arbiter.table import Table, accusations, facts, removed

FIRST, SECOND = Seat.FIRST, Seat.SECOND
BLACK, WHITE = Colour.BLACK, Colour.WHITE


def played(name: str, turns: str) -> Table:
    """Turns of ten seconds, parted by ``/``: who presses at its end (1, 2; 0: nobody), then stones.

    ``BH8``: a black stone; ``-H8``: a black stone is taken away.
    """
    table = Table(name)
    for number, turn in enumerate(turns.split("/")):
        who, *stones = turn.split()
        for n, stone in enumerate(stones):
            at = 10_000 * number + 1_000 + 400 * n
            if stone[0] == "-":
                table.see(removed(stone[1:], "B", at, at + 200))
            else:
                table.lay(stone[1:], stone[0], at, at + 200)
        if who != "0":
            table.press("first" if who == "1" else "second", 10_000 * (number + 1))
            table.see()
    table.finish()
    return table


OFFERED = ["A1", "C2", "E15", "G14", "L1", "N3", "O9", "M12", "J15", "B11"]
TEN = " ".join(f"B{point}" for point in OFFERED)
NINE_AWAY = " ".join(f"-{point}" for point in OFFERED[:-1])


@pytest.mark.parametrize(
    ("name", "turns", "moves", "seats", "black"),
    [
        pytest.param(
            "taraguchi-10",
            "1 BH8/2 WH9/1 BH10/2 WE5/1 BD12/2 WL3/1 BN14",
            "BH8 WH9 BH10 WE5 BD12 WL3 BN14",
            "1212121",
            FIRST,
            id="Taraguchi, nobody swaps",
        ),
        pytest.param(
            "taraguchi-10",
            "1 BH8/2/1 WH9/2/1 BH10/2 WE5",
            "BH8 WH9 BH10 WE5",
            "1112",
            FIRST,
            id="Taraguchi, swapped twice",
        ),
        pytest.param(
            "taraguchi-10",
            "1 BH8/2 WH9/1 BH10/2 WE5/1 BD12/2/1 WL3/2 BN14",
            "BH8 WH9 BH10 WE5 BD12 WL3 BN14",
            "1212112",
            SECOND,
            id="Taraguchi, swapped after move 5",
        ),
        pytest.param(
            "taraguchi-10",
            "0 BH8/0 WH9/0 BH10/0 WE5/0 BD12/0 WL3/0 BN14",
            "BH8 WH9 BH10 WE5 BD12 WL3 BN14",
            "1212121",
            FIRST,
            id="Taraguchi without a clock",
        ),
        pytest.param(
            "taraguchi-10",
            f"1 BH8/2 WH9/1 BH10/2 WE5/1 {TEN}/2 {NINE_AWAY} WL3/1 BN14",
            "BH8 WH9 BH10 WE5 BB11 WL3 BN14",
            "1212121",
            FIRST,
            id="Taraguchi, ten points, the one kept outside 9 x 9",
        ),
        pytest.param(
            "swap2",
            "1 BC3 WH9 BM10/2 WE5/1 BD12",
            "BC3 WH9 BM10 WE5 BD12",
            "11121",
            FIRST,
            id="Swap2, White taken",
        ),
        pytest.param(
            "swap2",
            "1 BC3 WH9 BM10/2/1 WE5/2 BD12",
            "BC3 WH9 BM10 WE5 BD12",
            "11112",
            SECOND,
            id="Swap2, Black taken",
        ),
        pytest.param(
            "swap2",
            "1 BC3 WH9 BM10/2 WE5 BD12/1 WL3/2 BN14",
            "BC3 WH9 BM10 WE5 BD12 WL3 BN14",
            "1112212",
            SECOND,
            id="Swap2, two more, then White taken",
        ),
        pytest.param(
            "swap2",
            "1 BC3 WH9 BM10/2 WE5 BD12/1/2 WL3/1 BN14",
            "BC3 WH9 BM10 WE5 BD12 WL3 BN14",
            "1112221",
            FIRST,
            id="Swap2, two more, then Black taken",
        ),
        pytest.param(
            "soosyrv-8",
            "1 BH8 WH9 BH10/2 WE5/1/2 BD12 BL3/1 -D12 WN14/2 BB2",
            "BH8 WH9 BH10 WE5 BL3 WN14 BB2",
            "1112212",
            SECOND,
            id="Soosyrv, swapped after move 4",
        ),
    ],
)
def test_played_in_order(name: str, turns: str, moves: str, seats: str, black: Seat) -> None:
    table = played(name, turns)
    assert table.ruled == []
    assert table.moves == moves
    assert "".join("1" if move.seat is FIRST else "2" for move in table.arbiter.moves) == seats
    assert table.arbiter.protocol.black is black


@pytest.mark.parametrize(
    ("name", "turns", "found"),
    [
        ("taraguchi-10", "1 BH9/2 WE5", [("first_stone_off_tengen", "first", "H9", True)]),
        ("taraguchi-10", "1 BH8/2 WH10", [("opening_outside_26", "second", "H10", True)]),
        ("taraguchi-10", "1 BH8/2 WH9/1 BH11", [("opening_outside_26", "first", "H11", True)]),
        ("taraguchi-10", "1 BH8/2 WH9/1 BH10/2 WH12", [("stone_outside_square", "second", "H12", True)]),
        ("taraguchi-10", "1 BH8/2 WH9/1 BH10/2 WE5/1 BC12", [("stone_outside_square", "first", "C12", True)]),
        ("taraguchi-10", "1 BH8/2 WH9/1 BH10/2 WE5/0 BC12/2 WL3", [("stone_outside_square", "first", "C12", True)]),
        ("soosyrv-8", "1 BH8 WH9 BH11", [("opening_outside_26", "first", "H11", True)]),
        (
            "taraguchi-10",
            "1 BH8/2 WH9/1 BH10/2 WE5/1 BC12 BD14",
            [("points_equivalent", "first", "C12 D14", True)],
        ),
        ("rif-classical", "1 BH8 WH9 BH10/2 WH11/1 BG8 BI8", [("points_equivalent", "first", "G8 I8", True)]),
    ],
)
def test_out_of_order(name: str, turns: str, found: list[tuple[str, str, str, bool]]) -> None:
    assert facts(played(name, turns).arbiter.rulings) == found


SQUARES = {1: (7, 7), 2: (7, 8), 3: (7, 9), 4: (4, 4)}
ELSEWHERE = [point for point in FAR_APART if max(abs(point.file - 7), abs(point.rank - 7)) > 4]


@st.composite
def taraguchi(draw: st.DrawFn) -> list[Turn]:
    """Four stones with swaps or without, one point in 9 × 9 or ten, and some moves more."""
    points = draw(st.lists(st.sampled_from(ELSEWHERE), min_size=14, max_size=16, unique=True))
    last, black = FIRST, FIRST
    turns: list[Turn] = [(FIRST, [(BLACK, Point(*SQUARES[1]), False)])]

    def swap() -> bool:
        nonlocal black
        swapped = draw(st.booleans())
        if swapped:
            turns.append((last.other, []))
            black = black.other
        return swapped

    def lay(colour: Colour, point: Point) -> None:
        nonlocal last
        last = black if colour is BLACK else black.other
        turns.append((last, [(colour, point, False)]))

    for number, colour in ((2, WHITE), (3, BLACK), (4, WHITE)):
        swap()
        lay(colour, Point(*SQUARES[number]))
    if swap() or draw(st.booleans()):
        lay(BLACK, Point(3, 11))
        swap()
        lay(WHITE, points.pop())
    else:
        offered = [points.pop() for _ in range(10)]
        turns.append((black, [(BLACK, point, False) for point in offered]))
        kept = draw(st.sampled_from(offered))
        away = [(BLACK, point, True) for point in offered if point != kept]
        turns.append((black.other, [*away, (WHITE, points.pop(), False)]))
    for n, point in enumerate(points):
        lay(WHITE if n % 2 else BLACK, point)
    return turns


@st.composite
def swap2(draw: st.DrawFn) -> list[Turn]:
    """Three stones, then White, Black or two more, and some moves more."""
    points = draw(st.lists(st.sampled_from(FAR_APART), min_size=8, max_size=10, unique=True))
    stones = [(colour, points.pop(), False) for colour in (BLACK, WHITE, BLACK)]
    turns: list[Turn] = [(FIRST, stones)]
    chooser, black = SECOND, FIRST
    if draw(st.booleans()):
        turns.append((SECOND, [(WHITE, points.pop(), False), (BLACK, points.pop(), False)]))
        chooser = FIRST
    takes_black = draw(st.booleans())
    if takes_black:
        turns.append((chooser, []))
    black = chooser if takes_black else chooser.other
    for n, point in enumerate(points):
        turns.append((black, [(BLACK, point, False)]) if n % 2 else (black.other, [(WHITE, point, False)]))
    return turns


@st.composite
def soosyrv(draw: st.DrawFn) -> list[Turn]:
    """Three stones, a swap or not, White 4, a swap or not, the points and the choice, and some moves more."""
    points = draw(st.lists(st.sampled_from(ELSEWHERE), min_size=8, max_size=11, unique=True))
    opening = [(c, Point(*SQUARES[n]), False) for n, c in ((1, BLACK), (2, WHITE), (3, BLACK))]
    turns: list[Turn] = [(FIRST, opening)]
    black = FIRST
    if draw(st.booleans()):
        turns.append((SECOND, []))
        black = SECOND
    turns.append((black.other, [(WHITE, points.pop(), False)]))
    if draw(st.booleans()):
        turns.append((black, []))
        black = black.other
    offered = [points.pop() for _ in range(draw(st.integers(1, 4)))]
    turns.append((black, [(BLACK, point, False) for point in offered]))
    kept = draw(st.sampled_from(offered))
    away = [(BLACK, point, True) for point in offered if point != kept]
    turns.append((black.other, [*away, (WHITE, points.pop(), False)]))
    for n, point in enumerate(points):
        turns.append((black.other, [(WHITE, point, False)]) if n % 2 else (black, [(BLACK, point, False)]))
    return turns


def told(game: HonestGame, ruleset: str) -> Arbiter:
    """An arbiter that was told the whole game; nobody may have been accused with certainty."""
    arbiter = Arbiter(load_ruleset(ruleset))
    rulings = [*game.tell(arbiter), *arbiter.rulings]
    accused = [(r.code, r.seat, r.points) for r in accusations(rulings)]
    # Points on a board so bare may be of one shape.
    assert [one for one in accused if one[0] != "points_equivalent"] == []
    assert arbiter.position.stones == {point: colour for colour, point in game.moves}
    return arbiter


OPENINGS = {"taraguchi-10": taraguchi(), "swap2": swap2(), "soosyrv-8": soosyrv()}
SLOW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", OPENINGS)
@SLOW
@given(st.data())
def test_seen_at_once(name: str, data: st.DataObject) -> None:
    """The record is right; a wide bracket may leave open who laid a stone about the time of a swap."""
    game = data.draw(as_seen(OPENINGS[name], most_late=0))
    arbiter = told(game, name)
    assert [(move.colour, move.point) for move in arbiter.moves] == game.moves


@pytest.mark.parametrize("name", OPENINGS)
@SLOW
@given(st.data())
def test_any_stone_may_be_late(name: str, data: st.DataObject) -> None:
    told(data.draw(as_seen(OPENINGS[name])), name)
