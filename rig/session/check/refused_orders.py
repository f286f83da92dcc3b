"""Collect the orders that the board refuses, with the state that gave them.

Each has its line: that of the sequence, or else that of the wait which sent the order. A board reports a refused order
of the host. It does not report a refused order of a reflex or a sequence, so these are
checked here when they are loaded.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType

from rig.core.model.actions import (
    Action,
    Arm,
    Load,
    Order,
    Pulse,
    Ramp,
    RewardAction,
    Start,
    Stop,
    Tone,
    Train,
    plain_action,
)
from rig.core.model.board import Output, Wiring
from rig.core.model.events import WHOLE_BATCH, Refused
from rig.system.plugins import is_user_file
from rig.terminal.format import pluralize

TOO_LONG, BUSY, INTERLOCK, NEWER_EDGE, NO_ROOM = "too_long", "busy", "interlock", "newer_edge", "no_room"
_REASONS = {
    TOO_LONG: "it is longer than the rig file lets its output be on",
    BUSY: "its output is still busy with what was ordered before",
    INTERLOCK: "another interlocked valve is open",
    "past": "its time was already over",
}


@dataclass(frozen=True)
class RefusedOrder:
    """An order that was refused: its words, why, and the state that gave it."""

    order: Order
    reason: str
    state: str
    where: tuple[str, int] | None = field(default=None, compare=False)
    """The file and line of the protocol; the same order of another line of this state is the same refusal."""
    why: str = field(default="", compare=False)
    """The reason in words, where it depends on the order."""

    def __str__(self) -> str:
        why = self.why or _REASONS.get(self.reason, self.reason)
        return f"the board refuses '{self.order}' in state {self.state}: {why}"

    @property
    def on_ms(self) -> float | None:
        """Return for how long the order has its output on at a time."""
        return None if isinstance(self.order, Load | Arm) else _on_us(self.order) / 1000


class RefusedOrders:
    """Follows the orders of a session, and keeps each order that was refused and should not have been given."""

    def __init__(self, wiring: Wiring) -> None:
        outputs = (channel for channel in wiring.channels if isinstance(channel, Output))
        self._longest_us = {output.name: output.max_on_us for output in outputs}
        self._sent: dict[int, tuple[str, Sequence[Order], tuple[str, int] | None]] = {}
        self._loaded: dict[int, Load] = {}
        self._not_loaded: set[int] = set()
        self._given: Counter[str] = Counter()
        self._hung: Counter[RefusedOrder] = Counter()
        self._found: Counter[RefusedOrder] = Counter()

    @property
    def found(self) -> tuple[tuple[RefusedOrder, int], ...]:
        """Return the orders that were refused, and how often; a drop that a valve refuses only sometimes is none."""
        # One refusal may be the subject's doing. A drop that is refused every time is the protocol's.
        never = (refusal for refusal, times in self._hung.items() if 1 < times == self._given[str(refusal.order)])
        return (*self._folded().items(), *((refusal, self._hung[refusal]) for refusal in never))

    def _folded(self) -> Counter[RefusedOrder]:
        """Return the refusals, of which those of the sequences of one line are one: each has another number."""
        first: dict[object, RefusedOrder] = {}
        folded: Counter[RefusedOrder] = Counter()
        for refusal, times in self._found.items():
            same = (Load, refusal.where, refusal.reason) if isinstance(refusal.order, Load) else refusal
            folded[first.setdefault(same, refusal)] += times
        return folded

    def record_batch(self, number: int, state: str, orders: Sequence[Order]) -> None:
        """Record the orders of a batch and the state that sent it."""
        waits_at = _user_line()
        self._sent[number] = state, orders, waits_at
        self._given.update(str(order) for order in orders if isinstance(order, RewardAction))
        for order in orders:
            if isinstance(order, Load):
                self._loaded[order.sequence] = order
                self._not_loaded.discard(order.sequence)
            where = _line_of(order, waits_at)
            self._found.update(RefusedOrder(inner, reason, state, where) for inner, reason in self._silently(order))

    def record_refusal(self, event: Refused) -> None:
        """Record an order that the board has refused."""
        if event.reason == NEWER_EDGE:
            return  # an arming that comes too late: the host gives the drop itself
        state, orders, waits_at = self._sent.get(event.batch, ("", (), None))
        for order in _cause_of_all(orders) if event.order == WHOLE_BATCH else orders[event.order : event.order + 1]:
            if isinstance(order, Start | Stop) and order.sequence in self._not_loaded:
                continue  # its load was refused, and is reported
            refusal = RefusedOrder(
                order, event.reason, state, _line_of(order, waits_at), self._why(order, event.reason)
            )
            if isinstance(order, RewardAction) and event.reason in (BUSY, INTERLOCK):
                self._hung[refusal] += 1
            else:
                self._found[refusal] += 1

    def _why(self, order: Order, reason: str) -> str:
        """Return what the board has no room for, and what to do."""
        if reason != NO_ROOM:
            return ""
        if isinstance(order, Load):
            self._loaded.pop(order.sequence, None)
            self._not_loaded.add(order.sequence)
            if not self._loaded:
                return f"it has no room for a sequence of {pluralize(len(order.entries), 'action')}"
            actions = sum(len(load.entries) for load in self._loaded.values())
            return (
                f"it holds {pluralize(len(self._loaded), 'sequence')} with {pluralize(actions, 'action')}, and has no "
                "room for this one; make a sequence once, in `prepare`, and load it again with .load(...)"
            )
        if isinstance(order, Arm):
            return "it has no room for all answers: react to fewer edges, or end other reflexes first"
        if isinstance(order, Tone | Ramp):
            return "it plays no further tone at the same time: wait until one is over"
        return "it has no room for all orders of one instant: put a wait between them, or load a sequence"

    def _silently(self, order: Order) -> Iterator[tuple[Action, str]]:
        """Yield the actions of a sequence or a reflex that the board cannot execute, with the reason."""
        if isinstance(order, Arm):
            yield from ((action, TOO_LONG) for _, _, action in order.members if self._is_too_long(action))
        if not isinstance(order, Load):
            return
        busy_until: dict[str, int] = {}
        for at_us, action in order.in_order:
            done = plain_action(action)
            if self._is_too_long(action):
                yield action, TOO_LONG
            elif isinstance(done, Pulse | Train | Tone | Ramp):
                if at_us < busy_until.get(done.output, 0):
                    yield action, BUSY
                busy_until[done.output] = at_us + _duration_us(done)

    def _is_too_long(self, action: Action) -> bool:
        most_us = self._longest_us.get(getattr(plain_action(action), "output", ""))
        return most_us is not None and _on_us(action) > most_us


def _cause_of_all(orders: Sequence[Order]) -> Sequence[Order]:
    """Return the orders of a batch that was refused as a whole that can be the reason: those that need most room."""
    return [order for order in orders if isinstance(order, Arm | Load)] or orders[:1]


def _on_us(action: Action | Order) -> int:
    """Return the longest on-time of an action's output; 0 if it is never on, or on until a further order."""
    done = action.action if isinstance(action, RewardAction) else action
    if isinstance(done, Pulse | Tone):
        return done.us
    if isinstance(done, Train | Ramp):
        on_us = done.on_us if isinstance(done, Train) else done.tone_us
        # Without a pause the output stays on from the first pulse to the last.
        return on_us if done.period_us > on_us else on_us * done.count
    return 0


def _duration_us(done: Pulse | Train | Tone | Ramp) -> int:
    """Return how long an action takes from its first instant to its last."""
    if isinstance(done, Pulse | Tone):
        return done.us
    on_us = done.on_us if isinstance(done, Train) else done.tone_us
    return max(done.period_us, on_us) * (done.count - 1) + on_us


def _line_of(order: Order, waits_at: tuple[str, int] | None) -> tuple[str, int] | None:
    return order.where if isinstance(order, Load) and order.where is not None else waits_at


def _user_line() -> tuple[str, int] | None:
    """Return the file and line of the protocol that waits now, and so sends its orders."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 (the public way goes up frame by frame)
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)
