"""What a camera process tells the box, one JSON array a line. Whatever else comes is no message."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from pydantic_core import from_json

from vision.recording import BadFrame
from vision.ring import Layout
from vision.sources import Learned, Remark

LONGEST = 4096
"""Bytes in a line, its end included."""
_LONGEST_TEXT = 500


class NoMessage(ValueError):  # noqa: N818
    """A line that no camera process of ours writes."""


class Said(Enum):
    """What needs no more than its name."""

    ALIVE = "alive"
    LEFT_OUT = "left_out"
    """No slot was free for a frame."""
    OVER = "over"


@dataclass(frozen=True, kw_only=True)
class Laid:
    """The ring is laid out; frames will follow."""

    layout: Layout


@dataclass(frozen=True, kw_only=True)
class Put:
    """A frame is in the ring."""

    slot: int
    serial: int


@dataclass(frozen=True, kw_only=True)
class Fault:
    """The source has failed; ``why`` is one line."""

    why: str


Message: TypeAlias = Said | Laid | Put | BadFrame | Fault | Remark | Learned


def line_of(message: Message) -> bytes:
    """The line for a message."""
    match message:
        case Said():
            words: list[int | str] = [message.value]
        case Laid(layout=layout):
            words = ["laid", layout.slots, layout.height, layout.width]
        case Put():
            words = ["put", message.slot, message.serial]
        case BadFrame():
            words = ["bad", message.name[:_LONGEST_TEXT], message.t_ns, message.reason[:_LONGEST_TEXT]]
        case Fault():
            words = ["fault", message.why[:_LONGEST_TEXT]]
        case Remark():
            words = ["remark", message.t_ns, message.what[:_LONGEST_TEXT]]
        case Learned():
            words = ["learned", message.what]
    return json.dumps(words).encode() + b"\n"


def message_of(line: bytes) -> Message:
    """The message in a line. Raises NoMessage."""
    try:
        match from_json(line):
            case ["laid", int(slots), int(height), int(width)]:
                return Laid(layout=Layout(slots=slots, height=height, width=width))
            case ["put", int(slot), int(serial)]:
                return Put(slot=slot, serial=serial)
            case ["bad", str(name), int(t_ns), str(reason)]:
                return BadFrame(name=name, t_ns=t_ns, reason=reason)
            case ["fault", str(why)]:
                return Fault(why=why)
            case ["remark", int(t_ns), str(what)]:
                return Remark(t_ns=t_ns, what=what)
            case ["learned", str(what)]:
                return Learned(what=what)
            case [str(name)]:
                return Said(name)
    except ValueError:
        pass
    raise NoMessage(f"{line[:60]!r} is no message")
