"""``caipan replay``: referee recorded games."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cv2
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from appliance.arbiter.rulings import Ruling
from appliance.cli.mistakes import refuse, tell
from appliance.cli.places import exists, is_file, is_folder, real
from appliance.cli.report import report
from appliance.cli.workers import CONTEXT, begin_worker
from appliance.game.ruleset import RulesetError, load_ruleset
from appliance.lines import (
    act_line,
    bad_frame_line,
    event_line,
    out_of_step_line,
    ruling_line,
    summary_line,
    withdrawn_line,
)
from appliance.overlay.film import FilmError, filmed
from appliance.record.sgf import write_sgf
from appliance.record.sheet import render_sheet
from appliance.replaying import Amended, Note, OutOfStep, Replay, Seen, Withdrawn, evidence_strips, ruleset_of
from vision.acts import BoardAct
from vision.recorder import write_whole
from vision.recording import EVENTS, HEADER, STILLS, VIDEO, BadFrame, RecordedEvent, Recording, RecordingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, kw_only=True)
class _Job:
    """One recording to replay, and what to write besides. ``trouble``: why there is nothing to replay."""

    folder: Path
    ruleset: str | None
    evidence: Path | None
    sgf: Path | None
    sheet: Path | None
    overlay: Path | None
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class _Done:
    """What came of a job: its JSON lines and its report; or ``trouble``, why it came to nothing."""

    lines: list[dict[str, Any]]
    report: str = ""
    trouble: str = ""


def replay(
    recordings: Annotated[
        list[Path], typer.Argument(help="Recorded games, or folders that hold some.", show_default=False)
    ],
    ruleset: Annotated[
        str | None, typer.Option(help="Name of a ruleset, or a .toml file; otherwise the recording's own.")
    ] = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Folder for a strip of annotated frames for each ruling.")
    ] = None,
    sgf: Annotated[Path | None, typer.Option(help="Write the game as SGF (one recording).")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Write the record sheet as SVG (one recording).")] = None,
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="FILE.mp4", help="Write a film of what was seen, drawn into the frames (one recording)."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many recordings to referee at once.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, nothing else there.")] = False,
) -> None:
    """Referee recorded games: moves, rulings with their evidence, and the record."""
    found = list(_recordings(recordings))
    _check_places([folder for folder, _ in found], evidence, {"--sgf": sgf, "--sheet": sheet, "--overlay": overlay})
    if ruleset is not None:
        try:
            load_ruleset(ruleset)
        except RulesetError as error:
            refuse(f"--ruleset: {error}")
    wanted = partial(_Job, ruleset=ruleset, evidence=evidence, sgf=sgf, sheet=sheet, overlay=overlay)
    jobs = [wanted(folder=folder, trouble=trouble) for folder, trouble in found]
    failed = False
    for done in _all_done(jobs, min(workers, len(jobs), os.cpu_count() or 1), as_json):
        if done.report and not as_json:
            typer.echo(done.report)
        if done.trouble:
            failed = True
            tell(done.trouble)
    if failed:
        raise typer.Exit(2)


def _recordings(named: list[Path]) -> Iterator[tuple[Path, str]]:
    """The recordings meant: those named and, of a folder that is none, those in it by name; what is wrong with each."""
    for folder in named:
        if not is_folder(folder) or _is_recording(folder):
            yield folder, ""
            continue
        try:
            inside = sorted(path for path in folder.iterdir() if is_folder(path) and _is_recording(path))
        except OSError as error:
            yield folder, f"cannot be read ({error.strerror}); see to the card or the rights"
            continue
        if not inside:
            yield folder, f"neither is a recording (there is no {HEADER}) nor holds any; name the folder of a recording"
        yield from ((path, "") for path in inside)


def _is_recording(folder: Path) -> bool:
    """Whether ``folder`` is one, or what is left of one."""
    return any(exists(folder / name) for name in (HEADER, EVENTS, STILLS, VIDEO))


def _check_places(recordings: list[Path], evidence: Path | None, files: dict[str, Path | None]) -> None:
    """Refuse at once what could only fail, or destroy something, at the end. ``files``: those to write, by option."""
    wanted = {option: path for option, path in files.items() if path is not None}
    if len(recordings) > 1 and wanted:
        refuse(f"{' and '.join(wanted)} would be of {len(recordings)} recordings: name one recording, or leave it out")
    writers: dict[Path, str] = {} if evidence is None else {real(evidence): "--evidence"}
    folders = {real(folder) for folder in recordings}
    for option, path in wanted.items():
        if not is_folder(path.parent):
            refuse(f"{option} {path}: there is no folder {path.parent}; make it, or choose another place")
        if exists(path) and not is_file(path):
            refuse(f"{option} {path}: is no file; choose another name")
        if folders & set(real(path).parents):
            refuse(f"{option} {path}: lies in the recording itself; choose another place")
        if real(path) in writers:
            refuse(f"{writers[real(path)]} and {option} would both write {path}: give two names")
        writers[real(path)] = option
        if not os.access(path.parent, os.W_OK):
            refuse(f"{option} {path}: nothing may be written in {path.parent}; choose another place")
    film = files["--overlay"]
    if film is not None and film.suffix.lower() != ".mp4":
        refuse(f"--overlay {film}: the film is an MP4; choose a name that ends with .mp4")
    names = [real(folder).name for folder in recordings]
    twice = next((name for name in names if names.count(name) > 1), None)
    if evidence is not None and twice is not None:
        refuse(f"--evidence: two recordings are called {twice}: replay them one by one, into folders of their own")
    if evidence is not None and evidence.exists() and not evidence.is_dir():
        refuse(f"--evidence {evidence}: is no folder; choose another name")


def _all_done(jobs: list[_Job], workers: int, as_json: bool) -> Iterator[_Done]:
    """Each job done, in order; JSON lines are printed as they come, by several workers recording by recording."""
    if workers == 1:
        for job in jobs:
            with _progress(job.folder) as on_frame:
                yield _do(job, on_frame, _print_line if as_json else lambda line: None)
        return
    with ProcessPoolExecutor(workers, CONTEXT, initializer=begin_worker, initargs=(os.getpid(),)) as pool:
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
    if job.trouble:
        return _Done(lines=[], trouble=f"{job.folder} {job.trouble}")
    lines: list[dict[str, Any]] = []

    def keep(line: dict[str, Any]) -> None:
        lines.append(line)
        on_line(line)

    troubles: list[str] = []
    began = time.perf_counter()
    try:
        recording = Recording.open(job.folder)
        game = Replay(recording, ruleset_of(recording, job.ruleset))
        _run(game, job, keep, on_frame)
    except (RecordingError, RulesetError) as error:
        return _Done(lines=lines, trouble=str(error))
    except FilmError as error:
        troubles.append(f"{job.overlay}: cannot be written ({error}); choose another place")
    strips: dict[int, Path] = {}
    try:
        _write(game, job, strips)
    except _NotWrittenError as error:
        troubles.append(str(error))
    keep(
        summary_line(
            str(job.folder),
            game.record,
            game.referee.arbiter,
            game.costs.frames,
            time.perf_counter() - began,
        )
    )
    return _Done(lines=lines, report=report(game, strips), trouble="; ".join(troubles))


class _NotWrittenError(Exception):
    """A file could not be written; the message says which, and why."""


def _write(game: Replay, job: _Job, strips: dict[int, Path]) -> None:
    """Write what was asked for besides; ``strips`` receives the evidence of each ruling, by its number."""
    if job.sgf:
        _write_file(job.sgf, write_sgf(game.record))
    if job.sheet:
        _write_file(job.sheet, render_sheet(game.record).encode())
    if job.evidence:
        target = job.evidence / real(game.recording.folder).name
        for ruling, picture in evidence_strips(game):
            path = target / _evidence_name(ruling)
            _write_file(path, cv2.imencode(".png", picture)[1].tobytes())
            strips[ruling.number] = path


def _write_file(path: Path, data: bytes) -> None:
    """Write the whole of ``data`` or nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise _NotWrittenError(f"{path}: cannot be written ({error.strerror}); choose another place") from None


