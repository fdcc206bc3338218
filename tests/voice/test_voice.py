"""Announcements in time, or not at all; the buzzer where there is no voice."""

from __future__ import annotations

import stat
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from appliance.voice.buzzer import PATTERNS, Buzzer
from appliance.voice.faults import VoiceFault
from appliance.voice.player import Aplay
from appliance.voice.voice import LATE_NS, Heard, Voice, VoiceThread
from appliance.voice.words import load_words
from clock.wiring import Buzzer as BuzzerWiring
from tests.voice.announcements import Announcement

WORDS = load_words("en")
CLIP = Path("57.wav")
COUNT = Announcement(kind="count", seconds=57, at_ns=10**9)


class Recorder:
    """Player and buzzer in one."""

    def __init__(self) -> None:
        self.played: list[Path] = []
        self.buzzed: SimpleQueue[str] = SimpleQueue()
        self.broken = False

    def play(self, sound: Path) -> None:
        if self.broken:
            raise VoiceFault("no sound card: buy one")
        self.played.append(sound)

    def close(self) -> None: ...

    def sound(self, kind: str) -> None:
        self.buzzed.put(kind)


def test_in_time_or_not_at_all() -> None:
    it, told = Recorder(), list[str]()
    voice = Voice(WORDS, {"57": CLIP}, it, it, told.append)
    assert voice.say(COUNT, COUNT.at_ns) is Heard.SPOKEN
    assert voice.say(COUNT, COUNT.at_ns + LATE_NS) is Heard.SPOKEN
    assert voice.say(COUNT, COUNT.at_ns + LATE_NS + 1) is Heard.LATE
    assert it.played == [CLIP] * 2
    assert it.buzzed.empty()
    assert told == []


def test_what_was_not_rendered_is_buzzed() -> None:
    it = Recorder()
    voice = Voice(WORDS, {}, it, it, print)
    assert voice.say(COUNT, COUNT.at_ns) is Heard.BUZZED
    assert it.buzzed.get_nowait() == "count"
    assert Voice(WORDS, {}, it, None, print).say(COUNT, COUNT.at_ns) is Heard.SILENT


def test_a_voice_that_fails_is_told_once_and_buzzed_until_it_works() -> None:
    it, told = Recorder(), list[str]()
    voice = Voice(WORDS, {"57": CLIP}, it, it, told.append)
    heard = []
    for broken in (True, True, False, True):
        it.broken = broken
        heard.append(voice.say(COUNT, COUNT.at_ns))
    assert heard == [Heard.BUZZED, Heard.BUZZED, Heard.SPOKEN, Heard.BUZZED]
    assert told == ["no voice: no sound card: buy one"] * 2


def test_the_thread_says_it_with_its_own_clock() -> None:
    it = Recorder()
    late_by = LATE_NS
    thread = VoiceThread(lambda: Voice(WORDS, {}, None, it, print), now=lambda: COUNT.at_ns + late_by)
    thread.say(COUNT)
    assert it.buzzed.get(timeout=5) == "count"
    late_by += 1
    thread.say(COUNT)
    thread.close()
    assert it.buzzed.empty()


def test_only_the_newest_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    it = Recorder()
    monkeypatch.setattr("appliance.voice.voice.Thread.start", lambda self: None)
    thread = VoiceThread(lambda: Voice(WORDS, {}, None, it, print), now=lambda: 0)
    for kind in ("low_time", "flag"):
        thread.say(Announcement(kind=kind, seconds=60))
    monkeypatch.setattr(thread._woken, "wait", lambda: setattr(thread, "_ended", True))
    thread._run()
    assert it.buzzed.get_nowait() == "flag"
    assert it.buzzed.empty()


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_new_sound_cuts_the_old_one_off(tmp_path: Path) -> None:
    player = Aplay(script(tmp_path / "player", "exec sleep 60"))
    player.play(CLIP)
    first = player._playing
    player.play(CLIP)
    assert first is not None
    assert first.returncode == -15
    player.close()


def test_a_player_that_cannot_play_is_told_at_the_next_sound(tmp_path: Path) -> None:
    player = Aplay(script(tmp_path / "player", "exit 1"))
    player.play(CLIP)
    assert player._playing is not None
    player._playing.wait(5)
    with pytest.raises(VoiceFault, match=r"could not play: check the sound card"):
        player.play(CLIP)
    player.close()


def test_without_aplay_it_says_what_to_install() -> None:
    with pytest.raises(VoiceFault, match=r"^no-such-player is not installed: apt install alsa-utils$"):
        Aplay("no-such-player")


class Pauses:
    """Stands in for gpiozero's thread: beeps at once, and keeps the pauses."""

    kept: list[float]

    def __init__(self, target: Any, args: Any) -> None:
        self._target, self._args, self.stopping = target, args, self

    def start(self) -> None:
        self._target(*self._args)

    def stop(self) -> None: ...

    def wait(self, delay: float) -> bool:
        Pauses.kept.append(delay)
        return False


def test_each_kind_has_its_own_pattern_on_the_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    monkeypatch.setattr("gpiozero.output_devices.GPIOThread", Pauses)
    buzzer = Buzzer(BuzzerWiring(), factory)
    pin = factory.pin(18)
    heard = {}
    for kind in PATTERNS:
        Pauses.kept = []
        pin.clear_states()
        buzzer.sound(kind)
        assert [state.state for state in pin.states] == [False] + [True, False] * PATTERNS[kind].times
        heard[kind] = tuple(Pauses.kept)
    assert len(set(heard.values())) == len(PATTERNS)
    assert all(sum(heard["count"]) < 1 for _ in heard)  # over before the next number
    assert heard["flag"][0] == max(pause for pauses in heard.values() for pause in pauses)
    buzzer.close()
    factory.reset()


def test_every_announcement_has_a_pattern_and_words() -> None:
    for kind in PATTERNS:
        assert WORDS.said(Announcement(kind=kind, seconds=30, periods_left=2))


def test_a_taken_buzzer_pin_is_one_line() -> None:
    from gpiozero import LED

    factory = MockFactory()
    lamp = LED(18, pin_factory=factory)
    with pytest.raises(VoiceFault, match=r"^the buzzer: .*GPIO18.*: see the wiring table$"):
        Buzzer(BuzzerWiring(), factory)
    lamp.close()
    factory.reset()


def test_a_player_that_hangs_is_ended_and_told_at_the_next_sound(tmp_path: Path) -> None:
    now_s = 0.0
    player = Aplay(script(tmp_path / "hung", "exec sleep 60"), now_s=lambda: now_s)
    player.play(CLIP)
    now_s = 10.0
    player.play(CLIP)  # cuts off what still plays, as it may
    now_s = 26.0
    with pytest.raises(VoiceFault, match="could not play: check the sound card"):
        player.play(CLIP)
    player.close()
