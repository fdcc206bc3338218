"""Read one still picture from a file, refusing what would be misread or swallow the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import simplejpeg

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

MAX_PIXELS = 100_000_000
"""Larger pictures are refused unread: no board needs them and 300 MB each would starve the appliance."""

MAX_SIDE = 32_000
"""Pixels; OpenCV cannot map longer sides."""

_EXIF, _SEGMENT = b"Exif", 1 << 16
_JPEG, _PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_PNG_SIZE = slice(16, 24)
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN = 0xDA
_END_OF_IMAGE = b"\xff\xd9"


class PictureError(Exception):
    """The file holds no usable picture; the message says why, to follow the file's name."""


def read_picture(path: Path) -> NDArray[np.uint8]:
    """The JPEG or PNG picture in ``path``: (H, W, 3) uint8, BGR, turned upright as its EXIF data say.

    The content decides, not the name. Raises PictureError when there is no whole picture of at most MAX_PIXELS.
    """
    try:
        if not path.is_file():
            raise PictureError("is no file" if path.exists() else "does not exist")
        if path.stat().st_size > 3 * MAX_PIXELS:
            raise PictureError(f"is larger than {3 * MAX_PIXELS // 1_000_000} MB; use a smaller picture")
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"cannot be read: {error.strerror}") from None
    width, height = _declared_size(data)
    if width * height > MAX_PIXELS:
        raise PictureError(
            f"has {width} x {height} pixels, more than {MAX_PIXELS // 1_000_000} megapixels; scale it down"
        )
    if max(width, height) > MAX_SIDE:
        raise PictureError(f"has {width} x {height} pixels, a side longer than {MAX_SIDE}; scale it down")
    whole = _whole_jpeg(data) if data.startswith(_JPEG) else None
    if whole is not None and _EXIF not in data[:_SEGMENT]:
        return whole
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise PictureError("is a damaged picture")
    return np.asarray(image, np.uint8)


def _whole_jpeg(data: bytes) -> NDArray[np.uint8] | None:
    """The picture as stored, not turned; None for colours that only OpenCV knows.

    OpenCV takes a JPEG with a hole in it for a picture, grey where the hole is, and stones are missed there.
    """
    try:
        _, _, colours, _ = simplejpeg.decode_jpeg_header(data)
        if colours not in ("Gray", "YCbCr", "RGB"):
            return None
        return np.asarray(simplejpeg.decode_jpeg(data, colorspace="BGR", strict=True), np.uint8)
    except ValueError:
        raise PictureError("is a damaged picture") from None


def _declared_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels as the file's header declares them."""
    if not data:
        raise PictureError("is empty")
    if data.startswith(_PNG):
        size = data[_PNG_SIZE]
        return int.from_bytes(size[:4]), int.from_bytes(size[4:])
    if data.startswith(_JPEG):
        return _jpeg_size(data)
    raise PictureError("is no JPEG or PNG picture")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Walk the segments (ITU-T T.81, annex B) to the frame header; the end of the image must follow, or it was cut."""
    width = height = 0
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in _START_OF_FRAME:
            height, width = int.from_bytes(data[at + 5 : at + 7]), int.from_bytes(data[at + 7 : at + 9])
        if marker == _START_OF_SCAN and width and data.find(_END_OF_IMAGE, at) > 0:
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    raise PictureError("is a damaged or incomplete picture")
