"""What is known of a subject beforehand: ``<data>/<subject>/subject.yaml``, all of it optional."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from rig.config.errors.thousands import clear_number
from rig.config.inheritance import LayeredConfig, load_config
from rig.config.limits import DailyLimit, DailyLimits, LimitOverride, load_limits
from rig.config.models.names import IsoDate
from rig.config.validate import validate

SUBJECT_FILE = "subject.yaml"
Age = Annotated[float, Field(ge=0, le=520)]
Weight = Annotated[float, Field(gt=0, le=20_000)]


class SubjectFile(DailyLimits):
    """A subject's weight when it may eat and drink as it likes, how far it may fall below, and its daily food."""

    baseline_g: float | None = Field(default=None, gt=0, description="what it weighs when it may eat and drink freely")
    baseline_date: IsoDate | None = Field(default=None, description="the day on which that was measured")
    implant_g: float | None = Field(
        default=None, ge=0, description="the weight of its implant, in grams, which the baseline is without"
    )
    implant_date: IsoDate | None = Field(default=None, description="the day from which it carries the implant")
    refuse_pct: float = Field(default=80, gt=0, lt=100, description="below so much of it no session is begun")
    # The default is validated, too: a refuse_pct above 85 contradicts it.
    warn_pct: float = Field(
        default=85, gt=0, lt=100, validate_default=True, description="below so much of it the start screen warns"
    )
    warn_above_pct: float | None = Field(default=None, gt=0, description="above so much of it the start screen warns")
    refuse_above_pct: float | None = Field(
        default=None, gt=0, description="above so much of it, it is sated, and no session is begun"
    )
    target_pct: float | None = Field(
        default=None, gt=0, le=100, description="the percentage of the baseline at which its food holds it"
    )
    daily_target_ul: float | None = Field(
        default=None, gt=0, description="what it is to get in a day, in the sessions and as a top-up after them"
    )
    daily_min_ul: float | None = Field(
        default=None, gt=0, description="the least water of a day; `rig subject show` warns of days with less"
    )
    daily_food_g: float | None = Field(
        default=None, gt=0, description="its food in a day, in grams: pellets of the sessions and the top-up after them"
    )
    growth_g: tuple[tuple[Age, Weight], ...] = Field(
        default=(),
        description="weights of its strain, each [weeks of age, grams], such as [[6, 20.1], [10, 25.4]]; the baseline "
        "of a young animal grows with them",
    )
    min_hours: float | None = Field(
        default=None,
        ge=0,
        le=168,
        description="the shortest time from the start of one session to the start of the next",
    )

    def animal_g(self, weight_g: float) -> float:
        """Return a weight without the implant."""
        return round(weight_g - (self.implant_g or 0.0), 3)

    def percent(self, weight_g: float) -> float | None:
        """Return a weight, without the implant, in percent of the baseline; None without a baseline."""
        return None if self.baseline_g is None else 100 * self.animal_g(weight_g) / self.baseline_g

    @field_validator("daily_target_ul", "daily_min_ul", mode="before")
    @classmethod
    def _require_clear_amount(cls, value: object) -> object:
        return clear_number(value)

    @field_validator("growth_g")
    @classmethod
    def _ages_ascend(cls, growth_g: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        if len(growth_g) == 1 or any(later[0] <= earlier[0] for earlier, later in pairwise(growth_g)):
            raise ValueError("wanted two ages or more, each later than the one before")
        return growth_g

    @field_validator("warn_pct")
    @classmethod
    def _warns_first(cls, warn_pct: float, info: ValidationInfo) -> float:
        refuse_pct = info.data.get("refuse_pct")
        if refuse_pct is not None and warn_pct < refuse_pct:
            raise ValueError(f"must not be below refuse_pct ({refuse_pct:g}), which is {warn_pct:g} here")
        return warn_pct


def load_subject(folder: Path) -> SubjectFile:
    """Read the subject's file; one that has none is a subject of whom nothing is known. Raises ConfigError."""
    return validate(SubjectFile, _layered(folder))


def limits_of(folder: Path, allowed: LimitOverride | None = None) -> tuple[DailyLimit, ...]:
    """Read the limits of a subject, from its file and its laboratory's. Raises ``ConfigError``."""
    layered = _layered(folder)
    return load_limits(folder.parent, (validate(SubjectFile, layered), layered), allowed)


def _layered(folder: Path) -> LayeredConfig:
    path = folder / SUBJECT_FILE
    return load_config(path) if os.path.lexists(path) else LayeredConfig()
