"""What stays on the displays when the box goes off."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from appliance.live.farewell import leave, main
from clock.displays.none import NoDisplay

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

from tests.clock.displays.far_end import FarEnd

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def far(tmp_path: Path) -> Iterator[FarEnd]:
    far = FarEnd(tmp_path / "display")
    yield far
    if far.path.exists():
        far.pull_out()


def box(tmp_path: Path, *ports: Path) -> str:
    file = tmp_path / "box.toml"
    named = ", ".join(f'"{port}"' for port in ports)
    file.write_text(f'[display]\nkinds = ["serial"]\n[wiring.serial]\nports = [{named}]\n')
    return str(file)


def test_the_word_stays_on_a_serial_display(far: FarEnd, tmp_path: Path) -> None:
    assert main(["SAFE", box(tmp_path, far.path)]) == 0
    # Full brightness; S: a c d f g. A: all but d. F: a e f g. E: a d e f g. No points, and nothing that blanks it.
    assert far.read() == bytes((0x7A, 100, 0x7B, 0x6D, 0x7C, 0x77, 0x7D, 0x71, 0x7E, 0x79, 0x77, 0x00))


def test_one_that_is_gone_does_not_keep_the_word_from_the_other(
    far: FarEnd, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["OFF", box(tmp_path, tmp_path / "gone", far.path)]) == 1
    assert far.read()[2:] == bytes((0x7B, 0x3F, 0x7C, 0x71, 0x7D, 0x71, 0x7E, 0x00, 0x77, 0x00))
    assert "cannot be opened" in capsys.readouterr().err


def test_a_display_that_cannot_stay_lit() -> None:
    assert leave("5AFE", {"none": NoDisplay}) == []


def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["HELLO"], ["SAFE", str(tmp_path / "none.toml")]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1
