"""Writes a game's journal in a thread of its own, so that nobody who has something to say waits for the disk."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Condition, Event, Thread
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tenacity import Retrying, retry_if_exception_type, stop_when_event_set, wait_exponential
from tenacity.nap import sleep_using_event

from appliance.journal.entries import EntryError, Kind
from appliance.journal.journal import JournalError, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tenacity import RetryCallState

    from appliance.journal.entries import Draft, Entry
    from appliance.journal.journal import Journal

FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 5.0
"""How soon a commit that failed is tried again, the first time and later."""

PATIENCE_S = 10.0
"""What the disk may take to write the rest at the end."""


@dataclass(frozen=True, kw_only=True)
class JournalStopped:
    """The journal cannot be written; what is said is kept in memory, in order, and tried again. ``why``: one line."""

    why: str


@dataclass(frozen=True, kw_only=True)
class JournalResumed:
    """All that was kept in memory is in the journal now."""


WriterFact: TypeAlias = JournalStopped | JournalResumed
_What = TypeVar("_What")


@dataclass(frozen=True, kw_only=True)
class _Said:
    drafts: Sequence[Draft]
    done: Future[tuple[Entry, ...]]


class Writer:
    """Writes to ``journal``, which nobody else may use until :meth:`close`.

    ``committed`` hears of entries once they are on the disk, ``told`` of a :data:`WriterFact`; both in the writer's
    thread; what they raise goes to ``threading.excepthook``, and the writing goes on. ``sleep`` waits between tries,
    in seconds; by default it ends early at the close.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        committed: Callable[[tuple[Entry, ...]], None],
        told: Callable[[WriterFact], None],
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._journal, self._committed, self._told = journal, committed, told
        self._waiting: list[_Said] = []
        self._pulse: Known | None = None
        self._something = Condition()
        self._closing = Event()
        self._stopped = False
        self._retrying = Retrying(
            retry=retry_if_exception_type(JournalError),
            wait=wait_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S),
            stop=stop_when_event_set(self._closing),
            sleep=sleep or sleep_using_event(self._closing),
            before_sleep=self._failed,
            reraise=True,
        )
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def write(self, *drafts: Draft) -> Future[tuple[Entry, ...]]:
        """Have these written, together and after all that was said before; returns at once.

        The future ends when they are committed, or with a JournalError when the writer was closed before that. It
        cannot be cancelled. Raises EntryError for a header, which every journal has already.
        """
        if any(draft.kind is Kind.HEADER for draft in drafts):
            raise EntryError("a journal has one header, and begins with it")
        said = _Said(drafts=drafts, done=Future())
        said.done.set_running_or_notify_cancel()
        with self._something:
            if self._closing.is_set():
                said.done.set_exception(JournalError("the journal is closed"))
            else:
                self._waiting.append(said)
                self._something.notify()
        return said.done

    def pulse(self, t_ns: int, wall_ns: int) -> None:
        """Have it noted that the box runs; only the last such is kept."""
        with self._something:
            self._pulse = Known(t_ns=t_ns, wall_ns=wall_ns)
            self._something.notify()

    def close(self, patience_s: float = PATIENCE_S) -> tuple[Draft, ...]:
        """Write the rest and end. Returns what is not known to be written, in order: with a good disk, nothing."""
        with self._something:
            self._closing.set()
            self._something.notify()
        self._thread.join(patience_s)
        with self._something:
            return tuple(draft for said in self._waiting for draft in said.drafts)

    def _run(self) -> None:
        while self._wait():
            try:
                said, entries = self._retrying(self._commit)
            except JournalError as error:
                # Closed, and the last try failed too.
                for one in self._waiting:
                    one.done.set_exception(error)
                return
            if self._stopped:
                self._stopped = False
                self._call(self._told, JournalResumed())
            if entries:
                self._call(self._committed, entries)
            for one in said:
                one.done.set_result(entries[: len(one.drafts)])
                entries = entries[len(one.drafts) :]

    def _wait(self) -> bool:
        """Wait until there is something to write; False: it is over."""
        with self._something:
            while not (self._waiting or self._pulse or self._closing.is_set()):
                self._something.wait()
            return bool(self._waiting or self._pulse)

    def _commit(self) -> tuple[list[_Said], tuple[Entry, ...]]:
        """Write all that was said so far, as one transaction."""
        with self._something:
            said, pulse = list(self._waiting), self._pulse
        entries = self._journal.append([draft for one in said for draft in one.drafts], pulse)
        with self._something:
            del self._waiting[: len(said)]
            if self._pulse is pulse:
                self._pulse = None
        return said, entries

    def _failed(self, state: RetryCallState) -> None:
        if not self._stopped and state.outcome is not None:
            self._stopped = True
            self._call(self._told, JournalStopped(why=str(state.outcome.exception())))

    def _call(self, listener: Callable[[_What], None], what: _What) -> None:
        try:
            listener(what)
        except Exception:  # whoever listens badly must not end the journal
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self._thread)))
