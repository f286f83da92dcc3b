"""Layout of the eight disks on the screen: positions and colors."""

from __future__ import annotations

import math
from collections.abc import Iterable

from protocols.disk_bandit.params import LOCATIONS, RingParams
from rig import ConfigError, Disk, Scene, Touch

CENTER = LOCATIONS
"""The location of a single disk in the middle of the ring."""
OFF_TARGET = -1


class DiskLayout:
    """The disks of one session, in a ring around the middle of the screen's width."""

    def __init__(self, params: RingParams, width_cm: float, color_shift: int = 0) -> None:
        self._params = params
        self._x_cm = width_cm / 2
        # Half a ring and half a disk above the lower edge of the lowest disk.
        self._y_cm = params.lowest_cm + (params.disk_cm + params.ring_cm) / 2
        names = list(params.colors)
        self.color_of = {place: names[(place - color_shift) % LOCATIONS] for place in range(LOCATIONS)}
        self.color_of[CENTER] = "white"

    def scene(self, locations: Iterable[int]) -> Scene:
        """Return the scene with the disks at these locations."""
        params = self._params
        items = tuple(self._disk(location) for location in locations)
        return Scene(items=items, background=params.background, hit_margin_cm=params.hit_margin_cm)

    def _disk(self, location: int) -> Disk:
        hue = "#ffffff" if location == CENTER else self._params.colors[self.color_of[location]]
        radius_cm = 0.0 if location == CENTER else self._params.ring_cm / 2
        # From the top clockwise, as the paper numbers the disks (Racey et al. 2011).
        angle = 2 * math.pi * location / LOCATIONS
        return Disk(
            x_cm=round(self._x_cm + radius_cm * math.sin(angle), 4),
            y_cm=round(self._y_cm + radius_cm * math.cos(angle), 4),
            diameter_cm=self._params.disk_cm,
            color=hue,
            name=f"disk{location}",
        )


def check_on_glass(scene: Scene, width_cm: float, height_cm: float) -> None:
    """Check that all disks are on the screen as a whole. Raises ``ConfigError``."""
    for disk in (item for item in scene.items if isinstance(item, Disk)):
        aside_cm = abs(disk.x_cm - width_cm / 2) + disk.diameter_cm / 2 - width_cm / 2
        above_cm = disk.y_cm + disk.diameter_cm / 2 - height_cm
        beyond_cm = max(aside_cm, above_cm)
        if beyond_cm > 0:
            raise ConfigError(
                f"params: {disk.name} is {beyond_cm:.1f} cm beyond the screen, which is {width_cm:.1f} by "
                f"{height_cm:.1f} cm: make ring_cm, disk_cm or lowest_cm smaller"
            )


def disk_of(touch: Touch) -> int:
    """Return the location of the touched disk; ``OFF_TARGET`` beside all shown disks."""
    return int(touch.on.removeprefix("disk")) if touch.on.startswith("disk") else OFF_TARGET
