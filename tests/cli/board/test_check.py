"""`rig board check`."""

import asyncio
import datetime
import json
import os
import sys
from pathlib import Path

import pytest

from rig.boards.boot_drive import BootDrive
from rig.boards.ports import SerialPort
from rig.cli.board import check
from rig.cli.board.terminal_operator import TerminalOperator
from rig.core.errors import NotReadyError
from rig.core.model.actions import Amount
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics import findings
from rig.diagnostics.host_system import HostSystem
from rig.diagnostics.io_test import ChannelResult
from rig.records.subject.deliveries import delivered_between
from tests.cli.conftest import Rig

UNO = SerialPort("/dev/null", "Arduino Uno", 0x2341, 0x43)


@pytest.fixture
def no_ports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(findings, "ports_here", list)
    monkeypatch.setattr(findings, "boot_drives", list)
    monkeypatch.setattr(check, "HostSystem", lambda: HostSystem(tmp_path, "linux"))


def test_a_simulated_rig_is_tried_by_itself(rig: Rig) -> None:
    said = rig("board", "check", "--rig", "sim_nose_ports")
    assert said.status == 0
    assert "ok        left.beam: was broken and cleared" in said.out
    assert "ok        right.valve: was to open 5 times for 20 ms, and did" in said.out
    assert said.err == ""


def test_a_script_reads_what_was_tried(rig: Rig) -> None:
    said = json.loads(rig("board", "check", "--rig", "nose_ports_uno", "--board", "sim", "--json").out)
    assert said["findings"] == []
    assert {each["result"] for each in said["channels"]} == {"ok"}
    assert len(said["channels"]) == 8


def test_without_a_board_it_says_so(rig: Rig, no_ports: None) -> None:
    said = rig("board", "check")
    assert said.status == 3
    assert "no USB serial port was found" in said.out


