"""What a protocol may know of its subject: facts of the moment at which the session starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeAlias

from pydantic import Field

Amount: TypeAlias = Annotated[float, Field(ge=0)] | None
"""None where more may have been given than the records show: never zero because of a damaged one."""


def number_of(name: str) -> int | None:
    """Return the number at the end of a subject's name, from 1; None without one."""
    digits = re.search(r"\d{1,9}\Z", name)
    return int(digits[0]) or None if digits else None


@dataclass(frozen=True)
class Subject:
    """The subject of a session, as it is known at the start; nothing of it changes during the session.

    The journal's header has these facts, and a replay takes them from there.
    """

    name: str
    number: Annotated[int, Field(ge=1)] | None = None
    weight_g: Annotated[float, Field(gt=0)] | None = None
    weight_pct: Annotated[float, Field(gt=0)] | None = None
    days_since_last: Annotated[int, Field(ge=0)] | None = None
    today_ul: Amount = 0.0
    today_pellets: Annotated[int, Field(ge=0)] | None = 0
    today_access_s: Amount = 0.0
    yesterday_ul: Amount = 0.0
    yesterday_pellets: Annotated[int, Field(ge=0)] | None = 0
    yesterday_access_s: Amount = 0.0

    @classmethod
    def named(cls, name: str) -> Subject:
        """Return a subject of whom only the name is known."""
        return cls(name, number_of(name))

    @classmethod
    def of_facts(cls, name: str | None, facts: Mapping[str, Any]) -> Subject:
        """Return the subject of a recorded session, from the facts in its header."""
        known = (field.name for field in fields(cls) if field.name != "name")
        return cls(name or "", **{fact: facts[fact] for fact in known if fact in facts})

    def header_fields(self) -> dict[str, int | float | None]:
        """Return what the journal's header has beside the name: all that differs from what is not known."""
        unknown = Subject(self.name)
        facts = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "name"}
        return {name: value for name, value in facts.items() if value != getattr(unknown, name)}
