"""Cost of a simulated session through the full stack, relative to the same session as a SimPy model.

Both draw from the same random streams. In every round both must give the same edges and outputs at the same
microseconds. The full stack sends every byte over the simulated wire, 0.5 ms each way, and writes every journal line
with its checksum. The model writes one line per edge and output. It runs a second time on a loop of its own, the
shortest that runs it: what a session costs beyond the model is the instrument, and not SimPy.

A session in a campaign has its folder, its tables and its summary, too. Its mouse is not bound to whole microseconds,
so its trace is another one.
"""

from __future__ import annotations

import datetime
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import simpy

from benchmarks import plain_loop, simpy_model, stack
from benchmarks.measure import Measure, Options, interleaved
from rig.cli.run_and_save import run_and_save
from rig.core.model.rig_spec import SimulationOptions
from rig.session.spec.request import SessionRequest

SEEDS = (1, 2, 3, 4, 5, 6, 7)
# The first session pays for imports and caches, which are not the cost of a session.
WARM_UP_S = 60
AT_MOST = 5


class Pair:
    """The same session in both implementations, measured in processor time."""

    def __init__(self) -> None:
        self.trials = 0
        self._trace: stack.Trace = []

    def full_stack(self, seed: int, session_s: float = stack.SESSION_S) -> float:
        """Run the full stack; return its processor time in seconds."""
        with TemporaryDirectory() as folder:
            start = time.process_time()
            run = stack.run(seed, Path(folder), session_s)
            cost = time.process_time() - start
        self._trace = run.trace
        self.trials += run.outcome.rows
        return cost

    def model(self, seed: int, session_s: float = stack.SESSION_S) -> float:
        """Run the SimPy model; return its processor time in seconds. Raises ``RuntimeError`` if the traces differ."""
        return self._model(seed, session_s, simpy)

    def model_on_plain_loop(self, seed: int) -> float:
        """Run the model without SimPy, and compare as `model` does."""
        return self._model(seed, stack.SESSION_S, plain_loop)

    def _model(self, seed: int, session_s: float, kernel: ModuleType) -> float:
        trace, cost = _simulate(seed, session_s, kernel)
        if trace != self._trace:
            raise RuntimeError(f"seed {seed}: the model and the full stack have different edges or outputs")
        return cost


class Campaign:
    """Sessions of new subjects with one specification, as a campaign runs them."""

    def __init__(self, data: Path) -> None:
        request = SessionRequest(data=data, start=datetime.datetime(2026, 11, 21, 9))
        self._spec = stack.spec_of(request, stack.SESSION_S)

    def session(self, seed: int) -> float:
        """Run a session; return its processor time in seconds."""
        start = time.process_time()
        simulation = SimulationOptions("rflr", seed=seed)
        request = replace(self._spec.request, subject=f"sim{seed:03d}", seed=seed, simulation=simulation)
        run_and_save(replace(self._spec, request=request))
        return time.process_time() - start


def _simulate(
    seed: int, session_s: float = stack.SESSION_S, kernel: ModuleType = simpy
) -> tuple[simpy_model.Trace, float]:
    with TemporaryDirectory() as folder:
        start = time.process_time()
        with (Path(folder) / "trace.csv").open("w") as log:
            trace = simpy_model.simulate(seed, log, session_s, kernel)
        return trace, time.process_time() - start


def measure(options: Options) -> list[Measure]:
    """Return the measure of every seed, run once in each implementation."""
    seeds = options.seeds or SEEDS
    pair = Pair()
    pair.full_stack(0, WARM_UP_S)
    pair.model(0, WARM_UP_S)
    pair.trials = 0
    rounds = seeds * (options.rounds or 1)
    ratios = interleaved(pair.full_stack, pair.model, rounds)
    trials = pair.trials / len(ratios)
    note = f"{len(seeds)} seeds, {trials:.0f} trials a session, every list of edges and outputs identical"
    found = [Measure("a simulated 40-minute session / the same in SimPy", tuple(ratios), at_most=AT_MOST, note=note)]
    ratios = interleaved(pair.full_stack, pair.model_on_plain_loop, rounds)
    found.append(Measure("a simulated 40-minute session / the same on a plain loop", tuple(ratios)))
    with TemporaryDirectory() as data:
        campaign = Campaign(Path(data))
        campaign.session(0)
        ratios = interleaved(campaign.session, lambda seed: _simulate(seed)[1], seeds * (options.rounds or 1))
    what = "a 40-minute session in a campaign, tables and all / the same in SimPy"
    return [*found, Measure(what, tuple(ratios), at_most=AT_MOST)]
