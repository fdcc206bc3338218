"""The referee's judgement: facts in, rulings out.

Facts become known late and out of order: a hand may hide a stone until after the press. So the game is told anew, from
the last time that the whole board was seen, whenever a fact comes: all facts since then are put in the order of their
instants, and where the camera leaves that open, in the order in which nobody did wrong. No ruling is made of it before
the whole board has been seen, since a stone still hidden may tell another story. A fact older than that is put in its
place and all that follows is told again: in the end what came when makes no difference, only what happened when.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from appliance.arbiter.articles import article
from appliance.arbiter.consequences import FORBIDDEN_CODES
from appliance.arbiter.deciding import decided
from appliance.arbiter.decisions import Amend, Confirm, Dismiss, Undo
from appliance.arbiter.facts import Decision, NoFrames, NoMore, Press, TimePassed, WholeBoard, instant
from appliance.arbiter.ledger import Ledger
from appliance.arbiter.ordering import precedes
from appliance.arbiter.protocol import Protocol
from appliance.arbiter.rulings import Audience, Certainty, Ruling
from appliance.arbiter.state import Finding, Move, State
from appliance.arbiter.telling import after, closed, settled, strangeness, tellings
from appliance.game.points import Colour, Point, Seat
from appliance.game.position import Position
from clock.control import UNTIMED
from clock.dual import DualClock
from clock.facts import Start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from appliance.arbiter.facts import Fact, Told
    from appliance.arbiter.outcomes import Outcome, Standing
    from appliance.game.ruleset import Ruleset
    from clock.control import Lateness, TimeControl
    from vision.acts import BoardAct

FRAME_ERROR_NS = 1_000_000
"""How far a frame's instant may be off where nothing better is known: recordings keep whole milliseconds."""

GAP_NS = 1_500_000_000
"""How long no frame must come before a stone may have come and gone unseen."""

MOST_TELLINGS = 64
"""How many ways to tell the same facts are weighed at most."""

_NOTICES = frozenset(
    {
        "board_moved",
        "board_scattered",
        "camera_covered",
        "laid_unseen",
        "power_cut",
        "pressed_without_move",
        "sealed_move_differs",
        "stone_beside_point",
        "stone_removed",
    }
)
_TOLD_AT_ONCE = frozenset(
    {
        "board_moved",
        "board_scattered",
        "camera_covered",
        "flag",
        "late",
        "power_cut",
        "stone_displaced",
        "stone_removed",
    }
)
"""What accuses nobody of an act on the board and needs no other stone to be true; all else waits for the board."""


