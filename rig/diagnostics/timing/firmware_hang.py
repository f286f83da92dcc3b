"""A firmware that hangs: how long until the outputs are safe, and whether the host is told why."""

from __future__ import annotations

import random

from rig.core.model.actions import Pulse, Set, Tone
from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.bench import ProbeFactory, open_bench
from rig.diagnostics.timing.report_rows import Row, times, unmeasured
from rig.diagnostics.timing.wiring import wired

# The firmware's watchdog interrupts after 125 ms; with interrupts off only its reset, at 250 ms, helps.
BOUND = {"max": 300_000.0}
PER_REFLEX = 500
"""One hang for so many reflexes of the other rows."""
WATCHED_US = 600_000
ON = (
    Set("left.light", True),
    Set("right.light", True),
    Pulse("left.valve", 950_000),
    Tone("speaker.tone", 2_000, 5_000_000),
)


async def hangs(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Run hangs at random times with all outputs on, with and without interrupts; return their rows."""
    return [
        await _hung(make_probe, chip, max(2, n // PER_REFLEX), seed, interrupts=interrupts)
        for interrupts in (True, False)
    ]


async def _hung(make_probe: ProbeFactory, chip: str, n: int, seed: int, *, interrupts: bool) -> Row:
    what = f"hang, interrupts {'on' if interrupts else 'off'}: outputs safe"
    chance = random.Random(f"{seed}/hangs/{interrupts}")
    pairs: list[tuple[float, float]] = []
    told: set[str] = set()
    for turn in range(n):
        async with open_bench(make_probe, wired(chip), seed + turn) as bench:
            if not bench.probe.can_hang:
                return unmeasured(what, "this board has no program that could hang")
            for order in ON:
                bench.order(order)
            await bench.wait(50_000 + 200_000 * chance.random())
            hung_us = bench.probe.hang(interrupts=interrupts)
            await bench.until(hung_us + WATCHED_US)
            pairs.append((hung_us, bench.all_off_at_us()))
            told.add("nothing" if bench.client.fault is None else bench.client.fault.detail)
    missing = sum("WATCHDOG" not in why.upper() for why in told)
    return times(
        what, latencies(what, pairs), BOUND, missing=missing, note=f"the host is told: {'; '.join(sorted(told))}"
    )
