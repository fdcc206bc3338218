"""The clock's threads come first where that is allowed, and do as well as they can where it is not."""

from __future__ import annotations

import gc
import os
import sys
import weakref
from typing import Any

import pytest

from clock.priority import SWITCH_INTERVAL_S, Collecting, Priority, coming_first, lock_soon_free

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows these priorities")


@needs_linux
def test_a_thread_asks_for_real_time_and_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(
        os, "sched_setscheduler", lambda pid, policy, param: asked.append((policy, param.sched_priority))
    )
    with coming_first(Priority.CLOCK):
        assert asked == [(os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, 2)]
    assert asked[1:] == [(os.SCHED_OTHER, 0)]


@needs_linux
def test_without_the_right_it_stays_ordinary(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_setscheduler", refused)
    with coming_first(Priority.DISPLAY):
        pass


def test_the_lock_is_given_up_soon_and_the_collector_has_little_to_look_through() -> None:
    before = sys.getswitchinterval()
    with lock_soon_free():
        assert sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL_S)
        assert gc.get_freeze_count() > 0
    assert sys.getswitchinterval() == pytest.approx(before)
    assert gc.get_freeze_count() == 0


def test_the_collector_works_when_it_is_called() -> None:
    class Round:
        def __init__(self) -> None:
            self.itself = self

    gone: list[int] = []
    with lock_soon_free():
        assert not gc.isenabled()
        young = Round()
        weakref.finalize(young, gone.append, 1)
        del young
        assert gone == []
        Collecting().check()
        assert gone == [1]
        frozen = gc.get_freeze_count()
        lasting = [Round() for _ in range(10)]
        collecting = Collecting()
        for _ in range(60):
            collecting.check()
        assert gc.get_freeze_count() >= frozen + len(lasting)
    assert gc.isenabled()
