"""Time controls as a line of text: read, written, and told in English.

::

    30m                     sudden death: 30 minutes each
    2h; 30/30m              2 hours, then 30 moves in each 30 minutes; what is left over is kept
    40/90m+30s; 30m+30s     40 moves in 90 minutes, then 30 minutes more; 30 seconds are added after each move
    5m+3s first=none        Fischer; the first move earns no increment (first=start: one is there from the start)
    5m bronstein 3s         up to 3 seconds of what a move took are given back
    5m delay 3s             the clock waits 3 seconds in each turn
    15m; 3x30s              15 minutes, then byo-yomi: 3 periods of 30 seconds
    1h; canadian 15/5m      1 hour, then 15 moves in each 5 minutes; what is left over lapses
    hourglass 1m            what one side uses the other gains
    shared 3h               one time for both
    5m vs 2m+1s             time odds: the first player's and the second player's

A Chinese keyboard's full-width letters, digits and marks (３０ｍ；３ｘ３０ｓ) are read as the common ones they show. No
other digits are: what looks like a number to some and not to others is refused.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from clock.control import (
    ENDLESS,
    HOUR_NS,
    MINUTE_NS,
    NO_INCREMENT,
    SAME_FOR_BOTH,
    SECOND_NS,
    Allowance,
    Bonus,
    BonusKind,
    ByoYomi,
    Canadian,
    ControlError,
    FirstIncrement,
    Period,
    Sharing,
    Stage,
    TimeControl,
    check_number,
    check_time,
    is_fischer,
    one_time_alone,
)
from clock.durations import in_short, in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

# Writing


def notation(control: TimeControl) -> str:
    """The one way to write ``control``; :func:`parse` gives the same control back."""
    sides = [_side(control.first)]
    if control.second != control.first:
        sides.append(_side(control.second))
    shared = "" if control.sharing is Sharing.OWN else f"{control.sharing} "
    return shared + " vs ".join(sides)


def _side(allowance: Allowance) -> str:
    first, *others = map(_stage, allowance.stages)
    if allowance.first_increment is not FirstIncrement.AFTER:
        first += f" first={allowance.first_increment}"
    return "; ".join([first, *others])


def _stage(stage: Stage) -> str:
    time = in_short(stage.time_ns)
    match stage:
        case ByoYomi(periods=periods):
            return f"{periods}x{time}"
        case Canadian(moves=moves):
            return f"canadian {moves}/{time}"
        case Period(moves=moves, bonus=bonus):
            return (f"{moves}/" if moves else "") + time + (_bonus(bonus) if bonus else "")


def _bonus(bonus: Bonus) -> str:
    time = in_short(bonus.time_ns)
    return f"+{time}" if bonus.kind is BonusKind.INCREMENT else f" {bonus.kind} {time}"


# Reading

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<word>[^\W\d_]+)|(?P<mark>\S))")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
"""Unicode has ASCII's visible characters a second time, as wide as a Chinese one; a letter for a letter."""
_UNITS = {"h": HOUR_NS, "m": MINUTE_NS, "min": MINUTE_NS, "s": SECOND_NS, "sec": SECOND_NS}
_MOST_DIGITS = 9
_LONGEST_SHOWN = 60
"""Characters of somebody's text that a message repeats."""

_EXAMPLE = "30m, 15m; 3x30s, 10m; 10/5m or 5m+3s"
_BONUSES = {"+": BonusKind.INCREMENT, "bronstein": BonusKind.BRONSTEIN, "delay": BonusKind.DELAY}


def parse(text: str) -> TimeControl:
    """The control that ``text`` writes; spaces and capitals do not matter.

    Raises ControlError, one line that names the place and what to write there.
    """
    return _Reader(text).control()


def common_width(text: str) -> str:
    """``text`` with ASCII's letters, digits, marks and space for their full-width twins, each in its place."""
    return text.translate(_FULL_WIDTH)


def parse_time(text: str) -> int:
    """One time, ``1h30m``, in nanoseconds. Raises ControlError, one line, as :func:`parse`."""
    return _Reader(text).time()


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    """In small letters; empty: the end of the line."""
    kind: str
    at: int


