"""The words: the seeds' own where they give them (C4), and no announcement without any."""

from __future__ import annotations

import pytest

from appliance.voice.words import WordsError, languages, load_words, parse_words
from tests.voice.announcements import Announcement


def said(language: str, kind: str, seat: str = "first", **more: int) -> str:
    return load_words(language).said(Announcement(kind=kind, seat=seat, **more))


def test_the_count_of_a_minute_as_the_rules_word_it() -> None:
    # "30秒、40秒、50秒各报一次之后，报时“56”、“57”、“58”、“59” …… 最后的报法是“一分钟超时判负”"
    assert [said("zh", "count", seconds=second) for second in (30, 56, 59)] == ["30", "56", "59"]
    assert said("zh", "flag", seconds=60).replace("，", "") == "一分钟超时判负"
    assert said("zh", "flag", seconds=30).replace("，", "") == "30秒超时判负"


@pytest.mark.parametrize(
    ("kind", "seat", "more", "english", "chinese"),
    [
        ("count", "first", {"seconds": 25}, "25", "25"),
        ("count", "first", {"seconds": 120}, "2 minutes", "两分钟"),
        ("low_time", "first", {"seconds": 300}, "First player, 5 minutes left", "先手，剩5分钟"),
        ("low_time", "second", {"seconds": 60}, "Second player, one minute left", "后手，剩一分钟"),
        ("low_time", "second", {"seconds": 10}, "Second player, 10 seconds left", "后手，剩10秒"),
        ("next_stage", "first", {}, "First player, the next time control begins", "先手，进入下一时限"),
        ("next_stage", "second", {"periods_left": 3}, "Second player, byo-yomi begins", "后手，开始读秒"),
        (
            "period_lost",
            "first",
            {"periods_left": 2},
            "First player, period over, 2 periods left",
            "先手，读秒还剩两次",
        ),
        ("last_period", "second", {}, "Second player, last period", "后手，最后一次读秒"),
        ("flag", "second", {}, "Second player, loss on time", "后手，超时判负"),
        ("flag", "second", {"seconds": 60}, "one minute, loss on time", "一分钟，超时判负"),
    ],
)
def test_what_is_said(kind: str, seat: str, more: dict[str, int], english: str, chinese: str) -> None:
    assert said("en", kind, seat, **more) == english
    assert said("zh", kind, seat, **more) == chinese


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no words for an announcement of kind 'song'"):
        said("en", "song")


@pytest.mark.parametrize("language", languages())
def test_all_that_may_be_said_is_foreseen(language: str) -> None:
    words = load_words(language)
    numbers = words.numbers((30, 40, 50, 56, 57, 58, 59))
    sentences = words.sentences(low_times=(300, 60), period_lengths=(60,), most_periods=3)
    assert numbers == {"30", "40", "50", "56", "57", "58", "59"}
    # For each seat: next stage, byo-yomi, last period, flag, two low times, one period lost of three; and the period's
    # flag.
    assert len(sentences) == 2 * 7 + 1
    assert words.said(Announcement(kind="period_lost", seat="second", periods_left=2)) in sentences


def test_mistakes_are_one_line() -> None:
    with pytest.raises(WordsError, match=r"^no words in the language 'fr': use one of en, zh$"):
        load_words("fr")
    with pytest.raises(WordsError, match=r"^mine\.toml: not TOML: "):
        parse_words("mine.toml", "voice")
    english = 'name = "E"\nvoice = "en"\n[phrases]\nflag = "{time}"\n'
    with pytest.raises(WordsError, match=r"^mine\.toml: \S+: ") as caught:
        parse_words("mine.toml", english)
    assert "\n" not in str(caught.value)
