"""A ruleset: everything in which one set of playing rules differs from another, read from one TOML file.

Every file starts from ``rulesets/_base.toml`` (text B's column of the table of acts) or from the ruleset of this
package that it names in ``extends``, and says only what differs.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, model_validator

from appliance.game.points import MAX_SIZE, MIN_SIZE, Colour
from clock.control import TimeControl
from clock.notation import notation, parse
from clock.toml_file import SettingsError, checked, matching, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

BASE = "_base"
_FOLDER = files("appliance.game") / "rulesets"

Seconds = Annotated[int, Field(ge=0)]
Title = Annotated[str, matching(r"\S([^\x00-\x1f\x7f]*\S)?", "write one line of text with no space around it")]
"""One line of text with no space around it."""


class RulesetError(SettingsError):
    """A ruleset that cannot be used, or that there is none of this name."""


class Text(StrEnum):
    """A source text: A = competition, five-two; B = competition, N points; C = school."""

    A = "A"
    B = "B"
    C = "C"


class Remedy(StrEnum):
    """How an act is put right. Where an act lists several, the first is the usual one and the referee chooses."""

    MOVE_TO_TENGEN = "move_to_tengen"
    NEW_OPENING = "new_opening"
    ANNOUNCE = "announce"
    TAKE_BACK = "take_back"
    BACK_TO_FIRST_POINT = "back_to_first_point"
    CHOOSE_AGAIN = "choose_again"
    STANDS = "stands"
    PUT_BACK = "put_back"
    REBUILD = "rebuild"
    MEND_POINTS = "mend_points"
    DRAW = "draw"
    REPLAY = "replay"
    OFFENDER_LOSES = "offender_loses"


class Penalty(StrEnum):
    """What the offender suffers."""

    NONE = "none"
    VIOLATION = "violation"
    TIME_AND_VIOLATION = "time_and_violation"
    LOSS = "loss"


class Raiser(StrEnum):
    """Who may raise an act."""

    OPPONENT = "opponent"
    REFEREE = "referee"
    ANYONE = "anyone"


class Until(StrEnum):
    """How long an act may be raised: until this move is on the board.

    NEXT_MOVE: the opponent's. WHITE_ANSWER: White's first stone after the turn in which it was done.
    """

    NEXT_MOVE = "next_move"
    WHITE_ANSWER = "white_answer"
    WHITE_4 = "white_4"
    MOVE_5 = "move_5"
    WHITE_6 = "white_6"
    ANY_TIME = "any_time"


class Need(StrEnum):
    """What the opening must have for an act to exist at all.

    DESIGNATED: the squares of the 26 openings, whoever lays them. SQUARES: one for a later move.
    """

    TENGEN = "tengen"
    DESIGNATED = "designated"
    SQUARES = "squares"
    ANNOUNCED_POINTS = "announced_points"
    FIFTH_POINTS = "fifth_points"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Act(_Frozen):
    """One row of the table of acts (rules, section 4)."""

    rule: Annotated[str, matching("P[0-9]+", "write a rule's number, such as P4")]
    remedies: tuple[Remedy, ...] = ()
    penalty: Penalty = Penalty.NONE
    by: tuple[Raiser, ...] = Field(min_length=1)
    until: Until
    needs: Need | None = None

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        if len(set(self.by)) < len(self.by) or len(set(self.remedies)) < len(self.remedies):
            raise ValueError("by and remedies: name each once")
        return self


class Step(_Frozen):
    """One turn of the opening; whoever has the colour of its first stone takes it.

    Either ``stones`` are laid, in this order, or Black offers points for one move (``offer``: how many), of which White
    takes all but one away before White's next stone.
    """

    stones: Annotated[str, matching("[BW]+", 'write B or W for each stone, such as "BWB"')] | None = None
    offer: Literal["announced"] | Annotated[int, Field(ge=1)] | None = None
    within: tuple[Annotated[int, Field(ge=0)], ...] = ()
    """For each stone the side of the square around tengen in which it must lie: 1 is tengen itself, 0 anywhere."""
    swap: bool = False
    """Before the turn the other player, who did not lay last, may change colours: once (O3)."""
    announces: Literal["any"] | Annotated[int, Field(ge=1)] | None = None
    """Whoever takes the turn announces how many points will be offered: any number, or so many at most."""
    instead: tuple[Step, ...] = ()
    """What a player who does not swap may do instead of this turn and all after it."""

    @property
    def colour(self) -> Colour:
        """The colour of its first stone."""
        return Colour(self.stones[0]) if self.stones else Colour.BLACK

    @property
    def last_colour(self) -> Colour:
        """The colour of its last stone; an offer ends with White's next stone."""
        return Colour(self.stones[-1]) if self.stones else Colour.WHITE

    @property
    def squares(self) -> tuple[int, ...]:
        """``within`` for every stone."""
        count = len(self.stones) if self.stones else 2
        return (self.within + (0,) * count)[:count]

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.stones is None) == (self.offer is None):
            raise ValueError("give either stones or offer")
        if len(self.within) > len(self.stones or ""):
            raise ValueError("within has more squares than there are stones")
        if any(side and side % 2 == 0 for side in self.within):
            raise ValueError("within: the side of a square around tengen is odd, or 0 for anywhere")
        if self.instead and (self.stones is None or len(self.stones) != 1 or self.instead[0].colour is not self.colour):
            raise ValueError("instead goes with a turn of one stone and begins with the same colour")
        return self


