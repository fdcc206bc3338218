"""Facts as plain data, as journals and sockets carry them, and back."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from appliance.arbiter import facts as told
from appliance.arbiter.decisions import data_of, decision_of
from appliance.arbiter.facts import Decision, Fact
from appliance.game.points import Seat
from vision import acts
from vision.observation import Content, Intersection

if TYPE_CHECKING:
    from collections.abc import Mapping

_KINDS: dict[str, type[Fact]] = {
    "press": told.Press,
    "decision": told.Decision,
    "whole_board": told.WholeBoard,
    "no_frames": told.NoFrames,
    "outage": told.Outage,
    "time_passed": told.TimePassed,
    "no_more": told.NoMore,
    "placed": acts.Placed,
    "removed": acts.Removed,
    "relocated": acts.Relocated,
    "dropped": acts.Dropped,
    "displaced": acts.Displaced,
    "straightened": acts.Straightened,
    "board_moved": acts.BoardMoved,
    "camera_covered": acts.CameraCovered,
    "scattered": acts.Scattered,
    "restored": acts.Restored,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_TYPES = {"Seat": Seat, "Content": Content, "Intersection": Intersection, "Bracket": acts.Bracket}


def _adapter(kind: type[Fact]) -> TypeAdapter[Fact]:
    adapter: TypeAdapter[Fact] = TypeAdapter(kind)
    # Their modules import these names for the type checker alone.
    adapter.rebuild(_types_namespace=_TYPES)
    return adapter


_ADAPTERS = {kind: _adapter(kind) for kind in _KINDS.values() if kind is not Decision}


def data_of_fact(fact: Fact) -> dict[str, Any]:
    """``fact`` as plain data; what has its default value is left out."""
    if isinstance(fact, Decision):
        return {"fact": "decision", "t_ns": fact.t_ns, "act": data_of(fact.act)}
    data: dict[str, Any] = _ADAPTERS[type(fact)].dump_python(fact, mode="json", exclude_defaults=True)
    return {"fact": _NAMES[type(fact)], **data}


def fact_of(data: Mapping[str, Any]) -> Fact:
    """The fact that plain ``data`` tells. Raises ValueError, one line, for what is none."""
    kind = _KINDS.get(str(data.get("fact")))
    if kind is None:
        raise ValueError(f"{data.get('fact')!r} is no kind of fact: it was written by a newer version, or damaged")
    content = {key: value for key, value in data.items() if key != "fact"}
    if kind is Decision:
        return Decision(t_ns=int(content["t_ns"]), act=decision_of(content["act"]))
    strange = content.keys() - {field.name for field in fields(kind)}
    if strange:
        raise ValueError(f"{data['fact']}: {min(strange)!r} is no part of it: it was written by a newer version")
    try:
        return _ADAPTERS[kind].validate_python(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{data['fact']}: {where}: {first['msg']}") from None
