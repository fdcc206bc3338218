"""``caipan run``: the box itself."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from appliance.cli.mistakes import refuse, tell
from appliance.game.ruleset import RulesetError
from appliance.journal.games import GamesError
from appliance.journal.journal import JournalError
from appliance.live.listening import ListeningFault
from appliance.live.running import run as run_box
from appliance.live.settings import BoxError, CameraKind, CameraSettings, Settings, load_settings
from appliance.voice.words import WordsError
from clock.buttons import ButtonsFault
from vision.recording import RecordingError

DEMO = "quiet-opening"
"""The recording that comes with the project."""


def run(
    box: Annotated[
        Path | None, typer.Argument(metavar="BOX.toml", help="What this box has, and the game.", show_default=False)
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Play a recording that comes along, in real time.")] = False,
    recording: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Play this recording in the camera's place.", show_default=False)
    ] = None,
    speed: Annotated[
        float, typer.Option(help="How many times faster a recording is played; inf: as fast as it can be read.")
    ] = 1.0,
    new: Annotated[bool, typer.Option("--new", help="Begin a new game, though the last one has not ended.")] = False,
) -> None:
    """Referee a game as it is played, until it is ended or interrupted; then it goes on when this is run again.

    Camera, buttons, displays, voice and the game are named in BOX.toml; without one all has its defaults. Exit code 0:
    ended; 2: something that was named cannot be used.
    """
    try:
        settings = _settings(box, demo, recording, speed)
        ended = run_box(settings, new=new, day=datetime.now().date(), note=tell)
    except (
        BoxError,
        ButtonsFault,
        GamesError,
        JournalError,
        ListeningFault,
        RecordingError,
        RulesetError,
        WordsError,
    ) as error:
        refuse(error)
    tell(f"stopped: {ended.why}")


def _settings(box: Path | None, demo: bool, recording: Path | None, speed: float) -> Settings:
    settings = Settings() if box is None else load_settings(box)
    if demo:
        recording = recording or _demo()
        # Beside the games that were played: the newest of those may have to go on.
        state = settings.state.model_copy(update={"dir": settings.state.dir / "demo"})
        settings = settings.model_copy(update={"state": state})
    if recording is None:
        if speed != 1.0:
            raise BoxError("--speed: a camera sees no faster than the world: name a recording, or leave it out")
        return settings
    camera = CameraSettings(source=CameraKind.RECORDING, recording=recording, speed=speed)
    return settings.model_copy(update={"camera": camera})


def _demo() -> Path:
    folder = Path(__file__).parents[2] / "fixtures" / "recordings" / DEMO
    if not folder.is_dir():
        raise BoxError("--demo: the recordings are not installed here: name one with --recording")
    return folder
