"""``driver: avr``: the firmware itself on a simulated chip, in the same world as the board in Python."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from rig.boards.chips import USUAL_CHIP
from rig.boards.driver_lookup import Connection, ServedPlace, VirtualPort
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from sim_hardware.avr.pin_probe import AvrProbe
from sim_hardware.avr.rig import AvrRig, check_pins
from sim_hardware.avr.seam import MakeChip, firmware_on_simavr
from sim_hardware.board.pin_probe import BENCH_CABLE
from sim_hardware.driver import VirtualDriver, connection, model_for, subject


class AvrDriver(VirtualDriver):
    """Driver of rigs with simulated chips; ``make_chip`` builds them."""

    def __init__(self, make_chip: MakeChip = firmware_on_simavr) -> None:
        self._make_chip = make_chip

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        """Build a rig, and the subject that is asked for."""
        rig = AvrRig(plan, options, make_chip=self._make_chip)
        return connection(rig, options)

    def serve(
        self, plan: RigSpec, options: SimulationOptions, place: ServedPlace, scale: ServedPlace | None = None
    ) -> AbstractContextManager[VirtualPort]:
        """Build a server of a rig at a port; the subject starts when a program opens a session."""
        from sim_hardware.avr.serve import BoardServer

        def made(on_open: Callable[[], None]) -> AvrRig:
            rig = AvrRig(plan, options, on_open=on_open, make_chip=self._make_chip)
            model_for(options, rig.body)  # what is wrong with it is said now, and not when a port is opened
            return rig

        return BoardServer(made, lambda rig: subject(options, rig.body), place, scale, options.seed)

    def probe(self, plan: RigSpec, heard: frozenset[str], seed: int) -> AvrProbe:
        """Build a probe on a chip with the firmware."""
        kind = plan.board.chip or USUAL_CHIP
        check_pins(plan, kind)
        channels, baud = plan.wiring.channels, plan.board.baud
        make_chip = self._make_chip
        return AvrProbe(kind, channels, heard=heard, faults=BENCH_CABLE, baud=baud, seed=seed, make_chip=make_chip)
