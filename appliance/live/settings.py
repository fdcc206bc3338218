"""What one box is told about itself and its game, in one TOML file; all of it may be left out."""

from __future__ import annotations

import os
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, model_validator

from appliance.arbiter.articles import codes
from appliance.game.ruleset import load_ruleset
from appliance.journal.games import state_folder
from appliance.voice.words import languages
from clock.control import TimeControl
from clock.displays.kinds import DisplayKind
from clock.notation import notation, parse
from clock.toml_file import SettingsError, checked, read_toml
from clock.wiring import Wiring


class BoxError(SettingsError):
    """A box's file that cannot be used; the message is one line: file, key, what is wrong, what to do."""


def _control(text: object) -> TimeControl:
    if not isinstance(text, str):
        raise ValueError(f'{text!r} will not do: write a time control in quotes, such as "15m; 3x30s"')
    return parse(text)


def _ruleset(name: str) -> str:
    load_ruleset(name)
    return name


def _code(code: str) -> str:
    if code not in codes():
        raise ValueError(f"no such ruling; the nearest are {', '.join(get_close_matches(code, codes(), 3, 0.0))}")
    return code


def _language(name: str) -> str:
    if name not in languages():
        raise ValueError(f"{name!r} will not do: write {' or '.join(languages())}, or leave it out")
    return name


def _device(device: int | str) -> int | str:
    if isinstance(device, int) and device < 0:
        raise ValueError(f"{device} will not do: write 0 for the first camera")
    if isinstance(device, str) and not device.startswith("/dev/"):
        raise ValueError(f"{device!r} will not do: write a number, or a path such as /dev/v4l/by-id/…")
    return device


def _forward(speed: float) -> float:
    if not speed > 0:
        raise ValueError(f"{speed} will not do: write a number above 0, or inf")
    return speed


def _clockwise(corners: Corners) -> Corners:
    for (x0, y0), (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2], strict=True):
        if not (x1 - x0) * (y2 - y1) > (y1 - y0) * (x2 - x1):
            raise ValueError("do not go clockwise round a board: begin at the picture's top left")
    return corners


