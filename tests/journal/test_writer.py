"""The journal's thread: in order, told only after the commit, and patient with a disk that is full."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue

import pytest

from appliance.journal.entries import Draft, Entry, EntryError, Kind
from appliance.journal.journal import DiskError, Journal, JournalError, Known
from appliance.journal.writer import JournalResumed, JournalStopped, Writer, WriterFact
from tests.journal.games import HEADER, WALL_NS, begun, fact

LONG_S = 20.0
"""How long a test waits for what must come; it fails then."""


def never(what: object) -> None:
    """Hears of what must not come; what it raises in the writer's thread fails the test."""
    raise AssertionError(what)


class Trying(Journal):
    """A journal whose disk fails as long as ``bad`` is set, and which counts the transactions."""

    bad = False
    tries = 0
    commits = 0

    def append(self, drafts: Sequence[Draft], pulse: Known | None = None) -> tuple[Entry, ...]:
        self.tries += 1
        if self.bad:
            raise DiskError("the disk is full: make room on it")
        self.commits += 1
        return super().append(drafts, pulse)


class Sleep:
    """Stands for the time between tries: it passes when the test says so."""

    def __init__(self) -> None:
        self.asleep: SimpleQueue[float] = SimpleQueue()
        self.go_on: SimpleQueue[None] = SimpleQueue()

    def __call__(self, seconds: float) -> None:
        self.asleep.put(seconds)
        self.go_on.get(timeout=LONG_S)


def test_all_is_written_in_order_and_told_after_the_commit(tmp_path: Path) -> None:
    heard: list[int] = []

    def committed(entries: tuple[Entry, ...]) -> None:
        with Journal.open(tmp_path, read_only=True) as reader:
            assert reader.entries()[-len(entries) :] == entries
        heard.extend(entry.payload["n"] for entry in entries)

    with begun(tmp_path) as journal:
        writer = Writer(journal, committed=committed, told=never)
        futures = [writer.write(fact(n, n=n), fact(n, n=-n)) for n in range(200)]
        assert writer.close() == ()
        results = [[entry.payload["n"] for entry in future.result(timeout=0)] for future in futures]
    assert results == [[n, -n] for n in range(200)]
    assert heard == [n for pair in results for n in pair]
    with Journal.open(tmp_path, read_only=True) as again:
        assert [entry.payload["n"] for entry in again.entries(after=1)] == heard


def test_each_speaker_is_heard_in_its_own_order(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        writer = Writer(journal, committed=lambda entries: None, told=never)
        speakers = [
            threading.Thread(target=lambda who=who: [writer.write(fact(0, who=who, n=n)) for n in range(50)])
            for who in range(4)
        ]
        for speaker in speakers:
            speaker.start()
        for speaker in speakers:
            speaker.join()
        assert writer.close() == ()
        said = [(entry.payload["who"], entry.payload["n"]) for entry in journal.entries(after=1)]
    assert len(said) == 200
    for who in range(4):
        assert [n for speaker, n in said if speaker == who] == list(range(50))


def test_a_full_disk_is_told_once_and_nothing_is_lost(tmp_path: Path) -> None:
    told: list[WriterFact] = []
    heard: list[int] = []
    sleep = Sleep()
    with Trying.create(tmp_path, HEADER, wall_ns=WALL_NS) as journal:
        journal.bad, journal.tries, journal.commits = True, 0, 0
        writer = Writer(
            journal,
            committed=lambda entries: heard.extend(entry.payload["n"] for entry in entries),
            told=told.append,
            sleep=sleep,
        )
        writer.write(fact(1, n=1))
        waits = [sleep.asleep.get(timeout=LONG_S)]
        assert told == [JournalStopped(why="the disk is full: make room on it")]
        for n in range(2, 12):
            writer.write(fact(n, n=n))
            writer.pulse(n, n)
            sleep.go_on.put(None)
            waits.append(sleep.asleep.get(timeout=LONG_S))
        assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0, 5.0, 5.0]
        assert len(told) == 1
        assert heard == []
        last = writer.write(fact(12, n=12))
        assert not last.cancel()
        journal.bad = False
        sleep.go_on.put(None)
        (entry,) = last.result(timeout=LONG_S)
        assert entry.seq == 13
        assert told[1:] == [JournalResumed()]
        assert heard == list(range(1, 13))
        assert (journal.tries, journal.commits) == (12, 1)
        assert writer.close() == ()
        assert journal.last_known() == Known(t_ns=12, wall_ns=WALL_NS + 12)


def test_what_cannot_be_written_at_the_end_is_handed_back(tmp_path: Path) -> None:
    told: list[WriterFact] = []
    drafts = [fact(1, n=1), fact(2, n=2)]
    with Trying.create(tmp_path, HEADER, wall_ns=WALL_NS) as journal:
        journal.bad = True
        first_told = threading.Event()

        def hear(heard: WriterFact) -> None:
            told.append(heard)
            first_told.set()

        writer = Writer(journal, committed=never, told=hear)  # its own sleep, which the close ends
        futures = [writer.write(draft) for draft in drafts]
        assert first_told.wait(LONG_S)
        assert writer.close() == tuple(drafts)
        for future in futures:
            with pytest.raises(JournalError):
                future.result(timeout=0)
        with pytest.raises(JournalError):
            writer.write(fact(3)).result(timeout=0)
        assert len(told) == 1
        assert [entry.kind for entry in journal.entries()] == [Kind.HEADER]


def test_the_close_makes_a_last_try(tmp_path: Path) -> None:
    sleep = Sleep()
    with Trying.create(tmp_path, HEADER, wall_ns=WALL_NS) as journal:
        journal.bad = True
        writer = Writer(journal, committed=lambda entries: None, told=lambda told: None, sleep=sleep)
        future = writer.write(fact(1))
        sleep.asleep.get(timeout=LONG_S)
        journal.bad = False
        sleep.go_on.put(None)
        assert writer.close() == ()
        assert [entry.seq for entry in future.result(timeout=0)] == [2]


def test_the_pulse_is_noted_without_an_entry(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        writer = Writer(journal, committed=never, told=never)
        for n in range(50):
            writer.pulse(n, n)
        assert writer.close() == ()
        assert journal.last_known() == Known(t_ns=49, wall_ns=49)
        assert journal.last_seq == 1


def test_a_second_header_is_refused_where_it_is_said(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        writer = Writer(journal, committed=lambda entries: None, told=never)
        with pytest.raises(EntryError):
            writer.write(Draft(t_ns=0, wall_ns=0, kind=Kind.HEADER, payload={}))
        assert [entry.seq for entry in writer.write(fact(1)).result(timeout=LONG_S)] == [2]
        writer.close()


def test_whoever_listens_badly_does_not_end_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: raised.append(str(told.exc_value)))

    def deaf(entries: tuple[Entry, ...]) -> None:
        raise ValueError(f"entry {entries[0].seq}")

    with begun(tmp_path) as journal:
        writer = Writer(journal, committed=deaf, told=never)
        assert [entry.seq for entry in writer.write(fact(1)).result(timeout=LONG_S)] == [2]
        assert [entry.seq for entry in writer.write(fact(2)).result(timeout=LONG_S)] == [3]
        assert writer.close() == ()
    assert raised == ["entry 2", "entry 3"]
