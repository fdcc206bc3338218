"""``caipan replay``: referee recorded games."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cv2
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from appliance.arbiter.rulings import Ruling
from appliance.cli.lines import act_line, bad_frame_line, event_line, ruling_line, summary_line
from appliance.cli.mistakes import refuse, tell
from appliance.cli.report import report
from appliance.game.ruleset import RulesetError, load_ruleset
from appliance.record.sgf import write_sgf
from appliance.record.sheet import render_sheet
from appliance.replaying import Replay, evidence_strips, ruleset_of
from vision.acts import BoardAct
from vision.recording import BadFrame, RecordedEvent, Recording, RecordingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, kw_only=True)
class _Job:
    """One recording to replay, and what to write besides."""

    folder: Path
    ruleset: str | None
    evidence: Path | None
    sgf: Path | None
    sheet: Path | None


@dataclass(frozen=True, kw_only=True)
class _Done:
    """What came of a job: its JSON lines and its report; or ``trouble``, why it came to nothing."""

    lines: list[dict[str, Any]]
    report: str = ""
    trouble: str = ""


def replay(
    recordings: Annotated[list[Path], typer.Argument(help="Folders of recorded games.", show_default=False)],
    ruleset: Annotated[
        str | None, typer.Option(help="Name of a ruleset, or a .toml file; otherwise the recording's own.")
    ] = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Folder for a strip of annotated frames for each ruling.")
    ] = None,
    sgf: Annotated[Path | None, typer.Option(help="Write the game as SGF (one recording).")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Write the record sheet as SVG (one recording).")] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many recordings to referee at once.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, nothing else there.")] = False,
) -> None:
    """Referee recorded games: moves, rulings with their evidence, and the record."""
    if len(recordings) > 1 and (sgf or sheet):
        refuse("--sgf and --sheet take one recording: name one, or leave them out")
    if ruleset is not None:
        try:
            load_ruleset(ruleset)
        except RulesetError as error:
            refuse(f"--ruleset: {error}")
    jobs = [_Job(folder=f, ruleset=ruleset, evidence=evidence, sgf=sgf, sheet=sheet) for f in recordings]
    failed = False
    for done in _all_done(jobs, workers, as_json):
        if done.trouble:
            failed = True
            tell(done.trouble)
        elif not as_json:
            typer.echo(done.report)
        sys.stdout.flush()
    if failed:
        raise typer.Exit(2)


def _all_done(jobs: list[_Job], workers: int, as_json: bool) -> Iterator[_Done]:
    """Each job done, in order; JSON lines are printed as they come, by several workers recording by recording."""
    if workers == 1 or len(jobs) == 1:
        for job in jobs:
            with _progress(job.folder) as on_frame:
                yield _do(job, on_frame, _print_line if as_json else lambda line: None)
        return
    with ProcessPoolExecutor(workers) as pool:
        for done in pool.map(_do, jobs):
            if as_json:
                for line in done.lines:
                    _print_line(line)
            yield done


def _print_line(line: dict[str, Any]) -> None:
    typer.echo(json.dumps(line, ensure_ascii=False))


@contextmanager
def _progress(folder: Path) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal's stderr; call what it gives with the number of frames there are in all."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(folder.name, total=None)
        yield lambda total: bar.update(task, advance=1, total=total)


def _do(
    job: _Job,
    on_frame: Callable[[int], None] = lambda total: None,
    on_line: Callable[[dict[str, Any]], None] = lambda line: None,
) -> _Done:
    """Replay one recording and write what was asked for."""
    lines: list[dict[str, Any]] = []

    def keep(line: dict[str, Any]) -> None:
        lines.append(line)
        on_line(line)

    began = time.perf_counter()
    try:
        recording = Recording.open(job.folder)
        game = Replay(recording, ruleset_of(recording, job.ruleset), lambda: on_frame(len(recording)))
        strips = _run(game, job, keep)
        arbiter = game.referee.arbiter
        summary = summary_line(
            str(job.folder),
            game.record,
            arbiter.position.rows(),
            arbiter.rulings,
            game.costs.frames,
            time.perf_counter() - began,
        )
        if job.sgf:
            job.sgf.write_bytes(write_sgf(game.record))
        if job.sheet:
            job.sheet.write_text(render_sheet(game.record), encoding="utf-8")
        keep(summary)
        return _Done(lines=lines, report=report(game, strips))
    except (RecordingError, RulesetError) as error:
        return _Done(lines=lines, trouble=str(error))
    except OSError as error:
        return _Done(
            lines=lines, trouble=f"{error.filename}: cannot be written ({error.strerror}); choose another place"
        )


def _run(game: Replay, job: _Job, keep: Callable[[dict[str, Any]], None]) -> dict[int, Path]:
    """Run the replay, keeping a line for each fact and ruling; returns the evidence written for each ruling."""
    size = game.recording.header.board_size
    numbered = 0
    for happening in game:
        match happening:
            case RecordedEvent():
                keep(event_line(happening))
            case BadFrame():
                tell(f"{game.recording.folder}: {happening}")
                keep(bad_frame_line(happening))
            case BoardAct():
                keep(act_line(happening, size))
            case Ruling():
                name = _evidence_name(numbered, happening) if job.evidence else None
                keep(ruling_line(happening, numbered + 1, name))
                numbered += 1
    return _write_strips(game, job.evidence) if job.evidence else {}


def _evidence_name(number: int, ruling: Ruling) -> str:
    return f"{number + 1:03}-{ruling.code}.png"


def _write_strips(game: Replay, folder: Path) -> dict[int, Path]:
    target = folder / game.recording.folder.resolve().name
    target.mkdir(parents=True, exist_ok=True)
    written = {}
    for number, picture in evidence_strips(game):
        path = target / _evidence_name(number, game.referee.arbiter.rulings[number])
        path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        written[number] = path
    return written
