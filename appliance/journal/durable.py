"""Files and folders that are there whole after a power cut, or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PART = ".part"
"""How the name of a file ends while it is written."""


def make_folder(folder: Path, *, exist_ok: bool = True) -> None:
    """Make ``folder`` and those above it that are missing. Raises OSError."""
    if not folder.parent.is_dir():
        make_folder(folder.parent)
    folder.mkdir(exist_ok=exist_ok)
    settle(folder.parent)


def write_whole(path: Path, data: bytes) -> None:
    """Write the file, in place of one that may be there. Raises OSError; then no part of it is left, where the disk
    allows."""
    part = path.with_name(path.name + PART)
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    settle(path.parent)


def settle(folder: Path) -> None:
    """Have the names in ``folder`` written to the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
