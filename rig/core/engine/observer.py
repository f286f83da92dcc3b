"""Observers of a session while it runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rig.core.model.actions import Order
from rig.core.model.board import BoardInfo
from rig.core.model.events import Request
from rig.core.model.reward import Reward
from rig.core.model.rows import Row


class SessionObserver:
    """An observer of one session; a subclass overrides the methods that it needs.

    An error that an observer raises ends the session as a mistake of the protocol would.
    """

    def on_opened(self, opened: BoardInfo) -> None:
        """Handle the facts of the opened board; the task starts next."""

    def on_state(self, name: str) -> None:
        """Handle that the task enters a state."""

    def on_order(self, order: Order) -> None:
        """Handle an order of the task, when it is queued."""

    def on_wait(self, wanted: Collection[tuple[str, int]], within_us: int | None) -> None:
        """Handle a wait of the task, before its orders are sent."""

    def on_deadline(self, left_us: int) -> None:
        """Handle how far away the time is at which a wait is to end; a negative one is over already."""

    def between_trials(self) -> None:
        """Run work that takes a moment: the task is between trials, and no reflex is armed."""

    def on_row(self, row: Row) -> None:
        """Handle a row of the trial table, after its journal line."""

    def on_record(self, table: str, row: Row) -> None:
        """Handle a row of a further table, after its journal line."""

    def on_note(self, fields: Mapping[str, object]) -> None:
        """Handle a note of the protocol, after its journal line."""

    def on_reward(self, reward: Reward) -> None:
        """Handle a reward whose status is known now: delivered, refused or unconfirmed."""

    def on_request(self, request: Request, reward: Reward | None, refusal: str) -> None:
        """Handle a request for a reward or a parameter that the task has read.

        There is the reward that it ordered, or why the request was refused; a parameter that changes has neither.
        """


class Observers(SessionObserver):
    """Several observers, called in their order."""

    def __init__(self, *observers: SessionObserver) -> None:
        self._observers = observers

    def on_opened(self, opened: BoardInfo) -> None:
        """Handle the facts of the opened board."""
        for observer in self._observers:
            observer.on_opened(opened)

    def on_state(self, name: str) -> None:
        """Handle that the task enters a state."""
        for observer in self._observers:
            observer.on_state(name)

    def on_order(self, order: Order) -> None:
        """Handle an order of the task."""
        for observer in self._observers:
            observer.on_order(order)

    def on_wait(self, wanted: Collection[tuple[str, int]], within_us: int | None) -> None:
        """Handle a wait of the task."""
        for observer in self._observers:
            observer.on_wait(wanted, within_us)

    def on_deadline(self, left_us: int) -> None:
        """Handle how far away the end of a wait is."""
        for observer in self._observers:
            observer.on_deadline(left_us)

    def between_trials(self) -> None:
        """Run work that takes a moment."""
        for observer in self._observers:
            observer.between_trials()

    def on_row(self, row: Row) -> None:
        """Handle a row of the trial table."""
        for observer in self._observers:
            observer.on_row(row)

    def on_record(self, table: str, row: Row) -> None:
        """Handle a row of a further table."""
        for observer in self._observers:
            observer.on_record(table, row)

    def on_note(self, fields: Mapping[str, object]) -> None:
        """Handle a note of the protocol."""
        for observer in self._observers:
            observer.on_note(fields)

    def on_reward(self, reward: Reward) -> None:
        """Handle a reward of which the status is known now."""
        for observer in self._observers:
            observer.on_reward(reward)

    def on_request(self, request: Request, reward: Reward | None, refusal: str) -> None:
        """Handle a request that the task has read."""
        for observer in self._observers:
            observer.on_request(request, reward, refusal)
