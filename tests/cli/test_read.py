"""``caipan read``: what is printed and written of a reading, and what is told of pictures that cannot be read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from appliance.cli.app import app
from appliance.record.sgf import read_sgf
from tests.vision import drawn
from vision.still import NoBoard, StillReading

CORNERS = [[100.123, 50.0], [660.0, 50.0], [660.0, 610.0], [100.0, 610.006]]
ROWS = ("B.............W", *["." * 15] * 6, ".......B.......", *["." * 15] * 6, "??............B")
REFUSED = "shows no board; give --corners, as for a board full of stones or one of two; or try --size auto"
OPTION = "100,50 660,50 660,610 100,610"


def a_reading(rows: Sequence[str] = ROWS, certainty: float = 0.97, grid_confidence: float = 1.0) -> StillReading:
    size = len(rows)
    sure = np.ones((size, size), np.float32)
    sure[0, -1] = certainty
    return StillReading(
        size=size, corners=np.array(CORNERS), rows=tuple(rows), sure=sure, grid_confidence=grid_confidence
    )


class Reader:
    """Stands in for the reader of stills: answers as told, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answer = a_reading()
        self.asked: list[tuple[tuple[int, ...], tuple[int, ...], Any]] = []

    def __call__(
        self, image: NDArray[np.uint8], sizes: Sequence[int], corners: Any = None, *, look_beside: bool
    ) -> StillReading:
        assert look_beside
        if image[0, 0, 0] > 200:
            raise NoBoard("shows no board")
        self.asked.append((image.shape, tuple(sizes), None if corners is None else corners.tolist()))
        return self.answer


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    reader = Reader()
    monkeypatch.setattr("appliance.cli.read.read_still", reader)
    return reader


def picture(path: Path, *, light: int = 90, width: int = 760, height: int = 660) -> Path:
    """A grey picture; a light one shows no board to the reader above."""
    path.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(path), np.full((height, width, 3), light, np.uint8))
    return path


