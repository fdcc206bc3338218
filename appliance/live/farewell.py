"""The last that the displays show: ``OFF`` while the box goes off, ``SAFE`` when it may be unplugged.

Run by systemd after the box itself has ended, as ``python -m appliance.live.farewell WORD [BOX.toml]``; so it takes the
displays that the box's file names. Only such as stay lit by themselves can show it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.live.settings import BoxError, Settings, load_settings
from clock.displays import DisplayFault, LastingDisplay
from clock.displays.kinds import openers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clock.displays.kinds import Openers

WORDS = {"OFF": "0FF", "SAFE": "5AFE"}
"""What can be said, and the characters that look like it on seven segments."""


def leave(characters: str, opened: Openers) -> list[str]:
    """Show ``characters`` on each of the displays that ``opened`` opens. Returns what went wrong, a line for each."""
    faults = []
    for opens in opened.values():
        try:
            display = opens()
            if isinstance(display, LastingDisplay):
                display.leave(characters)
            else:
                display.close()
        except DisplayFault as fault:
            faults.append(str(fault))
    return faults


def main(arguments: Sequence[str]) -> int:
    """Exit code 0: shown on all of them; 1: not on all; 2: the arguments or the file cannot be used."""
    if len(arguments) not in (1, 2) or arguments[0] not in WORDS:
        print(f"write {' or '.join(WORDS)}, and the box's file if there is one", file=sys.stderr)
        return 2
    try:
        settings = load_settings(Path(arguments[1])) if len(arguments) == 2 else Settings()
    except BoxError as error:
        print(error, file=sys.stderr)
        return 2
    opened: Openers = {}
    for kind in settings.display.kinds:
        opened |= openers(kind, settings.wiring)
    faults = leave(WORDS[arguments[0]], opened)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
