"""What the keys of a keyboard mean, pure: the players' two keys, and the referee's, who is asked for reasons.

Whatever must be typed is typed while the clock stands: a correction stops it first, so that no player's key is taken
for a letter. The question whether to end takes no key away: any but ``y`` means what it always means.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from clock.buttons import CALLBACK_ERROR_NS
from clock.control import Sharing
from clock.facts import AddTime, Fact, Resume, SetTime, Split, Start, Stop, TakeTime, Undo
from clock.notation import common_width, parse_time
from clock.press import Button, Press
from clock.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from clock.dual import DualClock

ENTER, ESCAPE, BACKSPACE = "enter", "escape", "backspace"

PLAYERS_KEYS = ("a", "l")
"""The first player's and the second player's."""
KEY_ERROR_NS = CALLBACK_ERROR_NS
"""A key's instant is when a thread read it."""
HELD_NS = 120_000_000
"""A keyboard repeats a key that is held down faster than this: no new press. Nobody's turn is over so fast."""
LONGEST = 200
"""Letters of an answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """A key: one letter, or ``enter``, ``escape``, ``backspace``."""

    key: str
    at_ns: int


def plain(key: str) -> str:
    """A key by what it does, as a Chinese keyboard set to full width or to capitals sends it, too."""
    return common_width(key).lower()


@dataclass(frozen=True, kw_only=True, slots=True)
class End:
    """The clock is to be put away; ``why`` is one word or two."""

    at_ns: int
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Hint:
    """What the one at the keyboard should know; not kept."""

    text: str


Meant: TypeAlias = Fact | End | Hint


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is asked, and what the answer means. ``read`` raises ValueError, one line, for what is no answer."""

    text: str
    read: Callable[[str], Any]
    one_key: bool = False
    """The answer is one key, without Enter."""


@dataclass(kw_only=True, slots=True)
class Asking:
    """Questions asked one after the other; ``then`` makes a fact of the answers and the instant of the last."""

    questions: list[Question]
    then: Callable[[list[Any], int], Fact]
    answers: list[Any] = field(default_factory=list)
    typed: str = ""
    fault: str = ""

    @property
    def question(self) -> str:
        """What is asked now."""
        return self.questions[len(self.answers)].text

    @property
    def one_key(self) -> bool:
        """Whether one key answers it."""
        return self.questions[len(self.answers)].one_key

    def key(self, key: str, at_ns: int) -> Fact | None:
        """The fact, when the last question is answered."""
        question = self.questions[len(self.answers)]
        match key:
            case _ if question.one_key:
                return self._answered(question, key, at_ns)
            case "enter":
                return self._answered(question, self.typed.strip(), at_ns)
            case "backspace":
                self.typed = self.typed[:-1]
            case _ if len(key) == 1 and key.isprintable() and len(self.typed) < LONGEST:
                self.typed += key
        return None

    def _answered(self, question: Question, answer: str, at_ns: int) -> Fact | None:
        self.typed = ""
        try:
            self.answers.append(question.read(answer))
        except ValueError as error:
            self.fault = str(error)
            return None
        self.fault = ""
        return self.then(self.answers, at_ns) if len(self.answers) == len(self.questions) else None


