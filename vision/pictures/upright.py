"""Turn a picture upright as its EXIF data say (CIPA DC-008, tag Orientation)."""

from __future__ import annotations

import struct
from struct import unpack_from
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}
_ENTRY = "HHIH"
_ORIENTATION = 0x0112


def upright(image: NDArray[np.uint8], exif: bytes) -> NDArray[np.uint8]:
    """``image`` (H, W, 3) turned and mirrored as ``exif`` asks: a TIFF header and its tags, or nothing."""
    turned = {
        2: lambda: image[:, ::-1],
        3: lambda: image[::-1, ::-1],
        4: lambda: image[::-1],
        5: lambda: image.swapaxes(0, 1),
        6: lambda: image[::-1].swapaxes(0, 1),
        7: lambda: image[::-1, ::-1].swapaxes(0, 1),
        8: lambda: image[:, ::-1].swapaxes(0, 1),
    }.get(orientation(exif))
    return image if turned is None else np.ascontiguousarray(turned())


def orientation(exif: bytes) -> int:
    """The tag's value, 1 (as it is) to 8; 1 where the tag is missing or cannot be read."""
    tiff = exif.removeprefix(b"Exif\0\0")
    order = _ORDERS.get(tiff[:4])
    if order is None:
        return 1
    try:
        (first,) = unpack_from(order + "I", tiff, 4)
        (count,) = unpack_from(order + "H", tiff, first)
        for number in range(count):
            tag, _, _, value = unpack_from(order + _ENTRY, tiff, first + 2 + 12 * number)
            if tag == _ORIENTATION:
                return value if value in range(1, 9) else 1
    except struct.error:  # cut short
        pass
    return 1
