"""Phrases become WAV files, once; with the real espeak-ng where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import wave
from pathlib import Path
from typing import Any

import pytest

from appliance.voice.faults import VoiceFault
from appliance.voice.rendering import LONGEST_NUMBER_S, rendered, seconds_of
from appliance.voice.words import languages, load_words

needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng: apt install espeak-ng")


class Espeak:
    """Stands in for espeak-ng: a phrase lasts longer the slower it is spoken."""

    def __init__(self) -> None:
        self.spoken: list[tuple[str, int]] = []

    def run(self, command: list[str], **options: Any) -> None:
        speed, path = int(command[command.index("-s") + 1]), command[command.index("-w") + 1]
        self.spoken.append((options["input"].decode(), speed))
        with wave.open(path, "wb") as sound:
            sound.setparams((1, 2, 1000, 0, "NONE", ""))
            sound.writeframes(bytes(2 * (200_000 // speed)))  # 200 / speed seconds


@pytest.fixture
def espeak(monkeypatch: pytest.MonkeyPatch) -> Espeak:
    espeak = Espeak()
    monkeypatch.setattr("appliance.voice.rendering.subprocess.run", espeak.run)
    return espeak


def test_rendered_once_and_found_again(espeak: Espeak, tmp_path: Path) -> None:
    folder = tmp_path / "voice"
    clips = rendered(["先手，剩5分钟", "last period"], "cmn", folder)
    assert rendered(["last period"], "cmn", folder) == {"last period": clips["last period"]}
    assert [phrase for phrase, _ in espeak.spoken] == ["先手，剩5分钟", "last period"]
    assert sorted(folder.iterdir()) == sorted(clips.values())  # nothing half done lies about
    rendered(["last period"], "en", folder)
    assert len(espeak.spoken) == 3  # another voice, another sound


def test_spoken_faster_until_short_enough(espeak: Espeak, tmp_path: Path) -> None:
    clip = rendered(["57"], "en", tmp_path, longest_s=0.9)["57"]
    speeds = [speed for _, speed in espeak.spoken]
    assert speeds == sorted(speeds)
    assert 200 / speeds[-1] <= 0.9 < 200 / speeds[-2]
    assert seconds_of(clip) <= 0.9


def test_without_espeak_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(VoiceFault, match=r"^espeak-ng is not installed: apt install espeak-ng$"):
        rendered(["57"], "en", tmp_path)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(VoiceFault, match=r"file/voice: Not a directory: choose another folder"):
        rendered(["57"], "en", tmp_path / "file" / "voice")


def test_what_was_cut_short_by_a_full_disk_is_not_kept(
    espeak: Espeak, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = os.statvfs_result((4096, 4096, 100, 0, 0, 100, 100, 100, 0, 255))
    monkeypatch.setattr("appliance.voice.rendering.os.statvfs", lambda folder: full)
    with pytest.raises(VoiceFault, match=r"No space left on device: choose another folder"):
        rendered(["57"], "en", tmp_path)
    assert espeak.spoken
    assert list(tmp_path.iterdir()) == []


@needs_espeak
def test_an_unknown_voice_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(VoiceFault, match=r"^espeak-ng cannot speak with the voice 'xx-nowhere' ") as caught:
        rendered(["57"], "xx-nowhere", tmp_path)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@needs_espeak
@pytest.mark.parametrize("language", languages())
def test_numbers_are_over_within_their_second(language: str, tmp_path: Path) -> None:
    words = load_words(language)
    numbers = words.numbers((57, 58))
    for clip in rendered(numbers, words.voice, tmp_path, longest_s=LONGEST_NUMBER_S).values():
        assert 0.2 < seconds_of(clip) <= LONGEST_NUMBER_S


@needs_espeak
def test_mandarin_is_read_as_mandarin_throughout() -> None:
    words = load_words("zh")
    sentences = words.sentences(low_times=(300, 60, 30, 10), period_lengths=(60, 30), most_periods=4)
    text = "\n".join(sentences | words.numbers(range(15, 60)))
    command = ["espeak-ng", "-b", "1", "-v", words.voice, "-q", "-x", "--stdin"]
    phonemes = subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout.decode()
    assert "(en)" not in phonemes  # where a character is not known, its pinyin is read out in English
    assert len(phonemes.splitlines()) >= len(sentences)
