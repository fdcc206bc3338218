"""The wiring: its defaults, as the README's table has them, and a file's mistakes in one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clock.wiring import Wiring, WiringError, load_wiring


def test_a_file_says_only_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "wiring.toml"
    path.write_text('[buttons]\nfirst = 4\n[serial]\nports = ["/dev/a", "/dev/b"]\n')
    wiring = load_wiring(path)
    assert wiring.buttons.pins() == {
        "first": 4,
        "second": 27,
        "stop": 22,
        "claim_first": 23,
        "claim_second": 24,
        "confirm": 25,
    }
    assert wiring.serial.ports == ("/dev/a", "/dev/b")
    assert wiring.buzzer == Wiring().buzzer


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[buttons]\nfirst = 27\n", "buttons.second: GPIO 27 is already buttons.first: choose another"),
        ("[buzzer]\npin = 8\n", "led_digits.digits 1: GPIO 8 is already buzzer.pin: choose another"),
        ("[buttons]\nfrist = 4\n", "buttons.frist: unknown key: remove it or correct its spelling"),
        ("[buttons]\nfirst = 40\n", "buttons.first: 40 will not do: write a number up to 27"),
        ('[buttons]\nfirst = "4"\n', "buttons.first: '4' will not do: write a whole number"),
        ("[led_digits]\ndigits = [8, 9, 10, 11, 7]\n", "led_digits: digits: name four pins, or eight"),
        ('[serial]\nports = ["/dev/a", "/dev/a"]\n', "serial: ports: name two different ports"),
        (
            '[buttons]\nchip = "gpiochip0"\n',
            "buttons.chip: 'gpiochip0' will not do: write a device's path, such as /dev/",
        ),
        ("buttons = 3\n", "buttons: 3 will not do: write a table of its own"),
        ("[led_digits]\nsegments = [5, 6]\n", "led_digits.segments: [5, 6] will not do: write at least 7 entries"),
        ("[led_digits]\ncommon_cathode = 1\n", "led_digits.common_cathode: 1 will not do: write true or false"),
        ("[serial]\nports = [1]\n", "serial.ports.0: 1 will not do: write a text in quotes"),
        ("[serial]\nports = '/dev/a'\n", "serial.ports: '/dev/a' will not do: write a list in square brackets"),
        ("[serial]\nbaud = nan\n", "serial.baud: nan will not do: write a whole number"),
        ("[buttons\n", "not TOML: "),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "wiring.toml"
    path.write_text(text)
    with pytest.raises(WiringError) as caught:
        load_wiring(path)
    assert str(caught.value).startswith(f"{path}: {problem}")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(WiringError, match=r"none\.toml: cannot be read \(No such file or directory\)"):
        load_wiring(tmp_path / "none.toml")


ROW = re.compile(r"^\| `(\w+)\.(\w+)` \|[^|]*\| ([\d, ]+) \| ([\d, ]+) \|$", re.MULTILINE)
HEADER = {
    int(gpio): int(pin)
    for gpio, pin in re.findall(
        r"(\d+):(\d+)",
        "2:3 3:5 4:7 17:11 27:13 22:15 10:19 9:21 11:23 5:29 6:31 13:33 19:35 26:37 "
        "14:8 15:10 18:12 23:16 24:18 25:22 8:24 7:26 12:32 16:36 20:38 21:40",
    )
}
"""The 40-pin header: GPIO and pin, the odd row and then the even one."""


def test_the_readmes_table_has_the_defaults() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    rows = ROW.findall(readme)
    for table, key, gpios, pins in rows:
        listed = [int(gpio) for gpio in gpios.split(",")]
        value = getattr(getattr(Wiring(), table), key)
        assert listed == (list(value) if isinstance(value, tuple) else [value]), key
        assert [HEADER[gpio] for gpio in listed] == [int(pin) for pin in pins.split(",")], key
    assert len(rows) == len(Wiring().buttons.pins()) + 2 + 3
