"""Virtual rats day after day on the T-maze, tracked by an overhead camera, as the shipped analysis takes them."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from protocols.delay_discounting.analysis.laps import Laps, of_rows
from protocols.delay_discounting.analysis.track import DerivativeWindow, passes, track
from rig.analysis.common.arrays import Flags
from rig.core.task.random_streams import session_seed
from sim_hardware.driver import make_model
from sim_hardware.world.trajectory import Trajectory, TrajectoryPoint
from tests.harness import run_harness
from tests.session_specs import protocol_spec, session_spec

DAYS = 30
HEAD_NOISE_CM = 0.15
MARGIN_S = 1.5
"""The analysis looks at the positions of a pass, and of so long before and after it at most."""
LEANS_CM = 3.0
"""A head that is so far from the middle of the stem looks down an arm; its noise does not take it there."""


class Day(NamedTuple):
    """A rat's session, as the analysis takes it, and if it was tracked the laps on which it truly looked about."""

    laps: Laps
    looked: Flags


def ran(protocol: str, rats: int, campaign_seed: int, *, tracked: bool = True) -> list[Day]:
    """Let rats run their thirty days, each rat in a process."""
    names = [f"R{number}" for number in range(rats)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(rats, os.cpu_count() or 1), spawn) as pool:
        return list(chain.from_iterable(pool.map(partial(days_of, protocol, campaign_seed, tracked=tracked), names)))


def days_of(protocol: str, campaign_seed: int, rat: str, *, days: int = DAYS, tracked: bool = True) -> list[Day]:
    """Let a rat run its days in order, each beginning with what the one before has left."""
    carried_over: dict[str, Any] = {}
    found = []
    for day in range(days):
        seed = session_seed(campaign_seed, rat, day)
        harness = run_harness(
            session_spec(protocol_spec(protocol), seed, carried_over), model=make_model("rat", {}), seed=seed
        )
        assert harness.footer.reason in ("trial_limit", "time_limit")
        carried_over = harness.footer.carry_over
        laps, way = of_rows(f"{rat}/{day:02}", rat, harness.rows), harness.rig.body.trajectory
        found.append(seen(laps, way, seed) if tracked else Day(laps, np.zeros(laps.trials, bool)))
    return found


def seen(laps: Laps, way: Trajectory, seed: int) -> Day:
    """Judge a session's passes by what a camera would have seen of them."""
    spans = list(zip(laps.choice_enter_s, laps.choice_exit_s, strict=True))
    frames = np.array([*chain.from_iterable(_frames(way, enter, leave, seed) for enter, leave in spans)])
    judged = laps.with_passes(passes(track(*frames.T), laps.choice_enter_s, laps.choice_exit_s, DerivativeWindow()))
    return Day(judged, np.array([_looks(way, enter, leave) for enter, leave in spans]))


def _frames(way: Trajectory, enter_s: float, leave_s: float, seed: int) -> Iterator[TrajectoryPoint]:
    return way.samples(enter_s - MARGIN_S, leave_s + MARGIN_S, noise_cm=HEAD_NOISE_CM, seed=seed)


def _looks(way: Trajectory, enter_s: float, leave_s: float) -> bool:
    """Tell whether the rat's head was on either side of the stem on its way past the choice point."""
    across = [point.x_cm for point in way.samples(enter_s, leave_s)]
    return min(across) < -LEANS_CM and max(across) > LEANS_CM
