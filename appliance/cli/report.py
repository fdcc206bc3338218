"""A replayed game in words, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.rulings import Certainty
from appliance.arbiter.wording import in_doubt, instant, seat_in_words, what_was_seen
from appliance.game.openings import opening_of
from appliance.game.ruleset import Penalty
from appliance.record.diagram import diagram
from appliance.record.game_record import clock_text, milliseconds
from appliance.totals import presses_without_stone, totals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from appliance.arbiter.arbiter import Arbiter
    from appliance.arbiter.facts import Press
    from appliance.arbiter.outcomes import Outcome
    from appliance.arbiter.rulings import Ruling
    from appliance.game.points import Colour
    from appliance.record.game_record import GameRecord, RecordedMove
    from appliance.replaying import Costs, Replay

_RESULTS = {"B": "Black wins", "W": "White wins", "D": "draw", "0-0": "both lose"}


def report(game: Replay, strips: Mapping[int, Path]) -> str:
    """Moves with times, rulings with what was seen and their evidence, the final board, and what it cost."""
    title = game.recording.header.title or game.recording.folder.name
    return f"{game_report(game.referee.arbiter, game.record, title, strips)}\n{_cost(game.costs)}\n"


def game_report(arbiter: Arbiter, record: GameRecord, title: str, strips: Mapping[int, Path]) -> str:
    """Moves with times, rulings with what was seen and their evidence, what followed, and the board."""
    parts = [
        f"{title}\nruleset {arbiter.ruleset.name}: {arbiter.ruleset.title_en} · board of {record.board_size} lines",
        "\n".join(_moves(record, arbiter)),
        "\n".join(_rulings(arbiter.rulings, strips)),
        *_outcomes(arbiter),
        diagram(record),
        *_out_of_step(arbiter),
        _result(record),
        "\n".join(_totals(arbiter)),
    ]
    return "\n\n".join(parts) + "\n"


def _outcomes(arbiter: Arbiter) -> Iterator[str]:
    if arbiter.outcomes:
        yield "\n".join(["What followed", *map(_outcome, arbiter.outcomes)])


def _outcome(outcome: Outcome) -> str:
    article = outcome.article
    who = f" · {seat_in_words(outcome.seat)}" if outcome.seat else ""
    said = f"  {instant(outcome.t_ns)}  {article.rule} {article.title_en}: {outcome.standing.value}{who}"
    said += f" · {outcome.reason}"
    if outcome.penalty is not None and outcome.penalty is not Penalty.NONE:
        said += f" · {outcome.penalty.value.replace('_', ' ')}"
    if outcome.violations is not None:
        said += f" (number {outcome.violations})"
    if outcome.opponent_gains_s or outcome.offender_loses_s:
        said += f" · opponent +{outcome.opponent_gains_s} s, offender −{outcome.offender_loses_s} s"
    return said


def _out_of_step(arbiter: Arbiter) -> Iterator[str]:
    wanted, shown = arbiter.wanted, arbiter.position
    if arbiter.differing:
        said = (f"{at}: {_content(wanted.at(at))}, not {_content(shown.at(at))}" for at in arbiter.differing)
        yield f"What should stand and does not: {'; '.join(said)}"


def _content(colour: Colour | None) -> str:
    return "nothing" if colour is None else colour.name.lower()


def _moves(record: GameRecord, arbiter: Arbiter) -> Iterator[str]:
    """The moves and, in their places, the presses that completed none of them."""
    yield "Moves"
    opening = _opening(record)
    if opening:
        yield f"  opening: {opening}"
    idle = list(presses_without_stone(arbiter).items())
    if not record.moves and not idle:
        yield "  none"
    clock = bool(arbiter.turns)
    turn: list[int] = []  # the moves so far of the turn that a press is still to end
    for move, laid in zip(record.moves, arbiter.moves, strict=True):
        while idle and move.t_ms is not None and milliseconds(idle[0][0].t_ns) <= move.t_ms:
            yield _idle(*idle.pop(0))
        turn.append(move.number)
        point = str(move.point) if move.point else "pass"
        when = "" if move.t_ms is None else f"  {'pressed' if laid.press else 'seen by'} {clock_text(move.t_ms):>9}"
        used = f"  used {_used(move, turn)}" if clock else ""
        yield f"  {move.number:>3}  {move.colour.name.lower():6}  {point:4}{when}{used}"
        if laid.press is None or move.thinking_ms is not None:
            turn = []
    yield from (_idle(press, used) for press, used in idle)


def _used(move: RecordedMove, turn: list[int]) -> str:
    """The time of the turn with the move that ended it: of several stones nobody knows each one's share."""
    if move.thinking_ms is None:
        return f"{'–':>9}"
    shared = f" for moves {', '.join(map(str, turn))}" if len(turn) > 1 else ""
    return f"{clock_text(move.thinking_ms):>9}{shared}"


