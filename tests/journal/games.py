"""Journals for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from appliance.game.ruleset import load_ruleset
from appliance.journal.entries import Draft, Kind
from appliance.journal.header import Header
from appliance.journal.journal import Journal

if TYPE_CHECKING:
    from pathlib import Path

HEADER = Header(
    ruleset="competition",
    ruleset_text=load_ruleset("competition").model_dump_json(),
    size=15,
    time_control="15m; 3x30s",
    title="Club evening",
    first="王",
    second="Berg",
    software="0.1.0",
)
WALL_NS = 1_796_000_000_000_000_000


def fact(t_ns: int, **payload: Any) -> Draft:
    return Draft(t_ns=t_ns, wall_ns=WALL_NS + t_ns, kind=Kind.FACT, payload=payload)


def begun(folder: Path, moves: int = 0) -> Journal:
    """A new game with a fact for each of so many moves."""
    journal = Journal.create(folder, HEADER, wall_ns=WALL_NS)
    journal.append([fact(n * 1_000, facts=[], move=n) for n in range(1, moves + 1)])
    return journal
