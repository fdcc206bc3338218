"""A replayed game in words, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.wording import instant, seat_in_words, what_was_seen
from appliance.game.openings import opening_of
from appliance.record.diagram import diagram
from appliance.record.game_record import clock_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from appliance.arbiter.rulings import Ruling
    from appliance.record.game_record import GameRecord, RecordedMove
    from appliance.replaying import Costs, Replay

_RESULTS = {"B": "Black wins", "W": "White wins", "D": "draw", "0-0": "both lose"}


def report(game: Replay, strips: Mapping[int, Path]) -> str:
    """Moves with times, rulings with what was seen and their evidence, the final board, and what it cost."""
    header, record = game.recording.header, game.record
    arbiter = game.referee.arbiter
    parts = [
        f"{header.title or game.recording.folder.name}\n"
        f"ruleset {arbiter.ruleset.name}: {arbiter.ruleset.title_en} · board of {header.board_size} lines",
        "\n".join(_moves(record)),
        "\n".join(_rulings(arbiter.rulings, strips)),
        diagram(record),
        *_out_of_step(game),
        _result(record),
        _cost(game.costs),
    ]
    return "\n\n".join(parts) + "\n"


def _out_of_step(game: Replay) -> Iterator[str]:
    points = game.referee.arbiter.differing
    if points:
        yield f"Board and record differ on {', '.join(map(str, points))}"


def _moves(record: GameRecord) -> Iterator[str]:
    yield "Moves"
    opening = _opening(record)
    if opening:
        yield f"  opening: {opening}"
    if not record.moves:
        yield "  none"
    for move in record.moves:
        point = str(move.point) if move.point else "pass"
        when = "" if move.t_ms is None else f"  {_when(move)} {clock_text(move.t_ms):>8}"
        used = "" if move.thinking_ms is None else f"  used {clock_text(move.thinking_ms):>7}"
        yield f"  {move.number:>3}  {move.colour.name.lower():5}  {point:4}{when}{used}"


def _when(move: RecordedMove) -> str:
    """What a move's time tells: the press that completed it, or the first frame that showed its stone."""
    return "seen by" if move.thinking_ms is None else "pressed"


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
    for ruling in rulings:
        article = ruling.article
        yield (
            f"  {ruling.number:>3}  {instant(ruling.t_ns)}  {ruling.rule} {article.title_en} / {article.title_zh}: "
            f"{ruling.certainty.value}, {seat_in_words(ruling.seat)}"
        )
        yield f"       seen: {what_was_seen(ruling)}"
        yield f"       text {article.citation}: {article.text_zh.replace(chr(10), ' ')}"
        yield f"       {article.text_en.replace(chr(10), ' ')}"
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
