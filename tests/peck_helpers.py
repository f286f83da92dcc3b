"""A rig with a screen and a hopper's place, a ring of eight disks, and a task that counts pecks on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rig.config import rig_file_model
from rig.core.model.events import Touch
from rig.core.model.rows import Row
from rig.core.model.scene import Disk, Scene
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from rig.devices import Touchscreen
from rig.devices.kinds import installed_kinds
from rig.session.spec.read_rig import Rig

COLORS = ("#ff0000", "#ffff00", "#ffc0cb", "#00ff00", "#00008b", "#ffa500", "#808080", "#add8e6")
"""From the top clockwise: red, yellow, pink, green, dark blue, orange, gray, light blue."""


def screen_rig(screen: Mapping[str, Any] | None = None, devices: Mapping[str, Any] | None = None) -> Rig:
    """Describe a rig with a screen; the names are those of a rig file."""
    file = rig_file_model(installed_kinds()).model_validate(
        {
            "boards": {"sim": {"driver": "sim"}},
            "devices": devices or {"mark": {"kind": "light", "pin": 13}},
            "screen": {"px_per_cm": 26.2, "pointer": "any", "full_screen": False, **(screen or {})},
        }
    )
    return Rig("chamber", file, {}, ())


def ring(x_cm: float = 15.27, y_cm: float = 8.0, margin_cm: float = 0.25) -> Scene:
    """Draw eight disks of 2 cm, opposite ones 8 cm apart, the lowest 3 cm above the lower edge."""
    disks = [
        Disk(
            x_cm=x_cm + 4 * math.sin(math.radians(45 * place)),
            y_cm=y_cm + 4 * math.cos(math.radians(45 * place)),
            diameter_cm=2,
            color=color,
            name=f"disk{place}",
        )
        for place, color in enumerate(COLORS)
    ]
    return Scene(items=tuple(disks), hit_margin_cm=margin_cm)


RING = ring()


@dataclass
class Chamber:
    """A screen and nothing else."""

    screen: Touchscreen


@dataclass
class Peck(Row):
    """One peck: where it was, and when."""

    on: str = ""
    t_us: int = 0
    in_margin: bool = False


class Pecking(Task[TaskParams, Chamber, Peck]):
    """Shows the ring and writes a row for each peck; after a peck on disk 0 the screen is dark for a second."""

    @state(to=("peck",))
    async def show(self) -> Next:
        """Show the ring and wait until it is there."""
        self.box.screen.show(RING)
        await self.first(self.box.screen.appeared)
        return self.peck

    @state(to=("peck", "show"), can_end=True)
    async def peck(self) -> Next:
        """Wait for a peck."""
        peck: Touch = await self.first(self.box.screen.pecked)
        self.begin_trial(Peck(peck.on, peck.t_us, peck.in_margin))
        self.end_trial()
        if peck.on != "disk0":
            return self.peck
        self.box.screen.clear()
        await self.sleep(1.0)
        self.note(passed=len(self.skipped_touches))
        return self.show


class Hovering(Task[TaskParams, Chamber, Peck]):
    """Shows the ring, and writes a row for each item under the pointer; after a peck it reads nothing for a second."""

    @state(to=("look",))
    async def show(self) -> Next:
        """Show the ring."""
        self.box.screen.show(RING.model_copy(update={"hover": True}))
        await self.first(self.box.screen.appeared)
        return self.look

    @state(to=("look",), can_end=True)
    async def look(self) -> Next:
        """Wait for the pointer, or a peck."""
        event = await self.first(self.box.screen.hovered, self.box.screen.pecked)
        self.begin_trial(Peck(f"{event.on} {self.hovering}", event.t_us))
        self.end_trial()
        if isinstance(event, Touch):
            await self.sleep(1.0)
            self.note(hovering=self.hovering)
        return self.look
