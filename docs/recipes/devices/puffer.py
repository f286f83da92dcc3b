"""An air puffer: a valve on compressed air, which the board closes after the length of a puff."""

from pydantic import Field

from rig.core.model.actions import Pulse
from rig.core.model.board import Channel, Output
from rig.core.model.channels import Role
from rig.core.model.output_check import OutputCheck
from rig.core.model.surroundings import OnOutput, Surroundings
from rig.devices.base import Device, DeviceConfig, Pin


class PufferConfig(DeviceConfig):
    """An air puffer in the rig file."""

    pin: Pin = Field(description="the output that opens it")
    puff_ms: float = Field(default=50, gt=0, le=1000, description="length of a puff")


class Puffer(Device):
    """Gives puffs of air."""

    Config = PufferConfig
    description = "air puffer"

    def __init__(self, name: str, config: PufferConfig) -> None:
        super().__init__(name)
        self._puff_ms, self._puff_us = config.puff_ms, round(config.puff_ms * 1000)
        self._valve = Output(name, Role.LINE, config.pin, max_on_us=self._puff_us)

    def puff(self) -> Pulse:
        """Return the action of one puff."""
        return Pulse(self._valve.name, self._puff_us)

    def label(self, channel: Channel) -> str:
        """Return the name of its line in the window."""
        return f"{self.name}: air"

    def simulated(self, surroundings: Surroundings) -> OnOutput:
        """Tell a virtual subject of each puff, at its begin and at its end."""
        return lambda channel, value: surroundings.perceive("puff", self.name, value)

    def output_check(self, output: Output) -> OutputCheck:
        """Return how the channel test tries it."""
        return OutputCheck(self.puff(), self._puff_us, f"puff for {self._puff_ms:g} ms", "did air come out?")
