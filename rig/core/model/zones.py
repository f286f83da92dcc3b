"""Zones in which a tracked animal is seen: circles with a margin, and a time for which a change must last.

It is in a zone when it has been seen inside the circle for long enough, and it has left when it has been seen outside
the circle and its margin for long enough, or as soon as it is in another zone. Frames in which it was not found tell
nothing. A change is dated by the first frame that shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rig.core.model.channels import Role, channel_name

NEVER_US = 1 << 62


class CircularZone(NamedTuple):
    """A zone on the floor."""

    name: str
    x_cm: float
    y_cm: float
    radius_cm: float
    margin_cm: float
    confirm_on_us: int
    confirm_off_us: int

    @property
    def channel(self) -> str:
        """The name that its crossings have."""
        return channel_name(self.name, Role.ZONE)


class ZoneChange(NamedTuple):
    """A zone was entered or left, at a time that an earlier frame may have had."""

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
    """Follows one animal through some circles; at first it is in none."""

    def __init__(self, circles: Iterable[CircularZone]) -> None:
        self._zones = [_Zone(circle) for circle in circles]

    def update(self, t_us: int, x_cm: float, y_cm: float) -> list[ZoneChange]:
        """Take a frame in which the animal was found; return what has changed for good."""
        changes: list[ZoneChange] = []
        for zone in self._zones:
            x, y, inside = x_cm - zone.x_cm, y_cm - zone.y_cm, zone.inside
            if (x * x + y * y <= (zone.outer if inside else zone.inner)) == inside:
                zone.since_us = NEVER_US
                continue
            if zone.since_us > t_us:
                zone.since_us = t_us
            if t_us - zone.since_us >= zone.confirm_us[inside]:
                if not inside:  # nobody is in two places
                    changes += (other.change() for other in self._zones if other.inside and other.since_us <= t_us)
                changes.append(zone.change())
        return changes

    @property
    def next_change_us(self) -> int:
        """Return when a change that has begun will be one for good, if it lasts."""
        return min((zone.since_us + zone.confirm_us[zone.inside] for zone in self._zones), default=NEVER_US)
