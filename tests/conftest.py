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


LONG = ("vision/test_photographs", "arbiter/test_", "cli/test_replay", "vision/test_", "live/test_", "journal/test_")
"""What takes long is begun first, so that no process is left alone with it at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take long come first."""

    def rank(item: pytest.Item) -> int:
        return next((place for place, name in enumerate(LONG) if name in item.path.as_posix()), len(LONG))

    items.sort(key=rank)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the scoreboards that tests recorded, whichever process they ran in."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, ()):
            for name, text in report.user_properties if report.when == "call" else ():
                if name == "scoreboard":
                    terminalreporter.write_line(text)
