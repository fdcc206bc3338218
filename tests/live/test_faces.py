"""Displays that are pulled out or hang, and a voice that hangs: told once, and the others go on."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from threading import Event

from appliance.live.faces import HANGS_NS, FaceFact, Faces, VoiceBack, VoiceHangs, open_faces
from appliance.live.settings import DisplaySettings, Settings
from appliance.voice.voice import Voice, VoiceThread
from appliance.voice.words import load_words
from clock.displays import DisplayFault
from clock.displays.kinds import DisplayKind
from clock.reading import Reading
from clock.show import DisplayBack, DisplayLost
from clock.wiring import Serial, Wiring
from tests.clock.readings import reading
from tests.voice.announcements import Announcement

LONG_S = 30.0
COUNT = Announcement(kind="count", seconds=57, at_ns=10**9)


class Paper:
    """A display that tells when it is shown something, and takes its time when told to."""

    def __init__(self) -> None:
        self.shown: SimpleQueue[int] = SimpleQueue()
        self.hung, self.freed = Event(), Event()
        self.hangs = self.torn = False

    def open(self) -> Paper:
        return self

    def show(self, reading: Reading) -> None:
        if self.hangs:
            self.hung.set()
            assert self.freed.wait(LONG_S)
        if self.torn:
            raise DisplayFault("paper: torn: mend it")
        self.shown.put(reading.at_ns)

    def close(self) -> None: ...

    def next_shown(self) -> None:
        """Wait until it has been shown something that was not asked for before now."""
        while not self.shown.empty():
            self.shown.get()
        self.shown.get(timeout=LONG_S)
        self.shown.get(timeout=LONG_S)


def test_a_display_that_hangs_is_told_once_and_holds_up_nothing_else() -> None:
    paper, other, facts = Paper(), Paper(), list[FaceFact]()
    with closing(Faces({"paper": paper.open, "other": other.open}, reading, facts.append)) as faces:
        paper.hangs = True
        faces.wake()
        assert paper.hung.wait(LONG_S)
        since_ns = faces._threads["paper"].busy_since_ns
        assert since_ns is not None
        faces.check(since_ns + HANGS_NS - 1)
        assert facts == []
        late_ns = since_ns + HANGS_NS
        other.next_shown()
        for _ in range(3):
            faces.check(late_ns)
        assert facts == [DisplayLost(name="paper", why="paper: hangs: check its cable", at_ns=late_ns)]
        paper.hangs = False
        paper.freed.set()
        paper.next_shown()
        faces.check(since_ns)
        assert facts[1:] == [DisplayBack(name="paper", at_ns=since_ns)]


def test_one_that_hung_and_then_failed_is_not_back() -> None:
    paper = Paper()
    told: SimpleQueue[FaceFact] = SimpleQueue()
    with closing(Faces({"paper": paper.open}, reading, told.put)) as faces:
        paper.hangs = paper.torn = True
        faces.wake()
        assert paper.hung.wait(LONG_S)
        since_ns = faces._threads["paper"].busy_since_ns
        assert since_ns is not None
        faces.check(since_ns + HANGS_NS)
        hung = told.get(timeout=LONG_S)
        assert isinstance(hung, DisplayLost)
        assert hung.why == "paper: hangs: check its cable"
        paper.hangs = False
        paper.freed.set()
        lost = told.get(timeout=LONG_S)
        assert isinstance(lost, DisplayLost)
        assert lost.why == "paper: torn: mend it"
        faces.check(since_ns)
        assert told.empty()


class SlowPlayer:
    """A player in which a sound card hangs."""

    def __init__(self) -> None:
        self.hung, self.freed = Event(), Event()
        self.played: SimpleQueue[Path] = SimpleQueue()

    def play(self, sound: Path) -> None:
        self.hung.set()
        assert self.freed.wait(LONG_S)
        self.played.put(sound)

    def close(self) -> None: ...


def test_a_voice_that_hangs_is_told_once_and_when_it_speaks_again() -> None:
    player, facts = SlowPlayer(), list[FaceFact]()
    voice = Voice(load_words("en"), {"57": Path("57.wav")}, player, None, print)
    speaker = VoiceThread(lambda: voice, now=lambda: COUNT.at_ns)
    with closing(Faces({}, reading, facts.append, speaker=speaker)) as faces:
        faces.check(COUNT.at_ns)
        faces.say(COUNT)
        assert player.hung.wait(LONG_S)
        faces.say(COUNT)  # waits for nobody
        faces.check(COUNT.at_ns + HANGS_NS - 1)
        assert facts == []
        faces.check(COUNT.at_ns + HANGS_NS)
        faces.check(COUNT.at_ns + HANGS_NS + 1)
        assert facts == [VoiceHangs(at_ns=COUNT.at_ns + HANGS_NS)]
        player.freed.set()
        assert [player.played.get(timeout=LONG_S) for _ in range(2)] == [Path("57.wav")] * 2
        faces.check(COUNT.at_ns + 1)
        assert facts[1:] == [VoiceBack(at_ns=COUNT.at_ns + 1)]


def test_the_displays_are_those_of_the_file_each_by_itself() -> None:
    told: SimpleQueue[FaceFact] = SimpleQueue()
    settings = Settings(
        display=DisplaySettings(kinds=(DisplayKind.SERIAL, DisplayKind.NONE)),
        wiring=Wiring(serial=Serial(ports=("/dev/none-left", "/dev/none-right"))),
    )
    with closing(open_faces(settings, reading, told.put, print)) as faces:
        lost = [told.get(timeout=LONG_S) for _ in range(2)]
        assert {one.name for one in lost if isinstance(one, DisplayLost)} == {"/dev/none-left", "/dev/none-right"}
        faces.say(COUNT)  # nobody speaks, which is no fault
