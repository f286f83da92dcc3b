"""Wiring mistakes that show without touching anything."""

from dataclasses import replace

from rig.core.model.board import Input, Output, PanicInput, Wiring
from rig.core.model.channels import Role
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics.acceptance.wiring import pin_rows
from rig.session.spec.build import load_rig_spec


def plan(*channels: Input | Output, panic: PanicInput | None = None) -> RigSpec:
    return replace(load_rig_spec("nose_ports_uno"), wiring=Wiring(channels, panic=panic))


def test_pins_that_are_each_used_once_are_one_row() -> None:
    (row,) = pin_rows(load_rig_spec("nose_ports_uno"), "uno")
    assert (row.verdict, row.found) == ("pass", "8 pins, each used once")


def test_two_devices_on_one_pin_and_pins_that_cannot_be_are_found() -> None:
    wired = plan(
        Input("left", Role.BEAM, 5),
        Output("left", Role.LIGHT, 12),
        Output("right", Role.LIGHT, 99),
        panic=PanicInput("uno", 12),
    )
    rows = [(row.what, row.verdict, row.found) for row in pin_rows(wired, "mega")]
    assert [what for what, verdict, _ in rows if verdict == "fail"] == [
        "pin 5 of left.beam",
        "pin 99 of right.light",
        "pin 12",
    ]
    assert "left.light and the panic button are on one pin" in rows[-1][2]


def test_the_pins_of_a_pico_that_no_device_may_use_are_found() -> None:
    wired = plan(Input("left", Role.BEAM, 5), Output("left", Role.LIGHT, 25))
    (row,) = pin_rows(wired, "pico")
    assert (row.what, row.found) == ("pin 25 of left.light", "use 2 to 22 or 26 to 28 of a Raspberry Pi Pico")
