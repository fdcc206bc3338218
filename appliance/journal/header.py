"""What a journal begins with: all that must be known to judge its game again, whatever changes around it later."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from appliance.game.points import MAX_SIZE, MIN_SIZE, Seat


class Start(BaseModel):
    """The position that a game begins with. ``stones``: rows of ``.BW`` from Black's seat, farthest rank first."""

    model_config = ConfigDict(frozen=True, strict=True)

    stones: tuple[str, ...]
    to_move: Literal["black", "white"]


class Header(BaseModel):
    """The first entry of a journal; other keys are kept. ``first`` and ``second``: the players' names, by seat."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow", allow_inf_nan=False)

    ruleset: str
    """Its name."""
    ruleset_text: str
    """The whole of it, so that a ruleset mended later does not judge this game otherwise."""
    size: int = Field(ge=MIN_SIZE, le=MAX_SIZE)
    time_control: JsonValue = None
    start: Start | None = None
    """None: an empty board."""
    title: str | None = None
    first: str | None = None
    second: str | None = None
    takes_effect: tuple[str, ...] | None = None
    """Where there is no referee: the codes of the rulings that take effect by themselves; None: a referee decides."""
    recording: str | None = None
    """The name of the recording that was played in the camera's place; None: a camera saw the game."""
    frame_error_ns: int | None = Field(default=None, ge=0)
    """How far the instant of a frame may be off, with this camera; None: as of a recording."""
    software: str
    """The version of the program that began the game."""

    def payload(self) -> dict[str, Any]:
        """What the entry says."""
        return self.model_dump(mode="json")

    def name(self, seat: Seat) -> str | None:
        """The player's name."""
        return self.first if seat is Seat.FIRST else self.second
