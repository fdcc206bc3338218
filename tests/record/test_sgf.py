"""SGF: read back by ourselves and by sgfmill, and files that others wrote."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from appliance.record.game_record import GameRecord, Outcome, RecordedMove, RecordedRuling
from appliance.record.sgf import Mark, SgfError, read_sgf, write_sgf

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), max_size=12)
REMARKS = st.lists(WORDS.filter(bool), max_size=3).map(tuple)
MS = st.integers(0, 10**8)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    size = draw(st.integers(5, 19))
    point = st.builds(Point, st.integers(0, size - 1), st.integers(0, size - 1))
    colour = st.sampled_from(Colour)
    stones = draw(st.dictionaries(point, colour, max_size=6))
    move = st.builds(
        RecordedMove,
        number=st.integers(1, 400),
        point=st.none() | point,
        colour=colour,
        t_ms=st.none() | MS,
        thinking_ms=st.none() | MS,
        remarks=REMARKS,
    )
    ruling = st.builds(
        RecordedRuling,
        code=st.sampled_from(["two_moves", "board_moved"]),
        rule=st.sampled_from(["P4", "E1"]),
        certainty=st.sampled_from(["certain", "could_not_see"]),
        seat=st.none() | st.sampled_from(Seat),
        points=st.lists(point, max_size=2).map(tuple),
        t_ms=MS,
        text=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
        move=st.none() | st.integers(1, 400),
    )
    result = draw(st.none() | st.sampled_from(Outcome))
    return draw(
        st.builds(
            GameRecord,
            board_size=st.just(size),
            ruleset=WORDS,
            title=WORDS,
            event=WORDS,
            place=WORDS,
            date=WORDS,
            black=WORDS,
            white=WORDS,
            black_seat=st.sampled_from(Seat),
            start=st.just(Position(size, stones) if stones else None),
            to_move=colour,
            moves=st.lists(move, max_size=12).map(tuple),
            offered=st.lists(point, max_size=3).map(tuple),
            rulings=st.lists(ruling, max_size=4).map(tuple),
            result=st.just(result),
            reason=st.sampled_from(["five", "flag", ""]) if result else st.just(""),
            remarks=REMARKS,
        )
    )


@given(records())
def test_round_trip(record: GameRecord) -> None:
    assert read_sgf(write_sgf(record)) == record


@given(records())
def test_sgfmill_reads_the_same_game(record: GameRecord) -> None:
    # 5A is no SGF name, so a strict reader is given a file without it.
    game = sgf.Sgf_game.from_bytes(write_sgf(replace(record, offered=())))
    assert game.get_size() == record.board_size
    assert game.get_charset() == "UTF-8"
    root, *nodes = game.get_main_sequence()
    assert root.get("GM") == 4
    black, white, gone = root.get_setup_stones()
    stones = record.start_stones
    assert black == {(p.rank, p.file) for p, c in stones.items() if c is Colour.BLACK}
    assert white == {(p.rank, p.file) for p, c in stones.items() if c is Colour.WHITE}
    assert not gone
    assert len(nodes) == len(record.moves)
    for node, move in zip(nodes, record.moves, strict=True):
        colour, point = node.get_move()
        assert colour == move.colour.lower()
        assert point == (None if move.point is None else (move.point.rank, move.point.file))


def test_the_bytes_of_a_short_game(short_game: GameRecord) -> None:
    lines = write_sgf(short_game).decode().split("\n;")
    assert lines[0] == (
        "(;GM[4]FF[4]CA[UTF-8]AP[Caipan]SZ[15]RU[competition-five-two]GN[Final]EV[城市杯]PC[北京]DT[2026-11-29]"
        "PB[王小明]PW[A. Smith]RE[B+R]REASON[resignation]5A[gj]PL[B]"
    )
    assert lines[1] == "B[hh]INSTANT[10250]THOUGHT[9000]C[0:10.250 (+0:09.000)]"
    assert lines[2].startswith("W[hg]")
    assert lines[3].endswith(
        "C[0:30.750 (+0:09.000)\n"
        "0:31.000 P8 press_before_placing certain first I9 先按钟后落子\n"
        "0:31.500 E1 board_moved certain shifted [0.4\\] cells]"
    )
    assert lines[7].startswith("B[ao]")
    assert lines[7].endswith("])\n")


def comments(data: bytes) -> list[str]:
    nodes = sgf.Sgf_game.from_bytes(data).get_main_sequence()
    return [node.get("C") if node.has_property("C") else "" for node in nodes]


def test_a_ruling_stands_with_the_move_that_it_is_about(short_game: GameRecord) -> None:
    """Whatever their instants and the order in which they were made; the record's order is kept."""
    early, moved = short_game.rulings
    rulings = (replace(early, move=4), replace(moved, move=None), replace(early, move=2, t_ms=60_000))
    record = replace(short_game, offered=(), rulings=rulings)
    data = write_sgf(record)
    said = [[line.split()[1] for line in comment.splitlines()[1:]] for comment in comments(data)]
    assert said == [[], [], ["P8"], ["E1"], ["P8"], [], [], []]
    assert read_sgf(data) == record


