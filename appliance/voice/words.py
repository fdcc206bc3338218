"""The words for each announcement, from one TOML file for each language in ``languages/``."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING, Annotated, Protocol

from pydantic import AfterValidator, BaseModel, ConfigDict

from clock.toml_file import SettingsError, checked, matching, parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOLDER = files("appliance.voice") / "languages"


class WordsError(SettingsError):
    """A language that cannot be spoken; the message is one line: which, why, what to do."""


class Spoken(Protocol):
    """An announcement, as :mod:`clock.count` makes them: whatever has this can be spoken."""

    @property
    def at_ns(self) -> int: ...
    @property
    def seat(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def seconds(self) -> int | None: ...
    @property
    def periods_left(self) -> int | None: ...


@dataclass(frozen=True, kw_only=True)
class _Said:
    """What may be announced some day."""

    kind: str
    seat: str = "first"
    seconds: int | None = None
    periods_left: int | None = None
    at_ns: int = 0


def _with(*fields: str) -> AfterValidator:
    """A phrase that may use these fields and no others."""

    def checked(phrase: str) -> str:
        used = {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}
        if not used <= set(fields):
            raise ValueError(f"unknown {{{min(used - set(fields))}}}: it knows {', '.join(fields)}")
        return phrase

    return AfterValidator(checked)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Seats(_Frozen):
    """What the players are called."""

    first: str
    second: str


class Phrases(_Frozen):
    """What is said for each kind of announcement.

    ``byo_yomi`` where that is the next stage; ``flag_in_period`` where the end of one of its periods was the flag.
    """

    count: Annotated[str, _with("number")]
    low_time: Annotated[str, _with("seat", "time")]
    next_stage: Annotated[str, _with("seat")]
    byo_yomi: Annotated[str, _with("seat")]
    period_lost: Annotated[str, _with("seat", "periods")]
    last_period: Annotated[str, _with("seat")]
    flag: Annotated[str, _with("seat")]
    flag_in_period: Annotated[str, _with("time")]


class Times(_Frozen):
    """How long: whole minutes, or else seconds."""

    one_minute: str
    minutes: Annotated[str, _with("n")]
    one_second: str
    seconds: Annotated[str, _with("n")]


class Words(_Frozen):
    """One language."""

    name: str
    voice: Annotated[str, matching(r"[a-zA-Z][\w-]*", "write the name of a voice of espeak-ng, such as en")]
    """espeak-ng's voice."""
    seats: Seats
    phrases: Phrases
    times: Times
    counted: dict[str, str] = {}

    def said(self, spoken: Spoken) -> str:
        """What is said for this announcement. Raises ValueError for a kind that has no phrase."""
        seat = self.seats.first if spoken.seat == "first" else self.seats.second
        seconds, periods = spoken.seconds, self._counted(spoken.periods_left or 0)
        match spoken.kind:
            case "count":
                assert seconds is not None
                if seconds and seconds % 60 == 0:
                    return self._time(seconds)
                return self.phrases.count.format(number=seconds)
            case "low_time":
                assert seconds is not None
                return self.phrases.low_time.format(seat=seat, time=self._time(seconds))
            case "next_stage" if spoken.periods_left is not None:
                return self.phrases.byo_yomi.format(seat=seat)
            case "next_stage":
                return self.phrases.next_stage.format(seat=seat)
            case "period_lost":
                return self.phrases.period_lost.format(seat=seat, periods=periods)
            case "last_period":
                return self.phrases.last_period.format(seat=seat)
            case "flag" if seconds is not None:
                return self.phrases.flag_in_period.format(time=self._time(seconds))
            case "flag":
                return self.phrases.flag.format(seat=seat)
        raise ValueError(f"no words for an announcement of kind {spoken.kind!r}")

    def numbers(self, counts: Iterable[int]) -> set[str]:
        """All that may be said of byo-yomi periods that are called out at these seconds."""
        return {self.said(_Said(kind="count", seconds=seconds)) for seconds in counts}

    def sentences(self, *, low_times: Iterable[int], period_lengths: Iterable[int], most_periods: int) -> set[str]:
        """All else that may be said: low times and lengths of byo-yomi periods in seconds, and how many there are."""
        said = {_Said(kind="flag", seconds=seconds) for seconds in period_lengths}
        for seat in ("first", "second"):
            said |= {_Said(kind=kind, seat=seat) for kind in ("next_stage", "last_period", "flag")}
            said.add(_Said(kind="next_stage", seat=seat, periods_left=most_periods))
            said |= {_Said(kind="low_time", seat=seat, seconds=seconds) for seconds in low_times}
            said |= {_Said(kind="period_lost", seat=seat, periods_left=left) for left in range(2, most_periods)}
        return {self.said(announcement) for announcement in said}

    def _time(self, seconds: int) -> str:
        minutes, rest = divmod(seconds, 60)
        if rest == 0 and minutes > 0:
            return self.times.one_minute if minutes == 1 else self.times.minutes.format(n=self._counted(minutes))
        return self.times.one_second if seconds == 1 else self.times.seconds.format(n=self._counted(seconds))

    def _counted(self, number: int) -> str:
        return self.counted.get(str(number), str(number))


def languages() -> list[str]:
    """The languages there are words for, sorted: ``en``, ``zh``."""
    return sorted(entry.name.removesuffix(".toml") for entry in _FOLDER.iterdir() if entry.name.endswith(".toml"))


def load_words(language: str) -> Words:
    """The words of a language. Raises WordsError for one that has none."""
    if language not in languages():
        raise WordsError(f"no words in the language {language!r}: use one of {', '.join(languages())}")
    return parse_words(f"{language}.toml", (_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def parse_words(source: str, text: str) -> Words:
    """The words in a TOML text. Raises WordsError, in one line that begins with ``source``."""
    return checked(Words, parse_toml(text, source, WordsError), source, WordsError)