Point: TypeAlias = tuple[float, float]
Corners: TypeAlias = tuple[Point, Point, Point, Point]
Pixels = Annotated[int, Field(ge=240, le=8192, multiple_of=2)]
"""Cameras refuse odd sizes; and a board is not read in fewer."""
Control = Annotated[TimeControl, PlainValidator(_control), PlainSerializer(notation)]
Board = Annotated[int, Field(ge=5, le=19)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Mode(StrEnum):
    """Who decides what a ruling costs."""

    REFEREE = "referee"
    AUTO = "auto"


class Game(_Frozen):
    """The game to be played."""

    ruleset: Annotated[str, AfterValidator(_ruleset)] = "renju"
    """A ruleset's name, or the path of a .toml file."""
    time_control: Control = parse("30m")
    size: Board | None = None
    """Lines; None: as many as the ruleset says."""
    first: str = ""
    """The name of the player in the first seat."""
    second: str = ""
    mode: Mode = Mode.REFEREE


class CameraKind(StrEnum):
    """What the frames come from."""

    PICAMERA2 = "picamera2"
    USB = "usb"
    RECORDING = "recording"


class CameraSettings(_Frozen):
    """The camera, and the board before it."""

    source: CameraKind = CameraKind.PICAMERA2
    recording: Path | None = None
    """The folder of a recording that stands in for the camera."""
    speed: Annotated[float, AfterValidator(_forward)] = 1.0
    """How many times faster than recorded; inf: as fast as the frames are taken."""
    corners: Annotated[Corners, AfterValidator(_clockwise)] | None = None
    """Outer intersections in pixels, image TL, TR, BR, BL; None: they are found."""
    black_side: Literal["bottom", "top", "left", "right"] = "bottom"
    """The picture's edge nearest to the player who starts with Black."""
    device: Annotated[int | str, AfterValidator(_device)] = 0
    """Which camera: picamera2's number; of USB a number or a path."""
    width: Pixels | None = None
    """With ``height``; None: what is usual for the kind."""
    height: Pixels | None = None
    fps: Annotated[float, Field(ge=5, le=60)] = 10.0
    mains_hz: Literal[50, 60] | None = None
    """What lamps flicker with; None: it is measured, of USB cameras taken for 50."""
    exposure_us: Annotated[int, Field(ge=30, le=200_000)] | None = None
    """Microseconds; None: whole half periods of the mains, as the light allows."""
    lens_position: Annotated[float, Field(ge=0, le=32)] | None = None
    """Dioptres, 1 / the distance in metres; None: the camera focuses once."""

    @model_validator(mode="after")
    def _of_a_camera(self) -> Self:
        if self.source is CameraKind.RECORDING:
            for name in ("device", "width", "height", "fps", "mains_hz", "exposure_us", "lens_position"):
                if name in self.model_fields_set:
                    raise ValueError(f"{name}: is a camera's: leave it out")
        if (self.width is None) != (self.height is None):
            raise ValueError("width and height: write both, or neither")
        if self.exposure_us is not None and self.exposure_us * self.fps > 1e6:
            raise ValueError(
                f"exposure_us: is longer than a frame at {self.fps:g} a second: write {1e6 / self.fps:.0f} or less"
            )
        if self.source is CameraKind.PICAMERA2 and isinstance(self.device, str):
            raise ValueError("device: is a path: write the camera's number, 0 for the first")
        if self.source is CameraKind.USB and self.lens_position is not None:
            raise ValueError("lens_position: a USB camera focuses by itself: leave it out")
        return self

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if self.source is CameraKind.RECORDING and self.recording is None:
            raise ValueError("recording: missing: name the recording's folder")
        if self.source is not CameraKind.RECORDING and self.recording is not None:
            raise ValueError('recording: is not played: write source = "recording" or leave it out')
        if self.source is not CameraKind.RECORDING and self.speed != 1.0:
            raise ValueError("speed: a camera sees no faster than the world: leave it out")
        return self


class ButtonsKind(StrEnum):
    """What the players press."""

    GPIOZERO = "gpiozero"
    GPIOD = "gpiod"
    MOCK = "mock"
    """gpiozero's pins without hardware."""
    RECORDING = "recording"
    """What was pressed in the recording."""


class ButtonsSettings(_Frozen):
    """The buttons; where each is wired is in ``wiring``."""

    kind: ButtonsKind | None = None


class DisplaySettings(_Frozen):
    """The displays: of each kind at most one entry."""

    kinds: tuple[DisplayKind, ...] = ()
    tenths: bool = False
    """Tenths of a second below 10 s."""

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if len(set(self.kinds)) < len(self.kinds):
            raise ValueError("kinds: name each kind once; two serial displays are two ports of one kind")
        if {DisplayKind.MAX7219, DisplayKind.LED_DIGITS} <= set(self.kinds):
            raise ValueError("kinds: max7219 and led-digits share pins: use one of them")
        return self


class VoiceSettings(_Frozen):
    """What is called out, and how."""

    language: Annotated[str, AfterValidator(_language)] | None = None
    """None: nothing is spoken."""
    buzzer: bool = False
    """It sounds where no voice can be heard."""


def socket_path() -> Path:
    """Where the box listens when the file does not say so: in the folder that systemd names, else the user's own."""
    for name, below in (("RUNTIME_DIRECTORY", ""), ("XDG_RUNTIME_DIR", "caipan")):
        if Path(named := os.environ.get(name, "")).is_absolute():
            return Path(named) / below / "referee.sock"
    return state_folder(None, os.environ) / "referee.sock"


class StateSettings(_Frozen):
    """Where games are kept."""

    dir: Path = Field(default_factory=lambda: state_folder(None, os.environ))
    evidence_mb: Annotated[int, Field(ge=0)] = 4000
    """What the pictures kept as evidence may take of the disk."""


class SocketSettings(_Frozen):
    """Where the console, the hall and others talk to the box."""

    path: Path = Field(default_factory=socket_path)


class Taken(StrEnum):
    """What becomes of a ruling where nobody confirms it."""

    EFFECT = "effect"
    """It takes effect by itself."""
    RECORD = "record"
    """It goes on record and costs nobody anything."""


class Settings(_Frozen):
    """All that one box is told."""

    game: Game = Game()
    camera: CameraSettings = CameraSettings()
    buttons: ButtonsSettings = ButtonsSettings()
    wiring: Wiring = Wiring()
    display: DisplaySettings = DisplaySettings()
    voice: VoiceSettings = VoiceSettings()
    state: StateSettings = StateSettings()
    socket: SocketSettings = SocketSettings()
    auto: dict[Annotated[str, AfterValidator(_code)], Taken] = {}
    """Rulings by their codes; those that are not named only go on record."""

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.auto and self.game.mode is not Mode.AUTO:
            raise ValueError('auto: the referee decides: write mode = "auto" under [game] or remove this table')
        if self.buttons.kind is ButtonsKind.RECORDING and self.camera.source is not CameraKind.RECORDING:
            raise ValueError("buttons.kind: there is no recording: name one under [camera] or choose other buttons")
        return self

    @property
    def buttons_kind(self) -> ButtonsKind:
        """What the players press: if nothing is said, what belongs to the camera."""
        if self.buttons.kind is not None:
            return self.buttons.kind
        return ButtonsKind.RECORDING if self.camera.source is CameraKind.RECORDING else ButtonsKind.GPIOZERO

    def taken(self, code: str) -> Taken:
        """What becomes of a ruling of this code in ``auto`` mode."""
        return self.auto.get(code, Taken.RECORD)


def load_settings(path: Path) -> Settings:
    """Read a box's file; paths in it are relative to its folder. Raises BoxError, in one line."""
    data = read_toml(path, BoxError)
    for table, key in (("camera", "recording"), ("state", "dir"), ("socket", "path"), ("game", "ruleset")):
        _from_folder(data.get(table), key, path.parent)
    return checked(Settings, data, path, BoxError)


def _from_folder(table: Any, key: str, folder: Path) -> None:
    named = table.get(key) if isinstance(table, dict) else None
    if isinstance(named, str) and (key != "ruleset" or named.endswith(".toml")):
        table[key] = str(folder / named)
