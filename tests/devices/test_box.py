"""The box of a task: filled with the rig's devices, or refused with everything that is missing."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from rig.core.errors import ConfigError
from rig.core.task.task import TaskParams
from rig.devices import Light, Needs, Port, PortConfig
from rig.devices.base import Device
from rig.devices.box import build_box, groups_without_device, wanted_by
from rig.devices.calibration import Calibration

CALIBRATION = Calibration("measured", "left", "2026-11-03", ((10_000, 1.0), (40_000, 4.0)))


@dataclass
class Box:
    """Something of everything."""

    left: Annotated[Port, Needs("light", "valve")]
    center: Port
    house: Light | None
    spare: Annotated[Port | None, Needs("valve")]


def port(name: str, **fields: int) -> Port:
    config = PortConfig(kind="port", beam=1, calibration="measured" if "valve" in fields else None, **fields)
    return Port(name, config, CALIBRATION)


def devices(**changed: Device | None) -> dict[str, Device]:
    all_of_them = {"left": port("left", light=2, valve=3), "center": port("center"), "other": Light("other", 9)}
    return {name: device for name, device in {**all_of_them, **changed}.items() if device is not None}


def test_a_box_says_what_it_needs() -> None:
    assert wanted_by(Box) == {
        "left": (Port, ("light", "valve"), False),
        "center": (Port, (), False),
        "house": (Light, (), True),
        "spare": (Port, ("valve",), True),
    }


def test_a_box_is_filled_by_name_and_what_may_be_missing_is_none() -> None:
    found = devices()
    box = build_box(Box, found, "rig a")
    assert (box.left, box.center, box.house, box.spare) == (found["left"], found["center"], None, None)
    lamp = Light("house", 8)
    assert build_box(Box, devices(house=lamp), "rig a").house is lamp


def mistakes(**changed: Device | None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        build_box(Box, devices(**changed), "rig a")
    return list(caught.value.mistakes)


def test_a_missing_device_is_named_with_those_that_are_there() -> None:
    assert mistakes(center=None) == [
        "rig a: devices: 'center' is missing; the protocol needs a port of that name, the rig has: left, other"
    ]


def test_a_device_of_almost_the_same_name_is_probably_the_missing_one() -> None:
    assert mistakes(center=None, centeer=port("centeer")) == [
        "rig a: devices.centeer: 'center' is missing; the protocol needs a port of that name, the rig has: centeer, "
        "left, other; rename centeer to center?"
    ]


@pytest.mark.parametrize("named", [{"centeer": Light("centeer", 8)}, {"spare": port("spare")}])
def test_a_device_of_another_kind_or_with_a_purpose_is_not_renamed(named: dict[str, Device]) -> None:
    (said,) = (text for text in mistakes(center=None, **named) if "'center' is missing" in text)
    assert "rename" not in said


def test_a_rig_without_any_device_has_none() -> None:
    with pytest.raises(ConfigError, match="the rig has: none"):
        build_box(Box, {}, "rig a")


def test_a_device_of_another_kind_is_named() -> None:
    assert mistakes(center=Light("center", 8)) == ["rig a: devices.center: is a light, the protocol needs a port"]
    assert mistakes(house=port("house")) == ["rig a: devices.house: is a port, the protocol needs a light"]


def test_a_missing_part_is_named_with_what_to_write() -> None:
    assert mistakes(left=port("left")) == [
        "rig a: devices.left: has no light, and the protocol needs it: give it a pin (`light: N`)",
        "rig a: devices.left: has no valve, and the protocol needs it: give it a pin (`valve: N`)",
    ]


def test_a_device_that_may_be_missing_must_be_right_when_it_is_there() -> None:
    assert len(mistakes(spare=port("spare"))) == 1


def test_every_mistake_is_listed_at_once() -> None:
    assert len(mistakes(left=port("left"), center=None, house=port("house"))) == 4


def test_a_box_may_need_nothing() -> None:
    assert isinstance(build_box(object, devices(), "rig a"), object)


class Wheel(Port):
    """A laboratory's own kind of port."""


@dataclass
class WheelBox:
    """It needs one."""

    wheel: Wheel


def test_a_kind_of_device_that_only_a_laboratory_has_is_known_by_its_class() -> None:
    wheel = Wheel("wheel", PortConfig(kind="port", beam=1))
    assert build_box(Box, devices(center=wheel), "rig a").center is wheel
    assert build_box(WheelBox, {"wheel": wheel}, "rig a").wheel is wheel
    with pytest.raises(ConfigError, match="is a light, the protocol needs a wheel"):
        build_box(WheelBox, {"wheel": Light("wheel", 1)}, "rig a")


class House(TaskParams):
    """Parameters of an optional device."""

    lux: float = 10


class Params(TaskParams):
    """Parameters of a task with an optional device."""

    house: House | None = None
    center: float = 1


def test_a_group_of_parameters_is_for_a_device_that_the_rig_has() -> None:
    given, house = Params(house=House()), Light("house", 5)
    assert list(groups_without_device(given, Box, devices(house=house))) == []
    assert list(groups_without_device(Params(), Box, devices())) == []
    assert list(groups_without_device(given, Box, devices())) == [
        (
            "house",
            "is for a device that the rig does not have: give the rig file a device `house: {kind: light, ...}`, "
            "or take house out",
        )
    ]
