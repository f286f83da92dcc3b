"""How long after an edge its reflex acts on a board that has nothing else to do."""

from __future__ import annotations

import random
from collections.abc import Iterable

from rig.core.model.actions import Pulse
from rig.core.model.board import Input
from rig.core.model.events import Edge
from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.bench import ProbeFactory, TimingBench, open_bench
from rig.diagnostics.timing.expected import ExpectedEvent, expected_events
from rig.diagnostics.timing.load import Reflex
from rig.diagnostics.timing.report_rows import Row, times
from rig.diagnostics.timing.wiring import wired

PULSE_US = 200
ARMED_US = 3_000
"""Within this an order has traveled, and has been executed."""
UNDER_TEST = {
    reflex.channel: reflex
    for reflex in (
        Reflex(1, "left.beam", Pulse("left.valve", PULSE_US), Pulse("left.valve", PULSE_US)),
        Reflex(2, "center.beam", Pulse("center.light", PULSE_US), Pulse("center.light", PULSE_US)),
    )
}
"""Both beams are on one port of the chip."""
LATEST_US = 3_000.0
"""What comes later than this belongs to no reflex: the next one may fire."""
EARLY_US = 20.0
"""A stamp may be so much too early, which its own row judges: a confirmation that is counted from it ends as early."""

AVR_QUIET = {"median": 150.0, "max": 300.0}
QUIET = {"uno": AVR_QUIET, "mega": AVR_QUIET, "pico": {"median": 15.0, "max": 30.0}}


async def quiet(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Run ``n`` reflexes one by one, in random phases, on a board that has nothing else to do."""
    chance = random.Random(f"{seed}/quiet")
    async with open_bench(make_probe, wired(chip), seed) as bench:
        beams = list(UNDER_TEST)
        for turn in range(n):
            beam = beams[turn % len(beams)]
            bench.order(UNDER_TEST[beam].arm())
            await bench.wait(ARMED_US + 1_000 * chance.random())
            # In turn on and off for each beam, so that both members of its group are measured.
            bench.drive_input(beam, 1 - turn // len(beams) % 2)
            await bench.wait(2_500)
    pairs, missing = fired(bench)
    return [
        times(
            "reflex, quiet: input edge to output edge",
            latencies("quiet", pairs),
            QUIET[chip],
            # Edges that the board never reported are missing too: `fired` judges the reported ones only.
            missing=missing + n - len(bench.client.edges),
        )
    ]


def edges_of(bench: TimingBench) -> dict[str, list[Edge]]:
    """Return what the board has reported of every input."""
    edges: dict[str, list[Edge]] = {name: [] for name in bench.inputs_driven}
    for edge in bench.client.edges:
        edges[edge.channel].append(edge)
    return edges


def count_fired(bench: TimingBench) -> int:
    """Return how many edges have fired a reflex under test."""
    return sum(edge.fired > 0 for edge in bench.client.edges if edge.channel in UNDER_TEST)


def known_edges(bench: TimingBench) -> Iterable[ExpectedEvent]:
    """Yield every edge that was reported with what had been done to its input."""
    for name, edges in edges_of(bench).items():
        channel = bench.channels[name]
        if edges and isinstance(channel, Input):
            yield from expected_events(channel, bench.inputs_driven[name], edges)


def fired(bench: TimingBench) -> tuple[list[tuple[float, float]], int]:
    """Return each firing under test with the rise of its output, and the number of firings without one in time."""
    pairs, missing = [], 0
    rises = {name: bench.rises(reflex.on.output) for name, reflex in UNDER_TEST.items() if isinstance(reflex.on, Pulse)}
    next_rise = dict.fromkeys(rises, 0)
    for known_edge in known_edges(bench):
        name = known_edge.edge.channel
        if name not in rises or not known_edge.edge.fired:
            continue
        ups = rises[name]
        place = next_rise[name]
        while place < len(ups) and ups[place] < known_edge.due_us - EARLY_US:
            place += 1
        if place < len(ups) and ups[place] < known_edge.due_us + LATEST_US:
            pairs.append((known_edge.due_us, ups[place]))
            # A rise belongs to one firing: it must not stand in for that of a reflex that failed.
            next_rise[name] = place + 1
        else:
            missing += 1
    return pairs, missing
