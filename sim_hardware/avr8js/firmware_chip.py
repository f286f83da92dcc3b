"""The firmware on the second simulator's chip, alone or behind a bootloader."""

from __future__ import annotations

from rig.core.errors import ConfigError
from sim_hardware.avr.firmware import firmware_hex
from sim_hardware.avr.seam import MakeChip
from sim_hardware.avr8js.bootloaders import BOOTLOADERS
from sim_hardware.avr8js.chip import Avr8jsChip

NO_BOOTLOADER = "none"


def firmware_on_avr8js(bootloader: str = NO_BOOTLOADER) -> MakeChip:
    """Return a builder of chips with the firmware behind a bootloader. Raises ``ConfigError``."""
    if bootloader != NO_BOOTLOADER and bootloader not in BOOTLOADERS:
        known = ", ".join((NO_BOOTLOADER, *BOOTLOADERS))
        raise ConfigError(f"there is no bootloader '{bootloader}'; there are: {known}")

    def make(kind: str, baud: int, seed: int) -> Avr8jsChip:
        programs, start = [firmware_hex(kind)], 0
        if bootloader != NO_BOOTLOADER:
            chosen = BOOTLOADERS[bootloader]
            if chosen.kind != kind:
                raise ConfigError(f"the bootloader {bootloader} is for an Arduino {chosen.kind}, not for a {kind}")
            programs.append(chosen.hex())
            start = chosen.start
        return Avr8jsChip(kind, programs, start=start, baud=baud, seed=seed)

    return make
