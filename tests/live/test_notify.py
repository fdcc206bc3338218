"""What the system's manager hears, on a real socket."""

from __future__ import annotations

import math
import socket
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from appliance.live.notify import Feeding, Manager, address, feed_every_ns
from appliance.live.running import run
from appliance.live.settings import CameraKind, CameraSettings, Settings, SocketSettings, StateSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDING = Path(__file__).parents[2] / "fixtures" / "recordings" / "quiet-opening"
PID = 77
S = 1_000_000_000


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def heard(manager: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(manager.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_from_ready_to_stopping(manager: socket.socket) -> None:
    told = Manager({"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "77"}, PID)
    told.ready("game 2026-11-30-1")
    told.status("camera: gone\nand back")
    for second in range(12):
        told.alive(second * S)
    told.stopping()
    assert heard(manager) == [
        "READY=1\nSTATUS=game 2026-11-30-1",
        "STATUS=camera: gone and back",  # a line of its own would be a message of its own
        *["WATCHDOG=1"] * 3,  # at 0, 5 and 10 s
        "STOPPING=1",
    ]


def test_an_abstract_name(tmp_path: Path) -> None:
    name = f"{tmp_path}/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        Manager({"NOTIFY_SOCKET": f"@{name}"}, PID).stopping()
        assert listening.recv(100, socket.MSG_DONTWAIT) == b"STOPPING=1"


def test_without_a_watchdog_nobody_feeds(manager: socket.socket) -> None:
    told = Manager({"NOTIFY_SOCKET": manager.getsockname()}, PID)
    told.alive(0)
    told.alive(100 * S)
    assert heard(manager) == []


def test_nobody_listens(tmp_path: Path) -> None:
    for environment in ({}, {"NOTIFY_SOCKET": str(tmp_path / "gone")}, {"NOTIFY_SOCKET": "vsock:2:1234"}):
        told = Manager({**environment, "WATCHDOG_USEC": "1000000"}, PID)
        told.ready("")
        told.alive(0)
        told.stopping()


def test_a_manager_that_takes_nothing_more_holds_up_nobody(manager: socket.socket) -> None:
    told = Manager({"NOTIFY_SOCKET": manager.getsockname()}, PID)
    for number in range(2000):  # many more than a socket keeps
        told.status(str(number))
    messages = heard(manager)
    assert 0 < len(messages) < 2000
    assert messages[0] == "STATUS=0"


@pytest.mark.parametrize(
    ("environment", "every_ns"),
    [
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "77"}, 5 * S),
        ({"WATCHDOG_USEC": "10000000"}, 5 * S),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "78"}, None),  # another process is watched
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_how_often(environment: dict[str, str], every_ns: int | None) -> None:
    assert feed_every_ns(environment, PID) == every_ns


def test_fed_again_after_the_time_and_not_before() -> None:
    feeding = Feeding(every_ns=5 * S)
    assert [feeding.due(at) for at in (3 * S, 4 * S, 8 * S - 1, 8 * S, 30 * S, 31 * S)] == [
        True,
        False,
        False,
        True,
        True,
        False,
    ]


def test_addresses() -> None:
    assert address({"NOTIFY_SOCKET": "/run/systemd/notify"}) == "/run/systemd/notify"
    assert address({"NOTIFY_SOCKET": "@name"}) == "\0name"
    assert address({"NOTIFY_SOCKET": ""}) is None


def test_the_box_tells_that_it_is_ready_alive_and_ends(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", manager.getsockname())
    monkeypatch.setenv("WATCHDOG_USEC", "10000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    settings = Settings(
        camera=CameraSettings(source=CameraKind.RECORDING, recording=RECORDING, speed=math.inf),
        state=StateSettings(dir=tmp_path / "state"),
        socket=SocketSettings(path=tmp_path / "referee.sock"),
    )
    run(settings, new=True, day=date(2026, 11, 30), note=lambda line: None)
    ready, *others = heard(manager)
    assert ready == "READY=1\nSTATUS=game 2026-11-30-1"
    assert others[0] == "WATCHDOG=1"
    assert others[-1] == "STOPPING=1"
