"""Cost of tracking: a simulated session with and without positions, and LED detection in a video."""

from __future__ import annotations

import datetime
import random
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options, interleaved
from protocols.delay_discounting.subjects.maze_walk import plan_pass
from rig.camera.frames import open_frames
from rig.camera.led import LedFinder
from rig.core.model.rig_spec import SimulationOptions, TrackingSpec
from rig.session.run.run_session import run_session
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from sim_hardware.world.trajectory import Trajectory
from sim_hardware.world.video import VideoOptions, film, write_video

SEEDS = (1, 2, 3)
FILM_S = 10.0
START = datetime.datetime(2026, 11, 21, 9)


def _cost(spec: SessionSpec, seed: int) -> float:
    with TemporaryDirectory() as folder:
        start = time.process_time()
        request = SessionRequest(
            data=Path(folder), subject="R1", seed=seed, start=START, simulation=SimulationOptions("rat", seed=seed)
        )
        run_session(replace(spec, request=request))
        return time.process_time() - start


def _film(folder: Path, tracking: TrackingSpec) -> str:
    """Write a video of a rat that runs, pauses and looks around: with noise, a reflection, dropped and dark frames."""
    trajectory = Trajectory()
    trajectory.add(*plan_pass(random.Random(1), "left", hesitation=3).points)
    write_video(folder / "rat.avi", film(trajectory, tracking, 0, FILM_S, VideoOptions()), tracking.hz)
    return str(folder / "rat.avi")


def _shares(tracking: TrackingSpec, rounds: int) -> list[float]:
    """Return the share of a core needed to read a video at its frame rate and find the LED."""
    shares = []
    for _ in range(rounds):
        finder, capture, frame = LedFinder(tracking), open_frames(tracking), 0
        start = time.process_time()
        while capture.grab():
            finder.find(frame, capture.retrieve()[1])
            frame += 1
        shares.append((time.process_time() - start) * tracking.hz / frame)
    return shares


def measure(options: Options) -> list[Measure]:
    """Return measures of the session with and without positions, and of the LED detection."""
    tracked, untracked = (
        build_spec(SessionRequest("delay_discounting", f"sim_t_maze{rig}")) for rig in ("_tracked", "")
    )
    # Warm-up: imports and caches are not the cost of a session.
    _cost(untracked, 0)
    sessions = interleaved(
        lambda seed: _cost(tracked, seed), lambda seed: _cost(untracked, seed), options.seeds or SEEDS
    )
    tracking = tracked.plan.tracking
    assert tracking is not None
    with TemporaryDirectory() as folder:
        tracking = replace(tracking, source=_film(Path(folder), tracking))
        shares = _shares(tracking, options.rounds or 3)
    note = f"{tracking.width_px}x{tracking.height_px}, MJPG, decoded; noise, a reflection, dropped and dark frames"
    return [
        Measure("a simulated hour with positions at 60 Hz / the same without", tuple(sessions), at_most=12),
        Measure(
            "reading a video at 60 Hz and finding the LED, share of a core", tuple(shares), at_most=0.25, note=note
        ),
    ]
