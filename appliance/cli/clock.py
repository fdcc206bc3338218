"""``caipan clock``: the clock alone, on a keyboard and a terminal or on what is wired to the box."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from dataclasses import asdict
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import monotonic_ns, time_ns
from typing import Annotated, Any

import typer

from appliance.cli.mistakes import refuse
from appliance.cli.places import exists, is_file
from appliance.plain_clock.appointment import Appointment, appointed
from appliance.plain_clock.calling import open_speaker
from appliance.plain_clock.keys import End
from appliance.plain_clock.output import Lines
from appliance.plain_clock.records import Note, Record, as_data
from appliance.plain_clock.run import Displays, Inbox, ended_by_signals, run
from appliance.plain_clock.summary import summary_data, summary_lines
from appliance.plain_clock.table import Table
from appliance.plain_clock.terminal import Keyboard, LinesDisplay, NoTerminal, TerminalDisplay, shows_pages
from appliance.voice.words import languages
from clock.buttons import ButtonsFault, GpiozeroButtons
from clock.control import SECOND_NS, Allowance, ControlError, Lateness, TimeControl
from clock.displays.kinds import DisplayKind, Openers, openers
from clock.gpiod_buttons import GpiodButtons
from clock.notation import notation, parse, parse_time, words
from clock.seats import Seat
from clock.wiring import Wiring, WiringError, load_wiring


class ButtonsKind(StrEnum):
    """What the players press."""

    KEYBOARD = "keyboard"
    GPIOZERO = "gpiozero"
    GPIOD = "gpiod"


class ShownOn(StrEnum):
    """The terminal's page, or a :class:`DisplayKind`."""

    TERMINAL = "terminal"
    MAX7219 = "max7219"
    LED_DIGITS = "led-digits"
    SERIAL = "serial"
    NONE = "none"


def clock(
    control: Annotated[
        str,
        typer.Argument(
            help="The time control, such as 30m, '15m; 3x30s', '10m; 10/5m', 5m+3s, 'hourglass 1m' or 'shared 3h'.",
            show_default=False,
        ),
    ],
    explained: Annotated[bool, typer.Option("--explain", help="Tell the control in words, and end.")] = False,
    buttons: Annotated[
        ButtonsKind, typer.Option(help="What the players press: the keys a and l, or buttons wired to the box.")
    ] = ButtonsKind.KEYBOARD,
    display: Annotated[
        list[ShownOn] | None,
        typer.Option(help="Where it is shown; may be given several times (default: terminal).", show_default=False),
    ] = None,
    tenths: Annotated[bool, typer.Option("--tenths", help="Show tenths of a second below 10 s.")] = False,
    voice: Annotated[
        str, typer.Option(metavar="LANGUAGE", help=f"Call out in a language: {', '.join(languages())}; none: silent.")
    ] = "none",
    buzzer: Annotated[bool, typer.Option("--buzzer", help="Sound the buzzer where no voice can be heard.")] = False,
    wiring: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="What is wired otherwise than the README's table says.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="HH:MM", help="The appointed hour: the first player's time starts then by itself."),
    ] = None,
    absent: Annotated[
        list[Seat] | None,
        typer.Option(
            metavar="PLAYER",
            help="first or second, may be given twice: who is not here yet; that player's time runs from the start, "
            "until the player's first press tells of having come.",
            show_default=False,
        ),
    ] = None,
    late_limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Whoever comes later than this forfeits (default: 15m).")
    ] = None,
    late_factor: Annotated[
        int, typer.Option(min=1, max=99, metavar="N", help="How many times the time lost by being late counts.")
    ] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="All that happens as JSON Lines on stdout, nothing else there.")
    ] = False,
) -> None:
    """A chess clock with any time control: press a and l for the two players, space to start and stop, q to end.

    The page is drawn on stderr. With --explain, what the control means.
    """
    try:
        known = parse(control)
    except ControlError as error:
        refuse(error)
    if explained:
        typer.echo(json.dumps(_as_data(known)) if as_json else "\n".join([notation(known), "", *words(known)]))
        return
    wired = _wiring(wiring)
    if voice != "none" and voice not in languages():
        refuse(f"--voice {voice}: no words in that language: use one of {', '.join(languages())}, or none")
    hour, late = _hour(at), _late(absent, late_limit, late_factor)
    kinds = _kinds(display, as_json)
    table = Table(
        known,
        players_on_keys=buttons is ButtonsKind.KEYBOARD,
        late=late,
        absent=frozenset(absent or ()),
        hour="" if hour is None else f"{hour:%H:%M:%S}".removesuffix(":00"),
    )
    _run(known, table, buttons, kinds, wired, hour=hour, voice=voice, buzzer=buzzer, tenths=tenths, as_json=as_json)


