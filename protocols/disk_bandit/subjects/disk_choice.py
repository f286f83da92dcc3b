"""Policies of subjects before a screen of disks: visible disks, their values, and the choice of one."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rig.core.model.scene import Button, Disk, Scene, Tile
from sim_hardware.models.base import normal
from sim_hardware.world.body import Body, shown

CENTER = 8
NAMES = tuple(f"disk{place}" for place in range(CENTER + 1))
"""Names of the disks in a scene: 0 is on top, then clockwise, 8 is in the middle of the screen."""
APPEARS = tuple(shown(name).on for name in NAMES)

NEVER = 0.001
"""A disk that never pays has the value of one that pays one peck in a thousand."""


def disks_in(scene: Scene) -> dict[int, Disk]:
    """Return the disks of a scene by place."""
    return {int(item.name[4:]): item for item in scene.items if isinstance(item, Disk) and item.name in NAMES}


class DiskValues(NamedTuple):
    """Schedules by place: today's intervals or probabilities, and the intervals of the session before."""

    vi_s: Mapping[int, float]
    p_reward: Mapping[int, float]
    prev_vi_s: Mapping[int, float]

    @classmethod
    def of(cls, told: Mapping[str, Mapping[str, Any]]) -> DiskValues:
        """Read the protocol's note of the assignment; empty if the protocol has written none."""
        note = told.get("assignment", {})
        return cls(*(_by_place(note.get(name)) for name in cls._fields))

    @classmethod
    def of_session(cls, told: Mapping[str, Mapping[str, Any]], session: int) -> DiskValues:
        """Read a note that lists the intervals of several sessions of one day, counted from 1."""
        sessions = told.get("assignment", {}).get("vi_s", ())
        now, before = (
            _by_place(sessions[number - 1]) if 0 < number <= len(sessions) else {} for number in (session, session - 1)
        )
        return cls(now, {}, before)

    def value(self, of_vi: Callable[[float], float]) -> dict[int, float]:
        """Return the value of each place today: ``of_vi`` of its interval, or the logarithm of its probability."""
        if self.vi_s:
            return {place: of_vi(interval_s) for place, interval_s in self.vi_s.items()}
        return {place: math.log(max(p, NEVER)) for place, p in self.p_reward.items()}

    def previous_value(self, of_vi: Callable[[float], float]) -> dict[int, float]:
        """Return the value of each place in the session before; empty if there are no intervals today."""
        return {place: of_vi(interval_s) for place, interval_s in self.prev_vi_s.items()} if self.vi_s else {}


def log_rate(vi_s: float) -> float:
    """Return the value of an interval: the logarithm of its rate of rewards per second."""
    return -math.log(vi_s)


def _by_place(listed: Sequence[float | None] | None) -> dict[int, float]:
    return {place: value for place, value in enumerate(listed or ()) if value is not None}


class DiskPolicy(ABC):
    """Base class of policies, which choose the next disk."""

    day = DiskValues({}, {}, {})

    def start_session(self, day: DiskValues) -> None:
        """Start a session with its schedules."""
        self.day = day

    @abstractmethod
    def choose(self, body: Body, places: Sequence[int]) -> int:
        """Return one of the places."""

    def update(self, place: int, paid: bool) -> None:  # noqa: B027 - most learn nothing
        """Update the policy with the outcome of a peck."""

    def changeover(self, body: Body, place: int) -> bool:
        """Whether the subject, back from a meal, leaves the place that has paid."""
        return False

    def is_return_due(self, body: Body) -> bool:
        """Whether it is time to return to a place that was left."""
        return False


def touch(body: Body, thing: Disk | Tile | Button, scatter_cm: float) -> None:
    """Touch an item near its center, with a scatter of this SD."""
    body.peck(thing.x_cm + scatter_cm * normal(body.random), thing.y_cm + scatter_cm * normal(body.random))


def draw_by_weight(u: float, places: Sequence[int], weights: Sequence[float]) -> int:
    """Return a place in proportion to the weights, from a uniform ``u``."""
    left = u * sum(weights)
    for place, weight in zip(places, weights, strict=True):
        left -= weight
        if left < 0:
            return place
    # Rounding may leave a rest after the last weight.
    return places[-1]