def _evidence_name(ruling: Ruling) -> str:
    return f"{ruling.number:03}-{ruling.code}.png"


def _run(game: Replay, job: _Job, keep: Callable[[dict[str, Any]], None], on_frame: Callable[[int], None]) -> None:
    """Run the replay, keeping a line for each fact and ruling; ``on_frame`` hears how many frames there are in all."""
    size = game.recording.header.board_size
    for happening in filmed(game, job.overlay) if job.overlay else game:
        match happening:
            case RecordedEvent():
                keep(event_line(happening))
            case BadFrame():
                tell(f"{game.recording.folder}: {happening}")
                keep(bad_frame_line(happening))
            case Note():
                tell(f"{game.recording.folder}: {happening.text}")
                keep({"type": "note", "t_ms": happening.t_ns // 1_000_000, "text": happening.text})
            case OutOfStep():
                keep(out_of_step_line(happening))
            case BoardAct():
                keep(act_line(happening, size))
            case Ruling():
                keep(ruling_line(happening, _evidence_name(happening) if job.evidence else None))
            case Amended():
                evidence = _evidence_name(happening.ruling) if job.evidence else None
                keep({**ruling_line(happening.ruling, evidence), "type": "ruling_amended"})
            case Withdrawn():
                keep(withdrawn_line(happening))
            case Seen():
                on_frame(len(game.recording))
