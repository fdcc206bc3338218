"""Arrays in the layouts of libcamera's documents, made by hand, back to BGR."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pixel_formats import bgr, known

WIDTH, HEIGHT = 8, 4
Y, U, V = 90, 200, 110
BLUE = (231, 73, 57)
"""By ITU-R BT.601, limited range: 1.164 (Y - 16) + 2.017 (U - 128), and so on."""


def planar(first: int, second: int, *, stride: int, interleaved: bool) -> NDArray[np.uint8]:
    array = np.zeros((HEIGHT * 3 // 2, stride), np.uint8)
    array[:HEIGHT, :WIDTH] = Y
    if interleaved:
        array[HEIGHT:, 0:WIDTH:2], array[HEIGHT:, 1:WIDTH:2] = first, second
    else:
        planes = array[HEIGHT:].reshape(2, HEIGHT // 2, stride // 2)
        planes[0, :, : WIDTH // 2], planes[1, :, : WIDTH // 2] = first, second
    return array


@pytest.mark.parametrize("stride", [WIDTH, 2 * WIDTH])
@pytest.mark.parametrize(
    ("name", "first", "second", "interleaved"),
    [("YUV420", U, V, False), ("YVU420", V, U, False), ("NV12", U, V, True), ("NV21", V, U, True)],
)
def test_luma_and_chroma_become_colours(name: str, first: int, second: int, interleaved: bool, stride: int) -> None:
    picture = bgr(planar(first, second, stride=stride, interleaved=interleaved), name, (WIDTH, HEIGHT))
    assert picture.shape == (HEIGHT, WIDTH, 3)
    np.testing.assert_allclose(picture.reshape(-1, 3), [BLUE] * (WIDTH * HEIGHT), atol=1)


def test_colours_are_taken_as_they_are() -> None:
    array = np.arange(HEIGHT * WIDTH * 4, dtype=np.uint8).reshape(HEIGHT, WIDTH, 4)
    assert np.array_equal(bgr(array, "XRGB8888", (WIDTH, HEIGHT)), array[:, :, :3])
    assert np.array_equal(bgr(array[:, :, :3], "RGB888", (WIDTH, HEIGHT)), array[:, :, :3])


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("RGB888", (HEIGHT, WIDTH)),
        ("RGB888", (HEIGHT, WIDTH, 4)),
        ("RGB888", (WIDTH, HEIGHT, 3)),
        ("NV12", (HEIGHT, WIDTH)),
        ("YUV420", (HEIGHT * 3 // 2, WIDTH - 2)),
    ],
)
def test_what_is_not_of_that_format_is_refused(name: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=f"no {name} of 8 x 4 pixels"):
        bgr(np.zeros(shape, np.uint8), name, (WIDTH, HEIGHT))


def test_red_first_and_compressed_formats_are_not_known() -> None:
    assert known("RGB888")
    assert not any(known(name) for name in ("BGR888", "XBGR8888", "MJPEG", "SRGGB10", ""))