def run(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of ``caipan read`` with ``arguments``."""
    result = CliRunner().invoke(app, ["read", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def run_json(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    code, stdout, stderr = run(*arguments, "--json")
    return code, [json.loads(line) for line in stdout.splitlines()], stderr


# -- what is printed --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("reader")
def test_one_picture_in_words(tmp_path: Path) -> None:
    image = picture(tmp_path / "photo.png")
    code, stdout, stderr = run(image)
    assert (code, stderr) == (0, "")
    lines = stdout.splitlines()
    assert lines[0] == f"{image}: 15 × 15, 3 black, 1 white, 2 unseen, confidence 0.97"
    assert lines[1] == lines[17] == "   A B C D E F G H I J K L M N O"
    assert lines[2] == "15 ● · · · · · · · · · · · · · ○ 15"
    assert lines[5] == "12 · · · + · · · · · · · + · · · 12"
    assert lines[9] == " 8 · · · · · · · ● · · · · · · · 8"
    assert lines[16] == " 1 ? ? · · · · · · · · · · · · ● 1"
    assert lines[18:] == ["unseen: A1, B1"]


@pytest.mark.usefixtures("reader")
def test_several_pictures_one_line_each(tmp_path: Path) -> None:
    first, second = picture(tmp_path / "a.png"), picture(tmp_path / "b.png", light=250)
    code, stdout, stderr = run(first, second)
    assert (code, stderr) == (1, "caipan: 1 read, 1 refused, 0 unusable; 1 with doubtful or unseen points\n")
    assert stdout.splitlines() == [
        f"{first}: 15 × 15, 3 black, 1 white, 2 unseen, confidence 0.97",
        f"{second}: no board read: {REFUSED}",
    ]


def test_doubtful_points_are_named(tmp_path: Path, reader: Reader) -> None:
    """O15 is read with a certainty of 0.8, and so would A1 be, were it not unseen."""
    reader.answer = a_reading(certainty=0.8)
    reader.answer.sure[14, 0] = 0.4
    reader.answer.sure[7, 3] = 0.89
    image = picture(tmp_path / "a.png")
    lines = run(image, "--sgf", tmp_path / "sgf")[1].splitlines()
    assert lines[0].endswith("1 white, 2 unseen, 2 doubtful, confidence 0.40")
    assert lines[18:] == ["unseen: A1, B1", "doubtful: O15, D8"]
    assert run_json(image)[1][0]["doubtful"] == [[0, 14], [7, 3]]
    data = (tmp_path / "sgf" / "a.sgf").read_bytes()
    assert b"MA[ao][bo]" in data
    assert b"SQ[dh][oa]" in data
    assert "Doubtful: O15, D8." in read_sgf(data).remarks


def test_many_unseen_points_are_told_as_runs(tmp_path: Path, reader: Reader) -> None:
    rows = ["?" * 15, *["." * 15] * 6, "..???.....?....", *["." * 15] * 6, ".............??"]
    reader.answer = a_reading(rows=rows)
    lines = run(picture(tmp_path / "a.png"))[1].splitlines()
    assert lines[0].endswith("0 black, 0 white, 21 unseen, confidence 0.97")
    assert lines[18:] == ["unseen: A15–O15, C8–E8, K8, N1–O1"]


def test_points_too_scattered_to_name_are_counted(tmp_path: Path, reader: Reader) -> None:
    reader.answer = a_reading(rows=["?.?.?.?.?.?.?.?", *["." * 15] * 13, "?.?.?.?.?.?.?.?"])
    image = picture(tmp_path / "a.png")
    assert run(image, "--sgf", tmp_path)[1].splitlines()[18:] == ["unseen: 16 points, see the board"]
    assert b"MA[aa]" in (tmp_path / "a.sgf").read_bytes(), "each is marked there"


def test_a_dozen_are_still_named(tmp_path: Path, reader: Reader) -> None:
    reader.answer = a_reading(rows=["????????????...", *["." * 15] * 14])
    named = ", ".join(f"{file}15" for file in "ABCDEFGHIJKL")
    assert run(picture(tmp_path / "a.png"))[1].splitlines()[18:] == [f"unseen: {named}"]


@pytest.mark.parametrize(
    ("black", "white", "odd"),
    [(0, 10, True), (10, 0, True), (3, 13, True), (9, 0, False), (0, 9, False), (14, 31, False), (60, 60, False)],
)
def test_stones_of_one_colour_that_no_game_has(
    tmp_path: Path, reader: Reader, black: int, white: int, odd: bool
) -> None:
    """A drawing's rings may be taken for white stones; nine stones are a handicap, and captures may cost many."""
    letters = "B" * black + "W" * white
    letters += "." * (225 - len(letters))
    rows = [letters[at : at + 15] for at in range(0, 225, 15)]
    reader.answer = a_reading(rows=rows, certainty=1.0, grid_confidence=0.98)
    said = "in no game one colour has so many more stones: is it a drawing?"
    image = picture(tmp_path / "a.png")
    first = run(image)[1].splitlines()[0]
    assert first.endswith(f"confidence 0.49; {said}" if odd else "confidence 0.98")
    assert run_json(image)[1][0]["remarks"] == ([said] if odd else [])


@pytest.mark.parametrize(
    ("aside", "where"),
    [((700, 10), "right of"), ((-700, 10), "left of"), ((10, 700), "below"), ((10, -700), "above")],
)
def test_another_board_is_spoken_of(tmp_path: Path, reader: Reader, aside: tuple[int, int], where: str) -> None:
    reader.answer = replace(a_reading(), other=np.array(CORNERS) + aside)
    image = picture(tmp_path / "a.png")
    said = f"another board is in the picture, {where} the one that was read"
    assert run(image, "--sgf", tmp_path)[1].splitlines()[0].endswith(f"confidence 0.97; {said}")
    assert run_json(image)[1][0]["remarks"] == [said]
    assert any(said[1:] in remark for remark in read_sgf((tmp_path / "a.sgf").read_bytes()).remarks)


def test_nothing_to_check_is_not_spoken_of(tmp_path: Path, reader: Reader) -> None:
    reader.answer = a_reading(rows=["." * 9] * 9, certainty=0.9)
    image = picture(tmp_path / "a.png")
    code, stdout, _ = run(image, "--sgf", tmp_path / "sgf")
    assert (code, len(stdout.splitlines())) == (0, 12)
    data = (tmp_path / "sgf" / "a.sgf").read_bytes()
    assert b"MA[" not in data
    assert b"SQ[" not in data
    assert run(image, image)[2] == "caipan: 2 read, 0 refused, 0 unusable; 0 with doubtful or unseen points\n"


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ([], "give --corners, as for a board full of stones or one of two; or try --size auto"),
        (["--size", "15"], "give --corners, as for a board full of stones or one of two"),
        (["--size", "auto"], "give --size, or --corners"),
        (["--corners", OPTION], "check --size and --corners"),
    ],
)
@pytest.mark.usefixtures("reader")
def test_what_to_do_when_refused(tmp_path: Path, option: list[str], advice: str) -> None:
    image = picture(tmp_path / "a.png", light=250)
    assert run(image, *option) == (1, f"{image}: no board read: shows no board; {advice}\n", "")
    assert run_json(image, *option)[1][0]["error"] == f"no board read: shows no board; {advice}"


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (
            "9",
            "the lines run on beyond a board of 9 lines; is it the right --size? else give --corners, "
            "as for a board full of stones or one of two",
        ),
        ("auto", "the lines run on beyond the sizes tried; give --size, or --corners"),
    ],
)
def test_refusal_names_the_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str, said: str) -> None:
    def refusing(*_: object, **__: object) -> StillReading:
        raise NoBoard("the lines run on beyond the size asked for")

    monkeypatch.setattr("appliance.cli.read.read_still", refusing)
    assert run(picture(tmp_path / "a.png"), "--size", size)[1].endswith(f"no board read: {said}\n")


