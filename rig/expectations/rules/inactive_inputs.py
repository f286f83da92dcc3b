"""An input that never changes although others do: an unplugged sensor looks like an animal that does not come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rig.core.model.channels import Role, channel_name
from rig.expectations.finding import Finding
from rig.expectations.rule import Line, Rule

INACTIVE_US = 300_000_000
MIN_EDGES = 20
"""Edges of other inputs before an unchanged input is reported."""


class InactiveInputs(Rule):
    """The beams and zones of a rig that have not changed yet."""

    name = "never_changed"
    kinds = ("edge", "zone")

    def __init__(self, devices: Mapping[str, Mapping[str, Any]]) -> None:
        roles = {"beam": Role.BEAM, "radius_cm": Role.ZONE}
        self._inactive = {
            channel_name(name, role): role
            for name, device in devices.items()
            for key, role in roles.items()
            if key in device
        }
        self._edges = 0

    def take(self, line: Line) -> Iterator[Finding]:
        """Read a change of an input, which finds nothing."""
        self._edges += 1
        self._inactive.pop(line["channel"], None)
        return iter(())

    def check(self, t_us: int) -> Iterator[Finding]:
        """Yield one finding, once, for each input that has not changed while other inputs have."""
        if self._inactive and t_us >= INACTIVE_US and self._edges >= MIN_EDGES:
            for channel, role in sorted(self._inactive.items()):
                where = "is the circle where it should be" if role is Role.ZONE else "is its sensor connected"
                yield self.found(t_us, f"{channel} has never changed: {where}?", channel)
            self._inactive.clear()
