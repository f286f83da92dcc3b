"""What a journal records of a session: its inputs, and its decisions, against which others are compared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rig.core.journal.journal import REPLAYED_OUTPUTS, event_of
from rig.core.model.events import Event

Line = Mapping[str, Any]
DecisionFields = dict[str, Any]

# A replay writes fewer kinds of lines, so their numbers differ, and the checksums with them.
_NOT_COMPARED = ("seq", "crc")

_encode = json.JSONEncoder(sort_keys=True).encode
"""Decisions are stored and compared as text: dictionaries would take several times the memory."""


def decision_text(fields: Line) -> str:
    """Return a decision as the text that is stored and compared."""
    return _encode(fields)


class RecordedSession:
    """What a replay needs of a journal, which is gone through once: its ends, its inputs, its decisions as text."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.header: Line = {}
        self.last: Line = {}
        self.end: Line = {}
        """The ``health`` line, which says how the board ended; without one, the last line."""
        self.events: list[Event] = []
        self.decisions: list[str] = []
        self.corrected = False
        """Whether lines were appended afterwards, with what the board has kept."""
        for line in lines:
            self.header = self.header or line
            self.last = line
            # What follows was decided by the board's answer after the session, and not by the protocol.
            self.corrected = self.corrected or line["k"] == "correction"
            if self.corrected:
                continue
            # The health line says how the board ended; the last reward lines follow from it and come later.
            if self.end.get("k") != "health":
                self.end = line
            if (event := event_of(line)) is not None:
                self.events.append(event)
            elif line["k"] in REPLAYED_OUTPUTS:
                self.decisions.append(
                    decision_text({key: value for key, value in line.items() if key not in _NOT_COMPARED})
                )

    @property
    def crashed(self) -> bool:
        """Whether the journal was cut off: what it does not hold may have been decided all the same."""
        return bool(self.last["k"] != "footer" or self.last["reason"] == "crash")

    @property
    def task_started(self) -> bool:
        """Whether the protocol has run at all: a session may be stopped while its board is still opening.

        Requests of the operator are in the journal then, but the protocol has never handled one.
        """
        return bool(self.last.get("task_started", True))


@dataclass(frozen=True)
class Difference:
    """Where a replay first decides otherwise: in which trial, what was written, what comes now."""

    trial: int
    recorded: DecisionFields | None
    replayed: DecisionFields | None


class Comparison:
    """Holds decisions, one by one as they come, against those that were recorded, until one differs."""

    def __init__(self, recorded: RecordedSession) -> None:
        self.agreed = 0
        self.difference: Difference | None = None
        self._recorded = recorded
        self._trial = 1

    def take(self, now: str | None) -> None:
        """Check the next decision against the recorded one; None is the end of the decisions."""
        decisions = self._recorded.decisions
        was = decisions[self.agreed] if self.agreed < len(decisions) else None
        # After a crash the last decisions may not have been written: their absence is no difference.
        if self.difference is not None or (was is None and self._recorded.crashed):
            return
        if was != now:
            self.difference = Difference(self._trial, _decision(was), _decision(now))
        elif was is not None:
            self.agreed += 1
            # The search spares most lines the parsing; a protocol's own text may hold the same words.
            self._trial += '"k": "trial"' in was and json.loads(was)["k"] == "trial"


def _decision(text: str | None) -> DecisionFields | None:
    if text is None:
        return None
    fields = json.loads(text)
    return {**{name: fields.pop(name) for name in ("t", "src", "k")}, **fields}