class Keys:
    """The keyboard's state. ``players``: the players' keys count; else they have buttons of their own."""

    def __init__(self, *, players: bool) -> None:
        self._players = players
        self._asking: Asking | None = None
        self._felling: TakeTime | None = None
        self._ending = False
        self._stopped_for = ""
        self._held: Key | None = None

    @property
    def question(self) -> str:
        """What waits for an answer; empty: nothing."""
        if self._ending:
            return "End and put the clock away? y: yes, any other key: no"
        if self._felling:
            return f"That brings the {self._felling.seat} player's flag down: y takes it, any other key does not"
        return self._asking.question if self._asking else ""

    @property
    def typed(self) -> str:
        """The answer so far."""
        return self._asking.typed if self._asking else ""

    @property
    def fault(self) -> str:
        """Why the last answer will not do; may be empty."""
        return self._asking.fault if self._asking else ""

    def help(self, clock: DualClock) -> str:
        """The keys that do something now."""
        if self._asking:
            return "Esc: leave it" if self._asking.one_key else "Enter: done   Esc: leave it"
        if self._felling:
            return ""
        space = "start" if clock.started_ns is None else "stop" if clock.ticking else "go on"
        players = "a first   l second   " if self._players else ""
        halve = "   h halve" if clock.control.sharing is Sharing.SHARED else ""
        return f"{players}space {space}   u undo   + add   - take   = set{halve}   q end"

    def key(self, key: Key, clock: DualClock) -> list[Meant]:
        """What this key means to ``clock`` as it stands."""
        if self._asking is not None:
            return self._answer(self._asking, key, clock)
        meant = plain(key.key)
        if self._felling is not None:
            felling, self._felling = self._felling, None
            return [replace(felling, at_ns=key.at_ns)] if meant == "y" else [Hint(text="no time was taken")]
        if self._ending:
            self._ending = False
            if meant == "y":
                return [End(at_ns=key.at_ns, why="key")]
        held, self._held = self._held, key
        match meant:
            case ("a" | "l") as letter:
                if not self._players:
                    return [Hint(text="the players have buttons of their own")]
                if held is not None and held.key == key.key and key.at_ns - held.at_ns < HELD_NS:
                    return []
                button = Button.FIRST if letter == "a" else Button.SECOND
                return [Press(button=button, at_ns=key.at_ns, error_ns=KEY_ERROR_NS)]
            case " ":
                return self._space(key, clock)
            case "u":
                return self._ask(key, clock, "undo a press", [_REASON], lambda said, at: Undo(at_ns=at, reason=said[0]))
            case "+":
                return self._ask(key, clock, "add time", [_SEAT, _ADDED, _REASON], _added)
            case "-":
                return self._ask(key, clock, "take time", [_SEAT, _TAKEN, _REASON], _taken)
            case "=":
                return self._ask(key, clock, "set a time", [_SEAT, _SET, _REASON], _set)
            case "h" if clock.control.sharing is Sharing.SHARED:
                return self._ask(
                    key, clock, "halve the time", [_REASON], lambda said, at: Split(at_ns=at, reason=said[0])
                )
            case "q":
                if clock.started_ns is None:
                    return [End(at_ns=key.at_ns, why="key")]
                self._ending = True
        return []

    def _space(self, key: Key, clock: DualClock) -> list[Meant]:
        if clock.started_ns is None:
            return [Start(at_ns=key.at_ns, error_ns=KEY_ERROR_NS)]
        if clock.ticking:
            return [self._stop("space bar", key.at_ns)]
        why = self._stopped_for or "stop button"
        reason = Question(text=f"Why was the clock stopped? [{why}]", read=lambda text: text or why)
        self._asking = Asking(
            questions=[reason], then=lambda said, at: Resume(at_ns=at, error_ns=KEY_ERROR_NS, reason=said[0])
        )
        return []

    def _ask(
        self, key: Key, clock: DualClock, what: str, questions: list[Question], then: Callable[[list[Any], int], Fact]
    ) -> list[Meant]:
        self._asking = Asking(questions=questions, then=then)
        return [self._stop(f"to {what}", key.at_ns)] if clock.ticking else []

    def _stop(self, reason: str, at_ns: int) -> Stop:
        self._stopped_for = reason
        return Stop(at_ns=at_ns, error_ns=KEY_ERROR_NS, reason=reason)

    def _answer(self, asking: Asking, key: Key, clock: DualClock) -> list[Meant]:
        if key.key == ESCAPE:
            self._asking = None
            return []
        fact = asking.key(key.key, key.at_ns)
        if fact is None:
            return []
        self._asking = None
        if isinstance(fact, Resume):
            self._stopped_for = ""
        if isinstance(fact, TakeTime) and _fells(fact, clock):
            self._felling = fact
            return []
        return [fact]


def _fells(fact: TakeTime, clock: DualClock) -> bool:
    """Whether it would bring a flag down that stands."""
    after, _ = clock.apply(replace(fact, at_ns=max(fact.at_ns, clock.since_ns)))
    return after.side(fact.seat).purse.flagged and not clock.side(fact.seat).purse.flagged


def _seat(text: str) -> Seat:
    match plain(text):
        case "a" | "1":
            return Seat.FIRST
        case "l" | "2":
            return Seat.SECOND
    raise ValueError("press a for the first player or l for the second")


def _reason(text: str) -> str:
    if not text:
        raise ValueError("it goes on record (C10): give the reason")
    return text


_SEAT = Question(text="Whose time? a: first player, l: second player", read=_seat, one_key=True)
_ADDED = Question(text="How much more? Such as 2m or 1m30s.", read=parse_time)
_TAKEN = Question(text="How much less? Such as 5m.", read=parse_time)
_SET = Question(text="What is it set to? Such as 12m30s.", read=parse_time)
_REASON = Question(text="For what reason?", read=_reason)


def _added(said: list[Any], at_ns: int) -> AddTime:
    return AddTime(at_ns=at_ns, seat=said[0], ns=said[1], reason=said[2])


def _taken(said: list[Any], at_ns: int) -> TakeTime:
    return TakeTime(at_ns=at_ns, seat=said[0], ns=said[1], reason=said[2])


def _set(said: list[Any], at_ns: int) -> SetTime:
    return SetTime(at_ns=at_ns, seat=said[0], left_ns=said[1], reason=said[2])
