"""The units, judged by systemd itself; no unit is started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path for path in (SYSTEMD / "units").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="needs systemd-analyze (Debian: apt install systemd)")
HELD_RIGHTS = 20
"""2.0, in tenths, of what systemd calls exposure."""


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    environment = {**os.environ, "SYSTEMD_COLORS": "0", "SYSTEMD_EMOJI": "0", "LC_ALL": "C.UTF-8"}
    return subprocess.run([ANALYZE, *map(str, arguments)], capture_output=True, text=True, env=environment, check=False)


def version() -> int:
    assert ANALYZE is not None
    found = re.match(r"systemd (\d+)", analyze("--version").stdout)
    assert found is not None
    return int(found[1])


def installed(folder: Path, *, newer: bool) -> list[Path]:
    """The units as they are installed, but for programs of ours, which are not installed here."""
    for unit in UNITS:
        text = re.sub(
            r"^(ExecStart=-?)/usr/(bin/caipan|lib/caipan/bin/python)\b", r"\1/bin/true", unit.read_text(), flags=re.M
        )
        (folder / unit.name).write_text(text)
    if newer:
        drop_in = folder / "caipan-referee.service.d" / "back-off.conf"
        drop_in.parent.mkdir()
        shutil.copy(SYSTEMD / "back-off.conf", drop_in)
    return [folder / unit.name for unit in UNITS]


@needs_systemd
def test_systemd_has_nothing_to_say(tmp_path: Path) -> None:
    result = analyze("verify", *installed(tmp_path, newer=version() >= 254))
    assert (result.returncode, result.stderr) == (0, "")  # 0 alone it would be with a key misspelt, too


@needs_systemd
def test_a_misspelt_key_is_seen(tmp_path: Path) -> None:
    units = installed(tmp_path, newer=False)
    units[0].write_text(units[0].read_text() + "\n[Service]\nWatchdogSek=10\n")
    assert "WatchdogSek" in analyze("verify", *units).stderr


@needs_systemd
@pytest.mark.parametrize("service", SERVICES, ids=lambda path: path.stem)
def test_exposure(service: Path) -> None:
    result = analyze("security", "--offline=true", f"--threshold={HELD_RIGHTS}", service)
    assert result.returncode == 0, result.stdout[-200:]
    assert "Overall exposure level" in result.stdout


@needs_systemd
def test_an_unprotected_service_does_not_pass(tmp_path: Path) -> None:
    bare = tmp_path / "bare.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    assert analyze("security", "--offline=true", f"--threshold={HELD_RIGHTS}", bare).returncode != 0


def test_every_service_and_path_is_judged() -> None:
    assert {unit.name for unit in UNITS} == {
        "caipan-farewell.service",
        "caipan-power-button.service",
        "caipan-power-off.path",
        "caipan-power-off.service",
        "caipan-referee.service",
    }


def test_the_button_makes_the_file_that_is_watched_for() -> None:
    watched = (SYSTEMD / "units" / "caipan-power-off.path").read_text()
    made = (SYSTEMD / "units" / "caipan-power-button.service").read_text()
    (path,) = re.findall(r"^PathExists=(.+)$", watched, re.M)
    assert f"power_button {path} " in made
    assert f"RuntimeDirectory={Path(path).parent.name}\n" in made
    assert "RuntimeDirectoryPreserve=yes\n" in made