def _hour(at: str | None) -> datetime | None:
    try:
        return None if at is None else appointed(at, datetime.now().astimezone())
    except ValueError as error:
        refuse(f"--at: {error}")


def _late(absent: list[Seat] | None, limit: str | None, factor: int) -> Lateness:
    if not absent and (limit is not None or factor != 1):
        refuse("--late-limit and --late-factor are for players who are not here: name them with --absent")
    try:
        return Lateness(factor=factor) if limit is None else Lateness(limit_ns=parse_time(limit), factor=factor)
    except ControlError as error:
        refuse(f"--late-limit: {error}")


def _kinds(display: list[ShownOn] | None, as_json: bool) -> list[ShownOn]:
    """Where it is shown, each once; no page where it cannot be drawn, or would be mixed with results."""
    kinds = list(dict.fromkeys(display or []))
    mixed = as_json and sys.stdout.isatty() and sys.stderr.isatty()
    if ShownOn.NONE in kinds and len(kinds) > 1:
        refuse("--display none and another display: leave one of them out")
    if ShownOn.MAX7219 in kinds and ShownOn.LED_DIGITS in kinds:
        refuse("--display max7219 and led-digits share pins: use one of them")
    if ShownOn.TERMINAL in kinds and mixed:
        refuse("--json and the page would both be written on this terminal: send stdout elsewhere")
    if ShownOn.TERMINAL in kinds and not shows_pages():
        refuse("--display terminal: stderr is no terminal that can show a page: choose another display")
    if kinds:
        return kinds
    if as_json:
        return [ShownOn.TERMINAL] if shows_pages() and not mixed else [ShownOn.NONE]
    if not shows_pages():
        refuse("stderr is no terminal that can show a page: run it in one, or choose another with --display")
    return [ShownOn.TERMINAL]


def _wiring(path: Path | None) -> Wiring:
    if path is not None and exists(path) and not is_file(path):
        refuse(f"--wiring {path}: is no file; name the file that says what is wired")
    try:
        return Wiring() if path is None else load_wiring(path)
    except WiringError as error:
        refuse(error)


def _run(
    control: TimeControl,
    table: Table,
    buttons: ButtonsKind,
    kinds: list[ShownOn],
    wiring: Wiring,
    *,
    hour: datetime | None,
    voice: str,
    buzzer: bool,
    tenths: bool,
    as_json: bool,
) -> None:
    """Make everything ready, run the clock, put everything away, and tell what came of it."""
    inbox = Inbox()
    appointment = None
    if hour is not None:
        appointment = Appointment(hour_ns=round(hour.timestamp()) * SECOND_NS, known_ns=monotonic_ns())
    title = f"caipan clock  {notation(control)}"

    def note(text: str) -> None:
        inbox.put(Note(at_ns=monotonic_ns(), text=text))

    def publish(record: Record) -> None:
        lines.write(json.dumps(as_data(record), ensure_ascii=False))

    with ExitStack() as closing:
        signals = closing.enter_context(ended_by_signals(inbox))
        try:
            wired = _buttons(buttons, wiring, inbox)
            if wired is not None:
                closing.callback(wired.close)
            keyboard = _keyboard(buttons, inbox, note)
            if keyboard is not None:
                closing.callback(keyboard.close)
        except (ButtonsFault, NoTerminal) as fault:
            refuse(fault)
        speaker = open_speaker(None if voice == "none" else voice, wiring.buzzer if buzzer else None, control, note)
        if speaker is not None:
            closing.callback(speaker.close)
        lines = Lines(sys.stdout.fileno(), lambda error: note(f"the output cannot be written: {error.strerror}"))
        displays = Displays(_openers(kinds, wiring, table, title, tenths), table, inbox.put)
        closing.callback(displays.close)
        if as_json:
            lines.write(json.dumps(_heading(control, hour), ensure_ascii=False))
        told = publish if as_json else lambda record: None
        run(table, inbox, displays=displays, publish=told, speaker=speaker, buttons=wired, appointment=appointment)
    _conclude(table, lines, signals, as_json)


