"""Presses out of the edges of a bouncing contact: on the leading edge, pure, no timer.

The rule. A button is *at rest* once its last edge said "released" and ``QUIET_NS`` have passed since. The first edge
after rest is the contact closing for the first time, for nothing else makes an edge from rest: that instant is the
press's. The press is told at the first edge of that train that says "pressed", as a rule the same one, and nothing more
counts until the button has been at rest again: not the bounces, nor a held button, nor the chatter when it is let go.

Why the first edge may say "released". Asked for both edges, Linux stamps each in the interrupt but reads the level
afterwards in a thread (``edge_irq_thread`` in gpiolib-cdev.c), and may merge edges that follow closely. So within a
train edges can repeat themselves or lie; only the last one is sure to tell the truth. A full event queue drops its
oldest edges, which can make a stamp late by part of the train, but never loses or doubles a press.

Limits. Two presses are two if the button was released and quiet for ``QUIET_NS`` between them, which leaves room for
taps 120 ms apart held for 50 ms, with 30 ms of chatter. Contact lost for longer than that in mid-press counts as a new
press. A spike that reads "pressed" is a press, since the leading edge cannot wait to see what follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from clock.press import Button, Press

if TYPE_CHECKING:
    from collections.abc import Iterable

QUIET_NS = 35_000_000
"""Released for so long, a button is at rest: the longest train (30 ms) and a little more."""
STUCK_NS = 10_000_000_000
"""A button that has not been at rest for so long is stuck, or its wire is bad."""


@dataclass(frozen=True, kw_only=True)
class ButtonEdge:
    """The level of ``button`` changed at ``at_ns`` and was then read as ``pressed``."""

    button: Button
    at_ns: int
    pressed: bool


@dataclass(frozen=True, kw_only=True)
class HeldAtStart:
    """``button`` was down when we began to watch at ``at_ns``: no press, and none before it is let go."""

    button: Button
    at_ns: int


@dataclass(frozen=True, kw_only=True)
class Stuck:
    """``button`` has not been at rest since ``since_ns``: held, jammed or chattering. Told once, at ``at_ns``."""

    button: Button
    since_ns: int
    at_ns: int


ButtonFact: TypeAlias = Press | HeldAtStart | Stuck
"""What buttons tell."""


@dataclass(kw_only=True, slots=True)
class _Contact:
    """One button's contact. ``last_ns``: its last edge; None: none yet. ``train_ns``: the first edge since rest."""

    down: bool = False
    last_ns: int | None = None
    train_ns: int | None = None
    pressed: bool = False
    """This train's press has been told."""
    told: bool = False
    """That it does not come to rest has been told."""

    def at_rest(self, now_ns: int) -> bool:
        return not self.down and (self.last_ns is None or now_ns - self.last_ns >= QUIET_NS)


@dataclass(kw_only=True)
class Debouncer:
    """All the buttons' contacts. ``error_ns``: the error of the edges' stamps, passed on with each press."""

    error_ns: int
    _contacts: dict[Button, _Contact] = field(default_factory=lambda: {button: _Contact() for button in Button})

    def start(self, held: Iterable[Button], at_ns: int) -> list[HeldAtStart]:
        """The buttons that are down when watching begins, each reported."""
        facts = []
        for button in held:
            self._contacts[button] = _Contact(down=True, train_ns=at_ns, pressed=True, told=True)
            facts.append(HeldAtStart(button=button, at_ns=at_ns))
        return facts

    def edge(self, edge: ButtonEdge) -> Press | None:
        """The press that this edge makes known, if any.

        Raises ValueError, changing nothing, when the edge is older than the button's last one.
        """
        contact, at_ns = self._contacts[edge.button], edge.at_ns
        if contact.last_ns is not None and at_ns < contact.last_ns:
            raise ValueError(f"{edge.button}: the edge at {at_ns} ns comes before the one at {contact.last_ns} ns")
        if contact.at_rest(at_ns):
            contact.train_ns, contact.pressed, contact.told = at_ns, False, False
        contact.down, contact.last_ns = edge.pressed, at_ns
        if contact.pressed or not edge.pressed:
            return None
        assert contact.train_ns is not None
        contact.pressed = True
        # Noise that never said "pressed" may have gone on for long: a stamp goes no further back than a train can.
        first_ns = contact.train_ns if at_ns - contact.train_ns < QUIET_NS else at_ns
        return Press(button=edge.button, at_ns=first_ns, error_ns=self.error_ns)

    def stuck(self, now_ns: int) -> list[Stuck]:
        """The buttons that by ``now_ns`` have not been at rest for ``STUCK_NS``, each told once until it is."""
        facts = []
        for button, contact in self._contacts.items():
            since_ns = contact.train_ns
            if since_ns is None or contact.told or contact.at_rest(now_ns) or now_ns - since_ns < STUCK_NS:
                continue
            contact.told = True
            facts.append(Stuck(button=button, since_ns=since_ns, at_ns=now_ns))
        return facts
