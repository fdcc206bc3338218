"""The box's file: what is left out, what is said, and what is wrong with it in one line."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import pytest

from appliance.journal.games import state_folder
from appliance.live.settings import (
    BoxError,
    ButtonsKind,
    CameraKind,
    Mode,
    Settings,
    Taken,
    load_settings,
    socket_path,
)
from clock.displays.kinds import DisplayKind
from clock.notation import parse

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```toml\n(\[game\]\n.*?)```", README, re.DOTALL)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "box.toml"


def test_everything_may_be_left_out(file: Path) -> None:
    file.write_text("")
    settings = load_settings(file)
    assert settings == Settings()
    assert (settings.game.ruleset, settings.game.mode, settings.game.time_control) == (
        "renju",
        Mode.REFEREE,
        parse("30m"),
    )
    assert (settings.camera.source, settings.buttons_kind) == (CameraKind.PICAMERA2, ButtonsKind.GPIOZERO)
    assert settings.taken("stone_slid") is Taken.RECORD


def test_what_is_said_and_paths_are_the_files_neighbours(file: Path) -> None:
    file.write_text(
        """
[game]
ruleset = "school"
time_control = "15m; 3x30s"
size = 13
first = "林"
mode = "auto"
[camera]
source = "recording"
recording = "games/one"
speed = inf
corners = [[0, 0], [100, 0], [100, 100], [0, 100]]
black_side = "left"
[wiring.buttons]
stop = 4
[display]
kinds = ["serial", "max7219"]
[voice]
language = "zh"
[state]
dir = "/data"
evidence_mb = 10
[socket]
path = "box.sock"
[auto]
stone_slid = "effect"
flag = "record"
"""
    )
    settings = load_settings(file)
    assert (settings.game.time_control, settings.game.size, settings.game.first) == (parse("15m; 3x30s"), 13, "林")
    assert settings.camera.recording == file.parent / "games" / "one"
    assert math.isinf(settings.camera.speed)
    assert settings.buttons_kind is ButtonsKind.RECORDING
    assert settings.wiring.buttons.stop == 4
    assert settings.display.kinds == (DisplayKind.SERIAL, DisplayKind.MAX7219)
    assert (settings.state.dir, settings.socket.path) == (Path("/data"), file.parent / "box.sock")
    assert [settings.taken(code) for code in ("stone_slid", "flag", "late")] == [
        Taken.EFFECT,
        Taken.RECORD,
        Taken.RECORD,
    ]


def test_the_readmes_example_can_be_used(file: Path) -> None:
    assert EXAMPLE is not None
    file.write_text(EXAMPLE[1], encoding="utf-8")
    assert load_settings(file).game.mode is Mode.AUTO


def test_a_ruleset_of_ones_own_lies_beside_the_file(file: Path) -> None:
    (file.parent / "club.toml").write_text('extends = "renju"\ntitle_en = "Club"\ntitle_zh = "俱乐部"\n', "utf-8")
    file.write_text('[game]\nruleset = "club.toml"\n')
    assert load_settings(file).game.ruleset == str(file.parent / "club.toml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[game\n", "not TOML: "),
        ("game = 5\n", "game: 5 will not do: write a table of its own"),
        ("[gmae]\n", "gmae: unknown key: remove it or correct its spelling"),
        ("[game]\nruelset = 1\n", "game.ruelset: unknown key: remove it or correct its spelling"),
        ('[game]\nruleset = "remju"\n', "game.ruleset: no ruleset 'remju': use one of competition, "),
        ('[game]\nruleset = "none.toml"\n', "game.ruleset: /"),
        ("[game]\ntime_control = 30\n", "game.time_control: 30 will not do: write a time control in quotes"),
        ('[game]\ntime_control = "5x"\n', "game.time_control: '5x'"),
        ("[game]\nsize = 4\n", "game.size: 4 will not do: write a number from 5 up"),
        ('[game]\nmode = "club"\n', "game.mode: 'club' will not do: write 'referee' or 'auto'"),
        ('[camera]\nsource = "webcam"\n', "camera.source: 'webcam' will not do: write 'picamera2', 'usb' or"),
        ('[camera]\nsource = "recording"\n', "camera: recording: missing: name the recording's folder"),
        ('[camera]\nrecording = "one"\n', 'camera: recording: is not played: write source = "recording"'),
        ("[camera]\nspeed = 2.0\n", "camera: speed: a camera sees no faster than the world: leave it out"),
        ("[camera]\nspeed = 0\n", "camera.speed: 0.0 will not do: write a number above 0, or inf"),
        ("[camera]\nspeed = nan\n", "camera.speed: nan will not do: write a number above 0, or inf"),
        (
            "[camera]\ncorners = [[0, 0], [0, 9], [9, 9], [9, 0]]\n",
            "camera.corners: do not go clockwise round a board: begin at the picture's top left",
        ),
        ("[camera]\ncorners = [[0, 0], [9, 0]]\n", "camera.corners"),
        ("[camera]\nwidth = 1297\nheight = 972\n", "camera.width: 1297 will not do: write a multiple of 2"),
        ("[camera]\nwidth = 1296\n", "camera: width and height: write both, or neither"),
        ("[camera]\nfps = 100\n", "camera.fps: 100 will not do: write a number up to 60"),
        ("[camera]\nmains_hz = 55\n", "camera.mains_hz: 55 will not do: write 50 or 60"),
        (
            "[camera]\nexposure_us = 50000\nfps = 25\n",
            "camera: exposure_us: is longer than a frame at 25 a second: write 40000 or less",
        ),
        ("[camera]\ndevice = -1\n", "camera.device: -1 will not do: write 0 for the first camera"),
        ('[camera]\ndevice = "video0"\n', "camera.device: 'video0' will not do: write a number, or a path such as"),
        ('[camera]\ndevice = "/dev/video0"\n', "camera: device: is a path: write the camera's number, 0 for the"),
        ("[camera]\ndevice = 1.5\n", "camera.device: 1.5 will not do: write a whole number or a text in quotes"),
        ('[camera]\nfps = "fast"\n', "camera.fps: 'fast' will not do: write a number"),
        (
            '[camera]\nsource = "usb"\nlens_position = 2.0\n',
            "camera: lens_position: a USB camera focuses by itself: leave it out",
        ),
        (
            '[camera]\nsource = "recording"\nrecording = "one"\nfps = 10\n',
            "camera: fps: is a camera's: leave it out",
        ),
        ('[buttons]\nkind = "recording"\n', "buttons.kind: there is no recording: name one under [camera]"),
        ("[wiring.buttons]\nfirst = 27\n", "wiring: buttons.second: GPIO 27 is already buttons.first: choose another"),
        ('[display]\nkinds = ["lcd"]\n', "display.kinds.0: 'lcd' will not do: write 'max7219', 'led-digits', "),
        ('[display]\nkinds = ["serial", "serial"]\n', "display: kinds: name each kind once"),
        ('[display]\nkinds = ["max7219", "led-digits"]\n', "display: kinds: max7219 and led-digits share pins"),
        ('[voice]\nlanguage = "de"\n', "voice.language: 'de' will not do: write en or zh, or leave it out"),
        ("[state]\nevidence_mb = -1\n", "state.evidence_mb: -1 will not do: write a number from 0 up"),
        ('[auto]\nflag = "effect"\n', 'auto: the referee decides: write mode = "auto" under [game] or remove'),
        (
            '[game]\nmode = "auto"\n[auto]\nstone_slided = "effect"\n',
            "auto.stone_slided: no such ruling; the nearest are stone_slid, ",
        ),
        (
            '[game]\nmode = "auto"\n[auto]\nflag = "perhaps"\n',
            "auto.flag: 'perhaps' will not do: write 'effect' or 'record'",
        ),
    ],
)
def test_mistakes_are_one_line(file: Path, text: str, problem: str) -> None:
    file.write_text(text)
    with pytest.raises(BoxError) as caught:
        load_settings(file)
    assert str(caught.value).startswith(f"{file}: {problem}")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(file: Path) -> None:
    with pytest.raises(BoxError, match=r"box\.toml: cannot be read \(No such file or directory\): check the path"):
        load_settings(file)


def test_the_services_folders_come_before_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/judge")
    assert state_folder(None, os.environ) == Path("/home/judge/.local/state/caipan")
    assert socket_path() == Path("/home/judge/.local/state/caipan/referee.sock")
    monkeypatch.setenv("XDG_STATE_HOME", "relative is not allowed there")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/5")
    assert state_folder(None, os.environ) == Path("/home/judge/.local/state/caipan")
    assert socket_path() == Path("/run/user/5/caipan/referee.sock")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/caipan")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/caipan")
    assert state_folder(None, os.environ) == Path("/var/lib/caipan")
    assert socket_path() == Path("/run/caipan/referee.sock")
