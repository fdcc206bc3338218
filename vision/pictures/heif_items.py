"""The coded pictures in a HEIF file (ISO/IEC 14496-12: boxes, 8.11: items)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.pictures.error import PictureError

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEVC = b"hvc1"


def boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and body of each outermost box in ``data``. Raises PictureError when one is not there as a whole."""
    at = 0
    while at < len(data):
        head, length = 8, int.from_bytes(data[at : at + 4])
        if length == 1:
            head, length = 16, int.from_bytes(data[at + 8 : at + 16])
        elif length == 0:  # up to the end of the file
            length = len(data) - at
        if length < head or at + length > len(data):
            raise PictureError("is a damaged or incomplete picture")
        yield data[at + 4 : at + 8], data[at + head : at + length]
        at += length


def hevc_pictures(data: bytes) -> Iterator[bytes]:
    """The bytes of each picture, or tile of one, that is coded by HEVC. Raises PictureError."""
    for meta in (body for name, body in boxes(data) if name == b"meta"):
        described = dict(boxes(meta[4:]))
        coded = _hevc_items(described.get(b"iinf", b""))
        left = len(data)
        for item, parts in _places(described.get(b"iloc", b"")):
            if item not in coded:
                continue
            left -= sum(length for _, length in parts)
            if left < 0:
                raise PictureError("is a damaged picture")
            yield b"".join(data[start : start + length] for start, length in parts)


def _hevc_items(listed: bytes) -> set[int]:
    """The numbers of those items in an item information box."""
    found = set()
    for name, body in boxes(listed[8 if listed[:1] != b"\0" else 6 :]):
        number = 2 if body[:1] == b"\2" else 4
        if name == b"infe" and body[6 + number : 10 + number] == _HEVC:
            found.add(int.from_bytes(body[4 : 4 + number]))
    return found


def _places(located: bytes) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Of an item location box each item that lies in the file itself: its number, and start and length of its parts."""
    at = 4

    def number(length: int) -> int:
        nonlocal at
        at += length
        return int.from_bytes(located[at - length : at])

    version = located[0] if located else 0
    offset_and_length, base_and_index = number(1), number(1)
    for _ in range(number(4 if version == 2 else 2)):
        if at >= len(located):
            return
        item = number(4 if version == 2 else 2)
        elsewhere = version > 0 and number(2) & 15
        elsewhere = number(2) or elsewhere
        base = number(base_and_index >> 4)
        parts = []
        for _ in range(number(2)):
            if version > 0:
                number(base_and_index & 15)
            start = base + number(offset_and_length >> 4)
            parts.append((start, number(offset_and_length & 15)))
        if not elsewhere:
            yield item, parts
