"""``driver: avr``: the firmware on a simulated Uno or Mega, by the simulator that this computer has."""

from __future__ import annotations

from collections.abc import Iterator

from rig.boards.chips import USUAL_CHIP
from rig.boards.driver_lookup import Tool
from sim_hardware.avr.build import APT, NoSimulatorError, shim_parts
from sim_hardware.avr.driver import AvrDriver
from sim_hardware.avr.firmware import need_tools
from sim_hardware.avr.seam import SimulatedChip, firmware_on_simavr
from sim_hardware.avr8js import node_process
from sim_hardware.avr8js.firmware_chip import firmware_on_avr8js

_OPTION = "--board avr: "


def firmware_on_a_simulator(kind: str, baud: int, seed: int) -> SimulatedChip:
    """Build a chip with the firmware: of libsimavr, which is faster, or else of avr8js, which needs no compiler.

    Raises ``NoSimulatorError`` that says what either needs, and ``ConfigError`` for another kind of chip.
    """
    try:
        return firmware_on_simavr(kind, baud, seed)
    except NoSimulatorError as error:
        first = error
    try:
        return firmware_on_avr8js()(kind, baud, seed)
    except NoSimulatorError as error:
        raise NoSimulatorError(
            f"{_OPTION}this computer cannot simulate the chip; one of these is enough:",
            f"  {error}",
            *(f"  {line.removeprefix(_OPTION)}" for line in first.lines),
        ) from None


class FirmwareDriver(AvrDriver):
    """Driver of rigs with simulated chips, of either simulator."""

    def __init__(self) -> None:
        super().__init__(firmware_on_a_simulator)

    def tools(self) -> Iterator[Tool]:
        """Return both simulators; one of them is enough."""
        yield Tool(
            "node",
            node_process.missing() or "",
            "rig board serve and --board avr: the firmware on a simulated Uno or Mega, without a compiler",
            node_process.INSTALL,
        )
        problem = ""
        try:
            shim_parts()  # `rig self-test` writes nothing: so nothing is compiled
            need_tools(USUAL_CHIP)
        except NoSimulatorError as error:
            problem = error.lines[0].removeprefix(_OPTION)
        gives = "the same, three times as fast; changes of the firmware"
        yield Tool("compilers, libsimavr", problem, gives, f"{APT}   # for a checkout")
