"""Press against stone: b + e <= p in time, a - e >= p pressed first, else it could not be seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.arbiter.facts import Press
from appliance.arbiter.timing import Order, order
from appliance.game.points import Seat
from vision.acts import Bracket


def judged(press: int, after: int | None, by: int, press_error: int = 0, frame_error: int = 0) -> Order:
    bracket = Bracket(after_ns=after, by_ns=by, after_frame=None if after is None else 0, by_frame=1)
    return order(Press(seat=Seat.FIRST, t_ns=press, error_ns=press_error), bracket, frame_error)


@pytest.mark.parametrize(
    ("press", "after", "by", "press_error", "frame_error", "verdict"),
    [
        # Without errors: the stone came in (100, 200].
        (200, 100, 200, 0, 0, Order.STONE_FIRST),
        (199, 100, 200, 0, 0, Order.UNKNOWN),
        (101, 100, 200, 0, 0, Order.UNKNOWN),
        (100, 100, 200, 0, 0, Order.PRESS_FIRST),
        (0, 100, 200, 0, 0, Order.PRESS_FIRST),
        (1000, 100, 200, 0, 0, Order.STONE_FIRST),
        # Errors of both stamps add up, and stand on the player's side at the lower end.
        (209, 100, 200, 7, 3, Order.UNKNOWN),
        (210, 100, 200, 7, 3, Order.STONE_FIRST),
        (91, 100, 200, 7, 3, Order.UNKNOWN),
        (90, 100, 200, 7, 3, Order.PRESS_FIRST),
        (90, 100, 200, 10, 0, Order.PRESS_FIRST),
        (90, 100, 200, 0, 10, Order.PRESS_FIRST),
        # Never seen free: nobody can say that the press came first.
        (0, None, 200, 0, 0, Order.UNKNOWN),
        (200, None, 200, 0, 0, Order.STONE_FIRST),
        # A bracket no wider than the errors.
        (100, 99, 101, 2, 2, Order.UNKNOWN),
    ],
)
def test_table(press: int, after: int | None, by: int, press_error: int, frame_error: int, verdict: Order) -> None:
    assert judged(press, after, by, press_error, frame_error) is verdict


INSTANTS = st.integers(0, 10**10)
ERRORS = st.integers(0, 10**9)


@given(
    stone=INSTANTS,
    pressed=INSTANTS,
    before=ERRORS,
    beyond=ERRORS,
    press_error=ERRORS,
    frame_error=ERRORS,
    data=st.data(),
)
def test_never_against_what_happened(
    stone: int, pressed: int, before: int, beyond: int, press_error: int, frame_error: int, data: st.DataObject
) -> None:
    """Whatever the stamps' errors within their bounds: what is called certain is true."""
    press = pressed + data.draw(st.integers(-press_error, press_error))
    after = stone - 1 - before + data.draw(st.integers(-frame_error, frame_error))
    by = stone + beyond + data.draw(st.integers(-frame_error, frame_error))
    verdict = judged(press, after, by, press_error, frame_error)
    if verdict is Order.PRESS_FIRST:
        assert pressed < stone
    if verdict is Order.STONE_FIRST:
        assert stone <= pressed


@given(press=INSTANTS, after=INSTANTS, width=ERRORS, error=ERRORS, more=ERRORS)
def test_wider_errors_never_make_sure(press: int, after: int, width: int, error: int, more: int) -> None:
    narrow = judged(press, after, after + width, error)
    wide = judged(press, after, after + width, error, more)
    assert wide in (narrow, Order.UNKNOWN)
    assert judged(press, after, after + width, error + more) is wide
