"""A display is fed, lost, reported once and found again; its thread only loops."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING

import pytest

from clock.digits import SECOND_NS
from clock.displays import DisplayFault
from clock.displays.kinds import DisplayKind, openers
from clock.displays.none import NoDisplay
from clock.show import RETRY_NS, STEP_NS, DisplayBack, DisplayFact, DisplayLost, Shown, ShowThread
from clock.wiring import Serial, Wiring
from tests.clock.readings import reading

if TYPE_CHECKING:
    from clock.reading import Reading


class Paper:
    """A display that keeps what it was shown, and fails when told to."""

    def __init__(self) -> None:
        self.shown: SimpleQueue[int] = SimpleQueue()
        self.torn = self.missing = False
        self.opened = self.closed = 0

    def open(self) -> Paper:
        if self.missing:
            raise DisplayFault("paper: none: buy some")
        self.opened += 1
        return self

    def show(self, reading: Reading) -> None:
        if self.torn:
            raise DisplayFault("paper: torn: mend it")
        self.shown.put(reading.at_ns)

    def close(self) -> None:
        self.closed += 1


class Seldom(Shown):
    """Due again in an hour: what it shows before, it was woken for."""

    def step(self, now_ns: int) -> int:
        return super().step(now_ns) + 3600 * SECOND_NS


def test_it_is_opened_once_and_shown_the_newest_reading() -> None:
    paper, facts = Paper(), list[DisplayFact]()
    shown = Shown("paper", paper.open, reading, facts.append)
    assert [shown.step(now) for now in (7, 8)] == [7 + STEP_NS, 8 + STEP_NS]
    assert (paper.opened, paper.closed, facts) == (1, 0, [])
    assert [paper.shown.get_nowait(), paper.shown.get_nowait()] == [7, 8]
    shown.close()
    assert paper.closed == 1


def test_lost_is_told_once_for_each_loss() -> None:
    paper, facts = Paper(), list[DisplayFact]()
    shown = Shown("paper", paper.open, reading, facts.append)
    paper.missing = True
    due = shown.step(0)
    due = shown.step(due)
    paper.missing = False
    due = shown.step(due)
    paper.torn = True
    due = shown.step(due)
    paper.torn = False
    shown.step(due)
    assert facts == [
        DisplayLost(name="paper", why="paper: none: buy some", at_ns=0),
        DisplayBack(name="paper", at_ns=2 * RETRY_NS),
        DisplayLost(name="paper", why="paper: torn: mend it", at_ns=2 * RETRY_NS + STEP_NS),
        DisplayBack(name="paper", at_ns=3 * RETRY_NS + STEP_NS),
    ]
    assert (paper.opened, paper.closed) == (2, 1)


def test_no_step_is_so_long_that_a_tenth_or_a_blink_is_missed() -> None:
    assert STEP_NS * 2 <= SECOND_NS // 10


def test_the_thread_shows_at_once_when_woken_and_ends_with_the_display_closed() -> None:
    paper, now = Paper(), 0
    thread = ShowThread(Seldom("paper", paper.open, reading, lambda fact: None), now=lambda: now)
    assert paper.shown.get(timeout=5) == 0
    now = 5
    thread.wake()
    assert paper.shown.get(timeout=5) == 5
    thread.close()
    assert paper.closed == 1


def test_whatever_a_driver_raises_the_display_is_opened_again() -> None:
    paper, facts = Paper(), list[DisplayFact]()

    def shows_nonsense(_at_ns: int) -> Reading:
        raise OverflowError("too long")

    shown = Shown("paper", paper.open, shows_nonsense, facts.append)
    due = shown.step(0)
    shown.step(due)
    why = "paper: OverflowError('too long'): report this error"
    assert facts == [DisplayLost(name="paper", why=why, at_ns=0)]
    assert (paper.opened, paper.closed) == (2, 2)


def test_a_display_that_hangs_keeps_nobody_from_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clock.show.PATIENCE_S", 0.01)
    entered, freed = Event(), Event()

    class Hung(Paper):
        def show(self, reading: Reading) -> None:  # noqa: ARG002
            entered.set()
            freed.wait()

    hung = Hung()
    thread = ShowThread(Shown("hung", lambda: hung, reading, lambda fact: None))
    assert entered.wait(5)
    thread.close()
    assert hung.closed == 0
    freed.set()


def test_kinds_are_opened_as_wired() -> None:
    one = Wiring()
    two = Wiring(serial=Serial(ports=("/dev/left", "/dev/right")))
    assert list(openers(DisplayKind.MAX7219, one)) == ["MAX7219"]
    assert list(openers(DisplayKind.LED_DIGITS, one)) == ["LED digits"]
    assert list(openers(DisplayKind.SERIAL, one)) == ["/dev/ttyUSB0"]
    assert list(openers(DisplayKind.SERIAL, two)) == ["/dev/left", "/dev/right"]
    (none,) = openers(DisplayKind.NONE, one).values()
    assert isinstance(none(), NoDisplay)
    with pytest.raises(DisplayFault, match=r"^/dev/left: cannot be opened"):
        openers(DisplayKind.SERIAL, two)["/dev/left"]()
