"""Facts about this computer's serial ports, read from Linux files below a root that tests replace."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rig.platform.groups import group_of, is_member
from rig.platform.system import SYSTEM

MODEM_MANAGER = "ModemManager"
RULE = Path(__file__).parent / "udev" / "60-behavior-rig.rules"
"""The shipped udev rule."""


@dataclass(frozen=True)
class HostSystem:
    """Linux files about devices, drivers and processes; other systems have none."""

    root: Path = Path("/")
    system: str = SYSTEM

    @property
    def linux(self) -> bool:
        """Whether this is Linux."""
        return self.system == "linux"

    def has(self, device: str) -> bool:
        """Whether a port exists."""
        return os.path.exists(device)

    def may_use(self, device: str) -> bool:
        """Whether this user may read and write a port."""
        return os.access(device, os.R_OK | os.W_OK)

    def group_of(self, device: str) -> str:
        """Return the group that may use a port; ``dialout`` when it is unknown."""
        return group_of(device)

    def is_member(self, group: str) -> bool:
        """Whether this user is in a group, at the latest from the next login on."""
        return is_member(group)

    def property_of(self, device: str, name: str) -> str | None:
        """Return a udev property of a port; None when it is not set."""
        number = self._read("sys", "class", "tty", self._kernel_name(device), "dev")
        # The file that udevadm reads: to run udevadm would need a further program, also in tests.
        noted = self._read("run", "udev", "data", f"c{number}").splitlines()
        return next((line.partition("=")[2] for line in noted if line.startswith(f"E:{name}=")), None)

    @property
    def rule_is_installed(self) -> bool:
        """Whether the udev rule is in a folder that udev reads."""
        places = ("etc/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d", "usr/local/lib/udev/rules.d")
        return any((self.root / place / RULE.name).is_file() for place in places)

    def runs(self, program: str) -> bool:
        """Whether a program runs; the kernel stores 15 characters of its name."""
        processes = (self.root / "proc").glob("[0-9]*")
        return any(self._read("proc", process.name, "comm") == program[:15] for process in processes)

    def latency_file(self, device: str) -> Path:
        """Return the file of an FTDI chip's latency timer; other chips have none."""
        return self.root / "sys/bus/usb-serial/devices" / self._kernel_name(device) / "latency_timer"

    def latency_ms(self, device: str) -> int | None:
        """Return the latency timer of an FTDI chip in ms; None for other chips."""
        with suppress(OSError, ValueError):
            return int(self.latency_file(device).read_text(encoding="ascii"))
        return None

    @staticmethod
    def _kernel_name(device: str) -> str:
        # The rig file may name the port by a link below /dev/serial; /sys has the kernel's name.
        return os.path.basename(os.path.realpath(device))

    def _read(self, *parts: str) -> str:
        try:
            return self.root.joinpath(*parts).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""