class Opening(_Frozen):
    """The opening protocol: turns until moves alternate, one stone each (O2 to O8). None: they do from the start."""

    steps: tuple[Step, ...]

    @model_validator(mode="after")
    def _can_be_played(self) -> Self:
        for line in self.lines():
            if any(step.offer is not None for step in line[:-1]):
                raise ValueError("steps: an offer ends the opening: nothing may follow it")
            colours = "".join(step.stones or "BW" for step in line)
            if colours != ("BW" * len(colours))[: len(colours)]:
                raise ValueError(f"steps: stones must alternate from Black's first on, not {colours}")
            announcing = [step.announces is not None for step in line]
            if sum(announcing) > 1 or (line and line[-1].offer == "announced" and not any(announcing[:-1])):
                raise ValueError("steps: an offer of 'announced' points needs one earlier step that announces them")
            if any(announcing) and line[-1].offer != "announced":
                raise ValueError("steps: points are announced that nobody offers: end with offer = 'announced'")
        if self.steps and self.steps[0].swap:
            raise ValueError("steps: nobody can change colours before the first turn: remove swap from it")
        return self

    def lines(self) -> Iterator[tuple[Step, ...]]:
        """Every way through the opening, the one without any ``instead`` first."""
        yield from _lines(self.steps)

    @property
    def fifth_points(self) -> Literal["announced"] | int | None:
        """How many points Black offers for move 5, where an offer must be made."""
        return self.steps[-1].offer if self.steps else None

    @property
    def most_announced(self) -> int | None:
        """The largest number of points that may be announced; None: no limit, or nothing is announced."""
        most = next((step.announces for step in self.steps if step.announces is not None), None)
        return most if isinstance(most, int) else None

    def squares_ending_at(self, number: int) -> tuple[int, ...]:
        """The squares (``Step.squares``) of the turn that move ``number`` ends when nobody does anything instead.

        Empty where that move ends no turn of set stones.
        """
        count = 0
        for step in self.steps:
            count += len(step.squares)
            if count == number and step.stones:
                return step.squares
        return ()

    def turn_end(self, number: int) -> int:
        """The last move of the turn to which move ``number`` belongs, when nobody does anything instead."""
        count = 0
        for step in self.steps:
            count += len(step.squares)
            if step.stones and count >= number > count - len(step.squares):
                return count
        return number

    def has(self, need: Need) -> bool:
        """Whether this opening has what an act needs."""
        squares = [side for step in self.steps for side in step.squares]
        match need:
            case Need.TENGEN:
                return squares[:1] == [1]
            case Need.DESIGNATED:
                return squares[:3] == [1, 3, 5]
            case Need.SQUARES:
                return any(squares[3:])
            case Need.ANNOUNCED_POINTS:
                return any(step.offer == "announced" for line in self.lines() for step in line)
            case Need.FIFTH_POINTS:
                return any(step.offer is not None for line in self.lines() for step in line)


