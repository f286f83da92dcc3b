"""A rat that is filmed on its way: what the tests of everything that looks at pictures share."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from protocols.delay_discounting.subjects.maze_walk import plan_pass, way_back
from rig.core.model.rig_spec import TrackingSpec
from rig.session.spec.build import load_rig_spec
from sim_hardware.world.trajectory import Trajectory, TrajectoryPoint
from sim_hardware.world.video import VideoFrame, VideoOptions, film, write_video


def tracking_of(**fields: Any) -> TrackingSpec:
    """The tracker of the simulated maze whose zones are circles, with some things changed."""
    found = load_rig_spec("sim_t_maze_circles").tracking
    assert found is not None
    return replace(found, **fields)


@cache
def walk(laps: int = 2) -> Trajectory:
    """Laps to one side and the other; on every second one the rat looks to and fro."""
    trajectory, draw, t_s = Trajectory(), random.Random(3), 0.0
    for lap in range(laps):
        side = ("left", "right")[lap % 2]
        way = plan_pass(draw, side, hesitation=3.0 if lap % 2 == 0 else 0.0)
        trajectory.add(*(point._replace(t_s=t_s + point.t_s) for point in way.points))
        t_s += way.points[-1].t_s + 1
        trajectory.add(*way_back(side, way.points[-1]._replace(t_s=t_s), 6.0))
        t_s += 6.0
    return trajectory


def filmed(
    seconds: float = 20.0, how: VideoOptions | None = None, tracking: TrackingSpec | None = None
) -> Iterator[VideoFrame]:
    """Film it from the beginning."""
    return film(walk(), tracking or tracking_of(), 0, seconds, how or VideoOptions())


def standing(*places: tuple[float, float]) -> Trajectory:
    """A rat that is at one place for a second, and then at the next."""
    trajectory = Trajectory()
    for second, (x_cm, y_cm) in enumerate(places):
        trajectory.add(TrajectoryPoint(second, x_cm, y_cm), TrajectoryPoint(second + 0.999, x_cm, y_cm))
    return trajectory


def recorded(folder: Path, seconds: float, hz: float = 60, how: VideoOptions | None = None) -> Path:
    """A video file of it."""
    path = folder / "rat.avi"
    write_video(path, film(walk(), tracking_of(hz=hz), 0, seconds, how or VideoOptions()), hz)
    return path
