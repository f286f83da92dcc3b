"""What the engine of campaigns adds to a session, and what a second process brings.

A session is one job of a campaign: it runs in virtual time and comes back as tables. The rounds of this process and of
others alternate. Two processes need two free cores: rounds in which other programs used more than ``QUIET_CORES``
are repeated; on a machine that is never quiet every round counts, and the note says how many cores they used.
"""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Iterator
from itertools import count

from benchmarks.measure import Measure, Options, Others, in_quiet
from rig.campaigns.condition import Condition, condition_of
from rig.campaigns.session_job import SessionOrder, SessionProduct, run_job
from rig.core.model.rig_spec import SimulationOptions
from rig.jobs.engine import Chain, Engine
from rig.jobs.open_engine import open_engine, process_engine
from rig.session.spec.request import SessionRequest

SESSIONS = 12
ROUNDS = 5
START = datetime.datetime(2026, 1, 5, 9)
_seeds = count(1)


def bandit() -> Condition:
    """Return the condition of a two-armed bandit of 40 minutes with the mouse RFLR."""
    return condition_of(1, SessionRequest(protocol="two_armed_bandit", simulation=SimulationOptions("rflr")))


def orders(condition: Condition, sessions: int) -> Iterator[SessionOrder]:
    """Yield sessions of new subjects, none twice."""
    for seed in (next(_seeds) for _ in range(sessions)):
        yield SessionOrder(condition, "bench", f"m{seed:05d}", 1, seed, START)


def measure(options: Options) -> list[Measure]:
    """Return the measures of two processes, and of one beside this one."""
    condition = bandit()
    with open_engine(1) as here, process_engine(1) as other, open_engine(2) as two:
        for engine in (here, other, two):
            _wall_s(engine, condition)
        found, quiet = in_quiet(lambda: _turn(here, other, two, condition), options.rounds or ROUNDS)
    note = f"{SESSIONS} sessions of 40 min a round on {os.cpu_count()} cores; {quiet}"
    return [
        Measure(
            "sessions of a campaign per second: 2 processes / 1 process",
            tuple(speed for speed, _ in found),
            at_least=1.7,
            note=note,
        ),
        Measure(
            "processor time of a session in a process of its own / in this one",
            tuple(cost for _, cost in found),
            at_most=1.05,
            note="of the other process and of this one, which hands out the jobs",
        ),
    ]


def _turn(here: Engine, other: Engine, two: Engine, condition: Condition) -> tuple[tuple[float, float], float]:
    """Run one round; return the speed of two processes, the cost of another process, and the cores of others."""
    with Others() as others:
        begun_s = time.process_time()
        slow_s = _wall_s(here, condition)
        alone_s = time.process_time() - begun_s
        begun_s, there_s = time.process_time(), _processor_s(other)
        _wall_s(other, condition)
        in_other_s = time.process_time() - begun_s + _processor_s(other) - there_s
        fast_s = _wall_s(two, condition)
    return (slow_s / fast_s, in_other_s / alone_s), others.cores


def _wall_s(engine: Engine, condition: Condition) -> float:
    begun_s = time.perf_counter()
    done = list(engine.run(run_job, map(Chain[SessionOrder, SessionProduct], orders(condition, SESSIONS))))
    assert len(done) == SESSIONS
    return time.perf_counter() - begun_s


def _processor_s(engine: Engine) -> float:
    """Return the processor time of the one process of an engine since its start."""
    [found] = engine.run(_own_processor_s, [Chain(0)])
    return found


def _own_processor_s(order: int) -> float:
    return time.process_time()
