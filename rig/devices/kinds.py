"""Kinds of devices: the classes behind the words of a rig file."""

from __future__ import annotations

from rig.devices.base import Device
from rig.devices.feeder import Feeder
from rig.devices.hopper import Hopper
from rig.devices.port import Port
from rig.devices.valve import Valve


def installed_kinds() -> dict[str, type[Device]]:
    """Return the classes of devices that a person maintains, by their kind."""
    return {"port": Port, "valve": Valve, "feeder": Feeder, "hopper": Hopper}
