"""`rig board flash` of a Pico: its drive is a folder, and the test plays the Pico."""

import errno
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rig.boards import boot_drive
from rig.boards.boot2 import with_checksum
from rig.boards.boot_drive import INFO, PICO, BootDrive, drive_at
from rig.boards.ports import SerialPort
from rig.boards.uf2 import from_uf2, to_uf2
from rig.cli.board import flash_pico, flash_target
from sim_hardware.loop import VirtualLoop
from tests.cli.conftest import Rig
from tests.tables import rows

PORT = SerialPort("/dev/ttyACM0", "rig board", 0x2E8A, 0x000A, "7F3A", product="rig board")
OTHER = SerialPort("/dev/ttyACM1", "rig board", 0x2E8A, 0x000A, "11C2", product="rig board")
LASER = SerialPort("/dev/ttyACM3", "a laser driver", 0x2E8A, 0x000A, "90B1", product="a laser driver")
UNO = SerialPort("/dev/ttyACM2", "Arduino Uno", 0x2341, 0x43)


class Bench:
    """The ports and drives of a computer, with one Pico that comes and goes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.drives: list[BootDrive] = []
        self.ports: list[SerialPort] = []
        self.flash = b""
        self.starts = True
        self.starts_with_usb = True
        self.takes_files = True
        self.becomes_a_drive = True
        self.looks = 0

    def be_a_drive(self, board_id: str = PICO, name: str = PICO) -> Path:
        folder = self.folder / name
        folder.mkdir()
        (folder / INFO).write_text(f"UF2 Bootloader v3.0\nBoard-ID: {board_id}\n")
        drive = drive_at(folder)
        assert drive is not None
        self.drives.append(drive)
        return folder

    def touch(self, port: str) -> None:
        self.ports = [each for each in self.ports if each.device != port]
        if self.becomes_a_drive:
            self.be_a_drive()

    def boot_drives(self) -> list[BootDrive]:
        self.looks += 1
        if not self.starts and self.flash:
            self.be_a_drive()
        file = self.folder / PICO / "firmware.uf2"
        # It takes some time to write its flash.
        if file.exists() and self.takes_files and self.looks % 5 == 0:
            self.flash = from_uf2(file.read_bytes())
            shutil.rmtree(file.parent)
            self.drives = [drive for drive in self.drives if drive.path != file.parent]
            if self.starts and self.starts_with_usb:
                self.ports.append(PORT)
        return list(self.drives)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(tmp_path)
    for module in (flash_target, flash_pico):
        monkeypatch.setattr(module, "boot_drives", bench.boot_drives)
        monkeypatch.setattr(module, "ports_here", lambda: list(bench.ports))
    monkeypatch.setattr(flash_pico, "restart_as_drive", bench.touch)
    monkeypatch.setattr(flash_pico, "real_time_loop", lambda speed: VirtualLoop(t_max=100))
    return bench


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "mine.uf2"
    path.write_bytes(to_uf2(with_checksum(b"a program".ljust(256))))
    return path


def test_a_pico_that_waits_as_a_drive_gets_the_shipped_firmware_and_comes_back_at_a_port(
    rig: Rig, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    folder = bench.be_a_drive()
    said = rig("board", "flash")
    assert said.status == 0, said.err
    assert f"copy to    {folder}\n" in said.out
    assert "SHA-256    " in said.out
    assert "/dev/ttyACM0 has the firmware now; `rig board list --probe`" in said.out
    assert len(bench.flash) > 10_000


def test_a_pico_at_a_port_is_restarted_as_a_drive_and_others_are_left_alone(
    rig: Rig, bench: Bench, image: Path
) -> None:
    bench.ports = [PORT, OTHER, UNO]
    said = rig("board", "flash", "--port", PORT.device, "--hex", image)
    assert said.status == 0, said.err
    assert "restart    /dev/ttyACM0 at 1200 baud" in said.out
    assert bench.flash.startswith(b"a program")
    assert bench.ports == [OTHER, UNO, PORT]


def test_the_kind_selects_the_only_pico_beside_an_uno(rig: Rig, bench: Bench, image: Path) -> None:
    bench.ports = [PORT, UNO]
    assert rig("board", "flash", "--chip", "pico", "--hex", image).status == 0
    assert bench.flash.startswith(b"a program")


def test_a_pico_that_waits_is_meant_before_another_one_that_runs(rig: Rig, bench: Bench, image: Path) -> None:
    bench.ports = [OTHER]
    bench.be_a_drive()
    assert rig("board", "flash", "--chip", "pico", "--hex", image).status == 0
    assert bench.ports == [OTHER, PORT]


@pytest.mark.parametrize("words", [(), ("--chip", "pico")])
def test_a_pico_with_another_program_is_overwritten_only_at_a_named_port(
    rig: Rig, bench: Bench, image: Path, words: tuple[str, ...]
) -> None:
    bench.ports = [LASER]
    said = rig("board", "flash", "--hex", image, *words)
    assert (said.status, "/dev/ttyACM3 (a laser driver) may be a Pico with another program" in said.err) == (3, True)
    assert (bench.ports, bench.drives) == ([LASER], [])
    assert rig("board", "flash", "--hex", image, "--port", LASER.device, *words).status == 0
    assert bench.flash.startswith(b"a program")


@pytest.mark.parametrize("waits", [True, False])
def test_the_drive_of_a_board_of_another_kind_is_not_meant_beside_a_pico(
    rig: Rig, bench: Bench, image: Path, waits: bool
) -> None:
    bench.be_a_drive("RP2350", name="RP2350")
    if waits:
        bench.be_a_drive()
    else:
        bench.ports = [PORT]
    assert rig("board", "flash", "--chip", "pico", "--hex", image).status == 0
    assert bench.flash.startswith(b"a program")


def test_a_dry_run_touches_neither_port_nor_drive(rig: Rig, bench: Bench, image: Path) -> None:
    bench.ports = [PORT]
    assert "restart    /dev/ttyACM0" in rig("board", "flash", "--hex", image, "--dry-run").out
    bench.ports = []
    folder = bench.be_a_drive()
    assert f"copy to    {folder}" in rig("board", "flash", "--hex", image, "--dry-run").out
    assert [path.name for path in folder.iterdir()] == [INFO]


def test_which_of_several_boards_is_asked(rig: Rig, bench: Bench, image: Path) -> None:
    bench.ports = [UNO]
    folders = [bench.be_a_drive(name="a"), bench.be_a_drive()]
    for words in ((), ("--chip", "pico")):
        said = rig("board", "flash", "--hex", image, *words)
        assert (said.status, "which board? Give --port or --drive" in said.err) == (3, True)
        assert all(str(folder) in said.err for folder in folders)
    assert rig("board", "flash", "--hex", image, "--drive", folders[1]).status == 0


def test_without_a_pico_it_says_which_button_to_hold(rig: Rig, bench: Bench) -> None:
    bench.ports = [UNO]
    said = rig("board", "flash", "--chip", "pico")
    assert (said.status, "no Pico was found: hold the button BOOTSEL" in said.err) == (3, True)


def test_a_drive_that_linux_has_not_mounted_comes_with_the_command(rig: Rig, bench: Bench, image: Path) -> None:
    bench.drives = [BootDrive(Path("/dev/disk/by-label/RPI-RP2"), PICO, is_mounted=False)]
    said = rig("board", "flash", "--hex", image)
    assert (said.status, "udisksctl mount -b /dev/disk/by-label/RPI-RP2" in said.err) == (3, True)


@rows("words", "why")
def test_what_is_no_pico_is_refused(rig: Rig, bench: Bench, words: list[str], why: str) -> None:
    bench.ports = [PORT, UNO]
    folder = bench.be_a_drive("RP2350")
    said = rig("board", "flash", *(word.format(drive=folder) for word in words))
    assert (said.status, why in said.err) == (2, True), said.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no links to ports")
def test_a_link_to_a_port_leads_to_the_kind_of_its_board(rig: Rig, bench: Bench, image: Path, tmp_path: Path) -> None:
    bench.ports = [PORT, UNO]
    link = tmp_path / "usb-rig_rig_board"
    link.symlink_to(UNO.device)
    said = rig("board", "flash", "--hex", image, "--chip", "pico", "--port", link)
    assert (said.status, "/dev/ttyACM2 is another kind: Arduino Uno" in said.err) == (2, True)
    link.unlink()
    link.symlink_to(PORT.device)
    assert "restart    /dev/ttyACM0" in rig("board", "flash", "--hex", image, "--dry-run", "--port", link).out


def test_a_pico_in_use_is_left_alone(rig: Rig, bench: Bench, image: Path) -> None:
    bench.ports = [replace(PORT, held_by="process 41 (rig run)")]
    said = rig("board", "flash", "--hex", image)
    assert (said.status, "/dev/ttyACM0 is in use by process 41 (rig run)" in said.err) == (3, True)


def test_a_pico_that_becomes_no_drive_is_said(rig: Rig, bench: Bench, image: Path) -> None:
    bench.ports = [PORT]
    bench.becomes_a_drive = False
    said = rig("board", "flash", "--hex", image)
    assert (said.status, "/dev/ttyACM0: the Pico has not become a drive within 20 s: hold" in said.err) == (3, True)


@pytest.mark.parametrize("words", [(), ("--chip", "pico")])
def test_the_same_line_again_finds_the_pico_whose_button_was_held(
    rig: Rig, bench: Bench, image: Path, words: tuple[str, ...]
) -> None:
    line = ("board", "flash", "--hex", image, "--port", "/dev/nowhere", *words)
    bench.ports = [replace(PORT, device="/dev/nowhere"), UNO]
    bench.becomes_a_drive = False
    assert "then type the same line again" in rig(*line).err
    bench.be_a_drive()
    assert rig(*line).status == 0
    assert bench.flash.startswith(b"a program")


def test_which_of_two_waiting_picos_had_a_port_is_asked(rig: Rig, bench: Bench, image: Path) -> None:
    bench.be_a_drive(name="a")
    bench.be_a_drive()
    said = rig("board", "flash", "--hex", image, "--port", "/dev/nowhere")
    assert (said.status, "which board? Give --port or --drive" in said.err) == (3, True)


def test_a_pico_whose_new_drive_is_not_mounted_is_said(
    rig: Rig, bench: Bench, image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.ports = [PORT]
    unmounted = BootDrive(Path("/dev/disk/by-label/RPI-RP2"), PICO, is_mounted=False)
    monkeypatch.setattr(flash_pico, "restart_as_drive", lambda port: bench.drives.append(unmounted))
    said = rig("board", "flash", "--hex", image)
    assert (said.status, "udisksctl mount -b" in said.err) == (3, True)


def test_a_pico_that_does_not_take_the_file_is_said(rig: Rig, bench: Bench, image: Path) -> None:
    bench.takes_files = False
    folder = bench.be_a_drive()
    said = rig("board", "flash", "--hex", image)
    assert (said.status, f"{folder} is still there: the Pico has not taken the firmware" in said.err) == (3, True)


def test_a_pico_that_is_a_drive_again_has_not_started_the_program(rig: Rig, bench: Bench, image: Path) -> None:
    bench.starts = False
    folder = bench.be_a_drive()
    said = rig("board", "flash", "--hex", image)
    assert (said.status, f"{folder} is there again: the Pico has not started the program" in said.err) == (3, True)


@pytest.mark.parametrize("starts_with_usb", [True, False])
def test_a_copy_whose_end_is_not_known_is_an_error(
    rig: Rig, bench: Bench, image: Path, monkeypatch: pytest.MonkeyPatch, starts_with_usb: bool
) -> None:
    def fail(file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(boot_drive.os, "fsync", fail)
    bench.starts_with_usb = starts_with_usb
    bench.be_a_drive()
    said = rig("board", "flash", "--hex", image)
    text = "the copy ended with an error (Input/output error): it may still be the old program"
    assert (said.status, text in said.err, "type the same line again" in said.err) == (3, True, True)
    assert "has the f" not in said.out


def test_a_pico_that_does_not_come_back_is_an_error_unless_the_file_is_the_users(
    rig: Rig, bench: Bench, image: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    bench.starts_with_usb = False
    bench.be_a_drive()
    said = rig("board", "flash")
    assert (said.status, "no port has come: unplug it, plug it in again" in said.err) == (3, True)
    bench.be_a_drive()
    said = rig("board", "flash", "--hex", image)
    assert (said.status, "its program does not use USB" in said.out) == (0, True)
