"""The lines that a task writes (states, rows, notes): to the journal first, then to the session's observer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rig.core.engine.observer import SessionObserver
from rig.core.engine.task_time import TaskTime
from rig.core.journal.journal import Journal
from rig.core.journal.lines import fields_of_row
from rig.core.model.reward import Reward
from rig.core.model.rows import Row


class TaskLog:
    """The lines of one task, stamped with its time; ``rows`` counts those of the trial table."""

    def __init__(self, journal: Journal, time: TaskTime, observer: SessionObserver) -> None:
        self.rows = 0
        self._journal = journal
        self._time = time
        self._observer = observer

    def state(self, name: str) -> None:
        """Write that the task enters a state."""
        self._journal.state(self._time.now_us, name)
        self._observer.on_state(name)

    def in_task_time(self, rewards: list[Reward]) -> list[Reward]:
        """Return rewards with their times as a protocol sees them."""
        task_us = self._time.pauses.task_us
        return [
            reward if task_us(reward.t_us) == reward.t_us else replace(reward, t_us=task_us(reward.t_us))
            for reward in rewards
        ]

    def note(self, fields: Mapping[str, Any]) -> None:
        """Write a note."""
        self._journal.note(self._time.now_us, "note", **fields)
        self._observer.on_note(fields)

    def params(self, trial: int, changed: Mapping[str, Any]) -> None:
        """Write that parameters have other values from a trial on."""
        self._journal.params(self._time.now_us, trial, changed)

    def row(self, row: Row) -> None:
        """Write a row of the trial table."""
        self._journal.note(self._time.now_us, "trial", **fields_of_row(row.values()))
        self.rows += 1
        self._observer.on_row(row)

    def record(self, table: str, row: Row) -> None:
        """Write a row of a further table."""
        self._journal.note(self._time.now_us, "row", table=table, **fields_of_row(row.values()))
        self._observer.on_record(table, row)
