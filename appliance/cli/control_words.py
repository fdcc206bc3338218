"""A time control in one line, in English and in Chinese; :func:`clock.notation.words` tells more, in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from clock.control import (
    HOUR_NS,
    MINUTE_NS,
    SECOND_NS,
    Bonus,
    BonusKind,
    ByoYomi,
    Canadian,
    FirstIncrement,
    Period,
    Sharing,
)
from clock.durations import in_words
from clock.notation import notation

if TYPE_CHECKING:
    from clock.control import Allowance, Stage, TimeControl

Both: TypeAlias = tuple[str, str]
"""English and Chinese."""


def told(control: TimeControl) -> Both:
    """``15m; 3x30s``: each 15 minutes, then byo-yomi of 3 periods of 30 seconds."""
    (first, first_zh), (second, second_zh) = _side(control.first), _side(control.second)
    if control.sharing is Sharing.SHARED:
        en, zh = f"{first} for both together", f"双方共用{first_zh}"
    elif first == second:
        en, zh = f"each {first}", f"每方{first_zh}"
    else:
        en, zh = f"first player {first}; second player {second}", f"先手{first_zh}；后手{second_zh}"
    if control.sharing is Sharing.HOURGLASS:
        en, zh = f"hourglass, {en}", f"沙漏钟，{zh}"
    return f"{notation(control)}: {en}.", f"{notation(control)}：{zh}。"


def _side(allowance: Allowance) -> Both:
    (first, first_zh), *others = map(_stage, allowance.stages)
    more, more_zh = _FIRST[allowance.first_increment]
    return (
        ", then ".join([first + more, *(en for en, _ in others)]),
        "，之后".join([first_zh + more_zh, *(zh for _, zh in others)]),
    )


_FIRST: dict[FirstIncrement, Both] = {
    FirstIncrement.AFTER: ("", ""),
    FirstIncrement.START: (", one of them from the start", "，开局前先加一次"),
    FirstIncrement.NONE: (" but the first", "（第一着不加）"),
}


def _stage(stage: Stage) -> Both:
    time, time_zh = in_words(stage.time_ns), _chinese(stage.time_ns)
    match stage:
        case ByoYomi(periods=1):
            return f"{time} for each move", f"每着{time_zh}读秒"
        case ByoYomi(periods=periods):
            return f"byo-yomi of {periods} periods of {time}", f"读秒{periods}次，每次{time_zh}"
        case Canadian(moves=moves):
            return f"{moves} moves in each {time}, the rest lapses", f"每{time_zh}{moves}着，余时作废"
        case Period(moves=None, bonus=bonus):
            en, zh = _bonus(bonus)
            return f"{time}{en}", f"{time_zh}{zh}"
        case Period(moves=moves, bonus=bonus):
            en, zh = _bonus(bonus)
            return f"{moves} moves in {time}{en}", f"{time_zh}内{moves}着{zh}"


def _bonus(bonus: Bonus | None) -> Both:
    if bonus is None:
        return "", ""
    time, time_zh = in_words(bonus.time_ns), _chinese(bonus.time_ns)
    match bonus.kind:
        case BonusKind.INCREMENT:
            return f" and {time} more after each move", f"，每着加{time_zh}"
        case BonusKind.BRONSTEIN:
            return f" and up to {time} of each move given back", f"，每着最多补回{time_zh}"
        case BonusKind.DELAY:
            return f" and {time} free in each turn", f"，每着前{time_zh}不计时"


def _chinese(time_ns: int) -> str:
    """1小时30分钟."""
    hours, rest_ns = divmod(time_ns, HOUR_NS)
    minutes, rest_ns = divmod(rest_ns, MINUTE_NS)
    seconds, rest_ns = divmod(rest_ns, SECOND_NS)
    whole = f"{seconds}.{rest_ns:09d}".rstrip("0") if rest_ns else str(seconds or "")
    return "".join(f"{n}{unit}" for n, unit in ((hours or "", "小时"), (minutes or "", "分钟"), (whole, "秒")) if n)
