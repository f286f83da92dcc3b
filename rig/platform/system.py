"""Which system this is, for programs that read its files or need its windows."""

from __future__ import annotations

import os
import sys

SYSTEM = sys.platform
"""``linux``, ``darwin`` or ``win32``."""

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def has_display(system: str = SYSTEM) -> bool:
    """Whether a program that is started here can open a window; only Linux has terminals without a display."""
    return system != "linux" or any(map(os.environ.get, _DISPLAYS))
