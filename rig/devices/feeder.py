"""A pellet feeder: one pulse per pellet, and optionally a sensor that detects the pellet."""

from __future__ import annotations

import datetime
from typing import ClassVar

from pydantic import Field, model_validator

from rig.core.errors import ActionError
from rig.core.model.actions import Pulse, RewardAction, Train
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from rig.core.model.microseconds import check_number, to_us
from rig.core.model.patterns import EdgePattern
from rig.core.model.reward_types import RewardUnit
from rig.devices.base import Device, DeviceConfig, Pin, StrictModel

MOST_PELLETS = 20
"""The largest reward; a larger number is a typing error."""


class FeederCalibration(StrictModel):
    """The calibration of a feeder: pulses given and pellets counted."""

    date: datetime.date = Field(description="the day of the measurement")
    pulses: int = Field(ge=1, description="pulses that were given")
    pellets: int = Field(ge=0, description="pellets that came of them")


class FeederConfig(DeviceConfig):
    """A pellet feeder in the rig file."""

    pin: Pin = Field(description="the output that turns it on by one pellet")
    sensor: Pin | None = Field(default=None, description="the input that is high while a pellet drops past")
    sensor_inverted: bool = Field(default=False, description="the input is low, not high, while a pellet drops past")
    pulse_ms: float = Field(default=50, gt=0, le=1_000, description="length of a pulse, which turns it on by a pellet")
    gap_s: float = Field(default=0.5, gt=0, le=10, description="from pellet to pellet of one reward")
    drop_s: float = Field(default=0.5, gt=0, le=10, description="a pellet is seen so soon after its pulse, or never")
    measured: FeederCalibration | None = Field(
        default=None, description="its calibration: pulses given and pellets counted, such as 100 and 100; required"
    )

    @model_validator(mode="after")
    def _is_calibrated(self) -> FeederConfig:
        wanted = "count the pellets of 100 pulses, and write measured: {date: 2026-11-03, pulses: 100, pellets: 100}"
        if self.measured is None:
            raise ValueError(f"a feeder needs a calibration: {wanted}")
        # No factor: the reward ledger counts a pellet for each pulse.
        if self.measured.pellets != self.measured.pulses:
            wrong = f"{self.measured.pulses} pulses gave {self.measured.pellets} pellets"
            raise ValueError(f"{wrong}, and one pulse is to give one: mend it or change pulse_ms, then {wanted}")
        if self.pulse_ms >= self.gap_s * 1000:
            raise ValueError(f"pulses of {self.pulse_ms:g} ms do not fit into gap_s {self.gap_s:g}: make gap_s longer")
        return self


class Feeder(Device):
    """A pellet feeder; with a sensor, wait until a pellet has ``dropped``."""

    Config = FeederConfig
    maintenance: ClassVar = {
        "test": "rig.maintenance.verbs:PelletTest",
        "fill": "rig.maintenance.verbs:Fill",
        "stock": "rig.maintenance.verbs:Stock",
    }

    def __init__(self, name: str, config: FeederConfig) -> None:
        super().__init__(name)
        self.drop_s, self.gap_s = config.drop_s, config.gap_s
        self._pulse_us, self._gap_us = round(config.pulse_ms * 1000), to_us(config.gap_s)
        # The limit is one pulse: a motor that stays on gives pellets that no journal line counts.
        self._motor = Output(name, Role.FEEDER, config.pin, max_on_us=self._pulse_us)
        self._sensor = None
        if config.sensor is not None:
            # A pellet passes in a few milliseconds. The feeder drops it, so it is no sign of the animal's activity.
            inverted = config.sensor_inverted
            self._sensor = Input(name, Role.SENSOR, config.sensor, 5_000, 0, 0, inverted, machine=True)

    @property
    def dropped(self) -> EdgePattern | None:
        """Return the edge of a pellet that drops past the sensor; None without a sensor."""
        return None if self._sensor is None else EdgePattern(self._sensor.name, 1)

    def dropped_since(self, t_s: float) -> tuple[float, ...]:
        """Return the times at session time ``t_s`` or later at which the sensor detected a pellet, in seconds."""
        return () if self.dropped is None else self.inputs.changes(*self.dropped).since(t_s)

    @property
    def gives(self) -> RewardUnit:
        """Return the unit of the rewards that the device gives."""
        return "pellets"

    def reward(self, size: float | None = None) -> RewardAction:
        """Return the action that gives ``size`` pellets, by default one.

        Raises ``ActionError`` as ``pellets`` does.
        """
        return self.pellets(1 if size is None else size)  # type: ignore[arg-type] # it refuses what is not whole

    def pellets(self, count: int = 1) -> RewardAction:
        """Return the action that gives ``count`` pellets, 1 to 20. Raises ``ActionError`` for another count."""
        check_number(count, f"{self.name}: the number of pellets")
        # Not rounded: the journal and the daily total would count other pellets than the protocol asks for.
        if not float(count).is_integer():
            raise ActionError(f"{self.name}: {count} pellets: wanted a whole number", count, "pellets")
        count = int(count)
        if not 1 <= count <= MOST_PELLETS:
            raise ActionError(f"{self.name}: {count} pellets at once: wanted 1 to {MOST_PELLETS}", count, "pellets")
        action: Pulse | Train = Pulse(self._motor.name, self._pulse_us)
        if count > 1:
            action = Train(self._motor.name, self._pulse_us, self._gap_us, count)
        return RewardAction(action, self.name, pellets=count)

    def takes_s(self, count: int) -> float:
        """Return the seconds after which the last of ``count`` pellets has dropped, or is missing."""
        return (count - 1) * self.gap_s + self.drop_s
