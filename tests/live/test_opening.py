"""Which game is played."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from appliance.arbiter.decisions import StartClock
from appliance.arbiter.facts import Press
from appliance.arbiter.rulings import Certainty
from appliance.game.points import Seat
from appliance.journal.entries import Draft, Kind
from appliance.journal.games import GamesError, new_folder
from appliance.journal.journal import JournalError
from appliance.live.game import Told
from appliance.live.opening import Opened, frame_error_of, only_one, open_game
from appliance.live.settings import CameraKind, CameraSettings, Game, Settings, StateSettings, Taken
from clock.notation import notation, parse
from tests.arbiter.table import placed
from vision.eyes import Sighting
from vision.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Mapping

DAY = date(2026, 11, 30)
S = 1_000_000_000


def settings(tmp_path: Path, game: Game | None = None, auto: Mapping[str, Taken] | None = None) -> Settings:
    return Settings(state=StateSettings(dir=tmp_path), game=game or Game(), auto=dict(auto or {}))


def opened(tmp_path: Path, recording: Recording | None = None, *, new: bool = False) -> Opened:
    return open_game(settings(tmp_path), recording, new=new, day=DAY)


def write(one: Opened, told: Told, t_ns: int, wall_ns: int) -> None:
    one.journal.append([Draft(t_ns=t_ns, wall_ns=wall_ns, kind=kind, payload=what) for kind, what in told.entries])


def test_a_new_game_is_as_the_file_says(tmp_path: Path) -> None:
    game = Game.model_validate(
        {"ruleset": "competition", "time_control": "10m+5s", "first": "王", "second": "Berg", "mode": "auto"}
    )
    auto = {"overline": Taken.EFFECT, "double_four": Taken.RECORD}
    one = open_game(settings(tmp_path, game, auto), None, new=False, day=DAY)
    header = one.journal.header()
    assert (header.ruleset, header.time_control, header.first) == ("competition", notation(parse("10m+5s")), "王")
    assert header.takes_effect == ("overline",)
    assert one.game.arbiter.clock.started_ns is None
    assert not one.resumed
    one.journal.close()


@pytest.mark.parametrize(
    ("source", "certainty", "error_ns"),
    [(CameraKind.PICAMERA2, Certainty.CERTAIN, 25_000_000), (CameraKind.USB, Certainty.COULD_NOT_SEE, 350_000_000)],
)
def test_as_much_is_allowed_for_frames_as_their_camera_needs(
    tmp_path: Path, source: CameraKind, certainty: Certainty, error_ns: int
) -> None:
    """A stone is seen 0.2 s after a press not to be there yet; by a USB camera that may have been before."""
    box = Settings(state=StateSettings(dir=tmp_path), camera=CameraSettings(source=source))
    for new in (True, False):
        one = open_game(box, None, new=new, day=DAY)
        assert one.resumed != new
        header = one.journal.header()
        assert (header.frame_error_ns, frame_error_of(header)) == (error_ns, error_ns)
        one.game.decide(StartClock(), 0)
        one.game.press(Press(seat=Seat.FIRST, t_ns=10 * S))
        seen = placed("H8", "B", 10_200, 11_000)
        one.game.see(Sighting(acts=[seen], seen_ns=11 * S, whole=True, quiet=True))
        rulings = [ruling for ruling in one.game.arbiter.rulings if ruling.code == "press_before_placing"]
        assert [ruling.certainty for ruling in rulings] == [certainty]
        one.journal.close()


def test_the_newest_game_goes_on_as_it_stood_and_the_outage_has_its_length(tmp_path: Path) -> None:
    one = opened(tmp_path)
    wall_ns = time.time_ns() - 90 * S
    write(one, one.game.decide(StartClock(), 0), 0, wall_ns - 5 * S)
    write(one, one.game.press(Press(seat=Seat.FIRST, t_ns=5 * S)), 5 * S, wall_ns)
    one.journal.close()
    again = opened(tmp_path)
    assert again.folder == one.folder
    assert again.resumed
    assert again.stopped_ns == 5 * S + 1
    assert 90 * S <= again.away_ns < 150 * S
    assert again.game.snapshot(6 * S) == one.game.snapshot(6 * S)
    again.journal.close()


def test_a_wall_clock_that_went_back_tells_no_length(tmp_path: Path) -> None:
    one = opened(tmp_path)
    write(one, one.game.decide(StartClock(), 0), 7, time.time_ns() + 3600 * S)
    one.journal.close()
    again = opened(tmp_path)
    assert (again.stopped_ns, again.away_ns) == (8, 0)
    again.journal.close()


def test_a_game_that_ended_does_not_go_on(tmp_path: Path) -> None:
    one = opened(tmp_path)
    one.journal.append([Draft(t_ns=1, wall_ns=1, kind=Kind.NOTE, payload={"about": "game", "text": "", "ended": True})])
    one.journal.close()
    two = opened(tmp_path)
    assert (two.folder.name, two.resumed) == ("2026-11-30-2", False)
    two.journal.close()


@pytest.mark.parametrize("left", [None, b""])
def test_a_game_cut_off_before_its_first_entry_is_passed_over(tmp_path: Path, left: bytes | None) -> None:
    folder = new_folder(tmp_path, DAY)
    if left is not None:
        (folder / "journal.sqlite").write_bytes(left)
    two = opened(tmp_path)
    assert (two.folder.name, two.resumed) == ("2026-11-30-2", False)
    two.journal.close()


def test_new_begins_another(tmp_path: Path) -> None:
    opened(tmp_path).journal.close()
    two = opened(tmp_path, new=True)
    assert two.folder.name == "2026-11-30-2"
    two.journal.close()


def test_the_numbers_of_decisions_are_remembered(tmp_path: Path) -> None:
    one = opened(tmp_path)
    told = one.game.decide(StartClock(), 0)
    (kind, what), *_ = told.entries
    one.journal.append([Draft(t_ns=0, wall_ns=1, kind=kind, payload={**what, "asked": "seven"})])
    one.journal.close()
    again = opened(tmp_path)
    assert again.ids == ("seven",)
    again.journal.close()


def test_a_damaged_journal_is_refused_in_one_line(tmp_path: Path) -> None:
    one = opened(tmp_path)
    one.journal.close()
    (one.folder / "journal.sqlite").write_bytes(b"x" * 9000)
    with pytest.raises(JournalError, match=r"is no journal.*; or begin another game with --new") as told:
        opened(tmp_path)
    assert "\n" not in str(told.value)
    opened(tmp_path, new=True).journal.close()


@pytest.mark.parametrize("payload", [{"facts": [{"fact": "dance"}]}, {"move": 3}])
def test_a_fact_that_is_none_is_refused_in_one_line(tmp_path: Path, payload: dict[str, object]) -> None:
    one = opened(tmp_path)
    one.journal.append([Draft(t_ns=1, wall_ns=1, kind=Kind.FACT, payload=payload)])
    one.journal.close()
    with pytest.raises(JournalError, match="begin another game with --new") as told:
        opened(tmp_path)
    assert one.folder.name in str(told.value)


def test_a_game_goes_on_with_the_recording_that_showed_it_alone(tmp_path: Path, fixtures: Path) -> None:
    quiet = Recording.open(fixtures / "recordings" / "quiet-opening")
    opened(tmp_path, quiet).journal.close()
    again = opened(tmp_path, quiet)
    assert again.resumed
    again.journal.close()
    with pytest.raises(JournalError, match="the recording 'quiet-opening' shows it: go on with that, or use --new"):
        opened(tmp_path)


def test_one_box_keeps_games_in_a_folder(tmp_path: Path) -> None:
    with only_one(tmp_path), pytest.raises(GamesError, match="another box keeps its games there"), only_one(tmp_path):
        pass
    with only_one(tmp_path):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(GamesError, match="no game can be kept in"), only_one(tmp_path / "file" / "state"):
        pass
