"""A solenoid valve. The board enforces its longest open time, because a stuck valve could harm an animal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from rig.core.errors import CalibrationError, TaskError
from rig.core.model.actions import Pulse, RewardAction
from rig.core.model.board import MAX_ON_US, Output
from rig.core.model.channels import Role
from rig.core.model.microseconds import check_number
from rig.core.model.reward_types import RewardUnit
from rig.devices.base import Device, DeviceConfig, Pin
from rig.devices.calibration import Calibration

LONGEST_OPEN_MS = MAX_ON_US / 1000
VALVE_VERBS = {
    "calibrate": "rig.maintenance.verbs:Calibrate",
    "check": "rig.maintenance.verbs:Check",
    "flush": "rig.maintenance.verbs:Flush",
    "prime": "rig.maintenance.verbs:Prime",
    "reward": "rig.maintenance.verbs:Reward",
}
"""The verbs of a valve, also of one that is a part of another device."""


class ValveConfig(DeviceConfig):
    """A valve of its own in the rig file."""

    pin: Pin = Field(description="the output that drives it")
    calibration: str = Field(
        description="the file that holds its measured open times; left is the newest left_2026-11-24"
    )
    max_open_ms: float = Field(
        default=1000.0, gt=0, le=LONGEST_OPEN_MS, description="the board closes it after so long, whatever happens"
    )
    valve_id: str | None = Field(
        default=None, min_length=1, description="what its calibration calls the valve; the device's name when not given"
    )
    interlocked: bool = Field(
        default=True, description="no other interlocked valve of the board opens with it; the board sees to it"
    )


class Valve(Device):
    """A valve that gives drops; its calibration gives the open time of each volume."""

    Config = ValveConfig
    maintenance: ClassVar = VALVE_VERBS

    def __init__(
        self,
        name: str,
        pin: int,
        calibration: Calibration,
        max_open_ms: float = 1000.0,
        interlocked: bool = True,
    ) -> None:
        super().__init__(name)
        self.calibration = calibration
        self._channel = Output(name, Role.VALVE, pin, max_on_us=round(max_open_ms * 1000), interlocked=interlocked)
        self._drops: dict[float, RewardAction] = {}

    @classmethod
    def build(cls, name: str, config: ValveConfig, calibrations: Mapping[str, Calibration]) -> Valve:
        """Build the valve of a section, with its calibration."""
        return cls(name, config.pin, calibrations[config.calibration], config.max_open_ms, config.interlocked)

    @property
    def valve_calibrations(self) -> Mapping[str, Calibration]:
        """Return the calibration of its channel."""
        return {self._channel.name: self.calibration}

    @property
    def gives(self) -> RewardUnit:
        """Return the unit of the rewards that the device gives."""
        return "ul"

    def reward(self, size: float | None = None) -> RewardAction:
        """Return the action that gives one drop. Raises ``TaskError`` without a size, and as ``drop`` does."""
        if size is None:
            raise TaskError(f"{self.name}: how much is a reward? A valve has no usual volume")
        return self.drop(size)

    def drop(self, ul: float) -> RewardAction:
        """Return the action that gives ``ul`` microliters.

        Raises ``CalibrationError`` when that volume was never measured, or takes longer than the valve may open.
        """
        # A protocol asks for the same drop in each trial; the curve is searched once.
        if ul not in self._drops:
            check_number(ul, f"{self.name}: the volume of a drop")
            open_us = self.calibration.open_us(ul)
            if self._channel.max_on_us is not None and open_us > self._channel.max_on_us:
                raise CalibrationError(
                    f"{self._channel.name}: {ul:g} ul takes {open_us / 1000:g} ms, and the rig file lets it open "
                    f"{self._channel.max_on_us / 1000:g} ms at most: raise max_open_ms or lower the volume"
                )
            self._drops[ul] = RewardAction(Pulse(self._channel.name, open_us), self.name, ul)
        return self._drops[ul]
