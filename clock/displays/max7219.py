"""An eight-digit module with a MAX7219 on the SPI bus, through luma: both sides, ``12.34`` and ``08.59``.

SPI has no answer: a module that is pulled out cannot be noticed. So once a second everything is written again, the
chip's set-up too, and a module that comes back shows the right time within a second. Untested on a Pi.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from clock.digits import SECOND_NS, both_sides
from clock.displays import DisplayFault

if TYPE_CHECKING:
    from clock.reading import Reading
    from clock.wiring import Max7219

_BUS_HZ = 1_000_000
"""A tenth of what the chip can do: the wires to the display may be long."""


class Max7219Display:
    """The module. ``serial``: luma's serial interface; None: the SPI bus as wired.

    Raises DisplayFault where there is no such bus.
    """

    def __init__(self, wiring: Max7219, *, tenths: bool = False, serial: Any = None) -> None:
        self._wiring, self._tenths = wiring, tenths
        self._text, self._second = "", -1
        with _Faults(wiring):
            from luma.core.virtual import sevensegment
            from luma.led_matrix.device import max7219

            self._chip = max7219(_spi(wiring) if serial is None else serial)
            self._digits = sevensegment(self._chip)

    def show(self, reading: Reading) -> None:
        """Write the registers where the digits have changed or a second has begun."""
        text = "".join(str(side) for side in both_sides(reading, tenths=self._tenths))
        second = reading.at_ns // SECOND_NS
        if (text, second) == (self._text, self._second):
            return
        with _Faults(self._wiring):
            if second != self._second:
                self._set_up()
            self._digits.text = text
        self._text, self._second = text, second

    def close(self) -> None:
        """Blank the digits and let go of the bus."""
        with suppress(OSError):
            self._chip.cleanup()

    def leave(self, word: str) -> None:
        """Show ``word`` in the middle and let go of the bus; the chip keeps it."""
        with _Faults(self._wiring):
            self._set_up()
            self._digits.text = word.center(8)
            self._chip.persist = True  # luma blanks the chip at exit otherwise
            self._chip.cleanup()

    def _set_up(self) -> None:
        """All eight digits, no decoder of the chip's own, no test, brightness, awake."""
        from luma.led_matrix.const import max7219 as register

        self._chip.data([register.SCANLIMIT, 7])
        self._chip.data([register.DECODEMODE, 0])
        self._chip.data([register.DISPLAYTEST, 0])
        self._chip.contrast(self._wiring.brightness << 4)
        self._chip.show()


class _Faults:
    """Turns what luma and the bus raise into DisplayFault."""

    def __init__(self, wiring: Max7219) -> None:
        self._name = f"MAX7219 on SPI {wiring.port}.{wiring.device}"

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from luma.core.error import Error as LumaError

        if isinstance(error, ImportError):
            raise DisplayFault(f"{self._name}: {error.name} is not installed: install Caipan's extra 'pi'") from None
        if isinstance(error, (OSError, LumaError)):
            raise DisplayFault(f"{self._name}: {error}: switch SPI on and see the wiring table") from None


def _spi(wiring: Max7219) -> Any:
    from luma.core.interface.serial import noop, spi

    return spi(port=wiring.port, device=wiring.device, bus_speed_hz=_BUS_HZ, gpio=noop())
