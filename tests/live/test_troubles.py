"""What displays, voice and buttons tell of themselves, as the referee reads it."""

from __future__ import annotations

import pytest

from appliance.live.faces import VoiceBack, VoiceHangs
from appliance.live.items import Noted
from appliance.live.troubles import of_button, of_face
from clock.debounce import HeldAtStart, Stuck
from clock.press import Button
from clock.show import DisplayBack, DisplayLost


def test_a_display_that_is_lost_stands_until_it_is_back() -> None:
    lost = of_face(DisplayLost(name="MAX7219", why="MAX7219: no bus: check its cable", at_ns=1))
    assert lost == Noted(about="display MAX7219", text="MAX7219: no bus: check its cable", stands=True)
    back = of_face(DisplayBack(name="MAX7219", at_ns=2))
    assert (back.about, back.stands) == (lost.about, False)


def test_a_voice_that_hangs_stands_until_it_is_heard() -> None:
    hangs, back = of_face(VoiceHangs(at_ns=1)), of_face(VoiceBack(at_ns=2))
    assert (hangs.about, hangs.stands) == ("voice", True)
    assert hangs.text == "the voice hangs: check the sound card and the loudspeaker's cable"
    assert (back.about, back.stands) == ("voice", False)


@pytest.mark.parametrize(
    "fact", [HeldAtStart(button=Button.FIRST, at_ns=1), Stuck(button=Button.FIRST, since_ns=1, at_ns=2)]
)
def test_a_button_that_is_held_is_told(fact: HeldAtStart | Stuck) -> None:
    noted = of_button(fact)
    assert (noted.about, noted.stands) == ("button first", None)
    assert "let it go" in noted.text
