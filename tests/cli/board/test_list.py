"""`rig board list`."""

import json
from typing import Any

import pytest

from rig.boards import identify
from rig.boards.ports import SerialPort
from rig.boards.transport import Transport
from rig.cli.board import list as board_list
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError
from sim_hardware.board.board import SimBoard
from sim_hardware.link_model import Cable, CableTransport
from tests.cli.conftest import Rig

UNO = SerialPort("/dev/ttyACM0", "Arduino Uno", 0x2341, 0x43, "5573")
HELD = SerialPort("/dev/ttyACM1", "Arduino Mega", 0x2341, 0x42, None, "process 41 (rig run free_water)")
SCALE = SerialPort("/dev/ttyUSB0", "a scale")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Boards behind the ports; which of them were opened."""
    ports: list[str] = []

    def open_(port: str, baud: int) -> Transport:
        ports.append(port)
        if port != UNO.device:
            raise BoardNotFoundError(f"{port}: permission denied")
        cable = Cable(running())
        board = SimBoard(running(), cable.to_host.send, lambda pin, level: None)
        cable.to_board.deliver = board.receive
        return CableTransport(cable)

    monkeypatch.setattr(identify, "opened", open_)
    monkeypatch.setattr(board_list, "ports_here", lambda: [UNO, HELD, SCALE])
    return ports


def ports_of(said: Any) -> dict[str, dict[str, Any]]:
    return {port["port"]: port for port in json.loads(said.out)["ports"]}


def test_ports_are_listed_without_touching_them(rig: Rig, opened: list[str]) -> None:
    said = rig("board", "list")
    assert (said.status, opened) == (0, [])
    assert "/dev/ttyACM0  Arduino Uno" in said.out
    assert "USB 2341:0043, serial number 5573" in said.out
    assert "in use by process 41 (rig run free_water)" in said.out
    assert "--probe" in said.out


def test_a_probe_asks_each_board_who_it_is(rig: Rig, opened: list[str]) -> None:
    said = rig("board", "list", "--probe")
    assert "board 5131 (sim), firmware 1.0, wire version 1; room for" in said.out
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


def test_no_port_at_all_is_said(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_list, "ports_here", list)
    assert "no serial port was found: plug the board in" in rig("board", "list").out
