"""Which pictures go: never a contested one, the least needed first, of these the oldest, and no more than must."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.journal.entries import ORIGIN, Draft, EntryError, Kind, entry, rows
from appliance.journal.keeping import (
    Need,
    Picture,
    Plan,
    Room,
    Shows,
    dropped,
    dropped_note,
    kept_note,
    noted,
    plan,
)


def picture(n: int, t_ns: int, size: int) -> Picture:
    return Picture(file=f"{n}.jpg", bytes=size, t_ns=t_ns, shows=Shows.MOVE, number=n, sha256="0" * 64)


@st.composite
def stores(draw: st.DrawFn) -> tuple[list[Picture], Picture, dict[str, Need], Room]:
    parts = st.tuples(st.integers(0, 9), st.integers(1, 50), st.sampled_from(Need))
    drawn = draw(st.lists(parts, min_size=1, max_size=9))
    pictures = [picture(n, t_ns, size) for n, (t_ns, size, _) in enumerate(drawn)]
    need = {f"{n}.jpg": part[2] for n, part in enumerate(drawn)}
    *kept, new = pictures
    total = sum(one.bytes for one in kept)
    room = Room(
        budget=draw(st.integers(0, total + 60)), floor=draw(st.integers(0, 100)), free=draw(st.integers(0, 200))
    )
    return kept, new, need, room


def fits(kept: list[Picture], gone: list[Picture], new: Picture, room: Room) -> bool:
    """Whether the new picture has room once some are gone."""
    left = [one for one in kept if one not in gone]
    in_budget = sum(one.bytes for one in left) + new.bytes <= room.budget
    return in_budget and room.free + sum(one.bytes for one in gone) - new.bytes >= room.floor


@given(stores())
def test_plan(store: tuple[list[Picture], Picture, dict[str, Need], Room]) -> None:
    kept, new, need, room = store

    def order(one: Picture) -> tuple[int, int, str]:
        return (need[one.file], one.t_ns, one.file)

    found = plan(kept, new, lambda one: need[one.file], room)
    gone = list(found.drop)
    may_go = [one for one in sorted(kept, key=order) if need[one.file] != Need.CONTESTED and order(one) < order(new)]
    assert gone == may_go[: len(gone)]
    if found.keep:
        assert fits(kept, gone, new, room)
        assert not gone or not fits(kept, gone[:-1], new, room)
    else:
        assert gone == []
        assert not fits(kept, may_go, new, room)


@given(stores(), st.integers(-5, 300))
def test_room_for_the_game(store: tuple[list[Picture], Picture, dict[str, Need], Room], excess: int) -> None:
    kept, _, need, _ = store
    found = dropped(kept, lambda one: need[one.file], excess)
    spare = sum(one.bytes for one in kept if need[one.file] != Need.CONTESTED)
    assert (found is None) == (excess > spare)
    if found is not None:
        assert all(need[one.file] != Need.CONTESTED for one in found)
        freed = [one.bytes for one in found]
        assert sum(freed) >= excess
        assert not freed or sum(freed[:-1]) < excess


def test_plan_by_hand() -> None:
    kept = [picture(1, 10, 40), picture(2, 20, 40), picture(3, 5, 40)]
    need = {"1.jpg": Need.UNNEEDED, "2.jpg": Need.UNNEEDED, "3.jpg": Need.CONTESTED, "4.jpg": Need.UNNEEDED}
    new = picture(4, 30, 40)
    plenty = Room(budget=160, floor=10, free=50)
    assert plan(kept, new, lambda one: need[one.file], plenty) == Plan(keep=True, drop=())
    short = replace(plenty, budget=159)
    assert plan(kept, new, lambda one: need[one.file], short) == Plan(keep=True, drop=(kept[0],))
    low = replace(plenty, free=0)
    assert plan(kept, new, lambda one: need[one.file], low) == Plan(keep=True, drop=(kept[0], kept[1]))
    assert plan(kept, new, lambda one: need[one.file], replace(plenty, budget=79)) == Plan(keep=False)
    need |= {"1.jpg": Need.NEEDED, "2.jpg": Need.NEEDED}
    assert plan(kept, new, lambda one: need[one.file], short) == Plan(keep=False)
    need["4.jpg"] = Need.NEEDED
    assert plan(kept, new, lambda one: need[one.file], short) == Plan(keep=True, drop=(kept[0],))


@pytest.mark.parametrize("file", ["", "..", "../a.jpg", "a/b.jpg", ".a", "a.jpg.part", "a\n", "/etc/passwd", "a b.jpg"])
def test_a_picture_lies_in_its_games_folder(file: str) -> None:
    with pytest.raises(EntryError):
        replace(picture(1, 0, 1), file=file)


def test_notes() -> None:
    one, two = picture(1, 10, 40), picture(2, 20, 40)
    bad = kept_note(two) | {"file": "../../two.jpg"}
    said = [
        {},
        kept_note(one),
        kept_note(two),
        bad,
        dropped_note(one),
        {"evidence": "kept"},
        dropped_note(one),
        {"x": 1},
    ]
    kinds = [Kind.HEADER, *[Kind.NOTE] * 7]
    drafts = [Draft(t_ns=0, wall_ns=0, kind=kind, payload=note) for kind, note in zip(kinds, said, strict=True)]
    found = noted(map(entry, rows(drafts, seq=0, previous=ORIGIN)))
    assert found.kept == {"2.jpg": (3, two)}
    assert found.dropped == {"1.jpg"}
    assert found.strange == (4, 6, 7)
