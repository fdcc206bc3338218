"""The command line: which commands there are, and how a user's mistake is told (one line, exit 2)."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path

import typer
from typer.exceptions import Abort, TyperException

from appliance.cli.backup import backup, restore
from appliance.cli.bench import bench
from appliance.cli.clock import clock
from appliance.cli.forbidden import forbidden
from appliance.cli.games import games
from appliance.cli.mistakes import tell
from appliance.cli.read import read
from appliance.cli.replay import replay
from appliance.cli.rules import rules
from appliance.cli.run import run
from appliance.cli.show import export, show
from appliance.cli.verify import verify

app = typer.Typer(
    name="caipan",
    help="Caipan, the referee's box for five-in-a-row played on a real board.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(run)
app.command()(replay)
app.command()(read)
app.command()(forbidden)
app.command()(rules)
app.command()(clock)
app.command()(games)
app.command()(show)
app.command()(export)
app.command()(verify)
app.command()(backup)
app.command()(restore)
app.command()(bench)


def main() -> None:
    """Run the command line: whatever the user did wrong is one line on stderr and exit code 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    for missing in ("stdout", "stderr"):
        if getattr(sys, missing) is None:  # closed by whoever started us: nobody listens
            setattr(sys, missing, Path(os.devnull).open("w"))  # noqa: SIM115
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except BrokenPipeError:
        # The reader of our output has gone, as `caipan … | head` does: nothing is wrong, and there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        tell(f"the output cannot be written ({error.strerror}); send it elsewhere")
        sys.exit(2)
    except TyperException as error:
        if error.format_message():
            tell(_mistake(error))
        sys.exit(2)
    except (Abort, KeyboardInterrupt):
        sys.exit(130)


def _mistake(error: TyperException) -> str:
    """What is wrong with the command line, as a sentence, and where there is help."""
    message = error.format_message().rstrip().replace(": Value error, ", ": ")
    context = getattr(error, "ctx", None)
    command = f"caipan {context.info_name}" if context is not None and context.parent is not None else "caipan"
    return f"{message}{'' if message.endswith(('.', '!', '?')) else '.'} Try '{command} --help'."
