"""Referee a recording: its frames and events in the order of their instants, as fast as the machine allows."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from appliance.arbiter.decisions import decision_of
from appliance.arbiter.rulings import Ruling
from appliance.game.points import Colour, Point
from appliance.game.position import Position
from appliance.game.ruleset import RulesetError, load_ruleset, ruleset_names
from appliance.journal.evidence import exhibits, panel, strip
from appliance.record.of_arbiter import record_of
from appliance.referee import Referee, Step, board_order, press_of
from calibration.grid import GridNotFound, find_grid, find_grid_near
from clock.notation import parse
from vision.acts import BoardAct
from vision.recording import BadFrame, RecordedDecision, RecordedEvent, RecordedPress, Recording, RecordingError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from appliance.game.ruleset import Ruleset
    from appliance.record.game_record import GameRecord
    from vision.observation import Frame, Observation

DEFAULT_RULESET = "renju"
"""For recordings that name none."""

MIN_CELL = 6
"""Pixels a cell that a board must have at least."""

BOARD_SEEN = 0.5
"""The part of the first frame's points that must look as they should, before it is learnt from."""

_LINES_SOUGHT = 3
"""In how many of the first frames recorded corners are compared with the lines."""

_CORNERS_OFF = 0.6
"""Cells by which corners must be off on average to be refused."""

_CORNERS_EXACT = 0.1
"""Cells by which they may be off and yet be taken as they are; beyond, the lines tell where they were meant."""

_TILT = math.radians(60)
"""How far the board's top may be turned from the picture's; beyond it the corners begin at the wrong one."""

_TRIES = 12
"""In how many frames, spread over the recording, the board is looked for."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something about the recording itself that its reader should know. ``text``: one line."""

    t_ns: int
    text: str


@dataclass(frozen=True, kw_only=True)
class OutOfStep:
    """From now on board and record differ on ``points``, seen with nobody about; none: they agree again."""

    t_ns: int
    points: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A frame has been read and judged; what it brought was told before.

    ``corners``: where the board lay in it, (4, 2) outer intersections in board order.
    """

    frame: Frame
    observation: Observation
    corners: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Amended:
    """A ruling that was told before, its number the same, now stands as ``ruling``. ``before``: as it stood."""

    ruling: Ruling
    before: Ruling
    t_ns: int


@dataclass(frozen=True, kw_only=True)
class Withdrawn:
    """The ``ruling`` that was told before stands no more: what is known has changed."""

    ruling: Ruling
    t_ns: int


Happening = RecordedEvent | BadFrame | Note | BoardAct | Ruling | Amended | Withdrawn | OutOfStep | Seen
"""What a replay tells, in the order in which it becomes known."""


@dataclass(kw_only=True)
class Costs:
    """Seconds spent by stage, and how many frames went through.

    ``read``, ``quiet``: seconds of the processor for each frame that was read, and for each in which nothing moved.
    """

    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    frames: int = 0
    read: list[float] = field(default_factory=list)
    quiet: list[float] = field(default_factory=list)

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        """Adds the time of the block to ``stage``."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] += time.perf_counter() - began

    @property
    def total(self) -> float:
        """Seconds over all stages."""
        return sum(self.seconds.values())

    @property
    def frames_per_second(self) -> float:
        """Frames by the time of all stages but finding the board, which happens once."""
        spent = self.total - self.seconds.get("find the board", 0.0)
        return self.frames / spent if spent else 0.0


def ruleset_of(recording: Recording, name: str | None) -> Ruleset:
    """The ruleset called ``name``, or the one that the recording names. Raises RulesetError."""
    if name is not None:
        return load_ruleset(name)
    named = recording.header.ruleset or DEFAULT_RULESET
    if named not in ruleset_names():
        raise RulesetError(
            f"{recording.folder}: recording.json names no known ruleset ({named!r}): "
            f"name one with --ruleset, of {', '.join(ruleset_names())}"
        )
    return load_ruleset(named)


def find_board(recording: Recording) -> NDArray[np.float64]:
    """The board's outer intersections, (4, 2) in image order: as recorded, or found in the frames.

    Raises RecordingError when no frame shows a board of that many lines, or the first ones show it elsewhere than
    recorded.
    """
    header = recording.header
    if header.corners is not None:
        given = np.array(header.corners, np.float64)
        _check_upright(given, recording.folder)
        return _on_the_lines(given, recording)
    wanted = set(np.linspace(0, max(len(recording) - 1, 0), _TRIES).astype(int).tolist())
    why = "no frame could be read"
    with closing(recording.frames(lambda bad: None)) as frames:
        for frame in frames:
            if frame.index not in wanted:
                continue
            try:
                return find_grid(frame.image, header.board_size).corners
            except (GridNotFound, ValueError) as error:
                why = str(error)
    raise RecordingError(
        f"{recording.folder}: no board of {header.board_size} lines was found in its frames ({why}); "
        "write its outer intersections into recording.json as corners"
    )


