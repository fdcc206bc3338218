"""WebP (RFC 9649)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.pictures.error import PictureError
from vision.pictures.opencv import decoded
from vision.pictures.upright import upright

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

_LOSSY, _LOSSLESS, _EXTENDED, _EXIF = b"VP8 ", b"VP8L", b"VP8X", b"EXIF"
_ANIMATION = (b"ANIM", b"ANMF")
_SIDE = (1 << 14) - 1


def is_kind(data: bytes) -> bool:
    """Whether ``data`` begin as a WebP does."""
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels: the largest that any part declares. Raises PictureError when a part is missing."""
    width = height = 0
    for name, body in _chunks(data):
        if name in _ANIMATION:
            raise PictureError("is an animation", "save one picture of it")
        if name == _EXTENDED:
            declared = 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
        elif name == _LOSSLESS:
            bits = int.from_bytes(body[1:5], "little")
            declared = 1 + (bits & _SIDE), 1 + (bits >> 14 & _SIDE)
        elif name == _LOSSY:
            declared = int.from_bytes(body[6:8], "little") & _SIDE, int.from_bytes(body[8:10], "little") & _SIDE
        else:
            continue
        width, height = max(width, declared[0]), max(height, declared[1])
    return width, height


def pixels(data: bytes) -> NDArray[np.uint8]:
    """The picture, upright: (H, W, 3) uint8, BGR; transparency is left out. Raises PictureError."""
    exif = next((body for name, body in _chunks(data) if name == _EXIF), b"")
    return upright(decoded(data), exif)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and body of each chunk. Raises PictureError when the file is shorter than it says."""
    end = 8 + int.from_bytes(data[4:8], "little")
    at = 12
    while at + 8 <= min(end, len(data)):
        stop = at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")
        if stop > len(data):
            break
        yield data[at : at + 4], data[at + 8 : stop]
        at = stop + stop % 2
    if at < end:
        raise PictureError("is a damaged or incomplete picture")
