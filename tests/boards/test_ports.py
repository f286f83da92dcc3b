"""What can be told of a port without opening it."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from serial.tools import list_ports

from rig.boards import ports as module
from rig.boards.boot_drive import PICO, BootDrive
from rig.boards.firmware import PACKAGE
from rig.boards.ports import PRODUCT, VENDORS, find_port, holder, is_same_port, is_there, may_reset_board, ports_here
from rig.boards.serial.transport import open_port
from rig.core.errors import BoardNotFoundError
from rig.core.model.rig_spec import BoardSpec

UNO: dict[str, Any] = {"device": "/dev/ttyACM0", "description": "Arduino Uno", "vid": 0x2341, "pid": 0x43}


MEDIUM, DISK = Path("/media/RPI-RP2"), Path("/dev/x")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="ports are files on POSIX")


def listed(*ports: dict[str, Any]) -> list[SimpleNamespace]:
    nothing = {"description": "n/a", "vid": None, "pid": None, "serial_number": None, "product": None}
    return [SimpleNamespace(**{**nothing, **port}) for port in ports]


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A /proc in which one process has opened a file, and another has locked one."""
    place = tmp_path / "proc"
    for number, command in ((41, b"/usr/bin/python3\0/opt/bin/rig\0run\0free_water\0"), (42, b"arduino\0")):
        (place / str(number) / "fd").mkdir(parents=True)
        (place / str(number) / "cmdline").write_bytes(command)
    (place / "locks").write_text("")
    return place


def lock(proc: Path, port: Path, process: int, waiting: str = "") -> None:
    at = os.stat(port)
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    (proc / "locks").write_text(f"1: {waiting}FLOCK  ADVISORY  WRITE {process} {place} 0 EOF\n")


def test_ports_are_listed_by_name_with_what_is_behind_them(proc: Path) -> None:
    ports = ports_here(lambda: listed({"device": "/dev/ttyS0"}, {**UNO, "serial_number": "557"}), proc)
    assert [(port.device, port.usb, port.serial_number, port.may_be_board) for port in ports] == [
        ("/dev/ttyACM0", "2341:0043", "557", True),
        ("/dev/ttyS0", None, None, False),
    ]


def test_a_chip_that_says_nothing_of_itself_is_named_by_its_vendor(proc: Path) -> None:
    (port,) = ports_here(lambda: listed({"device": "/dev/ttyUSB0", "vid": 0x1A86, "pid": 0x7523}), proc)
    assert port.description == VENDORS[0x1A86]


@pytest.mark.parametrize(
    ("ids", "product", "chip"),
    [
        ((0x2E8A, 0x000A), "rig board", "pico"),
        ((0x2E8A, 0x000A), "Pico", None),
        ((0x2E8A, 0x000A), None, None),
        ((0x2E8A, 0x0005), "Board in FS mode", None),
        ((0x2341, 0x0043), None, "uno"),
        ((0x1A86, 0x7523), "rig board", None),
    ],
)
def test_a_pico_is_known_by_the_name_that_the_rigs_firmware_gives_itself(
    proc: Path, ids: tuple[int, int], product: str | None, chip: str | None
) -> None:
    device = {"device": "/dev/ttyACM1", "vid": ids[0], "pid": ids[1], "product": product}
    (port,) = ports_here(lambda: listed(device), proc)
    assert port.chip == chip


def test_the_firmware_gives_itself_this_name() -> None:
    source = PACKAGE.parent / "firmware" / "targets" / "rp2040" / "usb_device.cpp"
    assert f'"{PRODUCT}"' in source.read_text()


def test_a_port_is_there_if_it_is_listed_or_has_a_file(proc: Path, tmp_path: Path) -> None:
    ports = ports_here(lambda: listed(UNO), proc)
    assert is_there(UNO["device"], ports)
    assert is_there(str(tmp_path), [])
    assert not is_there("/dev/nowhere", ports)


