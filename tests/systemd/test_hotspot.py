"""The hotspot's script, with an nmcli that only notes what it is asked."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

HOTSPOT = Path(__file__).parents[2] / "systemd" / "hotspot"
pytestmark = pytest.mark.skipif(shutil.which("sed") is None, reason="needs a Unix shell")


class Machine:
    """Where NetworkManager's files lie."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "connections" / "caipan.nmconnection"
        self.file.parent.mkdir()
        self.asked = folder / "asked"
        nmcli = folder / "nmcli"
        nmcli.write_text(f'#!/bin/sh\necho "$@" >>{self.asked}\n')
        nmcli.chmod(0o755)
        self._environment = {
            "PATH": f"{folder}:/usr/bin:/bin",
            "CAIPAN_HOTSPOT_TEMPLATE": str(HOTSPOT / "caipan.nmconnection"),
            "CAIPAN_HOTSPOT_FILE": str(self.file),
        }

    def hotspot(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["/bin/sh", str(HOTSPOT / "caipan-hotspot"), *arguments]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)

    def said(self) -> ConfigParser:
        parser = ConfigParser()
        parser.read(self.file)
        return parser


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_switched_on(machine: Machine) -> None:
    result = machine.hotspot("on", "Hall-2")
    assert (result.returncode, result.stderr) == (0, "")
    said = machine.said()
    password = said["wifi-security"]["psk"]
    assert re.fullmatch("[a-hj-km-np-z2-9]{16}", password)
    assert result.stdout.splitlines() == ["network: Hall-2", f"password: {password}"]
    assert (said["wifi"]["ssid"], said["wifi"]["mode"], said["ipv4"]["method"]) == ("Hall-2", "ap", "shared")
    assert "@" not in machine.file.read_text()
    assert machine.file.stat().st_mode & 0o777 == 0o600  # NetworkManager takes no other
    assert machine.asked.read_text().splitlines() == [f"connection load {machine.file}", "connection up caipan"]


def test_the_password_stays_and_is_every_boxs_own(machine: Machine, tmp_path: Path) -> None:
    machine.hotspot("on")
    password = machine.hotspot("password").stdout.strip()
    machine.hotspot("on", "Renamed")
    assert machine.hotspot("password").stdout.strip() == password
    other = tmp_path / "other"
    other.mkdir()
    another = Machine(other)
    another.hotspot("on")
    assert another.hotspot("password").stdout.strip() != password


@pytest.mark.parametrize("arguments", [(), ("up",), ("on", "a/b&c"), ("on", "x" * 33), ("off",), ("password",)])
def test_mistakes(machine: Machine, arguments: tuple[str, ...]) -> None:
    result = machine.hotspot(*arguments)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert not machine.file.exists()
    assert not machine.asked.exists()


def test_no_password_is_in_the_template() -> None:
    assert "psk=@PASSWORD@\n" in (HOTSPOT / "caipan.nmconnection").read_text()
