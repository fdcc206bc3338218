"""Films can be read back: every picture at its instant, in a form that browsers play."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from appliance.overlay.mp4 import Mp4

DAY_MS = 24 * 3600 * 1000
BLUE, ORANGE = (255, 60, 0), (0, 140, 255)


def picture(colour: tuple[int, int, int], width: int = 64, height: int = 48) -> NDArray[np.uint8]:
    return np.full((height, width, 3), colour, np.uint8)


def write(path: Path, instants: list[int], width: int = 64, height: int = 48) -> None:
    with Mp4(path) as video:
        for number, t_ms in enumerate(instants):
            video.show(picture((BLUE, ORANGE)[number % 2], width, height), t_ms)
        video.finish(2000)


def read(path: Path) -> tuple[list[int], list[NDArray[np.uint8]]]:
    """Instants in milliseconds, and pictures."""
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    return [round(1000 * frame.time) for frame in frames], [
        np.asarray(frame.to_ndarray(format="bgr24"), np.uint8) for frame in frames
    ]


def test_every_picture_is_at_its_instant(tmp_path: Path) -> None:
    write(tmp_path / "a.mp4", [7335, 7590, 7840, 8790, 68_790])
    instants, pictures = read(tmp_path / "a.mp4")
    assert instants == [0, 255, 505, 1455, 61_455]
    for number, shown in enumerate(pictures):
        assert np.abs(shown[10:-10, 10:-10].astype(int) - (BLUE, ORANGE)[number % 2]).max() <= 8


def test_codec_size_and_length(tmp_path: Path) -> None:
    write(tmp_path / "a.mp4", [0, 400], 65, 47)
    with av.open(str(tmp_path / "a.mp4")) as container:
        stream = container.streams.video[0]
        assert container.format.name.startswith("mov,mp4")
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (66, 48), "odd sides get one more"
        assert stream.duration is not None
        assert stream.time_base is not None
        assert stream.duration * stream.time_base == pytest.approx(2.4), "the last picture stays two seconds"


def test_what_players_need_comes_first(tmp_path: Path) -> None:
    write(tmp_path / "a.mp4", [0, 400])
    data = (tmp_path / "a.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


def test_one_picture_is_a_film(tmp_path: Path) -> None:
    write(tmp_path / "a.mp4", [123_456])
    assert read(tmp_path / "a.mp4")[0] == [0]


def test_a_gap_that_the_format_cannot_hold_is_shortened(tmp_path: Path) -> None:
    write(tmp_path / "a.mp4", [0, 200, 10**12, 10**12 + 300])
    assert read(tmp_path / "a.mp4")[0] == [0, 200, 200 + DAY_MS, 500 + DAY_MS]


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file may grow beyond 20 kB."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("full_disk")
def test_full_disk_is_an_os_error(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (96, 128, 3), np.uint8)

    def fill() -> None:
        with Mp4(tmp_path / "a.mp4") as video:
            for number in range(1000):
                video.show(np.roll(noise, 37 * number, axis=1), 100 * number)

    with pytest.raises(OSError, match="File too large"):
        fill()


def test_no_folder_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write(tmp_path / "none" / "a.mp4", [0])
