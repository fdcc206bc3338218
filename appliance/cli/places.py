"""What lies where the user points to. A loop of links, a name too long or a closed folder is no error here: nothing
is seen there, and whoever reads or writes there is told why."""

from __future__ import annotations

import os
from pathlib import Path


def real(path: Path) -> Path:
    """``path`` with links followed as far as they lead."""
    return Path(os.path.realpath(path))


def exists(path: Path) -> bool:
    """Whether anything is seen at ``path``."""
    return os.path.exists(path)


def is_folder(path: Path) -> bool:
    """Whether a folder is seen at ``path``."""
    return os.path.isdir(path)


def is_file(path: Path) -> bool:
    """Whether a regular file is seen at ``path``."""
    return os.path.isfile(path)
