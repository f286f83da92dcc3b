"""What every simulated rig has around its board: a cable, a world with pins, a body in it, a camera above it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rig.core.clock import Clock, running
from rig.core.plan import PERSON, Rehearsal, RigPlan
from sim_hardware.body import Body
from sim_hardware.camera import VirtualCamera
from sim_hardware.screen import SimScreen
from sim_hardware.wire import Cable, CableTransport, Faults
from sim_hardware.world import World


class VirtualRig(ABC):
    """All but the board, which a subclass puts between the cable and the world; ``clock`` is the cable's."""

    def __init__(self, plan: RigPlan, rehearsal: Rehearsal, faults: Faults | None, clock: Clock) -> None:
        self.cable = Cable(clock, faults or Faults(seed=rehearsal.seed, **rehearsal.faults))  # type: ignore[arg-type]
        self.world = World(plan, self.now_us, rehearsal.cut, running())
        self.body = Body(self.world, running(), rehearsal.seed)
        self.transport = CableTransport(self.cable)
        self.camera: VirtualCamera | None = None
        if plan.tracking is not None:
            self.camera = VirtualCamera(self.body, plan.tracking, running(), rehearsal.seed)
        self.screen: SimScreen | None = None
        if plan.screen is not None and rehearsal.model != PERSON:
            self.screen = SimScreen(plan.screen, self.world, running(), rehearsal.cut)

    @abstractmethod
    def now_us(self) -> int:
        """Tell the time of the session."""
