"""The port of a place at which a simulated device is served."""

from __future__ import annotations

from rig.boards.driver_lookup import ServedPlace
from sim_hardware.avr.served_port import ServedDevice, ServedPort
from sim_hardware.avr.tcp_port import TcpPort
from sim_hardware.avr.terminal_port import TerminalPort


def port_at(place: ServedPlace, device: ServedDevice) -> ServedPort:
    """Return the port for a device, on the running loop; it is not plugged in yet."""
    return TerminalPort(place.link, device) if place.tcp is None else TcpPort(place.tcp, device)
