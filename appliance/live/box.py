"""The ordering loop: the only one that changes the game. It hears of presses, sightings and decisions, and tells.

The clock answers a press before anything else is done. Journal, evidence, displays, voice and clients have threads of
their own, and none of them is waited for.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from appliance.arbiter.decisions import ResumeClock, StartClock, StopClock, decision_of
from appliance.arbiter.facts import NoMore, Press
from appliance.arbiter.wording import in_short, what_was_seen
from appliance.game.points import Seat
from appliance.journal.entries import Draft, Kind
from appliance.journal.writer import JournalResumed, JournalStopped
from appliance.lines import clock_line
from appliance.live.envelopes import opening, sealing
from appliance.live.exhibiting import MoveMade, RoomWanted, RulingMade
from appliance.live.items import Asked, Back, Ended, Noted, Saw
from appliance.live.referee_buttons import claimed, confirmed
from clock.press import Button
from clock.press import Press as ButtonPress
from clock.priority import Collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from appliance.arbiter.decisions import Act
    from appliance.journal.entries import Entry
    from appliance.journal.writer import Writer, WriterFact
    from appliance.live.game import LiveGame, Told
    from appliance.live.items import Inbox, Item
    from appliance.voice.words import Spoken

CHECK_S = 1.0
"""How often buttons and faces are looked after, and the journal is told that the box runs."""
HEARD_NS = 100_000_000
"""What happened so long ago has been heard of: a press takes a few milliseconds to come here."""


class Faces(Protocol):
    """What shows and says the time."""

    def wake(self) -> None: ...
    def say(self, spoken: Spoken) -> None: ...
    def check(self, now_ns: int) -> None: ...


class Checked(Protocol):
    """What is looked after each second."""

    def check(self, now_ns: int) -> None: ...


class Exhibits(Protocol):
    """What keeps pictures."""

    def want(self, wanted: RulingMade | MoveMade | RoomWanted) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Time:
    """How the box tells the time. ``game_ns``: game time for an instant of the monotonic clock; ``now_ns``: now.

    ``paced``: the frames set the time, not a clock.
    """

    game_ns: Callable[[int], int]
    now_ns: Callable[[], int]
    paced: bool = False
    wall_ns: Callable[[], int] = time.time_ns


class Box:
    """Runs ``game`` until it has ended. ``inbox`` may be filled from any thread."""

    def __init__(self, game: LiveGame, inbox: Inbox, time: Time, *, heard_ns: int = 0) -> None:
        self.game, self.inbox, self._time = game, inbox, time
        self._newest_ns = heard_ns
        self._moves = len(game.arbiter.moves)
        self._seen_ids: set[str | int] = set()
        self._stopped = False
        self._unanswered: list[tuple[Future[Mapping[str, Any]], Mapping[str, Any]]] = []
        self._troubles: Mapping[str, str] = {}
        self._out_of_step: tuple[str, ...] = ()
        self._ended: Ended | None = None
        self._collecting = Collecting()
        self._snapshot: Mapping[str, Any] = game.snapshot(heard_ns)
        self.committed_seq = 0
        self.publish: Callable[[Mapping[str, Any]], None] = lambda entry: None
        self.writer: Writer | None = None
        self.faces: Faces | None = None
        self.buttons: Checked | None = None
        self.exhibits: Exhibits | None = None
        self.corners: Callable[[], NDArray[np.float64] | None] = lambda: None
        self.note: Callable[[str], None] = lambda line: None
        self.alive: Callable[[int], None] = lambda now_ns: None

    # What other threads may call

    def hear(self, item: Item) -> None:
        """Have ``item`` heard of."""
        self.inbox.put(item)

    def pressed(self, press: ButtonPress) -> None:
        """A button of the box went down, an instant of the monotonic clock."""
        t_ns = self._time.game_ns(press.at_ns)
        seat = press.button.seat
        if seat is not None:
            self.hear(Press(seat=seat, t_ns=t_ns, error_ns=press.error_ns))
        else:
            self.hear(Asked(decision={"button": press.button.value}, t_ns=t_ns))

    def snapshot(self) -> Mapping[str, Any]:
        """The game as it stands, with the number of the newest committed entry."""
        seq = self.committed_seq
        now_ns = self.now()
        clock = clock_line(self.game.reading(now_ns))
        troubles = [{"about": about, "text": text} for about, text in self._troubles.items()]
        return {**self._snapshot, "clock": clock, "troubles": troubles, "seq": seq}

    def decide(self, decision: Mapping[str, Any], id_: str | int) -> Future[Mapping[str, Any]]:
        """Enter a decision, from a client."""
        answer: Future[Mapping[str, Any]] = Future()
        self.hear(Asked(decision=decision, id=id_, answer=answer))
        return answer

    def committed(self, entries: tuple[Entry, ...]) -> None:
        """Entries are in the journal."""
        for entry in entries:
            self.publish(
                {
                    "seq": entry.seq,
                    "t_ns": entry.t_ns,
                    "wall_ns": entry.wall_ns,
                    "kind": entry.kind.value,
                    **entry.payload,
                }
            )
        self.committed_seq = entries[-1].seq

    def journal_told(self, fact: WriterFact) -> None:
        """The journal cannot be written, or can be again."""
        match fact:
            case JournalStopped(why=why):
                self._stopped = True
                text = f"{why}; the game goes on and is kept in memory"
                self.hear(Noted(about="journal", text=text, stands=True))
                if self.exhibits is not None:
                    self.exhibits.want(RoomWanted(now_ns=self.now(), wall_ns=self._time.wall_ns()))
            case JournalResumed():
                self._stopped = False
                self.hear(Noted(about="journal", text="all of the game is on the disk", stands=False))

    # The loop

    def run(self) -> Ended:
        """Until an :class:`Ended` is heard."""
        check_s = time.monotonic()
        while self._ended is None:
            item = self._next()
            if item is not None:
                self._take(item)
            if self._ended is None and self._is_signed():
                self._take(Ended(why="the record is signed", over=True))
            if self._ended is None and self.inbox.empty():  # a press that waits may be older than a flag
                self._give(self.game.pass_to(self.now()))
            if time.monotonic() >= check_s:
                check_s = time.monotonic() + CHECK_S
                self._check()
        return self._ended

    def _next(self) -> Item | None:
        wait_s = CHECK_S
        due_ns = self.game.next_ns()
        if due_ns is not None and not self._time.paced:
            wait_s = min(wait_s, max(0.0, (due_ns - self.now()) / 1e9))
        try:
            return self.inbox.get(timeout=wait_s)
        except Empty:
            return None

    def now(self) -> int:
        """Game time."""
        return self._newest_ns if self._time.paced else max(self._newest_ns, self._time.now_ns())

    def _check(self) -> None:
        monotonic_ns = time.monotonic_ns()
        self.alive(monotonic_ns)
        self._collecting.check()
        if self.buttons is not None:
            self.buttons.check(monotonic_ns)
        if self.faces is not None:
            self.faces.check(monotonic_ns)
        if self.writer is not None and self.inbox.empty():
            # No later than the oldest thing that may still be on its way here: it would be lost without a trace.
            now_ns = self.now()
            known_ns = now_ns if self._time.paced else max(self._newest_ns, now_ns - HEARD_NS)
            self.writer.pulse(known_ns, self._time.wall_ns() - (now_ns - known_ns))

    def _take(self, item: Item) -> None:
        match item:
            case Press():
                self._paced_by(item.t_ns)
                self._give(self.game.press(item))
            case Back():
                self._give(self.game.stood_still(item.outage, item.goes_on))
            case Saw():
                self._paced_by(item.t_ns)
                self._give(self.game.see(item.sighting))
                self._compare()
            case Asked():
                self._decide(item)
            case Noted():
                self._note(item)
            case Ended():
                if item.over:
                    self._give(self.game.take([NoMore(t_ns=self.now())]))
                    self._write((Kind.NOTE, {"about": "game", "text": item.why, "ended": True}))
                self._ended = item

    def _paced_by(self, t_ns: int) -> None:
        if self._time.paced:
            self._newest_ns = max(self._newest_ns, t_ns)

    def _is_signed(self) -> bool:
        """Whether both players have signed the record: nothing more is to come of this game."""
        return self.game.arbiter.over and set(self.game.arbiter.state.signed) == set(Seat)

    def _note(self, noted: Noted) -> None:
        self.note(f"{noted.about}: {noted.text}")
        self._write((Kind.NOTE, {"about": noted.about, "text": noted.text}))
        if noted.stands is None:
            return
        others = {about: text for about, text in self._troubles.items() if about != noted.about}
        self._troubles = {**others, noted.about: noted.text} if noted.stands else others
        if noted.about == "journal" and noted.stands:
            # Whoever waits for the disk is answered: what he decided counts, and is kept in memory.
            for answer, said in self._unanswered:
                _answer(answer, said)
            self._unanswered.clear()

    def _compare(self) -> None:
        """Tell when board and record begin to differ, and when they agree again."""
        before, self._out_of_step = self._out_of_step, self.game.out_of_step
        if self._out_of_step and not before:
            points = ", ".join(self._out_of_step)
            self._note(
                Noted(about="position", text=f"the board differs from what should stand on {points}", stands=True)
            )
        elif before and not self._out_of_step:
            self._note(Noted(about="position", text="the board is as it should stand", stands=False))

    def _decide(self, asked: Asked) -> None:
        t_ns = self.now() if asked.t_ns is None else asked.t_ns
        self._paced_by(t_ns)
        if asked.id is not None and asked.id in self._seen_ids:
            self._answer_when(self._write(), asked, {"accepted": True})
            return
        said: Mapping[str, Any] = {"accepted": True}
        try:
            sealed = sealing(asked.decision, self.game.arbiter)
            if sealed is not None:
                act: Act | None = sealed[0]
                said = {"accepted": True, "code": sealed[1]}
            else:
                act = opening(asked.decision, self.game.arbiter) or self._act(asked.decision)
            if act is None:
                return
            told = self.game.decide(act, t_ns)
        except ValueError as error:
            if asked.answer is None:
                self.note(f"a decision that cannot be: {error}")
            _answer(asked.answer, {"error": str(error)})
            return
        if asked.id is not None:
            self._seen_ids.add(asked.id)
            (kind, what), *others = told.entries
            told = replace(told, entries=((kind, {**what, "asked": asked.id}), *others))
        self._answer_when(self._give(told), asked, said)

    def _answer_when(self, done: Future[Any] | None, asked: Asked, said: Mapping[str, Any]) -> None:
        """Answer once it is on the disk; at once where the disk cannot be written."""
        if asked.answer is None:
            return
        if done is None or self._stopped:
            _answer(asked.answer, said)
            return
        answer = asked.answer
        self._unanswered = [one for one in self._unanswered if not one[0].done()]
        self._unanswered.append((answer, said))
        done.add_done_callback(lambda _: _answer(answer, said))

    def _act(self, decision: Mapping[str, Any]) -> Act | None:
        """What was decided, by word or by one of the referee's buttons; None: nothing that can be done now."""
        match decision.get("button"):
            case None:
                return decision_of(decision)
            case Button.STOP:
                clock = self.game.arbiter.clock
                if clock.started_ns is None:
                    return StartClock()
                reason = "the stop button"
                return StopClock(reason=reason) if clock.ticking else ResumeClock(reason=reason)
            case Button.CONFIRM:
                return confirmed(self.game.arbiter)
            case Button.CLAIM_FIRST | Button.CLAIM_SECOND as button:
                act = claimed(self.game.arbiter, button)
                if act is None:
                    self.hear(Noted(about="claim", text=f"{button}: a player calls the referee"))
                return act
        raise ValueError(f"{decision['button']!r} is no button of the referee's")

    def _give(self, told: Told) -> Future[Any] | None:
        """Hand out what is new: the displays first."""
        if self.faces is not None:
            for call in told.calls:
                self.faces.say(call)
            if told.entries:
                self.faces.wake()
        if not told.entries:
            return None
        now_ns = self.now()
        self._snapshot = self.game.snapshot(now_ns)
        done = self._write(*told.entries)
        for ruling in told.news.rulings:
            self.note(f"ruling {ruling.number} ({ruling.rule}): {in_short(ruling)}: {what_was_seen(ruling)}")
        for number in told.news.withdrawn:
            self.note(f"ruling {number} does not stand any more")
        for outcome in told.news.outcomes:
            self.note(f"{outcome.code.replace('_', ' ')}: {outcome.standing.value}: {outcome.reason}")
        self._exhibit(told, now_ns)
        return done

    def _write(self, *entries: tuple[Kind, Mapping[str, Any]]) -> Future[Any] | None:
        if self.writer is None:
            return None
        now_ns, wall_ns = self.now(), self._time.wall_ns()
        return self.writer.write(
            *(Draft(t_ns=now_ns, wall_ns=wall_ns, kind=kind, payload=payload) for kind, payload in entries)
        )

    def _exhibit(self, told: Told, now_ns: int) -> None:
        wall_ns, arbiter = self._time.wall_ns(), self.game.arbiter
        for ruling in told.news.rulings:
            self._want(
                RulingMade(ruling=ruling, corners=self.corners(), size=arbiter.size, now_ns=now_ns, wall_ns=wall_ns)
            )
        for number in range(self._moves, len(arbiter.moves)):
            t_ns = arbiter.moves[number].bracket.by_ns
            self.note(f"move {number + 1}: {arbiter.moves[number].point}")
            self._want(MoveMade(number=number + 1, t_ns=t_ns, now_ns=now_ns, wall_ns=wall_ns))
        self._moves = len(arbiter.moves)

    def _want(self, wanted: RulingMade | MoveMade) -> None:
        if self.exhibits is not None:
            self.exhibits.want(wanted)

    def remember(self, ids: Sequence[str | int]) -> None:
        """Decisions that clients entered before the box was started again."""
        self._seen_ids.update(ids)


def _answer(answer: Future[Mapping[str, Any]] | None, said: Mapping[str, Any]) -> None:
    if answer is not None:
        with suppress(InvalidStateError):  # the client was answered before, or is gone
            answer.set_result(said)


def new_inbox() -> Inbox:
    """An empty inbox."""
    return SimpleQueue()
