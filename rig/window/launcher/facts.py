"""Read the facts of the boxes by a command, now and again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from rig.supervisor.box_facts import BoxFacts
from rig.system.statuses import OK
from rig.window.launcher.program import Runs

LONGEST_TURNS = 240
"""So many turns, 60 s, a reading may last before a person is told."""
LATE = "the boxes were not read for 60 s: weights, valves and stock of the cards may be old"


@dataclass(frozen=True)
class Facts:
    """The boxes of the file, or its mistakes; and who may be named as experimenter."""

    boxes: Sequence[BoxFacts] = ()
    experimenters: Sequence[str] = ()
    mistakes: Sequence[str] = ()
    file: str = ""
    """The path of the boxes file, once it was read."""


@dataclass
class _Reading:
    program: Runs
    output: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    turns: int = 0


class FactsReader:
    """Runs the command one time after the other; boxes that were read stay while their file has mistakes."""

    def __init__(self, start: Callable[[], Runs]) -> None:
        self.facts = Facts()
        self.has_read = False
        self._start = start
        self._reading: _Reading | None = None
        self._is_wanted = True

    def ask(self) -> None:
        """Queue a reading: the facts may have changed since the command of the moment began."""
        self._is_wanted = True

    def update(self) -> bool:
        """Read what the command has printed; return whether there are new facts."""
        if self._reading is None:
            if self._is_wanted:
                self._is_wanted = False
                self._reading = _Reading(self._start())
                self._reading.program.leave()  # its questions are not shown
            return False
        reading = self._reading
        for line in reading.program.lines():
            (reading.errors if line.is_error else reading.output).append(line.text)
        if reading.program.status is None:
            reading.turns += 1
            if reading.turns == LONGEST_TURNS:
                self.facts = replace(self.facts, mistakes=[LATE])
            return reading.turns == LONGEST_TURNS
        self._reading = None
        self.has_read = True
        self.facts = self._facts(reading)
        return True

    def _facts(self, reading: _Reading) -> Facts:
        if reading.program.status == OK:
            with suppress(ValueError, KeyError, TypeError):  # the command was killed, or is that of another version
                return _parsed(reading.output)
        mistakes = reading.errors or [f"the boxes cannot be read (status {reading.program.status})"]
        return Facts(self.facts.boxes, self.facts.experimenters, mistakes, self.facts.file)


def _parsed(output: Sequence[str]) -> Facts:
    fields = json.loads("\n".join(output))
    boxes = [BoxFacts.parse(each) for each in fields["boxes"]]
    return Facts(boxes, fields["experimenters"], file=fields["file"])
