"""What shows and says the time, beside the loop: one that is gone or hangs is told, and holds up itself alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from appliance.plain_clock.calling import open_speaker
from clock.displays.kinds import openers
from clock.show import DisplayBack, DisplayLost, Shown, ShowThread

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.live.settings import Settings
    from appliance.voice.voice import VoiceThread
    from appliance.voice.words import Spoken
    from clock.displays.kinds import Openers
    from clock.reading import Reading
    from clock.show import DisplayFact

HANGS_NS = 3_000_000_000
"""A display or a voice that has been busy with one thing for so long hangs."""


@dataclass(frozen=True, kw_only=True)
class VoiceHangs:
    """Since some time before ``at_ns`` nothing is called out; told once until it is."""

    at_ns: int
    why: str = "the voice hangs: check the sound card and the loudspeaker's cable"


@dataclass(frozen=True, kw_only=True)
class VoiceBack:
    """The voice no longer hangs."""

    at_ns: int


FaceFact: TypeAlias = "DisplayFact | VoiceHangs | VoiceBack"
"""What is told of displays and voice."""


class Faces:
    """The displays that ``opened`` opens, by their names, each in its thread, and who calls out, if anybody does.

    ``reading``: what the clock shows at an instant; for any thread. ``tell`` takes what becomes of them, from any
    thread. Nothing here waits for hardware, but for :meth:`close`.
    """

    def __init__(
        self,
        opened: Openers,
        reading: Callable[[int], Reading],
        tell: Callable[[FaceFact], None],
        *,
        speaker: VoiceThread | None = None,
    ) -> None:
        self._tell, self._speaker = tell, speaker
        self._shown = {name: Shown(name, opens, reading, tell) for name, opens in opened.items()}
        self._threads = {name: ShowThread(shown) for name, shown in self._shown.items()}
        self._hung = set[str]()
        self._voice_hung = False

    def wake(self) -> None:
        """Show the clock at once."""
        for thread in self._threads.values():
            thread.wake()

    def say(self, spoken: Spoken) -> None:
        """Call this out."""
        if self._speaker is not None:
            self._speaker.say(spoken)

    def check(self, now_ns: int) -> None:
        """Tell which of them hang, or no longer do; to be called now and then, say each second.

        What hangs is not opened a second time: it goes on by itself when its device lets it.
        """
        for name, thread in self._threads.items():
            hangs = _hangs(thread.busy_since_ns, now_ns)
            if hangs and name not in self._hung:
                self._hung.add(name)
                self._tell(DisplayLost(name=name, why=f"{name}: hangs: check its cable", at_ns=now_ns))
            elif not hangs and name in self._hung:
                self._hung.remove(name)
                if not self._shown[name].lost:
                    self._tell(DisplayBack(name=name, at_ns=now_ns))
        hangs = self._speaker is not None and _hangs(self._speaker.busy_since_ns, now_ns)
        if hangs != self._voice_hung:
            self._voice_hung = hangs
            self._tell(VoiceHangs(at_ns=now_ns) if hangs else VoiceBack(at_ns=now_ns))

    def close(self) -> None:
        """End them all; what hangs is left as it is."""
        for thread in self._threads.values():
            thread.close()
        if self._speaker is not None:
            self._speaker.close()


def _hangs(busy_since_ns: int | None, now_ns: int) -> bool:
    return busy_since_ns is not None and now_ns - busy_since_ns >= HANGS_NS


def open_faces(
    settings: Settings,
    reading: Callable[[int], Reading],
    tell: Callable[[FaceFact], None],
    note: Callable[[str], None],
) -> Faces:
    """The displays and the voice that the box's file names; ``note`` takes a line when there is no sound."""
    opened: Openers = {}
    for kind in settings.display.kinds:
        opened |= openers(kind, settings.wiring, tenths=settings.display.tenths)
    buzzer = settings.wiring.buzzer if settings.voice.buzzer else None
    speaker = open_speaker(settings.voice.language, buzzer, settings.game.time_control, note)
    return Faces(opened, reading, tell, speaker=speaker)
