"""What the package is made of, without making it; ``tests/packaging/in-debian`` makes and installs it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from appliance.live.settings import Settings, load_settings

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
BUILD = (SYSTEMD / "package" / "build").read_text()
SCRIPTS = [
    SYSTEMD / "shutdown",
    SYSTEMD / "hotspot" / "caipan-hotspot",
    SYSTEMD / "package" / "build",
    *(SYSTEMD / "package" / "debian" / name for name in ("config", "postinst", "postrm", "prerm")),
    *(Path(__file__).with_name(name) for name in ("in-debian", "in-uml")),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_scripts(script: Path) -> None:
    shell = re.match(r"#!(/bin/sh|/usr/bin/env bash)\n", script.read_text())
    assert shell is not None
    command = ["bash", *(["--posix"] if shell[1] == "/bin/sh" else []), "-n", str(script)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_box_s_file_that_is_installed_says_the_defaults() -> None:
    assert load_settings(SYSTEMD / "box.toml") == Settings()


def test_all_that_the_units_start_is_in_the_package() -> None:
    started = {
        program
        for unit in (SYSTEMD / "units").glob("*.service")
        for program in re.findall(r"^ExecStart=-?(\S+)", unit.read_text(), re.M)
    }
    assert started == {"/usr/bin/caipan", "/usr/lib/caipan/bin/python", "/usr/bin/true"}
    assert '"$root/usr/bin/caipan"' in BUILD
    assert '"$home/bin/python"' in BUILD


def test_the_modules_that_are_started_are_there() -> None:
    files = [*(SYSTEMD / "units").glob("*.service"), SYSTEMD / "shutdown"]
    modules = {module for file in files for module in re.findall(r"-m (\S+)", file.read_text())}
    assert modules == {"appliance.live.farewell", "appliance.live.power_button"}
    for module in modules:
        assert (ROOT / (module.replace(".", "/") + ".py")).is_file()


def test_what_comes_from_the_system_is_recommended_there() -> None:
    """Each library that is left out of the package comes by apt."""
    left_out = re.findall(r"^(\S+) ; python_version < '3'$", BUILD, re.M)
    control = (SYSTEMD / "package" / "debian" / "control").read_text()
    assert sorted(left_out) == ["pidng", "python-prctl", "spidev"]
    for library in left_out:
        assert f"python3-{library.removeprefix('python-')}" in control


def test_no_python_that_the_project_does_not_support() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pythons = re.findall(r"number=\d+ python=3\.(\d+)", BUILD)
    least = int(project["requires-python"].removeprefix(">=3."))
    assert pythons
    assert all(int(python) >= least for python in pythons)
