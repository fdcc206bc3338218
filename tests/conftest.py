"""What all tests share: where the recorded material lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of photographs, recordings and vectors beside the repository; skips where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"no folder {folder.name!r} beside the repository: these tests must run in CI")
        pytest.skip(f"needs the folder {folder.name!r} beside the repository")
    return folder


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The recordings made for this project."""
    return ROOT / "fixtures"
