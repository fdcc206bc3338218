"""Disks that a test can fill or close."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def mounted(place: Path) -> Iterator[Path]:
    """A file system of its own, of one megabyte; skips where none can be mounted."""
    place.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("needs the right to mount a file system")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def fill(path: Path) -> None:
    """Write into the file until the disk is full."""
    with path.open("wb", buffering=0) as out, suppress(OSError):
        while out.write(bytes(4096)):
            pass
    assert os.statvfs(path).f_bavail == 0


def remount(place: Path, how: str) -> None:
    """``how``: ``ro`` or ``rw``."""
    subprocess.run(["mount", "-o", f"remount,{how}", place], check=True)
