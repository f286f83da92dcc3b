"""Whether the machine has gone down since a session: what it had not yet put on its disk is lost then."""

from __future__ import annotations

import json
from pathlib import Path

ENVIRONMENT = "environment.json"
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str | None:
    """Return which start of the machine this is; None where the system has no name for it."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def may_have_rebooted(session: Path) -> bool:
    """Whether the machine may have gone down since a session ran; so it is where that is not known."""
    try:
        facts = json.loads((session / ENVIRONMENT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return True
    boot = boot_id()
    return boot is None or not isinstance(facts, dict) or facts.get("boot") != boot
