"""Warn of inputs that never change: an unplugged sensor looks like an animal that does not come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rig.core.model.channels import Role, channel_name

INACTIVE_US = 300_000_000
MIN_EDGES = 20
"""Edges of other inputs before an unchanged input is reported."""


class InputMonitor:
    """Monitor of the beams and zones that have not changed yet."""

    def __init__(self) -> None:
        self._silent: dict[str, Role] = {}
        self._edges = 0

    def set_devices(self, devices: Mapping[str, Mapping[str, Any]]) -> None:
        """Set the inputs to monitor, from the devices of the session's header."""
        roles = {"beam": Role.BEAM, "radius_cm": Role.ZONE}
        self._silent = {
            channel_name(name, role): role
            for name, device in devices.items()
            for key, role in roles.items()
            if key in device
        }

    def edge(self, channel: str) -> None:
        """Record a change of an input."""
        self._edges += 1
        self._silent.pop(channel, None)

    def check(self, t_us: int) -> Iterator[str]:
        """Yield one warning, once, for each input that has not changed while other inputs have."""
        if self._silent and t_us >= INACTIVE_US and self._edges >= MIN_EDGES:
            for channel, role in sorted(self._silent.items()):
                where = "is the circle where it should be" if role is Role.ZONE else "is its sensor connected"
                yield f"{channel} has never changed: {where}?"
            self._silent.clear()
