"""The command line: which commands there are, and how a user's mistake is told (one line, exit 2)."""

from __future__ import annotations

import sys

import typer

from appliance.cli.bench import bench
from appliance.cli.forbidden import forbidden
from appliance.cli.replay import replay
from appliance.cli.rules import rules

app = typer.Typer(
    name="caipan",
    help="Caipan, the referee's box for five-in-a-row played on a real board.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(replay)
app.command()(forbidden)
app.command()(rules)
app.add_typer(bench, name="bench")


def main() -> None:
    """Run the command line."""
    try:
        app()
    except BrokenPipeError:
        # The reader of our output has gone, as `caipan … | head` does: nothing is wrong, and there is nobody to tell.
        sys.stderr.close()
        sys.exit(1)