def _conclude(table: Table, lines: Lines, signals: list[int], as_json: bool) -> None:
    """Tell the summary, or in one line that it cannot be told."""
    ahead_ns = time_ns() - monotonic_ns()

    def wall(at_ns: int) -> datetime:
        return datetime.fromtimestamp((at_ns + ahead_ns) / SECOND_NS).astimezone()

    if as_json:
        told = [json.dumps(summary_data(table.clock, table.forfeits, wall))]
    else:
        told = summary_lines(table.clock, table.forfeits, wall)
    for line in told:
        lines.write(line)
    lost = lines.close()
    if lost:
        why = "nobody reads it" if lines.error is None else lines.error.strerror
        what = "1 line is lost" if lost == 1 else f"{lost} lines are lost"
        # Where stdout is stuck stderr may be, too: it is not waited for in vain either.
        errors = Lines(sys.stderr.fileno(), lambda error: None)
        errors.write(f"caipan: the output cannot be written ({why}): {what}; send it elsewhere")
        errors.close()
        raise typer.Exit(2)
    if signals:
        raise typer.Exit(128 + signals[0])


def _buttons(kind: ButtonsKind, wiring: Wiring, inbox: Inbox) -> GpiozeroButtons | GpiodButtons | None:
    match kind:
        case ButtonsKind.KEYBOARD:
            return None
        case ButtonsKind.GPIOZERO:
            return GpiozeroButtons(wiring.buttons, inbox.put)
        case ButtonsKind.GPIOD:
            return GpiodButtons(wiring.buttons, inbox.put)


def _keyboard(buttons: ButtonsKind, inbox: Inbox, note: Any) -> Keyboard | None:
    """The keyboard: the players', or beside wired buttons the referee's, who can do without."""
    if buttons is ButtonsKind.KEYBOARD:
        return Keyboard(inbox.put, lambda: inbox.put(End(at_ns=monotonic_ns(), why="the keyboard is gone")))
    try:
        return Keyboard(inbox.put, lambda: note("the keyboard is gone"))
    except NoTerminal:
        return None


def _openers(kinds: list[ShownOn], wiring: Wiring, table: Table, title: str, tenths: bool) -> Openers:
    def board() -> Any:
        return table.board

    opened: Openers = {}
    if ShownOn.TERMINAL in kinds:
        opened["terminal"] = partial(TerminalDisplay, title, board, tenths=tenths)
    else:
        opened["lines"] = partial(LinesDisplay, board)
    for kind in kinds:
        if kind not in (ShownOn.TERMINAL, ShownOn.NONE):
            opened |= openers(DisplayKind(kind.value), wiring, tenths=tenths)
    return opened


def _heading(control: TimeControl, hour: datetime | None) -> dict[str, Any]:
    """The first line of JSON: which clock time ``at_ns`` is, for people."""
    now = datetime.now().astimezone().isoformat(timespec="milliseconds")
    starts = None if hour is None else hour.isoformat()
    return {"type": "clock", "control": notation(control), "at_ns": monotonic_ns(), "time": now, "appointed": starts}


def _as_data(control: TimeControl) -> dict[str, Any]:
    return {
        "control": notation(control),
        "words": words(control),
        "sharing": control.sharing,
        "first": _allowance(control.first),
        "second": _allowance(control.second),
    }


def _allowance(allowance: Allowance) -> dict[str, Any]:
    stages = [{"kind": _KINDS[type(stage).__name__], **asdict(stage)} for stage in allowance.stages]
    return {"stages": stages, "first_increment": allowance.first_increment}


_KINDS = {"Period": "period", "ByoYomi": "byo_yomi", "Canadian": "canadian"}
"""Stages by their names in data; times there are in nanoseconds, as ``…_ns`` says."""
