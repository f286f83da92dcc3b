"""The serial ports of this computer: the device on each, and the program that uses it.

No function here opens a port: opening resets an Arduino and would end a running session.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from rig.boards.boot_drive import boot_drives
from rig.boards.chips import AVRS, CHIPS, chip_by_usb
from rig.core.errors import BoardNotFoundError
from rig.core.model.rig_spec import BoardSpec
from rig.platform.ports import EXAMPLE_PORT, device_id
from rig.system.tcp_address import LOOPBACK, is_url, parse_url

VENDORS = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x1A86: "CH340",
    0x0403: "FTDI",
    0x10C4: "CP210x",
    0x16C0: "Teensy",
    0x2E8A: "Raspberry Pi",
}
"""Vendors of the USB chips on boards; the udev rule has the same list."""

PRODUCT = "rig board"
"""The USB product string of the rig's firmware: the USB ids of a Pico are those of many other programs too."""

LONGEST_COMMAND = 60


@dataclass(frozen=True)
class SerialPort:
    """One port; ``held_by`` names the process that uses it, where the system shows it.

    ``product`` is what the USB device says of itself; Windows does not show it.
    """

    device: str
    description: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    held_by: str | None = None
    product: str | None = None

    @property
    def chip(self) -> str | None:
        """Return the chip of its board, where the USB device identifies it; a Pico by the rig's firmware alone."""
        chip = chip_by_usb(self.usb)
        return chip if chip in AVRS or self.product == PRODUCT else None

    @property
    def usb(self) -> str | None:
        """Return vendor and product as ``2341:0043``; None without a USB device."""
        return usb_id(self.vid, self.pid)

    @property
    def may_be_board(self) -> bool:
        """Whether the vendor of its USB chip makes chips for boards."""
        return self.vid in VENDORS


def ports_here(
    listed: Callable[[], Iterable[ListPortInfo]] | None = None, proc: Path = Path("/proc")
) -> list[SerialPort]:
    """Return the ports, sorted by name."""
    ports = sorted((listed or list_ports.comports)(), key=lambda port: str(port.device))
    return [
        SerialPort(
            device=port.device,
            description=_said(port),
            vid=port.vid,
            pid=port.pid,
            serial_number=port.serial_number,
            held_by=holder(port.device, proc),
            product=port.product,
        )
        for port in ports
    ]


def _said(port: ListPortInfo) -> str:
    text = str(port.description or "")
    # pyserial writes 'n/a' for a port that the system does not describe.
    return VENDORS.get(port.vid, "serial port") if text in ("", "n/a") else text


def port_identity(device: str) -> str:
    """Return a text that all names of a port have in common: a link below /dev/serial is the port itself.

    Raises ``ConfigError`` for a URL of no port.
    """
    if not is_url(device):
        return os.path.realpath(device)
    address = parse_url(device)
    return str(replace(address, host=LOOPBACK) if address.host == "localhost" else address)


def is_same_port(device: str, other: str) -> bool:
    """Whether two names are those of one port."""
    return port_identity(device) == port_identity(other)


def is_there(device: str, ports: Iterable[SerialPort]) -> bool:
    """Whether a port exists: the system may list it, or have a file of this name. Only its opening tells of a URL."""
    return is_url(device) or any(is_same_port(port.device, device) for port in ports) or os.path.exists(device)


def may_reset_board(device: str) -> bool:
    """Whether opening a port may reset its board: not if the USB device is a chip that stays on."""
    here = (port for port in list_ports.comports() if is_same_port(port.device, device))
    chip = chip_by_usb(next((usb_id(port.vid, port.pid) for port in here), None))
    return chip is None or CHIPS[chip].resets_at_opening


def usb_id(vid: int | None, pid: int | None) -> str | None:
    """Return vendor and product as ``2341:0043``; None without a USB device."""
    return None if vid is None or pid is None else f"{vid:04x}:{pid:04x}"


def holder(device: str, proc: Path = Path("/proc")) -> str | None:
    """Return the process that uses a port; None without one, or where the system does not show it."""
    # Locks first: they are in one file. The search of all processes starts only without one.
    process = next(chain(_locking(device, proc), _opened(device, proc)), None)
    return None if process is None else _named(process, proc)


def _locking(device: str, proc: Path) -> Iterator[str]:
    """Yield processes that lock a port, as every session does; locks of other users are visible too."""
    with suppress(OSError):
        file = device_id(device)
        for line in (proc / "locks").read_text(encoding="ascii", errors="replace").splitlines():
            words = line.split()
            # "->" marks a process that waits for the lock; it does not hold the port.
            if "->" not in words and words[5:6] == [file]:
                yield words[4]


def _opened(device: str, proc: Path) -> Iterator[str]:
    """Yield processes that have a port open, among those that this user may inspect."""
    # The kernel names the real file; the rig file may name a link below /dev/serial.
    real = os.path.realpath(device)
    for process in sorted(proc.glob("[0-9]*")):
        # A process may end while it is inspected, and the system hides those of other users.
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


def find_port(board: BoardSpec, ports: Sequence[ListPortInfo | SerialPort]) -> str:
    """Return the only USB serial port. Raises ``BoardNotFoundError`` when there is none, or several."""
    # A port without a USB device, such as ttyS0, exists on many computers with nothing behind it.
    likely = [port for port in ports if port.vid is not None]
    # Never guess among several ports: opening the wrong one resets another rig's board.
    if len(likely) == 1:
        return likely[0].device
    name_it = f"name the port in the rig file (`boards: {board.name}: port: {EXAMPLE_PORT}`)"
    if likely:
        raise BoardNotFoundError(f"board '{board.name}' could be on any of these ports, {name_it}: {listed(likely)}")
    others = f"; other ports here: {listed(ports)}" if ports else ""
    raise BoardNotFoundError(
        f"board '{board.name}': no USB serial port was found: plug the board in, or {name_it}{others}{_waiting_pico()}"
    )


def _waiting_pico() -> str:
    drive = next((drive for drive in boot_drives() if drive.is_pico), None)
    return "" if drive is None else f". At {drive.path} a Pico waits for its firmware: {drive.flash_command}"


def listed(ports: Sequence[ListPortInfo | SerialPort]) -> str:
    """Return the names and descriptions of some ports."""
    return ", ".join(f"{port.device} ({port.description})" for port in ports)
