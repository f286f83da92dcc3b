"""What a journal records of a session: its inputs, and its decisions, against which others are compared."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rig.core.errors import RecordError
from rig.core.journal.codec import decode, encode
from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import REPLAYED_INPUTS, REPLAYED_OUTPUTS, Correction, HealthLine, SessionLine, TrialLine
from rig.core.model.events import Event
from rig.core.model.line import kind_of

Decision: TypeAlias = bytes
"""A line that a protocol has decided, encoded: compared byte for byte, and smaller than its object."""


class RecordedDecisions:
    """What a replay needs of a journal, which is gone through once: its ends, its inputs, its decisions.

    Raises ``RecordError`` for one without a header.
    """

    def __init__(self, lines: Iterable[SessionLine]) -> None:
        rest = iter(lines)
        header = next(rest, None)
        if not isinstance(header, Header):
            deque(rest, maxlen=0)  # their reader may know better what is wrong
            raise RecordError("the journal has no header line: nothing can be replayed")
        self.header = header
        self.last: SessionLine = header
        self.end: SessionLine = header
        """The health line, which says how the board ended; without one, the last line."""
        self.events: list[Event] = []
        self.decisions: list[Decision] = []
        self.corrected = False
        """Whether lines were appended afterwards, with what the board has kept."""
        for line in rest:
            self.last = line
            # What follows was decided by the board's answer after the session, and not by the protocol.
            self.corrected = self.corrected or isinstance(line, Correction)
            if not self.corrected:
                self._take(line)

    def _take(self, line: SessionLine) -> None:
        # The health line says how the board ended; the last reward lines follow from it and come later.
        if not isinstance(self.end, HealthLine):
            self.end = line
        if isinstance(line, REPLAYED_INPUTS):
            self.events.append(line)
        elif isinstance(line, REPLAYED_OUTPUTS):
            self.decisions.append(encode(line))

    @property
    def footer(self) -> Footer | None:
        """Return the footer; None of a journal that was cut off."""
        return self.last if isinstance(self.last, Footer) else None

    @property
    def crashed(self) -> bool:
        """Whether the journal was cut off: what it does not hold may have been decided all the same."""
        return self.footer is None or self.footer.reason == "crash"

    @property
    def task_started(self) -> bool:
        """Whether the protocol has run at all: a session may be stopped while its board is still opening.

        Requests of the operator are in the journal then, but the protocol has never handled one.
        """
        return self.footer is None or self.footer.task_started is not False


@dataclass(frozen=True)
class Difference:
    """Where a replay first decides otherwise: in which trial, what was written, what comes now."""

    trial: int
    recorded: SessionLine | None
    replayed: SessionLine | None


class Comparison:
    """Holds decisions, one by one as they come, against those that were recorded, until one differs."""

    def __init__(self, recorded: RecordedDecisions) -> None:
        self.agreed = 0
        self.difference: Difference | None = None
        self._recorded = recorded
        self._trial = 1

    def take(self, now: Decision | None) -> None:
        """Check the next decision against the recorded one; None is the end of the decisions."""
        decisions = self._recorded.decisions
        was = decisions[self.agreed] if self.agreed < len(decisions) else None
        # After a crash the last decisions may not have been written: their absence is no difference.
        if self.difference is not None or (was is None and self._recorded.crashed):
            return
        if was != now:
            self.difference = Difference(self._trial, _line(was), _line(now))
        elif was is not None:
            self.agreed += 1
            self._trial += was.startswith(_TRIAL)


_TRIAL = b'{"k":"%b"' % kind_of(TrialLine).encode()


def _line(decision: Decision | None) -> SessionLine | None:
    return None if decision is None else decode(decision)
