"""The firmware on a simulated RP2040."""

from __future__ import annotations

from rig.core.errors import ConfigError
from sim_hardware.avr.firmware import firmware_image
from sim_hardware.avr8js.chip import Avr8jsChip


def firmware_on_rp2040js(kind: str, baud: int, seed: int) -> Avr8jsChip:
    """Build a chip with the firmware on it. Raises ``ConfigError`` for another chip than that of a Pico."""
    if kind != "pico":
        raise ConfigError(f"--board pico: the rig file names the chip of an Arduino {kind}")
    return Avr8jsChip(kind, [firmware_image()], baud=baud, seed=seed)
