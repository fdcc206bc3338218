"""Still pictures: whole ones are read upright and in colour, of whatever kind they are; broken ones are refused."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pillow_heif
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from vision.picture_file import PictureError, read_picture

if TYPE_CHECKING:
    from collections.abc import Callable
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
    with pytest.raises(PictureError, match="is larger than 300 MB"):
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


def saved(kind: str, image: NDArray[np.uint8] = BLUE_LEFT, **options: Any) -> bytes:
    """``image`` as Pillow writes it."""
    file = io.BytesIO()
    picture = Image.fromarray(image[..., ::-1])
    if kind == "HEIF":
        pillow_heif.from_pillow(picture).save(file, quality=95, **options)
    else:
        picture.save(file, kind, **options)
    return file.getvalue()


def tilted(orientation: int) -> bytes:
    """EXIF data with an orientation."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


KINDS = ["JPEG", "PNG", "WEBP", "HEIF"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(tmp_path: Path, kind: str) -> None:
    image = read(tmp_path, saved(kind))
    assert image.shape == (40, 60, 3)
    assert image.dtype == np.uint8
    assert image[20, 10].tolist() == pytest.approx([200, 0, 0], abs=8)
    assert image[20, 50].tolist() == pytest.approx([0, 0, 200], abs=8)


# Where the picture's top left corner comes to lie as EXIF's orientations 1 to 8 say: (at the bottom, on the right).
TURNS = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0), (0, 1), (1, 1), (1, 0)]


