"""Kills a box at random instants of a game, starts it again each time, and looks whether anything was lost.

    python -m tests.live.crash RECORDING --kills 200

An instant is a number of committed entries, as they are told on the box's socket: nothing here waits for a time. The
recording is played over and over, each time as a game of its own, until the box has been killed so many times; the
last game is played to its end.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress

from appliance.arbiter.facts import Outage
from appliance.arbiter.rulings import Certainty
from appliance.game.points import Seat
from appliance.journal.entries import Kind
from appliance.journal.games import folders
from appliance.journal.journal import Journal
from appliance.journal.verify import verify
from appliance.live.game import LiveGame, facts_in, told_again
from appliance.live.opening import arbiter_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.journal.entries import Entry

MOST_ENTRIES = 10
"""A box is killed after so many new entries at most, so that no game takes too long."""
_PATIENCE_S = 120.0
_CAIPAN = (sys.executable, "-c", "from appliance.cli import main; main()")


@dataclass
class Lost(Exception):  # noqa: N818
    """Something was lost; ``what`` says what."""

    what: str


@dataclass
class Figures:
    """What a run has brought."""

    kills: int = 0
    games: int = 0
    entries: int = 0
    outages: int = 0
    unseen: int = 0
    """Rulings that were certain in the undisturbed game and are "could not see" in one that was cut."""


@dataclass(frozen=True, kw_only=True)
class End:
    """How a game stands at its end."""

    moves: tuple[str, ...]
    rows: tuple[str, ...]
    certain: frozenset[tuple[str, str | None, tuple[str, ...]]]
    used_ns: tuple[int, ...]


def main() -> None:
    """As the module says; exit code 1 when anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("kills", total=asked.kills)
        try:
            figures = crashed(
                asked.recording, Path(folder), kills=asked.kills, seed=asked.seed, on_kill=lambda: bar.advance(task)
            )
        except Lost as lost:
            sys.exit(f"lost: {lost.what}")
    print(
        f"{figures.kills} kills in {figures.games} games, {figures.outages} outages on record, "
        f"{figures.entries} entries: nothing lost; {figures.unseen} rulings that were certain could not be seen"
    )


def crashed(
    recording: Path, folder: Path, *, kills: int, seed: int, on_kill: Callable[[], None] = lambda: None
) -> Figures:
    """Kill a box so many times while it plays ``recording``. Raises Lost."""
    luck, figures = random.Random(seed), Figures()
    whole = folder / "undisturbed"
    _played(recording, whole)
    undisturbed, entries = _end(folders(whole)[-1])
    most = max(entry.seq for entry in entries)
    state = folder / "cut"
    while figures.kills < kills:
        figures.games += 1
        seen: dict[int, bytes] = {}
        before = len(folders(state))
        while figures.kills < kills:
            after = luck.randint(0, min(MOST_ENTRIES, most))
            killed = _killed_after(recording, state, after)
            _compare(folders(state)[before] if len(folders(state)) > before else None, seen)
            if not killed:
                break
            figures.kills += 1
            on_kill()
        else:
            _played(recording, state)
        game = folders(state)[before]
        if len(folders(state)) != before + 1:
            raise Lost(f"{game}: another game was begun in its midst")
        _compare(game, seen)
        end, kept = _end(game)
        figures.entries += len(kept)
        outages = [fact for entry in kept for fact in _facts(entry) if isinstance(fact, Outage)]
        figures.outages += len(outages)
        figures.unseen += len(undisturbed.certain - end.certain)
        _same(game, undisturbed, end)
    return figures


def _facts(entry: Entry) -> tuple[Any, ...]:
    return facts_in(entry) if entry.kind is Kind.FACT else ()


def _command(recording: Path, state: Path) -> list[str]:
    state.mkdir(parents=True, exist_ok=True)
    box = state / "box.toml"
    box.write_text(f'[state]\ndir = "{state}"\n[socket]\npath = "{state / "box.sock"}"\n')
    return [*_CAIPAN, "run", str(box), "--recording", str(recording), "--speed", "inf"]


