"""Ports, zones and hoppers know what they last saw."""

import datetime
from typing import TypeVar

import pytest

from rig.core.engine.device_link import DeviceLink
from rig.core.engine.input_log import InputLog
from rig.core.model.events import Edge
from rig.devices import Feeder, FeederConfig, Hopper, HopperConfig, Port, PortConfig, Zone, ZoneConfig
from rig.devices.base import Device
from rig.devices.detector import Detector

PORT = Port("a", PortConfig(kind="port", beam=6))
BEAM = Zone("a", ZoneConfig(kind="zone", beam=6))
CIRCLE = Zone("a", ZoneConfig(kind="zone", x_cm=0, y_cm=0, radius_cm=5))
HOPPER = Hopper("a", HopperConfig(kind="hopper", pin=3, beam=6))


D = TypeVar("D", bound=Device)


def reading(device: D, *edges: tuple[str, int, int]) -> D:
    """The device of a task that has read some edges: channel, level, microseconds."""
    log = InputLog()
    for number, (channel, level, t_us) in enumerate(edges, start=1):
        log.add(Edge(t_us, channel, level, 0, number))
    return device.linked(DeviceLink(lambda order: None, log))


@pytest.mark.parametrize(
    ("device", "channel"), [(PORT, "a.beam"), (BEAM, "a.beam"), (CIRCLE, "a.zone"), (HOPPER, "a.beam")]
)
def test_what_detects_a_subject_tells_entries_and_exits(device: Detector, channel: str) -> None:
    device = reading(device)
    assert (device.entries, device.exits, device.last_entry_s, device.last_exit_s) == (0, 0, None, None)
    assert device.is_clear
    device = reading(
        device, (channel, 1, 1_000_000), (channel, 0, 1_200_000), ("b.beam", 1, 1_300_000), (channel, 1, 2_000_000)
    )
    assert (device.entries, device.exits, device.last_entry_s, device.last_exit_s) == (2, 1, 2.0, 1.2)
    assert not device.is_clear
    assert device.entries_since(1.0) == (1.0, 2.0)
    assert device.entries_since(1.000001) == (2.0,)
    assert device.exits_since(1.2) == (1.2,)


def test_a_device_that_is_in_no_session_has_seen_nothing() -> None:
    fresh = Port("left", PortConfig(kind="port", beam=6))
    assert (fresh.entries, fresh.last_exit_s, fresh.is_clear) == (0, None, True)


def test_a_feeder_with_a_sensor_tells_what_has_dropped_and_one_without_tells_nothing() -> None:
    measured = {"date": datetime.date(2026, 11, 3), "pulses": 100, "pellets": 100}
    for sensor, dropped in ((7, (1.5, 2.0)), (None, ())):
        feeder = Feeder("f", FeederConfig(kind="feeder", pin=3, sensor=sensor, measured=measured))
        feeder = reading(feeder, ("f.sensor", 1, 1_000_000), ("f.sensor", 1, 1_500_000), ("f.sensor", 1, 2_000_000))
        assert feeder.dropped_since(1.5) == dropped
