"""Plays a WAV file through ALSA's aplay; the newest one only."""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from appliance.voice.faults import VoiceFault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COMMAND = "aplay"
_PATIENCE_S = 0.2
_LONGEST_S = 15.0
"""No sound lasts so long: a player that still runs then hangs in the sound card."""


class Player(Protocol):
    """Plays one sound at a time."""

    def play(self, sound: Path) -> None:
        """Begin to play; what still plays is cut off. Raises VoiceFault when nothing can be heard."""

    def close(self) -> None:
        """Be silent."""


class Aplay:
    """Each sound in a process of its own. Raises VoiceFault where aplay is missing."""

    def __init__(self, command: str = COMMAND, *, now_s: Callable[[], float] = time.monotonic) -> None:
        found = shutil.which(command)
        if found is None:
            raise VoiceFault(f"{command} is not installed: apt install alsa-utils")
        self._command, self._now_s = found, now_s
        self._began_s = 0.0
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, sound: Path) -> None:
        """Begin to play. How that went is known only later: a failure is raised when the next sound is played."""
        failed = self._ended()
        self._began_s = self._now_s()
        try:
            self._playing = subprocess.Popen(
                [self._command, "-q", str(sound)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise VoiceFault(f"{self._command} cannot be run ({error.strerror}): check the installation") from None
        if failed:
            raise VoiceFault(f"{self._command} could not play: check the sound card and its volume")

    def close(self) -> None:
        """Cut off what plays."""
        self._ended()

    def _ended(self) -> bool:
        """End the last sound, so that the card is free; whether it had failed by itself, or hung."""
        playing, self._playing = self._playing, None
        if playing is None:
            return False
        code = playing.poll()
        if code is not None:
            return code != 0
        playing.terminate()
        try:
            playing.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            playing.kill()
            with suppress(subprocess.TimeoutExpired):  # it hangs where nothing can end it
                playing.wait(_PATIENCE_S)
        return self._now_s() - self._began_s > _LONGEST_S
