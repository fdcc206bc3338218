"""What the box's own parts tell of themselves, as notes for the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.live.faces import VoiceBack, VoiceHangs
from appliance.live.items import Noted
from clock.debounce import HeldAtStart, Stuck
from clock.show import DisplayBack, DisplayLost

if TYPE_CHECKING:
    from appliance.live.faces import FaceFact


def of_face(fact: FaceFact) -> Noted:
    """A display or the voice."""
    match fact:
        case DisplayLost():
            return Noted(about=f"display {fact.name}", text=fact.why, stands=True)
        case DisplayBack():
            return Noted(about=f"display {fact.name}", text="shows the clock again", stands=False)
        case VoiceHangs():
            return Noted(about="voice", text=fact.why, stands=True)
        case VoiceBack():
            return Noted(about="voice", text="is heard again", stands=False)


def of_button(fact: HeldAtStart | Stuck) -> Noted:
    """A button that is held; that it is let go is told by its next press alone."""
    match fact:
        case HeldAtStart():
            text = "is held down since before the box was started: let it go"
        case Stuck():
            text = "has not been at rest for long: let it go, or look whether it is jammed"
    return Noted(about=f"button {fact.button.value}", text=text)
