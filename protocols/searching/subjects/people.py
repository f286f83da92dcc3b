"""How people differ: each has its own values of some parameters of a model."""

from __future__ import annotations

import random
from typing import Any, TypeVar

from pydantic import Field

from sim_hardware.models.base import ModelParams, lognormal

SPREAD = "_spread"
"""Ends the name of a parameter that is the spread of another one: that of ``tau`` is ``tau_spread``."""


def spread_of(name: str) -> Any:  # as pydantic's Field
    """Return the field for the spread of a parameter; the parameter itself has to be positive."""
    return Field(default=0.0, ge=0, le=3, description=f"SD over people of the logarithm of {name}, their median")


class PersonParams(ModelParams):
    """Parameters of a model whose people may differ."""

    subject: str = Field(default="", description="whose own parameters it has; the subject's name, as a rule")


ParamsT = TypeVar("ParamsT", bound=PersonParams)


def of_person(params: ParamsT) -> ParamsT:
    """Return the parameters of one person: those with a spread are drawn from a lognormal distribution.

    The draws depend on the subject's name and the parameter's name alone. So they are the same in each session, and two
    arms with the same subjects have the same people.
    """
    values = params.model_dump()
    spreads = {key.removesuffix(SPREAD): sd for key, sd in values.items() if key.endswith(SPREAD)}
    own = {
        name: lognormal(random.Random(f"{params.subject}/{name}"), values[name], sd)
        for name, sd in spreads.items()
        if sd
    }
    return params.model_copy(update=own)
