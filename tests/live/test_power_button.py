"""The power button, on gpiozero's pins without hardware."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from appliance.live.power_button import HELD_S, main, watch

PIN = 3
LONG_S = 30.0
"""For what is sure to come."""


class DownPin(MockPin):  # type: ignore[misc]
    """A pin that is held to ground, whatever pulls it up."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._change_state(False)


@pytest.fixture
def pin() -> Any:
    return MockFactory().pin(f"GPIO{PIN}")


def test_held(pin: Any) -> None:
    held = Event()
    button = watch(PIN, held.set, factory=pin.factory, held_s=0.0)
    pin.drive_low()
    assert held.wait(LONG_S)
    button.close()


def test_a_stray_press_does_nothing(pin: Any) -> None:
    held = Event()
    button = watch(PIN, held.set, factory=pin.factory)
    assert button.hold_time == HELD_S == 5
    for _ in range(3):
        pin.drive_low()
        pin.drive_high()
    button.close()  # waits for the thread that would tell
    assert not held.is_set()


def test_down_from_the_start_it_counts_when_it_was_let_go() -> None:
    held = Event()
    pin = MockFactory(pin_class=DownPin).pin(f"GPIO{PIN}")
    button = watch(PIN, held.set, factory=pin.factory, held_s=0.0)
    assert button.is_pressed
    assert button.when_held is None
    pin.drive_high()
    pin.drive_low()
    assert held.wait(LONG_S)
    button.close()


def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    box = tmp_path / "box.toml"
    box.write_text("[wiring.power]\npin = 17\n")
    for arguments, said in [
        ([], "write the file"),
        (["off", str(tmp_path / "none.toml")], "cannot be read"),
        (["off", str(box)], "GPIO 17 is already"),
    ]:
        assert main(arguments) == 2
        message = capsys.readouterr().err
        assert said in message
        assert message.count("\n") == 1
