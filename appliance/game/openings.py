"""The 26 openings: recognised from the first three stones in any of the eight symmetries (O1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from appliance.game.points import Point, tengen
from appliance.game.symmetry import SYMMETRIES, turned


class OpeningKind(StrEnum):
    """How White 2 touches Black 1."""

    DIRECT = "direct"
    """Straight, 直指."""
    INDIRECT = "indirect"
    """Diagonally, 斜指."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """One of the 26 openings, with its names; the points show it on 15 lines, Black 1 on H8."""

    code: str
    """D1 to D13 and I1 to I13, as in the openings' usual order."""
    rif_code: str
    """1D to 13D and 1I to 13I, as the Renju International Federation writes them."""
    renjunet_id: int
    """The number in the game database of renju.net."""
    chinese: str
    """Without the ending 局."""
    pinyin: str
    japanese: str
    romaji: str
    white2: Point
    black3: Point

    @property
    def kind(self) -> OpeningKind:
        """Direct or indirect."""
        return OpeningKind.DIRECT if self.code.startswith("D") else OpeningKind.INDIRECT


@cache
def openings() -> tuple[Opening, ...]:
    """All 26, the direct ones first."""
    entries = json.loads(files("appliance.game").joinpath("openings.json").read_text(encoding="utf-8"))
    return tuple(
        Opening(**{**entry, "white2": Point.parse(entry["white2"]), "black3": Point.parse(entry["black3"])})
        for entry in entries
    )


def opening_of(black1: Point, white2: Point, black3: Point, size: int = 15) -> Opening | None:
    """The opening that three stones make on a board of ``size`` lines; None when it is none of the 26."""
    centre = tengen(size)
    if black1 != centre:
        return None
    return _by_offsets().get((_offset(white2, centre), _offset(black3, centre)))


@cache
def _by_offsets() -> dict[tuple[tuple[int, int], tuple[int, int]], Opening]:
    centre = tengen(15)
    return {
        (
            turned(*_offset(opening.white2, centre), symmetry),
            turned(*_offset(opening.black3, centre), symmetry),
        ): opening
        for opening in openings()
        for symmetry in SYMMETRIES
    }


def _offset(point: Point, centre: Point) -> tuple[int, int]:
    return point.file - centre.file, point.rank - centre.rank
