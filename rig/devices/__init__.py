"""Devices: what a protocol acts on and asks about, such as ports, valves and feeders.

May import ``rig.core``; never a board or a session.
Begin with ``base.py``, then ``port.py``.
"""

from rig.devices.base import Device, DeviceConfig, Needs
from rig.devices.feeder import Feeder, FeederConfig
from rig.devices.hopper import Hopper, HopperConfig
from rig.devices.houselight import Houselight
from rig.devices.light import Light, LightConfig
from rig.devices.port import Port, PortConfig
from rig.devices.sampled import AnalogInput, AnalogInputConfig, Encoder, EncoderConfig
from rig.devices.speaker import Speaker, SpeakerConfig
from rig.devices.touchscreen import ScreenConfig, Touchscreen
from rig.devices.tracker import Tracker, TrackerConfig
from rig.devices.ttl import SyncOut, TtlIn, TtlInConfig, TtlOut, TtlOutConfig
from rig.devices.valve import Valve, ValveConfig
from rig.devices.zone import Zone, ZoneConfig

__all__ = [
    "AnalogInput",
    "AnalogInputConfig",
    "Device",
    "DeviceConfig",
    "Encoder",
    "EncoderConfig",
    "Feeder",
    "FeederConfig",
    "Hopper",
    "HopperConfig",
    "Houselight",
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