def _played(recording: Path, state: Path) -> None:
    """Play it to its end."""
    done = subprocess.run(_command(recording, state), capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    if done.returncode != 0:
        raise Lost(f"the box ended with {done.returncode}: {done.stderr}")


def _killed_after(recording: Path, state: Path, entries: int) -> bool:
    """Play on, and kill the box once so many entries more are committed; False: the game was over before."""
    path = state / "box.sock"
    path.unlink(missing_ok=True)
    with subprocess.Popen(_command(recording, state), stderr=subprocess.PIPE, text=True) as box:
        assert box.stderr is not None
        said = []
        for line in box.stderr:
            said.append(line)
            if "game" in line:
                break
        _follow(path, entries, lambda: box.poll() is not None)
        if box.poll() is None:
            box.send_signal(signal.SIGKILL)
        said += box.stderr.readlines()
        code = box.wait(_PATIENCE_S)
        if code not in (0, -signal.SIGKILL):
            raise Lost(f"the box ended with {code}: {''.join(said)}")
        return code != 0


def _follow(path: Path, entries: int, ended: Callable[[], bool]) -> None:
    """Until so many entries were told, or the box is gone."""
    with closing(socket.socket(socket.AF_UNIX)) as client:
        while not ended():
            with suppress(FileNotFoundError, ConnectionRefusedError):
                client.connect(str(path))
                break
        else:
            return
        with suppress(ConnectionError), client.makefile("rb") as lines:
            client.sendall(b'{"ask": "follow"}\n')
            for line in lines:
                entries -= "kind" in json.loads(line)
                if entries <= 0:
                    return


def _compare(game: Path | None, seen: dict[int, bytes]) -> None:
    """What was committed before stands there still, to the last byte."""
    if game is None or not (game / "journal.sqlite").exists():
        if seen:
            raise Lost("the whole game")
        return
    with Journal.open(game, read_only=True) as journal:
        now = {row.seq: row.digest for row in journal.rows()}
    for seq, digest in seen.items():
        if now.get(seq) != digest:
            raise Lost(f"{game}: entry {seq}")
    seen.update(now)


def _end(game: Path) -> tuple[End, tuple[Entry, ...]]:
    verdict = verify(game)
    if verdict.broken is not None:
        raise Lost(f"{game}: {verdict.broken}")
    with Journal.open(game, read_only=True) as journal:
        header, entries = journal.header(), journal.entries()
    live = LiveGame(arbiter_of(header))
    said = [(kind, dict(what)) for kind, what in told_again(live, entries) if kind is not Kind.FACT]
    kept = [(one.kind, dict(one.payload)) for one in entries if one.kind in (Kind.RULING, Kind.OUTCOME, Kind.WITHDRAWN)]
    if said != kept:
        raise Lost(f"{game}: told again its rulings are others")
    arbiter = live.arbiter
    return End(
        moves=tuple(str(move.point) for move in arbiter.moves),
        rows=tuple(arbiter.position.rows()),
        certain=frozenset(
            (one.code, one.seat.value if one.seat else None, tuple(map(str, one.points)))
            for one in arbiter.rulings
            if one.certainty is Certainty.CERTAIN and one.code != "power_cut"
        ),
        used_ns=tuple(sum(ns for press, ns in arbiter.turns.items() if press.seat is seat) for seat in Seat),
    ), entries


def _same(game: Path, undisturbed: End, end: End) -> None:
    for what in ("moves", "rows", "used_ns"):
        if getattr(end, what) != getattr(undisturbed, what):
            raise Lost(f"{game}: {what} {getattr(end, what)}, undisturbed {getattr(undisturbed, what)}")
    accused = end.certain - undisturbed.certain
    if accused:
        raise Lost(f"{game}: accused although undisturbed nobody was: {sorted(map(str, accused))}")


if __name__ == "__main__":
    main()
