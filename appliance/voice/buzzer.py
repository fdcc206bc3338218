"""The buzzer, for a box without a voice: each kind of announcement has its own pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from appliance.voice.faults import VoiceFault
from clock.pins import PinsFault, lgpio_factory, pin_errors

if TYPE_CHECKING:
    from clock.wiring import Buzzer as BuzzerWiring


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """``times`` tones of ``on_s``, ``off_s`` apart."""

    times: int
    on_s: float
    off_s: float = 0.1


PATTERNS = {
    "count": Pattern(times=1, on_s=0.06),
    "low_time": Pattern(times=2, on_s=0.12),
    "next_stage": Pattern(times=2, on_s=0.5, off_s=0.2),
    "period_lost": Pattern(times=3, on_s=0.12),
    "last_period": Pattern(times=6, on_s=0.06, off_s=0.06),
    "flag": Pattern(times=1, on_s=2.0),
}
"""By kind of announcement."""


class Buzzer:
    """An active buzzer on its pin. ``factory``: gpiozero's pin factory; None: its LGPIO pins.

    Raises VoiceFault where the pin cannot be had.
    """

    def __init__(self, wiring: BuzzerWiring, factory: Any = None) -> None:
        from gpiozero import Buzzer as Pin

        try:
            self._pin = Pin(wiring.pin, pin_factory=lgpio_factory() if factory is None else factory)
        except PinsFault as fault:
            raise VoiceFault(f"the buzzer: {fault}") from None
        except pin_errors() as error:
            raise VoiceFault(f"the buzzer: {error}: see the wiring table") from None

    def sound(self, kind: str) -> None:
        """Begin the pattern of this kind of announcement; one that still sounds is cut off. Raises VoiceFault."""
        pattern = PATTERNS[kind]
        try:
            self._pin.beep(on_time=pattern.on_s, off_time=pattern.off_s, n=pattern.times, background=True)
        except pin_errors() as error:
            raise VoiceFault(f"the buzzer: {error}: see the wiring table") from None

    def close(self) -> None:
        """Be silent, and let go of the pin."""
        self._pin.close()