def test_a_doubt_begins_with_could_not_see_whether(short_game: GameRecord) -> None:
    early, _ = short_game.rulings
    doubt = replace(early, certainty="could not see", text="Could not see whether I9 was down")
    other = replace(early, certainty="could not see", text="先按钟后落子")
    record = replace(short_game, offered=(), rulings=(doubt, other))
    data = write_sgf(record)
    assert comments(data)[3].splitlines()[1:] == [
        "Could not see whether I9 was down (0:31.000 P8 press_before_placing I9)",
        "Could not see whether this is so: 先按钟后落子 (0:31.000 P8 press_before_placing I9)",
    ]
    assert read_sgf(data) == record


def test_rulings_of_files_without_their_numbers_keep_their_order() -> None:
    ruling = '{"code": "%s", "rule": "P4", "certainty": "certain", "seat": null, "points": [], "t_ms": 1}'
    text = f"(;GM[4]SZ[15]RULING[{ruling % 'a'}][{ruling % 'b'}];B[hh]RULING[{ruling % 'c'}])"
    record = foreign(text.replace('"points": []', '"points": [\\]'))
    assert [one.code for one in record.rulings] == ["a", "b", "c"]


def test_a_start_position_and_a_pass(from_midgame: GameRecord) -> None:
    written = write_sgf(from_midgame).decode()
    assert "SZ[13]" in written
    assert "AB[gg][hg]AW[am][gf]PL[W]" in written
    assert "\n;W[ma]" in written
    assert "\n;B[tt]" in written
    assert read_sgf(written.encode()) == from_midgame


@pytest.mark.parametrize(
    ("result", "reason", "written"),
    [
        (Outcome.BLACK, "five", "B+"),
        (Outcome.WHITE, "double_four", "W+"),
        (Outcome.WHITE, "flag", "W+T"),
        (Outcome.BLACK, "second_violation", "B+F"),
        (Outcome.DRAW, "double_pass", "Draw"),
        (Outcome.BOTH_LOSE, "late", "Void"),
    ],
)
def test_results(result: Outcome, reason: str, written: str) -> None:
    record = GameRecord(board_size=15, ruleset="renju", result=result, reason=reason)
    data = write_sgf(record)
    assert f"RE[{written}]".encode() in data
    assert read_sgf(data) == record


def test_odd_characters_in_remarks() -> None:
    remarks = (r"a ] b \ c : d [e] ;(", "\\", "]", "全角　空格", "C[x]")
    move = RecordedMove(number=1, point=Point(7, 7), colour=Colour.BLACK, remarks=remarks)
    record = GameRecord(board_size=15, ruleset="renju", moves=(move,), title=r"\]", remarks=("5A[dd]",))
    data = write_sgf(record)
    assert read_sgf(data) == record
    assert sgf.Sgf_game.from_bytes(data).get_last_node().get("C") == "\n".join(remarks)


