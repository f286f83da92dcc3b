"""The inbox: one order for everything a task can learn, journalled before it is seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rig.core.errors import RigError
from rig.core.journal.journal import Journal
from rig.core.model.events import Event


def _leave() -> None:
    """Leave the events to a reader that comes later."""


class Inbox:
    """Events that have been journalled and not yet read; ``wake`` lets the reader have what has arrived."""

    def __init__(self, journal: Journal, wake: Callable[[], None] = _leave) -> None:
        self.journal = journal
        self.events: deque[Event] = deque()
        self.failure: RigError | None = None
        self.wake = wake

    def put(self, event: Event) -> None:
        """Journal an event, then let the reader have it. Raises ``RecordError`` when it cannot be journalled."""
        self.add(event)
        self.wake()

    def add(self, event: Event) -> None:
        """Journal an event that more may come with; the reader has it at the next ``wake``."""
        self.journal.event(event)
        self.events.append(event)

    def fail(self, failure: RigError) -> None:
        """Tell the reader that nothing more can be trusted to arrive."""
        self.failure = self.failure or failure
        self.wake()
