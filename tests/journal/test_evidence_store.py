"""Pictures on the disk: noted, dropped in order, and a bad disk stops them and nothing else."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.journal import durable
from appliance.journal.entries import Draft
from appliance.journal.evidence_store import Disk, EvidenceFact, EvidenceResumed, EvidenceStopped, EvidenceStore, jpeg
from appliance.journal.journal import Journal
from appliance.journal.keeping import Need, Picture, Shows, noted
from tests.journal.disks import fill, mounted, remount
from tests.journal.games import begun

PLENTY = 10**9


@dataclass
class Game:
    """A game whose pictures are kept."""

    journal: Journal
    need: dict[str, Need] = field(default_factory=dict)

    def store(self, *, budget: int = PLENTY, floor: int = 0, disk: Disk | None = None) -> EvidenceStore:
        def need(picture: Picture) -> Need:
            return self.need.get(picture.file, Need.UNNEEDED)

        def note(draft: Draft) -> None:
            self.journal.append([draft])

        return EvidenceStore(
            self.frames, self.journal.entries(), budget=budget, floor=floor, need=need, note=note, disk=disk
        )

    @property
    def frames(self) -> Path:
        return self.journal.folder / "frames"

    def there(self) -> list[str]:
        return sorted(path.name for path in self.frames.iterdir())

    def noted(self) -> set[str]:
        return set(noted(self.journal.entries()).kept)


def keep(store: EvidenceStore, n: int, size: int = 100) -> EvidenceFact | None:
    return store.keep(
        f"{n}.jpg", bytes([n]) * size, shows=Shows.MOVE, number=n, t_ns=n, now_ns=1_000 + n, wall_ns=5_000 + n
    )


def test_a_picture_is_kept_and_noted(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        game = Game(journal)
        assert keep(game.store(), 7) is None
        assert (game.frames / "7.jpg").read_bytes() == b"\7" * 100
        (note,) = journal.entries(after=1)
        assert (note.t_ns, note.wall_ns, note.kind) == (1_007, 5_007, "note")
        assert note.payload == {
            "evidence": "kept",
            "file": "7.jpg",
            "bytes": 100,
            "t_ns": 7,
            "shows": "move",
            "number": 7,
            "sha256": sha256(b"\7" * 100).hexdigest(),
        }
        assert [picture.file for picture in game.store().kept] == ["7.jpg"]


def test_the_oldest_goes_first_and_the_contested_never(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        game = Game(journal, need={"1.jpg": Need.CONTESTED, "3.jpg": Need.NEEDED})
        store = game.store(budget=300)
        for n in range(1, 6):
            assert keep(store, n) is None
        assert game.there() == ["1.jpg", "3.jpg", "5.jpg"]
        assert game.noted() == set(game.there())
        game.need |= {"3.jpg": Need.CONTESTED, "5.jpg": Need.CONTESTED}
        stopped = keep(store, 6)
        assert isinstance(stopped, EvidenceStopped)
        assert "make room" in stopped.why
        assert keep(store, 7) is None  # told once
        game.need["5.jpg"] = Need.UNNEEDED
        assert keep(store, 8) == EvidenceResumed()
        assert keep(store, 9) is None
        assert game.there() == ["1.jpg", "3.jpg", "9.jpg"]
        assert game.noted() == set(game.there())


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_bad_disk_is_told_once(tmp_path: Path, code: int) -> None:
    bad = True

    def write(path: Path, data: bytes) -> None:
        if bad:
            raise OSError(code, "what the system says")
        durable.write_whole(path, data)

    with begun(tmp_path) as journal:
        game = Game(journal)
        store = game.store(disk=Disk(write=write))
        stopped = keep(store, 1)
        assert isinstance(stopped, EvidenceStopped)
        assert "what the system says" in stopped.why
        assert keep(store, 2) is None
        assert game.noted() == set()
        assert store.kept == ()
        bad = False
        assert keep(store, 3) == EvidenceResumed()
        assert game.noted() == {"3.jpg"} == set(game.there())


def test_what_is_dropped_is_noted_before_it_goes(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        game = Game(journal)

        def remove(path: Path) -> None:
            assert path.name not in game.noted()
            path.unlink()

        store = game.store(budget=100, disk=Disk(remove=remove))
        assert [keep(store, n) for n in (1, 2)] == [None, None]
        assert game.there() == ["2.jpg"]


class Cut(BaseException):
    """The power is gone."""


def cut(_: Path) -> None:
    raise Cut


def test_what_a_cut_left_undone_is_done_at_the_next_start(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        game = Game(journal)

        store = game.store(budget=100, disk=Disk(remove=cut))
        keep(store, 1)
        with pytest.raises(Cut):
            keep(store, 2)
        (game.frames / "3.jpg.part").write_bytes(b"half")
        (game.frames / "4.jpg").write_bytes(b"not noted yet")
        assert game.there() == ["1.jpg", "3.jpg.part", "4.jpg"]
        assert game.noted() == set()
        game.store()
        assert game.there() == ["4.jpg"]


def test_evidence_gives_way_to_the_game(tmp_path: Path) -> None:
    with begun(tmp_path) as journal:
        game = Game(journal, need={"1.jpg": Need.CONTESTED, "2.jpg": Need.NEEDED})
        store = game.store()
        for n in range(1, 5):
            keep(store, n)
        assert store.give_way(150, now_ns=9, wall_ns=9) is None
        assert game.there() == ["1.jpg", "2.jpg"]
        assert store.give_way(10_000, now_ns=9, wall_ns=9) is None
        assert game.there() == ["1.jpg"]
        assert game.noted() == {"1.jpg"}


def on_a_small_disk(tmp_path: Path, then: Callable[[Path, Game], None]) -> None:
    with mounted(tmp_path / "disk") as place, begun(tmp_path / "game") as journal:
        game = Game(journal)
        (tmp_path / "game" / "frames").rmdir()
        (tmp_path / "game" / "frames").symlink_to(place)
        then(place, game)


def test_a_full_disk(tmp_path: Path) -> None:
    def then(place: Path, game: Game) -> None:
        store = game.store()
        assert keep(store, 1) is None
        fill(place / "filler")
        # The disk's own word, were the free bytes not asked first.
        deaf = game.store(disk=Disk(free=lambda folder: PLENTY))
        stopped = keep(deaf, 2, size=9_000)
        assert isinstance(stopped, EvidenceStopped)
        assert "No space left" in stopped.why
        assert game.there() == ["1.jpg", "filler"]  # no half picture
        (place / "filler").unlink()
        assert keep(deaf, 3, size=9_000) == EvidenceResumed()

    on_a_small_disk(tmp_path, then)


def test_the_floor_is_left_to_the_game(tmp_path: Path) -> None:
    def then(place: Path, game: Game) -> None:
        store = game.store(floor=500_000)
        for n in range(1, 31):
            assert keep(store, n, size=50_000) is None
        assert [picture.number for picture in store.kept] == list(range(31 - len(store.kept), 31))
        free = Disk().free(place)
        assert 500_000 <= free < 600_000

    on_a_small_disk(tmp_path, then)


def test_a_read_only_disk(tmp_path: Path) -> None:
    def then(place: Path, game: Game) -> None:
        store = game.store(budget=100)
        assert keep(store, 1) is None
        remount(place, "ro")
        assert isinstance(keep(store, 2), EvidenceStopped)
        assert keep(store, 3) is None
        assert game.noted() == {"1.jpg"} == set(game.there())  # what is still there is still noted
        remount(place, "rw")
        assert keep(store, 4) == EvidenceResumed()
        assert game.noted() == {"4.jpg"} == set(game.there())

    on_a_small_disk(tmp_path, then)


@pytest.mark.parametrize(("longest", "shape"), [(None, (80, 120)), (500, (80, 120)), (60, (40, 60))])
def test_jpeg(longest: int | None, shape: tuple[int, int]) -> None:
    image = np.zeros((80, 120, 3), np.uint8)
    image[:, 60:] = (40, 200, 90)
    back = cv2.imdecode(np.frombuffer(jpeg(image, longest=longest), np.uint8), cv2.IMREAD_COLOR)
    assert back is not None
    assert back.shape[:2] == shape
    assert back[:, : shape[1] // 2 - 5].mean() < 4
    assert np.abs(back[:, shape[1] // 2 + 5 :].astype(int) - (40, 200, 90)).mean() < 4
