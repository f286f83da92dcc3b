"""The serial ports of this computer: what is behind each, and which program has it.

None of it opens a port: that resets an Arduino, and with it a session that somebody runs on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from serial.tools import list_ports

VENDORS = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x1A86: "CH340",
    0x0403: "FTDI",
    0x10C4: "CP210x",
    0x16C0: "Teensy",
    0x2E8A: "Raspberry Pi",
}
"""Whose USB chips boards have; our udev rule names the same."""

LONGEST_COMMAND = 60


@dataclass(frozen=True)
class SerialPort:
    """One port; ``held_by`` says in words which program has it, as far as that can be seen."""

    device: str
    description: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    held_by: str | None = None

    @property
    def usb(self) -> str | None:
        """Write vendor and product as everybody does, ``2341:0043``; None for what is no USB device."""
        return None if self.vid is None or self.pid is None else f"{self.vid:04x}:{self.pid:04x}"

    @property
    def may_be_board(self) -> bool:
        """Whether its USB chip is one that boards have."""
        return self.vid in VENDORS


def ports_here(listed: Callable[[], Iterable[Any]] | None = None, proc: Path = Path("/proc")) -> list[SerialPort]:
    """List the ports, sorted by name."""
    found = sorted((listed or list_ports.comports)(), key=lambda port: str(port.device))
    return [
        SerialPort(port.device, _said(port), port.vid, port.pid, port.serial_number, holder(port.device, proc))
        for port in found
    ]


def _said(port: Any) -> str:
    text = str(port.description or "")
    return VENDORS.get(port.vid, "serial port") if text in ("", "n/a") else text


def holder(device: str, proc: Path = Path("/proc")) -> str | None:
    """Return which process has a port, in words; None when nobody does, or this system does not tell."""
    process = next(chain(_locking(device, proc), _opened(device, proc)), None)
    return None if process is None else _named(process, proc)


def _locking(device: str, proc: Path) -> Iterator[str]:
    """Find who has locked a port for itself, as every session does; it is seen of other users' processes too."""
    with suppress(OSError):
        of_device = os.stat(device)
        place = f"{os.major(of_device.st_dev):02x}:{os.minor(of_device.st_dev):02x}:{of_device.st_ino}"
        for line in (proc / "locks").read_text(encoding="ascii", errors="replace").splitlines():
            words = line.split()
            if "->" not in words and words[5:6] == [place]:
                yield words[4]


def _opened(device: str, proc: Path) -> Iterator[str]:
    """Find who has opened a port, among the processes that we may look into."""
    real = os.path.realpath(device)
    for process in sorted(proc.glob("[0-9]*")):
        with suppress(OSError):
            if any(os.readlink(opened) == real for opened in (process / "fd").iterdir()):
                yield process.name


def _named(process: str, proc: Path) -> str:
    try:
        raw = (proc / process / "cmdline").read_bytes()
    except OSError:
        raw = b""
    words = raw.decode("utf-8", "replace").split("\0")
    command = " ".join([os.path.basename(word) for word in words[:2]] + words[2:]).strip()
    if len(command) > LONGEST_COMMAND:
        command = f"{command[:LONGEST_COMMAND]}..."
    return f"process {process} ({command})" if command else f"process {process}"
