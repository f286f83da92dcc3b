"""`rig board list`."""

import json
from pathlib import Path
from typing import Any

import pytest

from rig.boards.boot_drive import BootDrive
from rig.boards.ports import SerialPort
from rig.boards.wire.messages import VERSION
from rig.cli.board import list as board_list
from tests.cli.conftest import HELD, SCALE, UNO, Rig


def ports_of(said: Any) -> dict[str, dict[str, Any]]:
    return {port["port"]: port for port in json.loads(said.out)["ports"]}


def test_ports_are_listed_without_touching_them(rig: Rig, opened: list[str]) -> None:
    said = rig("board", "list")
    assert (said.status, opened) == (0, [])
    assert "/dev/ttyACM0  Arduino Uno" in said.out
    assert "USB 2341:0043 (Arduino Uno), serial number 5573" in said.out
    assert "in use by process 41 (rig run free_water)" in said.out
    assert "--probe" in said.out


def test_a_probe_asks_each_board_who_it_is(rig: Rig, opened: list[str]) -> None:
    said = rig("board", "list", "--probe")
    assert f"board 5131 (sim), firmware 1.0, wire version {VERSION}; room for" in said.out
    assert "/dev/ttyUSB0: permission denied" in said.out


def test_a_port_that_a_session_holds_is_skipped_and_named(rig: Rig, opened: list[str]) -> None:
    said = rig("board", "list", "--probe", "--json")
    assert HELD.device not in opened
    assert ports_of(said)[HELD.device]["held_by"] == "process 41 (rig run free_water)"
    assert "not asked" in ports_of(said)[HELD.device]["trouble"]


def test_a_script_reads_who_answered_and_who_did_not(rig: Rig, opened: list[str]) -> None:
    ports = ports_of(rig("board", "list", "--probe", "--json"))
    assert ports[UNO.device]["board"]["id"] == "5131"
    assert ports[UNO.device]["board"]["limits"]["channels"] > 0
    assert ports[SCALE.device]["board"] is None


def test_a_pico_is_known_by_its_usb_id_and_a_waiting_one_by_its_drive(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    pico = SerialPort("/dev/ttyACM3", "rig board", 0x2E8A, 0x000A, "7F3A", product="rig board")
    another = SerialPort("/dev/ttyACM4", "Pico (a laser driver)", 0x2E8A, 0x000A, "11C2", product="Pico")
    drives = [
        BootDrive(Path("/media/anna/RPI-RP2"), "RPI-RP2"),
        BootDrive(Path("/media/anna/RP2350"), "RP2350"),
        BootDrive(Path("/dev/disk/by-label/RPI-RP2"), "RPI-RP2", is_mounted=False),
    ]
    monkeypatch.setattr(board_list, "ports_here", lambda: [pico, another])
    monkeypatch.setattr(board_list, "boot_drives", lambda: drives)
    said = rig("board", "list")
    assert "USB 2e8a:000a (Raspberry Pi Pico), serial number 7F3A" in said.out
    assert "/dev/ttyACM4  Pico (a laser driver)\n    USB 2e8a:000a, serial number 11C2\n" in said.out
    assert "/media/anna/RPI-RP2  a Pico that waits for its firmware: rig board flash\n" in said.out
    assert "/media/anna/RP2350  a board with Board-ID RP2350, for which there is no firmware" in said.out
    assert "udisksctl mount -b /dev/disk/by-label/RPI-RP2, then rig board flash" in said.out
    found = json.loads(rig("board", "list", "--json").out)
    assert [port["chip"] for port in found["ports"]] == ["pico", None]
    assert found["drives"][0] == {"drive": "/media/anna/RPI-RP2", "board_id": "RPI-RP2", "mounted": True}


def test_no_port_at_all_is_said(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_list, "ports_here", list)
    monkeypatch.setattr(board_list, "boot_drives", list)
    assert "no serial port was found: plug the board in" in rig("board", "list").out
