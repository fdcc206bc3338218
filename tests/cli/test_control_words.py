"""A time control in one line, in both languages."""

from __future__ import annotations

import pytest

from appliance.cli.control_words import told
from clock.notation import parse


@pytest.mark.parametrize(
    ("control", "english", "chinese"),
    [
        (
            "15m; 3x30s",
            "each 15 minutes, then byo-yomi of 3 periods of 30 seconds",
            "每方15分钟，之后读秒3次，每次30秒",
        ),
        ("1h30m+2.5s", "each 1 hour 30 minutes and 2.5 seconds more after each move", "每方1小时30分钟，每着加2.5秒"),
        (
            "5m+3s first=none; 1x30s",
            "each 5 minutes and 3 seconds more after each move but the first, then 30 seconds for each move",
            "每方5分钟，每着加3秒（第一着不加），之后每着30秒读秒",
        ),
        (
            "40/2h; canadian 15/5m",
            "each 40 moves in 2 hours, then 15 moves in each 5 minutes, the rest lapses",
            "每方2小时内40着，之后每5分钟15着，余时作废",
        ),
        ("shared 3h", "3 hours for both together", "双方共用3小时"),
        ("hourglass 1m", "hourglass, each 1 minute", "沙漏钟，每方1分钟"),
        (
            "5m delay 3s vs 2m bronstein 1s",
            "first player 5 minutes and 3 seconds free in each turn; "
            "second player 2 minutes and up to 1 second of each move given back",
            "先手5分钟，每着前3秒不计时；后手2分钟，每着最多补回1秒",
        ),
    ],
)
def test_told(control: str, english: str, chinese: str) -> None:
    assert told(parse(control)) == (f"{control}: {english}.", f"{control}：{chinese}。")
