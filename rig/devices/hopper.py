"""A hopper of grain: raised for some seconds, within reach of a head.

The board enforces its longest time up, because a hopper that stays up feeds without limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from pydantic import Field

from rig.core.errors import ActionError
from rig.core.model.actions import Pulse, RewardAction
from rig.core.model.board import MAX_ON_US, Input, Output
from rig.core.model.channels import Role
from rig.core.model.events import Edge
from rig.core.model.microseconds import check_number, to_us
from rig.core.model.patterns import EdgePattern, LevelPattern
from rig.core.model.reward_types import RewardUnit
from rig.devices.base import DeviceConfig, Pin
from rig.devices.detector import Detector
from rig.devices.light import Light

USUAL_S = 3.0
"""The default time up: Racey et al. (2011)."""


class HopperConfig(DeviceConfig):
    """A hopper in the rig file."""

    pin: Pin = Field(description="the output that raises it")
    light: Pin | None = Field(default=None, description="the output that drives its lamp, which is lit while it is up")
    beam: Pin | None = Field(default=None, description="the input that is high while a head is in it")
    beam_inverted: bool = Field(default=False, description="the input is low, not high, while a head is in it")
    beam_lockout_us: int = Field(
        default=5_000, ge=0, le=1_000_000, description="after a change the beam is not looked at for so long"
    )
    beam_min_off_us: int = Field(
        default=100_000,
        ge=0,
        le=1_000_000,
        description="a head is out when the beam has been clear for so long: a bird that eats nods",
    )
    max_up_s: float = Field(
        default=10.0, gt=0, le=MAX_ON_US / 1e6, description="the board lowers it after so long, whatever happens"
    )


class Hopper(Detector):
    """A grain hopper: raise it with ``feed``; with a beam, wait until a head has ``entered`` or ``left``."""

    Config = HopperConfig
    maintenance: ClassVar = {"cycles": "rig.maintenance.verbs:Cycles", "fill": "rig.maintenance.verbs:Fill"}
    entered: EdgePattern
    left: EdgePattern
    inside: LevelPattern
    outside: LevelPattern

    def __init__(self, name: str, config: HopperConfig) -> None:
        super().__init__(name, Role.BEAM)
        self._output = Output(name, Role.HOPPER, config.pin, max_on_us=to_us(config.max_up_s))
        self._light = None if config.light is None else Light(name, config.light)
        self._beam = None
        if config.beam is not None:
            lockout_us, off_us = config.beam_lockout_us, config.beam_min_off_us
            self._beam = Input(name, Role.BEAM, config.beam, lockout_us, 100, off_us, config.beam_inverted)
        self.entered, self.left = self.on_entry, self.on_exit
        self.inside, self.outside = self.occupied, self.clear

    def has(self, part: str) -> bool:
        """Whether it has a ``light`` or a ``beam``."""
        return getattr(self, f"_{part}", None) is not None

    @property
    def gives(self) -> RewardUnit:
        """Return the unit of the rewards that the device gives."""
        return "access_s"

    def reward(self, size: float | None = None) -> RewardAction:
        """Return the action that raises it for so many seconds, by default as long as is usual. Raises as ``food``."""
        return self.food(USUAL_S if size is None else size)

    def food(self, seconds: float = USUAL_S) -> RewardAction:
        """Return the action that raises the hopper for ``seconds``, without its lamp; at most for ``max_up_s``.

        Raises ``ActionError`` for another time.
        """
        check_number(seconds, f"{self.name}: the seconds of a hopper")
        up_us, most_us = to_us(seconds), self._output.max_on_us or 0
        if not 0 < up_us <= most_us:
            said = f"{self.name}: up for {seconds:g} s: wanted more than 0 and at most {most_us / 1e6:g} s (max_up_s)"
            raise ActionError(said, seconds, "s")
        return RewardAction(Pulse(self._output.name, up_us), self.name, access_s=seconds)

    def feed(self, seconds: float = USUAL_S) -> None:
        """Raise the hopper for ``seconds``, with its lamp on; the next wait sends the order."""
        self.order(self.food(seconds))
        if self._light is not None:
            (lamp,) = self._light.channels
            # A pulse: the board ends it with the hopper's, also when the host stalls.
            self.order(Pulse(lamp.name, to_us(seconds)))

    def access_us(self, edges: Iterable[Edge], from_us: int, until_us: int, *, inside: bool = False) -> int:
        """Return for how many microseconds a head was in the hopper between two times.

        ``inside`` is whether a head was in it at the first time.
        """
        access_us, since_us = 0, from_us if inside else None
        for edge in edges:
            if edge.channel != self.entered.channel or not from_us <= edge.t_us <= until_us:
                continue
            if edge.level and since_us is None:
                since_us = edge.t_us
            elif not edge.level and since_us is not None:
                access_us, since_us = access_us + edge.t_us - since_us, None
        return access_us if since_us is None else access_us + until_us - since_us
