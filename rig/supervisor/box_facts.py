"""What is known of a box before its session: written by ``rig boxes show --json``, and read by the launcher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FactRow:
    """One fact: what it is about, its text, and whether a person should look at it.

    ``is_before`` is true of what a session changes, and so of what holds only until one runs.
    """

    name: str
    text: str
    needs_look: bool = False
    is_before: bool = False


@dataclass(frozen=True)
class BoxFacts:
    """The facts of one box."""

    box: str
    subject: str
    simulated: bool
    rows: Sequence[FactRow]
    is_due: bool = False
    """Whether a person may be asked if the animal got its water or food."""
    problem: str = ""
    """Why its session would be refused, as far as can be told before it is asked for; empty if nothing is known."""

    @classmethod
    def parse(cls, fields: Mapping[str, Any]) -> BoxFacts:
        """Return the facts of a JSON object."""
        return cls(**{**fields, "rows": [FactRow(**row) for row in fields["rows"]]})
