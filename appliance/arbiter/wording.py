"""What was seen, in one sentence: the facts that a ruling rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.rulings import Certainty

if TYPE_CHECKING:
    from appliance.arbiter.rulings import Ruling
    from appliance.game.points import Seat

_MS = 1_000_000


def instant(t_ns: int) -> str:
    """An instant as minutes, seconds and milliseconds since the start, ``m:ss.mmm``."""
    minutes, ms = divmod(t_ns // _MS, 60_000)
    return f"{minutes}:{ms // 1000:02}.{ms % 1000:03}"


def seat_in_words(seat: Seat | None) -> str:
    """``first player``, ``second player``, or who it was is open."""
    return "who it was is left open" if seat is None else f"{seat.value} player"


def what_was_seen(ruling: Ruling) -> str:
    """One sentence in English that states the evidence, without judging it."""
    points = [str(point) for point in ruling.points]
    where = " and ".join(points)
    match ruling.code:
        case "press_before_placing":
            return _press_and_stone(ruling, where)
        case "stone_slid" | "stone_lifted" | "stone_relocated":
            return f"the stone first stood on {points[0]} and came to stand on {points[1]}{_bracket(ruling)}"
        case "stone_displaced" if len(points) == 2:
            return f"the stone on {points[0]} moved and now stands nearest to {points[1]}{_bracket(ruling)}"
        case "stone_displaced":
            return f"the stone on {where} was nudged{_bracket(ruling)}"
        case "stone_dropped":
            return f"a stone lay beside {where} and was picked up again; it came to lie there{_bracket(ruling)}"
        case "stone_beside_point":
            return f"a stone was laid{_bracket(ruling)} that lies about as near to another point as to {where}"
        case "laid_unseen":
            return f"{', '.join(points)}: came{_bracket(ruling)}, and no hand was seen to lay it"
        case "stones_straightened":
            return f"{', '.join(points)}: brought nearer to the middle of the point{_bracket(ruling)}"
        case "stone_removed":
            return f"the stone on {where} left the board{_bracket(ruling)}"
        case "pressed_without_move" if ruling.press_ns is not None:
            return (
                f"the button was pressed at {instant(ruling.press_ns)}, no stone was seen, and the opponent played on"
            )
        case "board_moved":
            return f"the board or the camera moved{_bracket(ruling)}; the grid was found again"
        case "board_scattered":
            return f"the stones on {', '.join(points)} left their points at once{_bracket(ruling)}"
        case "camera_covered":
            return f"the board could not be made out{_bracket(ruling)} and for a while after that"
        case "board_full":
            return "every point is taken"
        case _:
            return f"{where} was laid{_bracket(ruling)}" if len(points) == 1 else f"the stones {' '.join(points)}"


def _press_and_stone(ruling: Ruling, where: str) -> str:
    bracket, press_ns = ruling.bracket, ruling.press_ns
    assert bracket is not None
    assert press_ns is not None
    free = "never seen free" if bracket.after_ns is None else f"last seen free at {instant(bracket.after_ns)}"
    seen = (
        f"the button was pressed at {instant(press_ns)}; {where} was {free}"
        f" and first seen with the stone at {instant(bracket.by_ns)}"
    )
    if ruling.certainty is Certainty.CERTAIN:
        return seen
    return f"{seen}: which came first could not be seen"


def _bracket(ruling: Ruling) -> str:
    bracket = ruling.bracket
    if bracket is None:
        return ""
    if bracket.after_ns is None:
        return f" before {instant(bracket.by_ns)}"
    return f" between {instant(bracket.after_ns)} and {instant(bracket.by_ns)}"
