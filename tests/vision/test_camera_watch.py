"""When a camera process is started, ended and started again: as a table, and whatever comes in whatever order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.camera_watch import (
    SECOND_NS,
    Alive,
    CameraBack,
    CameraFault,
    CameraOver,
    CameraWatch,
    Failed,
    LeftOut,
    Order,
    Patience,
    Renewed,
    Seen,
)

if TYPE_CHECKING:
    from vision.camera_watch import Fact, Outcome

S = SECOND_NS
START, KILL = Order.START, Order.KILL

SILENT = "the camera has stopped: no picture comes: check its cable"
SAME = "the camera has stopped: each picture is the same: check its cable"
NEVER = "the camera does not start: no picture comes: check its cable"


def watched(*steps: Fact | int) -> list[Outcome]:
    """What comes of facts, and of time that has come to an instant, after the start at 0."""
    watch = CameraWatch(0)
    assert watch.pass_to(0) == (START,)
    return [watch.pass_to(step) if isinstance(step, int) else watch.tell(step) for step in steps]


def fault(t_ns: int, what: str) -> Outcome:
    return (KILL, CameraFault(t_ns=t_ns, what=what))


@pytest.mark.parametrize(
    ("steps", "outcomes"),
    [
        pytest.param([Seen(t_ns=S), 3 * S - 1, 3 * S], [(), (), fault(3 * S, SILENT)], id="silent for 2 s"),
        pytest.param([20 * S - 1, 20 * S], [(), fault(20 * S, NEVER)], id="20 s to start"),
        pytest.param(
            [Alive(t_ns=15 * S), 30 * S, 35 * S], [(), (), fault(35 * S, NEVER)], id="a sign of life gives more time"
        ),
        pytest.param(
            [Seen(t_ns=S), Renewed(t_ns=2 * S), 12 * S, Seen(t_ns=13 * S)],
            [(), (KILL, START), (), ()],
            id="begun anew, it takes its time, and nothing was wrong",
        ),
        pytest.param(
            [Failed(t_ns=S, why="none"), Renewed(t_ns=S + 1), 2 * S],
            [fault(S, "none"), (), (START,)],
            id="what is to begin anyway is not begun anew",
        ),
        pytest.param(
            [Seen(t_ns=S), Alive(t_ns=2 * S), 3 * S, 4 * S],
            [(), (), (), fault(4 * S, SILENT)],
            id="signs of life while there is nothing to show",
        ),
        pytest.param(
            [Seen(t_ns=S), LeftOut(t_ns=2 * S, why="is the same"), 3 * S],
            [(), (), fault(3 * S, SAME)],
            id="pictures that cannot be used are no sign of life",
        ),
        pytest.param(
            [Seen(t_ns=S), LeftOut(t_ns=2 * S, why="is the same"), Seen(t_ns=2 * S), 4 * S],
            [(), (), (), fault(4 * S, SILENT)],
            id="one of them among good ones is forgotten",
        ),
        pytest.param(
            [Seen(t_ns=S), Failed(t_ns=2 * S, why="gone"), 3 * S, Seen(t_ns=4 * S), Seen(t_ns=5 * S)],
            [(), fault(2 * S, "gone"), (START,), (CameraBack(t_ns=4 * S, outage_ns=3 * S),), ()],
            id="back, with the time since the last picture",
        ),
        pytest.param(
            [
                Failed(t_ns=S, why="none"),
                2 * S,
                Failed(t_ns=3 * S, why="none"),
                4 * S,
                Failed(t_ns=5 * S, why="broken"),
            ],
            [fault(S, "none"), (START,), (KILL,), (START,), fault(5 * S, "broken")],
            id="each reason once",
        ),
        pytest.param(
            [Failed(t_ns=S, why="none"), 2 * S, Seen(t_ns=3 * S), Failed(t_ns=4 * S, why="none")],
            [
                fault(S, "none"),
                (START,),
                (CameraBack(t_ns=3 * S, outage_ns=3 * S),),
                fault(4 * S, "none"),
            ],
            id="but again in the next outage; the first one began with the watch",
        ),
        pytest.param(
            [Failed(t_ns=S, why="none"), Seen(t_ns=S), Failed(t_ns=S, why="other"), Alive(t_ns=S), 2 * S],
            [fault(S, "none"), (), (), (), (START,)],
            id="what a killed process still said",
        ),
        pytest.param(
            [Seen(t_ns=S), CameraOver(t_ns=2 * S), 100 * S, Failed(t_ns=100 * S, why="gone")],
            [(), (KILL, CameraOver(t_ns=2 * S)), (), ()],
            id="over is over",
        ),
    ],
)
def test_what_follows(steps: list[Fact | int], outcomes: list[Outcome]) -> None:
    assert watched(*steps) == outcomes


def waits(watch: CameraWatch, now_ns: int, failures: int) -> tuple[list[int], int]:
    """How long each start waits after one failure more."""
    lengths = []
    for _ in range(failures):
        watch.tell(Failed(t_ns=now_ns, why="none"))
        due_ns = watch.next_ns()
        assert due_ns is not None
        lengths.append(due_ns - now_ns)
        now_ns = due_ns
        assert watch.pass_to(now_ns) == (START,)
    return lengths, now_ns


def test_it_waits_longer_after_each_failure_until_the_camera_has_been_seeing_for_long() -> None:
    watch = CameraWatch(0)
    watch.pass_to(0)
    lengths, now_ns = waits(watch, 0, 8)
    assert lengths == [S // 2, S, 2 * S, 4 * S, 8 * S, 16 * S, 30 * S, 30 * S]
    watch.tell(Seen(t_ns=now_ns))
    watch.tell(Seen(t_ns=now_ns + 30 * S - 1))
    lengths, now_ns = waits(watch, now_ns + 30 * S - 1, 1)
    assert lengths == [30 * S]
    watch.tell(Seen(t_ns=now_ns))
    watch.tell(Seen(t_ns=now_ns + 30 * S))
    assert waits(watch, now_ns + 30 * S, 2)[0] == [S // 2, S]


KINDS = st.sampled_from(["seen", "alive", "left out", "none", "broken", "renewed", "over", "time", "due"])


@given(st.lists(st.tuples(KINDS, st.integers(0, 40 * S)), max_size=60))
def test_whatever_comes(steps: list[tuple[str, int]]) -> None:
    patience, now_ns = Patience(), 0
    watch = CameraWatch(0)
    running = over = False
    killed_ns = -patience.retry_ns
    told = set[str]()
    for kind, later_ns in steps:
        now_ns += later_ns
        match kind:
            case "seen":
                outcome = watch.tell(Seen(t_ns=now_ns))
            case "alive":
                outcome = watch.tell(Alive(t_ns=now_ns))
            case "left out":
                outcome = watch.tell(LeftOut(t_ns=now_ns, why="is bad"))
            case "over":
                outcome = watch.tell(CameraOver(t_ns=now_ns))
            case "time":
                due_ns = watch.next_ns()
                outcome = watch.pass_to(now_ns)
                assert bool(outcome) == (due_ns is not None and due_ns <= now_ns)
            case "due":
                due_ns = watch.next_ns()
                assert (due_ns is None) == over
                if due_ns is None:
                    continue
                now_ns = max(now_ns, due_ns)
                outcome = watch.pass_to(now_ns)
                assert outcome
            case "renewed":
                outcome = watch.tell(Renewed(t_ns=now_ns))
            case why:
                outcome = watch.tell(Failed(t_ns=now_ns, why=why))
        for one in outcome:
            match one:
                case Order.START:
                    assert not running
                    assert not over
                    assert kind == "renewed" or now_ns - killed_ns >= patience.retry_ns
                    running = True
                case Order.KILL:
                    assert running
                    running, killed_ns = False, now_ns
                case CameraFault():
                    assert not running
                    assert one.what not in told
                    told.add(one.what)
                case CameraBack():
                    assert running
                    assert told
                    assert 0 <= one.outage_ns <= now_ns
                    told.clear()
                case CameraOver():
                    assert not running
                    over = True
        if kind == "seen" and running:
            assert not told
