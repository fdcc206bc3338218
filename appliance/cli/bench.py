"""``caipan bench``: what refereeing costs."""

from __future__ import annotations

import typer

bench_app = typer.Typer(help="What refereeing costs on this machine.", no_args_is_help=True)
