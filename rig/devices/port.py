"""A nose port: a beam, and where it has them a light and a valve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field, model_validator

from rig.core.errors import TaskError
from rig.core.model.actions import RewardAction
from rig.core.model.board import Input
from rig.core.model.channels import Role
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.core.model.reward_types import RewardUnit
from rig.devices.base import DeviceConfig, Pin
from rig.devices.calibration import Calibration
from rig.devices.detector import Detector
from rig.devices.light import Light
from rig.devices.valve import LONGEST_OPEN_MS, VALVE_VERBS, Valve


class PortConfig(DeviceConfig):
    """A nose port in the rig file; pins are the board's own numbers."""

    min_on_key: ClassVar = "beam_min_on_us"

    beam: Pin = Field(description="the input that is high while a nose breaks the beam")
    light: Pin | None = Field(default=None, description="the output that drives its light")
    valve: Pin | None = Field(default=None, description="the output that drives its valve")
    calibration: str | None = Field(
        default=None,
        description="the calibration of its valve; required with one; left is the newest left_2026-11-24",
    )
    beam_inverted: bool = Field(default=False, description="the input is low, not high, while a nose breaks the beam")
    beam_lockout_us: int = Field(
        default=5_000, ge=0, le=1_000_000, description="after a change the beam is not looked at for so long"
    )
    beam_min_on_us: int = Field(
        default=100, ge=0, le=1_000_000, description="a poke counts when it has lasted so long, with its first instant"
    )
    beam_min_off_us: int = Field(
        default=0, ge=0, le=1_000_000, description="a withdrawal counts when it has lasted so long"
    )
    max_open_ms: float = Field(
        default=1000.0,
        gt=0,
        le=LONGEST_OPEN_MS,
        description="the board closes the valve after so long, whatever happens",
    )
    valve_id: str | None = Field(
        default=None, min_length=1, description="what its calibration calls the valve; the device's name when not given"
    )
    interlocked: bool = Field(
        default=True, description="no other interlocked valve of the board opens with it; the board sees to it"
    )

    @model_validator(mode="after")
    def _a_valve_is_calibrated(self) -> PortConfig:
        if self.valve is not None and self.calibration is None:
            raise ValueError("a valve needs a calibration: name the file that holds its measured open times")
        return self


class Port(Detector):
    """A nose port: wait until it is ``poked`` or ``freed``, switch its light, give a drop."""

    Config = PortConfig
    maintenance: ClassVar = VALVE_VERBS
    poked: EdgePattern
    freed: EdgePattern
    busy: LevelPattern
    free: LevelPattern

    def __init__(self, name: str, config: PortConfig, calibration: Calibration | None = None) -> None:
        super().__init__(name, Role.BEAM)
        self._beam = Input(
            name,
            Role.BEAM,
            config.beam,
            config.beam_lockout_us,
            config.beam_min_on_us,
            config.beam_min_off_us,
            config.beam_inverted,
        )
        self.poked, self.freed = self.on_entry, self.on_exit
        self.busy, self.free = self.occupied, self.clear
        self._light = Light(name, config.light) if config.light is not None else None
        self._valve = None
        if config.valve is not None and calibration is not None:
            self._valve = Valve(name, config.valve, calibration, config.max_open_ms, config.interlocked)

    @classmethod
    def build(cls, name: str, config: PortConfig, calibrations: Mapping[str, Calibration]) -> Port:
        """Build the port of a section, with the calibration of its valve."""
        return cls(name, config, calibrations.get(config.calibration or ""))

    @property
    def valve_calibrations(self) -> Mapping[str, Calibration]:
        """Return the calibration of its valve, if it has one."""
        return {} if self._valve is None else self._valve.valve_calibrations

    def has(self, part: str) -> bool:
        """Whether the port has a ``light`` or a ``valve``."""
        # The private name: the property `light` raises for a port without one.
        return getattr(self, f"_{part}", None) is not None

    @property
    def light(self) -> Light:
        """Return the port's light. Raises ``TaskError`` when the rig file gives it none."""
        if self._light is None:
            raise TaskError(f"{self.name} has no light: give it one in the rig file (`light: PIN`)")
        return self._light

    @property
    def gives(self) -> RewardUnit | None:
        """Return the unit of the rewards that the device gives; None without a valve."""
        return None if self._valve is None else self._valve.gives

    def reward(self, size: float | None = None) -> RewardAction:
        """Return the action that gives one drop. Raises ``TaskError`` without a valve or a size, and as ``drop``."""
        return self._its_valve.reward(size)

    def drop(self, ul: float) -> RewardAction:
        """Return the action that gives ``ul`` microliters at this port.

        Raises ``TaskError`` without a valve, ``CalibrationError`` when that volume was never measured.
        """
        return self._its_valve.drop(ul)

    @property
    def _its_valve(self) -> Valve:
        if self._valve is None:
            raise TaskError(f"{self.name} has no valve: give it one in the rig file (`valve: PIN`)")
        return self._valve
