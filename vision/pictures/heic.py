"""HEIC, the pictures of many telephones (ISO/IEC 23008-12, pictures coded by HEVC)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.pictures.error import PictureError
from vision.pictures.heif_items import boxes, hevc_pictures

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1"})
_EXTENT = re.compile(rb"ispe....(....)(....)", re.DOTALL)
_HOLE = bytes(64)
"""HEVC forbids three zeros in a row. A lost sector is full of them, and the decoder paints over it without a word."""

_ADVICE = "take or copy it again, or save it as JPEG"


def is_kind(data: bytes) -> bool:
    """Whether ``data`` begin as a HEIC does: with a box that names one of its brands."""
    end = int.from_bytes(data[:4])
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, min(end, 256) - 3, 4))}
    return data[4:8] == b"ftyp" and not _BRANDS.isdisjoint(brands)


def size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels: the largest that any part declares, as what is shown may be cut from a larger one.

    Raises PictureError when a part of the file is missing.
    """
    width, height = _opened(data)[1]
    for name, body in boxes(data):
        for extent in _EXTENT.finditer(body) if name == b"meta" else ():
            width, height = max(width, int.from_bytes(extent[1])), max(height, int.from_bytes(extent[2]))
    return width, height


def pixels(data: bytes) -> NDArray[np.uint8]:
    """The picture, upright as its own boxes say, which count before EXIF: (H, W, 3) uint8, BGR. Raises PictureError."""
    opened, _ = _opened(data)
    if any(_HOLE in coded for coded in hevc_pictures(data)):
        raise PictureError("is a damaged picture", _ADVICE)
    try:
        image = np.asarray(opened)
    except (ValueError, RuntimeError, OSError, EOFError, SyntaxError):
        raise PictureError("is a damaged picture", _ADVICE) from None
    if image.dtype == np.uint16:
        image = image >> 8
    if image.ndim == 2:
        image = image[..., None].repeat(3, axis=2)
    return np.ascontiguousarray(image[..., :3], np.uint8)


def _opened(data: bytes) -> tuple[Any, tuple[int, int]]:
    """The file, not decoded yet, with width and height of its main picture."""
    import pillow_heif  # costs memory and a tenth of a second, and most pictures are of other kinds

    try:
        opened = pillow_heif.open_heif(data, bgr_mode=True)
        width, height = opened.size
    except (ValueError, RuntimeError, OSError, EOFError, SyntaxError, IndexError):
        raise PictureError("is a damaged picture", _ADVICE) from None
    return opened, (width, height)
