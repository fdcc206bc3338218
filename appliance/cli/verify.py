"""``caipan verify``: whether a game's journal and pictures are what was written."""

from __future__ import annotations

import json
import os
from typing import Annotated

import typer

from appliance.cli.games import State
from appliance.cli.mistakes import in_one_line, refuse
from appliance.journal.games import GamesError, find, state_folder
from appliance.journal.journal import JournalError
from appliance.journal.verify import Verdict, place_of
from appliance.journal.verify import verify as verified


def verify(
    game: Annotated[
        str, typer.Argument(help="A game's name, as much of it as fits no other, or its folder.", show_default=False)
    ],
    head: Annotated[
        str | None,
        typer.Option(
            metavar="DIGITS",
            help="A head that was taken down before, its first 16 digits or all; told where in the journal it stands.",
            show_default=False,
        ),
    ] = None,
    state: State = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line on stdout, nothing else there.")] = False,
) -> None:
    """Check a game's journal and its pictures: good, or the first place that is not what was written.

    A changed, missing, added or moved entry is found, and a changed or missing picture. Entries cut off at the end, or
    a journal written anew as a whole, only a head shows that was taken down elsewhere before; give it as --head. Exit
    code 0: good; 1: not good; 2: it cannot be read.
    """
    try:
        folder = find(state_folder(state, os.environ), game)
        verdict = verified(folder)
        at = None if head is None else place_of(head, folder)
    except (GamesError, JournalError, ValueError) as error:
        refuse(error)
    good = verdict.broken is None and (head is None or at is not None)
    if as_json:
        broken = verdict.broken
        answer = {
            "type": "verdict",
            "game": folder.name,
            "good": good,
            "entries": verdict.entries,
            "head": verdict.head or None,
            "head_at": at,
            "break": None if broken is None else {"entry": broken.seq, "why": broken.why},
            "pictures": verdict.pictures,
            "dropped": verdict.dropped,
            "unnoted": verdict.unnoted,
        }
        typer.echo(json.dumps(answer, ensure_ascii=False))
    else:
        for line in _lines(folder.name, verdict, head, at):
            typer.echo(in_one_line(line))
    if not good:
        raise typer.Exit(1)


def _lines(name: str, verdict: Verdict, head: str | None, at: int | None) -> list[str]:
    if verdict.broken is not None:
        lines = [f"{name}: NOT GOOD, from entry {verdict.broken.seq} on: {verdict.broken.why}"]
    else:
        lines = [f"{name}: good; {verdict.entries} entries, {verdict.pictures} pictures"]
    if verdict.dropped:
        lines.append(f"{verdict.dropped} pictures went for want of room, as noted")
    if verdict.unnoted:
        lines.append(f"{verdict.unnoted} files lie among the pictures that no entry notes: they prove nothing")
    if verdict.head:
        lines.append(f"head (entry {verdict.entries}): {verdict.head}")
    if head is not None:
        if at is None:
            lines.append("NO entry has the head given: these are not the entries from which it was taken down")
        elif at == verdict.entries:
            lines.append("the head given is this one")
        else:
            lines.append(f"the head given is that of entry {at}; what comes after it was added later")
    return lines
