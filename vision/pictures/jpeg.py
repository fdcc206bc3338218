"""JPEG (ITU-T T.81)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import simplejpeg

from vision.pictures.error import PictureError
from vision.pictures.upright import upright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_START = b"\xff\xd8\xff"
_EXIF = b"Exif\0\0"
_APP1 = 0xE1
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN = 0xDA
_END_OF_IMAGE = b"\xff\xd9"


def is_kind(data: bytes) -> bool:
    """Whether ``data`` begin as a JPEG does."""
    return data.startswith(_START)


def size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels as declared. Raises PictureError when no end follows: it was cut short."""
    width = height = 0
    for marker, at in _segments(data):
        if marker in _START_OF_FRAME:
            height, width = int.from_bytes(data[at + 5 : at + 7]), int.from_bytes(data[at + 7 : at + 9])
        if marker == _START_OF_SCAN and width and data.find(_END_OF_IMAGE, at) > 0:
            return width, height
    raise PictureError("is a damaged or incomplete picture")


def pixels(data: bytes) -> NDArray[np.uint8]:
    """The picture, upright: (H, W, 3) uint8, BGR.

    Strictly: a lax decoder takes a JPEG with a hole in it for a picture, grey where the hole is, and stones are missed
    there. Raises PictureError.
    """
    try:
        image = np.asarray(simplejpeg.decode_jpeg(data, colorspace="BGR", strict=True), np.uint8)
    except ValueError:
        raise PictureError("is a damaged picture") from None
    return upright(image, _exif(data))


def _exif(data: bytes) -> bytes:
    """The EXIF data, empty where there are none."""
    for marker, at in _segments(data):
        body = data[at + 4 : at + 2 + int.from_bytes(data[at + 2 : at + 4])]
        if marker == _APP1 and body.startswith(_EXIF):
            return body
    return b""


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """The markers up to the first scan (annex B), each with where it begins."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        yield marker, at
        if marker == _START_OF_SCAN:
            return
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
