"""Zones of a tracked animal: circles with a margin, and a time for which a change must last.

The animal is in a zone after it was seen inside the circle for long enough. It has left after it was seen outside the
circle and its margin for long enough, or once it is in another zone. Frames without a detection change nothing. A
change has the time of the first frame that shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rig.core.model.channels import Role, channel_name

NEVER_US = 1 << 62


class CircularZone(NamedTuple):
    """A circular zone on the floor."""

    name: str
    x_cm: float
    y_cm: float
    radius_cm: float
    margin_cm: float
    confirm_on_us: int
    confirm_off_us: int

    @property
    def channel(self) -> str:
        """Return the channel of its events."""
        return channel_name(self.name, Role.ZONE)


class ZoneChange(NamedTuple):
    """An entry into a zone or an exit, dated by the first frame that shows it."""

    channel: str
    level: int
    since_us: int


class _Zone:
    __slots__ = ("channel", "confirm_us", "inner", "inside", "outer", "since_us", "x_cm", "y_cm")

    def __init__(self, circle: CircularZone) -> None:
        self.channel = circle.channel
        self.x_cm, self.y_cm = circle.x_cm, circle.y_cm
        self.inner, self.outer = circle.radius_cm**2, (circle.radius_cm + circle.margin_cm) ** 2
        self.confirm_us = (circle.confirm_on_us, circle.confirm_off_us)
        self.inside = 0
        self.since_us = NEVER_US

    def change(self) -> ZoneChange:
        self.inside = 1 - self.inside
        found = ZoneChange(self.channel, self.inside, self.since_us)
        self.since_us = NEVER_US
        return found


class ZoneDetector:
    """A detector of zone changes of one animal; at first it is in no zone."""

    def __init__(self, circles: Iterable[CircularZone]) -> None:
        self._zones = [_Zone(circle) for circle in circles]

    def update(self, t_us: int, x_cm: float, y_cm: float) -> list[ZoneChange]:
        """Return the changes that a frame with a detection confirms."""
        for zone in self._zones:
            x, y, inside = x_cm - zone.x_cm, y_cm - zone.y_cm, zone.inside
            # Squares are compared, because this runs for every camera frame and needs no root.
            if (x * x + y * y <= (zone.outer if inside else zone.inner)) == inside:
                zone.since_us = NEVER_US
            elif zone.since_us > t_us:
                zone.since_us = t_us
        # After all zones have seen the frame: an entry also ends a stay in a zone that the rig file lists later.
        changes: list[ZoneChange] = []
        for zone in self._zones:
            if t_us - zone.since_us >= zone.confirm_us[zone.inside]:
                if not zone.inside:  # an animal is in one place: entering this zone ends a stay in another
                    # A zone without a frame outside it has no time of exit; circles may overlap.
                    changes += (other.change() for other in self._zones if other.inside and other.since_us <= t_us)
                changes.append(zone.change())
        return changes

    @property
    def next_change_us(self) -> int:
        """Return the time at which a started change will be confirmed, if it lasts."""
        return min((zone.since_us + zone.confirm_us[zone.inside] for zone in self._zones), default=NEVER_US)
