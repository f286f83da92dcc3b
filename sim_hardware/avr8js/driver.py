"""The driver of rigs whose chip is simulated by avr8js, behind a bootloader or not; only tests use it."""

from __future__ import annotations

from sim_hardware.avr.driver import AvrDriver
from sim_hardware.avr.seam import MakeChip
from sim_hardware.avr8js.firmware_chip import NO_BOOTLOADER, firmware_on_avr8js


class Avr8jsDriver(AvrDriver):
    """Driver of rigs with chips of the second simulator; opening the port starts the ``bootloader``.

    Raises ``ConfigError`` for an unknown bootloader.
    """

    def __init__(self, bootloader: str = NO_BOOTLOADER) -> None:
        make_chip: MakeChip = firmware_on_avr8js(bootloader)
        super().__init__(make_chip)
