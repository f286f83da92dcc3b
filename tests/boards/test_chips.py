"""The registry of chips: every chip has what each user of the registry needs."""

import re
from typing import get_args

import pytest

from rig.boards.chips import AVRS, CHIPS, USUAL_CHIP, ChipName, chip_by_usb
from rig.boards.firmware import PACKAGE, FirmwareImage, avrdude, image_name
from rig.boards.ports import VENDORS
from rig.boards.serial.hello import HORIZON_TICKS
from rig.boards.wire.orders import TICK_NS
from rig.config.models.rig_file import BoardEntry
from rig.diagnostics.timing.wiring import wired
from rig.system.plugins import BOARDS, installed_plugins
from sim_hardware.board.chip import Capacity

FIRMWARE = PACKAGE.parent / "firmware"
EACH = pytest.mark.parametrize("name", CHIPS)
EACH_AVR = pytest.mark.parametrize("name", AVRS)


def test_a_rig_file_can_name_every_chip_and_no_other() -> None:
    assert get_args(ChipName) == tuple(CHIPS)
    assert [BoardEntry(driver="sim", chip=name).chip for name in get_args(ChipName)] == list(CHIPS)
    assert USUAL_CHIP in CHIPS


@EACH_AVR
def test_the_firmware_is_built_for_every_avr(name: str) -> None:
    makefile = (FIRMWARE / "Makefile").read_text()
    assert re.search(rf"^MCU_{name} := {AVRS[name].mcu}$", makefile, re.MULTILINE)


@EACH
def test_the_firmware_is_shipped_for_every_chip(name: str) -> None:
    assert (PACKAGE / "_firmware" / image_name(name)).is_file()


@EACH_AVR
def test_the_firmware_can_be_written_to_every_avr(name: str) -> None:
    chip = AVRS[name]
    command = avrdude(FirmwareImage(name, PACKAGE / "x.hex", ""), "/dev/ttyACM0")
    assert {chip.mcu, chip.programmer, str(chip.upload_baud)} < set(command)


@EACH
def test_an_original_board_is_known_by_its_usb_ids_and_by_those_of_the_udev_rule(name: str) -> None:
    usb_ids = CHIPS[name].usb_ids
    assert usb_ids
    assert {chip_by_usb(usb_id) for usb_id in usb_ids} == {name}
    assert all(re.fullmatch("[0-9a-f]{4}:[0-9a-f]{4}", usb_id) for usb_id in usb_ids)
    assert {int(usb_id[:4], 16) for usb_id in usb_ids} <= set(VENDORS)


@EACH
def test_a_driver_runs_the_firmware_on_a_simulated_chip(name: str) -> None:
    assert CHIPS[name].simulator in installed_plugins(BOARDS)


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


@EACH_AVR
def test_the_sizes_of_memory_are_those_of_an_avr(name: str) -> None:
    chip = AVRS[name]
    assert 0 < chip.ram_start < chip.ram_bytes < chip.flash_bytes
    # A program counter counts words of two bytes.
    assert chip.address_bytes == (2 if chip.flash_bytes <= 0x20000 else 3)


TABLES = {
    "CHANNELS": "channels",
    "GROUPS": "groups",
    "REFLEXES": "reflexes",
    "SEQUENCES": "sequences",
    "ENTRIES": "entries",
    "EVENTS": "events",
    "VOICES": "voices",
    "OPENINGS": "openings",
}


@EACH
def test_the_tables_of_every_chip_are_those_of_its_firmware(name: str) -> None:
    (header,) = (path.read_text() for path in FIRMWARE.glob(f"targets/*/limits_{name}.h"))
    sizes = {table: int(size) for table, size in re.findall(r"([A-Z]+) = (\d+)", header)}
    assert {table: getattr(CHIPS[name], field) for table, field in TABLES.items()} == {
        table: sizes[table] for table in TABLES
    }


@EACH
def test_a_simulated_board_has_the_room_of_its_chip(name: str) -> None:
    room = Capacity.of(CHIPS[name])
    assert {field: getattr(room, field) for field in TABLES.values()} == {
        field: getattr(CHIPS[name], field) for field in TABLES.values()
    }


def test_no_board_can_schedule_farther_than_the_firmware() -> None:
    ticks = (FIRMWARE / "core" / "ticks.h").read_text()
    assert f"TICK_NS = {TICK_NS};" in ticks
    assert "HORIZON = 1UL << 30;" in ticks
    assert HORIZON_TICKS == 1 << 30
