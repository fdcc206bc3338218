"""``caipan bench``: what refereeing a recording, judging positions, and pressing the clock costs on this machine."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from appliance.cli import bench_box, bench_clock
from appliance.cli.mistakes import refuse
from appliance.cli.positions import LISTS, MOVES, in_turn, names, objects, of_lists
from appliance.game.position import Position
from appliance.game.ruleset import RulesetError
from appliance.game.shapes import forbidden_points
from appliance.replaying import Replay, ruleset_of
from vision.recording import Recording, RecordingError
from vision.rectify import CELL

_REPEATS = 5
_WARPS = 50
_SHARED = Path("..") / "shared"
_RECORDING = Path("fixtures") / "recordings" / "quiet-opening"

_PRESSES_DRAWN = 30
"""After so many, in about a second, the bar is drawn anew."""

RULES, CLOCK, BOX = "rules", "clock", "box"


def bench(
    what: Annotated[
        str,
        typer.Argument(help=f"Folder of a recorded game, or the word {RULES}, {CLOCK} or {BOX}.", show_default=False),
    ],
    played: Annotated[
        Path | None, typer.Argument(metavar="[RECORDING]", help="For box: what it plays.", show_default=False)
    ] = None,
    vectors: Annotated[
        Path, typer.Option(help='For rules: positions as JSON Lines, {"black": ["H8", …], "white": […]}.')
    ] = _SHARED / "vectors" / "forbidden.jsonl",
    games: Annotated[
        Path, typer.Option(help='For rules: games as JSON Lines, {"moves": ["H8", …]}: every ply is a position.')
    ] = _SHARED / "games" / "renju_games.jsonl",
    recording: Annotated[
        Path, typer.Option(help="For clock: the recorded game that is refereed meanwhile.")
    ] = _RECORDING,
    presses: Annotated[int, typer.Option(min=10, help="For clock: how often the buttons are pressed.")] = 3000,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON on stdout.")] = False,
) -> None:
    """What it costs to referee a recording, by stage, to find forbidden points, to press the clock, or to run the box.

    A recording: milliseconds a frame and the ratio to the floor, which is what no reader of boards can do without:
    decoding each frame and resizing it once to the size of the rectified board. Rules: how many positions a second
    have all their forbidden points found, in the first pass of a program just started, and in the best of several more.
    Clock: from a press until the other clock runs, and until the display is written, while a recording is refereed.
    Box: from a press until the other side runs, and from a frame until what it shows is judged, as the whole box plays
    a recording at its real speed.
    """
    if what == BOX:
        _box(played or _RECORDING, as_json)
    elif what == CLOCK:
        _clock(recording, presses, as_json)
    elif what == RULES:
        _rules(vectors, games, as_json)
    else:
        _replay(Path(what), as_json)


def _replay(recording: Path, as_json: bool) -> None:
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
        "read_ms": _spread(game.costs.read),
        "quiet_ms": _spread(game.costs.quiet),
        "warp_ms": round(_warp(opened), 3),
    }
    typer.echo(json.dumps(figures) if as_json else _in_words(figures))


def _clock(recording: Path, presses: int, as_json: bool) -> None:
    try:
        with _progress(2 * presses) as on_press:
            figures = bench_clock.measured(Recording.open(recording), presses, on_press)
    except (RecordingError, RulesetError) as error:
        refuse(error)
    typer.echo(json.dumps(figures) if as_json else bench_clock.in_words(figures))


def _box(recording: Path, as_json: bool) -> None:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            bar.add_task(f"{recording} at real speed")
            figures = bench_box.measured(recording)
    except (RecordingError, RulesetError) as error:
        refuse(error)
    typer.echo(json.dumps(figures) if as_json else bench_box.in_words(figures))


@contextmanager
def _progress(presses: int) -> Iterator[Callable[[], None]]:
    """A progress bar on a terminal's stderr; call what it gives after each press.

    It is drawn only then and not by a thread of its own, which would be measured too.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    shown = console.is_terminal
    with Progress(*columns, console=console, transient=True, auto_refresh=False, disable=not shown) as bar:
        task = bar.add_task("presses", total=presses)

        def advance() -> None:
            bar.update(task, advance=1)
            if bar.tasks[0].completed % _PRESSES_DRAWN == 0:
                bar.refresh()

        yield advance


