"""A box put together from its file: camera, buttons, faces, journal and socket around one game, and run."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
import traceback
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from appliance.arbiter.decisions import ResumeClock
from appliance.arbiter.facts import Outage
from appliance.arbiter.outcomes import Standing
from appliance.journal.evidence_store import EvidenceStore
from appliance.journal.journal import FRAMES, JournalError
from appliance.journal.keeping import Need, Shows
from appliance.journal.writer import Writer
from appliance.live.aside import Aside
from appliance.live.box import Box, Time, new_inbox
from appliance.live.buttons import open_buttons
from appliance.live.cameras import source_of
from appliance.live.exhibiting import Exhibiting
from appliance.live.faces import open_faces
from appliance.live.items import Asked, Back, Ended, Noted
from appliance.live.listening import Listening
from appliance.live.notify import Manager
from appliance.live.opening import frame_error_of, only_one, open_game
from appliance.live.player import Player
from appliance.live.recent import Recent
from appliance.live.settings import CameraKind
from appliance.live.troubles import of_face
from appliance.live.watcher import Watcher
from clock.priority import Priority, coming_first, lock_soon_free
from vision.camera import Camera
from vision.recorded_source import Pace, RecordedEvents
from vision.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from datetime import date

    from numpy.typing import NDArray

    from appliance.journal.keeping import Picture
    from appliance.live.game import LiveGame
    from appliance.live.opening import Opened
    from appliance.live.settings import Settings

FLOOR_BYTES = 64 << 20
"""What evidence leaves of the disk to the game."""
_NOTE_S = 2.0
"""How long a picture's note waits for the disk."""
_FAILED = 70
"""The exit code when a thread of the box has failed."""


def run(settings: Settings, *, new: bool, day: date, note: Callable[[str], None]) -> Ended:
    """Play a game until it or the box is ended; the newest unfinished game goes on, unless ``new``.

    ``note`` takes lines for whoever watches. Raises BoxError, GamesError, JournalError, ButtonsFault, ListeningFault,
    RecordingError.
    """
    recording = _recording(settings)
    source_of(settings.camera, Pace(at_ns=0))  # refused before there is a game
    with ExitStack() as stack:
        aside = Aside(note)
        stack.callback(aside.close)
        stack.enter_context(only_one(settings.state.dir))
        opened = open_game(settings, recording, new=new, day=day)
        stack.callback(opened.journal.close)
        begins = "goes on with" if opened.resumed else "begins"
        aside.note(f"{begins} game {opened.folder.name} in {opened.folder.parent}")
        with failing_loudly(), lock_soon_free(), coming_first(Priority.CLOCK):
            return _run(settings, recording, opened, aside.note, stack)


def _run(
    settings: Settings, recording: Recording | None, opened: Opened, note: Callable[[str], None], stack: ExitStack
) -> Ended:
    told, pace = _time(settings, opened)
    game, recent = opened.game, Recent()
    box = Box(game, new_inbox(), told, heard_ns=told.now_ns())
    manager = Manager(os.environ, os.getpid())

    def noted(line: str) -> None:
        note(line)
        manager.status(line)

    box.note, box.alive = noted, manager.alive
    box.remember(opened.ids)
    box.committed_seq = opened.journal.last_seq
    listening = Listening(settings.socket.path, box, seq=opened.journal.last_seq)
    stack.callback(listening.close)
    box.publish = listening.publish
    writer = Writer(opened.journal, committed=box.committed, told=box.journal_told)
    stack.callback(_closed, writer, note)  # before the clients are gone, who hear of what it writes
    box.writer = writer
    store = EvidenceStore(
        opened.folder / FRAMES,
        opened.journal.entries(),
        budget=settings.state.evidence_mb << 20,
        floor=FLOOR_BYTES,
        need=partial(_need, game),
        note=lambda draft: _waited(writer.write(draft)),
    )
    exhibiting = Exhibiting(store, recent, box.hear)
    stack.callback(exhibiting.close)
    box.exhibits = exhibiting
    faces = open_faces(
        settings,
        lambda at_ns: game.reading(box.now()),
        lambda fact: box.hear(of_face(fact)),
        note,
    )
    stack.callback(faces.close)
    box.faces = faces
    events = RecordedEvents(recording.events, pace) if recording is not None else None
    player = Player(events, box.hear, told) if events is not None else None
    source = source_of(settings.camera, pace)
    watcher = Watcher(
        lambda: Camera(source),
        box.hear,
        corners=_corners(settings, recording),
        black_side=recording.header.black_side if recording is not None else settings.camera.black_side,
        size=game.arbiter.size,
        rows=game.arbiter.position.rows(),
        frame_error_ns=frame_error_of(opened.journal.header()),
        game_ns=told.game_ns,
        before=(player.until if player is not None and told.paced else lambda t_ns: None),
        recent=recent,
    )
    box.corners = lambda: watcher.corners
    buttons = open_buttons(settings, box)
    if buttons is not None:
        stack.callback(buttons.close)
        box.buttons = buttons
    _begin(box, settings, opened)
    stack.callback(watcher.close)
    watcher.start()
    if player is not None and not told.paced:
        stack.callback(player.close)
        player.start()
    stack.callback(manager.stopping)
    with ended_by_signals(box):
        manager.ready(f"game {opened.folder.name}")
        return box.run()


