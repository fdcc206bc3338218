"""The MAX7219's registers, to the byte, through luma's real driver."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import pytest

from clock.digits import SECOND_NS
from clock.displays import DisplayFault
from clock.displays.max7219 import Max7219Display
from clock.seats import Seat
from clock.segments import SEGMENTS
from clock.wiring import Max7219
from tests.clock.readings import reading

SET_UP = [(0x0B, 7), (0x09, 0), (0x0F, 0), (0x0A, 7), (0x0C, 1)]
"""Data sheet: scan all digits, no decoding, no test, intensity, no shutdown."""


@dataclass
class Recorder:
    """Luma's serial interface, keeping what is written: register and value."""

    written: list[tuple[int, int]] = field(default_factory=list)
    broken: bool = False
    closed: bool = False

    def data(self, data: list[int]) -> None:
        if self.broken:
            raise OSError(5, "Input/output error")
        assert len(data) == 2
        self.written.append((data[0], data[1]))

    def command(self, *cmd: int) -> None:
        raise AssertionError(f"a MAX7219 knows no commands: {cmd}")

    def cleanup(self) -> None:
        self.closed = True

    def take(self) -> list[tuple[int, int]]:
        taken, self.written = self.written, []
        return taken


@pytest.fixture
def bus() -> Recorder:
    return Recorder()


def digit_registers(*segments: int) -> list[tuple[int, int]]:
    """Registers 1 to 8: register 8 is the leftmost digit."""
    return list(zip(range(1, 9), reversed(segments), strict=True))


def test_times_are_written_register_by_register(bus: Recorder) -> None:
    display = Max7219Display(Max7219(), serial=bus)
    bus.take()
    display.show(reading())
    # 1 2. 3 4 0 8. 5 9 in the data sheet's bits: point a b c d e f g
    shown = digit_registers(0x30, 0xED, 0x79, 0x33, 0x7E, 0xFF, 0x5B, 0x7B)
    assert bus.take() == SET_UP + shown


def test_the_point_blinks_by_the_instant(bus: Recorder) -> None:
    display = Max7219Display(Max7219(), serial=bus)
    display.show(reading(10 * SECOND_NS))
    bus.take()
    display.show(reading(10 * SECOND_NS + SECOND_NS // 2))
    assert bus.take() == digit_registers(0x30, 0x6D, 0x79, 0x33, 0x7E, 0xFF, 0x5B, 0x7B)


def test_the_flag_is_spelt(bus: Recorder) -> None:
    display = Max7219Display(Max7219(), serial=bus)
    bus.take()
    display.show(reading(flagged=Seat.SECOND, running=None))
    assert bus.take() == SET_UP + digit_registers(0x30, 0xED, 0x79, 0x33, 0x47, 0x0E, 0x77, 0x5E)


def test_nothing_is_written_while_nothing_changes(bus: Recorder) -> None:
    display = Max7219Display(Max7219(), serial=bus)
    display.show(reading(10 * SECOND_NS))
    bus.take()
    display.show(reading(10 * SECOND_NS + 50_000_000))
    assert bus.take() == []


def test_each_second_everything_is_written_again_for_a_module_that_was_pulled(bus: Recorder) -> None:
    display = Max7219Display(Max7219(brightness=15), serial=bus)
    display.show(reading(10 * SECOND_NS, running=None))
    bus.take()
    display.show(reading(11 * SECOND_NS, running=None))
    written = bus.take()
    assert (0x0A, 15) in written
    assert (0x0C, 1) in written
    assert [register for register, _ in written if register <= 8] == list(range(1, 9))


def test_closing_blanks_the_digits(bus: Recorder) -> None:
    display = Max7219Display(Max7219(), serial=bus)
    display.show(reading())
    bus.take()
    display.close()
    assert bus.take() == [(0x0C, 0), *digit_registers(*[0] * 8)]
    assert bus.closed


def test_a_broken_bus_is_a_fault(bus: Recorder) -> None:
    display = Max7219Display(Max7219(), serial=bus)
    bus.broken = True
    with pytest.raises(DisplayFault, match=r"^MAX7219 on SPI 0\.0: .*Input/output error"):
        display.show(reading())
    display.close()  # and that raises nothing


def test_without_spidev_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DisplayFault, match=r"^MAX7219 on SPI 0\.0: spidev is not installed: install"):
        Max7219Display(Max7219())


def test_without_a_bus_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoBus:
        def open(self, port: int, device: int) -> None:
            raise FileNotFoundError(2, f"no /dev/spidev{port}.{device}")

    module: Any = type(sys)("spidev")
    module.SpiDev = NoBus
    monkeypatch.setitem(sys.modules, "spidev", module)
    with pytest.raises(DisplayFault, match=r"^MAX7219 on SPI 0\.1: SPI device not found: switch SPI on"):
        Max7219Display(Max7219(device=1))


def test_our_segments_are_lumas() -> None:
    from luma.led_matrix.segment_mapper import regular

    for char, lit in SEGMENTS.items():
        assert list(regular(char)) == [sum(64 >> "abcdefg".index(segment) for segment in lit)], char


def test_a_last_word_stays_lit(bus: Recorder) -> None:
    display = Max7219Display(Max7219(), serial=bus)
    bus.take()
    display.leave("5AFE")
    # The chip's bits from 64 down to 1 are a to g. S: a c d f g. A: all but d. F: a e f g. E: a d e f g.
    assert bus.take()[-8:] == digit_registers(0, 0, 0x5B, 0x77, 0x47, 0x4F, 0, 0)
    assert bus.closed
