"""`rig board flash`."""

import hashlib
import os
import stat
from pathlib import Path

import pytest

from rig.boards.ports import SerialPort
from rig.cli.board import flash_target
from tests.cli.conftest import Rig

UNO = SerialPort("/dev/ttyACM0", "Arduino Uno", 0x2341, 0x43)
MEGA = SerialPort("/dev/ttyACM1", "Arduino Mega", 0x2341, 0x42)
COPY = SerialPort("/dev/ttyUSB0", "CH340", 0x1A86, 0x7523)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="avrdude is played by a shell script")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "mine.hex"
    path.write_text(":00000001FF\n")
    return path


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name, which writes down what it was asked for and ends as ``$AVRDUDE_STATUS`` says."""
    tools = tmp_path / "tools"
    tools.mkdir()
    program = tools / "avrdude"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\nexit ${{AVRDUDE_STATUS:-0}}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}/bin{os.pathsep}/usr/bin")
    return tmp_path / "asked"


def plug(monkeypatch: pytest.MonkeyPatch, *ports: SerialPort) -> None:
    monkeypatch.setattr(flash_target, "ports_here", lambda: list(ports))
    monkeypatch.setattr(flash_target, "boot_drives", list)


def test_a_dry_run_says_what_it_would_do_and_does_nothing(
    rig: Rig, image: Path, avrdude: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(monkeypatch, MEGA)
    said = rig("board", "flash", "--hex", image, "--dry-run")
    assert said.status == 0
    assert f"avrdude -p atmega2560 -c wiring -P /dev/ttyACM1 -b 115200 -D -U flash:w:{image}:i" in said.out
    assert hashlib.sha256(image.read_bytes()).hexdigest() in said.out
    assert not avrdude.exists()


def test_the_only_board_is_written(rig: Rig, image: Path, avrdude: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, UNO, SerialPort("/dev/ttyS0", "serial port"))
    assert rig("board", "flash", "--hex", image).status == 0
    assert avrdude.read_text().startswith("-p atmega328p -c arduino -P /dev/ttyACM0 ")


def test_a_board_that_does_not_take_it_is_not_right(
    rig: Rig, image: Path, avrdude: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(monkeypatch, UNO)
    monkeypatch.setenv("AVRDUDE_STATUS", "1")
    said = rig("board", "flash", "--hex", image)
    assert (said.status, "avrdude has failed (status 1)" in said.err) == (3, True)


def test_a_port_that_a_session_holds_is_left_alone(
    rig: Rig, image: Path, avrdude: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(monkeypatch, SerialPort("/dev/ttyACM0", "Arduino Uno", 0x2341, 0x43, None, "process 41 (rig run)"))
    for words in ((), ("--port", "/dev/ttyACM0"), ("--dry-run",)):
        said = rig("board", "flash", "--hex", image, *words)
        assert (said.status, "/dev/ttyACM0 is in use by process 41 (rig run)" in said.err) == (3, True)
    assert not avrdude.exists()


def test_a_port_that_the_system_does_not_list_may_be_held_too(
    rig: Rig, image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(monkeypatch)
    monkeypatch.setattr(flash_target, "holder", lambda port: "process 41")
    said = rig("board", "flash", "--hex", image, "--chip", "uno", "--port", "/dev/rig_a")
    assert (said.status, "/dev/rig_a is in use by process 41" in said.err) == (3, True)


@pytest.mark.parametrize(
    ("ports", "listed"),
    [((), "no USB serial port was found: plug the board in"), ((UNO, MEGA), "/dev/ttyACM0, /dev/ttyACM1")],
)
def test_which_port_is_asked_when_it_is_not_clear(
    rig: Rig, image: Path, monkeypatch: pytest.MonkeyPatch, ports: tuple[SerialPort, ...], listed: str
) -> None:
    plug(monkeypatch, *ports)
    said = rig("board", "flash", "--hex", image)
    assert (said.status, listed in said.err) == (3, True)


def test_a_copy_of_an_arduino_must_be_named(rig: Rig, image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, COPY)
    said = rig("board", "flash", "--hex", image, "--dry-run")
    assert (said.status, "Give --chip uno or --chip mega or --chip pico" in said.err) == (2, True)


def test_of_two_boards_the_kind_selects_one_and_no_port_has_a_board_of_another_kind(
    rig: Rig, image: Path, avrdude: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(monkeypatch, UNO, MEGA)
    assert rig("board", "flash", "--hex", image, "--chip", "mega").status == 0
    assert "-P /dev/ttyACM1 " in avrdude.read_text()
    said = rig("board", "flash", "--hex", image, "--chip", "mega", "--port", UNO.device)
    text = "--chip mega: /dev/ttyACM0 is another kind: Arduino Uno (--chip uno)"
    assert (said.status, text in said.err) == (2, True)


def test_what_to_install_is_said(rig: Rig, image: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plug(monkeypatch, UNO)
    monkeypatch.setenv("PATH", str(tmp_path))
    said = rig("board", "flash", "--hex", image)
    assert (said.status, "sudo apt install avrdude" in said.err) == (2, True)


def test_a_file_that_is_not_there_is_named(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, UNO)
    said = rig("board", "flash", "--hex", "nowhere.hex")
    assert (said.status, "--hex nowhere.hex: there is no such file" in said.err) == (2, True)
