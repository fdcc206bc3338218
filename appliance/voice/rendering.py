"""Phrases rendered to WAV by espeak-ng, ahead of the game, into a folder that keeps them."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import wave
from typing import TYPE_CHECKING

from appliance.voice.faults import VoiceFault

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

COMMAND = "espeak-ng"
LONGEST_NUMBER_S = 0.9
"""Numbers are called a second apart: each is over before the next."""
_SPEEDS = (160, 190, 220, 260, 310, 370)
"""Words a minute: the slowest that is short enough is taken."""
_PATIENCE_S = 20


def rendered(phrases: Iterable[str], voice: str, folder: Path, *, longest_s: float | None = None) -> dict[str, Path]:
    """The WAV file of each phrase, rendered where it is not in the folder yet; faster where it lasts too long.

    Raises VoiceFault when espeak-ng is missing or does not know the voice, or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return {phrase: _rendered(phrase, voice, folder, longest_s) for phrase in phrases}
    except FileNotFoundError as error:
        if error.filename != COMMAND:
            raise VoiceFault(f"{folder}: {error.strerror}: choose another folder for the voice") from None
        raise VoiceFault(f"{COMMAND} is not installed: apt install {COMMAND}") from None
    except OSError as error:
        raise VoiceFault(f"{folder}: {error.strerror}: choose another folder for the voice") from None
    except subprocess.SubprocessError as error:
        reason = getattr(error, "stderr", None) or b""
        line = reason.decode(errors="replace").strip().splitlines()[:1] or [str(error)]
        raise VoiceFault(f"{COMMAND} cannot speak with the voice {voice!r} ({line[0]}): install its data") from None


def _rendered(phrase: str, voice: str, folder: Path, longest_s: float | None) -> Path:
    name = hashlib.sha256(f"{voice}\n{longest_s}\n{phrase}".encode()).hexdigest()[:24]
    path, half = folder / f"{name}.wav", folder / f"{name}.part"
    if path.is_file():
        return path
    for speed in _SPEEDS:
        subprocess.run(
            # -z: no pause after the phrase; -b 1: UTF-8.
            [COMMAND, "-z", "-b", "1", "-v", voice, "-s", str(speed), "-w", str(half), "--stdin"],
            input=phrase.encode(),
            capture_output=True,
            check=True,
            timeout=_PATIENCE_S,
        )
        if longest_s is None or seconds_of(half) <= longest_s:
            break
    # Complete or not there: a file that was cut short would be played for ever after. espeak-ng cuts it short on a full
    # disk and says nothing.
    disk = os.statvfs(folder)
    if disk.f_blocks and not disk.f_bavail:
        half.unlink()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    half.replace(path)
    return path


def seconds_of(path: Path) -> float:
    """How long a WAV file lasts."""
    with wave.open(str(path), "rb") as sound:
        return sound.getnframes() / sound.getframerate()
