"""Calls announcements out in time, or not at all: what is late is dropped, and nothing is queued.

A number that is called a second late is a wrong number. So at most one announcement waits, the newest, and the newest
cuts off what still sounds.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from threading import Event, Thread
from time import monotonic_ns
from typing import TYPE_CHECKING, Protocol

from appliance.voice.faults import VoiceFault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from appliance.voice.player import Player
    from appliance.voice.words import Spoken, Words

LATE_NS = 300_000_000
"""An announcement that is later than this is not made."""
_PATIENCE_S = 1.0
"""What a sound card may take to end."""


class Heard(StrEnum):
    """What became of an announcement."""

    SPOKEN = "spoken"
    BUZZED = "buzzed"
    LATE = "late"
    SILENT = "silent"


class Signal(Protocol):
    """What sounds a pattern where nothing can be spoken: the buzzer."""

    def sound(self, kind: str) -> None: ...  # raises VoiceFault
    def close(self) -> None: ...


class Voice:
    """Speaks with the clips that were rendered ahead, or buzzes; no thread and no clock of its own.

    ``clips``: the WAV file of each phrase of ``words``. ``tell`` takes one line when speaking fails, once until it
    works again.
    """

    def __init__(
        self,
        words: Words,
        clips: Mapping[str, Path],
        player: Player | None,
        buzzer: Signal | None,
        tell: Callable[[str], None],
    ) -> None:
        self._words, self._clips, self._player, self._buzzer, self._tell = words, clips, player, buzzer, tell
        self._failing = set[str]()

    def say(self, spoken: Spoken, now_ns: int) -> Heard:
        """Call this announcement out, unless it is late."""
        if now_ns - spoken.at_ns > LATE_NS:
            return Heard.LATE
        clip = self._clips.get(self._words.said(spoken))
        if self._player is not None and clip is not None:
            try:
                self._player.play(clip)
            except VoiceFault as fault:
                self._failed("no voice", fault)
            else:
                self._failing.discard("no voice")
                return Heard.SPOKEN
        if self._buzzer is None:
            return Heard.SILENT
        try:
            self._buzzer.sound(spoken.kind)
        except VoiceFault as fault:
            self._failed("no sound", fault)
            return Heard.SILENT
        self._failing.discard("no sound")
        return Heard.BUZZED

    def _failed(self, what: str, fault: VoiceFault) -> None:
        if what not in self._failing:
            self._tell(f"{what}: {fault}")
        self._failing.add(what)

    def close(self) -> None:
        """Be silent, and let go of player and buzzer."""
        for sounding in (self._player, self._buzzer):
            if sounding is not None:
                sounding.close()


class VoiceThread:
    """The thread in which a voice is made ready and speaks, so that no clock waits for it, nor for a sound card."""

    def __init__(self, open_voice: Callable[[], Voice], *, now: Callable[[], int] = monotonic_ns) -> None:
        self._open, self._now = open_voice, now
        self._newest: deque[Spoken] = deque(maxlen=1)
        self._woken, self._ended = Event(), False
        self.busy_since_ns: int | None = None
        """Since when it has been made to speak; None: it waits, or is being made ready."""
        self._thread = Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, spoken: Spoken) -> None:
        """Call this out at once; whatever still waits is dropped."""
        self._newest.append(spoken)
        self._woken.set()

    def close(self) -> None:
        """End the thread and the voice; one that hangs is left as it is."""
        self._ended = True
        self._woken.set()
        self._thread.join(_PATIENCE_S)

    def _run(self) -> None:
        voice = self._open()
        while not self._ended:
            self._woken.wait()
            self._woken.clear()
            if self._newest:
                self.busy_since_ns = now_ns = self._now()
                voice.say(self._newest.pop(), now_ns)
                self.busy_since_ns = None
        voice.close()
