"""A ruleset in plain sentences, English or Chinese, so that a referee can read what the box will enforce."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from appliance.arbiter.articles import FALLBACK, article
from appliance.arbiter.draws import MOST_OFFERS_MORE
from appliance.cli.control_words import told
from appliance.game.points import Colour, tengen
from appliance.game.ruleset import Penalty, Raiser, Remedy, Until

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from appliance.arbiter.articles import Article
    from appliance.game.ruleset import Act, Ruleset, Step


class Language(StrEnum):
    """In which language to say it."""

    EN = "en"
    ZH = "zh"


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading and its sentences."""

    title: str
    lines: tuple[str, ...]


_REMEDIES = {
    Remedy.MOVE_TO_TENGEN: ("the stone goes to tengen", "移至天元"),
    Remedy.NEW_OPENING: ("a new opening", "重新开局"),
    Remedy.ANNOUNCE: ("it must be announced", "必须给出"),
    Remedy.TAKE_BACK: ("the stone is taken back", "收回该子"),
    Remedy.BACK_TO_FIRST_POINT: ("the stone goes to the first point it touched", "放回最先接触的交叉点"),
    Remedy.CHOOSE_AGAIN: ("the stone is picked up and any point chosen", "收回，另选落点"),
    Remedy.STANDS: ("it stands", "有效"),
    Remedy.PUT_BACK: ("it is put back", "挪回原位"),
    Remedy.REBUILD: ("the position is rebuilt", "复盘续赛"),
    Remedy.MEND_POINTS: ("the points must be mended", "必须改正打点"),
    Remedy.DRAW: ("a draw", "和棋"),
    Remedy.REPLAY: ("the game is played again", "重下"),
    Remedy.OFFENDER_LOSES: ("whoever did it loses", "当事者负"),
}
_PENALTIES = {
    Penalty.NONE: ("none", "无"),
    Penalty.VIOLATION: ("violation", "违例一次"),
    Penalty.TIME_AND_VIOLATION: ("time penalty and violation", "罚时并违例一次"),
    Penalty.LOSS: ("loss of the game", "判负"),
}
_RAISERS = {
    Raiser.OPPONENT: ("opponent", "对方"),
    Raiser.REFEREE: ("referee", "裁判"),
    Raiser.ANYONE: ("anyone", "任何人"),
}
_UNTIL = {
    Until.NEXT_MOVE: ("the opponent's next move", "对方下一着"),
    Until.WHITE_ANSWER: ("White's next move", "白方下一着"),
    Until.WHITE_4: ("white 4", "白4"),
    Until.MOVE_5: ("move 5", "第5手"),
    Until.WHITE_6: ("white 6", "白6"),
    Until.ANY_TIME: ("any time", "终局前"),
}
_COLOURS = {Colour.BLACK: ("black", "黑"), Colour.WHITE: ("white", "白")}


