"""``driver: avr``: the firmware itself on a simulated chip, in the same world as the board in Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from rig.core.channels import Role
from rig.core.clock import running
from rig.core.errors import ConfigError
from rig.core.plan import Rehearsal, RigPlan
from rig.hardware.boards import Connection, Served
from rig.hardware.chips import CHIPS
from sim_hardware.avr.board import AvrBoard
from sim_hardware.avr.chip import Chip
from sim_hardware.avr.firmware import firmware
from sim_hardware.avr.leads import AvrLeads
from sim_hardware.avr.lockstep import Background
from sim_hardware.driver import VirtualDriver, connection, model_for, subject
from sim_hardware.leads import BENCH_CABLE
from sim_hardware.rig import VirtualRig
from sim_hardware.wire import Faults, ResettingTransport

USUAL_CHIP = "uno"


class AvrRig(VirtualRig):
    """A chip with the firmware on it, its cable and its world, put together on the running loop.

    ``on_open`` is called when a session is opened, once the body counts from its zero.
    """

    def __init__(
        self,
        plan: RigPlan,
        rehearsal: Rehearsal,
        faults: Faults | None = None,
        on_open: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(plan, rehearsal, faults, Background(running()))
        kind = plan.board.chip or USUAL_CHIP
        check_pins(plan, kind)
        chip = Chip(kind, firmware(kind), baud=plan.board.baud, seed=rehearsal.seed)
        channels = plan.wiring.channels
        speakers = frozenset(channel.name for channel in channels if channel.role is Role.TONE)
        send, drive = self.cable.to_host.send, self.world.driven
        self._on_open = on_open
        self.board = AvrBoard(chip, channels, send, drive, self.begin, speakers=speakers)
        self.world.connect(self.board.put)
        self.transport = ResettingTransport(self.cable, self.board.reset)

    def begin(self, zero_s: float | None = None) -> None:
        """Start the session's time, whose zero the chip knows."""
        super().begin(self.board.time_of_us(0) if zero_s is None else zero_s)
        self._on_open()

    def _receive(self, data: bytes) -> None:
        self.board.receive(data)

    def now_us(self) -> int:
        """Tell the time of the session."""
        return self.board.now_us()


def check_pins(plan: RigPlan, kind: str) -> None:
    """Refuse pins that the chip has not. Raises ``ConfigError``."""
    chip = CHIPS[kind]
    wrong = [
        f"{channel.name} is on pin {channel.pin}" for channel in plan.wiring.channels if channel.pin not in chip.pins
    ]
    if wrong:
        larger = "" if kind != USUAL_CHIP else "; for a larger board write `chip: mega` under `boards:`"
        least, most = chip.pins[0], chip.pins[-1]
        raise ConfigError(f"an {chip.board} has pins {least} to {most} to spare: {', '.join(wrong)}{larger}")


class AvrDriver(VirtualDriver):
    """Makes rigs with simulated chips."""

    def connect(self, plan: RigPlan, rehearsal: Rehearsal) -> Connection:
        """Put a rig together."""
        rig = AvrRig(plan, rehearsal)
        return connection(rig, rehearsal)

    def serve(self, plan: RigPlan, rehearsal: Rehearsal, link: Path | None) -> AbstractContextManager[Served]:
        """Serve it at a pseudo-terminal; whoever opens the port finds the subject at its beginning."""
        if sys.platform == "win32":
            raise ConfigError("Windows has no pseudo-terminals to serve a board at: use Linux or macOS")
        from sim_hardware.avr.serve import PtyServer

        def made(on_open: Callable[[], None]) -> AvrRig:
            rig = AvrRig(plan, rehearsal, on_open=on_open)
            model_for(rehearsal, rig.body)  # what is wrong with it is said now, and not when a port is opened
            return rig

        return PtyServer(made, lambda rig: subject(rehearsal, rig.body), link)

    def leads(self, plan: RigPlan, heard: frozenset[str], seed: int) -> AvrLeads:
        """Put a chip with the firmware on a bench."""
        kind = plan.board.chip or USUAL_CHIP
        check_pins(plan, kind)
        channels, baud = plan.wiring.channels, plan.board.baud
        return AvrLeads(kind, channels, heard=heard, faults=BENCH_CABLE, baud=baud, seed=seed)
