"""Digits wired straight to the pins and multiplexed by gpiozero: four show the running side, eight both.

No chip is needed, but a thread of gpiozero's takes some 4 % of a processor. Untested on a Pi.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clock.digits import both_sides, one_side
from clock.displays import DisplayFault
from clock.pins import PinsFault, lgpio_factory, pin_errors
from clock.segments import SEGMENTS

if TYPE_CHECKING:
    from clock.reading import Reading
    from clock.wiring import LedDigits

_FONT = {char: tuple(int(segment in lit) for segment in "abcdefg") for char, lit in SEGMENTS.items()}


class LedDigitsDisplay:
    """The digits. ``factory``: gpiozero's pin factory; None: its LGPIO pins.

    Raises DisplayFault where the pins cannot be had.
    """

    def __init__(self, wiring: LedDigits, *, tenths: bool = False, factory: Any = None) -> None:
        from gpiozero import LEDCharDisplay, LEDMultiCharDisplay

        self._tenths, self._both = tenths, len(wiring.digits) == 8
        self._cells: tuple[str, ...] = ()
        self._char: Any = None
        try:
            factory = lgpio_factory() if factory is None else factory
            self._char = LEDCharDisplay(
                *wiring.segments,
                dp=wiring.point,
                font=_FONT,
                active_high=wiring.common_cathode,
                pin_factory=factory,
            )
            self._digits = LEDMultiCharDisplay(self._char, *wiring.digits, pin_factory=factory)
        except PinsFault as fault:
            raise DisplayFault(f"LED digits: {fault}") from None
        except pin_errors() as error:
            if self._char is not None:
                self._char.close()
            raise DisplayFault(f"LED digits: {error}: see the wiring table") from None

    def show(self, reading: Reading) -> None:
        """Hand the digits over to the multiplexing thread where they have changed."""
        sides = both_sides(reading, tenths=self._tenths) if self._both else (one_side(reading, tenths=self._tenths),)
        cells = tuple(cell for side in sides for cell in side.cells())
        if cells == self._cells:
            return
        try:
            self._digits.value = cells
        except pin_errors() as error:
            raise DisplayFault(f"LED digits: {error}: see the wiring table") from None
        self._cells = cells

    def close(self) -> None:
        """Blank the digits and let go of the pins."""
        self._digits.close()
