"""The drive of a Pico that waits for its firmware: where it is found, and what can go wrong when it is written."""

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from rig.boards import boot_drive
from rig.boards.boot_drive import PICO, BootDrive, boot_drives, drive_at, mounted_folders
from rig.core.errors import BoardError

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX has links and pseudo-terminals")


def drive(folder: Path, board_id: str = PICO) -> Path:
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_text(f"UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: {board_id}\n")
    return folder


def test_only_drives_that_take_uf2_files_are_found(tmp_path: Path) -> None:
    folders = [drive(tmp_path / "b"), drive(tmp_path / "a", "RP2350"), tmp_path, tmp_path / "gone"]
    (tmp_path / "INFO_UF2.TXT").write_text("no board\n")
    found = boot_drives(lambda: folders, tmp_path)
    assert found == [BootDrive(tmp_path / "a", "RP2350"), BootDrive(tmp_path / "b", PICO)]
    assert [each.is_pico for each in found] == [False, True]
    assert (drive_at(tmp_path / "b"), drive_at(tmp_path)) == (found[1], None)


@POSIX
def test_a_file_that_is_no_plain_file_or_very_large_does_no_harm(tmp_path: Path) -> None:
    for name in ("fifo", "large"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "fifo" / "INFO_UF2.TXT")
    (tmp_path / "large" / "INFO_UF2.TXT").write_bytes(b"x" * 5_000 + b"\nBoard-ID: RPI-RP2\n")
    assert boot_drives(lambda: [tmp_path / "fifo", tmp_path / "large"], tmp_path) == []


def test_linux_lists_its_mounts_with_spaces_in_their_names(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "mounts").write_text(
        "/dev/sda1 / ext4 rw 0 0\n"
        "/dev/sdb1 /media/an\\040na/RPI-RP2 vfat rw,nosuid 0 0\n"
        "server:/far /mnt/far nfs4 rw 0 0\n"
        "/dev/sdc1 /mnt vfat rw 0 0\n"
    )
    assert [*mounted_folders("linux", tmp_path)] == [tmp_path / "media/an na/RPI-RP2", tmp_path / "mnt"]
    assert [*mounted_folders("linux", tmp_path / "proc")] == []


def test_macos_has_its_drives_by_name_beside_those_of_a_network_and_windows_by_letter(tmp_path: Path) -> None:
    names = ("RP2350", PICO, f"{PICO} 1")
    for name in (*names, "lab_share"):
        drive(tmp_path / "Volumes" / name)
    assert [*mounted_folders("darwin", tmp_path)] == [tmp_path / "Volumes" / name for name in names]
    assert [*mounted_folders("win32", is_removable="E:\\".__eq__)] == [Path("E:\\")]


@POSIX
def test_a_drive_that_linux_has_not_mounted_is_found_by_its_name(tmp_path: Path) -> None:
    label = tmp_path / "dev/disk/by-label" / PICO
    label.parent.mkdir(parents=True)
    label.symlink_to(tmp_path)
    (found,) = boot_drives(list, tmp_path)
    assert (found.is_pico, found.is_mounted, found.mount_command) == (True, False, f"udisksctl mount -b {label}")
    mounted = drive(tmp_path / "media")
    assert boot_drives(lambda: [mounted], tmp_path) == [BootDrive(mounted, PICO)]


def test_all_bytes_of_a_file_arrive(tmp_path: Path) -> None:
    assert BootDrive(drive(tmp_path / "a"), PICO).write(b"all of it") is None
    assert (tmp_path / "a" / "firmware.uf2").read_bytes() == b"all of it"


def failing(code: int) -> Any:
    def fail(*words: Any) -> None:
        raise OSError(code, os.strerror(code))

    return fail


def test_an_error_after_the_last_byte_is_returned_as_the_pico_may_have_started_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boot_drive.os, "fsync", failing(errno.EIO))
    error = BootDrive(drive(tmp_path / "a"), PICO).write(b"all of it")
    assert error is not None
    assert error.errno == errno.EIO


class TornFile:
    """A file on a drive whose cable is pulled after ten bytes."""

    def __init__(self, code: int) -> None:
        self._code = code
        self._left = 10

    def __enter__(self) -> "TornFile":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def write(self, data: bytes) -> int:
        if self._left == 0:
            failing(self._code)()
        taken = min(4, self._left, len(data))
        self._left -= taken
        return taken


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (errno.EIO, "took only a part of the firmware"),
        (errno.ENODEV, "was the cable pulled\\? This cannot damage a Pico"),
        (errno.ENOSPC, "is full"),
        (errno.EROFS, "cannot be written"),
    ],
)
def test_a_file_that_is_not_taken_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, why: str
) -> None:
    monkeypatch.setattr(boot_drive, "open", lambda *words, **how: TornFile(code), raising=False)
    with pytest.raises(BoardError, match=f"{why}.*; hold the button BOOTSEL while you plug the Pico in"):
        BootDrive(tmp_path, PICO).write(bytes(100))


@POSIX
def test_a_drive_that_is_full_says_so(tmp_path: Path) -> None:
    (tmp_path / "firmware.uf2").symlink_to("/dev/full")
    with pytest.raises(BoardError, match="is full"):
        BootDrive(tmp_path, PICO).write(b"x")


@POSIX
def test_a_drive_that_is_gone_says_so(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="took only a part"):
        BootDrive(tmp_path / "gone", PICO).write(b"x")
