"""A motor that vibrates under the paw."""

from pydantic import Field

from rig.core.model.actions import Pulse
from rig.core.model.board import Output
from rig.core.model.channels import Role
from rig.devices.base import Device, DeviceConfig, Pin

MAX_BUZZ_MS = 1000


class BuzzerConfig(DeviceConfig):
    """A buzzer in the rig file."""

    pin: Pin = Field(description="the output that drives the motor")


class Buzzer(Device):
    """Buzzes for a time; the board ends each buzz."""

    Config = BuzzerConfig
    description = "vibrating motor"

    def __init__(self, name: str, config: BuzzerConfig) -> None:
        super().__init__(name)
        self._motor = Output(name, Role.LINE, config.pin, max_on_us=MAX_BUZZ_MS * 1000)

    def buzz(self, ms: float) -> Pulse:
        """Return the action of one buzz."""
        return Pulse(self._motor.name, round(ms * 1000))
