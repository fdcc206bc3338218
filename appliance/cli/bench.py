"""``caipan bench``: what refereeing costs on this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer

from appliance.cli.mistakes import refuse
from appliance.game.ruleset import RulesetError
from appliance.replaying import Replay, ruleset_of
from vision.recording import Recording, RecordingError
from vision.rectify import CELL

_REPEATS = 5


def bench(
    recording: Annotated[Path, typer.Argument(help="Folder of a recorded game.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON on stdout.")] = False,
) -> None:
    """Cost of refereeing a recording, by stage, on one core; and its ratio to the floor.

    The floor is what no reader of boards can do without: decoding each frame and resizing it once to the size of the
    rectified board.
    """
    cv2.setNumThreads(1)
    try:
        opened = Recording.open(recording)
        game = Replay(opened, ruleset_of(opened, None))
        for _ in game:
            pass
    except (RecordingError, RulesetError) as error:
        refuse(error)
    floor = _floor(opened)
    stages = {
        stage: 1000 * seconds / game.costs.frames
        for stage, seconds in game.costs.seconds.items()
        if stage != "find the board"
    }
    total = sum(stages.values())
    figures: dict[str, Any] = {
        "recording": str(recording),
        "frames": game.costs.frames,
        "frames_per_second": round(1000 / total, 1),
        "ms_per_frame": {stage: round(ms, 2) for stage, ms in stages.items()},
        "total_ms": round(total, 2),
        "floor_ms": round(floor, 2),
        "ratio_to_floor": round(total / floor, 2),
        "find_the_board_ms": round(1000 * game.costs.seconds["find the board"], 1),
    }
    typer.echo(json.dumps(figures) if as_json else _in_words(figures))


def _floor(recording: Recording) -> float:
    """Milliseconds a frame for decoding and one resize to the rectified size, the best of several."""
    side = (recording.header.board_size + 2) * CELL

    def once() -> int:
        frames = 0
        for frame in recording.frames(lambda bad: None):
            cv2.resize(frame.image, (side, side))
            frames += 1
        return frames

    return 1000 * _best(once)


def _best(work: Callable[[], int]) -> float:
    """Seconds a piece of ``work``, which says how many pieces it did; the least of several runs."""
    times = []
    for _ in range(_REPEATS):
        began = time.perf_counter()
        pieces = work()
        times.append((time.perf_counter() - began) / pieces)
    return float(np.min(times))


def _in_words(figures: dict[str, Any]) -> str:
    lines = [f"{figures['recording']}: {figures['frames']} frames, {figures['frames_per_second']} frames/s on one core"]
    lines += [f"  {stage:8} {ms:6.2f} ms a frame" for stage, ms in figures["ms_per_frame"].items()]
    lines.append(f"  {'total':8} {figures['total_ms']:6.2f} ms a frame")
    lines.append(f"  {'floor':8} {figures['floor_ms']:6.2f} ms a frame (decode, one resize)")
    lines.append(f"  ratio to the floor {figures['ratio_to_floor']}; finding the board took")
    lines[-1] += f" {figures['find_the_board_ms']:.0f} ms, once"
    return "\n".join(lines)
