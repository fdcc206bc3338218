"""Makes ready to speak: renders what a game may need, finds the player and the buzzer, and does with what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from appliance.voice.buzzer import Buzzer
from appliance.voice.faults import VoiceFault
from appliance.voice.player import Aplay
from appliance.voice.rendering import LONGEST_NUMBER_S, rendered
from appliance.voice.voice import Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from appliance.voice.player import Player
    from appliance.voice.words import Words
    from clock.wiring import Buzzer as BuzzerWiring


def open_voice(
    words: Words,
    folder: Path,
    *,
    numbers: Iterable[str],
    sentences: Iterable[str],
    buzzer: BuzzerWiring | None,
    tell: Callable[[str], None],
    factory: Any = None,
) -> Voice:
    """The voice of a game. What is missing is told in one line each, and the game goes on with the rest.

    ``numbers`` and ``sentences``: from :meth:`Words.numbers` and :meth:`Words.sentences`. ``folder`` keeps what was
    rendered. ``buzzer``: None: there is none. ``factory``: gpiozero's pins; None: LGPIO's.
    """
    clips: dict[str, Path] = {}
    player: Player | None = None
    try:
        player = Aplay()
        clips |= rendered(sentences, words.voice, folder)
        clips |= rendered(numbers, words.voice, folder, longest_s=LONGEST_NUMBER_S)
    except VoiceFault as fault:
        tell(f"no voice: {fault}")
    signal = None
    if buzzer is not None:
        try:
            signal = Buzzer(buzzer, factory)
        except VoiceFault as fault:
            tell(str(fault))
    return Voice(words, clips, player, signal, tell)
