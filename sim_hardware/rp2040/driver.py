"""``driver: pico``: the firmware itself on a simulated RP2040, in the same world as the board in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

from rig.boards.driver_lookup import Connection, ServedPlace, Tool, VirtualPort
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from sim_hardware.avr.driver import AvrDriver
from sim_hardware.avr.pin_probe import AvrProbe
from sim_hardware.avr8js.node_process import missing_for_pico
from sim_hardware.rp2040.firmware_chip import UART_IMAGE, firmware_on_rp2040js


class PicoDriver(AvrDriver):
    """Driver of rigs whose board is a Pico, whichever chip the rig file names."""

    chip = "pico"
    image = UART_IMAGE

    def __init__(self) -> None:
        super().__init__(firmware_on_rp2040js)

    def tools(self) -> Iterator[Tool]:
        """Return the simulator of a Pico."""
        problem = missing_for_pico() or ""
        yield Tool("rp2040js", problem, "the firmware on a simulated Pico", "make test-tools   # in a checkout")

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        """Build a rig, and the subject that is asked for."""
        return super().connect(_with_a_pico(plan), options)

    def serve(
        self, plan: RigSpec, options: SimulationOptions, place: ServedPlace, scale: ServedPlace | None = None
    ) -> AbstractContextManager[VirtualPort]:
        """Build a server of a rig at a port; the subject starts when a program opens a session."""
        return super().serve(_with_a_pico(plan), options, place, scale)

    def probe(self, plan: RigSpec, heard: frozenset[str], seed: int) -> AvrProbe:
        """Build a probe on a chip with the firmware."""
        return super().probe(_with_a_pico(plan), heard, seed)


def _with_a_pico(plan: RigSpec) -> RigSpec:
    return replace(plan, board=replace(plan.board, chip="pico"))
