"""A light: harmless, so only the lease bounds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

from pydantic import Field

from rig.core.model.actions import Pulse, Set
from rig.core.model.board import MAX_ON_US, Output
from rig.core.model.channels import Role
from rig.core.model.microseconds import check_number, to_us
from rig.devices.base import Device, DeviceConfig, Pin, check_on
from rig.devices.calibration import Calibration


class LightConfig(DeviceConfig):
    """A light of its own in the rig file."""

    pin: Pin = Field(description="the output that drives it")


class Light(Device):
    """A light: ``with light:`` switches it on, and at the end of the block off, also after an error."""

    Config = LightConfig

    def __init__(self, name: str, pin: int) -> None:
        super().__init__(name)
        self._channel = Output(name, Role.LIGHT, pin)
        # Made once: a task switches its lights in almost every state.
        self._on, self._off = Set(self._channel.name, True), Set(self._channel.name, False)

    @classmethod
    def build(cls, name: str, config: LightConfig, calibrations: Mapping[str, Calibration]) -> Self:
        """Build the light of a section."""
        return cls(name, config.pin)

    def on(self) -> None:
        """Switch the light on."""
        self.order(self._on)

    def off(self) -> None:
        """Switch the light off."""
        self.order(self._off)

    def pulse(self, seconds: float) -> Pulse:
        """Return the action that switches the light on for ``seconds``; the board switches it off.

        ``off()`` ends it early. Raises ``ActionError`` for a time that is not more than 0 and at most 60 s;
        `with light:` has no bound.
        """
        check_number(seconds, f"{self.name}: the seconds of a light")
        check_on(self.name, "a light", seconds * 1000, replace(self._channel, max_on_us=MAX_ON_US))
        return Pulse(self._channel.name, to_us(seconds))

    def __enter__(self) -> Light:
        self.on()
        return self

    def __exit__(self, *exc: object) -> None:
        self.off()
