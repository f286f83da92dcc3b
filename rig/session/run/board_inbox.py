"""The inbox of one board of a session: it may be lost and another connection take its place."""

from __future__ import annotations

from collections.abc import Callable

from rig.core.engine.inbox import Inbox
from rig.core.errors import RigError
from rig.core.model.board import Block
from rig.core.model.events import Event, Fault
from rig.session.broken import BOARD_LOST


class BoardInbox(Inbox):
    """Passes a board's events on to the session's inbox.

    ``on_lost`` gets the fault of a board that is lost, and returns the fault to be recorded. Until `begin` the events
    are kept: the board is being opened, and may not answer. ``record`` takes what an open board samples.
    """

    def __init__(
        self,
        inbox: Inbox,
        on_lost: Callable[[Fault], Fault],
        record: Callable[[Block], None],
        *,
        opening: bool = False,
    ) -> None:
        super().__init__(inbox.journal, record=record)
        self._inbox = inbox
        self._on_lost = on_lost
        self._kept: list[Event] | None = [] if opening else None
        self._is_over = False

    def begin(self) -> None:
        """Send the kept events, and from now on every event."""
        kept, self._kept = self._kept or [], None
        for event in kept:
            self._inbox.add(event)

    def end(self) -> None:
        """Stop taking events: the board is lost."""
        self._is_over = True

    def add(self, event: Event) -> None:
        """Record an event, without waking the reader."""
        if self._kept is not None:
            self._kept.append(event)
        elif not self._is_over:
            self._inbox.add(event)

    def put(self, event: Event) -> None:
        """Record an event, then wake the reader."""
        if isinstance(event, Fault) and event.what in BOARD_LOST and self._kept is None and not self._is_over:
            event = self._on_lost(event)
        self.add(event)
        self.wake()

    def wake(self) -> None:
        """Start the reader of the session, if the board is open."""
        if self._kept is None and not self._is_over:
            self._inbox.wake()

    def record(self, block: Block) -> None:
        """Record values of a source, if the board is open."""
        if self._kept is None and not self._is_over:
            super().record(block)

    def fail(self, failure: RigError) -> None:
        """Stop the reader of the session; a board that is being opened again is tried once more."""
        if self._kept is None and not self._is_over:
            self._inbox.fail(failure)
