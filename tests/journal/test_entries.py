"""Canonical JSON and the chain: what JSON changes is refused, and any change of what was written is found."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.journal.entries import (
    ORIGIN,
    Break,
    Draft,
    EntryError,
    Kind,
    Row,
    canonical,
    digest,
    entry,
    rows,
)
from appliance.journal.verify import first_break

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(TEXT, parts, max_size=3),
    max_leaves=6,
)
PAYLOADS = st.dictionaries(TEXT, JSON, max_size=3)


@st.composite
def chains(draw: st.DrawFn) -> list[Row]:
    """A journal's rows, two to eight of them."""
    rest = st.sampled_from([kind for kind in Kind if kind is not Kind.HEADER])
    kinds = [Kind.HEADER, *draw(st.lists(rest, min_size=1, max_size=7))]
    drafts = [Draft(t_ns=draw(INT64), wall_ns=draw(INT64), kind=kind, payload=draw(PAYLOADS)) for kind in kinds]
    return list(rows(drafts, seq=0, previous=ORIGIN))


@given(PAYLOADS)
def test_canonical_json_comes_back_and_has_one_form(payload: dict[str, Any]) -> None:
    text = canonical(payload)
    back = json.loads(text)
    assert repr(back) == repr({key: back[key] for key in sorted(payload)})
    assert back == payload
    assert canonical(dict(reversed(payload.items()))) == text
    assert canonical(back) == text


def test_canonical_json_as_written_by_hand() -> None:
    payload = {"é": [1, -0.5, 1e22], "a": {"z": None, "y": True}, "王": "\n", "": 1_796_000_000_000_000_000}
    assert canonical(payload) == ('{"":1796000000000000000,"a":{"y":true,"z":null},"é":[1,-0.5,1e+22],"王":"\\n"}')


@pytest.mark.parametrize(
    "payload",
    [
        {"x": float("nan")},
        {"x": float("inf")},
        {"x": (1, 2)},
        {"x": {1: 2}},
        {"x": {None: 2}},
        {"x": b"bytes"},
        {"x": {1, 2}},
        {"x": "\ud800"},
        {"x": object()},
    ],
)
def test_what_json_changes_is_refused(payload: dict[str, Any]) -> None:
    with pytest.raises(EntryError) as refused:
        Draft(t_ns=0, wall_ns=0, kind=Kind.FACT, payload=payload)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("t_ns", [2**63, -(2**63) - 1])
def test_an_instant_that_no_column_holds_is_refused(t_ns: int) -> None:
    with pytest.raises(EntryError):
        Draft(t_ns=t_ns, wall_ns=0, kind=Kind.FACT, payload={})


def test_a_draft_says_what_it_said_when_it_was_made() -> None:
    payload: dict[str, Any] = {"points": ["H8"]}
    draft = Draft(t_ns=0, wall_ns=0, kind=Kind.HEADER, payload=payload)
    payload["points"].append("J9")
    (row,) = rows([draft], seq=0, previous=ORIGIN)
    assert entry(row).payload == {"points": ["H8"]}


def test_the_digest_is_that_of_the_documented_text() -> None:
    drafts = [
        Draft(t_ns=0, wall_ns=5, kind=Kind.HEADER, payload={}),
        Draft(t_ns=-7, wall_ns=6, kind=Kind.FACT, payload={"名": "王"}),
    ]
    first, second = rows(drafts, seq=0, previous=ORIGIN)
    zeros = "0" * 64
    text = f'{{"kind":"header","payload":{{}},"previous":"{zeros}","seq":1,"t_ns":0,"wall_ns":5}}'
    assert first.digest == sha256(text.encode()).digest()
    said = {
        "kind": "fact",
        "payload": {"名": "王"},
        "previous": first.digest.hex(),
        "seq": 2,
        "t_ns": -7,
        "wall_ns": 6,
    }
    assert second.digest == sha256(canonical(said).encode()).digest()