def _check_upright(corners: NDArray[np.float64], folder: Path) -> None:
    """Refuse corners that begin at another than the top left one: Black would sit elsewhere. Raises RecordingError."""
    x, y = corners[1] + corners[2] - corners[0] - corners[3]
    if abs(np.arctan2(y, x)) > _TILT:
        raise RecordingError(
            f"{folder}: corners begin at {_pixels(corners[:1])}, which is not the board's top left as the picture "
            "shows it; write them from there on, clockwise, and black_side as the picture shows it too"
        )


def _on_the_lines(corners: NDArray[np.float64], recording: Recording) -> NDArray[np.float64]:
    """Recorded corners, drawn to the lines where they are a little off; as they are where no lines are found.

    Raises RecordingError when the first usable frames agree to show the board elsewhere.
    """
    size = recording.header.board_size
    cell = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()) / (size - 1)
    before: NDArray[np.float64] | None = None
    with closing(recording.frames(lambda bad: None)) as frames:
        for frame in islice(frames, _LINES_SOUGHT):
            found = _lines_seen(frame, [corners] if before is None else [corners, before], size)
            if found is None:
                continue
            if _apart(corners, found) < _CORNERS_OFF * cell:
                return corners if _apart(corners, found) < _CORNERS_EXACT * cell else found
            if (before is not None and _apart(before, found) < _CORNERS_OFF * cell) or len(recording) == 1:
                raise RecordingError(
                    f"{recording.folder}: corners {_pixels(corners)} are not where the lines of the board are seen, "
                    f"{_pixels(found)}; mend corners in recording.json, or leave them out"
                )
            before = found
    return corners


def _lines_seen(frame: Frame, places: Sequence[NDArray[np.float64]], size: int) -> NDArray[np.float64] | None:
    """The corners that the lines tell about one of ``places``, or else, in the first frame, anywhere in the picture;
    counted from the one nearest to the first of the first place."""
    found: NDArray[np.float64] | None = None
    for corners in places:
        if found is None:
            with suppress(GridNotFound):
                found = find_grid_near(frame.image, corners, size).corners
    if found is None and frame.index == 0:
        with suppress(GridNotFound, ValueError):
            found = find_grid(frame.image, size).corners
    if found is None:
        return None
    return min((np.roll(found, turn, axis=0) for turn in range(4)), key=partial(_apart, places[0]))


