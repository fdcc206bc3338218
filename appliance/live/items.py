"""What the ordering loop hears of, from threads and clients, in the order in which it comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from appliance.arbiter.facts import Press

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future
    from queue import SimpleQueue

    from appliance.arbiter.decisions import Act
    from appliance.arbiter.facts import Outage
    from vision.eyes import Sighting


@dataclass(frozen=True, kw_only=True)
class Saw:
    """A frame of the instant ``t_ns``, game time, was read."""

    t_ns: int
    sighting: Sighting


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Somebody decides. ``id``: his own number of it; a second one with the same changes nothing.

    ``answer`` gets what the client is answered: ``accepted``, or ``error`` and why not. ``t_ns``: None for now.
    """

    decision: Mapping[str, Any]
    id: str | int | None = None
    answer: Future[Mapping[str, Any]] | None = None
    t_ns: int | None = None


@dataclass(frozen=True, kw_only=True)
class Noted:
    """Something about the box itself; ``text`` is one line for the referee.

    ``stands``: it is a trouble from now on, until another note about the same says that it is none; None: neither.
    """

    about: str
    text: str
    stands: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Back:
    """The box was away, and the clocks stood. ``goes_on``: what sets them going again at once, if anything does."""

    outage: Outage
    goes_on: Act | None = None


@dataclass(frozen=True, kw_only=True)
class Ended:
    """The box is to stop. ``over``: no more comes of this game; else it goes on when the box is started again."""

    why: str
    over: bool = False


Item: TypeAlias = Press | Back | Saw | Asked | Noted | Ended
Inbox: TypeAlias = "SimpleQueue[Item]"
