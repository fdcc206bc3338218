"""``caipan read``: read photographs of a board."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from appliance.cli.corners import CornersError, check_in_picture, parse_corners
from appliance.cli.mistakes import in_one_line, refuse, tell
from appliance.cli.places import exists, is_folder, real
from appliance.cli.reading_words import board, marks, reading_line, record, summary, to_check
from appliance.cli.workers import CONTEXT, begin_worker
from appliance.game.points import MAX_SIZE, MIN_SIZE
from appliance.overlay.photograph import draw_overlay
from appliance.record.sgf import write_sgf
from calibration.grid import SMALLEST
from vision.picture_file import SUFFIXES, PictureError, read_picture
from vision.recorder import write_whole
from vision.still import SIZES, NoBoard, StillReading, read_still
from vision.stone_net import prepare

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import numpy as np
    from numpy.typing import NDArray

_USUAL = "15"
"""Lines of the board where ``--size`` is not given."""

_AHEAD = 2
"""Pictures handed to each worker before the first of them is printed."""


@dataclass(frozen=True, kw_only=True)
class _Job:
    """One picture to read, and the files to write besides.

    ``asked``: the size as it was asked for, if it was. ``trouble``: why there is nothing to read.
    """

    image: Path
    sizes: tuple[int, ...] = ()
    asked: str | None = None
    corners: NDArray[np.float64] | None = None
    overlay: Path | None = None
    sgf: Path | None = None
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class _Done:
    """What came of a job.

    ``refused``: why no board was read in a good picture. ``trouble``: what could not be used or written, and what to
    do. Each follows the picture's name.
    """

    image: Path
    reading: StillReading | None = None
    seconds: float = 0.0
    refused: str = ""
    trouble: str = ""


@dataclass
class _Count:
    """How many pictures were read, and how many not."""

    read: int = 0
    refused: int = 0
    unusable: int = 0
    unwritten: int = 0
    to_check: int = 0

    def add(self, done: _Done) -> None:
        """Count one picture more."""
        if done.reading is None:
            self.refused += bool(done.refused)
            self.unusable += bool(done.trouble)
            return
        self.read += 1
        self.unwritten += bool(done.trouble)
        self.to_check += bool(to_check(done.reading))

    def __str__(self) -> str:
        unwritten = f", {self.unwritten} not written" if self.unwritten else ""
        return (
            f"{self.read} read{unwritten}, {self.refused} refused, {self.unusable} unusable; "
            f"{self.to_check} with doubtful or unseen points"
        )


def read(
    images: Annotated[
        list[Path],
        typer.Argument(
            help="Pictures (JPEG, PNG, WebP, HEIC), or folders of pictures.", show_default=False, readable=False
        ),
    ],
    size: Annotated[
        str | None,
        typer.Option(
            metavar="N|auto",
            help="Lines of the board, 5 to 19, 15 if not given; auto tells 9, 13, 15 and 19 apart.",
        ),
    ] = None,
    corners: Annotated[
        str | None,
        typer.Option(
            metavar='"x,y x,y x,y x,y"',
            help="Outer intersections in pixels, image top left, top right, bottom right, bottom left (one picture); "
            "otherwise they are found.",
        ),
    ] = None,
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for each picture with what was read drawn in.", readable=False),
    ] = None,
    sgf: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for each board as SGF.", readable=False)
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many pictures to read at once.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, nothing else there.")] = False,
) -> None:
    """Read photographs of a board: which stones stand where.

    Exit code 0: all were read; 1: in a good picture no board was read; 2: a picture or an option cannot be used.
    """
    given, sizes = _corners(corners), _sizes(_USUAL if size is None else size)
    jobs = [
        _Job(
            image=image,
            sizes=sizes,
            asked=size,
            corners=given,
            overlay=overlay / f"{image.stem}-read.jpg" if overlay else None,
            sgf=sgf / f"{image.stem}.sgf" if sgf else None,
            trouble=trouble,
        )
        for image, trouble in _pictures(images)
    ]
    if given is not None and len(jobs) != 1:
        refuse(f"--corners is for one picture, not for {len(jobs)}; name one, or leave it out")
    _check_places(jobs, overlay, sgf)
    code, count = 0, _Count()
    for done in _shown(jobs, min(workers, len(jobs), os.cpu_count() or 1)):
        _print(done, as_json=as_json, alone=len(jobs) == 1)
        count.add(done)
        code = max(code, 2 if done.trouble else 1 if done.refused else 0)
    if len(jobs) > 1:
        tell(count)
    if code:
        raise typer.Exit(code)


def _sizes(text: str) -> tuple[int, ...]:
    if text == "auto":
        return SIZES
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and MIN_SIZE <= int(text) <= MAX_SIZE):
        refuse(f"--size {text} is no size of a board; write a number from {MIN_SIZE} to {MAX_SIZE}, or auto")
    return (int(text),)


_NEEDED = "as for a board full of stones or one of two"
"""Where corners are not found though the size is right."""


def _advice(job: _Job, *, about_size: bool) -> str:
    """What to do when no board is read; ``about_size``: whether another size than the one sought seems to be there."""
    if job.corners is not None:
        return "check --size and --corners"
    if job.asked == "auto":
        return "give --size, or --corners"
    if about_size:
        # So it seems as well where stones hide nearly all lines, and their rims run on beside the board.
        size = "try --size auto, or" if job.asked is None else "is it the right --size? else"
        return f"{size} give --corners, {_NEEDED}"
    return f"give --corners, {_NEEDED}" + ("" if job.asked else "; or try --size auto")


def _corners(text: str | None) -> NDArray[np.float64] | None:
    try:
        return None if text is None else parse_corners(text)
    except CornersError as error:
        refuse(f"--corners: {error}")


def _pictures(images: list[Path]) -> Iterator[tuple[Path, str]]:
    """The pictures meant, those of a folder by name, each with what is wrong with it; hidden files are the system's."""
    for image in images:
        if not is_folder(image):
            yield image, ""
            continue
        try:
            inside = sorted(
                path for path in image.iterdir() if path.suffix.lower() in SUFFIXES and not path.name.startswith(".")
            )
        except OSError as error:
            yield image, f"cannot be read: {error.strerror}; see to the card or the rights"
            continue
        if not inside:
            yield image, f"is a folder without pictures ({' '.join(sorted(SUFFIXES))}); name another"
        yield from ((path, "") for path in inside)


