"""A voice is made of what there is; what is missing is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from appliance.voice.opening import open_voice
from appliance.voice.voice import Heard
from appliance.voice.words import load_words
from clock.wiring import Buzzer as BuzzerWiring
from tests.voice.announcements import Announcement

WORDS = load_words("en")
FLAG = Announcement(kind="flag")


def test_with_nothing_at_hand_both_are_told_and_it_is_silent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "lgpio", None)
    told: list[str] = []
    voice = open_voice(WORDS, tmp_path, numbers=["57"], sentences=[], buzzer=BuzzerWiring(), tell=told.append)
    assert told == [
        "no voice: aplay is not installed: apt install alsa-utils",
        "the buzzer: lgpio is not installed: install Caipan with its extra 'pi'",
    ]
    assert voice.say(FLAG, 0) is Heard.SILENT


def test_without_a_voice_the_buzzer_sounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    factory, told = MockFactory(), list[str]()
    voice = open_voice(
        WORDS, tmp_path, numbers=[], sentences=[], buzzer=BuzzerWiring(), tell=told.append, factory=factory
    )
    assert voice.say(FLAG, 0) is Heard.BUZZED
    assert len(told) == 1
    voice.close()
    factory.reset()


def test_with_all_at_hand_it_speaks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, text in (
        ("aplay", 'exec /bin/cp "$2" "$2.played"'),
        ("espeak-ng", 'while [ "$1" != -w ]; do shift; done; exec /bin/cp /dev/stdin "$2"'),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    told: list[str] = []
    voice = open_voice(
        WORDS, tmp_path / "clips", numbers=[], sentences=[WORDS.said(FLAG)], buzzer=None, tell=told.append
    )
    assert voice.say(FLAG, 0) is Heard.SPOKEN
    assert told == []
    (clip,) = (tmp_path / "clips").glob("*.wav")
    assert clip.read_text() == "First player, loss on time"
    voice.close()
