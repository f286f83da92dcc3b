"""The nouns of a protocol: what they occupy, what they can do, and what they say when they cannot."""

from typing import Any, TypeVar

import pytest
from pydantic import ValidationError

from rig.core.engine.device_link import DeviceLink
from rig.core.engine.input_log import InputLog
from rig.core.errors import CalibrationError, TaskError
from rig.core.model.actions import Order, Pulse, RewardAction, Set, Train
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from rig.devices import (
    Light,
    LightConfig,
    Port,
    PortConfig,
    TtlInConfig,
    TtlOut,
    TtlOutConfig,
    Valve,
    ValveConfig,
)
from rig.devices.base import Device, DeviceConfig
from rig.devices.build import build_devices, volume
from rig.devices.calibration import Calibration
from rig.devices.kinds import installed_kinds
from tests.tables import rows

CALIBRATION = Calibration("measured", "left", "2026-11-03", ((10_000, 1.0), (40_000, 4.0)))


def port(**fields: Any) -> Port:
    config = PortConfig(kind="port", beam=6, **fields)
    return Port("left", config, CALIBRATION if config.calibration else None)


def full_port(**fields: Any) -> Port:
    return port(light=10, valve=3, calibration="measured", **fields)


# --- ports ----------------------------------------------------------------------------------------------------


def test_a_port_occupies_a_channel_for_each_of_its_parts_in_a_fixed_order() -> None:
    assert full_port().channels == (
        Input("left", Role.BEAM, 6, debounce_us=5_000, confirm_on_us=100, confirm_off_us=0),
        Output("left", Role.LIGHT, 10),
        Output("left", Role.VALVE, 3, max_on_us=1_000_000, interlocked=True),
    )
    assert [channel.name for channel in port().channels] == ["left.beam"]


def test_the_filter_of_a_beam_is_what_the_rig_file_says() -> None:
    (beam,) = port(beam_lockout_us=1, beam_min_on_us=2, beam_min_off_us=3, beam_inverted=True).channels
    assert beam == Input("left", Role.BEAM, 6, 1, 2, 3, inverted=True)


def test_a_port_is_poked_and_freed_by_the_edges_and_busy_and_free_by_the_level_of_its_beam() -> None:
    device = port()
    assert device.poked == device.busy.edge == ("left.beam", 1)
    assert device.freed == device.free.edge == ("left.beam", 0)
    assert [str(pattern) for pattern in (device.poked, device.freed, device.busy, device.free)] == [
        "left.beam+",
        "left.beam-",
        "left.beam=1",
        "left.beam=0",
    ]


def test_a_port_knows_its_parts() -> None:
    assert [full_port().has(part) for part in ("light", "valve", "spout")] == [True, True, False]
    assert [port().has(part) for part in ("light", "valve")] == [False, False]


def test_a_drop_opens_the_valve_as_long_as_was_measured() -> None:
    assert full_port().drop(2.5) == RewardAction(Pulse("left.valve", 25_000), "left", 2.5)
    assert str(full_port().drop(2.5)) == "pulse left.valve 25000 (2.5 ul)"


def test_the_same_drop_is_the_same_deed() -> None:
    device = full_port()
    assert device.drop(2.5) is device.drop(2.5)


@pytest.mark.parametrize("ul", [0.5, 4.5])
def test_a_drop_that_was_never_measured_is_refused(ul: float) -> None:
    with pytest.raises(CalibrationError, match="measured range, 1 to 4"):
        full_port().drop(ul)


def test_a_drop_that_takes_longer_than_the_valve_may_open_is_refused() -> None:
    with pytest.raises(
        CalibrationError, match=r"left\.valve: 2\.5 ul takes 25 ms, .* 20 ms at most: raise max_open_ms"
    ):
        full_port(max_open_ms=20).drop(2.5)
    assert full_port(max_open_ms=25).drop(2.5).action.us == 25_000


