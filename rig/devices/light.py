"""A light: harmless, so only the lease bounds it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rig.core.actions import Set
from rig.core.board import Channel, Output
from rig.devices.base import Device, DeviceConfig, Pin


class LightConfig(DeviceConfig):
    """A light of its own in the rig file."""

    kind: Literal["light"]
    pin: Pin = Field(description="the output that drives it")

    def pins(self) -> dict[str, int]:
        """Map each part of the device to the pin it is wired to."""
        return {"light": self.pin}


class Light(Device):
    """Something that is lit: ``with light:`` switches it on, and off again however the block is left."""

    Config = LightConfig

    def __init__(self, name: str, pin: int) -> None:
        super().__init__(name)
        self._channel = Output(f"{name}.light" if "." not in name else name, pin)
        self._on, self._off = Set(self._channel.name, True), Set(self._channel.name, False)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """List the board channels that the device occupies."""
        return (self._channel,)

    def on(self) -> None:
        """Switch it on."""
        self.order(self._on)

    def off(self) -> None:
        """Switch it off."""
        self.order(self._off)

    def __enter__(self) -> Light:
        self.on()
        return self

    def __exit__(self, *exc: object) -> None:
        self.off()
