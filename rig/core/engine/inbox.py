"""The inbox: one order for all events that a task can read, journaled before the task reads them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rig.core.errors import RecordError, RigError
from rig.core.journal.journal import Journal
from rig.core.model.board import Block
from rig.core.model.events import Event


def _leave() -> None:
    """Return without reading: a reader comes later."""


def _drop(block: Block) -> None:
    """Return without recording: nothing beside the journal is kept."""


class Inbox:
    """The events that have been journaled and not yet read; ``wake`` starts the reader, unless it is held.

    ``record`` takes the values that the board has sampled, which no task reads.
    """

    def __init__(
        self, journal: Journal, wake: Callable[[], None] = _leave, record: Callable[[Block], None] = _drop
    ) -> None:
        self.journal = journal
        self.events: deque[Event] = deque()
        self.failure: RigError | None = None
        self.journal_failed = False
        self._is_held = False
        self._wake = wake
        self._record = record

    def wake(self) -> None:
        """Start the reader, if it waits and is not held."""
        if not self._is_held:
            self._wake()

    def hold(self) -> None:
        """Stop the reader until `release`: the board that answers its orders is not open yet."""
        self._is_held = True

    def release(self) -> None:
        """Start the reader again, with all that has come meanwhile."""
        self._is_held = False
        self.wake()

    def put(self, event: Event) -> None:
        """Record an event in the journal, then wake the reader. Raises ``RecordError`` when it cannot be journaled."""
        self.add(event)
        self.wake()

    def add(self, event: Event) -> None:
        """Record an event in the journal without waking the reader: more events come with it."""
        # Journal first: a decision may only follow from events that a replay will read too. See docs/decisions/journal-
        # first.md.
        self.journal.write(event)
        self.events.append(event)

    def record(self, block: Block) -> None:
        """Record values of a source."""
        self._record(block)

    def fail(self, failure: RigError) -> None:
        """Stop the reader: after this failure no further event can be trusted to arrive."""
        # The first failure is the cause; later ones are its consequences.
        self.failure = self.failure or failure
        self.journal_failed = self.journal_failed or isinstance(failure, RecordError)
        self.wake()
