"""Plays a WAV file through ALSA's aplay; the newest one only."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Protocol

from appliance.voice.faults import VoiceFault

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = "aplay"
_PATIENCE_S = 0.2


class Player(Protocol):
    """Plays one sound at a time."""

    def play(self, sound: Path) -> None:
        """Begin to play; what still plays is cut off. Raises VoiceFault when nothing can be heard."""

    def close(self) -> None:
        """Be silent."""


class Aplay:
    """Each sound in a process of its own. Raises VoiceFault where aplay is missing."""

    def __init__(self, command: str = COMMAND) -> None:
        found = shutil.which(command)
        if found is None:
            raise VoiceFault(f"{command} is not installed: apt install alsa-utils")
        self._command = found
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, sound: Path) -> None:
        """Begin to play. How that went is known only later: a failure is raised when the next sound is played."""
        failed = self._ended()
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
        """End the last sound, so that the card is free; whether it had failed by itself."""
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
            playing.wait()
        return False
