"""Plots of waits as data: statements of ``plots.yaml`` for a :class:`tests.rules.probe_task.ProbeTask`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import yaml

from sim_hardware.link_model import LinkFaults
from tests.harness import FaultHarness, bad_link
from tests.rules.probe_task import Plot, ProbeTask, noted, run_plot, with_latency
from tests.session_scripts import MOVES, put, read_moves, subject_of

AGAIN = re.compile(r" (again|a third time|a fourth time)$")


async def wait_for(task: ProbeTask, statement: str) -> Any:
    """Run one wait of a plot; return the edge that it asked for and got."""
    waits, _, within = AGAIN.sub("", statement).partition(" within ")
    verb, *words = waits.split()
    if verb == "sleep":
        await task.sleep(float(words[0]))
        return None
    conditions = [attrgetter(word)(task.box) for word in words]
    if verb == "until":
        await task.until(*conditions)
        return None
    return await task.first(*conditions, **({"within": float(within)} if within else {}))


def outcome(task: ProbeTask, edge: Any) -> str:
    """Return what a wait got as the text of a plot."""
    sign = "-+"
    taken = "" if edge is None else f"{edge.source}{sign[edge.level]} {edge.t_us / 1e6:.9g}"
    at = "" if edge is not None and edge.t_us == task.now_us else f"@ {task.now_us / 1e6:.9g}"
    skipped = [f"{other.source}{sign[other.level]}" for other in task.skipped]
    return " ".join(filter(None, (taken, at, " ".join(["skipped", *skipped]) if skipped else "")))


def plot_of(statements: Mapping[str, str]) -> Plot:
    """Return the coroutine function that runs these waits and notes their outcomes."""

    async def plot(task: ProbeTask) -> None:
        for statement in statements:
            edge = await wait_for(task, statement)
            text = outcome(task, edge)
            task.note(said=f"nothing {text}" if "within" in statement and edge is None else text)

    return plot


def play(case: Mapping[str, Any], link: Mapping[str, Any]) -> FaultHarness:
    """Run the plot of a case over a link."""
    script, faults = read_moves(case["moves"], MOVES)
    cable = {name: value for name, value in link.items() if name not in ("bad", "latency")}
    latency = [with_latency(link["latency"])] if "latency" in link else []
    link_faults = bad_link(link["bad"]) if "bad" in link else LinkFaults(**cable)
    return run_plot(plot_of(case["plot"]), subject_of(script), *latency, *faults, faults=link_faults)


def read_plots(path: Path) -> Iterator[Any]:
    """Yield the cases of a file over each of their links, as parameters of a test."""
    file = yaml.safe_load(path.read_text(encoding="utf-8"))
    for case in file["cases"]:
        for values in case.get("each", [{}]):
            for name in case.get("links", ["good"]):
                shown = " ".join([name, *map(str, values.values())])
                yield pytest.param(put(case, values), file["links"][name], id=f"{case['case']} [{shown}]")


def judge_plot(case: Mapping[str, Any], link: Mapping[str, Any]) -> None:
    """Check that each wait of a plot got what its case says."""
    got = noted(play(case, link))
    assert got == list(case["plot"].values()), got
