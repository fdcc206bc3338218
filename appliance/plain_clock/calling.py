"""Who calls out for a plain clock: a voice with the words that its control may need, a buzzer, or both."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.voice.buzzer import Buzzer
from appliance.voice.faults import VoiceFault
from appliance.voice.opening import open_voice
from appliance.voice.voice import Voice, VoiceThread
from appliance.voice.words import load_words
from clock.control import SECOND_NS
from clock.count import LOW_TIMES_S, schedule

if TYPE_CHECKING:
    from collections.abc import Callable

    from clock.control import TimeControl
    from clock.wiring import Buzzer as BuzzerWiring


def open_speaker(
    language: str | None, buzzer: BuzzerWiring | None, control: TimeControl, tell: Callable[[str], None]
) -> VoiceThread | None:
    """The voice in a language, None: none, with the buzzer in its stead; None when neither is wanted.

    It is made ready in its own thread, and what is missing is told in one line. Raises WordsError for a language
    without words.
    """
    if language is None:
        return None if buzzer is None else VoiceThread(partial(_buzzing, buzzer, tell))
    words = load_words(language)
    periods = [allowance.byo_yomi for allowance in control if allowance.byo_yomi is not None]
    speaking = partial(
        open_voice,
        words,
        cache_folder() / "voice",
        numbers=words.numbers(seconds for period in periods for seconds in schedule(period.time_ns)),
        sentences=words.sentences(
            low_times=LOW_TIMES_S,
            period_lengths={period.time_ns // SECOND_NS for period in periods},
            most_periods=max((period.periods for period in periods), default=0),
        ),
        buzzer=buzzer,
        tell=tell,
    )
    return VoiceThread(speaking)


def _buzzing(wiring: BuzzerWiring, tell: Callable[[str], None]) -> Voice:
    """A voice that has nothing to speak with."""
    try:
        signal = Buzzer(wiring)
    except VoiceFault as fault:
        tell(str(fault))
        signal = None
    return Voice(load_words("en"), {}, None, signal, tell)


def cache_folder() -> Path:
    """Where what can be made again is kept, as freedesktop.org has it."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(named) if Path(named).is_absolute() else Path("~/.cache").expanduser()) / "caipan"
