"""A zone of a maze: a presence beam that is broken for as long as an animal is there."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rig.core.board import Channel, Input
from rig.core.patterns import EdgePattern, LevelPattern
from rig.devices.base import Device, DeviceConfig, Pin


class ZoneConfig(DeviceConfig):
    """A zone of a maze in the rig file."""

    kind: Literal["zone"]
    beam: Pin = Field(description="the input that is high while an animal breaks the beam")
    inverted: bool = Field(default=False, description="the input is low, not high, while an animal breaks the beam")
    debounce_us: int = Field(
        default=5_000, ge=0, le=1_000_000, description="after a change the beam is not looked at for so long"
    )
    confirm_on_us: int = Field(
        default=1_000,
        ge=0,
        le=1_000_000,
        description="an entry counts when it has lasted so long, with its first instant",
    )
    confirm_off_us: int = Field(
        default=300_000,
        ge=0,
        le=1_000_000,
        description="an exit counts when the beam has been clear for so long: an animal bobs while it waits and eats",
    )

    def pins(self) -> dict[str, int]:
        """Map each part of the device to the pin it is wired to."""
        return {"beam": self.beam}


class Zone(Device):
    """A place to be in: ask whether it was ``entered`` or ``left``."""

    Config = ZoneConfig

    def __init__(self, name: str, config: ZoneConfig) -> None:
        super().__init__(name)
        beam = f"{name}.beam"
        self.confirm_on_us, self.confirm_off_us = config.confirm_on_us, config.confirm_off_us
        self._beam = Input(
            beam, config.beam, config.debounce_us, self.confirm_on_us, self.confirm_off_us, config.inverted
        )
        self.entered, self.left = EdgePattern(beam, 1), EdgePattern(beam, 0)
        self.occupied, self.empty = LevelPattern(beam, 1), LevelPattern(beam, 0)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """List the board channels that the device occupies."""
        return (self._beam,)
