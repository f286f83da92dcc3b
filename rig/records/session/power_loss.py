"""Check whether the computer has restarted since a session, since unsynced data is lost then."""

from __future__ import annotations

from pathlib import Path

from rig.records.session.read_environment import read_environment

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str | None:
    """Return the boot ID of the computer; None where the system has none."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def may_have_rebooted(session: Path) -> bool:
    """Whether the computer may have restarted since a session; True if that is unknown."""
    boot = boot_id()
    return boot is None or read_environment(session).get("boot") != boot