def test_a_part_that_the_rig_file_does_not_give_is_named_with_what_to_write() -> None:
    with pytest.raises(TaskError, match=r"left has no light: give it one in the rig file \(`light: PIN`\)"):
        _ = port().light
    with pytest.raises(TaskError, match=r"left has no valve: give it one in the rig file \(`valve: PIN`\)"):
        port().drop(2.5)


@rows("fields")
def test_a_port_that_can_not_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        port(**fields)


def test_a_valve_without_a_calibration_is_an_error_that_names_the_step() -> None:
    with pytest.raises(ValidationError, match="a valve needs a calibration: name the file"):
        port(valve=3)


# --- lights ---------------------------------------------------------------------------------------------------


D = TypeVar("D", bound=Device)


def linked(device: D) -> tuple[D, list[Order]]:
    """A device as a task uses it, and what it orders."""
    orders: list[Order] = []
    return device.linked(DeviceLink(orders.append, InputLog())), orders


def test_a_light_is_on_within_its_block_and_off_however_the_block_is_left() -> None:
    light, orders = linked(Light("house", 10))
    with light:
        assert orders == [Set("house.light", True)]
    assert orders == [Set("house.light", True), Set("house.light", False)]
    orders.clear()
    with pytest.raises(ValueError, match="dark"), light:
        raise ValueError("dark")
    assert orders == [Set("house.light", True), Set("house.light", False)]


def test_a_light_can_be_left_on() -> None:
    light, orders = linked(Light("house", 10))
    light.on()
    light.off()
    assert [str(order) for order in orders] == ["house.light on", "house.light off"]


def test_a_light_is_lit_for_a_time_that_the_board_ends() -> None:
    light, orders = linked(Light("house", 10))
    light.order(light.pulse(2.5))
    assert orders == [Pulse("house.light", 2_500_000)]


@pytest.mark.parametrize("seconds", [0, -1, 60.001, float("nan")])
def test_a_light_is_lit_for_more_than_nothing_and_a_minute_at_most(seconds: float) -> None:
    with pytest.raises(TaskError, match=r"house: a light of .* ms: wanted (more than 0|60000 ms at most)"):
        Light("house", 10).pulse(seconds)


def test_an_output_to_another_machine_is_on_for_a_time_that_the_board_ends() -> None:
    trigger, orders = linked(TtlOut("trigger", TtlOutConfig(kind="ttl_out", pin=11, max_on_ms=500)))
    trigger.order(trigger.pulse(0.5))
    assert orders == [Pulse("trigger", 500_000)]
    with pytest.raises(TaskError, match=r"trigger: a pulse of 501 ms: the rig file allows 500 ms at most"):
        trigger.pulse(0.501)


def test_the_light_of_a_port_bears_its_name_and_is_linked_with_it() -> None:
    device, orders = linked(full_port())
    with device.light:
        pass
    assert [str(order) for order in orders] == ["left.light on", "left.light off"]
    assert Light("house", 10).channels == (Output("house", Role.LIGHT, 10),)


def test_a_device_that_is_used_before_the_session_says_so() -> None:
    with pytest.raises(TaskError, match=r"left was used before the session began: 'left\.light on'"):
        full_port().light.on()


# --- valves ---------------------------------------------------------------------------------------------------


def test_a_valve_of_its_own_gives_drops_under_its_own_name() -> None:
    valve = Valve("spout", 12, CALIBRATION, max_open_ms=30)
    assert valve.channels == (Output("spout", Role.VALVE, 12, max_on_us=30_000, interlocked=True),)
    assert valve.drop(2) == RewardAction(Pulse("spout.valve", 20_000), "spout", 2)
    with pytest.raises(CalibrationError, match=r"spout\.valve: 3\.5 ul takes 35 ms"):
        valve.drop(3.5)


def test_a_device_names_itself() -> None:
    assert repr(Valve("spout", 12, CALIBRATION)) == "<Valve spout>"
    assert repr(full_port()) == "<Port left>"


