"""Pixels of the kinds that OpenCV decodes for us."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.pictures.error import PictureError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SILENT = 0


def decoded(data: bytes) -> NDArray[np.uint8]:
    """The picture as stored, not turned: (H, W, 3) uint8, BGR. Raises PictureError."""
    level = cv2.utils.logging.setLogLevel(_SILENT)  # what is wrong is told once, by us
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        image = None
    finally:
        cv2.utils.logging.setLogLevel(level)
    if image is None:
        raise PictureError("is a damaged picture")
    return np.asarray(image, np.uint8)
