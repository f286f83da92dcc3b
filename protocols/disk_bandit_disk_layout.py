"""The eight disks on the screen: where they are, and what is shown of them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from protocols.disk_bandit_params import LOCATIONS, RingParams
from rig import ConfigError, Disk, Scene, Touch

CENTER = LOCATIONS
"""The location of a single disk in the middle of the ring."""
OFF_TARGET = -1


class DiskLayout:
    """The disks of one session, around a point in the middle of the screen's width."""

    def __init__(self, params: RingParams, width_cm: float, color_shift: int = 0) -> None:
        self._params = params
        self._x_cm = width_cm / 2
        self._y_cm = params.lowest_cm + (params.disk_cm + params.ring_cm) / 2
        names = list(params.colors)
        self.color_of = {place: names[(place - color_shift) % LOCATIONS] for place in range(LOCATIONS)}
        self.color_of[CENTER] = "white"

    def scene(self, locations: Iterable[int]) -> Scene:
        """Draw the disks at some locations."""
        params = self._params
        items = tuple(self._disk(location) for location in locations)
        return Scene(items=items, background=params.background, hit_margin_cm=params.hit_margin_cm)

    def _disk(self, location: int) -> Disk:
        hue = "#ffffff" if location == CENTER else self._params.colors[self.color_of[location]]
        radius_cm = 0.0 if location == CENTER else self._params.ring_cm / 2
        angle = 2 * math.pi * location / LOCATIONS
        return Disk(
            x_cm=round(self._x_cm + radius_cm * math.sin(angle), 4),
            y_cm=round(self._y_cm + radius_cm * math.cos(angle), 4),
            diameter_cm=self._params.disk_cm,
            color=hue,
            name=f"disk{location}",
        )


def check_on_glass(scene: Scene, width_cm: float, height_cm: float) -> None:
    """Refuse disks that a screen would not show whole. Raises ``ConfigError``."""
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
    """Return at which location a disk was touched; ``OFF_TARGET`` beside all that were shown."""
    return int(touch.on.removeprefix("disk")) if touch.on.startswith("disk") else OFF_TARGET
