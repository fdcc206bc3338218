"""The box's buttons, of the kind that its file names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from appliance.live.settings import ButtonsKind
from appliance.live.troubles import of_button
from clock.press import Press

if TYPE_CHECKING:
    from appliance.live.box import Box
    from appliance.live.settings import Settings
    from clock.debounce import ButtonFact


class Buttons(Protocol):
    """Buttons that are watched."""

    def check(self, now_ns: int) -> None:
        """Tell which are stuck."""

    def close(self) -> None:
        """Watch them no more."""


def open_buttons(settings: Settings, box: Box) -> Buttons | None:
    """Watch the buttons for ``box``; None: a recording presses them. Raises ButtonsFault."""

    def tell(fact: ButtonFact) -> None:
        if isinstance(fact, Press):
            box.pressed(fact)
        else:
            box.hear(of_button(fact))

    wiring = settings.wiring.buttons
    match settings.buttons_kind:
        case ButtonsKind.RECORDING:
            return None
        case ButtonsKind.GPIOD:
            from clock.gpiod_buttons import GpiodButtons

            return GpiodButtons(wiring, tell)
        case ButtonsKind.GPIOZERO:
            from clock.buttons import GpiozeroButtons

            return GpiozeroButtons(wiring, tell)
        case ButtonsKind.MOCK:
            from gpiozero.pins.mock import MockFactory

            from clock.buttons import GpiozeroButtons

            return GpiozeroButtons(wiring, tell, MockFactory())