def test_a_pico_that_waits_for_its_firmware_is_an_error_if_there_is_no_other_board(
    rig: Rig, no_ports: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drives = [BootDrive(Path("/media/an na/RPI-RP2"), "RPI-RP2"), BootDrive(Path("/media/x"), "RP2350")]
    monkeypatch.setattr(findings, "boot_drives", lambda: drives)
    said = rig("board", "check")
    assert said.status == 3
    assert "error     /media/an na/RPI-RP2: a Pico waits for its firmware" in said.out
    assert "rig board flash --drive '/media/an na/RPI-RP2'" in said.out
    assert "no USB serial port" not in said.out
    assert "RP2350" not in said.out
    monkeypatch.setattr(findings, "ports_here", lambda: [UNO])
    assert "warning   /media/an na/RPI-RP2" in rig("board", "check", "--port", UNO.device).out


def test_a_fix_stands_on_one_line_however_long(rig: Rig, no_ports: None) -> None:
    (line,) = (line for line in rig("board", "check").out.splitlines() if "sudo cp" in line)
    assert line.endswith("sudo udevadm trigger")


def test_a_rig_is_not_tried_while_something_is_wrong(rig: Rig, no_ports: None) -> None:
    said = rig("board", "check", "--rig", "nose_ports_uno", "--json")
    assert said.status == 3
    assert json.loads(said.out)["channels"] == []


def test_a_board_that_nobody_asked_about_is_not_asked(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    scale = SerialPort("/dev/ttyUSB7", "a scale", 0x1234, 1)
    monkeypatch.setattr(findings, "ports_here", lambda: [scale])
    monkeypatch.setattr(findings.identify, "opened", lambda port, baud: pytest.fail("the scale was opened"))
    assert "no USB serial port was found" in rig("board", "check").out


def test_a_port_that_is_no_serial_port_is_explained(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "ports_here", lambda: [UNO])
    said = rig("board", "check", "--port", "/dev/null")
    assert said.status == 3
    assert "cannot be opened as a serial port" in said.out


def test_a_board_of_another_language_is_not_asked_in_ours(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "ports_here", lambda: [UNO])
    monkeypatch.setattr(findings.identify, "opened", lambda port, baud: pytest.fail("it was asked"))
    said = rig("board", "check", "--rig", "nose_ports_uno", "--board", "firmata", "--port", "/dev/null")
    assert (said.status, "no terminal at which a person could watch" in said.err) == (2, True)


def test_a_rig_that_is_wrong_in_itself_is_not_opened(rig: Rig) -> None:
    said = rig("board", "check", "--rig", "nose_ports_uno", "--board", "nonsense")
    assert said.status == 2
    assert "driver 'nonsense' is not installed" in said.err


@pytest.mark.parametrize(
    ("typed", "seen", "agreed"),
    [("", "yes", False), ("y", "yes", True), ("N", "no", False), ("r", "again", False), ("Yes", "yes", True)],
)
def test_enter_means_that_it_was_seen_and_that_no_water_may_flow(typed: str, seen: str, agreed: bool) -> None:
    async def ask(question: str) -> str | None:
        return typed

    technician = TerminalOperator(ask)
    assert asyncio.run(technician.observed("did it?")) == seen
    assert asyncio.run(technician.confirm("may it?")) is agreed


def test_a_terminal_that_ends_ends_the_trial() -> None:
    async def ask(question: str) -> str | None:
        return None

    with pytest.raises(NotReadyError, match="everything is off"):
        asyncio.run(TerminalOperator(ask).observed("did it?"))


@pytest.mark.skipif(sys.platform != "linux", reason="who has a port is told by Linux alone")
@pytest.mark.parametrize("is_seen", [True, False])
def test_a_port_that_a_program_has_is_reported_with_its_program_and_nothing_is_flashed(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, is_seen: bool
) -> None:
    import fcntl

    far, near = os.openpty()
    port = os.ttyname(near)
    lock = os.open(port, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    monkeypatch.setattr(findings, "ports_here", list)
    if not is_seen:  # it was opened between the look and the question
        monkeypatch.setattr(findings, "holder", lambda device: None)
    try:
        said = rig("board", "check", "--port", port)
    finally:
        for file in (lock, near, far):
            os.close(file)
    assert f"process {os.getpid()} (" in said.out
    assert "flash" not in said.out
    assert ("is in use by" if is_seen else "is busy: ") in said.out


# --- with an animal in the rig --------------------------------------------------------------------------------


def test_what_is_opened_with_an_animal_in_the_rig_counts_for_its_day(
    rig: Rig, data: Path, far: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "M1").mkdir(parents=True)

    def exercised(plan: RigSpec, operator: TerminalOperator) -> list[ChannelResult]:
        operator.note_delivery(Amount(ul=5.0))
        operator.note_delivery(Amount(pellets=1))
        return []

    monkeypatch.setattr(check, "host_findings", lambda *words: [])
    monkeypatch.setattr(check, "is_interactive", lambda: True)
    monkeypatch.setattr(check, "run_io_test", exercised)
    said = rig("board", "check", "--rig", far, "--subject", "M1")
    assert said.status == 0, said.err
    now = datetime.datetime.now()
    total = delivered_between(data / "M1", now - datetime.timedelta(hours=1), now + datetime.timedelta(hours=1))
    assert total.amount == Amount(5.0, 1)
    unnamed = rig("board", "check", "--rig", far)
    assert "No animal may be in the rig" in unnamed.err
    assert "has no subject 'M7'" in rig("board", "check", "--rig", far, "--subject", "M7").err


@pytest.mark.parametrize("words", [(), ("--rig", "sim_nose_ports")])
def test_an_animal_is_named_for_a_real_rig_alone(rig: Rig, no_ports: None, words: tuple[str, ...]) -> None:
    said = rig("board", "check", *words, "--subject", "M1")
    assert (said.status, "on a real rig alone" in said.err) == (2, True)
