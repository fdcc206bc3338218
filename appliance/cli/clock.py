"""``caipan clock``: the clock alone."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from appliance.cli.mistakes import refuse
from clock.control import Allowance, ControlError, TimeControl
from clock.notation import notation, parse, words


def clock(
    control: Annotated[
        str,
        typer.Argument(
            help="The time control, such as 30m, '15m; 3x30s', '10m; 10/5m', 5m+3s, 'hourglass 1m' or 'shared 3h'.",
            show_default=False,
        ),
    ],
    explained: Annotated[bool, typer.Option("--explain", help="Tell the control in words, and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, nothing else there.")] = False,
) -> None:
    """A chess clock with any time control; with --explain, what the control means."""
    try:
        known = parse(control)
    except ControlError as error:
        refuse(error)
    if not explained:
        refuse("only --explain is known yet: write caipan clock CONTROL --explain")
    typer.echo(json.dumps(_as_data(known)) if as_json else "\n".join([notation(known), "", *words(known)]))


def _as_data(control: TimeControl) -> dict[str, Any]:
    return {
        "control": notation(control),
        "words": words(control),
        "sharing": control.sharing,
        "first": _allowance(control.first),
        "second": _allowance(control.second),
    }


def _allowance(allowance: Allowance) -> dict[str, Any]:
    stages = [{"kind": _KINDS[type(stage).__name__], **asdict(stage)} for stage in allowance.stages]
    return {"stages": stages, "first_increment": allowance.first_increment}


_KINDS = {"Period": "period", "ByoYomi": "byo_yomi", "Canadian": "canadian"}
"""Stages by their names in data; times there are in nanoseconds, as ``…_ns`` says."""
