"""Keys that are indented too far are told where they belong."""

from typing import Literal

import pytest

from rig.config.inheritance import load_config
from rig.config.models.rig_file import rig_file_model
from rig.config.validate import validate
from rig.devices.base import Device, DeviceConfig


class PortConfig(DeviceConfig):
    kind: Literal["port"]
    beam: int = 1


class LampConfig(DeviceConfig):
    kind: Literal["lamp"]
    light: int = 2

    def pins(self):
        return {"light": self.light}


class Port(Device):
    Config = PortConfig


class Lamp(Device):
    Config = LampConfig


RIG = rig_file_model({"port": Port, "lamp": Lamp})
HEAD = "boards:\n  uno: {driver: serial}\ndevices:\n  left:\n    kind: port\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "    right: {kind: port, beam: 3}",
            "left.right: is an entry like left, and stands inside it: indent it as left",
        ),
        ("    screen: {}", "left.screen: belongs to the top of the file: indent it less"),
        ("    baem: 3", "left.baem: unknown key; did you mean 'beam'? accepted: kind, board, beam"),
        ("    right: {what: 3}", "left.right: unknown key; accepted: kind, board, beam"),
        ("    right: {}", "left.right: unknown key; accepted: kind, board, beam"),
    ],
)
def test_a_key_that_is_indented_too_far_is_told_where_it_belongs(write, mistakes, line, said):
    path = write(HEAD + line + "\n", "rig.yaml")
    assert mistakes(validate, RIG, load_config(path)) == [f"rig.yaml:6: devices.{said}"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "devices:\n  lamp: {light: 2}\n",
            "mine.yaml:3: devices.lamp.light: pin 2 of board 'uno' is already used by devices.other.light",
        ),
        (
            "boards:\n  uno: {panic: 3}\n",
            "mine.yaml:3: boards.uno.panic: pin 3 of board 'uno' is already used by devices.lamp.light",
        ),
    ],
)
def test_of_two_values_on_one_pin_that_of_the_file_itself_is_named(write, mistakes, text, said):
    devices = "devices:\n  lamp: {kind: lamp, light: 3}\n  other: {kind: lamp, light: 2}\n"
    write("boards:\n  uno: {driver: serial}\n" + devices, "base.yaml")
    path = write("extends: base.yaml\n" + text, "mine.yaml")
    assert mistakes(validate, RIG, load_config(path)) == [said]