@pytest.mark.parametrize(("orientation", "corner"), list(enumerate(TURNS, 1)))
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_turned_upright(tmp_path: Path, kind: str, orientation: int, corner: tuple[int, int]) -> None:
    picture = np.full((40, 60, 3), 20, np.uint8)
    picture[:20, :30] = 230
    image = read(tmp_path, saved(kind, picture, exif=tilted(orientation)))
    assert image.shape == ((40, 60, 3) if orientation <= 4 else (60, 40, 3))
    height, width = image.shape[:2]
    quarters = {
        (bottom, right): int(image[height * (1 + 2 * bottom) // 4, width * (1 + 2 * right) // 4].mean())
        for bottom in (0, 1)
        for right in (0, 1)
    }
    assert {quarter for quarter, light in quarters.items() if light > 128} == {corner}


@pytest.mark.parametrize("exif", [b"Exif\0\0", b"Exif\0\0II*\0\xff\xff\xff\xff", tilted(6)[:-12], tilted(9), tilted(0)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_damaged_exif_turns_nothing(tmp_path: Path, kind: str, exif: bytes) -> None:
    assert read(tmp_path, saved(kind, exif=exif)).shape == (40, 60, 3)


@pytest.mark.parametrize(
    ("kind", "mode", "blue"),
    [
        ("PNG", "P", [200, 0, 0]),
        ("PNG", "RGBA", [200, 0, 0]),
        ("PNG", "LA", [23, 23, 23]),
        ("PNG", "1", [0, 0, 0]),
        ("WEBP", "RGBA", [200, 0, 0]),
        ("JPEG", "L", [23, 23, 23]),
        ("JPEG", "CMYK", [200, 0, 0]),
    ],
)
def test_every_mode_becomes_colour(tmp_path: Path, kind: str, mode: str, blue: list[int]) -> None:
    file = io.BytesIO()
    Image.fromarray(BLUE_LEFT[..., ::-1]).convert(mode, dither=Image.Dither.NONE).save(file, kind)
    image = read(tmp_path, file.getvalue())
    assert image.shape == (40, 60, 3)
    assert image[20, 10].tolist() == pytest.approx(blue, abs=8)


@pytest.mark.parametrize("mode", ["L", "RGBA", "I;16"])
def test_every_mode_of_heic_becomes_colour(tmp_path: Path, mode: str) -> None:
    """Grey 100 everywhere, the upper half of 16 bits where there are so many."""
    grey = Image.fromarray(np.full((40, 60), 100, np.uint8))
    picture = Image.fromarray(np.full((40, 60), 100 * 256, np.uint16)) if mode == "I;16" else grey.convert(mode)
    file = io.BytesIO()
    pillow_heif.from_pillow(picture).save(file, quality=95)
    image = read(tmp_path, file.getvalue())
    assert image.shape == (40, 60, 3)
    assert np.abs(image.astype(int) - 100).max() <= 2


NOISE = np.random.default_rng(3).integers(0, 255, (120, 160, 3)).astype(np.uint8)
BROKEN = {kind: saved(kind, NOISE, exif=tilted(6)) for kind in KINDS} | {
    "PNG of 16 bits": cv2.imencode(".png", NOISE.astype(np.uint16) * 256)[1].tobytes(),
    "progressive JPEG": saved("JPEG", NOISE, progressive=True),
    "lossless WebP": saved("WEBP", NOISE, lossless=True),
    "HEIC of tiles": saved("HEIF", NOISE, tile_size=64),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_cut_short_anywhere_is_refused(tmp_path: Path, kind: str) -> None:
    data = BROKEN[kind]
    for length in {*range(64), *range(64, len(data), len(data) // 50), *range(len(data) - 8, len(data))}:
        with pytest.raises(PictureError, match=r"is empty|is no JPEG|is a damaged"):
            read(tmp_path, data[:length])


@pytest.mark.parametrize("kind", BROKEN)
@settings(max_examples=60, deadline=None)
@given(hits=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=8))
def test_changed_bytes_give_a_picture_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, kind: str, hits: list[tuple[float, int]]
) -> None:
    """Half of the hits go to the head, where they do more harm than among the pixels."""
    data = bytearray(BROKEN[kind])
    for number, (place, value) in enumerate(hits):
        data[int(place * (len(data) if number % 2 else min(len(data), 600)))] = value
    try:
        image = read(tmp_path_factory.getbasetemp(), bytes(data))
    except PictureError as error:
        told = f"{error}; {error.advice}"
    else:
        told = f"{image.ndim} {image.dtype}"
    assert told == "3 uint8" or re.fullmatch(r"(is|has) .+; .+", told)


def test_png_with_any_byte_changed_is_damaged(tmp_path: Path) -> None:
    data = saved("PNG", NOISE)
    for at in range(8, len(data), 501):
        changed = bytearray(data)
        changed[at] ^= 16
        with pytest.raises(PictureError):
            read(tmp_path, bytes(changed))


@pytest.mark.parametrize("kind", ["HEIF", "HEIC of tiles"])
def test_heic_with_a_hole_is_damaged(tmp_path: Path, kind: str) -> None:
    """As after a power cut; the decoder would paint something where the hole is."""
    data = BROKEN[kind]
    assert read(tmp_path, data).shape[2] == 3
    begin = data.index(b"mdat") + 4
    for at in range(begin, len(data) - 512, 3001):
        with pytest.raises(PictureError, match="is a damaged picture"):
            read(tmp_path, data[:at] + bytes(512) + data[at + 512 :])
    with pytest.raises(PictureError, match="is a damaged picture"):
        read(tmp_path, data[:-700] + bytes(700))


def chunk(name: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + name + body + zlib.crc32(name + body).to_bytes(4)


def png_of(width: int, height: int) -> bytes:
    head = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 2, 0, 0, 0])
    body = chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")


def lossless_webp_of(width: int, height: int) -> bytes:
    data = bytearray(saved("WEBP", lossless=True))
    data[21:25] = (width - 1 | (height - 1) << 14).to_bytes(4, "little")
    return bytes(data)


def lossy_webp_of(width: int, height: int) -> bytes:
    data = bytearray(saved("WEBP"))
    data[26:30] = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    return bytes(data)


def lossy_webp_behind_a_small_canvas(width: int, height: int) -> bytes:
    """The canvas is declared as small as the picture was; what lies in it is not."""
    data = bytearray(saved("WEBP", exif=tilted(1)))
    at = data.index(b"\x9d\x01\x2a") + 3
    data[at : at + 4] = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    return bytes(data)


def heic_of(width: int, height: int) -> bytes:
    return resized_heic(saved("HEIF", np.zeros((64, 128, 3), np.uint8)), width, height)


def heic_cut_from(width: int, height: int) -> bytes:
    """What is shown is declared as small as the picture was; what it is cut from is not."""
    return resized_heic(saved("HEIF"), width, height)


def resized_heic(data: bytes, width: int, height: int) -> bytes:
    at = data.index(b"ispe") + 8
    return data[:at] + width.to_bytes(4) + height.to_bytes(4) + data[at + 8 :]


@pytest.mark.parametrize(
    "bomb", [png_of, lossless_webp_of, lossy_webp_of, lossy_webp_behind_a_small_canvas, heic_of, heic_cut_from]
)
def test_more_than_a_hundred_megapixels_are_refused_undecoded(
    tmp_path: Path, bomb: Callable[[int, int], bytes]
) -> None:
    with pytest.raises(PictureError, match="has 12000 x 9000 pixels, more than 100 megapixels"):
        read(tmp_path, bomb(12_000, 9_000))


def test_animation_is_refused(tmp_path: Path) -> None:
    frames = [Image.fromarray(np.full((40, 60, 3), grey, np.uint8)) for grey in (10, 200)]
    file = io.BytesIO()
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:])
    with pytest.raises(PictureError, match="is an animation"):
        read(tmp_path, file.getvalue())


def test_avif_is_no_heic(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="is no JPEG, PNG, WebP or HEIC picture"):
        read(tmp_path, b"\0\0\0\x1cftypavif\0\0\0\0avifmif2miaf")


def test_decoders_say_nothing_of_their_own(fixtures: Path, tmp_path: Path) -> None:
    """Neither of a colour profile that libpng dislikes nor of damaged files."""
    profiled = saved("PNG", icc_profile=b"no profile" * 20)
    assert b"iCCP" in profiled
    names = []
    for name, data in {
        "profiled": profiled,
        "cut": BROKEN["PNG"][:-400],
        "webp": BROKEN["lossless WebP"].replace(b"\x2f", b"\x2e", 1),
        "heic": BROKEN["HEIF"].replace(b"hvcC", b"hvcB"),
    }.items():
        (tmp_path / name).write_bytes(data)
        names.append(str(tmp_path / name))
    program = (
        "import sys, pathlib; from vision.picture_file import *\n"
        "for name in sys.argv[1:]:\n"
        "    try: print(read_picture(pathlib.Path(name)).shape)\n"
        "    except PictureError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *names], capture_output=True, text=True, check=True, cwd=fixtures.parent
    )
    damaged = ["is a damaged or incomplete picture", "is a damaged picture", "is a damaged picture"]
    assert done.stdout.splitlines() == ["(40, 60, 3)", *damaged]
    assert done.stderr == ""


def test_heic_costs_nothing_until_one_comes(fixtures: Path) -> None:
    program = "import sys, vision.picture_file; sys.exit('pillow_heif' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=fixtures.parent)