def _apart(corners: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """How far corners are from others on average, in pixels."""
    return float(np.linalg.norm(corners - others, axis=1).mean())


def _pixels(corners: NDArray[np.float64]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)


class Replay:
    """One recording being refereed: iterate to run it; afterwards the other attributes tell the outcome."""

    def __init__(self, recording: Recording, ruleset: Ruleset) -> None:
        header = recording.header
        self.recording = recording
        self.costs = Costs()
        self.instants_ns = [-1] * len(recording)
        self.corners_at: dict[int, NDArray[np.float64]] = {}
        """For each ruling, by its number, where the board lay: outer intersections in board order."""
        with self.costs.of("find the board"):
            self._corners = board_order(find_board(recording), header.black_side)
        self._ruleset = ruleset
        self._referee: Referee | None = None
        self._board_seen = False
        # The rulings as they were told last, by number.
        self._standing: dict[int, Ruling] = {}

    def __iter__(self) -> Iterator[Happening]:
        events = list(self.recording.events)
        bad: list[BadFrame] = []
        with closing(self._timed_frames(bad)) as frames:
            for frame in frames:
                if self._referee is None or not self._board_seen:
                    # A frame in which the board cannot be made out is no frame to learn from.
                    self._begin(frame)
                while events and events[0].t_ns <= frame.instant_ns:
                    yield from self._event(events.pop(0))
                yield from self._drain(bad)
                yield from self._frame(frame)
        yield from self._drain(bad)
        for event in events:
            yield from self._event(event)
        with self.costs.of("rule"):
            step = self.referee.finish()
        yield from self._told(step, max(self.instants_ns))

    @property
    def referee(self) -> Referee:
        """Who referees; there once the first frame has come, and a recording has one at least."""
        assert self._referee is not None
        return self._referee

    @property
    def record(self) -> GameRecord:
        """The game's record as it stands."""
        return record_of(self.referee.arbiter, title=self.recording.header.title or "")

    def _timed_frames(self, bad: list[BadFrame]) -> Generator[Frame, None, None]:
        frames = self.recording.frames(bad.append)
        while True:
            with self.costs.of("decode"):
                frame = next(frames, None)
            if frame is None:
                return
            yield frame

    def _frame(self, frame: Frame) -> Iterator[Happening]:
        self.instants_ns[frame.index] = frame.instant_ns
        referee = self.referee
        before = referee.out_of_step
        with self.costs.of("see"):
            began = time.thread_time()
            observation = referee.eyes.observer.observe(frame)
            spent = self.costs.read if referee.eyes.observer.read_last else self.costs.quiet
            spent.append(time.thread_time() - began)
        if not self._board_seen and referee.eyes.observer.start_seen >= BOARD_SEEN:
            yield from self._check_start(frame)
        with self.costs.of("follow"):
            sighting = referee.eyes.follow(observation)
        with self.costs.of("rule"):
            step = referee.rule(sighting, frame.instant_ns)
        self._board_seen = self._board_seen or referee.eyes.observer.start_seen >= BOARD_SEEN
        self.costs.frames += 1
        yield from self._told(step, frame.instant_ns)
        if referee.out_of_step != before:
            yield OutOfStep(t_ns=frame.instant_ns, points=referee.out_of_step)
        yield Seen(frame=frame, observation=observation, corners=referee.eyes.observer.corners)

    def _begin(self, frame: Frame) -> None:
        header, folder = self.recording.header, self.recording.folder
        height, width = frame.image.shape[:2]
        _check_in_picture(self._corners, header.board_size, (width, height), folder)
        start = Position.from_rows(header.start.stones) if header.start else None
        to_move = Colour.WHITE if header.start and header.start.to_move == "white" else Colour.BLACK
        self._referee = Referee(
            self._ruleset,
            self._corners,
            (width, height),
            size=header.board_size,
            start=start,
            to_move=to_move,
            control=parse(header.time_control) if header.time_control else None,
        )

    def _check_start(self, frame: Frame) -> Iterator[Note]:
        """The first frame must show what the recording begins with. Raises RecordingError when it plainly does not."""
        header, observer = self.recording.header, self.referee.eyes.observer
        doubts = [str(Point(at.col, header.board_size - 1 - at.row)) for at in observer.start_doubts]
        if not doubts:
            return
        stones = sum(len(row) - row.count(".") for row in header.start.stones) if header.start else 0
        said = f"the first picture ({frame.name}) does not show the position that the game starts with, see "
        said += ", ".join(doubts[:6])
        if len(doubts) > max(2, stones // 4):
            raise RecordingError(f"{self.recording.folder}: {said}; write start into recording.json or mend black_side")
        yield Note(t_ns=frame.instant_ns, text=said)

    def _event(self, event: RecordedEvent) -> Iterator[Happening]:
        yield event
        with self.costs.of("rule"):
            match event:
                case RecordedPress():
                    step = self.referee.press(press_of(event))
                case RecordedDecision():
                    try:
                        step = self.referee.decide(decision_of(event.payload), event.t_ns)
                    except ValueError as error:
                        yield Note(t_ns=event.t_ns, text=f"a decision that cannot be: {error}")
                        return
                case _:
                    raise TypeError(f"no way to take {type(event).__name__}")
        yield from self._told(step, event.t_ns)

    def _drain(self, bad: list[BadFrame]) -> Iterator[Happening]:
        yield from bad
        bad.clear()

    def _told(self, step: Step, now_ns: int) -> Iterator[Happening]:
        yield from step.acts
        standing = {ruling.number: ruling for ruling in self.referee.arbiter.rulings}
        for number, before in self._standing.items():
            if number not in standing:
                yield Withdrawn(ruling=before, t_ns=now_ns)
            elif standing[number] != before:
                yield Amended(ruling=standing[number], before=before, t_ns=now_ns)
        self._standing = standing
        for ruling in step.rulings:
            self.corners_at[ruling.number] = self.referee.eyes.observer.corners
            yield ruling


def evidence_strips(replay: Replay) -> Iterator[tuple[Ruling, NDArray[np.uint8]]]:
    """For each ruling the strip of frames that shows it. Only the frames needed are decoded, one at a time."""
    rulings = replay.referee.arbiter.rulings
    size = replay.recording.header.board_size
    shown = {ruling.number: exhibits(ruling, replay.instants_ns) for ruling in rulings}
    panels: dict[int, list[NDArray[np.uint8]]] = {ruling.number: [] for ruling in rulings}
    for frame in replay.recording.frames_at({one.frame for ones in shown.values() for one in ones}):
        for ruling in rulings:
            for one in shown[ruling.number]:
                if one.frame == frame.index:
                    corners = replay.corners_at[ruling.number]
                    panels[ruling.number].append(panel(ruling, one, frame, corners, size))
    for ruling in rulings:
        if panels[ruling.number]:
            yield ruling, strip(ruling, panels[ruling.number])


def _check_in_picture(corners: NDArray[np.float64], size: int, frame_size: tuple[int, int], folder: Path) -> None:
    """Refuse corners that are no board in a picture of that size. Raises RecordingError."""
    width, height = frame_size
    inside = np.all(corners > -0.05 * max(frame_size)) and np.all(corners < [1.05 * width, 1.05 * height])
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if not inside or sides.min() < MIN_CELL * (size - 1):
        raise RecordingError(
            f"{folder}: corners are no board of {size} lines in a picture of {width} x {height} pixels; "
            f"write the four outer intersections in pixels, at least {MIN_CELL} pixels a cell"
        )