@POSIX
@pytest.mark.parametrize(("pid", "may_reset"), [(0x000A, False), (0x0003, True)])
def test_opening_the_port_of_a_pico_does_not_reset_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pid: int, may_reset: bool
) -> None:
    pico = {"device": str(tmp_path / "ttyACM1"), "vid": 0x2E8A, "pid": pid}
    monkeypatch.setattr(list_ports, "comports", lambda: listed(UNO, pico))
    link = tmp_path / "usb-rig_rig_board"
    link.symlink_to(pico["device"])
    assert may_reset_board(pico["device"]) == may_reset
    assert may_reset_board(str(link)) == may_reset
    assert may_reset_board(UNO["device"])
    assert may_reset_board("/dev/ttyUSB7")


@pytest.mark.parametrize(
    ("drives", "said"),
    [
        ([BootDrive(MEDIUM, PICO)], f"{MEDIUM} a Pico waits for its firmware: rig board flash"),
        ([BootDrive(DISK, PICO, is_mounted=False)], f"udisksctl mount -b {DISK}, then rig board flash"),
        ([BootDrive(Path("/media/RP2350"), "RP2350")], "or name the port in the rig file"),
        ([], "or name the port in the rig file"),
    ],
)
def test_without_a_port_a_pico_that_waits_for_its_firmware_is_named(
    monkeypatch: pytest.MonkeyPatch, drives: list[BootDrive], said: str
) -> None:
    monkeypatch.setattr(module, "boot_drives", lambda: drives)
    with pytest.raises(BoardNotFoundError, match="no USB serial port was found: plug the board in") as caught:
        find_port(BoardSpec("pico", "serial"), [])
    assert said in str(caught.value)
    assert ("waits for its firmware" in str(caught.value)) == any(drive.is_pico for drive in drives)


@POSIX
def test_a_port_that_a_session_has_locked_is_held_by_it(proc: Path, tmp_path: Path) -> None:
    port = tmp_path / "ttyACM0"
    port.touch()
    lock(proc, port, 41)
    assert holder(str(port), proc) == "process 41 (python3 rig run free_water)"


@POSIX
def test_a_process_of_another_user_is_named_by_its_number(proc: Path, tmp_path: Path) -> None:
    port = tmp_path / "ttyACM0"
    port.touch()
    lock(proc, port, 977)
    assert holder(str(port), proc) == "process 977"


@POSIX
def test_who_only_waits_for_a_lock_does_not_hold_it(proc: Path, tmp_path: Path) -> None:
    port = tmp_path / "ttyACM0"
    port.touch()
    lock(proc, port, 41, waiting="-> ")
    assert holder(str(port), proc) is None


@POSIX
def test_a_program_that_has_opened_a_port_without_locking_it_holds_it_too(proc: Path, tmp_path: Path) -> None:
    port = tmp_path / "ttyACM0"
    port.touch()
    (proc / "42" / "fd" / "3").symlink_to(port)
    by_another_name = tmp_path / "rig_a"
    by_another_name.symlink_to(port)
    assert holder(str(by_another_name), proc) == "process 42 (arduino)"


def test_ports_count_as_free_where_the_system_cannot_report_their_users(tmp_path: Path) -> None:
    assert holder(str(tmp_path / "COM3"), tmp_path / "no_proc") is None


@pytest.mark.real_time
@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who has locked what")
def test_the_way_a_session_opens_a_port_is_seen() -> None:
    far, near = os.openpty()
    port = open_port(os.ttyname(near), 500_000)
    try:
        assert f"process {os.getpid()} " in (holder(os.ttyname(near)) or "")
    finally:
        port.close()
        os.close(far)
        os.close(near)


@pytest.mark.parametrize(
    ("name", "other", "is_same"),
    [
        ("socket://127.0.0.1:5331", "SOCKET://localhost:5331/", True),
        ("socket://127.0.0.1:5331", "socket://127.0.0.1:05331", True),
        ("socket://127.0.0.1:5331", "socket://[127.0.0.1]:5331", True),
        ("socket://127.0.0.1:5331", "socket://127.0.0.1:5332", False),
        ("socket://127.0.0.1:5331", "/dev/ttyACM0", False),
    ],
)
def test_urls_of_one_tcp_port_are_one_port(name: str, other: str, *, is_same: bool) -> None:
    assert is_same_port(name, other) is is_same
    assert is_there(name, [])
    assert holder(name) is None