@dataclass(frozen=True, kw_only=True)
class News:
    """What a fact brought. ``withdrawn``: numbers of rulings that stand no more, since what was known has changed.

    ``changed``: rulings made before that now say something else (as of their certainty or what was decided about
    them). ``revoked``: outcomes that do not follow any more.
    """

    rulings: tuple[Ruling, ...] = ()
    changed: tuple[Ruling, ...] = ()
    withdrawn: tuple[int, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    revoked: tuple[Outcome, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Chapter:
    """The game when the whole board had been seen at ``until_ns``."""

    until_ns: int
    state: State


@dataclass(frozen=True, kw_only=True)
class _Made:
    """A ruling, and the finding that it was made of."""

    finding: Finding
    ruling: Ruling


class Arbiter:
    """One game, from the first fact to the last. Facts come in the order in which they become known."""

    def __init__(
        self,
        ruleset: Ruleset,
        *,
        size: int = 15,
        start: Position | None = None,
        to_move: Colour = Colour.BLACK,
        start_ns: int | None = 0,
        frame_error_ns: int = FRAME_ERROR_NS,
        control: TimeControl | None = None,
        late: Lateness | None = None,
        takes_effect: frozenset[str] | None = None,
    ) -> None:
        """A game before its first fact.

        ``start``: the stones of a game that begins in the middle. ``start_ns``: when the clock was started, None: a
        decision starts it. ``control``: None where the clock only tells the turns. ``takes_effect``: the organiser's
        table for a game without a referee: the codes that count with nobody raising them; None: a referee decides.
        """
        protocol = (
            Protocol.resumed(ruleset.opening, to_move, len(start.stones)) if start else Protocol.start(ruleset.opening)
        )
        clock = replace(DualClock.of(control or UNTIMED, late), turn=protocol.seat)
        if start_ns is not None:
            clock, _ = clock.apply(Start(at_ns=start_ns))
        self._takes_effect = takes_effect or frozenset()
        self._begun = State(
            ruleset=ruleset,
            frame_error_ns=frame_error_ns,
            from_start=start is None,
            self_ruled=control is None or takes_effect is not None,
            timed=control is not None,
            protocol=protocol,
            start=start or Position(size),
            position=start or Position(size),
            clock=clock,
            ledger=Ledger(ruleset=ruleset, before=len(start.stones) if start else 0),
        )
        self._facts: list[Told] = []
        self._whole_ns: list[int] = []
        self._chapters = [_Chapter(until_ns=-1, state=self._begun)]
        self._open: set[int] = set()
        """When the whole board had been seen since the last chapter, and yet it is open what was played."""
        self._state = self._begun
        self._sure = True
        self._finished_ns: int | None = None
        self._frame_ns: int | None = None
        self._decisions: list[Decision] = []
        self._made: dict[Finding, _Made] = {}
        self._ruled_on: tuple[tuple[Finding, ...], Mapping[Finding, Standing], bool] = ((), {}, False)
        self._keys: list[Finding] = []
        self._known: dict[Finding, tuple[int, int]] = {}
        """Of each ruling that was ever made its number, and with which fact it first became known."""
        self._outcomes: tuple[Outcome, ...] = ()

    # What there is to know

    @property
    def ruleset(self) -> Ruleset:
        """The rules that are enforced."""
        return self._state.ruleset

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._state

    @property
    def size(self) -> int:
        """Lines of the board."""
        return self._state.position.size

    @property
    def position(self) -> Position:
        """What stands on the board."""
        return self._state.position

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the game, in order."""
        return self._state.moves

    @property
    def turns(self) -> Mapping[Press, int]:
        """The presses that switched the clock, in order, each with the nanoseconds that the turn took."""
        return dict(zip(self._state.presses, self._state.thought, strict=True))

    @property
    def protocol(self) -> Protocol:
        """The state of the order of play."""
        return self._state.protocol

    @property
    def clock(self) -> DualClock:
        """The chess clock, at the newest stamp that it was told."""
        return self._state.clock

    @property
    def running(self) -> Seat:
        """Whose clock runs."""
        return self._state.running

    @property
    def result(self) -> Colour | None:
        """The winner, once there is one."""
        return self._state.result

    @property
    def drawn(self) -> bool:
        """Whether the game ended drawn."""
        return self._state.drawn

    @property
    def differing(self) -> tuple[Point, ...]:
        """Out of step: the points that do not show what the record, or a position to be rebuilt, has there."""
        return self._state.differing

    @property
    def wanted(self) -> Position:
        """What should stand on the board."""
        return self._state.wanted

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._state.over

    @property
    def rulings(self) -> list[Ruling]:
        """The rulings that stand, in the order in which they were made."""
        return [made.ruling for made in self._made.values()]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What has followed, in order."""
        return self._state.outcomes

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What the referee entered, in order, what was undone among it."""
        return tuple(self._decisions)

    # Facts

    def press(self, press: Press) -> list[Ruling]:
        """A clock button went down. A press by the side whose clock does not run changes nothing on the clock."""
        return list(self.take(press).rulings)

    def see(self, acts: Sequence[BoardAct], *, whole_board: bool = True, now_ns: int | None = None) -> list[Ruling]:
        """What happened on the board, as one observation of the instant ``now_ns`` made it certain.

        ``whole_board``: in it every point could be seen, and nothing that it showed is left untold. ``now_ns`` None:
        with the newest fact.
        """
        return list(self.take(*self.facts_of(acts, whole_board=whole_board, now_ns=now_ns)).rulings)

    def facts_of(self, acts: Sequence[BoardAct], *, whole_board: bool, now_ns: int | None = None) -> list[Fact]:
        """The facts that an observation brings: the pause before it, its acts, and whether it showed all; see it."""
        facts: list[Fact] = []
        if now_ns is not None:
            if self._frame_ns is not None and now_ns - self._frame_ns > GAP_NS:
                facts.append(NoFrames(from_ns=self._frame_ns, t_ns=now_ns))
            self._frame_ns = max(now_ns, self._frame_ns or 0)
        facts += acts
        newest = max((instant(fact) for fact in (*facts, *self._facts[-1:])), default=0)
        if whole_board and (facts or self._unsettled()):
            facts.append(WholeBoard(t_ns=newest if now_ns is None else max(now_ns, *map(instant, facts), 0)))
        return facts

    def finish(self, t_ns: int) -> list[Ruling]:
        """No more facts come: what waited for one is ruled as it stands."""
        return list(self.take(NoMore(t_ns=t_ns)).rulings)

    def take(self, *facts: Fact) -> News:
        """What is new with ``facts``, which became known together.

        Raises ValueError, one line, for a decision that cannot be (one that comes alone); nothing has changed then.
        One that comes with other facts is on record all the same, as void.
        """
        if len(facts) == 1 and isinstance(facts[0], Decision):
            self._check(facts[0])
        from_ns: int | None = None
        for fact in facts:
            told_ns = self._put(fact)
            if told_ns is not None:
                from_ns = told_ns if from_ns is None else min(from_ns, told_ns)
        match facts:
            case [Press() | TimePassed() as fact] if self._sure and self._is_last(fact):
                self._state = after(self._state, fact)
            case _ if from_ns is not None:
                self._tell(from_ns)
            case _:
                return News()
        return self._release(max(map(instant, facts)))

    def _put(self, fact: Fact) -> int | None:
        """Put ``fact`` in its place; from when on the game is to be told anew, None: it changes nothing."""
        match fact:
            case NoMore():
                self._finished_ns = fact.t_ns
            case WholeBoard():
                quiet = self._quiet_since(fact.t_ns)
                insort(self._whole_ns, fact.t_ns)
                return None if quiet else fact.t_ns
            case Decision():
                fact = self._entered(fact)
                self._decisions.append(fact)
                insort(self._facts, fact, key=instant)
                undone = self._undone_by(fact)
                return min(instant(fact), instant(undone) if undone else instant(fact))
            case _:
                insort(self._facts, fact, key=instant)
        return instant(fact)

    def _entered(self, decision: Decision) -> Decision:
        """``decision`` with its number and what it is about."""
        act = decision.act
        about = None
        if isinstance(act, Confirm | Dismiss | Amend) and 1 <= act.ruling <= len(self._keys):
            about = self._keys[act.ruling - 1]
        return replace(decision, number=len(self._decisions) + 1, about=about)

    def _check(self, decision: Decision) -> None:
        """Raises ValueError, one line, where ``decision`` cannot be."""
        act = decision.act
        if isinstance(act, Undo):
            if not 1 <= act.decision <= len(self._decisions):
                raise ValueError(f"there is no decision {act.decision}: the last is {len(self._decisions)}")
            if act.decision in self._undone():
                raise ValueError(f"decision {act.decision} has been undone")
        decided(self._state, self._entered(decision))

    def _undone_by(self, decision: Decision) -> Decision | None:
        """The decision at the bottom, which counts otherwise with ``decision``; None: it undoes none."""
        act = decision.act
        if not isinstance(act, Undo) or not 1 <= act.decision < decision.number:
            return None
        undone = self._decisions[act.decision - 1]
        return self._undone_by(undone) or undone

    def _undone(self) -> frozenset[int]:
        """The numbers of the decisions that are as if they had not been."""
        undone: set[int] = set()
        for decision in reversed(self._decisions):
            act = decision.act
            if isinstance(act, Undo) and act.decision < decision.number not in undone:
                undone.add(act.decision)
        return frozenset(undone)

    # Telling

    def _unsettled(self) -> bool:
        return bool(self._facts) and instant(self._facts[-1]) > self._chapters[-1].until_ns

    def _is_last(self, last: Press | TimePassed) -> bool:
        begun = bisect_right(self._facts, self._chapters[-1].until_ns, key=instant)
        if last.t_ns <= self._chapters[-1].until_ns or self._finished_ns is not None:
            return False
        error_ns = self._state.frame_error_ns
        error_ns += last.error_ns if isinstance(last, Press) else 0
        # What was known so long before it had happened before it: a burst of presses has no time for all facts.
        near = bisect_left(self._facts, last.t_ns - error_ns, lo=begun, key=instant)
        return all(
            fact is last or precedes(fact, last, self._state.frame_error_ns) for fact in islice(self._facts, near, None)
        )

    def _quiet_since(self, t_ns: int) -> bool:
        """Whether the whole board was seen before ``t_ns`` with nothing having happened since."""
        before = bisect_right(self._whole_ns, t_ns)
        seen_ns = self._whole_ns[before - 1] if before else -1
        return bisect_right(self._facts, seen_ns, key=instant) == bisect_right(self._facts, t_ns, key=instant)

    def _tell(self, from_ns: int) -> None:
        """Tell the game anew from the last chapter that ended before ``from_ns``."""
        while len(self._chapters) > 1 and self._chapters[-1].until_ns >= from_ns:
            self._chapters.pop()
        self._open = {whole_ns for whole_ns in self._open if whole_ns < from_ns}
        undone = self._undone()
        state, done_ns = self._chapters[-1].state, self._chapters[-1].until_ns
        begun = end = bisect_right(self._facts, done_ns, key=instant)
        told, told_to, sure = state, begun, True
        for whole_ns in self._whole_ns[bisect_right(self._whole_ns, done_ns) :]:
            before, end = end, bisect_right(self._facts, whole_ns, key=instant)
            if end == before or whole_ns in self._open:
                continue
            told, sure = _best(state, _counting(self._facts[begun:end], undone))
            told_to = end
            if sure:
                told = state = settled(told, whole_ns, self._takes_effect)
                self._chapters.append(_Chapter(until_ns=whole_ns, state=state))
                begun = end
            else:
                self._open.add(whole_ns)
        if told_to < len(self._facts):
            told, sure = _best(state, _counting(self._facts[begun:], undone))
        self._state, self._sure = told, sure
        if self._finished_ns is not None:
            self._state = closed(self._state)

    def _release(self, now_ns: int) -> News:
        """Make rulings of the findings that may be told, and say what is new."""
        before_outcomes, self._outcomes = self._outcomes, self._state.outcomes
        same = _same(before_outcomes, self._outcomes)
        news = News(outcomes=self._outcomes[same:], revoked=before_outcomes[same:])
        state, finishing = self._state, self._finished_ns is not None
        ruled_on = (state.findings, state.verdicts, finishing)
        if all(one is other for one, other in zip(ruled_on, self._ruled_on, strict=True)):
            return news
        self._ruled_on = ruled_on
        found = {
            finding.key: finding
            for finding in state.findings
            if finding.settled or finding.code in _TOLD_AT_ONCE or finishing
        }
        standing: dict[Finding, _Made] = {}
        new, changed = [], []
        for key, before in self._made.items():
            if key in found:
                standing[key] = made = self._again(before, found[key], now_ns)
                if made.ruling != before.ruling:
                    changed.append(made.ruling)
        for key, finding in found.items():
            if key not in standing:
                standing[key] = made = _Made(finding=finding, ruling=self._ruling(finding, now_ns))
                new.append(made.ruling)
        withdrawn = tuple(before.ruling.number for key, before in self._made.items() if key not in standing)
        self._made = standing
        return replace(news, rulings=tuple(new), changed=tuple(changed), withdrawn=withdrawn)

    def _again(self, before: _Made, finding: Finding, now_ns: int) -> _Made:
        """A ruling that was made ``before``, as ``finding`` and what was decided about it have it now."""
        if finding is before.finding and self._state.verdicts.get(finding.key) is before.ruling.standing:
            return before
        return _Made(finding=finding, ruling=self._ruling(finding, now_ns))

    def _ruling(self, finding: Finding, now_ns: int) -> Ruling:
        """The ruling on ``finding``: what was withdrawn and stands again has its old number."""
        ruleset, key = self.ruleset, finding.key
        if key not in self._known:
            self._keys.append(key)
            self._known[key] = len(self._keys), max(now_ns, finding.t_ns)
        number, seen_ns = self._known[key]
        act = ruleset.acts.get(finding.code)
        sure = finding.settled or finding.code in _TOLD_AT_ONCE
        silent = act is not None or finding.code in _NOTICES or self._waits_for_claim(finding.code)
        certainty = finding.certainty if sure else Certainty.COULD_NOT_SEE
        if certainty is Certainty.COULD_NOT_SEE:
            # Nothing follows from what could not be seen, unless the referee decides so.
            act = None
        return Ruling(
            number=number,
            code=finding.code,
            article=article(finding.code, ruleset.cited_text),
            certainty=certainty,
            seat=finding.seat,
            points=finding.points,
            t_ns=finding.t_ns,
            seen_ns=seen_ns,
            bracket=finding.bracket,
            press_ns=finding.press_ns,
            colour=finding.colour,
            out_of_turn=finding.out_of_turn,
            remedies=act.remedies if act else (),
            penalty=act.penalty if act else None,
            audience=Audience.REFEREE if silent else Audience.EVERYBODY,
            standing=self._state.verdicts.get(finding.key),
        )

    def _waits_for_claim(self, code: str) -> bool:
        if code == "five":
            return self.ruleset.claims.five
        return code in FORBIDDEN_CODES and self.ruleset.claims.forbidden


def _best(state: State, facts: Sequence[Told]) -> tuple[State, bool]:
    """``facts`` told in the way that leaves least out of order; whether all such ways leave the same to be played."""
    if not facts:
        return state, True
    told = list(islice(tellings(state, facts), MOST_TELLINGS))
    best = min(told, key=strangeness)
    least, _ = strangeness(best)
    return best, all(one.protocol == best.protocol for one in told if strangeness(one)[0] == least)


def _counting(facts: Sequence[Told], undone: frozenset[int]) -> list[Told]:
    return [fact for fact in facts if not (isinstance(fact, Decision) and fact.number in undone)]


def _same(before: Sequence[Outcome], now: Sequence[Outcome]) -> int:
    """How many outcomes from the beginning are the same in both."""
    for place, (one, other) in enumerate(zip(before, now, strict=False)):
        if one != other:
            return place
    return min(len(before), len(now))
