"""The film of a replay: its frames at their instants, with what was seen drawn in and what is told below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.arbiter.wording import instant
from appliance.game.points import Colour
from appliance.overlay.captions import LINGER_NS, Captions, caption_of
from appliance.overlay.mp4 import Mp4
from appliance.overlay.picture import Telling, draw_picture
from appliance.replaying import Seen
from vision.recorder import draft_of
from vision.recording import RecordedPress

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from appliance.arbiter.arbiter import Arbiter
    from appliance.replaying import Happening, Replay

LAST_NS = 2_000_000_000
"""How long the last frame stays."""

_MS = 1_000_000


class FilmError(Exception):
    """The film could not be written; the message says why."""


def filmed(game: Replay, path: Path) -> Generator[Happening, None, None]:
    """What ``game`` tells, while its film is made as an MP4; ``path`` is there whole at the end, or not at all.

    Raises FilmError when the film cannot be written, once everything has been told.
    """
    happenings = iter(game)
    try:
        with draft_of(path) as draft, Mp4(draft) as video:
            film = _Film(game, video)
            for happening in happenings:
                yield happening
                film.tell(happening)
            film.finish()
    except OSError as error:
        yield from happenings
        raise FilmError(error.strerror or str(error)) from None


class _Film:
    """Makes the pictures as things are told: each shows what was known by its instant, and nothing is gone back to."""

    def __init__(self, game: Replay, video: Mp4) -> None:
        self._game = game
        self._video = video
        self._captions = Captions()
        self._pressed = False
        self._last: Seen | None = None

    def tell(self, happening: Happening) -> None:
        caption = caption_of(happening, self._game.recording.header.board_size)
        if caption is not None:
            self._captions.tell(caption)
        if isinstance(happening, RecordedPress):
            self._pressed = True
        if isinstance(happening, Seen):
            self._show(happening, happening.frame.instant_ns)
            self._last = happening

    def finish(self) -> None:
        """The last frame stays; what became known after it is shown in it once more."""
        if self._last is not None and self._captions.waiting:
            self._show(self._last, self._last.frame.instant_ns + LAST_NS)
            self._video.finish(LINGER_NS // _MS)
        else:
            self._video.finish(LAST_NS // _MS)

    def _show(self, seen: Seen, now_ns: int) -> None:
        arbiter = self._game.referee.arbiter
        telling = Telling(
            head="   ".join([instant(seen.frame.instant_ns), *_standing(arbiter, self._pressed)]),
            captions=self._captions.at(now_ns),
            last=arbiter.moves[-1].point if arbiter.moves else None,
        )
        self._video.show(draw_picture(seen, telling), now_ns // _MS)


def _standing(arbiter: Arbiter, pressed: bool) -> list[str]:
    """Who is to play and, where the clock has been used, whose clock runs; or how the game ended."""
    if arbiter.over:
        won = None if arbiter.result is None else f"{arbiter.result.name.capitalize()} has won"
        return [won or ("drawn" if arbiter.drawn else "the game is over")]
    seat = arbiter.protocol.seat
    colour = Colour.BLACK if seat is arbiter.protocol.black else Colour.WHITE
    turn = f"{colour.name.capitalize()} to play ({seat.value})"
    return [turn, f"{arbiter.running.value}'s clock runs"] if pressed else [turn]
