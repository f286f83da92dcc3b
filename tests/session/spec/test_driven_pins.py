"""Outputs on the pins of the bootloader's light and of the serial line, and outputs that a pull-down switches on."""

from pathlib import Path

import pytest

from rig.boards.chips import CHIPS
from rig.boards.driver_lookup import find_driver
from rig.core.errors import ConfigError
from rig.session.spec.build import load_rig_spec
from rig.session.spec.driven_pins import check_driven_pins, flashing_outputs, outputs_on_at_reset
from rig.session.spec.read_rig import Rig, read_rig

DANGEROUS = (
    "hopper, pin: PIN",
    "speaker, pin: PIN",
    "ttl_out, pin: PIN",
    "feeder, pin: PIN, measured: {date: 2026-11-03, pulses: 100, pellets: 100}",
)


def rig(tmp_path: Path, device: str, pin: int, chip: str | None = "uno", driver: str = "serial") -> Rig:
    path = tmp_path / "box.yaml"
    named = "" if chip is None else f", chip: {chip}"
    path.write_text(
        f"boards: {{desk: {{driver: {driver}{named}}}}}\ndevices:\n  it: {{kind: {device}}}\n".replace("PIN", str(pin))
    )
    return read_rig(path)


def said(issues: object) -> list[str]:
    return [str(issue).partition("box.yaml:")[2] for issue in issues]  # type: ignore[attr-defined]


@pytest.mark.parametrize("chip", ["uno", "mega", None])
@pytest.mark.parametrize("device", DANGEROUS)
def test_an_output_that_could_do_harm_is_refused_on_the_pin_of_the_light(
    tmp_path: Path, device: str, chip: str | None
) -> None:
    (text,) = said(check_driven_pins(rig(tmp_path, device, 13, chip), None))
    board = CHIPS[chip or "uno"]
    assert text.startswith(
        f"3: devices.it.pin: pin 13 of an {board.board} may drive nothing that could do harm: its boot"
    )
    assert text.endswith(f"; use 2 to 12 or 14 to {board.pins[-1]}")


def test_the_refusal_says_for_how_long_the_bootloader_would_open_a_valve(tmp_path: Path) -> None:
    (uno,) = said(check_driven_pins(rig(tmp_path, DANGEROUS[0], 13), None))
    (mega,) = said(check_driven_pins(rig(tmp_path, DANGEROUS[0], 13, "mega"), None))
    assert "on for 3 x 62.5 ms at each opening of the port" in uno
    assert "on for 277 ms and for 226 ms at each opening of the port" in mega


@pytest.mark.parametrize("pin", [0, 1])
def test_without_a_chip_the_serial_line_is_refused_as_well(tmp_path: Path, pin: int) -> None:
    (text,) = said(check_driven_pins(rig(tmp_path, DANGEROUS[0], pin, None), None))
    assert "it is the serial line to the computer" in text


@pytest.mark.parametrize("pin", [0, 1])
def test_with_a_chip_a_pin_of_the_serial_line_is_reported_once(tmp_path: Path, pin: int) -> None:
    rig(tmp_path, DANGEROUS[0], pin)
    with pytest.raises(ConfigError) as caught:
        load_rig_spec(str(tmp_path / "box.yaml"))
    (text,) = said(caught.value.mistakes)
    assert text == (
        f"3: devices.it.pin: pin {pin} of an Arduino Uno is not for devices: it is the serial line to the computer, "
        "which every byte switches; use 2 to 19"
    )


def test_a_part_of_a_device_is_named_by_its_own_key(tmp_path: Path) -> None:
    (text,) = said(flashing_outputs(rig(tmp_path, "hopper, pin: 4, light: PIN, beam: 5", 13), None))
    assert text.startswith("3: devices.it.light: pin 13 of an Arduino Uno: its bootloader switches it on")


def test_a_sync_output_on_the_pin_of_the_light_is_a_warning(tmp_path: Path) -> None:
    sync = rig(tmp_path, "ttl_out, pin: PIN, sync: code", 13)
    assert said(check_driven_pins(sync, None)) == []
    (text,) = said(flashing_outputs(sync, None))
    assert "the other system records these pulses, too; use 2 to 12 or 14 to 19" in text


def test_a_light_on_the_pin_of_the_light_is_a_warning(tmp_path: Path) -> None:
    (text,) = said(flashing_outputs(rig(tmp_path, "light, pin: PIN", 13), None))
    assert "the output follows" in text


@pytest.mark.parametrize("device", [*DANGEROUS, "light, pin: PIN", "ttl_in, pin: PIN"])
def test_on_another_pin_nothing_is_said(tmp_path: Path, device: str) -> None:
    box = rig(tmp_path, device, 12)
    assert [*check_driven_pins(box, None), *flashing_outputs(box, None)] == []


def test_an_input_may_be_on_the_pin_of_the_light(tmp_path: Path) -> None:
    box = rig(tmp_path, "ttl_in, pin: PIN", 13, "mega")
    assert [*check_driven_pins(box, None), *flashing_outputs(box, None)] == []


LASER = "ttl_out, pin: PIN, max_on_ms: 20, inverted: true"


def test_a_dangerous_output_that_the_pull_down_of_a_pico_switches_on_is_a_warning(tmp_path: Path) -> None:
    assert said(outputs_on_at_reset(rig(tmp_path, LASER, 8, "pico"), None)) == [
        "3: devices.it.pin: pin 8 of a Raspberry Pi Pico is pulled low from a reset until a session begins, and low "
        "switches this output on: it needs a pull-up of at most 10 kOhm to 3V3, never to 5 V"
    ]


@pytest.mark.parametrize("device", [*DANGEROUS, "ttl_out, pin: PIN, inverted: true, sync: code", "light, pin: PIN"])
def test_an_output_that_low_switches_off_or_that_does_no_harm_is_not_warned_of(tmp_path: Path, device: str) -> None:
    assert said(outputs_on_at_reset(rig(tmp_path, device, 8, "pico"), None)) == []


@pytest.mark.parametrize("chip", ["uno", "mega", None])
def test_the_pins_of_an_arduino_are_not_pulled_low(tmp_path: Path, chip: str | None) -> None:
    assert said(outputs_on_at_reset(rig(tmp_path, LASER, 8, chip), None)) == []


def test_a_driver_whose_boards_are_picos_has_the_pins_of_a_pico(tmp_path: Path) -> None:
    pico = find_driver("pico")
    box = rig(tmp_path, LASER, 13, None, "pico")
    assert said(check_driven_pins(box, pico)) == []
    (text,) = said(outputs_on_at_reset(box, pico))
    assert "pin 13 of a Raspberry Pi Pico is pulled low" in text