def test_line_ends_and_tabs_become_spaces() -> None:
    move = RecordedMove(number=1, point=None, colour=Colour.BLACK, remarks=("one\ntwo\t three\r\n", "\n"))
    read = read_sgf(write_sgf(GameRecord(board_size=9, ruleset="renju", white="A\nB", moves=(move,))))
    assert read.white == "A B"
    assert read.moves[0].remarks == ("one two three",)


def test_two_moves_in_a_row_numbers_and_a_taken_point() -> None:
    moves = tuple(
        RecordedMove(number=n, point=Point.parse(p), colour=Colour(c))
        for n, p, c in [(1, "H8", "B"), (2, "H9", "W"), (2, "H10", "W"), (5, "H9", "B")]
    )
    record = GameRecord(board_size=15, ruleset="renju", moves=moves)
    data = write_sgf(record)
    assert b";W[hf]MN[2]" in data
    assert b";B[hg]MN[5]" in data
    assert read_sgf(data) == record


# -- files that others wrote


def foreign(text: str, **kwargs: Any) -> GameRecord:
    return read_sgf(text.encode(), **kwargs)


def points(record: GameRecord) -> list[str]:
    return [str(move.point) for move in record.moves]


def test_a_plain_file() -> None:
    record = foreign("junk (;FF[4]GM[4]SZ[15]RE[W+Resign]C[hello\nworld];B[hh];W[];B[tt]C[hm](;W[ao])(;W[oa]))")
    assert points(record) == ["H8", "None", "None", "A1"]
    assert record.remarks == ("hello", "world")
    assert record.moves[2].remarks == ("hm",)
    assert record.result is Outcome.WHITE
    assert record.reason == "resignation"
    assert record.to_move is Colour.BLACK


def test_renlib_properties() -> None:
    record = foreign("(;GM[4]SZ[15]PB[5A[x\\]]5A[gj];B[hh])")
    assert record.offered == (Point.parse("G6"),)
    assert record.black == "5A[x]"
    assert foreign("(;GM[4]SZ[15]5A[3];B[hh])").offered == ()


def test_setup_in_several_nodes_before_the_first_move() -> None:
    record = foreign("(;GM[4]SZ[15]AB[aa:ba];AW[cc]AE[ba]PL[W];W[dd])")
    assert record.start == Position(15, {Point.parse("A15"): Colour.BLACK, Point.parse("C13"): Colour.WHITE})
    assert record.to_move is Colour.WHITE


def test_a_move_in_the_root_and_a_node_with_a_comment_only() -> None:
    record = foreign("(;GM[4]SZ[15]W[aa];C[see];B[bb])")
    assert points(record) == ["A15", "B14"]
    assert record.to_move is Colour.WHITE
    assert record.moves[0].remarks == ("see",)


def test_y_from_the_bottom() -> None:
    text = "(;GM[4]SZ[15]AB[aa];W[bc])"
    assert foreign(text).start_stones == {Point.parse("A15"): Colour.BLACK}
    flipped = foreign(text, y_from="bottom")
    assert flipped.start_stones == {Point.parse("A1"): Colour.BLACK}
    assert points(flipped) == ["B3"]


@pytest.mark.parametrize("kind", ["GM[1]", "GM[5]", ""])
def test_other_games_only_when_told_the_direction(kind: str) -> None:
    text = f"(;{kind}SZ[15];B[ha])"
    with pytest.raises(SgfError, match="say whether the file counts y from the top or from the bottom"):
        foreign(text)
    assert points(foreign(text, y_from="top")) == ["H15"]
    assert points(foreign(text, y_from="bottom")) == ["H1"]


