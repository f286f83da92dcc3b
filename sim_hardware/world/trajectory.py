"""Trajectory of a virtual animal: the true positions with which a tracker is compared.

The animal adds only the points at which its way bends. Positions in between are interpolated on request, at any rate,
so that no callback runs at the camera's 60 Hz.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

CAMERA_HZ = 60.0


class TrajectoryPoint(NamedTuple):
    """A place in the maze at a time of the session."""

    t_s: float
    x_cm: float
    y_cm: float


class Trajectory:
    """The way of one session: straight lines between points, in the order of time.

    ``on_more`` is called before and after points are added.
    """

    def __init__(self, on_more: Callable[[], None] = lambda: None) -> None:
        self.points: list[TrajectoryPoint] = []
        self.walks = False
        """Whether the subject plans ways with ``add``, and not only jumps between zones."""
        self._on_more = on_more

    def add(self, *points: TrajectoryPoint) -> None:
        """Add points. Raises ``ValueError`` when one is earlier than the last."""
        self.walks = True
        self._append(points)

    def jump(self, there: TrajectoryPoint) -> None:
        """Add a jump: the animal stands still until the time of a point, and then is there."""
        self._append([there._replace(x_cm=x_cm, y_cm=y_cm) for _, x_cm, y_cm in self.points[-1:]] + [there])

    def _append(self, points: Iterable[TrajectoryPoint]) -> None:
        # Before as well: a camera's frames until now follow the way as it was.
        self._on_more()
        for point in points:
            if self.points and point.t_s < self.points[-1].t_s:
                raise ValueError(
                    f"points must be in the order of time: {point.t_s:g} s follows {self.points[-1].t_s:g} s"
                )
            self.points.append(point)
        self._on_more()

    def stop(self, t_s: float) -> TrajectoryPoint:
        """Remove the way after a time; return the position at that time."""
        here = TrajectoryPoint(t_s, *self.at(t_s))
        del self.points[bisect_right(self.points, t_s, key=lambda point: point.t_s) :]
        self.points.append(here)
        self._on_more()
        return here

    def at(self, t_s: float) -> tuple[float, float]:
        """Return the animal's position; before the first point and after the last it stands still."""
        after = bisect_right(self.points, t_s, key=lambda point: point.t_s)
        if after == 0 or after == len(self.points):
            _, x_cm, y_cm = self.points[0 if after == 0 else -1]
            return x_cm, y_cm
        before, then = self.points[after - 1], self.points[after]
        part = (t_s - before.t_s) / (then.t_s - before.t_s)
        return before.x_cm + part * (then.x_cm - before.x_cm), before.y_cm + part * (then.y_cm - before.y_cm)

    def samples(
        self, from_s: float, until_s: float, hz: float = CAMERA_HZ, noise_cm: float = 0.0, seed: int = 0
    ) -> Iterator[TrajectoryPoint]:
        """Yield positions at a camera's rate; the noise of a frame does not depend on which frames are requested."""
        frame = int(from_s * hz)
        while frame / hz < until_s:
            t_s = frame / hz
            if t_s >= from_s:
                x_cm, y_cm = self.at(t_s)
                draw = random.Random(f"{seed}/{frame}") if noise_cm else None
                shake = (draw.gauss(0, noise_cm), draw.gauss(0, noise_cm)) if draw is not None else (0.0, 0.0)
                yield TrajectoryPoint(t_s, x_cm + shake[0], y_cm + shake[1])
            frame += 1