@given(chains())
def test_what_was_written_is_good(chain: list[Row]) -> None:
    assert first_break(chain) is None


@given(chains(), st.data())
def test_any_changed_byte_is_found_at_its_place(chain: list[Row], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(chain) - 1))
    row = chain[place]
    name = data.draw(st.sampled_from(["t_ns", "wall_ns", "kind", "payload", "previous", "digest"]))
    value = getattr(row, name)
    if isinstance(value, int):
        changed: Any = value ^ (1 << data.draw(st.integers(0, 62)))
    else:
        before = value if isinstance(value, bytes) else value.encode()
        at = data.draw(st.integers(0, len(before) - 1))
        after = bytearray(before)
        after[at] ^= data.draw(st.integers(1, 255))
        changed = bytes(after) if isinstance(value, bytes) else after.decode(errors="surrogateescape")
    found = first_break([*chain[:place], replace(row, **{name: changed}), *chain[place + 1 :]])
    assert found is not None
    assert found.seq == place + 1


@given(chains(), st.data())
def test_a_removed_entry_is_found_unless_it_was_the_last(chain: list[Row], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(chain) - 2))
    found = first_break([*chain[:place], *chain[place + 1 :]])
    assert found == Break(
        seq=place + 1, why=f"entry {place + 1} is missing; the one found there is numbered {place + 2}"
    )
    renumbered = [replace(row, seq=n) for n, row in enumerate([*chain[:place], *chain[place + 1 :]], start=1)]
    found = first_break(renumbered)
    assert found is not None
    assert found.seq == place + 1
    assert first_break(chain[:-1]) is None


@given(chains(), st.data())
def test_swapped_entries_are_found_at_the_first(chain: list[Row], data: st.DataObject) -> None:
    one, other = sorted(data.draw(st.lists(st.integers(0, len(chain) - 1), min_size=2, max_size=2, unique=True)))
    swapped = list(chain)
    swapped[one], swapped[other] = chain[other], chain[one]
    for forged in (swapped, [replace(row, seq=n) for n, row in enumerate(swapped, start=1)]):
        found = first_break(forged)
        assert found is not None
        assert found.seq == one + 1


@given(chains(), PAYLOADS, st.data())
def test_an_inserted_entry_is_found_at_or_after_its_place(
    chain: list[Row], payload: dict[str, Any], data: st.DataObject
) -> None:
    place = data.draw(st.integers(1, len(chain) - 1))
    before = chain[place - 1]
    draft = Draft(t_ns=0, wall_ns=0, kind=Kind.NOTE, payload=payload)
    (new,) = rows([draft], seq=before.seq, previous=before.digest)  # a good one, as far as it goes
    found = first_break([*chain[:place], new, *[replace(row, seq=row.seq + 1) for row in chain[place:]]])
    assert found is not None
    assert found.seq == place + 2
    found = first_break([*chain[:place], new, *chain[place:]])
    assert found is not None
    assert found.seq == place + 2


def sealed(row: Row) -> Row:
    return replace(row, digest=digest(row))


@given(chains())
def test_what_follows_well_but_is_no_journal_is_found(chain: list[Row]) -> None:
    last, seq = chain[-1], len(chain)
    for wrong in (
        replace(last, kind="header"),
        replace(last, kind="gossip"),
        replace(last, payload=" {}"),
        replace(last, payload="[]"),
        replace(last, payload='{"b":1,"a":2}'),
        replace(last, payload='{"a":1,"a":2}'),
        replace(last, payload='{"a":1.50}'),
        replace(last, payload="{"),
        replace(last, payload="[" * 100_000),
    ):
        found = first_break([*chain[:-1], sealed(wrong)])
        assert found is not None
        assert found.seq == seq
    headless = sealed(replace(chain[0], kind="fact"))
    assert first_break([headless]) == Break(seq=1, why="the first entry is no header")
    assert first_break([]) == Break(seq=1, why="there is no entry at all")