class RulesetWords:
    """Says one ruleset in one language."""

    def __init__(self, ruleset: Ruleset, language: Language) -> None:
        self._ruleset = ruleset
        self._language = language

    def title(self) -> str:
        """The ruleset's title."""
        return self._say(self._ruleset.title_en, self._ruleset.title_zh)

    def sections(self) -> tuple[Section, ...]:
        """Everything but the acts."""
        parts = [
            ("Opening", "开局", self._opening()),
            ("Five in a row", "五连", self._five()),
            ("Forbidden moves", "禁手", self._forbidden()),
            ("Passes", "放弃行棋", self._passes()),
            ("Draws", "和棋", self._draws()),
            ("Violations", "违例", self._violations()),
            ("Press before the stone", "先按钟后落子", self._time_penalty()),
            ("Being late", "迟到", self._late()),
            ("Time controls suggested", "建议时限", self._time_controls()),
        ]
        return tuple(Section(title=self._say(en, zh), lines=tuple(lines)) for en, zh, lines in parts)

    def act(self, act: Act) -> tuple[str, ...]:
        """How an act is put right and punished, who may raise it and until when."""
        remedies = self._list((_REMEDIES[remedy] for remedy in act.remedies), " or ", "，或") or self._say("none", "无")
        raisers = self._list((_RAISERS[raiser] for raiser in act.by), ", ", "、")
        return (
            self._say(f"remedy: {remedies}", f"纠正：{remedies}"),
            self._say(f"penalty: {self._one(_PENALTIES[act.penalty])}", f"处罚：{self._one(_PENALTIES[act.penalty])}"),
            self._say(f"raised by: {raisers}", f"提出者：{raisers}"),
            self._say(f"until: {self._one(_UNTIL[act.until])}", f"时限：{self._one(_UNTIL[act.until])}"),
        )

    def citation(self, cited: Article) -> str:
        """Where the article stands; that it is borrowed is said once for all."""
        return cited.place if cited.borrowed else self._say(cited.citation, cited.citation_zh)

    def borrowing(self) -> str:
        """Which text stands in where the ruleset's own has no article."""
        own = self._ruleset.cited_text
        return self._say(
            f"Cited from text {own}; what it has no article for, from text {FALLBACK}.",
            f"引自文本{own}；其中无条文者引自文本{FALLBACK}。",
        )

    # The opening

    def _opening(self) -> Iterator[str]:
        steps = self._ruleset.opening.steps
        if steps:
            yield from self._steps(steps, 1, "")
        else:
            yield self._say(
                "Black begins on any point; the players lay one stone each in turn from the start.",
                "黑先，首子任意；双方自始轮流各下一子。",
            )

    def _steps(self, steps: tuple[Step, ...], number: int, mark: str) -> Iterator[str]:
        """Turn by turn; ``number``: of the next move. ``mark`` goes before the turns of another way."""
        ways = []
        for index, step in enumerate(steps, 1):
            yield f"{mark}{index}. " + "".join(self._step(step, number))
            if step.instead:
                ways.append((f"{mark}{index}", step.instead, number))
            number += len(step.squares)
        yield self._say("Then the players lay one stone each in turn.", "此后双方轮流各下一子。")
        for turn, instead, first in ways:
            yield self._say(
                f"Or, instead of {turn} and all after it, a player who did not change colours may choose this:",
                f"未交换的一方也可不走{turn}及其后各步，而选择：",
            )
            yield from self._steps(instead, first, f"{turn}/")

    def _step(self, step: Step, number: int) -> Iterator[str]:
        colour = step.colour
        if step.swap:
            yield self._say(
                f"The player who did not act last has {colour.name.title()} and may change colours, once: "
                "a press without a stone does it, a stone declines it. ",
                f"上一步未行棋的一方此时执{_COLOURS[colour][1]}，可交换一次：不落子按钟即为交换，落子即为不换。",
            )
        yield self._offer(step, number) if step.stones is None else self._stones(step, step.stones, number)
        if step.announces is not None:
            most = step.announces
            yield self._say(
                " The same player announces how many points Black will offer for move 5"
                + ("." if most == "any" else f", 1 to {most}."),
                "同时由该方宣布第5手的打点数" + ("。" if most == "any" else f"（1至{most}）。"),
            )

    def _stones(self, step: Step, stones: str, number: int) -> str:
        moves = [
            self._say(
                f"move {number + n} ({_COLOURS[Colour(stone)][0]}) {self._place(side)}",
                f"{_COLOURS[Colour(stone)][1]}{number + n}（{self._place(side)}）",
            )
            for n, (stone, side) in enumerate(zip(stones, step.squares, strict=True))
        ]
        if number == 1:
            return self._say(f"The first player lays {', '.join(moves)}.", f"先手方下{'、'.join(moves)}。")
        return self._say(
            f"{step.colour.name.title()} lays {', '.join(moves)}.",
            f"{_COLOURS[step.colour][1]}方下{'、'.join(moves)}。",
        )

    def _offer(self, step: Step, number: int) -> str:
        count_en, count_zh = ("as many points as announced", "所宣布数目的")
        if isinstance(step.offer, int):
            count_en, count_zh = f"{step.offer} point{'' if step.offer == 1 else 's'}", f"{step.offer}个"
        return self._say(
            f"Black offers {count_en} for move {number} on the board, no two of the same shape; "
            f"White takes all but one away and lays move {number + 1} anywhere.",
            f"黑方在盘上放{count_zh}第{number}手打点，不得同形；白方拿走其余、只留一个，再下白{number + 1}（任意）。",
        )

    def _place(self, side: int) -> str:
        if side == 0:
            return self._say("anywhere", "任意")
        if side == 1:
            centre = tengen(self._ruleset.board_size)
            return self._say(f"on tengen ({centre})", f"天元{centre}")
        touching = self._say(", touching tengen", "，紧邻天元") if side == 3 else ""
        return self._say(f"within the {side} × {side} around tengen", f"以天元为中心的{side}×{side}之内") + touching

    # What wins, and what is forbidden

    def _five(self) -> Iterator[str]:
        five = self._ruleset.five
        for exact, en, zh in ((five.black_exact, "Black", "黑方"), (five.white_exact, "White", "白方")):
            yield self._say(
                f"{en} wins with {'exactly five' if exact else 'five or more'} in a row.",
                f"{zh}{'恰好五连' if exact else '五连或长连'}为胜。",
            )
        if self._ruleset.claims.five:
            yield self._say(
                "A five counts once its player declares it and the opponent or the referee confirms it; "
                "whoever presses without declaring has passed the turn on.",
                "五连须由本方宣布，并经对方或裁判认可；未宣布即按钟，则轮到对方行棋。",
            ) + self._cited("five")
        else:
            yield self._say("A five ends the game at once.", "成五即终局。")

    def _forbidden(self) -> Iterator[str]:
        forbidden = self._ruleset.forbidden
        if not forbidden.any:
            yield self._say("No move is forbidden.", "无禁手。")
            return
        shapes = [
            (forbidden.double_three, "double_three", ("two open threes at once", "三三")),
            (forbidden.double_four, "double_four", ("two fours at once", "四四")),
            (forbidden.overline, "overline", ("more than five in a row", "长连")),
        ]
        for known, code, names in shapes:
            if known:
                yield self._say(f"Black may not make {names[0]}.", f"黑方{names[1]}禁手。") + self._cited(code)
        yield self._say(
            "A stone that makes exactly five is never forbidden.", "同时形成五连，禁手失效。"
        ) + self._cited("five_and_forbidden")
        yield self._say(
            "A three whose only growth to an open four also makes a five is "
            + ("not counted." if forbidden.five_eye == "rif" else "counted."),
            "唯一的活四点同时成五的三，" + ("不算活三。" if forbidden.five_eye == "rif" else "算活三。"),
        )
        if self._ruleset.claims.forbidden:
            yield self._say(
                "White must point it out: double three and double four before White's next stone, an overline at any "
                "time until the end; until then the referee alone is shown it.",
                "须由白方指出：三三、四四限白方落下一子之前，长连在终局前均可；在此之前只显示给裁判。",
            )
        else:
            yield self._say("It loses at once.", "立即判负。")

    def _passes(self) -> Iterator[str]:
        passes = self._ruleset.passes
        if not passes.allowed:
            yield self._say("Nobody may pass.", "不得放弃行棋。")
            return
        yield self._say(
            f"A player may pass from move {passes.from_move} on.", f"自第{passes.from_move}手起可放弃行棋。"
        ) + self._cited("early_pass")
        yield self._say("Two passes in a row end the game drawn.", "双方连续放弃行棋，判和。") + self._cited(
            "double_pass"
        )

    def _draws(self) -> Iterator[str]:
        yield self._say("Both may agree on a draw.", "双方可议和。") + self._cited("draw_agreed")
        yield self._say(
            "A draw is offered after one's own stone and before the press, and answered by yes, no, or a move; "
            f"nobody may be more than {MOST_OFFERS_MORE} offers ahead. "
            "Else the opponent or the referee may have a violation given.",
            f"提和须在己方落子之后、按钟之前；对方可同意、拒绝或继续行棋。一方提和次数不得比对方多{MOST_OFFERS_MORE}次以上。"
            "违者，对方或裁判可提出判违例。",
        ) + self._cited("draw_offer_improper")
        yield self._say("A full board without a five is a draw.", "全盘下满而无五连，判和。") + self._cited(
            "board_full"
        )

    # Penalties and time

    def _violations(self) -> Iterator[str]:
        violations = self._ruleset.violations
        yield self._say(
            f"Violations are announced and counted for each player; number {violations.limit} in one game loses it.",
            f"违例当场宣布并记录在案；一局中第{violations.limit}次判负。",
        ) + self._cited(violations.code)
        if self._ruleset.waiver_by_playing_on:
            yield self._say(
                "An opponent who makes the next move without telling the referee has accepted the act.",
                "对方未告知裁判而继续走了下一着，视为接受。",
            ) + self._cited("waived")
        else:
            yield self._say(
                "Playing on does not waive an act before its time limit.", "继续行棋不等于放弃在时限内提出的权利。"
            )

    def _time_penalty(self) -> Iterator[str]:
        penalty = self._ruleset.time_penalty
        gain, loss = _minutes(penalty.opponent_s), _minutes(penalty.offender_s)
        if penalty.referee_chooses:
            yield self._say(
                f"The opponent gains up to {gain} min and the offender loses up to {loss} min, as the referee decides.",
                f"对方至多加{gain}分钟，违规方至多减{loss}分钟，由裁判决定。",
            )
        else:
            yield self._say(
                f"The opponent gains {gain} min and the offender loses {loss} min.",
                f"对方加{gain}分钟，违规方减{loss}分钟。",
            )
        if penalty.low_s is not None and penalty.low_opponent_s is not None:
            low, more = _minutes(penalty.low_s), _minutes(penalty.low_opponent_s)
            yield self._say(
                f"If the offender has less than {low} min left, only the opponent gains {more} min.",
                f"违规方剩余不足{low}分钟时，只给对方加{more}分钟。",
            )

    def _late(self) -> Iterator[str]:
        late = self._ruleset.late
        limit = _minutes(late.limit_s)
        yield self._say(
            f"Whoever is more than {limit} min late forfeits.", f"迟到超过{limit}分钟判弃权。"
        ) + self._cited("late")
        if late.factor == 1:
            yield self._say("The time lost is the absentee's own.", "迟到时间计入迟到方用时。")
        else:
            yield self._say(
                f"Each minute lost costs the absentee {late.factor} minutes.",
                f"迟到时间按{late.factor}倍计入迟到方用时。",
            )

    def _time_controls(self) -> Iterator[str]:
        return (self._one(told(control)) for control in self._ruleset.time_controls)

    # Saying

    def _say(self, en: str, zh: str) -> str:
        return en if self._language is Language.EN else zh

    def _one(self, pair: tuple[str, str]) -> str:
        return self._say(*pair)

    def _list(self, pairs: Iterable[tuple[str, str]], en: str, zh: str) -> str:
        return self._say(en, zh).join(self._one(pair) for pair in pairs)

    def _cited(self, code: str) -> str:
        return f" [{self.citation(article(code, self._ruleset.cited_text))}]"


def _minutes(seconds: int) -> str:
    """Minutes without needless digits."""
    return f"{seconds / 60:g}"
