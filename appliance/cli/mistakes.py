"""A user's mistake: one line on stderr, exit 2."""

from __future__ import annotations

from typing import NoReturn

import typer


def tell(message: object) -> None:
    """One line on stderr, however long or odd ``message`` is; progress and messages go there, results to stdout."""
    line = in_one_line(f"caipan: {message}")
    typer.echo(line if len(line) <= _LONGEST else f"{line[:_LONGEST]} …", err=True)


_LONGEST = 1000


def in_one_line(message: object) -> str:
    """``message`` with a question mark for each letter that could break or hide the line, as in a file's name."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(message))


def refuse(message: object) -> NoReturn:
    """Tell what is wrong, where and what to do, and end with exit code 2."""
    tell(message)
    raise typer.Exit(2)
