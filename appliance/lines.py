"""Facts, rulings and the summary as JSON Lines (design, section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from appliance.arbiter.wording import what_was_seen
from appliance.game.points import Point
from appliance.record.game_record import milliseconds
from appliance.totals import presses_without_stone, totals
from vision.acts import (
    BoardAct,
    BoardMoved,
    CameraCovered,
    Displaced,
    Dropped,
    Placed,
    Relocated,
    Removed,
    Restored,
    Scattered,
    Straightened,
)
from vision.recording import BadFrame, RecordedDecision, RecordedPress

if TYPE_CHECKING:
    from appliance.arbiter.arbiter import Arbiter
    from appliance.arbiter.outcomes import Outcome
    from appliance.arbiter.rulings import Ruling
    from appliance.record.game_record import GameRecord
    from appliance.replaying import OutOfStep, Withdrawn
    from appliance.totals import Totals
    from clock.reading import Face, Reading
    from vision.acts import Bracket
    from vision.observation import Intersection
    from vision.recording import RecordedEvent


def event_line(event: RecordedEvent) -> dict[str, Any]:
    """A press or a decision."""
    t_ms = milliseconds(event.t_ns)
    match event:
        case RecordedPress():
            return {"type": "press", "t_ms": t_ms, "seat": event.seat}
        case RecordedDecision():
            return {"type": "decision", "t_ms": t_ms, **event.payload}
    raise TypeError(f"no line for {type(event).__name__}")


def bad_frame_line(bad: BadFrame) -> dict[str, Any]:
    """A frame that was left out."""
    return {"type": "bad_frame", "t_ms": milliseconds(bad.t_ns), "name": bad.name, "reason": bad.reason}


def out_of_step_line(told: OutOfStep) -> dict[str, Any]:
    """Where board and record differ from now on, or that they agree again."""
    what = "out_of_step" if told.points else "in_step"
    return {"type": what, "t_ms": milliseconds(told.t_ns), "points": [str(point) for point in told.points]}


def withdrawn_line(told: Withdrawn) -> dict[str, Any]:
    """A ruling told before that stands no more."""
    ruling = told.ruling
    return {"type": "ruling_withdrawn", "number": ruling.number, "code": ruling.code, "t_ms": milliseconds(told.t_ns)}


def act_line(act: BoardAct, size: int) -> dict[str, Any]:
    """A board act on a board of ``size`` lines."""

    def point(at: Intersection) -> str:
        return str(Point(at.col, size - 1 - at.row))

    match act:
        case Placed():
            what: dict[str, Any] = {"type": "placed", "point": point(act.at), "colour": act.content.value}
        case Removed():
            what = {"type": "removed", "point": point(act.at), "colour": act.content.value}
        case Relocated():
            what = {
                "type": "relocated",
                "from": point(act.origin),
                "to": point(act.at),
                "colour": act.content.value,
                "manner": act.manner.value,
            }
        case Dropped():
            what = {"type": "dropped", "near": point(act.near), "colour": act.content.value}
        case Displaced():
            offset = [round(part, 2) for part in act.offset]
            what = {"type": "displaced", "point": point(act.at), "colour": act.content.value, "offset": offset}
        case Straightened():
            what = {"type": "straightened", "points": sorted(point(at) for at in act.points)}
        case BoardMoved():
            what = {"type": "board_moved", "shift": round(act.shift, 2)}
        case CameraCovered():
            what = {"type": "camera_covered"}
        case Scattered():
            what = {"type": "scattered", "points": sorted(point(at) for at in act.points)}
        case Restored():
            what = {"type": "restored"}
        case _:
            raise TypeError(f"no line for {type(act).__name__}")
    bracket = act.way if isinstance(act, Relocated) else act.bracket
    return {**what, **_bracket(bracket), "seen_ms": milliseconds(act.seen_ns)}


def ruling_line(ruling: Ruling, evidence: str | None) -> dict[str, Any]:
    """A ruling with its article; ``evidence``: the file of its strip, if one was written."""
    article = ruling.article
    return {
        "type": "ruling",
        "number": ruling.number,
        **_in_summary(ruling),
        "seen_ms": milliseconds(ruling.seen_ns),
        **(_bracket(ruling.bracket) if ruling.bracket else {}),
        **({"colour": ruling.colour.value} if ruling.colour else {}),
        **({"out_of_turn": ruling.out_of_turn.value} if ruling.out_of_turn else {}),
        **({"press_ms": milliseconds(ruling.press_ns)} if ruling.press_ns is not None else {}),
        "seen": what_was_seen(ruling),
        "remedies": [remedy.value for remedy in ruling.remedies],
        "penalty": ruling.penalty.value if ruling.penalty else None,
        "audience": ruling.audience.value,
        **({"standing": ruling.standing.value} if ruling.standing else {}),
        "article": {
            "citation": article.citation,
            "title_zh": article.title_zh,
            "title_en": article.title_en,
            "text_zh": article.text_zh,
            "text_en": article.text_en,
        },
        **({"evidence": evidence} if evidence else {}),
    }


def outcome_line(outcome: Outcome) -> dict[str, Any]:
    """Something that followed; what is open or nothing is left out."""
    end = outcome.end
    return {
        "type": "outcome",
        "t_ms": milliseconds(outcome.t_ns),
        "code": outcome.code,
        "rule": outcome.article.rule,
        "seat": outcome.seat.value if outcome.seat else None,
        "standing": outcome.standing.value,
        "reason": outcome.reason,
        **({"remedy": outcome.remedy.value} if outcome.remedy else {}),
        **({"penalty": outcome.penalty.value} if outcome.penalty else {}),
        **({"violations": outcome.violations} if outcome.violations is not None else {}),
        **({"opponent_gains_s": outcome.opponent_gains_s} if outcome.opponent_gains_s else {}),
        **({"offender_loses_s": outcome.offender_loses_s} if outcome.offender_loses_s else {}),
        **({"end": {"winner": end.winner.value if end.winner else None, "drawn": end.drawn}} if end else {}),
    }


def clock_line(reading: Reading) -> dict[str, Any]:
    """What the clock shows."""
    return {
        "running": reading.running.value if reading.running else None,
        "started": reading.started,
        **{face.seat.value: _face(face) for face in (reading.first, reading.second)},
    }


def _face(face: Face) -> dict[str, Any]:
    return {
        "left_ms": milliseconds(face.left_ns),
        "moves_left": face.moves_left,
        "periods_left": face.periods_left,
        "moves_made": face.moves_made,
        "counting": face.counting,
        "flagged": face.flagged,
    }


def summary_line(recording: str, record: GameRecord, arbiter: Arbiter, frames: int, seconds: float) -> dict[str, Any]:
    """The last line of a replay."""
    presses = presses_without_stone(arbiter)
    return {
        "type": "summary",
        "recording": recording,
        "moves": [str(move.point) if move.point else "pass" for move in record.moves],
        "colours": "".join(move.colour.value for move in record.moves),
        "final": arbiter.position.rows(),
        "rulings": [_in_summary(ruling) for ruling in arbiter.rulings],
        "result": record.result.value if record.result else None,
        "reason": record.reason or None,
        "totals": {one.seat.value: _totals(one) for one in totals(arbiter)},
        "presses_without_stone": [
            {"t_ms": milliseconds(press.t_ns), "seat": press.seat.value, "used_ms": milliseconds(used)}
            for press, used in presses.items()
        ],
        "frames": frames,
        "seconds": round(seconds, 3),
    }


def _totals(one: Totals) -> dict[str, Any]:
    return {
        "colour": one.colour.value,
        "moves": one.moves,
        "used_ms": None if one.used_ns is None else milliseconds(one.used_ns),
        "flags": one.flags,
    }


def _in_summary(ruling: Ruling) -> dict[str, Any]:
    return {
        "code": ruling.code,
        "rule": ruling.rule,
        "seat": ruling.seat.value if ruling.seat else None,
        "certainty": ruling.certainty.value,
        "t_ms": milliseconds(ruling.t_ns),
        "points": [str(point) for point in ruling.points],
    }


def _bracket(bracket: Bracket) -> dict[str, Any]:
    return {
        "after_ms": None if bracket.after_ns is None else milliseconds(bracket.after_ns),
        "by_ms": milliseconds(bracket.by_ns),
        "frames": [bracket.after_frame, bracket.by_frame],
    }
