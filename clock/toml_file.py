"""A TOML file written by hand: read, checked against a model, its first mistake told in one line.

The line says which file, which key, what is wrong and what to write there.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ValidationError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from pydantic_core import ErrorDetails

LARGEST = 1_000_000
"""Bytes: nobody writes more by hand."""
_LONGEST_SHOWN = 60
"""Characters of somebody's value that a message repeats."""


class SettingsError(ValueError):
    """A file that cannot be used; the message is one line: file, key, what is wrong, what to do."""


_Model = TypeVar("_Model", bound=BaseModel)


def read_toml(file: Traversable, mistake: type[SettingsError]) -> dict[str, Any]:
    """What ``file`` says. Raises ``mistake`` when it cannot be read or is no TOML."""
    try:
        # Opening a pipe may never return; what is not there, or may not be seen, is told by opening it.
        if isinstance(file, Path) and os.path.exists(file) and not os.path.isfile(file):
            raise mistake(f"{file}: is no file: name the file that is meant")
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise mistake(f"{file}: cannot be read ({error.strerror}): check the path") from None
    if len(data) > LARGEST:
        raise mistake(f"{file}: larger than {LARGEST // 1_000_000} MB: name the file that is meant")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise mistake(f"{file}: not UTF-8: save it as UTF-8") from None
    return parse_toml(text, file, mistake)


def parse_toml(text: str, source: object, mistake: type[SettingsError]) -> dict[str, Any]:
    """What ``text``, which comes from ``source``, says. Raises ``mistake`` when it is no TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise mistake(f"{source}: not TOML: nested too deeply: correct it there") from None
    except ValueError as error:  # TOML's own, and a number of thousands of digits
        raise mistake(f"{source}: not TOML: {_one_line(str(error))}: correct it there") from None


def checked(model: type[_Model], data: dict[str, Any], source: object, mistake: type[SettingsError]) -> _Model:
    """``data`` as a ``model``. Raises ``mistake`` with the first thing that is wrong."""
    try:
        # As JSON, because there "strict" lets no text pass for a number, but a list for a tuple.
        return model.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        raise mistake(f"{source}: {_told(error.errors(include_url=False), data)}") from None


def matching(pattern: str, advice: str) -> AfterValidator:
    """A text that matches the whole of ``pattern``; ``advice`` says what to write, for people."""
    compiled = re.compile(pattern)

    def match(text: str) -> str:
        if not compiled.fullmatch(text):
            raise ValueError(f"{_shown(text)} will not do: {advice}")
        return text

    return AfterValidator(match)


def _told(errors: list[ErrorDetails], data: dict[str, Any]) -> str:
    """The first thing that is wrong: key, problem, advice."""
    first = errors[0]
    key = ".".join(map(str, _place(first, data)))
    match first["type"]:
        case "extra_forbidden":
            problem = "unknown key: remove it or correct its spelling"
        case "missing":
            problem = "missing: add it"
        case "value_error":
            problem = str(first["ctx"]["error"])
        case _:
            # One value may fail to be each of several things; any of them would do.
            alike = [error for error in errors if _place(error, data) == _place(first, data)]
            advice = dict.fromkeys(_advice(error) for error in alike)
            problem = f"{_shown(first['input'])} will not do: write {' or '.join(advice)}"
    return f"{key}: {problem}" if key else problem


def _place(error: ErrorDetails, data: object) -> list[str | int]:
    """The keys that lead to what is wrong, without the names that pydantic gives to alternatives."""
    if error["type"] in ("missing", "extra_forbidden"):
        return list(error["loc"])
    place: list[str | int] = []
    for part in error["loc"]:
        if not ((isinstance(data, dict) and part in data) or (isinstance(data, list) and isinstance(part, int))):
            break
        data = data[part]  # type: ignore[index]
        place.append(part)
    return place


def _advice(error: ErrorDetails) -> str:
    """What to write instead."""
    limits = error.get("ctx", {})
    match error["type"]:
        case "int_type" | "int_parsing" | "int_from_float" | "finite_number":
            return "a whole number"
        case "float_type" | "float_parsing":
            return "a number"
        case "multiple_of":
            return f"a multiple of {limits['multiple_of']}"
        case "bool_type" | "bool_parsing":
            return "true or false"
        case "string_type":
            return "a text in quotes"
        case "tuple_type" | "list_type":
            return "a list in square brackets"
        case "model_type" | "model_attributes_type" | "dict_type":
            return "a table of its own"
        case "enum" | "literal_error":
            return str(limits["expected"])
        case "greater_than_equal":
            return f"a number from {limits['ge']} up"
        case "less_than_equal":
            return f"a number up to {limits['le']}"
        case "too_short":
            return f"at least {_entries(limits['min_length'])}"
        case "too_long":
            return f"at most {_entries(limits['max_length'])}"
    return f"something else ({error['msg'][0].lower()}{error['msg'][1:]})"


def _entries(number: int) -> str:
    return f"{number} entr{'y' if number == 1 else 'ies'}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
