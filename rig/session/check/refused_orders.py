"""Collect the orders that the board refuses, with the state that gave them.

A board reports a refused order of the host. It does not report a refused order of a reflex or a sequence, so these are
checked here when they are loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rig.core.model.actions import Action, Arm, Load, Order, Pulse, Ramp, RewardAction, Tone, Train, plain_action
from rig.core.model.board import Output, Wiring
from rig.core.model.events import WHOLE_BATCH, Event, Refused

TOO_LONG, BUSY, INTERLOCK, NEWER_EDGE = "too_long", "busy", "interlock", "newer_edge"
_REASONS = {
    TOO_LONG: "it is longer than the rig file lets its output be on",
    BUSY: "its output is still busy with what was ordered before",
    INTERLOCK: "another interlocked valve is open",
    "no_room": "the board has no room left for it",
    "past": "its time was already over",
}


@dataclass(frozen=True)
class RefusedOrder:
    """An order that was refused: its words, why, and the state that gave it."""

    order: Order
    reason: str
    state: str

    def __str__(self) -> str:
        return f"the board refuses '{self.order}' in state {self.state}: {_REASONS.get(self.reason, self.reason)}"

    @property
    def on_ms(self) -> float | None:
        """Return for how long the order has its output on at a time."""
        return None if isinstance(self.order, Load | Arm) else _on_us(self.order) / 1000


class RefusedOrders:
    """Follows the orders of a session, and keeps each order that was refused and should not have been given."""

    def __init__(self, wiring: Wiring) -> None:
        outputs = (channel for channel in wiring.channels if isinstance(channel, Output))
        self._longest_us = {output.name: output.max_on_us for output in outputs}
        self._sent: dict[int, tuple[str, Sequence[Order]]] = {}
        self._given: Counter[str] = Counter()
        self._hung: Counter[RefusedOrder] = Counter()
        self._found: dict[RefusedOrder, None] = {}

    @property
    def found(self) -> tuple[RefusedOrder, ...]:
        """Return the orders that were refused; a drop that a valve in use refuses only sometimes is none."""
        # One refusal may be the subject's doing. A drop that is refused every time is the protocol's.
        never = (refusal for refusal, times in self._hung.items() if 1 < times == self._given[str(refusal.order)])
        return (*self._found, *never)

    def record_batch(self, number: int, state: str, orders: Sequence[Order]) -> None:
        """Record the orders of a batch and the state that sent it."""
        self._sent[number] = state, orders
        self._given.update(str(order) for order in orders if isinstance(order, RewardAction))
        for order in orders:
            self._found.update((RefusedOrder(inner, reason, state), None) for inner, reason in self._silently(order))

    def record_event(self, event: Event) -> None:
        """Record a refusal; other events are ignored."""
        if not isinstance(event, Refused) or event.reason == NEWER_EDGE:
            return  # an arming that comes too late: the host gives the drop itself
        state, orders = self._sent.get(event.batch, ("", ()))
        for order in orders if event.order == WHOLE_BATCH else orders[event.order : event.order + 1]:
            refusal = RefusedOrder(order, event.reason, state)
            if isinstance(order, RewardAction) and event.reason in (BUSY, INTERLOCK):
                self._hung[refusal] += 1
            else:
                self._found[refusal] = None

    def _silently(self, order: Order) -> Iterator[tuple[Action, str]]:
        """Yield the actions of a sequence or a reflex that the board cannot execute, with the reason."""
        if isinstance(order, Arm):
            yield from ((action, TOO_LONG) for _, _, action in order.members if self._is_too_long(action))
        if not isinstance(order, Load):
            return
        busy_until: dict[str, int] = {}
        for at_us, action in sorted(order.entries, key=lambda entry: entry[0]):
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
