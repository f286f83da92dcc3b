"""Sequences on a busy board: how far each entry is from its time, and two of one time from each other."""

from __future__ import annotations

import random
from bisect import bisect_left

from rig.core.model.actions import Load, Pulse, Start
from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.bench import ProbeFactory, open_bench
from rig.diagnostics.timing.load import LoadGenerator, Reflex
from rig.diagnostics.timing.report_rows import Row, times
from rig.diagnostics.timing.wiring import BEAMS, wired

START, APART = {"max": 2_000.0}, {"max": 500.0}
PULSE_US = 200
AHEAD_US = 150_000
"""So long before its time a start is ordered: even on a busy line it arrives."""
LATEST_US = 2_000.0
"""An entry further from its time than this is another one."""
FIRST, TWINS = "center.light", ("left.light", "right.light")
OTHERS = tuple(Reflex(group, beam) for group, beam in enumerate(BEAMS, 1))
PER_REFLEX = 100
"""One sequence for so many reflexes of the other rows."""


async def sequences(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Start sequences of three entries, the last two at the same time."""
    chance = random.Random(f"{seed}/sequences")
    due: list[tuple[float, float]] = []
    async with open_bench(make_probe, wired(chip), seed, heard=frozenset({"speaker.tone"})) as bench:
        busy = LoadGenerator(bench, (), OTHERS, chance)
        for _ in range(max(10, n // PER_REFLEX)):
            later_us = 500 + chance.randrange(5_000)
            entries = [(0, Pulse(FIRST, PULSE_US)), *((later_us, Pulse(twin, PULSE_US)) for twin in TWINS)]
            bench.order(Load(0, tuple(entries)))
            start_us = round(bench.probe.now_us() + AHEAD_US + 1_000 * chance.random())
            bench.order(Start(0, start_us))
            due.append((start_us, start_us + later_us))
            await bench.until(start_us + later_us + 2_000)
        busy.stop()
        await bench.wait(50_000)
    rises = {name: bench.rises(name) for name in (FIRST, *TWINS)}
    errors, apart, missing = [], [], 0
    for first_us, twins_us in due:
        wanted = ((FIRST, first_us), *((twin, twins_us) for twin in TWINS))
        begun = [_near(rises[name], at_us) for name, at_us in wanted]
        found = [(0.0, abs(at - at_us)) for at, (_, at_us) in zip(begun, wanted, strict=True) if at is not None]
        missing += len(wanted) - len(found)
        errors += found
        _, one, other = begun
        if one is not None and other is not None:
            apart.append((0.0, abs(other - one)))
    return [
        times(name, latencies(name, pairs), bounds, missing=lost)
        for name, pairs, bounds, lost in (
            ("sequence, loaded: error of each start", errors, START, missing),
            # A start that is missing counts in the row above.
            ("two of one time: apart", apart, APART, 0),
        )
    ]


def _near(rises: list[float], wanted_us: float) -> float | None:
    """Return the rise of an output at most ``LATEST_US`` from the time at which it was due; None without one."""
    place = bisect_left(rises, wanted_us - LATEST_US)
    return rises[place] if place < len(rises) and rises[place] <= wanted_us + LATEST_US else None