def test_charsets() -> None:
    text = "(;GM[4]SZ[15]CA[GBK]PB[許]C[乗];B[hh]C[汽車])"  # 許 ends in the byte of "]" in some charsets
    for charset in ("GBK", "Big5", "Shift_JIS", "UTF-8"):
        record = read_sgf(text.replace("GBK", charset).encode(charset, "replace"))
        assert record.moves[0].point == Point(7, 7)
    assert read_sgf(text.encode("gbk")).black == "許"
    assert read_sgf("(;GM[4]SZ[15]PB[許])".encode()).black == "許"
    assert read_sgf("(;GM[4]SZ[15]PB[Kütt])".encode("latin-1")).black == "Kütt"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a readable SGF game: no SGF data found"),
        ("hello", "not a readable SGF game: no SGF data found"),
        ("(;GM[4]SZ[15];B[hh]", "not a readable SGF game: unexpected end of SGF data"),
        ("(;GM[4]SZ[15];B)", "not a readable SGF game: property with no values"),
        ("(;GM[4];B[hh])", "no board size: write SZ"),
        ("(;GM[4]SZ[x];B[hh])", "not a readable SGF game: bad SZ property: b'x'"),
        ("(;GM[4]SZ[21];B[hh])", "SZ[21]: only boards of 5 to 19 lines can be read"),
        ("(;GM[four]SZ[15];B[hh])", "not a readable SGF game: invalid literal"),
        ("(;GM[4]SZ[15]CA[klingon];B[hh])", "unknown charset CA[klingon]: write UTF-8"),
        ("(;GM[4]SZ[15]CA[ascii]PB[許];B[hh])", "the file is not in its charset CA[ascii]: correct CA"),
        ("(;GM[4]SZ[15];B[hh];W[pa])", "after move 1 a move is off the board or no point: correct W[...]"),
        ("(;GM[4]SZ[15];B[H8])", "before the first move a move is off the board or no point: correct B[...]"),
        ("(;GM[4]SZ[15];B[hh]W[aa])", "before the first move a node holds both a black and a white move: split it"),
        (
            "(;GM[4]SZ[15];B[hh];AW[aa])",
            "after move 1 stones are set up (AB, AW, AE): only a start position can be read",
        ),
        ("(;GM[4]SZ[15]AB[aa]AW[aa])", "A15 is both black and white at the start: correct AB, AW"),
        ("(;GM[4]SZ[15]AB[zz])", "a stone of the start position is off the board: correct AB, AW"),
        ("(;GM[4]SZ[15];B[hh]INSTANT[soon])", "before the first move INSTANT[soon] is no whole number of milliseconds"),
        ("(;GM[4]SZ[15];B[hh]RULING[{}])", "before the first move a RULING cannot be read: remove it"),
        ("(;GM[4]SZ[15]PL[red])", "not a readable SGF game: a value is malformed"),
        ("(;GM[4]SZ[15]SEAT[third])", "not a readable SGF game: 'third' is not a valid Seat"),
    ],
)
def test_a_broken_file_gives_one_line(text: str, message: str) -> None:
    with pytest.raises(SgfError) as caught:
        foreign(text)
    line = str(caught.value)
    assert line.startswith(message)
    assert "\n" not in line


@given(st.binary(max_size=60), st.integers(0, 400))
def test_no_damage_raises_anything_else(noise: bytes, at: int) -> None:
    whole = b"(;GM[4]FF[4]CA[UTF-8]SZ[15]AB[aa][bb]AW[cc]PL[W]RE[B+R];W[hh]INSTANT[5]RULING[{}]C[x];B[tt]MN[3])"
    for data in (whole[:at] + noise + whole[at + len(noise) :], whole[:at] + noise):
        with contextlib.suppress(SgfError):
            read_sgf(data)


def test_marks_and_an_unknown_turn() -> None:
    """Marks are for people; a file that does not say whose turn it is begins, by custom, with Black."""
    record = GameRecord(board_size=15, ruleset="", to_move=None)
    data = write_sgf(record, {Mark.CROSS: [Point.parse("A1"), Point.parse("O15")], Mark.SQUARE: []})
    assert b"MA[ao][oa]" in data
    assert b"SQ" not in data
    assert b"PL" not in data
    assert read_sgf(data) == replace(record, to_move=Colour.BLACK)