class _Reader:
    """Reads tokens from left to right; every ``_…`` method reads one part of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [
            _Token(match[kind].lower().replace("×", "x"), kind, match.start(kind))
            for match in _TOKEN.finditer(common_width(text))
            if (kind := match.lastgroup)
        ]
        self._next = 0
        for token in self._tokens:
            if token.kind != "number" and any(letter.isnumeric() for letter in token.text):
                self._refuse(token, "write numbers with the digits 0 to 9")

    def control(self) -> TimeControl:
        start = self._peek()
        if not start.text:
            raise ControlError(f"a time control is missing: write one, such as {_EXAMPLE}")
        if start.text in (Sharing.HOURGLASS, Sharing.SHARED):
            return self._shared(Sharing(self._take().text))
        first = self._allowance()
        second = self._allowance() if self._skip("vs") else first
        if self._peek().text:
            self._refuse(self._peek(), "write ; before the next stage, or vs before the second player's time")
        return TimeControl(first=first, second=second)

    def time(self) -> int:
        time_ns = self._time()
        if self._peek().text:
            self._refuse(self._peek(), "write one time alone, such as 1h30m or 45s")
        return time_ns

    def _shared(self, sharing: Sharing) -> TimeControl:
        first = second = self._plain(sharing)
        if self._peek().text == "vs":
            if sharing is Sharing.SHARED:
                self._refuse(self._peek(), SAME_FOR_BOTH)
            self._take()
            second = self._plain(sharing)
        if self._peek().text:
            self._refuse(self._peek(), one_time_alone(sharing))
        return TimeControl(first=first, second=second, sharing=sharing)

    def _plain(self, sharing: Sharing) -> Allowance:
        if self._peek().text == "canadian" or self._peek(1).text in ("x", "/"):
            self._refuse(self._peek(), one_time_alone(sharing))
        return Allowance(stages=(Period(time_ns=self._time()),))

    def _allowance(self) -> Allowance:
        stages = [self._stage()]
        first_increment, asked = FirstIncrement.AFTER, self._peek()
        if self._skip("first"):
            if not self._skip("="):
                self._refuse(self._peek(), "write first=start or first=none")
            choice = self._take()
            if choice.text not in set(FirstIncrement):
                self._refuse(choice, "write first=start, first=none or first=after")
            first_increment = FirstIncrement(choice.text)
            if first_increment is not FirstIncrement.AFTER and not is_fischer(stages[0]):
                self._refuse(asked, NO_INCREMENT)
        while self._skip(";"):
            if not isinstance(stages[-1], Period):
                self._refuse(self._peek(), ENDLESS)
            stages.append(self._stage())
        return Allowance(stages=tuple(stages), first_increment=first_increment)

    def _stage(self) -> Stage:
        start = self._peek()
        with self._placed(start):
            if self._skip("canadian"):
                moves = self._number("moves", "canadian 15/5m")
                if not self._skip("/"):
                    self._refuse(self._peek(), "write moves, /, and their time, such as canadian 15/5m")
                return Canadian(moves=moves, time_ns=self._time())
            after = self._peek(1).text
            if after == "x":
                periods = self._number("periods", "3x30s")
                self._take()
                return ByoYomi(periods=periods, time_ns=self._time())
            quota = None
            if after == "/":
                quota = self._number("moves", "10/5m")
                self._take()
            return Period(moves=quota, time_ns=self._time(), bonus=self._bonus())

    def _bonus(self) -> Bonus | None:
        kind = _BONUSES.get(self._peek().text)
        if kind is None:
            return None
        self._take()
        return Bonus(kind=kind, time_ns=self._time())

    def _time(self) -> int:
        """``1h30m``: numbers with their units, the larger unit first; only the seconds may have a fraction."""
        start = self._peek()
        if start.kind != "number":
            self._refuse(start, "write a time here, such as 30m or 45s")
        total_ns, last_ns = 0, HOUR_NS + 1
        # A number before x or / is the next stage's, whose ; is missing.
        while self._peek().kind == "number" and not (last_ns <= HOUR_NS and self._peek(1).text in ("x", "/")):
            number, unit = self._take(), self._peek()
            unit_ns = _UNITS.get(unit.text)
            if unit_ns is None:
                self._refuse(number, f"a time needs its unit: write {number.text}h, {number.text}m or {number.text}s")
            if unit_ns >= last_ns:
                self._refuse(number, "write a time's hours first, then minutes, then seconds, each once, as in 1h30m")
            self._take()
            whole, _, fraction = number.text.partition(".")
            if fraction and unit_ns != SECOND_NS:
                self._refuse(number, f"only seconds have a fraction: write whole {unit.text} and the rest in s")
            if len(whole) > _MOST_DIGITS:
                self._refuse(number, "the number is too large: write a smaller one")
            if len(fraction) > 9:
                self._refuse(number, "a second has at most nine decimals: write fewer")
            total_ns += int(whole) * unit_ns + int(fraction.ljust(9, "0")) if fraction else int(whole) * unit_ns
            last_ns = unit_ns
        with self._placed(start):
            check_time(total_ns)
        return total_ns

    def _number(self, what: str, example: str) -> int:
        token = self._take()
        if token.kind != "number" or "." in token.text:
            self._refuse(token, f"write a whole number here, as in {example}")
        if len(token.text) > _MOST_DIGITS:
            self._refuse(token, "the number is too large: write a smaller one")
        with self._placed(token):
            check_number(int(token.text), what)
        return int(token.text)

    # Tokens

    def _peek(self, ahead: int = 0) -> _Token:
        index = self._next + ahead
        return self._tokens[index] if index < len(self._tokens) else _Token("", "end", len(self._text))

    def _take(self) -> _Token:
        token = self._peek()
        self._next += 1
        return token

    def _skip(self, text: str) -> bool:
        found = self._peek().text == text
        self._next += found
        return found

    # Mistakes

    def _refuse(self, token: _Token, advice: str) -> NoReturn:
        raise _PlacedError(f"{_short(self._text)!r}, {self._place(token)}: {advice}")

    def _place(self, token: _Token) -> str:
        return f"at {_short(token.text)!r} (character {token.at + 1})" if token.text else "at the end"

    @contextmanager
    def _placed(self, token: _Token) -> Iterator[None]:
        """What the control itself refuses is told with the place where it was written."""
        try:
            yield
        except _PlacedError:
            raise
        except ControlError as error:
            self._refuse(token, str(error))


class _PlacedError(ControlError):
    """Tells its place already."""


# Telling


def words(control: TimeControl) -> list[str]:
    """The control in plain English, a sentence each."""
    if control.sharing is Sharing.SHARED:
        time = in_words(control.first.stages[0].time_ns)
        return [
            f"Both players share {time}.",
            "The side whose time passes when it is used up loses on time.",
            "The referee may at any moment make it two clocks with half of the rest each.",
        ]
    if control.sharing is Sharing.HOURGLASS:
        times = [in_words(allowance.stages[0].time_ns) for allowance in control]
        start = "Each player starts" if times[0] == times[1] else "The first player starts"
        told = [f"{start} with {times[0]}."]
        if times[0] != times[1]:
            told.append(f"The second player starts with {times[1]}.")
        return [*told, "What one player uses the other gains.", "Whoever has none left loses on time."]
    if control.first == control.second:
        return list(_told(control.first, "Each player"))
    return [*_told(control.first, "The first player"), *_told(control.second, "The second player")]


def _told(allowance: Allowance, who: str) -> Iterator[str]:
    last = len(allowance.stages) - 1
    for index, stage in enumerate(allowance.stages):
        before = allowance.stages[index - 1] if index else None
        match stage:
            case ByoYomi():
                if isinstance(before, Period) and before.moves is not None:
                    yield "What is left after them is used up first."
                yield from _byo_yomi_told(stage, who if before is None else None)
            case Canadian():
                if isinstance(before, Period) and before.moves is not None:
                    yield "What is left after them is used up first."
                start = f"{who} must complete" if before is None else f"Then {_they(who)} must complete"
                yield f"{start} {_moves(stage.moves)} in each {in_words(stage.time_ns)}."
                yield "What is left of it when they are made lapses."
                yield "A move counts once the clock is pressed; whoever has not made them in time loses on time."
            case Period():
                yield from _period_told(stage, before, who, last=index == last)
                if stage.bonus:
                    yield _bonus_told(stage.bonus)
                if index == 0:
                    yield from _FIRST_INCREMENT_TOLD[allowance.first_increment]


def _period_told(stage: Period, before: Stage | None, who: str, *, last: bool) -> Iterator[str]:
    time = in_words(stage.time_ns)
    kept = isinstance(before, Period) and before.moves is not None
    if before is None:
        start = f"{who} has {time}"
    elif kept:
        start = f"Then {time} {_are(stage.time_ns)} added to what is left"
    else:
        start = f"When that is used up, {_they(who)} has {time} more"
    if stage.moves is None:
        yield f"{start}{' for the rest of the game' if last and before else ' for the game' if last else ''}."
        if last:
            yield "Whoever has used it up loses on time."
        return
    yield f"{start} for {_moves(stage.moves)}."
    yield "A move counts once the clock is pressed; whoever has not made them in time loses on time."
    if last:
        another = f"another {time} {_are(stage.time_ns)} added"
        yield f"After every {_moves(stage.moves)} {another}; what is left over is kept."


def _byo_yomi_told(stage: ByoYomi, who: str | None) -> Iterator[str]:
    time = in_words(stage.time_ns)
    start = "Then byo-yomi" if who is None else f"{who} has byo-yomi from the start"
    if stage.periods == 1:
        yield f"{start}: {time} for each move."
        yield f"A move made in less costs nothing; whoever takes {time} loses on time."
        return
    yield f"{start}: {stage.periods} periods of {time}."
    yield "A move within a period costs nothing, and the period starts afresh; a period that runs out is lost."
    yield "Whoever loses the last period loses on time."


def _bonus_told(bonus: Bonus) -> str:
    time = in_words(bonus.time_ns)
    match bonus.kind:
        case BonusKind.INCREMENT:
            return f"After each move {time} {_are(bonus.time_ns)} added."
        case BonusKind.BRONSTEIN:
            return f"After each move the time it took is given back, up to {time}."
        case BonusKind.DELAY:
            return f"In each turn the clock waits {time} before it counts down."


_FIRST_INCREMENT_TOLD = {
    FirstIncrement.AFTER: (),
    FirstIncrement.START: ("One increment is there from the start.",),
    FirstIncrement.NONE: ("The first move earns none.",),
}


def _moves(moves: int) -> str:
    return f"{moves} move{'' if moves == 1 else 's'}"


def _they(who: str) -> str:
    return "each" if who.startswith("Each") else who[0].lower() + who[1:]


def _are(time_ns: int) -> str:
    return "is" if time_ns in (SECOND_NS, MINUTE_NS, HOUR_NS) else "are"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
