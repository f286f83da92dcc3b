"""What this computer does to its serial ports: asked of Linux in files, below a root that a test may replace."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MODEM_MANAGER = "ModemManager"
RULE = Path(__file__).parent / "udev" / "60-behavior-rig.rules"
"""The udev rule that is shipped."""


@dataclass(frozen=True)
class HostSystem:
    """Linux's files of devices, drivers and processes; on other systems there are none."""

    root: Path = Path("/")
    system: str = sys.platform

    @property
    def linux(self) -> bool:
        """Whether this is Linux."""
        return self.system == "linux"

    def has(self, device: str) -> bool:
        """Whether there is such a port."""
        return os.path.exists(device)

    def may_use(self, device: str) -> bool:
        """Whether we may read from and write to a port."""
        return os.access(device, os.R_OK | os.W_OK)

    def group_of(self, device: str) -> str:
        """Name the group that may use a port; ``dialout`` where that cannot be told."""
        if sys.platform != "win32":
            import grp

            with suppress(OSError, KeyError):
                group = grp.getgrgid(os.stat(device).st_gid).gr_name
                return group if group != "root" else "dialout"
        return "dialout"

    def is_member(self, group: str) -> bool:
        """Whether our user is in a group from the next login on, whatever holds for this one."""
        if sys.platform != "win32":
            import grp
            import pwd

            with suppress(KeyError):
                user, of_group = pwd.getpwuid(os.getuid()), grp.getgrnam(group)
                return user.pw_name in of_group.gr_mem or user.pw_gid == of_group.gr_gid
        return False

    def property_of(self, device: str, name: str) -> str | None:
        """Return what udev has noted of a port; None when it has noted nothing of that name."""
        number = self._read("sys", "class", "tty", self._kernel_name(device), "dev")
        noted = self._read("run", "udev", "data", f"c{number}").splitlines()
        return next((line.partition("=")[2] for line in noted if line.startswith(f"E:{name}=")), None)

    @property
    def rule_is_installed(self) -> bool:
        """Whether our udev rule lies where udev looks."""
        places = ("etc/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d", "usr/local/lib/udev/rules.d")
        return any((self.root / place / RULE.name).is_file() for place in places)

    def runs(self, program: str) -> bool:
        """Whether a program runs; the kernel keeps 15 letters of its name."""
        processes = (self.root / "proc").glob("[0-9]*")
        return any(self._read("proc", process.name, "comm") == program[:15] for process in processes)

    def latency_file(self, device: str) -> Path:
        """Name the file that says how long an FTDI chip keeps bytes back; other chips have none."""
        return self.root / "sys/bus/usb-serial/devices" / self._kernel_name(device) / "latency_timer"

    def latency_ms(self, device: str) -> int | None:
        """Return how long an FTDI chip keeps bytes back; None for other chips."""
        with suppress(OSError, ValueError):
            return int(self.latency_file(device).read_text(encoding="ascii"))
        return None

    @staticmethod
    def _kernel_name(device: str) -> str:
        return os.path.basename(os.path.realpath(device))

    def _read(self, *parts: str) -> str:
        try:
            return self.root.joinpath(*parts).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""
