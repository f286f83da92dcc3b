"""Build devices from the entries of a rig file."""

from __future__ import annotations

from collections.abc import Mapping

from rig.core.errors import CalibrationError
from rig.core.model.channels import Role, channel_name
from rig.devices.base import Device, DeviceConfig
from rig.devices.calibration import Calibration
from rig.devices.feeder import Feeder, FeederConfig
from rig.devices.hopper import Hopper, HopperConfig
from rig.devices.houselight import Houselight, HouselightConfig
from rig.devices.light import Light, LightConfig
from rig.devices.port import Port, PortConfig
from rig.devices.speaker import Speaker, SpeakerConfig
from rig.devices.sync_out import SyncOut
from rig.devices.touchscreen import NAME, ScreenConfig, Touchscreen
from rig.devices.tracker import Tracker, TrackerConfig
from rig.devices.ttl import TtlIn, TtlInConfig, TtlOut, TtlOutConfig
from rig.devices.valve import Valve, ValveConfig
from rig.devices.zone import Zone, ZoneConfig


def build_devices(
    configs: Mapping[str, DeviceConfig], calibrations: Mapping[str, Calibration], screen: ScreenConfig | None = None
) -> tuple[dict[str, Device], dict[str, Calibration]]:
    """Build the devices of a rig, in its order; return them and the calibration of each valve's channel."""
    devices: dict[str, Device] = {}
    of_valves: dict[str, Calibration] = {}
    for name, config in configs.items():
        if isinstance(config, PortConfig):
            calibration = calibrations.get(config.calibration or "")
            devices[name] = Port(name, config, calibration)
            if config.valve is not None and calibration is not None:
                of_valves[channel_name(name, Role.VALVE)] = calibration
        elif isinstance(config, ValveConfig):
            calibration = calibrations[config.calibration]
            devices[name] = Valve(
                name, config.pin, calibration, max_open_ms=config.max_open_ms, interlocked=config.interlocked
            )
            of_valves[channel_name(name, Role.VALVE)] = calibration
        # Before LightConfig, of which it is a subclass.
        elif isinstance(config, HouselightConfig):
            devices[name] = Houselight(name, config.pin)
        elif isinstance(config, HopperConfig):
            devices[name] = Hopper(name, config)
        elif isinstance(config, LightConfig):
            devices[name] = Light(name, config.pin)
        elif isinstance(config, TtlOutConfig):
            devices[name] = TtlOut(name, config) if config.sync is None else SyncOut(name, config, config.sync)
        elif isinstance(config, TtlInConfig):
            devices[name] = TtlIn(name, config)
        elif isinstance(config, ZoneConfig):
            devices[name] = Zone(name, config)
        elif isinstance(config, FeederConfig):
            devices[name] = Feeder(name, config)
        elif isinstance(config, SpeakerConfig):
            devices[name] = Speaker(name, config)
        elif isinstance(config, TrackerConfig):
            devices[name] = Tracker(name, config)
    if screen is not None:
        devices[NAME] = Touchscreen(screen)
    return devices, of_valves


def volume(calibration: Calibration, open_us: int) -> float:
    """Return the volume of an opening; outside the measured range, in proportion to the nearest point."""
    try:
        return calibration.ul(open_us)
    # The channel test opens a valve for 20 ms, whatever was measured, and that volume must be counted.
    except CalibrationError:
        first, last = calibration.points[0], calibration.points[-1]
        nearest = first if open_us < first[0] else last
        return nearest[1] * open_us / nearest[0]
