"""Inputs that never change: a sensor that is unplugged looks like an animal that does not come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SILENT_US = 300_000_000
ENOUGH_EDGES = 20
"""So much must have happened elsewhere before silence is suspicious."""


class Inputs:
    """Follows which of the rig's beams have changed."""

    def __init__(self) -> None:
        self._silent: set[str] = set()
        self._edges = 0

    def wire(self, devices: Mapping[str, Mapping[str, Any]]) -> None:
        """Take the devices of the session's header."""
        self._silent = {f"{name}.beam" for name, device in devices.items() if "beam" in device}

    def edge(self, channel: str) -> None:
        """Take note of a change."""
        self._edges += 1
        self._silent.discard(channel)

    def tick(self, t_us: int) -> Iterator[str]:
        """Warn, once, of what has not changed while other inputs have."""
        if self._silent and t_us >= SILENT_US and self._edges >= ENOUGH_EDGES:
            for channel in sorted(self._silent):
                yield f"{channel} has never changed: is its sensor connected?"
            self._silent.clear()