def _lines(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    if not steps:
        yield ()
        return
    head = steps[0]
    for rest in _lines(steps[1:]):
        yield (head, *rest)
    if head.instead:
        yield from _lines(head.instead)


class Forbidden(_Frozen):
    """Which moves are forbidden for Black (T5), and how a three is read whose only growth makes a five (T4)."""

    double_three: bool
    double_four: bool
    overline: bool
    five_eye: Literal["rif", "sekai"] = "rif"

    @property
    def any(self) -> bool:
        """Whether any move is forbidden."""
        return self.double_three

    @model_validator(mode="after")
    def _together(self) -> Self:
        # A three that could only grow at a forbidden point does not count (T4): each of them rests on the others.
        if len({self.double_three, self.double_four, self.overline}) > 1:
            raise ValueError("double_three, double_four and overline go together: set all three alike")
        return self


class Five(_Frozen):
    """Whether only exactly five stones in a row win, by colour (T2, W1)."""

    black_exact: bool
    white_exact: bool


class Claims(_Frozen):
    """What counts only once it is claimed; until then the referee alone is shown it (D8)."""

    five: bool
    forbidden: bool


class Passes(_Frozen):
    """Passing (D7). ``from_move``: number of the first move that may be a pass."""

    allowed: bool
    from_move: Annotated[int, Field(ge=1)] = 1


class Violations(_Frozen):
    """``limit``: the violation, counted from 1, that loses the game; ``code``: how that loss is called."""

    limit: Annotated[int, Field(ge=1)]
    code: Literal["second_violation", "third_warning"]


class TimePenalty(_Frozen):
    """What a press before the stone costs (P8). ``referee_chooses``: the amounts are upper limits.

    ``low_s``, ``low_opponent_s``: an offender with less than ``low_s`` left loses nothing, the opponent gains
    ``low_opponent_s``; None where the text has no such clause.
    """

    opponent_s: Seconds
    offender_s: Seconds
    referee_chooses: bool
    low_s: Seconds | None = None
    low_opponent_s: Seconds | None = None

    @model_validator(mode="after")
    def _low_together(self) -> Self:
        if (self.low_s is None) != (self.low_opponent_s is None):
            raise ValueError("give both low_s and low_opponent_s, or neither")
        return self

    def seconds(self, offender_left_s: float) -> tuple[int, int]:
        """Seconds the opponent gains and the offender loses, for an offender with ``offender_left_s`` left."""
        if self.low_s is not None and self.low_opponent_s is not None and offender_left_s < self.low_s:
            return self.low_opponent_s, 0
        return self.opponent_s, self.offender_s


class Late(_Frozen):
    """Being late (C9): the limit, and how often lost time counts against the absentee."""

    limit_s: Seconds
    factor: Annotated[int, Field(ge=1)] = 1


def _control(text: object) -> TimeControl:
    if not isinstance(text, str):
        raise ValueError(f'{text!r} will not do: write a time control in quotes, such as "15m; 3x30s"')
    return parse(text)


Control = Annotated[TimeControl, PlainValidator(_control), PlainSerializer(notation)]
"""A time control as a line of text, in the notation of :mod:`clock.notation`."""


class Ruleset(_Frozen):
    """One set of playing rules."""

    name: str
    title_en: Title
    title_zh: Title
    text: Text | None = None
    """The ruleset's own text; None: it has none and takes text B's articles."""
    board_size: Annotated[int, Field(ge=MIN_SIZE, le=MAX_SIZE)]
    opening: Opening
    forbidden: Forbidden
    five: Five
    claims: Claims
    passes: Passes
    violations: Violations
    waiver_by_playing_on: bool
    """An opponent who makes the next move without telling the referee has accepted the act (B 不合规则2)."""
    time_penalty: TimePenalty
    late: Late
    time_controls: tuple[Control, ...]
    """Suggested (C1 to C7)."""
    acts: dict[str, Act]
    """Every act by its code, whether the opening knows it or not (see :meth:`act`); do not change it."""

    @model_validator(mode="after")
    def _overline(self) -> Self:
        if self.forbidden.overline and not self.five.black_exact:
            raise ValueError("forbidden.overline means that five.black_exact is true: set both")
        return self

    @model_validator(mode="after")
    def _fits_the_board(self) -> Self:
        steps = [step for line in self.opening.lines() for step in line]
        if self.board_size % 2 == 0 and any(side for step in steps for side in step.squares):
            raise ValueError(f"board_size: a board of {self.board_size} lines has no tengen for the opening's squares")
        free = self.board_size**2 - 4
        if any(isinstance(step.offer, int) and step.offer > free for step in steps):
            raise ValueError(f"opening: no more than {free} points can be offered on this board")
        return self

    @property
    def cited_text(self) -> Text:
        """The text whose articles its rulings cite."""
        return self.text or Text.B

    def act(self, code: str) -> Act | None:
        """The row for an act on the board; None when this ruleset's opening does not know the act.

        Raises KeyError for a code that no ruleset knows.
        """
        act = self.acts[code]
        return act if act.needs is None or self.opening.has(act.needs) else None


def ruleset_names() -> list[str]:
    """The rulesets that come with the package, sorted."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml") and not n.startswith("_"))


def load_ruleset(name_or_path: str | Path) -> Ruleset:
    """Read a ruleset by its name, or from a TOML file of one's own (a path, or a string ending in ``.toml``).

    A file's own name becomes the ruleset's name. Raises RulesetError, in one line, when it cannot be used.
    """
    source = _find(name_or_path)
    data = _merged(source)
    unknown = next((code for code in data.get("acts", ()) if code not in known_acts()), None)
    if unknown is not None:
        raise RulesetError(f"{source}: acts.{unknown}: no such act: use one of {', '.join(known_acts())}")
    return checked(Ruleset, {**data, "name": source.name.removesuffix(".toml")}, source, RulesetError)


@cache
def known_acts() -> tuple[str, ...]:
    """The codes of all acts, in the order of the table (rules, section 4)."""
    return tuple(_merged(_FOLDER / f"{BASE}.toml")["acts"])


def _find(name_or_path: str | Path) -> Traversable:
    if isinstance(name_or_path, Path) or name_or_path.endswith(".toml"):
        return Path(name_or_path)
    return _packaged(name_or_path, ", or the path of a .toml file")


def _packaged(name: str, otherwise: str = "") -> Traversable:
    if name not in (*ruleset_names(), BASE):
        raise RulesetError(f"no ruleset {name!r}: use one of {', '.join(ruleset_names())}{otherwise}")
    return _FOLDER / f"{name}.toml"


def _merged(source: Traversable) -> dict[str, Any]:
    """The file's tables over those of the file that it extends."""
    data = read_toml(source, RulesetError)
    if "name" in data:
        raise RulesetError(f"{source}: name: the file's own name is the ruleset's: remove the key")
    parent = data.pop("extends", None if source.name == f"{BASE}.toml" else BASE)
    if parent is None:
        return data
    try:
        inherited = _merged(_packaged(parent))
    except RulesetError as error:
        raise RulesetError(f"{source}: extends: {error}") from None
    return _over(inherited, data)


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """``above`` laid over ``below``, table by table; anything but a table replaces what was there."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
