"""Arrays as picamera2 gives them, as the BGR pictures that are read.

The readers look at colour, so luma alone would not do for them; what comes as YUV is converted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PLANAR = {
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
}
"""Of 3/2 times the height; each row may be longer than the picture's."""
_CHANNELS = {"RGB888": 3, "XRGB8888": 4}
"""libcamera names colours as they lie in a word, so that these begin with blue."""


def known(name: str) -> bool:
    """Whether arrays of this format of libcamera's can be used."""
    return name in _PLANAR or name in _CHANNELS


def bgr(array: NDArray[np.uint8], name: str, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The (H, W, 3) picture in ``array``; ``size``: its width and height. Raises ValueError for what is not of it."""
    width, height = size
    if name in _PLANAR:
        if array.ndim != 2 or array.shape[0] != height * 3 // 2 or array.shape[1] < width:
            raise ValueError(f"is an array of {array.shape}, no {name} of {width} x {height} pixels")
        picture = cv2.cvtColor(array, _PLANAR[name])
        return np.ascontiguousarray(picture[:, :width], np.uint8)
    if array.shape != (height, width, _CHANNELS[name]):
        raise ValueError(f"is an array of {array.shape}, no {name} of {width} x {height} pixels")
    return array[:, :, :3]
