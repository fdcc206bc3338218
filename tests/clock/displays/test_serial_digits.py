"""The serial display over a pty: exact bytes, and a far end that closes, stalls and comes back."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clock.digits import SECOND_NS
from clock.displays import DisplayFault
from clock.displays.serial_digits import SerialDigitsDisplay
from clock.seats import Seat
from clock.show import RETRY_NS, STEP_NS, DisplayBack, DisplayFact, DisplayLost, Shown
from clock.wiring import Serial
from tests.clock.readings import reading

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.clock.displays.far_end import FarEnd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clock.reading import Reading

SHORT_S = 0.01
"""How long a stalled display holds up a test."""


@pytest.fixture
def far(tmp_path: Path) -> Iterator[FarEnd]:
    far = FarEnd(tmp_path / "display")
    yield far
    if far.path.exists():
        far.pull_out()


def opened(far: FarEnd, seat: Seat | None = Seat.FIRST) -> SerialDigitsDisplay:
    return SerialDigitsDisplay(Serial(), str(far.path), seat, write_timeout_s=SHORT_S)


def test_the_bytes_of_a_time(far: FarEnd) -> None:
    display = opened(far)
    assert far.read() == bytes((0x7A, 100))  # full brightness
    display.show(reading())
    # 1: b c. 2: a b d e g. 3: a b c d g. 4: b c f g. The point after the second digit.
    assert far.read() == bytes((0x7B, 0x06, 0x7C, 0x5B, 0x7D, 0x4F, 0x7E, 0x66, 0x77, 0x02))
    display.close()
    assert far.read() == bytes((0x76,))


def test_each_side_and_the_running_one(far: FarEnd) -> None:
    for seat, running, text in [
        (Seat.FIRST, Seat.SECOND, "12.34"),
        (Seat.SECOND, Seat.SECOND, "08.59"),
        (None, Seat.FIRST, "12.34"),
        (None, Seat.SECOND, "08.59."),
    ]:
        display = opened(far, seat)
        display.show(reading(running=running))
        assert far.text() == text
        display.close()
        far.read()


def test_written_once_a_second_and_when_something_changes(far: FarEnd) -> None:
    display = opened(far)
    display.show(reading(10 * SECOND_NS))
    far.read()
    display.show(reading(10 * SECOND_NS + STEP_NS))
    assert far.read() == b""
    display.show(reading(10 * SECOND_NS + SECOND_NS // 2))
    assert far.text() == "1234"
    display.show(reading(11 * SECOND_NS, running=None))
    display.show(reading(12 * SECOND_NS, running=None))
    assert len(far.read()) == 20
    display.close()


def test_no_byte_of_a_frame_could_be_taken_for_a_new_baud_rate_when_a_display_is_plugged_in_amid_it(
    far: FarEnd,
) -> None:
    display = opened(far)
    display.show(reading(first_s=88 * 60 + 88))  # an 8 lights all: 0x7F, which also begins the command for the rate
    frame = far.read()
    followers = [after for byte, after in pairwise(frame) if byte == 0x7F]
    assert followers
    assert min(followers) > 11  # the rates are 0 to 11
    assert 0x81 not in frame  # factory reset
    display.close()


def test_no_such_port_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        DisplayFault, match=r"none: cannot be opened \(No such file or directory\): plug the display in"
    ):
        SerialDigitsDisplay(Serial(), str(tmp_path / "none"), None)


def test_a_port_in_use_is_one_line(far: FarEnd) -> None:
    display = opened(far)
    with pytest.raises(DisplayFault, match="cannot be opened"):
        opened(far)
    display.close()


def test_bytes_that_pile_up_are_noticed_long_before_the_buffers_are_full(
    far: FarEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    from serial import Serial as Port

    display = opened(far)
    monkeypatch.setattr(Port, "out_waiting", 40)  # a pty has no queue of its own to ask about
    display.show(reading(10 * SECOND_NS))
    monkeypatch.setattr(Port, "out_waiting", 41)
    with pytest.raises(DisplayFault, match="takes no more bytes"):
        display.show(reading(11 * SECOND_NS))
    display.close()


class Game:
    """A clock that runs down from 99:59, shown on a serial display."""

    def __init__(self, far: FarEnd) -> None:
        self.facts: list[DisplayFact] = []
        self.shown = Shown("left", lambda: opened(far), self.latest, self.facts.append)

    def latest(self, now_ns: int) -> Reading:
        return reading(now_ns, first_s=99 * 60 + 59 - now_ns // SECOND_NS)


def test_pulled_out_and_plugged_in_again_shows_the_right_time(far: FarEnd) -> None:
    game = Game(far)
    assert game.shown.step(0) == STEP_NS
    assert far.text() == "99.59"
    far.pull_out()
    assert game.shown.step(SECOND_NS) == SECOND_NS + RETRY_NS
    assert game.shown.step(2 * SECOND_NS) == SECOND_NS + RETRY_NS  # not due: nothing is tried
    for later in range(3, 61, 2):
        game.shown.step(later * SECOND_NS)
    assert [type(fact) for fact in game.facts] == [DisplayLost]  # once, however often it was tried
    far.plug_in()
    game.shown.step(61 * SECOND_NS)
    assert far.text() == "98.58"
    lost, back = game.facts
    assert isinstance(lost, DisplayLost)
    assert lost.why.startswith(f"{far.path}: the display is gone")
    assert "\n" not in lost.why
    assert back == DisplayBack(name="left", at_ns=61 * SECOND_NS)
    game.shown.close()


def test_a_stalled_display_is_given_up_and_comes_back(far: FarEnd) -> None:
    game = Game(far)
    steps = 0
    while not game.facts:  # nobody reads, until the cable is full
        game.shown.step(steps * SECOND_NS // 2)
        steps += 1
        assert steps < 5_000
    (lost,) = game.facts
    assert isinstance(lost, DisplayLost)
    assert lost.why == f"{far.path}: the display takes no more bytes: check its cable"
    far.read()
    again_ns = lost.at_ns + RETRY_NS
    game.shown.step(again_ns)
    assert game.facts[1:] == [DisplayBack(name="left", at_ns=again_ns)]
    left_s = 99 * 60 + 59 - again_ns // SECOND_NS
    assert far.text().replace(".", "") == f"{left_s // 60:02}{left_s % 60:02}"
    game.shown.close()
