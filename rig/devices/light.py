"""A light: harmless, so only the lease bounds it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import Field

from rig.core.model.actions import Pulse, Set
from rig.core.model.board import MAX_ON_US, Channel, Output
from rig.core.model.channels import Role
from rig.core.model.units import check_number, to_us
from rig.devices.base import Device, DeviceConfig, Pin, check_on


class LightConfig(DeviceConfig):
    """A light of its own in the rig file."""

    kind: Literal["light"]
    pin: Pin = Field(description="the output that drives it")

    def pins(self) -> dict[str, int]:
        """Return the pin of each part of the device."""
        return {"light": self.pin}


class Light(Device):
    """A light: ``with light:`` switches it on, and at the end of the block off, also after an error."""

    Config = LightConfig

    def __init__(self, name: str, pin: int) -> None:
        super().__init__(name)
        self._channel = Output(name, Role.LIGHT, pin)
        # Made once: a task switches its lights in almost every state.
        self._on, self._off = Set(self._channel.name, True), Set(self._channel.name, False)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Return the board channels that the device occupies."""
        return (self._channel,)

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
