"""A protocol file: the task, its parameters, and the limits of a session."""

from __future__ import annotations

from typing import ClassVar

from pydantic import (
    Field,
    ValidationInfo,
    field_validator,
)

from rig.config.errors.thousands import clear_number
from rig.config.models.expect import Expectations
from rig.config.species import Species
from rig.devices.base import StrictModel

REWARD_LIMITS = ("max_rewards", "max_ul", "max_pellets", "max_access_s")
"""The limits of a session of which at least one is required, in the order of their fields."""


class SessionLimits(StrictModel):
    """When a session ends, and the most it may give; a session without a limit is refused."""

    sources: ClassVar = {
        **dict.fromkeys(
            ("min_trials", "grace_s", "stuck_s", "max_pause_s", "resume_within_min", "reconnect_within_s"), "ours"
        ),
        **dict.fromkeys(("idle_alert_s", "idle_stop_s"), "convention of the field"),
    }

    session_s: float = Field(gt=0, le=86_400, description="length of a session")
    max_rewards: int | None = Field(default=None, gt=0, description="limit: rewards in a session, by hand included")
    max_ul: float | None = Field(default=None, gt=0, description="limit: microliters in a session, by hand included")
    max_pellets: int | None = Field(default=None, gt=0, description="limit: pellets in a session")
    # Validated when absent, too: it is the last of the limits of which one is required.
    max_access_s: float | None = Field(
        default=None,
        gt=0,
        validate_default=True,
        description="limit: seconds in a session for which hoppers are up, by hand included",
    )
    max_trials: int | None = Field(default=None, gt=0, description="the session ends after so many trials")
    min_trials: int = Field(
        default=1, ge=0, description="a session stopped by hand or by idleness counts for the next from so many trials"
    )
    grace_s: float = Field(
        default=30, ge=0, le=86_400, description="time that a trial may go on after the session's end"
    )
    max_pause_s: float = Field(default=1800, gt=0, le=86_400, description="a pause that lasts longer ends the session")
    resume_within_min: float = Field(
        default=30, ge=0, le=1440, description="time after a break within which the session can be resumed; 0: never"
    )
    reconnect_within_s: float = Field(
        default=60,
        ge=0,
        le=600,
        description="time for which a session waits for a board that is lost; 0: it ends at once",
    )
    stuck_s: float = Field(default=120, gt=0, description="a beam that is broken for this time is recorded as stuck")
    idle_alert_s: float | None = Field(
        default=600, gt=0, description="time without activity after which the journal gets a note; null: never"
    )
    idle_stop_s: float | None = Field(
        default=1200, gt=0, description="time without activity after which the session ends; null: never"
    )

    @field_validator("session_s", "max_ul", "max_access_s", mode="before")
    @classmethod
    def _require_clear_number(cls, value: object) -> object:
        return clear_number(value)

    @field_validator("max_access_s")
    @classmethod
    def _require_limit(cls, max_access_s: float | None, info: ValidationInfo) -> float | None:
        """Raise if no limit is given; checked at the last limit, so that other mistakes are listed beside it."""
        # A limit with a mistake of its own is not in `data`: it is not called missing as well.
        others = [info.data.get(key, "a mistake of its own") for key in REWARD_LIMITS[:-1]]
        if max_access_s is None and others == [None] * len(others):
            raise ValueError(f"a limit is required: give {', '.join(REWARD_LIMITS[:-1])} or {REWARD_LIMITS[-1]}")
        return max_access_s


class SimulationSection(StrictModel):
    """How a protocol is simulated when the command line does not say otherwise."""

    rig: str | None = Field(default=None, description="the rig of simulated sessions, where --rig names none")
    model: str | None = Field(
        default=None, description="the virtual subject that plays first when rig check rehearses it, such as rat"
    )
    model_params: dict[str, str | int | float | bool] = Field(
        default_factory=dict, description="parameters for every virtual subject that has them; --param overrides them"
    )


class ProtocolFile(StrictModel):
    """A protocol and its parameters, which the task's own model validates in a second step."""

    protocol: str = Field(
        description="which task: one that is installed, a file in a folder protocols/, or ./my_task.py:MyTask"
    )
    species: Species | None = Field(
        default=None, description="the species that it is written for; another one's session needs a reason"
    )
    simulation: SimulationSection = Field(
        default_factory=SimulationSection, description="the rig and the virtual subjects of simulated sessions"
    )
    params: dict[str, object] = Field(default_factory=dict, description="the protocol's own parameters")
    stop: SessionLimits = Field(description="when a session ends, and the most it may give")
    expect: Expectations | None = Field(
        default=None, description="what is normal in a session; it overrides what the rig expects"
    )
