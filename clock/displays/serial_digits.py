"""A serial display of four digits (SparkFun's Serial 7-Segment and its kin): one side of the clock, through pyserial.

Segments are set one by one (0x7B to 0x7E), which needs no font of the display's own; then the points (0x77). Once a
second everything is written again, so that a display which lost its power comes back. Untested with a real display.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from clock.digits import SECOND_NS, Digits, one_side, side
from clock.displays import DisplayFault
from clock.segments import SEGMENTS

if TYPE_CHECKING:
    from clock.reading import Reading
    from clock.seats import Seat
    from clock.wiring import Serial

_CLEAR, _POINTS, _BRIGHTNESS, _FIRST_DIGIT = 0x76, 0x77, 0x7A, 0x7B
WRITE_TIMEOUT_S = 0.2
"""What a display may take: twenty times what its ten bytes need at 9600 baud."""
_MOST_WAITING = 40
"""Bytes still to be sent, four times all that is shown, when another time is due: nobody takes them."""


class SerialDigitsDisplay:
    """The display at ``port``. ``seat``: the side that it shows; None: the running one.

    Raises DisplayFault where the port cannot be opened.
    """

    def __init__(
        self,
        wiring: Serial,
        port: str,
        seat: Seat | None,
        *,
        tenths: bool = False,
        write_timeout_s: float = WRITE_TIMEOUT_S,
    ) -> None:
        from serial import Serial as Port
        from serial import SerialException

        self._name, self._seat, self._tenths = port, seat, tenths
        self._frame, self._second = b"", -1
        try:
            self._port = Port(port, wiring.baud, timeout=0, write_timeout=write_timeout_s, exclusive=True)
        except SerialException as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise DisplayFault(
                f"{port}: cannot be opened ({reason}): plug the display in or correct its port"
            ) from None
        try:
            self._write(bytes((_BRIGHTNESS, wiring.brightness)))
        except DisplayFault:
            self.close()
            raise

    def show(self, reading: Reading) -> None:
        """Write where the digits have changed or a second has begun."""
        if self._seat is None:
            frame = _frame(one_side(reading, tenths=self._tenths))
        else:
            frame = _frame(side(reading, self._seat, tenths=self._tenths))
        second = reading.at_ns // SECOND_NS
        if (frame, second) == (self._frame, self._second):
            return
        self._write(frame)
        self._frame, self._second = frame, second

    def close(self) -> None:
        """Blank the display, if it is still there, and let go of the port."""
        from termios import error as gone

        # What waits to be sent is dropped first, or closing would wait until the display has taken it.
        with suppress(OSError, gone):
            self._port.reset_output_buffer()
            self._port.write(bytes((_CLEAR,)))
        with suppress(OSError, gone):
            self._port.close()

    def leave(self, word: str) -> None:
        """Show ``word`` and let go of the port; the display keeps it."""
        self._write(_frame(Digits(text=word.center(4), points=(False,) * 4)))
        with suppress(OSError):
            self._port.close()  # which waits until all is sent

    def _write(self, data: bytes) -> None:
        from serial import SerialTimeoutException

        try:
            if self._port.out_waiting > _MOST_WAITING:
                raise SerialTimeoutException
            self._port.write(data)
        except SerialTimeoutException:
            raise DisplayFault(f"{self._name}: the display takes no more bytes: check its cable") from None
        except OSError as error:
            raise DisplayFault(f"{self._name}: the display is gone ({error}): plug it in again") from None


def _frame(digits: Digits) -> bytes:
    """The bytes that show these digits. Bits of a digit: a is 1, … g is 64; of the points: 1 is the leftmost."""
    frame = bytearray()
    for place, char in enumerate(digits.text):
        frame += bytes((_FIRST_DIGIT + place, sum(1 << "abcdefg".index(segment) for segment in SEGMENTS[char])))
    return bytes(frame) + bytes((_POINTS, sum(lit << place for place, lit in enumerate(digits.points))))
