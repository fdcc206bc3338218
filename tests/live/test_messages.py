"""A client's lines: in whatever pieces they come, what is a request, and what is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.live.messages import (
    LONGEST,
    Decide,
    Follow,
    Incoming,
    NotUnderstood,
    Request,
    Snapshot,
    line_of,
    request_of,
)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ('{"ask": "snapshot"}', Snapshot()),
        ('{"ask": "snapshot", "id": "a"}', Snapshot(id="a")),
        ('{"ask":"follow"}\r', Follow()),
        ('{"ask": "follow", "after": 0, "id": 7}', Follow(after=0, id=7)),
        (
            '{"decide": {"confirm": 3, "reason": "看見了"}, "id": 1}',
            Decide(decision={"confirm": 3, "reason": "看見了"}, id=1),
        ),
    ],
)
def test_requests(line: str, request_: Request) -> None:
    assert request_of(line.encode()) == request_


UNKNOWN = 'unknown request: send {"ask": "snapshot"}, {"ask": "follow"} or {"decide": {…}, "id": …}'


@pytest.mark.parametrize(
    ("line", "why", "id_"),
    [
        (b"", "not JSON (", None),
        (b"hello", "not JSON (", None),
        (b"\xff\xfe\x00", "not JSON (", None),
        (b'{"ask": "snapshot"', "not JSON (", None),
        (b'{"decide": {"x": NaN}, "id": 1}', "not JSON (", None),
        (b'{"id": "\\ud800"}', "not JSON (", None),
        (b"[" * 60_000, "not JSON (", None),
        (b'{"a":' * 10_000, "not JSON (", None),
        (b"1" * 50_000, "not JSON (", None),
        (b"[]", "no JSON object: send ", None),
        (b"null", "no JSON object: send ", None),
        (b"{}", UNKNOWN, None),
        (b'{"ask": "everything", "id": 5}', UNKNOWN, 5),
        (b'{"ask": ["snapshot"]}', UNKNOWN, None),
        (b'{"ask": "snapshot", "please": true}', UNKNOWN, None),
        (b'{"ask": "follow", "after": "1"}', UNKNOWN, None),
        (b'{"ask": "follow", "after": 1.5}', UNKNOWN, None),
        (b'{"ask": "follow", "after": true}', UNKNOWN, None),
        (b'{"ask": "snapshot", "decide": {}, "id": 1}', UNKNOWN, 1),
        (b'{"decide": {}}', "a decision without id: send one", None),
        (b'{"decide": "stop", "id": 2}', UNKNOWN, 2),
        (b'{"ask": "snapshot", "id": {}}', "id: send a text or a whole number", None),
        (b'{"ask": "snapshot", "id": true}', "id: send a text or a whole number", None),
        (b'{"ask": "snapshot", "id": "' + b"x" * 201 + b'"}', "id: send a text or a whole number", None),
        (b'{"ask": "snapshot", "id": ' + b"9" * 5000 + b"}", "", None),
    ],
)
def test_what_is_no_request_is_told_in_one_line(line: bytes, why: str, id_: object) -> None:
    with pytest.raises(NotUnderstood) as caught:
        request_of(line)
    assert str(caught.value).startswith(why)
    assert caught.value.id == id_
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def lines_of(pieces: list[bytes]) -> list[bytes | None]:
    """All lines; None for one that was too long."""
    incoming, lines = Incoming(), list[bytes | None]()
    for piece in pieces:
        incoming.feed(piece)
        while True:
            try:
                line = incoming.next()
            except NotUnderstood:
                lines.append(None)
                continue
            if line is None:
                break
            lines.append(line)
    return lines


LENGTHS = st.one_of(st.integers(0, 40), st.sampled_from([LONGEST - 1, LONGEST, LONGEST + 1, 3 * LONGEST]))


@given(st.lists(LENGTHS, max_size=6), st.lists(st.integers(1000, 70_000), min_size=1, max_size=6))
def test_lines_are_the_same_in_whatever_pieces_they_come(lengths: list[int], sizes: list[int]) -> None:
    lines = [bytes([65 + number]) * length for number, length in enumerate(lengths)]
    sent = b"".join(line + b"\n" for line in lines) + b"not yet a line"
    pieces, place = list[bytes](), 0
    while place < len(sent):
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(sent[place : place + size])
        place += size
    assert lines_of(pieces) == [line if len(line) <= LONGEST else None for line in lines]


def test_a_line_without_end_is_not_kept() -> None:
    incoming = Incoming()
    incoming.feed(b"x" * (LONGEST + 1))
    with pytest.raises(NotUnderstood):
        incoming.next()
    for _ in range(3):
        incoming.feed(b"x" * LONGEST)
        assert incoming.next() is None
        assert not incoming._unread
    incoming.feed(b'the rest\n{"ask": "snapshot"}\n')
    assert incoming.next() == b'{"ask": "snapshot"}'


def test_an_answer_is_one_line_with_the_id_first() -> None:
    line = line_of({"error": "two\nlines 裁判"}, "a")
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"id": "a", "error": "two\nlines 裁判"}
    assert line_of({"accepted": True}) == b'{"accepted": true}\n'