def test_confidence_is_cut_not_rounded(tmp_path: Path, reader: Reader) -> None:
    reader.answer = a_reading(rows=["." * 9] * 9, certainty=0.9999)
    assert "9 × 9, 0 black, 0 white, confidence 0.99\n" in run(picture(tmp_path / "a.png"))[1]
    reader.answer = a_reading(rows=["." * 9] * 9, certainty=0.9)
    assert "confidence 0.90\n" in run(picture(tmp_path / "a.png"))[1]


def test_json(tmp_path: Path, reader: Reader) -> None:
    reader.answer = a_reading(grid_confidence=0.5, certainty=0.9)
    image = picture(tmp_path / "照片.png")
    code, (line,), stderr = run_json(image)
    assert (code, stderr) == (0, "")
    assert list(line) == ["image", "size", "corners", "stones", "doubtful", "remarks", "confidence", "seconds"]
    assert line["image"] == str(image)
    assert line["size"] == 15
    assert line["corners"] == [[100.12, 50.0], [660.0, 50.0], [660.0, 610.0], [100.0, 610.01]]
    assert line["stones"] == list(ROWS)
    assert line["confidence"] == pytest.approx(0.45, abs=1e-4)
    assert 0 <= line["seconds"] < 1


@pytest.mark.usefixtures("reader")
def test_json_of_refused_and_unusable(tmp_path: Path) -> None:
    refused, missing = picture(tmp_path / "a.png", light=250), tmp_path / "none.jpg"
    good = picture(tmp_path / "z.png")
    code, lines, stderr = run_json(refused, missing, good)
    assert code == 2
    assert lines[0] == {
        "image": str(refused),
        "error": f"no board read: {REFUSED}",
    }
    assert lines[1] == {"image": str(missing), "error": "does not exist; check the name"}
    assert lines[2]["stones"] == list(ROWS)
    assert stderr.splitlines() == [
        f"caipan: {missing} does not exist; check the name",
        "caipan: 1 read, 1 refused, 1 unusable; 1 with doubtful or unseen points",
    ]


