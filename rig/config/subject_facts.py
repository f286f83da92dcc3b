"""Facts about a subject, which ``rig subject add`` and ``rig subject set`` record."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rig.config.models.names import IsoDate
from rig.config.species import Restriction, Species
from rig.devices.base import StrictModel


class SubjectFacts(StrictModel):
    """What is known about a subject; each fact is optional."""

    species: Species | None = Field(default=None, description="the species; it selects the rules of weight and water")
    sex: Literal["female", "male", "unknown"] | None = Field(default=None, description="the sex")
    birth: IsoDate | None = Field(default=None, description="the date of birth")
    strain: str | None = Field(default=None, min_length=1, max_length=200, description="the strain")
    baseline_g: float | None = Field(
        default=None, gt=0, le=20_000, description="the weight when it may eat and drink freely"
    )
    baseline_date: IsoDate | None = Field(default=None, description="the day on which that was measured")
    implant_g: float | None = Field(
        default=None, ge=0, le=1000, description="the weight of its implant, which the baseline is without; 0 for none"
    )
    implant_date: IsoDate | None = Field(default=None, description="the day from which it carries the implant")
    license: str | None = Field(
        default=None, min_length=1, max_length=200, description="the number of the license or of the animal protocol"
    )
    restriction: Restriction | None = Field(default=None, description="what is restricted: water, food or none")
