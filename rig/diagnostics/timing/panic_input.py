"""A press of the panic button: how long until every output of a busy board is off."""

from __future__ import annotations

import random
from dataclasses import replace

from rig.core.model.actions import Pulse, Set, Train
from rig.core.model.board import PanicInput, Wiring
from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.bench import ProbeFactory, TimingBench, open_bench
from rig.diagnostics.timing.load import LoadGenerator, Reflex
from rig.diagnostics.timing.reflexes import UNDER_TEST
from rig.diagnostics.timing.report_rows import Row, times
from rig.diagnostics.timing.wiring import BEAMS, wired

WHAT = "panic input to all outputs low, under full load"
BOUND = {"max": 100.0}
PIN = 2
"""An input of either chip that nothing else is wired to."""
PER_REFLEX = 10
"""One press for so many reflexes of the other rows."""
PRESSED_US = 1_000
WATCHED_US = 20_000
PATIENCE_S = 1.0
"""The report comes behind all events that a busy board has kept."""
ON = (Set("right.light", True), Pulse("right.valve", 950_000), Train("left.light", 300, 700, 60_000))
OTHERS = tuple(Reflex(group, beam) for group, beam in enumerate(BEAMS[2:], 3))


async def panics(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Press the button at random times while everything is on, for a millisecond; return the row."""
    chance = random.Random(f"{seed}/panics")
    wiring = replace(wired(chip), panic=PanicInput("bench", PIN))
    pairs: list[tuple[float, float]] = []
    untold = 0
    for turn in range(max(2, n // PER_REFLEX)):
        pressed_us, safe_us, told = await _press(make_probe, wiring, seed + turn, chance)
        pairs.append((pressed_us, safe_us))
        untold += not told
    return [times(WHAT, latencies(WHAT, pairs), BOUND, missing=untold, note=f"{len(ON) + 3} outputs")]


async def _press(
    make_probe: ProbeFactory, wiring: Wiring, seed: int, chance: random.Random
) -> tuple[float, float, bool]:
    async with open_bench(make_probe, wiring, seed) as bench:
        for order in ON:
            bench.order(order)
        busy = LoadGenerator(bench, tuple(UNDER_TEST.values()), OTHERS, chance)
        await bench.wait(50_000 + 50_000 * chance.random())
        on = _on(bench)
        pressed_us = bench.probe.drive(PIN, 1)
        await bench.wait(PRESSED_US)
        bench.probe.drive(PIN, 0)
        busy.stop()
        await bench.wait(WATCHED_US)
        told = await bench.client.pressed_panic(PATIENCE_S)
        # Without a change after the press, the last outputs went off on their own just before.
        return pressed_us, max(bench.all_off_at_us(), pressed_us), told and on


def _on(bench: TimingBench) -> bool:
    return bool(bench.changes("right.valve") and bench.changes("right.valve")[-1].value)