# -- what is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "sizes"), [([], (15,)), (["--size", "9"], (9,)), (["--size", "auto"], (9, 13, 15, 19))]
)
def test_size(tmp_path: Path, reader: Reader, option: list[str], sizes: tuple[int, ...]) -> None:
    assert run(picture(tmp_path / "a.png"), *option)[0] == 0
    assert reader.asked == [((660, 760, 3), sizes, None)]


def test_corners(tmp_path: Path, reader: Reader) -> None:
    assert run(picture(tmp_path / "a.png"), "--corners", OPTION)[0] == 0
    assert reader.asked == [((660, 760, 3), (15,), [[100, 50], [660, 50], [660, 610], [100, 610]])]


@pytest.mark.usefixtures("reader")
def test_folder_is_its_pictures_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    names = ["b.JPG", "a.webp", "c.jpeg", "d.png"]
    for name in names:
        picture(folder / name)
    (folder / "game.sgf").write_text("(;)")
    (folder / "._b.jpg").write_bytes(b"of a file system")
    picture(folder / "inner" / "e.png")
    (folder / "f.png").mkdir()
    code, lines, _ = run_json(folder)
    assert [Path(line["image"]).name for line in lines] == ["a.webp", "b.JPG", "c.jpeg", "d.png", "f.png"]
    assert [line.get("error") for line in lines] == [None] * 4 + ["is no file; name a picture"]
    assert code == 2


