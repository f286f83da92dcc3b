"""A sync code on a busy board: how far each edge is from the time that the host computes for it."""

from __future__ import annotations

import random

from rig.boards.client import BoardListener
from rig.core.journal.kinds import BatchDone, OutputDone
from rig.core.model.actions import Code
from rig.core.model.sync_code import signal_edges
from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.bench import ProbeFactory, open_bench
from rig.diagnostics.timing.load import LoadGenerator
from rig.diagnostics.timing.reflexes import UNDER_TEST
from rig.diagnostics.timing.report_rows import Row, times
from rig.diagnostics.timing.under_load import OTHERS, Pulses
from rig.diagnostics.timing.wiring import wired

# An edge waits for the interrupts of pins that come first, and for the end of another pulse.
EDGE = {"p99.9": 60.0}
SIGNAL = Code("right.light", period_us=200_000, bit_us=5_000, bits=32, seed=1)
"""With the shortest bits that a rig file may ask for."""
EDGES_PER_REFLEX = 0.3
"""The number of edges for each reflex of the other rows."""
FEWEST = 50


async def sync_codes(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Send sync codes from a board that is as busy as in `under_load`."""
    chance = random.Random(f"{seed}/sync codes")
    async with open_bench(make_probe, wired(chip), seed, heard=frozenset({"speaker.tone"})) as bench:
        begun = _Begun()
        bench.client.listen(begun)
        bench.order(SIGNAL)
        busy = LoadGenerator(bench, tuple(UNDER_TEST.values()), OTHERS, chance)
        pulses = Pulses(bench, chance)
        while len(bench.changes(SIGNAL.output)) < max(FEWEST, n * EDGES_PER_REFLEX):
            await bench.wait(SIGNAL.period_us)
        busy.stop()
        loaded_until_us = bench.probe.now_us()
        await pulses.stop()
    changes = [change for change in bench.changes(SIGNAL.output) if change.t_us < loaded_until_us]
    edges = signal_edges(SIGNAL.period_us, SIGNAL.bit_us, SIGNAL.bits, SIGNAL.seed)
    wanted = [(begun.t_us + after_us, level) for _, (after_us, level, _) in zip(changes, edges, strict=False)]
    pairs = [
        (0.0, abs(change.t_us - at_us))
        for change, (at_us, level) in zip(changes, wanted, strict=True)
        if change.value == level
    ]
    what = f"sync code of bits of {SIGNAL.bit_us / 1000:g} ms, loaded: error of each edge"
    return [times(what, latencies(what, pairs), EDGE, missing=len(wanted) - len(pairs), note=str(bench.losses()))]


class _Begun(BoardListener):
    """The time at which the first batch was executed."""

    t_us: int = -1

    def on_done(self, done: BatchDone | OutputDone) -> None:
        """Record the time of the first batch."""
        if isinstance(done, BatchDone) and self.t_us < 0:
            self.t_us = done.t_us
