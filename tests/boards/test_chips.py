"""The registry of chips: every chip has what each user of the registry needs."""

import re
from typing import get_args

import pytest

from rig.boards.chips import CHIPS, USUAL_CHIP, ChipName, chip_by_usb
from rig.boards.firmware import PACKAGE, FirmwareImage, avrdude
from rig.config.models.rig_file import BoardEntry
from rig.diagnostics.timing.wiring import wired

FIRMWARE = PACKAGE.parent / "firmware"
EACH = pytest.mark.parametrize("name", CHIPS)


def test_a_rig_file_can_name_every_chip_and_no_other() -> None:
    assert get_args(ChipName) == tuple(CHIPS)
    assert [BoardEntry(driver="sim", chip=name).chip for name in get_args(ChipName)] == list(CHIPS)
    assert USUAL_CHIP in CHIPS


@EACH
def test_the_firmware_is_built_for_every_chip(name: str) -> None:
    makefile = (FIRMWARE / "Makefile").read_text()
    assert re.search(rf"^MCU_{name} := {CHIPS[name].mcu}$", makefile, re.MULTILINE)
    assert (FIRMWARE / "targets" / "avr" / f"limits_{name}.h").is_file()
    assert (PACKAGE / "_firmware" / f"{name}.hex").is_file()


@EACH
def test_the_firmware_can_be_written_to_every_chip(name: str) -> None:
    chip = CHIPS[name]
    command = avrdude(FirmwareImage(name, PACKAGE / "x.hex", ""), "/dev/ttyACM0")
    assert {chip.mcu, chip.programmer, str(chip.upload_baud)} < set(command)


@EACH
def test_an_original_board_is_known_by_its_usb_ids(name: str) -> None:
    assert CHIPS[name].usb_ids
    assert {chip_by_usb(usb_id) for usb_id in CHIPS[name].usb_ids} == {name}
    assert all(re.fullmatch("[0-9a-f]{4}:[0-9a-f]{4}", usb_id) for usb_id in CHIPS[name].usb_ids)


@pytest.mark.parametrize("usb_id", [None, "0403:6001"])
def test_another_usb_chip_does_not_identify_a_board(usb_id: str | None) -> None:
    assert chip_by_usb(usb_id) is None


@EACH
def test_all_inputs_are_pins_and_each_pin_is_another_bit_of_a_port(name: str) -> None:
    chip = CHIPS[name]
    assert all(pin in chip.pins for pins in chip.inputs for pin in pins)
    assert len(set(chip.ports)) == len(chip.ports)
    assert all("A" <= port <= "L" and bit in range(8) for port, bit in chip.ports)


@EACH
def test_the_bench_replaces_pins_of_its_wiring_only_and_has_a_bound_for_tones(name: str) -> None:
    chip = CHIPS[name]
    assert set(chip.bench_pins) <= {channel.pin for channel in wired(USUAL_CHIP).channels}
    assert 0 < chip.tone_error_percent < 1


@EACH
def test_the_sizes_of_memory_are_those_of_an_avr(name: str) -> None:
    chip = CHIPS[name]
    assert 0 < chip.ram_start < chip.ram_bytes < chip.flash_bytes
    # A program counter counts words of two bytes.
    assert chip.address_bytes == (2 if chip.flash_bytes <= 0x20000 else 3)
