"""The socket with clients that are slow, many, rude or gone; the box never waits for one of them."""

from __future__ import annotations

import json
import os
import socket
import stat
from concurrent.futures import Future
from contextlib import ExitStack, closing, suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest

from appliance.live import listening
from appliance.live.listening import KEPT, MOST_CLIENTS, MOST_OPEN, Listening, ListeningFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LONG_S = 30.0


class Box:
    """Keeps what it is asked to decide, until the test answers."""

    def __init__(self) -> None:
        self.decided: SimpleQueue[tuple[Mapping[str, Any], str | int, Future[Mapping[str, Any]]]] = SimpleQueue()
        self.seq = 0

    def snapshot(self) -> Mapping[str, Any]:
        return {"seq": self.seq, "moves": ["H8"]}

    def decide(self, decision: Mapping[str, Any], id_: str | int) -> Future[Mapping[str, Any]]:
        future: Future[Mapping[str, Any]] = Future()
        self.decided.put((decision, id_, future))
        return future


class Client:
    """One connection, line by line."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))  # waits for its turn, which it would not with a timeout
        self.socket.settimeout(LONG_S)
        self._lines = self.socket.makefile("rb")

    def send(self, *lines: bytes | Mapping[str, Any]) -> None:
        for line in lines:
            self.socket.sendall(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")

    def line(self) -> dict[str, Any] | None:
        """The next line; None: the box has closed."""
        line = self._lines.readline()
        assert line == b"" or line.endswith(b"\n")
        answer = json.loads(line) if line else None
        assert answer is None or isinstance(answer, dict)
        return answer

    def ask(self, request: bytes | Mapping[str, Any]) -> dict[str, Any] | None:
        self.send(request)
        return self.line()

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "referee.sock"


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.fixture
def door(path: Path, box: Box) -> Iterator[Listening]:
    with closing(Listening(path, box)) as door:
        yield door


@pytest.fixture
def client(door: Listening, path: Path) -> Iterator[Client]:  # noqa: ARG001
    with closing(Client(path)) as client:
        assert client.line() == {"caipan": 1, "seq": 0}
        yield client


SNAPSHOT = {"snapshot": {"seq": 0, "moves": ["H8"]}, "seq": 0}


def test_a_snapshot(client: Client) -> None:
    assert client.ask({"ask": "snapshot"}) == SNAPSHOT
    assert client.ask({"ask": "snapshot", "id": "x"}) == {"id": "x", **SNAPSHOT}


def test_followers_get_every_entry_once_and_in_order(door: Listening, client: Client, path: Path) -> None:
    assert client.ask({"ask": "follow"}) == {"following": 0}
    for seq in (1, 2, 3):
        door.publish({"seq": seq, "type": "press"})
    assert [client.line() for _ in range(3)] == [{"seq": seq, "type": "press"} for seq in (1, 2, 3)]
    with closing(Client(path)) as late:
        assert late.line() == {"caipan": 1, "seq": 3}
        assert late.ask({"ask": "follow", "after": 1, "id": 9}) == {"id": 9, "following": 1}
        door.publish({"seq": 4, "type": "ruling"})
        assert [late.line() for _ in range(3)] == [
            {"seq": 2, "type": "press"},
            {"seq": 3, "type": "press"},
            {"seq": 4, "type": "ruling"},
        ]


def test_a_snapshot_that_is_ahead_brings_nothing_twice(door: Listening, client: Client) -> None:
    assert client.ask({"ask": "follow", "after": 2}) == {"following": 2}
    for seq in (1, 2, 3):
        door.publish({"seq": seq})
    assert client.line() == {"seq": 3}


def test_what_is_no_longer_kept_is_not_passed_over_in_silence(door: Listening, client: Client) -> None:
    for seq in range(1, KEPT + 3):
        door.publish({"seq": seq})
    refused = client.ask({"ask": "follow", "after": 1})
    assert refused == {"error": "not all entries after 1 are kept here: take a snapshot, follow after it"}
    assert client.ask({"ask": "follow", "after": 2}) == {"following": 2}
    assert [client.line() for _ in range(KEPT)] == [{"seq": seq} for seq in range(3, KEPT + 3)]


def test_a_box_that_goes_on_with_a_game_knows_no_earlier_entries(path: Path, box: Box) -> None:
    with closing(Listening(path, box, seq=70)), closing(Client(path)) as client:
        assert client.line() == {"caipan": 1, "seq": 70}
        assert client.ask({"ask": "follow", "after": 69}) == {
            "error": "not all entries after 69 are kept here: take a snapshot, follow after it"
        }
        assert client.ask({"ask": "follow", "after": 70}) == {"following": 70}


def test_decisions_are_answered_as_they_are_made(client: Client, box: Box) -> None:
    client.send({"decide": {"confirm": 1}, "id": 1}, {"decide": {"dismiss": 2}, "id": "two"})
    first, second = box.decided.get(timeout=LONG_S), box.decided.get(timeout=LONG_S)
    assert (first[:2], second[:2]) == (({"confirm": 1}, 1), ({"dismiss": 2}, "two"))
    second[2].set_result({"error": "no ruling 2: see the list of rulings"})
    assert client.line() == {"id": "two", "error": "no ruling 2: see the list of rulings"}
    first[2].set_result({"accepted": True})
    assert client.line() == {"id": 1, "accepted": True}


def test_a_decision_that_the_ending_box_drops_is_told(client: Client, box: Box) -> None:
    client.send({"decide": {"confirm": 1}, "id": 1})
    box.decided.get(timeout=LONG_S)[2].cancel()
    assert client.line() == {"id": 1, "error": "not decided: the box is ending"}


def test_too_many_decisions_at_once(client: Client, box: Box) -> None:
    client.send(*({"decide": {}, "id": number} for number in range(MOST_OPEN + 1)))
    error = f"{MOST_OPEN} decisions are not answered yet: wait for the answers"
    assert client.line() == {"id": MOST_OPEN, "error": error}
    for _ in range(MOST_OPEN):
        box.decided.get(timeout=LONG_S)[2].set_result({"accepted": True})
    assert {str(client.line()) for _ in range(MOST_OPEN)} == {
        str({"id": number, "accepted": True}) for number in range(MOST_OPEN)
    }


def test_a_client_that_is_gone_before_its_decision_is_answered(client: Client, box: Box, path: Path) -> None:
    client.send({"decide": {}, "id": 1})
    future = box.decided.get(timeout=LONG_S)[2]
    client.close()
    future.set_result({"accepted": True})
    with closing(Client(path)) as other:
        other.line()
        assert other.ask({"ask": "snapshot"}) == SNAPSHOT


def test_garbage_is_answered_and_the_connection_kept(client: Client) -> None:
    for garbage in (b"\x00\xff\n", b"GET / HTTP/1.1\n", b"[" * 60_000 + b"\n", b"x" * 200_000 + b"\n"):
        answer = client.ask(garbage)
        assert answer is not None
        assert list(answer) == ["error"]
    assert client.ask({"ask": "snapshot"}) == SNAPSHOT


def test_a_flood_of_lines_is_answered_a_few_at_a_time_and_wholly(client: Client) -> None:
    client.send(b"{}\n" * 100 + b'{"ask": "snapshot"}\n')
    answers = [client.line() for _ in range(101)]
    assert all(answer is not None and "error" in answer for answer in answers[:100])
    assert answers[100] == SNAPSHOT


def test_a_client_that_sends_nothing_more_still_gets_its_answers(client: Client, box: Box, door: Listening) -> None:
    client.send({"decide": {}, "id": 1})
    client.socket.shutdown(socket.SHUT_WR)
    box.decided.get(timeout=LONG_S)[2].set_result({"accepted": True})
    assert client.line() == {"id": 1, "accepted": True}
    assert client.line() is None
    door.publish({"seq": 1})


def test_and_may_go_on_following(client: Client, door: Listening) -> None:
    client.send({"ask": "follow"})
    client.socket.shutdown(socket.SHUT_WR)
    assert client.line() == {"following": 0}
    door.publish({"seq": 1})
    assert client.line() == {"seq": 1}


def test_a_slow_reader_is_told_once_and_cut_off_and_others_are_not(
    door: Listening, client: Client, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "_LAST_WORDS_S", LONG_S)
    assert client.ask({"ask": "follow"}) == {"following": 0}
    with closing(Client(path)) as other:
        other.line()
        for seq in range(1, 61):
            door.publish({"seq": seq, "long": "x" * 60_000})
        assert other.ask({"ask": "follow"}) == {"following": 60}
        lines = []
        while (line := client.line()) is not None:
            lines.append(line)
        assert [line["seq"] for line in lines[:-1]] == list(range(1, len(lines)))
        assert lines[-1] == {
            "error": "too much is unread: read faster, or follow again after the last entry",
            "closed": True,
        }
        assert len(lines) < 60
        door.publish({"seq": 61})
        assert other.line() == {"seq": 61}


def test_a_client_that_never_reads_is_not_kept(
    door: Listening, client: Client, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "_LAST_WORDS_S", 0.0)
    assert client.ask({"ask": "follow"}) == {"following": 0}
    with closing(Client(path)) as other:
        other.line()
        for seq in range(1, 61):
            door.publish({"seq": seq, "long": "x" * 60_000})
        assert other.ask({"ask": "snapshot"}) == SNAPSHOT  # by now the other one is cut off
        read = b""
        with suppress(ConnectionResetError):
            while data := client.socket.recv(1 << 20):
                read += data
        assert b"closed" not in read  # what it did not read in time is gone


def test_thousands_of_connections_do_no_harm(client: Client, path: Path) -> None:
    for _ in range(2000):
        Client(path).close()
    with ExitStack() as stack:
        many = [stack.enter_context(closing(Client(path))) for _ in range(3 * MOST_CLIENTS)]
        hellos = [one.line() for one in many]
        told = f"{MOST_CLIENTS} clients are connected already: end one of them"
        assert hellos.count({"error": told, "closed": True}) >= 2 * MOST_CLIENTS
        assert client.ask({"ask": "snapshot"}) == SNAPSHOT
    for _ in range(1000):
        with closing(Client(path)) as other:
            if other.line() == {"caipan": 1, "seq": 0}:
                assert other.ask({"ask": "snapshot"}) == SNAPSHOT
                return
    pytest.fail("no place becomes free")


def test_nobody_else_may_connect_whatever_the_umask(path: Path, box: Box) -> None:
    for umask in (0o000, 0o077):
        before = os.umask(umask)
        try:
            with closing(Listening(path, box)):
                assert stat.S_IMODE(path.stat().st_mode) == 0o660
        finally:
            os.umask(before)
    assert not path.exists()


def test_one_box_at_a_socket(door: Listening, path: Path, box: Box) -> None:  # noqa: ARG001
    with pytest.raises(ListeningFault) as caught:
        Listening(path, box)
    assert str(caught.value) == f"{path}: another box listens there: end it, or choose another path"
    with closing(Client(path)) as client:
        assert client.line() == {"caipan": 1, "seq": 0}


def test_what_a_killed_box_left_behind_is_replaced(path: Path, box: Box) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as left:
        left.bind(str(path))
    path.with_name("referee.sock.lock").touch()
    with closing(Listening(path, box)), closing(Client(path)) as client:
        assert client.line() == {"caipan": 1, "seq": 0}


def test_a_path_that_cannot_be_had_is_one_line(tmp_path: Path, box: Box) -> None:
    game = tmp_path / "game.db"
    game.write_text("precious")
    with pytest.raises(ListeningFault, match=r"game\.db: cannot be made \(there is something else\): choose another"):
        Listening(game, box)
    assert game.read_text() == "precious"
    with pytest.raises(ListeningFault, match=r"cannot be made \(AF_UNIX path too long\): choose another path"):
        Listening(tmp_path / ("x" * 150), box)
    with pytest.raises(ListeningFault, match=r"cannot be made \(File exists\): choose another path"):
        Listening(game / "referee.sock", box)


def test_clients_see_the_end(path: Path, box: Box) -> None:
    with closing(Listening(path, box)):
        client = Client(path)
        assert client.line() == {"caipan": 1, "seq": 0}
    with closing(client):
        assert client.line() is None
