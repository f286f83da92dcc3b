"""A rotary feeder: a wheel with pockets that a stepper turns, one pocket for a pellet, past a sensor."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from rig.core.errors import ActionError
from rig.core.model.actions import Pulse, RewardAction, Train
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from rig.core.model.patterns import EdgePattern
from rig.core.model.reward_types import RewardUnit
from rig.core.model.surroundings import OnOutput, Surroundings
from rig.devices.base import Device, DeviceConfig, Pin
from rig.maintenance.verb import Verb

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rig.boards.client import BoardClient
    from rig.boards.driver_lookup import Connection
    from rig.core.model.board import Board
    from rig.maintenance.bench import Bench

MOST_PELLETS = 5
FALLS_S, PASSES_S = 0.1, 0.02
"""In a simulated rig: from the last step of a pocket to the sensor, and past it."""


class Turn(Verb):
    """``rig device turn RIG DEVICE``: turn the wheel by some pockets, to fill or to empty it."""

    help = "turn the wheel of a rotary feeder"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the number of pockets."""
        parser.add_argument("--pockets", type=int, default=1, choices=range(1, 101), metavar="N", help="1 to 100; 1")

    def run(self, benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
        """Turn the wheel; no pellet that falls is counted."""
        (bench,) = benches
        feeder = bench.device_as(RotaryFeeder)
        bench.confirm_empty(f"{feeder.name} will turn and may drop pellets")

        async def work(client: BoardClient[Board], connection: Connection) -> None:
            for _ in range(arguments.pockets):
                await client.execute(feeder.turn(1))
                await asyncio.sleep(feeder.turn_s)

        bench.run_on_board(work)
        bench.print(f"{feeder.name}: turned by {arguments.pockets} pockets")
        return 0


class RotaryFeederConfig(DeviceConfig):
    """A rotary feeder in the rig file."""

    pin: Pin = Field(description="the output that makes the driver of the stepper go one step")
    sensor: Pin = Field(description="the input that is high while a pellet drops past")
    steps: int = Field(default=25, ge=1, le=400, description="steps from pocket to pocket")
    step_ms: float = Field(default=4, ge=1, le=100, description="from step to step")


class RotaryFeeder(Device):
    """A rotary feeder; wait until a pellet has ``dropped``."""

    Config = RotaryFeederConfig
    description = "rotary pellet feeder"
    maintenance: ClassVar = {"turn": Turn}

    def __init__(self, name: str, config: RotaryFeederConfig) -> None:
        super().__init__(name)
        self.steps, self.turn_s = config.steps, config.steps * config.step_ms / 1000
        self._step_us = round(config.step_ms * 1000)
        # The limit of one step: a stepper goes on at the begin of a pulse, never within one.
        self._motor = Output(name, Role.FEEDER, config.pin, max_on_us=self._step_us)
        self._sensor = Input(name, Role.SENSOR, config.sensor, machine=True)
        self.dropped = EdgePattern(self._sensor.name, 1)

    @property
    def gives(self) -> RewardUnit:
        """Return the unit of the rewards that the device gives."""
        return "pellets"

    def reward(self, size: float | None = None) -> RewardAction:
        """Return the action that gives ``size`` pellets, by default one. Raises ``ActionError`` for another size."""
        pellets = 1 if size is None else size
        if pellets not in range(1, MOST_PELLETS + 1):
            said = f"{self.name}: {pellets:g} pellets: wanted a whole number, 1 to {MOST_PELLETS}"
            raise ActionError(said, pellets, "pellets")
        return RewardAction(self.turn(int(pellets)), self.name, pellets=int(pellets))

    def turn(self, pockets: int) -> Pulse | Train:
        """Return the action that turns the wheel by some pockets."""
        on_us, steps = self._step_us // 2, self.steps * pockets
        return Pulse(self._motor.name, on_us) if steps == 1 else Train(self._motor.name, on_us, self._step_us, steps)

    def simulated(self, surroundings: Surroundings) -> OnOutput:
        """Let a pellet fall after the last step of each pocket."""
        steps = count(1)

        def on_output(channel: str, value: int) -> None:
            if value and next(steps) % self.steps == 0:
                surroundings.call_later(FALLS_S, fall)

        def fall() -> None:
            surroundings.deliver(self.name, 1)
            surroundings.drive(self._sensor.name, True)
            surroundings.call_later(PASSES_S, surroundings.drive, self._sensor.name, False)

        return on_output