def _idle(press: Press, used_ns: int) -> str:
    """A press without a stone on record, where the moves are listed."""
    when, used = clock_text(milliseconds(press.t_ns)), clock_text(milliseconds(used_ns))
    return f"    –  {press.seat.value:6}  –     pressed {when:>9}  used {used:>9}, no stone on record"


def _opening(record: GameRecord) -> str:
    """The opening's names, where the first three moves are one of the 26."""
    points = [move.point for move in record.moves[:3] if move.point is not None]
    if record.start is not None or len(points) < 3:
        return ""
    found = opening_of(points[0], points[1], points[2], record.board_size)
    return f"{found.rif_code} {found.chinese} {found.pinyin} ({found.romaji})" if found else ""


def _rulings(rulings: list[Ruling], strips: Mapping[int, Path]) -> Iterator[str]:
    yield "Rulings"
    if not rulings:
        yield "  none"
    cited: dict[str, int] = {}
    for ruling in rulings:
        article = ruling.article
        title = f"{article.title_en} / {article.title_zh}"
        if ruling.certainty is Certainty.CERTAIN:
            said = f"{ruling.rule} {title}: {ruling.certainty.value}, {seat_in_words(ruling.seat)}"
        else:
            said = f"{in_doubt(ruling)} ({ruling.rule} {title})"
        yield f"  {ruling.number:>3}  {instant(ruling.t_ns)}  {said}"
        yield f"       seen: {what_was_seen(ruling)}"
        first = cited.setdefault(article.citation, ruling.number)
        if first == ruling.number:
            yield f"       text {article.citation}: {article.text_zh.replace(chr(10), ' ')}"
            yield f"       {article.text_en.replace(chr(10), ' ')}"
        else:
            yield f"       text {article.citation}, in full with ruling {first}"
        if ruling.penalty is not None:
            remedies = " or ".join(remedy.value.replace("_", " ") for remedy in ruling.remedies) or "none"
            yield f"       remedy: {remedies} · penalty: {ruling.penalty.value.replace('_', ' ')}"
        if ruling.number in strips:
            yield f"       evidence: {strips[ruling.number]}"


def _result(record: GameRecord) -> str:
    if record.result is None:
        claimed = any(ruling.code == "five" for ruling in record.rulings)
        return "Result: none on record" + (" (a five must be declared to win)" if claimed else "")
    return f"Result: {_RESULTS[record.result.value]} ({record.reason.replace('_', ' ')})"


def _totals(arbiter: Arbiter) -> Iterator[str]:
    yield "Totals"
    for one in totals(arbiter):
        used = "" if one.used_ns is None else f" used {clock_text(milliseconds(one.used_ns))} to the last press ·"
        moves, against = _counted(one.moves, "move"), _counted(one.flags, "certain ruling")
        yield f"  {seat_in_words(one.seat)} ({one.colour.name.lower()}): {moves} ·{used} {against} against"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _cost(costs: Costs) -> str:
    stages = " · ".join(
        f"{stage} {1000 * seconds / max(costs.frames, 1):.1f} ms"
        for stage, seconds in costs.seconds.items()
        if stage != "find the board"
    )
    found = costs.seconds.get("find the board", 0.0)
    return (
        f"{costs.frames} frames, {costs.frames_per_second:.0f} frames/s ({stages} a frame); "
        f"finding the board took {found:.1f} s"
    )
