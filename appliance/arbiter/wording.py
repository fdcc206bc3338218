"""Rulings in words: what was seen, in one sentence, and what the evidence carries of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.rulings import Certainty, OutOfTurn
from appliance.record.game_record import clock_text, milliseconds

if TYPE_CHECKING:
    from appliance.arbiter.rulings import Ruling
    from appliance.game.points import Seat


def instant(t_ns: int) -> str:
    """An instant since the start, to the nearest millisecond, as all times of a game are written."""
    return clock_text(milliseconds(t_ns))


def seat_in_words(seat: Seat | None) -> str:
    """``first player``, ``second player``, or who it was is open."""
    return "who it was is left open" if seat is None else f"{seat.value} player"


def in_short(ruling: Ruling) -> str:
    """One line in English for a record: what is ruled; where the evidence does not carry it, what could not be seen."""
    if ruling.certainty is Certainty.COULD_NOT_SEE:
        return in_doubt(ruling)
    if ruling.code in ("wrong_stone", "two_moves") and ruling.colour is not None:
        who = f" by the {seat_in_words(ruling.seat)}" if ruling.seat else ""
        return f"{_stone(ruling).capitalize()} laid on {' '.join(map(str, ruling.points))}{who}{_how(ruling)}"
    return ruling.article.title_en


def in_doubt(ruling: Ruling) -> str:
    """What could not be seen, as a question left open: nobody is accused by it."""
    points = [str(point) for point in ruling.points]
    where = " and ".join(points)
    match ruling.code:
        case "press_before_placing" if ruling.press_ns is not None:
            what = f"the stone on {where} was down before the press at {instant(ruling.press_ns)}"
        case "stone_slid" | "stone_lifted" | "stone_relocated" if len(points) > 1:
            what = f"the stone on {points[1]} had been let go on {points[0]} before"
        case "wrong_stone" | "two_moves" if ruling.colour is not None:
            what = f"the {ruling.colour.name.lower()} stone on {where} was laid out of turn, and by whom"
        case "stones_straightened":
            what = f"the stones on {', '.join(points)} were straightened in their player's own time and with notice"
        case "stone_beside_point":
            what = f"the stone nearest to {where} is meant for another point"
        case _:
            # Found at the very end: a stone still hidden may tell another story.
            what = f"the rest of the board bears this out: {what_was_seen(ruling)}"
    return f"Could not see whether {what}"


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
        case "flag":
            return f"nothing was left on the clock at {instant(ruling.t_ns)}"
        case "late":
            return f"still absent at {instant(ruling.t_ns)}"
        case "power_cut" if ruling.press_ns is not None:
            return f"the box stood still from {instant(ruling.t_ns)} to {instant(ruling.press_ns)}"
        case "board_full":
            return "every point is taken"
        case "wrong_stone" | "two_moves" if ruling.colour is not None:
            return f"{_stone(ruling)} was laid on {where}{_bracket(ruling)}{_how(ruling)}"
        case _:
            return f"{where} was laid{_bracket(ruling)}" if len(points) == 1 else f"the stones {' '.join(points)}"


def _stone(ruling: Ruling) -> str:
    return "a stone" if ruling.colour is None else f"a {ruling.colour.name.lower()} stone"


def _how(ruling: Ruling) -> str:
    """In what a stone was out of turn, to follow the words on it; nothing where that is open."""
    return "" if ruling.out_of_turn is None else f", {_OUT_OF_TURN[ruling.out_of_turn]}"


_OUT_OF_TURN = {
    OutOfTurn.OTHER_COLOUR: "the other side's colour",
    OutOfTurn.OPPONENTS_TIME: "laid in the opponent's time",
    OutOfTurn.SECOND_STONE: "a second stone in one turn",
}


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