def _check_places(jobs: list[_Job], overlay: Path | None, sgf: Path | None) -> None:
    """Refuse at once what would destroy something, or could only fail later."""
    images = {real(job.image) for job in jobs}
    folders = {image.parent for image in images}
    folders |= {real(job.image.parent) for job in jobs if not job.trouble}
    writers: dict[Path, Path] = {}
    for option, folder in (("--overlay", overlay), ("--sgf", sgf)):
        if folder is not None and exists(folder) and not is_folder(folder):
            refuse(f"{option} {folder} is no folder; choose another name")
        if folder is not None and folder.suffix and not exists(folder):
            refuse(f"{option} takes a folder; make the folder {folder} first, or choose a name without a dot")
    if overlay is not None and real(overlay) in folders:
        refuse(f"--overlay {overlay} holds the pictures themselves; choose another folder")
    for job in jobs:
        for path in (job.overlay, job.sgf):
            if path is None or job.trouble:
                continue
            if real(path) in images:
                refuse(f"{path} is one of the pictures and would be written over; choose another folder")
            if path in writers:
                refuse(f"{writers[path]} and {job.image} would both write {path}; read them apart, into two folders")
            writers[path] = job.image


def _shown(jobs: list[_Job], workers: int) -> Iterator[_Done]:
    """Each job done, in order, with a progress bar on a terminal's stderr that makes way for what is printed."""
    columns = (TextColumn("read"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=len(jobs) == 1 or not console.is_terminal,
    )
    task = bar.add_task("", total=len(jobs))
    try:
        with closing(_all_done(jobs, workers)) as all_done:
            if workers == 1:  # otherwise once the workers have been forked, as the bar is a thread
                bar.start()
            for done in all_done:
                bar.stop()
                yield done
                bar.advance(task)
                bar.start()
    finally:
        bar.stop()


def _all_done(jobs: list[_Job], workers: int) -> Generator[_Done, None, None]:
    """Each job done, in order. Of thousands of pictures only a few are in memory at a time."""
    if workers == 1:
        yield from map(_do, jobs)
        return
    waiting = iter(jobs)
    pool = ProcessPoolExecutor(workers, CONTEXT, initializer=begin_worker, initargs=(os.getpid(),))
    try:
        running: deque[tuple[_Job, Future[_Done]]] = deque()
        running.extend((job, pool.submit(_do, job)) for job in islice(waiting, _AHEAD * workers))
        while running:
            job, future = running.popleft()
            done = future.result()
            running.extend((job, pool.submit(_do, job)) for job in islice(waiting, 1))
            yield done
    except BrokenProcessPool:
        refuse(f"{job.image}: a worker was ended from outside, perhaps for want of memory; use fewer --workers")
    finally:
        pool.shutdown(cancel_futures=True)


def _do(job: _Job) -> _Done:
    """Read one picture and write what was asked for."""
    if job.trouble:
        return _Done(image=job.image, trouble=job.trouble)
    try:
        image = read_picture(job.image)
        height, width = image.shape[:2]
        if job.corners is not None:
            check_in_picture(job.corners, width, height)
        prepare(job.sizes[0])
        began = time.perf_counter()
        reading = read_still(image, job.sizes, job.corners, look_beside=True)
        seconds = time.perf_counter() - began
    except PictureError as error:
        return _Done(image=job.image, trouble=f"{error}; {error.advice}")
    except CornersError as error:
        return _Done(image=job.image, trouble=f"cannot be read with these --corners: {error}")
    except MemoryError:
        return _Done(image=job.image, trouble="needs more memory than there is; use fewer --workers, or scale it down")
    except NoBoard as error:
        return _Done(image=job.image, refused=_refusal(str(error), job, min(height, width)))
    troubles = []
    if job.overlay:
        troubles.append(_written(job.overlay, cv2.imencode(".jpg", draw_overlay(image, reading))[1].tobytes()))
    if job.sgf:
        troubles.append(_written(job.sgf, write_sgf(record(reading, job.image), marks(reading))))
    trouble = "; ".join(filter(None, troubles))
    return _Done(image=job.image, reading=reading, seconds=seconds, trouble=trouble and f"was read, but {trouble}")


def _refusal(reason: str, job: _Job, side: int) -> str:
    """Why no board was read in a picture with a shorter side of ``side`` pixels, and what to do."""
    about_size = "the size asked for" in reason
    sought = f"a board of {job.sizes[0]} lines" if len(job.sizes) == 1 else "the sizes tried"
    reason = reason.replace("the size asked for", sought)
    if ";" in reason:
        return reason
    return f"{reason}; {'take a larger one' if side < SMALLEST else _advice(job, about_size=about_size)}"


def _written(path: Path, data: bytes) -> str:
    """Write the whole of ``data`` or nothing; why not and what to do, if not."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        return f"{path} cannot be written ({error.strerror}); choose another place"
    return ""


def _print(done: _Done, *, as_json: bool, alone: bool) -> None:
    """The result on stdout, what is wrong on stderr."""
    name = in_one_line(done.image)
    if done.trouble:
        tell(f"{done.image} {done.trouble}")
    if as_json:
        line: dict[str, object] = {"image": str(done.image)}
        if done.reading:
            line |= reading_line(done.reading) | {"seconds": round(done.seconds, 3)}
        else:
            line["error"] = done.trouble or f"no board read: {done.refused}"
        typer.echo(json.dumps(line, ensure_ascii=False))
    elif done.reading:
        typer.echo(f"{name}: {summary(done.reading)}")
        if alone:
            typer.echo("\n".join([board(done.reading), *to_check(done.reading)]))
    elif done.refused:
        typer.echo(f"{name}: no board read: {done.refused}")