def _begin(box: Box, settings: Settings, opened: Opened) -> None:
    """What is told before anything else: that the box was away, and that a recording's clock goes."""
    game, recorded = opened.game, settings.camera.source is CameraKind.RECORDING
    if recorded and game.arbiter.clock.started_ns is None:
        box.hear(Asked(decision={"what": "start"}, t_ns=0))
    if opened.resumed and not game.arbiter.over:
        away_s = opened.away_ns / 1e9
        how_long = f"for {away_s:.0f} s" if opened.away_ns else "for a time that its wall clock cannot tell"
        box.hear(Noted(about="power", text=f"the box was away {how_long}; the clocks stood"))
        # Of a recording nothing is missed: it goes on where it stopped.
        goes_on = ResumeClock(reason="the recording goes on") if recorded else None
        until_ns = opened.stopped_ns + (0 if recorded else opened.away_ns)
        box.hear(Back(outage=Outage(t_ns=opened.stopped_ns, until_ns=until_ns), goes_on=goes_on))


def _time(settings: Settings, opened: Opened) -> tuple[Time, Pace]:
    """How the box tells the time, and at what pace a recording is played."""
    at_ns = time.monotonic_ns()
    if settings.camera.source is CameraKind.RECORDING:
        pace = Pace(at_ns=at_ns, begin_ns=opened.stopped_ns, speed=settings.camera.speed)
        paced = math.isinf(settings.camera.speed)
        now = (lambda: opened.stopped_ns) if paced else (lambda: pace.recorded_ns(pace.now_ns(time.monotonic_ns())))
        return Time(game_ns=pace.recorded_ns, now_ns=now, paced=paced), pace
    epoch_ns = at_ns - (opened.stopped_ns + opened.away_ns)
    now = partial(_since, epoch_ns)
    return Time(game_ns=lambda at: at - epoch_ns, now_ns=now), Pace(at_ns=at_ns)


def _since(epoch_ns: int) -> int:
    return time.monotonic_ns() - epoch_ns


def _recording(settings: Settings) -> Recording | None:
    folder = settings.camera.recording
    return None if folder is None else Recording.open(folder)


def _corners(settings: Settings, recording: Recording | None) -> NDArray[np.float64] | None:
    given = settings.camera.corners
    if given is None and recording is not None:
        given = recording.header.corners
    return None if given is None else np.array(given, np.float64)


def _need(game: LiveGame, picture: Picture) -> Need:
    """Rulings that stand are contested as long as they are not dismissed; moves are of use; presses hardly."""
    if picture.shows is Shows.MOVE:
        return Need.NEEDED
    ruling = next((one for one in game.arbiter.rulings if one.number == picture.number), None)
    dismissed = ruling is None or ruling.standing is Standing.REJECTED
    return Need.UNNEEDED if dismissed or picture.shows is Shows.PRESS else Need.CONTESTED


def _waited(done: Future[Any]) -> None:
    with suppress(TimeoutError, JournalError):
        done.result(_NOTE_S)


def _closed(writer: Writer, note: Callable[[str], None]) -> None:
    """End the writing; what the disk did not take by then is told."""
    lost = writer.close()
    if lost:
        note(f"{len(lost)} entries of the game could not be written to the disk: note the position and the times")


@contextmanager
def failing_loudly() -> Iterator[None]:
    """A thread that fails ends the process: whoever watches it starts it again, and the journal has all."""

    def fail(args: threading.ExceptHookArgs) -> None:
        traceback.print_exception(args.exc_type, args.exc_value, args.exc_traceback)
        os._exit(_FAILED)

    before, threading.excepthook = threading.excepthook, fail
    try:
        yield
    finally:
        threading.excepthook = before


_SIGNALS = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "SIGTERM",
    signal.SIGQUIT: "SIGQUIT",
    signal.SIGHUP: "the terminal is gone",
}


@contextmanager
def ended_by_signals(box: Box) -> Iterator[None]:
    """A signal ends the box in good order; its game goes on when the box is started again."""
    before = {
        number: signal.signal(number, lambda got, _: box.hear(Ended(why=_SIGNALS[signal.Signals(got)])))
        for number in _SIGNALS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
