"""Parts around the board of every simulated rig: cable, world, body, screen and camera."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable

from rig.boards.simulation import PinChange
from rig.core.clock import Clock, running
from rig.core.model.rig_spec import PERSON, RigSpec, SimulationOptions
from sim_hardware.link_model import CableTransport, LinkFaults, SerialCable
from sim_hardware.world.body import Body
from sim_hardware.world.camera import VirtualCamera
from sim_hardware.world.screen import SimScreen
from sim_hardware.world.world import World


class VirtualRig(ABC):
    """A simulated rig without its board; subclasses put it between cable and world. ``clock`` is the cable's."""

    def __init__(self, plan: RigSpec, options: SimulationOptions, faults: LinkFaults | None, clock: Clock) -> None:
        # The zero of the session's time is not known before the board has been opened.
        self._planned: list[tuple[int, Callable[[], object]]] = []
        self._is_open = False
        faults = faults or LinkFaults.of(options.faults, options.seed)
        self.cable = SerialCable(clock, faults, self._receive)
        self.transport = CableTransport(self.cable)
        self.world = World(plan, self.now_us, options.cut, running(), drive=self._drive, set_value=self._set_value)
        self.screen: SimScreen | None = None
        # A person is a real participant, at a real window (protocols/disk_bandit/README.md).
        if plan.screen is not None and options.model != PERSON:
            self.screen = SimScreen(plan.screen, self.world, running(), options.cut)
        self.camera: VirtualCamera | None = None
        if plan.tracking is not None:
            self.camera = VirtualCamera(plan.tracking, running(), self._now_s, options.seed)
        trajectory = None if self.camera is None else self.camera.trajectory
        self.body = Body(self.world, running(), options.seed, self.screen, trajectory)

    @abstractmethod
    def now_us(self) -> int:
        """Return the time of the session."""

    def begin(self, zero_s: float | None = None) -> None:
        """Start the session's time of the body and of planned callbacks; ``zero_s`` is a time of the loop."""
        self.body.begin(zero_s)
        self._is_open = True
        for t_us, callback in self._planned:
            self._schedule(t_us, callback)
        self._planned.clear()

    def call_at_us(self, t_us: int, callback: Callable[[], object]) -> None:
        """Run a callback at a microsecond of the session, even if the session has ended by then."""
        if self._is_open:
            self._schedule(t_us, callback)
        else:
            self._planned.append((t_us, callback))

    def _schedule(self, t_us: int, callback: Callable[[], object]) -> None:
        # The loop's timers, because those of the cable's clock may be background ones.
        asyncio.get_running_loop().call_at(self.body.zero_s + t_us / 1e6, callback)

    def record_pins(self) -> list[PinChange]:
        """Start to record every change of a pin; return the list to which the changes are added."""
        if self.world.trace is None:
            self.world.trace = []
        return self.world.trace

    @abstractmethod
    def _receive(self, data: bytes) -> None:
        """Send bytes of the host to the board."""

    @abstractmethod
    def _drive(self, pin: int, level: int) -> None:
        """Set the level of a pin of the board."""

    @abstractmethod
    def _set_value(self, pin: int, value: int) -> None:
        """Set the value of a pin that the board samples."""

    def _now_s(self) -> float:
        return self.body.now_s
