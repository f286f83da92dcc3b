"""How much a subject may be given: in a calendar day, and in any 24 hours.

The subject's own file says it, or else the laboratory's ``<data>/lab.yaml``, or else what is shipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

from pydantic import Field, field_validator

from rig.config.errors.thousands import clear_number
from rig.config.inheritance import LayeredConfig, load_config
from rig.config.validate import validate
from rig.core.journal.header import DailyLimitOverride, Header
from rig.core.model.reward_types import RewardUnit
from rig.devices.base import StrictModel

LAB_FILE = "lab.yaml"

Unit: TypeAlias = RewardUnit
Span = Literal["day", "24h"]
UNITS: Mapping[Unit, str] = {"ul": "ul", "pellets": "pellets", "access_s": "s of grain"}
"""What is given, by the names of its keys, and how it is called."""
SPANS: tuple[Span, ...] = ("day", "24h")
SHIPPED = "the program's default"


class DailyLimits(StrictModel):
    """The most that a subject may be given, by all sessions, by hand and by tests of the rig."""

    sources: ClassVar[dict[str, str]] = {
        f"max_{unit}_{span}": "convention of the field"
        for unit in ("ul", "pellets", "access_s")
        for span in ("day", "24h")
    }

    # Upper ends of the field's practice: restricted mice drink 1 to 2 ml a day; the largest T-maze session has 302
    # pellets of 45 mg (13.6 g; a rat needs 12 to 16 g a day); 300 hopper cycles of 3 s are a pigeon's whole ration.
    # Any 24 h may hold 1.5 days, so that a session an hour earlier than yesterday's is not refused.
    max_ul_day: float = Field(default=2000, gt=0, description="microliters in a calendar day")
    max_pellets_day: int = Field(default=360, gt=0, description="pellets in a calendar day")
    max_access_s_day: float = Field(default=960, gt=0, description="seconds in a calendar day for which hoppers are up")
    max_ul_24h: float = Field(default=3000, gt=0, description="microliters in any 24 hours")
    max_pellets_24h: int = Field(default=540, gt=0, description="pellets in any 24 hours")
    max_access_s_24h: float = Field(default=1440, gt=0, description="seconds in any 24 hours for which hoppers are up")

    @field_validator("max_ul_day", "max_access_s_day", "max_ul_24h", "max_access_s_24h", mode="before")
    @classmethod
    def _require_clear_number(cls, value: object) -> object:
        return clear_number(value)


class LabFile(DailyLimits):
    """What holds for all subjects of a laboratory whose own files do not say otherwise."""


@dataclass(frozen=True)
class DailyLimit:
    """So much of one kind in one span of time at most, and where that was said."""

    unit: Unit
    span: Span
    maximum: float
    source: str

    @property
    def key(self) -> str:
        """Return the key that sets it."""
        return f"max_{self.unit}_{self.span}"


@dataclass(frozen=True)
class LimitOverride:
    """What a named person allows today instead of the limits, and why."""

    amounts: Mapping[Unit, float]
    by: str
    reason: str

    @classmethod
    def of_header(cls, header: Header) -> LimitOverride | None:
        """Return what the header of a session says that a person has allowed; None if nothing."""
        allowed = header.daily_limit
        if allowed is None:
            return None
        amounts = {unit: float(amount) for unit in UNITS if (amount := getattr(allowed, unit)) is not None}
        return cls(amounts, allowed.by, allowed.reason)

    @property
    def recorded(self) -> DailyLimitOverride:
        """Return what belongs into the journal's header."""
        return DailyLimitOverride(self.by, self.reason, *map(self.amounts.get, UNITS))


LoadedLimits: TypeAlias = tuple[DailyLimits, LayeredConfig]
"""A file that was read, and where its values stand."""


def load_limits(data: Path, subject: LoadedLimits, allowed: LimitOverride | None = None) -> tuple[DailyLimit, ...]:
    """Read the limits of a subject, whose file was read before. Raises ``ConfigError``."""
    path = data / LAB_FILE
    # lexists: a link that leads nowhere is a mistake, and not a laboratory without limits.
    lab = load_config(path) if os.path.lexists(path) else LayeredConfig()
    limits = _limits((subject, (validate(LabFile, lab), lab)))
    return tuple(limits if allowed is None else (_raised(limit, allowed) for limit in limits))


def _limits(files: Sequence[LoadedLimits]) -> Iterator[DailyLimit]:
    for unit in UNITS:
        for span in SPANS:
            limit = DailyLimit(unit, span, getattr(DailyLimits(), f"max_{unit}_{span}"), SHIPPED)
            said = ((file, layered) for file, layered in files if limit.key in file.model_fields_set)
            for file, layered in reversed(list(said)):  # the subject's own file comes last
                limit = replace(limit, maximum=getattr(file, limit.key), source=str(layered.location((limit.key,))))
            yield limit


def _raised(limit: DailyLimit, allowed: LimitOverride) -> DailyLimit:
    """Return a limit of the day as a person has allowed it; a limit of 24 hours is replaced only if it is lower."""
    most = allowed.amounts.get(limit.unit)
    if most is None or (limit.span == "24h" and limit.maximum >= most):
        return limit
    return replace(limit, maximum=most, source=f"by hand, {allowed.by}: {allowed.reason}")
