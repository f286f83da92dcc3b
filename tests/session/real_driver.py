"""A driver of a simulated board that sessions treat as a real one: its rewards count."""

import asyncio
from collections.abc import Callable
from typing import Any

from rig.boards.driver_lookup import Connection
from rig.boards.serial.driver import SerialDriver
from rig.core.model.rig_spec import SimulationOptions
from sim_hardware.driver import SimDriver, SimRig
from sim_hardware.loop import VirtualLoop


class RealBoardDriver(SimDriver):
    """A simulated board that passes for a real one: in virtual time, but with all the care of real records."""

    records, accepts_models = "real", False
    board = SerialDriver.board

    def __init__(self, direct: Callable[[SimRig], object] = lambda rig: None) -> None:
        self._direct = direct

    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        loop = VirtualLoop(t_max=100)
        loop.call_soon_threadsafe = loop.call_soon  # type: ignore[method-assign]
        return loop

    def connect(self, plan: Any, simulation: SimulationOptions) -> Connection:
        rig = SimRig(plan, simulation)
        self._direct(rig)
        from sim_hardware.driver import subject

        return Connection(rig.transport, subject(simulation, rig.body))
