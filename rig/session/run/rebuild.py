"""Rebuild a session that broke off: feed its recorded inputs to its task, until the task waits for what comes next."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rig.core.engine.engine import Engine
from rig.core.errors import NotReadyError, RecordError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import REPLAYED_INPUTS, REPLAYED_OUTPUTS, SessionLine
from rig.core.model.board import BoardInfo
from rig.core.model.events import Continued
from rig.session.broken import NOTES, BrokenSession
from rig.session.daily_total import UNLIMITED, RemainingAmounts
from rig.session.replay_comparison import Comparison

_MS_US = 1_000
_IDLE_TURNS = 5
"""So many turns of the loop without a read event mean that the task waits."""


class ResumedJournal(Journal):
    """The journal of a session that goes on: behind the lines of a broken one.

    Until `go_on` it writes nothing, and compares what the task decides with what is recorded. `go_on` then writes the
    decisions that the crash has kept from being written.
    """

    def __init__(
        self,
        broken: BrokenSession,
        sink: Callable[[bytes], object],
        on_note: Callable[[Mapping[str, object]], object] = lambda fields: None,
        secure: Callable[[int], object] = lambda lines: None,
    ) -> None:
        super().__init__(sink, self._tell, self._secure)
        self.seq, self.counts, self._crc = broken.lines, Counter(broken.counts), broken.crc
        self._tell_note, self._secure_lines = on_note, secure
        self._decisions = len(broken.recorded.decisions)
        self._comparison = Comparison(broken.recorded)
        self._notes = Counter(broken.notes)
        self._unwritten: list[tuple[SessionLine, bytes]] = []
        self.is_rebuilding = True

    def _tell(self, fields: Mapping[str, object]) -> None:
        if not self.is_rebuilding:
            self._tell_note(fields)

    def _secure(self, lines: int) -> None:
        # The lines so far are on the disk before the board is opened.
        if not self.is_rebuilding:
            self._secure_lines(lines)

    def _append(self, line: SessionLine, body: bytes) -> None:
        if not self.is_rebuilding:
            super()._append(line, body)
        elif not isinstance(line, REPLAYED_INPUTS) and not self._is_recorded(line, body):
            self._unwritten.append((line, body))

    def _is_recorded(self, line: SessionLine, body: bytes) -> bool:
        """Whether a line is in the journal; a note that is not counts as recorded if later decisions are."""
        are_new = self._comparison.agreed == self._decisions
        if isinstance(line, REPLAYED_OUTPUTS):
            self._comparison.take(body)
            return not are_new
        if isinstance(line, NOTES) and self._notes[body]:
            self._notes[body] -= 1
            return True
        return not are_new

    def check(self) -> None:
        """Check that the task has decided what is recorded. Raises ``RecordError``."""
        self._comparison.take(None)
        if (difference := self._comparison.difference) is not None:
            raise RecordError(
                f"the session cannot go on: its protocol decides otherwise in trial {difference.trial}: recorded "
                f"{difference.recorded}, now {difference.replayed}"
            )

    def go_on(self) -> None:
        """Write what the crash has kept from being written, and from now on every line. Raises ``RecordError``."""
        self.is_rebuilding = False
        for line, body in self._unwritten:
            super()._append(line, body)
        self._unwritten.clear()


@dataclass(frozen=True)
class Resumption:
    """How a broken session goes on: at session time ``start_us``, with what the subject may still be given."""

    broken: BrokenSession
    journal: ResumedJournal
    start_us: int
    remaining: RemainingAmounts = field(default_factory=lambda: UNLIMITED)

    @classmethod
    def at(
        cls, elapsed_us: int, broken: BrokenSession, journal: ResumedJournal, remaining: RemainingAmounts
    ) -> Resumption:
        """Return one that goes on so long after the start of the session, but not before its last line."""
        # A whole millisecond is a whole number of ticks of every board.
        start_us = -(-max(elapsed_us, broken.end_us) // _MS_US) * _MS_US
        return cls(broken, journal, start_us, remaining)

    @property
    def event(self) -> Continued:
        """Return the event with which the session goes on."""
        left = self.remaining
        pellets = left["pellets"]
        return Continued(
            self.start_us,
            self.start_us - self.broken.last_us,
            self.broken.why,
            restarted=True,
            ul=left["ul"],
            pellets=None if pellets is None else int(pellets),
            access_s=left["access_s"],
        )

    def check_board(self, opened: BoardInfo) -> None:
        """Check that the board is the one of the session. Raises ``NotReadyError``."""
        if self.broken.uid is not None and opened.uid != self.broken.uid:
            raise NotReadyError(f"the session ran on board {self.broken.uid}, and this is board {opened.uid}")

    async def rebuild(self, engine: Engine, running: asyncio.Task[object]) -> None:
        """Send the recorded inputs to a running task. Raises ``RecordError`` if it decides otherwise, or ends."""
        # Not by `put`, which would write them again. All at once: only the time answers among them end a wait.
        engine.inbox.events.extend(self.broken.recorded.events)
        engine.inbox.wake()
        idle = 0
        while not running.done() and idle < _IDLE_TURNS:
            left = len(engine.inbox.events)
            await asyncio.sleep(0)
            idle = idle + 1 if len(engine.inbox.events) == left else 0
        self.journal.check()
        if running.done() or engine.inbox.events:
            raise RecordError(
                f"{self.broken.folder}: cannot go on: its task had come to its end: run `rig recover "
                f"{self.broken.folder}`, and start a new session"
            )
