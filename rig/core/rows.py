"""What a protocol writes: rows of the trial table, and of tables of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from rig.core.purse import Gift

TRIAL_TABLE = "trials"
"""The table that every session has, one row a trial."""


@dataclass
class Row:
    """One row of the trial table; its fields, in their order, are the table's columns."""

    def settle(self, gifts: Sequence[Gift]) -> None:
        """Write down what was given in this trial; called once, when nothing of it is open any more."""

    def cut(self) -> None:
        """Mark the trial as one that could not be completed."""

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Name the columns."""
        return tuple(field.name for field in fields(cls))

    def values(self) -> dict[str, Any]:
        """Give the row as columns and values."""
        return dict(vars(self))  # a dataclass sets its fields in their order
