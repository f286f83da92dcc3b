"""Whole sessions of virtual subjects on simulated rigs, judged by all rules."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rig.core.model.rig_spec import SimulationOptions
from rig.expectations.finding import Finding, Severity
from rig.expectations.monitor import ExpectationMonitor
from rig.session.run.run_session import simulation_options
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from rig.testing.harness import SessionHarness

Arrange = Callable[[SessionHarness], object]


class Setting(NamedTuple):
    """A protocol, its virtual subject, and the rig if it is not the usual one."""

    protocol: str
    model: str
    rig: str | None = None


def run_judged(
    setting: Setting,
    seed: int,
    *,
    arrange: Arrange = lambda harness: None,
    cut: Sequence[str] = (),
    faults: Mapping[str, float] | None = None,
    sets: Sequence[str] = (),
) -> list[Finding]:
    """Run a session to its end, whatever happens, and return all that is found in its journal but the notes."""
    simulation = SimulationOptions(setting.model, seed=seed, cut=frozenset(cut), faults=faults or {})
    request = SessionRequest(setting.protocol, setting.rig, sets, "sim", subject="m1", seed=seed, simulation=simulation)
    spec = replace(build_spec(request), simulated=True)
    with tempfile.TemporaryDirectory() as folder:
        positions = None if spec.plan.tracking is None else Path(folder)
        harness = SessionHarness(spec, rehearsal=simulation_options(spec), folder=positions)
        harness.run(arrange=arrange, keep_error=True)
    monitor = ExpectationMonitor()
    for line in harness.journal:
        monitor.take(line)
    monitor.end()
    return [finding for finding in monitor.findings if finding.severity is not Severity.NOTE]


BANDIT = Setting("two_armed_bandit", "rflr")
MAZE = Setting("delay_discounting", "rat")
TRACKED = Setting("delay_discounting", "rat", "sim_t_maze_tracked")
DISKS = Setting("disk_bandit", "pigeon")

CLEAN = (
    *(Setting("two_armed_bandit", model) for model in ("rflr", "fq", "q", "logistic", "sticky_hmm", "hmm", "wsls")),
    *(
        Setting(f"two_armed_bandit_{name}", "rflr")
        for name in (
            *("90-10", "70-30", "as_run", "stage1", "stage2", "stage3", "stage4", "stage5"),
            *("2017_phase0", "2017_phase1", "2017_phase2"),
        )
    ),
    Setting("two_armed_bandit", "random"),
    MAZE,
    Setting("delay_discounting_exp1", "rat"),
    Setting("delay_discounting_blocked", "rat"),
    TRACKED,
    Setting("delay_discounting", "rat", "sim_t_maze_circles"),
    *(Setting("disk_bandit", model) for model in ("pigeon", "uniform", "greedy", "melioration")),
    *(
        Setting(f"disk_bandit_{name}", "pigeon")
        for name in ("autoshaping", "single", "rr", "vi_short", "one_of_eight", "eliminate")
    ),
    Setting("disk_bandit_human", "human"),
    *(Setting(name, "gp_pos") for name in ("grid_bandit", "risky_bandit", "risky_bandit_exp2")),
)
"""The shipped protocols with their subjects: nothing is wrong in any of their sessions."""
