"""Still pictures: whole ones are read upright and in colour, whatever kind of JPEG or PNG they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.picture_file import PictureError, read_picture

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

BLUE_LEFT = np.full((40, 60, 3), (0, 0, 200), np.uint8)
BLUE_LEFT[:, :30] = (200, 0, 0)


def jpeg(image: NDArray[np.uint8], *options: int) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95, *options])[1].tobytes()


def quarter_turned(data: bytes) -> bytes:
    """The JPEG with EXIF data that say: turn me clockwise (orientation 6)."""
    entry = (0x0112).to_bytes(2) + (3).to_bytes(2) + (1).to_bytes(4) + (6).to_bytes(2) + bytes(2)
    exif = b"Exif\0\0MM\0*" + (8).to_bytes(4) + (1).to_bytes(2) + entry + bytes(4)
    return data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2) + exif + data[2:]


def read(folder: Path, data: bytes) -> NDArray[np.uint8]:
    (folder / "still").write_bytes(data)
    return read_picture(folder / "still")


@pytest.mark.parametrize("options", [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 2)])
def test_jpeg(tmp_path: Path, options: tuple[int, ...]) -> None:
    image = read(tmp_path, jpeg(BLUE_LEFT, *options))
    assert image.shape == (40, 60, 3)
    assert image.dtype == np.uint8
    assert image[20, 10].tolist() == pytest.approx([200, 0, 0], abs=4)
    assert image[20, 50].tolist() == pytest.approx([0, 0, 200], abs=4)


def test_fill_bytes_between_segments(tmp_path: Path) -> None:
    data = jpeg(BLUE_LEFT)
    assert read(tmp_path, data[:2] + b"\xff\xff" + data[2:]).shape == (40, 60, 3)


def test_something_after_the_end(tmp_path: Path) -> None:
    assert read(tmp_path, jpeg(BLUE_LEFT) + b"notes of the camera").shape == (40, 60, 3)


def test_turned_upright(tmp_path: Path) -> None:
    image = read(tmp_path, quarter_turned(jpeg(BLUE_LEFT)))
    assert image.shape == (60, 40, 3)
    assert image[10, 20].tolist() == pytest.approx([200, 0, 0], abs=4)


@pytest.mark.parametrize(
    "image", [np.full((40, 60), 7, np.uint8), np.full((40, 60), 7 * 256, np.uint16), np.full((40, 60, 4), 7, np.uint8)]
)
def test_png_of_any_kind_becomes_colour(tmp_path: Path, image: NDArray[np.uint8] | NDArray[np.uint16]) -> None:
    read_back = read(tmp_path, cv2.imencode(".png", image)[1].tobytes())
    assert read_back.shape == (40, 60, 3)
    assert read_back.dtype == np.uint8
    assert np.all(read_back == 7)


@pytest.mark.parametrize("cut", [2, 30, 300, 700])
def test_exif_thumbnail_does_not_pass_for_the_end(tmp_path: Path, cut: int) -> None:
    data = jpeg(BLUE_LEFT)
    thumbnail = data[:2] + b"\xff\xe1" + (len(data) + 2).to_bytes(2) + data + data[2:]
    assert read(tmp_path, thumbnail).shape == (40, 60, 3)
    with pytest.raises(PictureError, match="is a damaged or incomplete picture"):
        read(tmp_path, thumbnail[:-cut])


def test_too_large_a_file(tmp_path: Path) -> None:
    with (tmp_path / "still").open("wb") as file:
        file.truncate(300_000_001)
    with pytest.raises(PictureError, match="is larger than 300 MB; use a smaller picture"):
        read_picture(tmp_path / "still")


def test_jpeg_with_a_hole_is_damaged(tmp_path: Path) -> None:
    """A lost sector decodes to grey, in which stones would seem to be gone."""
    picture = np.random.default_rng(1).integers(0, 255, (400, 400, 3)).astype(np.uint8)
    data = bytearray(cv2.imencode(".jpg", picture)[1].tobytes())
    data[8192:8704] = bytes(512)
    path = tmp_path / "hole.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError, match="is a damaged picture"):
        read_picture(path)


def test_grey_jpeg_is_read_in_colour(tmp_path: Path) -> None:
    picture = np.random.default_rng(2).integers(0, 255, (60, 80)).astype(np.uint8)
    path = tmp_path / "grey.jpg"
    path.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    read = read_picture(path)
    assert read.shape == (60, 80, 3)
    assert (read[..., 0] == read[..., 2]).all()


def test_side_too_long_for_opencv_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.png"
    path.write_bytes(cv2.imencode(".png", np.zeros((2, 40_000, 3), np.uint8))[1].tobytes())
    with pytest.raises(PictureError, match="a side longer than"):
        read_picture(path)
