"""The pictures behind moves and rulings, and a disk that has no room for them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np

from appliance.journal.evidence_store import Disk, EvidenceStore, jpeg
from appliance.journal.keeping import Need, Shows
from appliance.live.exhibiting import Exhibiting, MoveMade, RoomWanted, RulingMade
from appliance.live.items import Item, Noted
from appliance.live.recent import Kept, Recent
from tests.arbiter.table import placed
from tests.live.test_game import FIRST, MS, Played, S

CORNERS = np.array([[20, 20], [300, 20], [300, 220], [20, 220]], np.float64)


class Told:
    """A store of evidence whose disk has so many bytes free, and what was told of it."""

    def __init__(self, folder: Path, *, floor: int = 0, free: int = 10**9) -> None:
        self.free, self.items, self.folder = free, list[Item](), folder
        self.recent = Recent()
        for index in range(50):
            image = np.full((240, 320, 3), 4 * index, np.uint8)
            self.recent.add(Kept(index=index, t_ns=index * 200 * MS, data=jpeg(image)))
        self.store = EvidenceStore(
            folder,
            (),
            budget=10**9,
            floor=floor,
            need=lambda picture: Need.CONTESTED if picture.shows is Shows.RULING else Need.NEEDED,
            note=lambda draft: None,
            disk=Disk(free=lambda folder: self.free),
        )

    def shown(self, *wanted: MoveMade | RulingMade | RoomWanted) -> list[str]:
        with closing(Exhibiting(self.store, self.recent, self.items.append)) as exhibiting:
            for one in wanted:
                exhibiting.want(one)
        return sorted(path.name for path in self.folder.iterdir())


def move(number: int) -> MoveMade:
    return MoveMade(number=number, t_ns=number * S, now_ns=9 * S, wall_ns=9 * S)


def ruling() -> RulingMade:
    """Pressed before the stone was down."""
    played = Played()
    played.press(FIRST, 2 * S)
    told = played.see(5 * S, placed("H8", "B", 3_000, 4_000))
    told = told.then(played.see(6 * S))
    (made,) = told.news.rulings
    return RulingMade(ruling=made, corners=CORNERS, size=15, now_ns=6 * S, wall_ns=6 * S)


def test_moves_and_rulings_are_kept(tmp_path: Path) -> None:
    told = Told(tmp_path)
    made = ruling()
    assert told.shown(move(1), made, move(2)) == [
        "move-001.jpg",
        "move-002.jpg",
        f"ruling-001-{made.ruling.code.replace('_', '-')}.jpg",
    ]
    assert told.items == []


def test_what_nobody_saw_has_no_picture(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.recent = Recent()
    assert told.shown(move(1), ruling()) == []
    assert told.items == []


def test_a_full_disk_stops_pictures_and_a_game_that_cannot_be_written_has_their_room(tmp_path: Path) -> None:
    told = Told(tmp_path, floor=1_000_000)
    made = ruling()
    assert len(told.shown(move(1), move(2), made)) == 3
    told.free = 0
    assert told.shown(RoomWanted(now_ns=7 * S, wall_ns=7 * S)) == [
        f"ruling-001-{made.ruling.code.replace('_', '-')}.jpg"
    ]
    assert told.shown(move(3), move(4)) == [f"ruling-001-{made.ruling.code.replace('_', '-')}.jpg"]
    (noted,) = told.items
    assert isinstance(noted, Noted)
    assert (noted.about, noted.stands) == ("evidence", True)
    told.free = 10**9
    assert "move-005.jpg" in told.shown(move(5))
    assert told.items[1:] == [Noted(about="evidence", text="pictures are kept again", stands=False)]


def test_room_is_made_only_where_the_disk_is_full(tmp_path: Path) -> None:
    told = Told(tmp_path, floor=1_000_000)
    assert told.shown(move(1), RoomWanted(now_ns=7 * S, wall_ns=7 * S)) == ["move-001.jpg"]


def test_a_picture_that_cannot_be_made_ends_nothing(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.recent.add(Kept(index=99, t_ns=20 * S, data=b"garbage"))
    assert told.shown(move(20), move(1)) == ["move-001.jpg"]
    (noted,) = told.items
    assert isinstance(noted, Noted)
    assert noted.text.startswith("a picture could not be made")
