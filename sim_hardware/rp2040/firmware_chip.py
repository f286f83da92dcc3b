"""The firmware on a simulated RP2040."""

from __future__ import annotations

from rig.core.errors import ConfigError
from sim_hardware.avr.build import NoSimulatorError
from sim_hardware.avr.firmware import firmware_image
from sim_hardware.avr8js.chip import Avr8jsChip
from sim_hardware.avr8js.node_process import missing_for_pico

UART_IMAGE = "pico-uart"


def firmware_on_rp2040js(kind: str, baud: int, seed: int) -> Avr8jsChip:
    """Build a chip with the firmware whose port is UART 0. Raises ``ConfigError`` for another chip than a Pico's."""
    return _chip(kind, baud, seed, "uart")


def firmware_on_usb(kind: str, baud: int, seed: int) -> Avr8jsChip:
    """Build a chip with the firmware whose port is USB, on a computer. Raises ``ConfigError`` as above."""
    return _chip(kind, baud, seed, "usb")


def _chip(kind: str, baud: int, seed: int, port: str) -> Avr8jsChip:
    if kind != "pico":
        raise ConfigError(f"--board pico: the rig file names the chip of an Arduino {kind}")
    if (why := missing_for_pico()) is not None:
        raise NoSimulatorError(f"--board pico: {why}")
    image = firmware_image("pico" if port == "usb" else UART_IMAGE)
    return Avr8jsChip(kind, [image], baud=baud, seed=seed, port=port)
