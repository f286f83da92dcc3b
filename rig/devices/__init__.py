"""The nouns a protocol uses."""

from rig.devices.base import Device, DeviceConfig, Needs
from rig.devices.light import Light, LightConfig
from rig.devices.port import Port, PortConfig
from rig.devices.ttl import TtlIn, TtlInConfig, TtlOut, TtlOutConfig
from rig.devices.valve import Valve, ValveConfig

KINDS: dict[str, type[DeviceConfig]] = {
    "port": PortConfig,
    "light": LightConfig,
    "valve": ValveConfig,
    "ttl_in": TtlInConfig,
    "ttl_out": TtlOutConfig,
}
"""The words that ``kind:`` may be in a rig file."""

__all__ = [
    "KINDS",
    "Device",
    "DeviceConfig",
    "Light",
    "LightConfig",
    "Needs",
    "Port",
    "PortConfig",
    "TtlIn",
    "TtlInConfig",
    "TtlOut",
    "TtlOutConfig",
    "Valve",
    "ValveConfig",
]
