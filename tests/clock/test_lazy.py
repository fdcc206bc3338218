"""All of the software can be loaded where no hardware library is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LOADED = """
import sys
import appliance.cli.app, appliance.voice.opening, clock.buttons, clock.displays.kinds, clock.gpiod_buttons, clock.show
print(*{"gpiod", "gpiozero", "lgpio", "luma", "serial", "spidev"} & sys.modules.keys())
"""


def test_adapters_load_their_libraries_only_when_opened() -> None:
    command = [sys.executable, "-c", LOADED]
    root = Path(__file__).parents[2]
    loaded = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert loaded.split() == []
