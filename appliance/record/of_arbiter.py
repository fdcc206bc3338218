"""The record of a game, from what the arbiter knows of it."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from appliance.arbiter.wording import in_short
from appliance.game.points import Colour, Seat
from appliance.record.game_record import GameRecord, Outcome, RecordedMove, RecordedRuling, milliseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from appliance.arbiter.arbiter import Arbiter
    from appliance.arbiter.rulings import Ruling
    from appliance.arbiter.state import Move


def record_of(arbiter: Arbiter, *, title: str = "", first: str = "", second: str = "", date: str = "") -> GameRecord:
    """The record of the game as it stands. ``first``, ``second``: the players' names by seat; ``date``: ISO 8601."""
    begun = arbiter.state.start
    to_move = arbiter.moves[0].colour if arbiter.moves else arbiter.protocol.due
    number_of_first = 1 if to_move is Colour.BLACK else 2
    black_first = arbiter.protocol.black is Seat.FIRST
    # Of several stones laid before one press nobody knows each one's share: the last ended the turn and has its time.
    last_of_turn = {move.press: move for move in arbiter.moves if move.press is not None}
    moves = tuple(
        RecordedMove(
            number=number,
            point=move.point,
            colour=move.colour,
            t_ms=milliseconds(_complete_ns(move)),
            thinking_ms=milliseconds(move.thinking_ns)
            if move.press is not None and move.thinking_ns is not None and last_of_turn[move.press] is move
            else None,
        )
        for number, move in enumerate(arbiter.moves, number_of_first)
    )
    rulings = tuple(
        RecordedRuling(
            code=ruling.code,
            rule=ruling.rule,
            certainty=ruling.certainty.value,
            seat=ruling.seat,
            points=ruling.points,
            t_ms=milliseconds(ruling.t_ns),
            text=in_short(ruling),
            move=_number_of(ruling, arbiter.moves, number_of_first),
        )
        for ruling in arbiter.rulings
    )
    end = arbiter.state.ledger.end
    return GameRecord(
        board_size=arbiter.size,
        ruleset=arbiter.ruleset.name,
        title=title,
        black=first if black_first else second,
        white=second if black_first else first,
        date=date,
        black_seat=arbiter.protocol.black,
        start=begun if begun.stones else None,
        to_move=to_move if begun.stones else Colour.BLACK,
        moves=moves,
        rulings=rulings,
        result=None if end is None else _outcome(arbiter),
        reason=end.code if end is not None else "",
    )


def _outcome(arbiter: Arbiter) -> Outcome:
    if arbiter.drawn:
        return Outcome.DRAW
    return Outcome.BOTH_LOSE if arbiter.result is None else Outcome(arbiter.result.value)


def _complete_ns(move: Move) -> int:
    """When a move was complete: its press or, where none came, the first frame that showed it."""
    return move.press.t_ns if move.press else move.bracket.by_ns


def _number_of(ruling: Ruling, moves: Sequence[Move], first: int) -> int | None:
    """The number of the move that ``ruling`` is about: its stone's, or that of the turn in which it happened."""
    own = (n for n, move in reversed(list(enumerate(moves, first))) if _is_about(ruling, move))
    following = ((n, move) for n, move in enumerate(moves, first) if _complete_ns(move) >= ruling.t_ns)
    turn = (n for n, move in islice(following, 1) if ruling.seat is not None and move.seat is ruling.seat)
    return next(chain(own, turn), None)


def _is_about(ruling: Ruling, move: Move) -> bool:
    """Whether the stone of ``move`` is what was judged: it came just then, or came to stand there in its turn."""
    if ruling.code in ("stone_slid", "stone_lifted", "stone_relocated"):
        return move.point == ruling.points[-1]
    return move.bracket == ruling.bracket and not {move.point, move.first}.isdisjoint(ruling.points)
