"""Keys that are indented too far are told where they belong."""

from typing import Literal

from rig.config.inheritance import load_config
from rig.config.models.rig_file import rig_file_model
from rig.config.validate import validate
from rig.devices.base import Device, DeviceConfig
from tests.tables import rows


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


@rows("line", "said")
def test_a_key_that_is_indented_too_far_is_told_where_it_belongs(write, mistakes, line, said):
    path = write(HEAD + line + "\n", "rig.yaml")
    assert mistakes(validate, RIG, load_config(path)) == [f"rig.yaml:6: devices.{said}"]


@rows("text", "said")
def test_of_two_values_on_one_pin_that_of_the_file_itself_is_named(write, mistakes, text, said):
    devices = "devices:\n  lamp: {kind: lamp, light: 3}\n  other: {kind: lamp, light: 2}\n"
    write("boards:\n  uno: {driver: serial}\n" + devices, "base.yaml")
    path = write("extends: base.yaml\n" + text, "mine.yaml")
    assert mistakes(validate, RIG, load_config(path)) == [said]