def _rules(vectors: Path, games: Path, as_json: bool) -> None:
    measured = {
        str(path): _rates(read(path)) for path, read in ((vectors, _vector_positions), (games, _game_positions))
    }
    if as_json:
        typer.echo(json.dumps({"positions_per_second": measured}))
        return
    for path, rates in measured.items():
        typer.echo(f"{path}: {rates['positions']} positions")
        typer.echo(f"  first pass {rates['first_pass']:>8} positions/s")
        typer.echo(f"  best pass  {rates['best_pass']:>8} positions/s")


def _rates(positions: list[Position]) -> dict[str, int]:
    """Positions a second, none of which this process has judged before the first pass."""

    def once() -> int:
        for position in positions:
            forbidden_points(position)
        return len(positions)

    gc.collect()
    first = _seconds_a_piece(once)
    best = _best(once)
    return {"positions": len(positions), "first_pass": round(1 / first), "best_pass": round(1 / min(first, best))}


def _vector_positions(path: Path) -> list[Position]:
    return [of_lists(data, where) for data, where in objects(_lines(path, "--vectors"), str(path), LISTS)]


def _game_positions(path: Path) -> list[Position]:
    games = objects(_lines(path, "--games"), str(path), MOVES)
    return [position for data, where in games for position in in_turn(names(data, "moves", where), f"{where}: ")]


def _lines(path: Path, option: str) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        refuse(f"{path}: cannot be read ({error.strerror}): name another file with {option}")
    except UnicodeDecodeError:
        refuse(f"{path}: not UTF-8: name another file with {option}")
    if not any(line.strip() for line in lines):
        refuse(f"{path}: holds no line: name another file with {option}")
    return lines


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


def _spread(seconds: list[float]) -> dict[str, float] | None:
    """Median, mean and 90th percentile in milliseconds; None: there was no such frame."""
    if not seconds:
        return None
    ms = 1000 * np.array(seconds)
    median, most = np.percentile(ms, [50, 90])
    return {"median": round(float(median), 2), "mean": round(float(ms.mean()), 2), "p90": round(float(most), 2)}


def _warp(recording: Recording) -> float:
    """Milliseconds for one warp of a frame's luma plane to the rectified size, the best of several."""
    side = (recording.header.board_size + 2) * CELL
    (frame,) = recording.frames_at({0})
    luma = np.ascontiguousarray(frame.image[:, :, 1])
    height, width = luma.shape
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    to_board = cv2.getPerspectiveTransform(corners, np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32))

    def once() -> int:
        for _ in range(_WARPS):
            cv2.warpPerspective(luma, to_board, (side, side))
        return _WARPS

    return 1000 * _best(once)


def _best(work: Callable[[], int]) -> float:
    """Seconds a piece of ``work``, which says how many pieces it did; the least of several runs."""
    return float(np.min([_seconds_a_piece(work) for _ in range(_REPEATS)]))


def _seconds_a_piece(work: Callable[[], int]) -> float:
    began = time.perf_counter()
    pieces = work()
    return (time.perf_counter() - began) / pieces


def _in_words(figures: dict[str, Any]) -> str:
    lines = [f"{figures['recording']}: {figures['frames']} frames, {figures['frames_per_second']} frames/s on one core"]
    lines += [f"  {stage:8} {ms:6.2f} ms a frame" for stage, ms in figures["ms_per_frame"].items()]
    lines.append(f"  {'total':8} {figures['total_ms']:6.2f} ms a frame")
    lines.append(f"  {'floor':8} {figures['floor_ms']:6.2f} ms a frame (decode, one resize)")
    lines.append(f"  ratio to the floor {figures['ratio_to_floor']}; finding the board took")
    lines[-1] += f" {figures['find_the_board_ms']:.0f} ms, once"
    for what, name in (("a frame that is read", "read_ms"), ("a quiet frame", "quiet_ms")):
        spread = figures[name]
        if spread is not None:
            ratio = spread["median"] / figures["warp_ms"]
            lines.append(
                f"  {what}: {spread['median']:.2f} ms of the processor (median; mean {spread['mean']:.2f}, 90 % within"
                f" {spread['p90']:.2f}), {ratio:.1f} times a warp of the luma plane ({figures['warp_ms']:.2f} ms)"
            )
    return "\n".join(lines)
