"""Read one still picture from a file, refusing what would be misread or swallow the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from vision.pictures import heic, jpeg, png, webp
from vision.pictures.error import PictureError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MAX_PIXELS", "MAX_SIDE", "SUFFIXES", "PictureError", "read_picture"]

MAX_PIXELS = 100_000_000
"""Larger pictures are refused unread: no board needs them and 300 MB each would starve the appliance."""

MAX_SIDE = 32_000
"""Pixels; OpenCV cannot map longer sides."""

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"})
"""How the names of such files end, in lower case."""


class _Kind(Protocol):
    """What the module of a kind of picture file offers."""

    def is_kind(self, data: bytes) -> bool: ...
    def size(self, data: bytes) -> tuple[int, int]: ...
    def pixels(self, data: bytes) -> NDArray[np.uint8]: ...


_KINDS: tuple[_Kind, ...] = (jpeg, png, webp, heic)


def read_picture(path: Path) -> NDArray[np.uint8]:
    """The JPEG, PNG, WebP or HEIC picture in ``path``: (H, W, 3) uint8, BGR, turned upright as its EXIF data say.

    The content decides, not the name. Raises PictureError when there is no whole picture of at most MAX_PIXELS.
    """
    try:
        if not path.is_file():
            if path.exists():
                raise PictureError("is no file", "name a picture")
            raise PictureError("does not exist", "check the name")
        if path.stat().st_size > 3 * MAX_PIXELS:
            raise PictureError(f"is larger than {3 * MAX_PIXELS // 1_000_000} MB", "use a smaller picture")
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"cannot be read: {error.strerror}", "see to the card or the rights") from None
    if not data:
        raise PictureError("is empty")
    for kind in _KINDS:
        if kind.is_kind(data):
            _check(*kind.size(data))
            return kind.pixels(data)
    raise PictureError("is no JPEG, PNG, WebP or HEIC picture", "save it as one of these")


def _check(width: int, height: int) -> None:
    """Refuse a picture by the size that its header declares, before it is decoded."""
    if width * height > MAX_PIXELS:
        what = f"has {width} x {height} pixels, more than {MAX_PIXELS // 1_000_000} megapixels"
        raise PictureError(what, "scale it down")
    if max(width, height) > MAX_SIDE:
        raise PictureError(f"has {width} x {height} pixels, a side longer than {MAX_SIDE}", "scale it down")
