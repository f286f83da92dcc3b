"""Devices: what a protocol acts on and asks about, such as ports, valves and feeders.

May import ``rig.core``; never a board or a session.
Begin with ``base.py``, then ``port.py``.
"""

from rig.devices.base import Device, DeviceConfig, Needs
from rig.devices.feeder import Feeder, FeederConfig
from rig.devices.hopper import Hopper, HopperConfig
from rig.devices.houselight import Houselight, HouselightConfig
from rig.devices.light import Light, LightConfig
from rig.devices.port import Port, PortConfig
from rig.devices.speaker import Speaker, SpeakerConfig
from rig.devices.sync_out import SyncOut
from rig.devices.touchscreen import ScreenConfig, Touchscreen
from rig.devices.tracker import Tracker, TrackerConfig
from rig.devices.ttl import TtlIn, TtlInConfig, TtlOut, TtlOutConfig
from rig.devices.valve import Valve, ValveConfig
from rig.devices.zone import Zone, ZoneConfig

KINDS: dict[str, type[DeviceConfig]] = {
    "port": PortConfig,
    "light": LightConfig,
    "valve": ValveConfig,
    "ttl_in": TtlInConfig,
    "ttl_out": TtlOutConfig,
    "zone": ZoneConfig,
    "feeder": FeederConfig,
    "speaker": SpeakerConfig,
    "tracker": TrackerConfig,
    "hopper": HopperConfig,
    "houselight": HouselightConfig,
}
"""The values of ``kind:`` in a rig file."""

__all__ = [
    "KINDS",
    "Device",
    "DeviceConfig",
    "Feeder",
    "FeederConfig",
    "Hopper",
    "HopperConfig",
    "Houselight",
    "HouselightConfig",
    "Light",
    "LightConfig",
    "Needs",
    "Port",
    "PortConfig",
    "ScreenConfig",
    "Speaker",
    "SpeakerConfig",
    "SyncOut",
    "Touchscreen",
    "Tracker",
    "TrackerConfig",
    "TtlIn",
    "TtlInConfig",
    "TtlOut",
    "TtlOutConfig",
    "Valve",
    "ValveConfig",
    "Zone",
    "ZoneConfig",
]
