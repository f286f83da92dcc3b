"""Inputs that never change: a sensor that is unplugged looks like an animal that does not come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SILENT_US = 300_000_000
ENOUGH_EDGES = 20
"""So much must have happened elsewhere before silence is suspicious."""


class Inputs:
    """Follows which of the rig's beams and circles have changed."""

    def __init__(self) -> None:
        self._silent: set[str] = set()
        self._edges = 0

    def wire(self, devices: Mapping[str, Mapping[str, Any]]) -> None:
        """Take the devices of the session's header."""
        parts = {"beam": "beam", "radius_cm": "zone"}
        self._silent = {f"{name}.{parts[key]}" for name, device in devices.items() for key in parts if key in device}

    def edge(self, channel: str) -> None:
        """Take note of a change."""
        self._edges += 1
        self._silent.discard(channel)

    def tick(self, t_us: int) -> Iterator[str]:
        """Warn, once, of what has not changed while other inputs have."""
        if self._silent and t_us >= SILENT_US and self._edges >= ENOUGH_EDGES:
            for channel in sorted(self._silent):
                where = "is the circle where it should be" if channel.endswith(".zone") else "is its sensor connected"
                yield f"{channel} has never changed: {where}?"
            self._silent.clear()