# --- sections of the rig file ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "pins"),
    [
        (PortConfig(kind="port", beam=6), {"beam": 6}),
        (
            PortConfig(kind="port", beam=6, light=0, valve=3, calibration="x"),
            {"beam": 6, "light": 0, "valve": 3},
        ),
        (LightConfig(kind="light", pin=8), {"pin": 8}),
        (ValveConfig(kind="valve", pin=3, calibration="x"), {"pin": 3}),
        (TtlOutConfig(kind="ttl_out", pin=11), {"pin": 11}),
        (TtlInConfig(kind="ttl_in", pin=2), {"pin": 2}),
        (DeviceConfig(kind="something"), {}),
    ],
)
def test_every_section_tells_its_pins(config: DeviceConfig, pins: dict[str, int]) -> None:
    assert config.pins() == pins


def test_valves_lock_each_other_out_unless_the_rig_file_says_otherwise() -> None:
    for port, interlocked in ((full_port(), True), (full_port(interlocked=False), False)):
        outputs = [channel for channel in port.channels if isinstance(channel, Output)]
        assert [output.interlocked for output in outputs] == [False, interlocked]


# --- from the rig file to devices -----------------------------------------------------------------------------


def test_devices_are_made_in_the_order_of_the_rig_file() -> None:
    configs = {
        "right": PortConfig(kind="port", beam=7, valve=4, calibration="measured"),
        "house": LightConfig(kind="light", pin=9),
        "spout": ValveConfig(kind="valve", pin=12, calibration="measured", max_open_ms=50),
        "center": PortConfig(kind="port", beam=5),
    }
    devices = build_devices(configs, {"measured": CALIBRATION}, kinds=installed_kinds())
    assert [repr(device) for device in devices.values()] == [
        "<Port right>",
        "<Light house>",
        "<Valve spout>",
        "<Port center>",
    ]
    of_valves = [dict(device.valve_calibrations) for device in devices.values()]
    assert of_valves == [{"right.valve": CALIBRATION}, {}, {"spout.valve": CALIBRATION}, {}]
    assert devices["spout"].channels == (Output("spout", Role.VALVE, 12, max_on_us=50_000, interlocked=True),)


@pytest.mark.parametrize(
    ("open_us", "ul"), [(10_000, 1.0), (25_000, 2.5), (40_000, 4.0), (5_000, 0.5), (0, 0.0), (80_000, 8.0)]
)
def test_an_opening_that_was_never_measured_gives_in_proportion_to_the_nearest_one(open_us: int, ul: float) -> None:
    assert volume(CALIBRATION, open_us) == pytest.approx(ul)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((1500, 1500, 1500), "a pulse of 1500 ms: the rig file allows 1000 ms at most: .* raise max_on_ms"),
        ((3000, 1200, 1500), "a pulse of 1200 ms: the rig file allows 1000 ms"),
        ((100, 0, 50), "a pulse of 0 ms: wanted more than 0"),
        ((100, 10, 0), "a pulse every 0 ms: wanted more than 0"),
    ],
)
def test_flashes_that_the_board_would_not_give_are_refused_when_they_are_made(
    asked: tuple[float, float, float], said: str
) -> None:
    laser = TtlOut("laser", TtlOutConfig(kind="ttl_out", pin=11))
    with pytest.raises(TaskError, match=f"laser: {said}"):
        laser.flashes(*asked)
    assert laser.flashes(3000, 1000, 1500).count == 2


@rows("asked", "count")
def test_flashes_end_within_their_time_and_none_is_cut_short(asked: tuple[float, float, float], count: int) -> None:
    flashes = TtlOut("laser", TtlOutConfig(kind="ttl_out", pin=11)).flashes(*asked)
    for_us, pulse_us, period_us = (round(ms * 1000) for ms in asked)
    assert flashes == Train("laser", pulse_us, period_us, count)
    assert (count - 1) * period_us + pulse_us <= for_us < count * period_us + pulse_us


def test_a_pulse_as_long_as_the_flashes_is_one_pulse_of_their_time() -> None:
    laser = TtlOut("laser", TtlOutConfig(kind="ttl_out", pin=11))
    assert laser.flashes(10, 10, 50) == laser.flashes(10, 20, 50) == Pulse("laser", 10_000)
