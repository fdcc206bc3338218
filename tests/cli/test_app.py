"""How a mistake on the command line is told: one line of whole sentences, and the command that has the help."""

from __future__ import annotations

import sys

import pytest

from appliance.cli.app import main


def told(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What ``caipan`` says on stderr to ``arguments``, which must end it with exit code 2."""
    monkeypatch.setattr(sys, "argv", ["/usr/bin/caipan", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["read", "--workers", "0", "x"],
            "Invalid value for '--workers': Input should be greater than or equal to 1. Try 'caipan read --help'.",
        ),
        (["replay", "--nope"], "No such option: --nope. Try 'caipan replay --help'."),
        (["bench", "x", "y"], "Got unexpected extra argument(s) (y). Try 'caipan bench --help'."),
        (
            ["clock", "5m", "--absent", "third"],
            "Invalid value for '--absent': 'third' is not one of 'first', 'second'. Try 'caipan clock --help'.",
        ),
        (["bogus"], "No such command 'bogus'. Try 'caipan --help'."),
    ],
)
def test_mistake_names_the_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], arguments: list[str], line: str
) -> None:
    assert told(monkeypatch, capfd, *arguments) == f"caipan: {line}\n"
