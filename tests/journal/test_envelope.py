"""The sealed move: opened by its code alone; the token tells nothing, not even by its length."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.points import MAX_SIZE, MIN_SIZE, Point
from appliance.journal.envelope import EnvelopeError, Sealed, opened, seal

SEALS = settings(max_examples=15, deadline=None)  # each takes the processor on purpose
LENGTH = len(seal(Point(7, 7), 15).token)


@st.composite
def moves(draw: st.DrawFn) -> tuple[Point, int]:
    size = draw(st.integers(MIN_SIZE, MAX_SIZE))
    line = st.integers(0, size - 1)
    return Point(draw(line), draw(line)), size


@SEALS
@given(moves())
def test_the_code_opens_it(move: tuple[Point, int]) -> None:
    point, size = move
    sealed = seal(point, size)
    assert opened(sealed.token, sealed.code) == point
    assert len(sealed.token) == LENGTH
    assert sealed.code.replace("-", "") not in sealed.token


def test_the_code_as_people_write_it() -> None:
    sealed = next(found for found in (seal(Point(7, 7), 15) for _ in range(99)) if re.search("[01]", found.code))
    for written in (
        sealed.code.lower(),
        sealed.code.replace("-", ""),
        f" {sealed.code.replace('-', ' ')} ",
        sealed.code.replace("0", "O").replace("1", "l"),
        sealed.code.replace("0", "o").replace("1", "I"),
    ):
        assert opened(sealed.token, written) == Point(7, 7)


@SEALS
@given(st.data())
def test_another_code_does_not(data: st.DataObject) -> None:
    sealed = SEALED
    letters = list(sealed.code)
    at = data.draw(st.sampled_from([n for n, letter in enumerate(letters) if letter != "-"]))
    letters[at] = data.draw(st.sampled_from(sorted(set("23456789ABCDEFGH") - {letters[at]})))
    for code in ("".join(letters), sealed.code[:-1], "", "王"):
        with pytest.raises(EnvelopeError, match="compare it with the paper") as refused:
            opened(sealed.token, code)
        assert "\n" not in str(refused.value)


SEALED: Sealed = seal(Point(2, 13), 15)


@SEALS
@given(st.data())
def test_a_changed_token_does_not_open(data: st.DataObject) -> None:
    token = bytearray(base64.urlsafe_b64decode(SEALED.token))
    token[data.draw(st.integers(0, len(token) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(EnvelopeError):
        opened(base64.urlsafe_b64encode(token).decode(), SEALED.code)


@pytest.mark.parametrize(
    "token",
    ["", "?", "abc", "王", pytest.param(SEALED.token[:20], id="cut"), pytest.param(SEALED.token + "\n", id="line end")],
)
def test_what_is_no_token(token: str) -> None:
    with pytest.raises(EnvelopeError) as refused:
        opened(token, SEALED.code)
    assert "\n" not in str(refused.value)


def test_the_same_move_never_looks_the_same() -> None:
    sealed = [seal(Point(7, 7), 15) for _ in range(5)]
    assert len({one.token for one in sealed}) == len({one.code for one in sealed}) == 5
    # Nothing is in clear: no byte but the format's own is the same in all of them.
    tokens = [base64.urlsafe_b64decode(one.token) for one in sealed]
    salt, head = 16, 9  # the format's number, and the time, which is left out
    for n in [*range(salt), *range(salt + head, len(tokens[0]))]:
        assert len({token[n] for token in tokens}) > 1


@pytest.mark.parametrize("point", [Point(15, 0), Point(0, 15), Point(-1, 3)])
def test_a_point_off_the_board(point: Point) -> None:
    with pytest.raises(ValueError, match="not on a board of 15 lines"):
        seal(point, 15)
