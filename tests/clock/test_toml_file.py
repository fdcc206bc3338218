"""A file that cannot be used is one line, whatever lies where it should be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from clock.toml_file import LARGEST, SettingsError, checked, matching, read_toml

if TYPE_CHECKING:
    from pathlib import Path


class MistakeError(SettingsError):
    pass


def refused(path: Path) -> str:
    with pytest.raises(MistakeError) as caught:
        read_toml(path, MistakeError)
    told = str(caught.value)
    assert told.startswith(f"{path}: ")
    assert "\n" not in told
    return told.removeprefix(f"{path}: ")


def test_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbfa = 1\r\n")  # as Windows' editor saves it
    assert read_toml(path, MistakeError) == {"a": 1}


def test_what_cannot_be_read(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.toml") == "cannot be read (No such file or directory): check the path"
    assert refused(tmp_path / ("x" * 300)) == "cannot be read (File name too long): check the path"
    assert refused(tmp_path) == "is no file: name the file that is meant"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refused(pipe) == "is no file: name the file that is meant"
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert refused(loop) == "cannot be read (Too many levels of symbolic links): check the path"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"#" * (LARGEST + 1), "larger than 1 MB: name the file that is meant"),
        (b"a = '\xff'", "not UTF-8: save it as UTF-8"),
        (b"a = " + b"[" * 100_000, "not TOML: nested too deeply: correct it there"),
        (b"a = " + b"9" * 5000, "not TOML: Exceeds the limit (4300 digits) for integer string conversion"),
        (b"a =", "not TOML: Invalid value (at end of document): correct it there"),
    ],
    ids=["huge", "latin", "deep", "digits", "cut short"],
)
def test_what_is_no_toml(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(data)
    assert refused(path).startswith(told)


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    number: Annotated[int, Field(ge=2, le=5)] = 2
    either: Literal["one", "two"] | Annotated[int, Field(ge=1)] = 1
    several: Annotated[tuple[int, ...], Field(min_length=1, max_length=2)] = (1,)
    named: Annotated[str, matching("[a-z]+", "write small letters")] = "a"
    yes: bool = True


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")
    inner: tuple[Inner, ...] = ()
    needed: str


@pytest.mark.parametrize(
    ("inner", "told"),
    [
        ({"number": 1}, "number: 1 will not do: write a number from 2 up"),
        ({"number": 6}, "number: 6 will not do: write a number up to 5"),
        ({"number": 2.5}, "number: 2.5 will not do: write a whole number"),
        ({"either": "six"}, "either: 'six' will not do: write 'one' or 'two' or a whole number"),
        ({"either": 0}, "either: 0 will not do: write 'one' or 'two' or a number from 1 up"),
        ({"several": []}, "several: [] will not do: write at least 1 entry"),
        ({"several": [1, 2, 3]}, "several: [1, 2, 3] will not do: write at most 2 entries"),
        ({"several": [1, "x"]}, "several.1: 'x' will not do: write a whole number"),
        ({"several": 1}, "several: 1 will not do: write a list in square brackets"),
        ({"named": "A1"}, "named: 'A1' will not do: write small letters"),
        ({"named": "a\n"}, "named: 'a\\n' will not do: write small letters"),
        ({"named": 7}, "named: 7 will not do: write a text in quotes"),
        ({"yes": "no"}, "yes: 'no' will not do: write true or false"),
        ({"on": 1}, "on: unknown key: remove it or correct its spelling"),
    ],
)
def test_the_first_mistake_is_told_with_its_key(inner: dict[str, object], told: str) -> None:
    with pytest.raises(MistakeError) as caught:
        checked(Model, {"needed": "x", "inner": [{}, inner]}, "my.toml", MistakeError)
    assert str(caught.value) == f"my.toml: inner.1.{told}"


def test_what_is_missing_or_no_table() -> None:
    with pytest.raises(MistakeError, match=r"^my\.toml: needed: missing: add it$"):
        checked(Model, {}, "my.toml", MistakeError)
    with pytest.raises(MistakeError, match=r"^my\.toml: inner\.0: 1 will not do: write a table of its own$"):
        checked(Model, {"inner": [1], "needed": "x"}, "my.toml", MistakeError)


def test_a_long_value_is_not_repeated_whole() -> None:
    with pytest.raises(MistakeError) as caught:
        checked(Model, {"needed": ["x" * 10_000]}, "my.toml", MistakeError)
    assert len(str(caught.value)) < 200
