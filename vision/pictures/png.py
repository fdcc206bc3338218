"""PNG (ISO/IEC 15948)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from vision.pictures.error import PictureError
from vision.pictures.opencv import decoded
from vision.pictures.upright import upright

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

_START = b"\x89PNG\r\n\x1a\n"
_HEADER, _PALETTE, _DATA, _END, _EXIF = b"IHDR", b"PLTE", b"IDAT", b"IEND", b"eXIf"
_HEADER_LENGTH = 13


def is_kind(data: bytes) -> bool:
    """Whether ``data`` begin as a PNG does."""
    return data.startswith(_START)


def size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels as declared. Raises PictureError."""
    name, body, _ = next(_chunks(data))
    if name != _HEADER or len(body) != _HEADER_LENGTH:
        raise PictureError("is a damaged picture")
    return int.from_bytes(body[:4]), int.from_bytes(body[4:8])


def pixels(data: bytes) -> NDArray[np.uint8]:
    """The picture, upright: (H, W, 3) uint8, BGR; transparency is left out, 16 bits are cut to 8.

    Raises PictureError when a part of the picture is damaged or missing.
    """
    kept, exif = [_START], b""
    for name, body, chunk in _chunks(data):
        if crc32(chunk[4:-4]) != int.from_bytes(chunk[-4:]) or (name == _HEADER) != (len(kept) == 1):
            raise PictureError("is a damaged picture")
        # The decoder gets only what it needs: of colour profiles and the like it would complain on stderr.
        if name in (_HEADER, _PALETTE, _DATA, _END):
            kept.append(bytes(chunk))
        elif name == _EXIF:
            exif = bytes(body)
    return upright(decoded(b"".join(kept)), exif)


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview, memoryview]]:
    """Name, body and the whole of each chunk up to the end chunk. Raises PictureError when it does not come."""
    view = memoryview(data)
    at = len(_START)
    while at + 12 <= len(data):
        length, name = int.from_bytes(view[at : at + 4]), bytes(view[at + 4 : at + 8])
        end = at + 12 + length
        if end > len(data):
            break
        yield name, view[at + 8 : end - 4], view[at:end]
        if name == _END:
            return
        at = end
    raise PictureError("is a damaged or incomplete picture")
