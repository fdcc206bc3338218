"""A user's mistake: one line on stderr, exit 2."""

from __future__ import annotations

from typing import NoReturn

import typer


def tell(message: object) -> None:
    """One line on stderr; progress and messages go there, results to stdout."""
    typer.echo(f"caipan: {message}", err=True)


def refuse(message: object) -> NoReturn:
    """Tell what is wrong, where and what to do, and end with exit code 2."""
    tell(message)
    raise typer.Exit(2)
