"""The section ``expect`` of a rig file or a protocol file: what is normal."""

from __future__ import annotations

from functools import reduce

from pydantic import Field, model_validator

from rig.config.inheritance import merged_mappings
from rig.config.models.names import Name
from rig.config.yaml.scalars import YamlValue
from rig.devices.base import StrictModel


class InputExpectation(StrictModel):
    """What is normal for one input: how often it changes while the task runs."""

    min_entries_per_min: float | None = Field(
        default=None, gt=0, le=60_000, description="entries in a minute, at least: over 10 minutes, without pauses"
    )
    max_entries_per_min: float | None = Field(
        default=None, gt=0, le=60_000, description="entries in a minute, at most: over a minute, without pauses"
    )
    hz: float | None = Field(
        default=None, gt=0, le=1000, description="of a camera or another machine: its pulses or frames in a second"
    )
    tolerance_hz: float = Field(default=1, gt=0, le=1000, description="so far off may its rate be, over 10 s")
    active_within_min: float | None = Field(
        default=5,
        gt=0,
        le=1440,
        description="it changes so soon after the start, if other inputs do; null: it may never change",
    )
    max_short_pct: float | None = Field(
        default=None, gt=0, le=100, description="largest share of its last 50 entries that are shorter than short_ms"
    )
    short_ms: float = Field(default=20, gt=0, le=1000, description="what is shorter is a flicker, not an animal")

    @model_validator(mode="after")
    def _bounds_are_ordered(self) -> InputExpectation:
        least, most = self.min_entries_per_min, self.max_entries_per_min
        if least is not None and most is not None and least > most:
            raise ValueError(f"min_entries_per_min is {least:g}, more than max_entries_per_min ({most:g})")
        return self


class RewardExpectation(StrictModel):
    """What is normal for the rewards of one device: that the subject comes for them, and stays."""

    at: Name | None = Field(
        default=None, description="the device whose input the subject is at when it collects; the device itself if none"
    )
    visit_within_s: float | None = Field(
        default=None, gt=0, le=3600, description="the subject is there so soon after a reward, or was there already"
    )
    min_stay_s: float | None = Field(
        default=None, gt=0, le=600, description="shortest stay after a reward: the median of the last 30 stays"
    )
    max_missed: int = Field(
        default=3, ge=1, le=100, description="largest number of rewards in a row that are not collected"
    )


class Expectations(StrictModel):
    """What is normal for a rig, or in a protocol; the protocol's values override the rig's."""

    inputs: dict[Name, InputExpectation] = Field(
        default_factory=dict, description="for each device with an input, for a tracker, and for the screen"
    )
    rewards: dict[Name, RewardExpectation] = Field(
        default_factory=dict, description="for each device that gives rewards"
    )
    max_rewards_per_trial: int | None = Field(
        default=None, ge=1, le=1000, description="rewards in a trial, at most; those by hand do not count"
    )
    max_incomplete_pct: float | None = Field(
        default=None,
        ge=0,
        le=100,
        description="largest share of the last 30 trials that are neither rewarded nor unrewarded",
    )
    max_decision_ms: float | None = Field(
        default=None,
        gt=0,
        le=10_000,
        description="from an event until the board does what the protocol answers; the time for which an input has to "
        "last counts",
    )
    max_missed_pecks_pct: float | None = Field(
        default=None, ge=0, le=100, description="largest share of the last 50 contacts that hit nothing on the screen"
    )
    max_lost_frames_pct: float | None = Field(
        default=None, ge=0, le=100, description="frames that a tracker may miss in a session, of all"
    )
    max_untracked_pct: float | None = Field(
        default=None, ge=0, le=100, description="frames in which a tracker may not find the animal, over a minute"
    )
    max_frame_latency_ms: float | None = Field(
        default=None, gt=0, le=10_000, description="from the order to show a scene until the screen shows it"
    )
    max_drift_ppm: float | None = Field(
        default=None, gt=0, le=100_000, description="difference of the board's clock from the computer's"
    )
    max_retransmissions_per_min: float | None = Field(
        default=None, ge=0, le=60_000, description="messages that the serial link repeats in a minute, at most"
    )


def merged(rig: Expectations | None, protocol: Expectations | None) -> dict[str, YamlValue]:
    """Return what was written of both, device by device and key by key; the protocol's values override the rig's."""
    written = (section.model_dump(exclude_unset=True) for section in (rig, protocol) if section is not None)
    return reduce(merged_mappings, written, {})
