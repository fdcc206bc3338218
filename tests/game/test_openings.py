from __future__ import annotations

import json
from typing import TYPE_CHECKING

from appliance.game.openings import OpeningKind, opening_of, openings
from appliance.game.points import Point, tengen

if TYPE_CHECKING:
    from pathlib import Path

H8 = Point.parse("H8")


def test_thirteen_direct_and_thirteen_indirect() -> None:
    kinds = [opening.kind for opening in openings()]
    assert kinds == [OpeningKind.DIRECT] * 13 + [OpeningKind.INDIRECT] * 13
    assert [o.code for o in openings()] == [f"{kind}{n}" for kind in "DI" for n in range(1, 14)]
    assert sorted(o.renjunet_id for o in openings()) == list(range(1, 27))
    for field in ("rif_code", "chinese", "pinyin", "romaji"):
        assert len({getattr(o, field) for o in openings()}) == 26


def test_every_published_placement_and_no_other(shared: Path) -> None:
    published = json.loads((shared / "spec/openings.json").read_text(encoding="utf-8"))["openings"]
    expected = {
        (Point.parse(white2), Point.parse(black3)): entry
        for entry in published
        for white2, black3 in entry["placements"]
    }
    assert len(expected) == 184
    everywhere = [Point(file, rank) for file in range(15) for rank in range(15)]
    for white2 in everywhere:
        for black3 in everywhere:
            opening, entry = opening_of(H8, white2, black3), expected.get((white2, black3))
            if entry is None:
                assert opening is None, (white2, black3)
            else:
                assert opening is not None, (white2, black3)
                names = (opening.code, opening.rif_code, opening.chinese, opening.pinyin, opening.japanese)
                assert names == (entry["code"], entry["rif"], entry["zh"], entry["pinyin"], entry["ja"])
                assert (opening.romaji, opening.kind) == (entry["romaji"], entry["kind"])


def test_black_one_belongs_on_tengen() -> None:
    assert opening_of(Point.parse("H9"), H8, Point.parse("H10")) is None


def test_any_odd_board_has_its_tengen() -> None:
    centre = tengen(13)
    opening = opening_of(centre, Point(6, 7), Point(6, 8), 13)
    assert opening is not None
    assert opening.chinese == "寒星"
