"""What the box takes while it runs: from a press until the other side runs, from a frame until its move is judged.

A recording is played at its real speed by the whole box: camera process, journal on the disk, pictures, socket. The
journal tells the rest: an entry is stamped right after the arbiter was told of its facts and the clock was switched,
and the facts hold the instants at which the button went down and the camera saw the board.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from appliance.arbiter.facts import Press
from appliance.journal.entries import Kind
from appliance.journal.games import folders
from appliance.journal.journal import Journal
from appliance.live.game import facts_in
from appliance.live.running import run
from appliance.live.settings import CameraKind, CameraSettings, Settings, SocketSettings, StateSettings
from vision.acts import BoardAct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from appliance.journal.entries import Entry

_PERCENTILES = (50, 99)


def measured(folder: Path) -> dict[str, Any]:
    """The figures, times in milliseconds; takes as long as the recording. Raises RecordingError and RulesetError."""
    with TemporaryDirectory() as place:
        state = Path(place)
        settings = Settings(
            camera=CameraSettings(source=CameraKind.RECORDING, recording=folder),
            state=StateSettings(dir=state),
            socket=SocketSettings(path=state / "box.sock"),
        )
        run(settings, new=True, day=date.today(), note=lambda line: None)
        with Journal.open(folders(state)[-1], read_only=True) as journal:
            return {"recording": str(folder), **_figures(journal.entries())}


def _figures(entries: Iterable[Entry]) -> dict[str, Any]:
    pressed, seen, known, ruled = list[int](), list[int](), list[int](), list[int]()
    for entry in entries:
        for fact in facts_in(entry) if entry.kind is Kind.FACT else ():
            if isinstance(fact, Press):
                pressed.append(entry.t_ns - fact.t_ns)
            elif isinstance(fact, BoardAct):
                seen.append(entry.t_ns - fact.seen_ns)
                known.append(entry.t_ns - fact.bracket.by_ns)
        if entry.kind is Kind.RULING and "by_ms" in entry.payload:
            ruled.append(entry.t_ns - 1_000_000 * entry.payload["by_ms"])
    return {
        "other_side_running_ms": _percentiles(pressed),
        "frame_told_ms": _percentiles(seen),
        "move_known_ms": _percentiles(known),
        "ruling_known_ms": _percentiles(ruled),
    }


def in_words(figures: dict[str, Any]) -> str:
    """The figures of :func:`measured` as a table."""
    lines = [f"{figures['recording']} at real speed"]
    lines.append(f"  {'ms':44}" + "".join(f"{f'p{p}':>9}" for p in _PERCENTILES) + f"{'number':>9}")
    for name, words in (
        ("other_side_running_ms", "press until the other side runs"),
        ("frame_told_ms", "frame that makes an act certain until told"),
        ("move_known_ms", "first frame with the act until it is told"),
        ("ruling_known_ms", "first frame with the act until the ruling"),
    ):
        values = figures[name]
        shown = "".join(f"{values[f'p{p}']:9.2f}" if values["number"] else f"{'–':>9}" for p in _PERCENTILES)
        lines.append(f"  {words:44}{shown}{values['number']:9}")
    return "\n".join(lines)


def _percentiles(ns: list[int]) -> dict[str, float]:
    values = np.percentile(ns, _PERCENTILES) / 1e6 if ns else [0.0] * len(_PERCENTILES)
    return {"number": len(ns)} | {
        f"p{p}": round(float(value), 3) for p, value in zip(_PERCENTILES, values, strict=True)
    }