@pytest.mark.usefixtures("reader")
def test_folder_without_pictures(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    good = picture(tmp_path / "a.png")
    code, stdout, stderr = run(tmp_path / "empty", good)
    assert code == 2
    assert stderr.startswith(f"caipan: {tmp_path / 'empty'} is a folder without pictures (.heic .heif .jpeg")
    assert len(stdout.splitlines()) == 1
    assert stderr.splitlines()[1:] == ["caipan: 1 read, 0 refused, 1 unusable; 1 with doubtful or unseen points"]


def test_several_workers_print_in_order(tmp_path: Path) -> None:
    """More pictures than are handed out at once, the first of them the longest to read."""
    board = tmp_path / "0.png"
    cv2.imwrite(str(board), drawn.board({}))
    others = [picture(tmp_path / f"{k}.png", width=100, height=100) for k in range(1, 8)]
    broken = tmp_path / "9.png"
    broken.write_bytes(board.read_bytes()[:-100])
    code, lines, stderr = run_json(board, *others, broken, "--workers", "2")
    assert code == 2
    assert [Path(line["image"]).name for line in lines] == [f"{k}.png" for k in (*range(8), 9)]
    assert lines[0]["size"] == 15
    assert all(line["error"].startswith("no board read: ") for line in lines[1:-1])
    assert lines[-1]["error"].startswith("is a damaged or incomplete picture; ")
    assert stderr.splitlines()[1:] == ["caipan: 1 read, 7 refused, 1 unusable; 0 with doubtful or unseen points"]


def test_board_is_found(tmp_path: Path) -> None:
    image = tmp_path / "board.jpg"
    cv2.imwrite(str(image), drawn.board({}))
    code, (line,), _ = run_json(image)
    assert code == 0
    assert np.abs(np.array(line["corners"]) - drawn.CORNERS).max() < 1
    assert line["stones"] == ["." * 15] * 15
    assert line["confidence"] > 0.5


@pytest.mark.parametrize(("width", "height"), [(1, 1), (63, 400), (400, 63)])
def test_tiny_picture_shows_no_board(tmp_path: Path, width: int, height: int) -> None:
    code, stdout, stderr = run(picture(tmp_path / "a.png", width=width, height=height))
    assert (code, stderr) == (1, "")
    assert stdout == f"{tmp_path / 'a.png'}: no board read: only {width} x {height} pixels; take a larger one\n"


# -- what is written --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("reader")
def test_sgf(tmp_path: Path) -> None:
    image = picture(tmp_path / "photos" / "club evening.png")
    code, _, stderr = run(image, "--sgf", tmp_path / "new" / "sgf")
    assert (code, stderr) == (0, "")
    data = (tmp_path / "new" / "sgf" / "club evening.sgf").read_bytes()
    assert b"SZ[15]" in data
    assert b"AB[aa][hh][oo]" in data
    assert b"AW[oa]" in data
    record = read_sgf(data)
    assert {str(point): colour.value for point, colour in record.start_stones.items()} == {
        "A15": "B",
        "O15": "W",
        "H8": "B",
        "O1": "B",
    }
    assert "Could not be seen: A1, B1." in record.remarks
    assert any("club evening.png" in remark for remark in record.remarks)


@pytest.mark.usefixtures("reader")
def test_overlay(tmp_path: Path) -> None:
    image = picture(tmp_path / "photos" / "a.png")
    assert run(image, "--overlay", tmp_path / "seen")[0] == 0
    seen = cv2.imread(str(tmp_path / "seen" / "a-read.jpg"))
    assert seen is not None
    assert seen.shape == (660, 760, 3)

    def around(x: float, y: float, radius: int = 12) -> set[str]:
        """Colours seen about a pixel, by name."""
        spot = seen[max(0, round(y) - radius) : round(y) + radius, max(0, round(x) - radius) : round(x) + radius]
        blue, green, red = (spot[..., k].astype(int) for k in range(3))
        masks = {
            "cyan": (blue > 180) & (green > 150) & (red < 80),
            "red": (red > 180) & (green < 80),
            "green": (green > 140) & (red < 120) & (blue < 120),
            "orange": (red > 180) & (green > 90) & (green < 190) & (blue < 80),
            "yellow": (red > 180) & (green > 190) & (blue < 100),
        }
        return {name for name, mask in masks.items() if mask.sum() >= 5}

    assert around(100, 50) == {"cyan"}
    assert around(380, 330) == {"cyan"}
    assert around(660, 50) == {"red"}
    assert around(660, 50, 24) == {"red", "green"}, "0.97 is certain enough"
    assert around(100, 610) == around(140, 610) == {"orange"}
    assert around(180, 90) == around(402, 330, 4) == around(660, 350) == {"green"}
    assert around(160, 70, 8) == around(60, 250, 4) == set()


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("height", [660, 635])
def test_overlay_has_files_and_ranks(tmp_path: Path, height: int) -> None:
    """Left of the board and below it; where the picture ends close below, over the outer line."""
    image = picture(tmp_path / "photos" / "a.png", height=height)
    assert run(image, "--overlay", tmp_path / "seen")[0] == 0
    seen = cv2.imread(str(tmp_path / "seen" / "a-read.jpg"))
    assert seen is not None

    def label(x: int, y: int) -> int:
        """White pixels about a pixel."""
        return int((seen[max(0, y - 10) : y + 10, x - 14 : x + 14].min(axis=-1) > 190).sum())

    ranks = [label(62, 50 + 40 * row) for row in range(15)]
    files = [label(100 + 40 * col, min(648, height - 10)) for col in range(2, 14)]
    assert min(ranks + files) > 8
    assert label(380, 20) == label(700, 330) == 0, "not on the other sides"


def test_overlay_marks_what_is_unsure(tmp_path: Path, reader: Reader) -> None:
    reader.answer = a_reading(certainty=0.8)
    assert run(picture(tmp_path / "photos" / "a.png"), "--overlay", tmp_path / "seen")[0] == 0
    seen = cv2.imread(str(tmp_path / "seen" / "a-read.jpg"))
    assert seen is not None
    frame = seen[30:70, 640:680].astype(int)
    assert np.sum((frame[..., 2] > 180) & (frame[..., 1] > 180) & (frame[..., 0] < 100)) > 50


@pytest.mark.usefixtures("reader")
def test_overlay_of_a_large_picture_is_reduced(tmp_path: Path) -> None:
    assert run(picture(tmp_path / "p" / "a.png", width=1000, height=3200), "--overlay", tmp_path)[0] == 0
    seen = cv2.imread(str(tmp_path / "a-read.jpg"))
    assert seen is not None
    assert seen.shape == (1600, 500, 3)
    blue, green, red = seen[20:30, 45:55].reshape(-1, 3).max(axis=0).tolist()
    assert blue > 180, "the ring about (100, 50) has moved to (50, 25)"
    assert green > 150
    assert red < 150


@pytest.mark.usefixtures("reader")
def test_nothing_is_written_of_a_refused_picture(tmp_path: Path) -> None:
    image = picture(tmp_path / "photos" / "a.png", light=250)
    assert run(image, "--overlay", tmp_path / "seen", "--sgf", tmp_path / "sgf")[0] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["photos"]


@pytest.mark.usefixtures("reader")
def test_what_cannot_be_written_is_told_beside_the_reading(tmp_path: Path) -> None:
    image = picture(tmp_path / "a.png")
    (tmp_path / "sgf" / "a.sgf").mkdir(parents=True)
    code, (line,), stderr = run_json(image, "--sgf", tmp_path / "sgf")
    assert code == 2
    assert line["stones"] == list(ROWS)
    assert f"{tmp_path / 'sgf' / 'a.sgf'} cannot be written (Is a directory); choose another place" in stderr
    assert [path.name for path in (tmp_path / "sgf").iterdir()] == ["a.sgf"]


# -- what is refused --------------------------------------------------------------------------------------------------


def assert_refused(what: str, *arguments: str | Path) -> None:
    """Exit code 2, nothing read, one line on stderr."""
    code, stdout, stderr = run(*arguments)
    assert (code, stdout) == (2, "")
    assert len(stderr.splitlines()) == 1
    assert what in stderr


@pytest.mark.parametrize("size", ["4", "20", "015", "-9", "nine", "", "15.0", "²", "9,13"])
def test_wrong_size(tmp_path: Path, reader: Reader, size: str) -> None:
    assert_refused(
        f"--size {size} is no size of a board; write a number from 5 to 19, or auto", tmp_path, f"--size={size}"
    )
    assert not reader.asked


def test_wrong_corners(tmp_path: Path, reader: Reader) -> None:
    image = picture(tmp_path / "a.png")
    assert_refused("--corners: 2 points where four are needed", image, "--corners", "1,2 3,4")
    assert_refused("--corners is for one picture, not for 2", image, image, "--corners", OPTION)
    assert not reader.asked


def test_corners_outside_the_picture(tmp_path: Path, reader: Reader) -> None:
    image = picture(tmp_path / "a.png")
    what = f"{image} cannot be read with these --corners: 5000,50 lies far outside the picture of 760 x 660 pixels"
    assert_refused(what, image, "--corners", "100,50 5000,50 5000,600 100,600")
    assert not reader.asked


def test_two_pictures_that_would_write_the_same_file(tmp_path: Path, reader: Reader) -> None:
    images = picture(tmp_path / "one" / "a.png"), picture(tmp_path / "two" / "a.webp")
    for option in ("--overlay", "--sgf"):
        assert_refused("would both write", *images, option, tmp_path / "out")
    assert not reader.asked
    assert run(*images)[0] == 0


def test_pictures_are_not_written_over(tmp_path: Path, reader: Reader) -> None:
    image = picture(tmp_path / "one" / "a.jpg")
    link = tmp_path / "two" / "b.png"
    link.parent.mkdir()
    link.symlink_to(image)
    disguised = picture(tmp_path / "three" / "c.png").rename(tmp_path / "three" / "c.sgf")
    before = image.read_bytes()
    for given, folder in ((image, "one"), (link, "one"), (link, "two")):
        assert_refused("holds the pictures themselves", given, "--overlay", tmp_path / folder)
    assert_refused("is one of the pictures", disguised, "--sgf", disguised.parent)
    assert not reader.asked
    assert image.read_bytes() == before


def test_place_that_is_no_folder(tmp_path: Path, reader: Reader) -> None:
    image = picture(tmp_path / "a.png")
    assert_refused(f"--sgf {image} is no folder; choose another name", image, "--sgf", image)
    assert not reader.asked


@pytest.mark.parametrize(("option", "name"), [("--sgf", "board.sgf"), ("--overlay", "x.jpg")])
def test_name_of_a_file_where_a_folder_is_wanted(tmp_path: Path, reader: Reader, option: str, name: str) -> None:
    image, place = picture(tmp_path / "a.png"), tmp_path / "out" / name
    assert_refused(f"{option} takes a folder; make the folder {place} first, or choose", image, option, place)
    assert not reader.asked
    assert not place.parent.exists()
    place.mkdir(parents=True)
    assert run(image, option, place)[0] == 0


@pytest.mark.parametrize(("black", "white", "turn"), [(3, 3, b"B"), (4, 3, b"W"), (5, 3, None), (3, 4, None)])
def test_whose_turn_it_is(tmp_path: Path, reader: Reader, black: int, white: int, turn: bytes | None) -> None:
    reader.answer = a_reading(rows=["B" * black + "." * (9 - black), "W" * white + "." * (9 - white), *["." * 9] * 7])
    assert run(picture(tmp_path / "a.png"), "--sgf", tmp_path / "sgf")[0] == 0
    data = (tmp_path / "sgf" / "a.sgf").read_bytes()
    found = re.search(rb"PL\[(.)\]", data)
    assert (found[1].upper() if found else None) == turn
    assert ("Whose turn it is was not read." in read_sgf(data).remarks) == (turn is None)


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is empty"),
        (b"(;GM[4])", "is no JPEG, PNG, WebP or HEIC picture; save it as one of these"),
        (cv2.imencode(".jpg", np.zeros((90, 90, 3), np.uint8))[1].tobytes()[:-9], "is a damaged or incomplete picture"),
    ],
)
def test_broken_picture_is_one_line(tmp_path: Path, data: bytes, what: str) -> None:
    (tmp_path / "a\nb.jpg").write_bytes(data)
    assert_refused(f"a?b.jpg {what}", tmp_path / "a\nb.jpg")


@pytest.mark.usefixtures("reader")
def test_a_loop_of_links_and_a_name_too_long_stop_no_other_picture(tmp_path: Path) -> None:
    good = picture(tmp_path / "good.png")
    (tmp_path / "one.png").symlink_to(tmp_path / "two.png")
    (tmp_path / "two.png").symlink_to(tmp_path / "one.png")
    code, lines, stderr = run_json(good, tmp_path / "one.png", "a" * 300 + ".png")
    assert code == 2
    assert [("stones" in line, "error" in line) for line in lines] == [(True, False), (False, True), (False, True)]
    assert "one.png" in stderr


@pytest.mark.usefixtures("reader")
def test_when_the_overlay_cannot_be_written_the_sgf_still_is(tmp_path: Path) -> None:
    image = picture(tmp_path / "photos" / "a.png")
    (tmp_path / "seen" / "a-read.jpg").mkdir(parents=True)
    code, _, stderr = run(image, "--overlay", tmp_path / "seen", "--sgf", tmp_path / "games")
    assert code == 2
    assert "a-read.jpg cannot be written" in stderr
    assert (tmp_path / "games" / "a.sgf").exists()
