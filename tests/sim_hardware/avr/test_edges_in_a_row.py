"""Edges of inputs that come in a row, and an edge of a sync code that is due among them."""

import pytest

from rig.boards.chips import AVRS
from rig.core.model.actions import Code
from rig.diagnostics.timing.bench import TimingBench, open_bench
from rig.diagnostics.timing.sync_code import EDGE
from rig.diagnostics.timing.wiring import BEAMS, wired
from sim_hardware import loop
from sim_hardware.avr.pin_probe import AvrProbe

BIT_US = 10_000
SQUARE = Code("right.light", 2 * BIT_US, BIT_US, 0, 0)
BEFORE_US = (62, 45, 31, 19, 4, -11, -25, -38)
"""When the edges come before the code's edge. In the next row all come ``SHIFT_US`` earlier.

The chip handles an edge in 22 to 27 us, and meanwhile the next one comes. Interrupts of pins have priority over that of
the timer, which is requested 50 us before the code's edge.
"""
SHIFT_US, ROWS = 4, 8


@pytest.mark.parametrize("kind", AVRS)
def test_edges_in_a_row_do_not_delay_an_edge_of_a_sync_code(kind: str) -> None:
    async def main() -> tuple[float, TimingBench]:
        async with open_bench(
            lambda wiring, seed, heard=frozenset(): AvrProbe(kind, wiring.channels, seed=seed), wired(kind), 1
        ) as bench:
            bench.order(SQUARE)
            await bench.wait(1.5 * BIT_US)
            first_us = bench.changes(SQUARE.output)[0].t_us
            for nth in range(1, ROWS + 1):
                for beam, before_us in zip(BEAMS, BEFORE_US, strict=True):
                    await bench.until(first_us + nth * BIT_US - before_us - SHIFT_US * (nth - 1))
                    bench.drive_input(beam, nth % 2)
            await bench.wait(BIT_US / 2)
        return first_us, bench

    first_us, bench = loop.run(main(), t_max=10)
    late_us = [change.t_us - first_us - nth * BIT_US for nth, change in enumerate(bench.changes(SQUARE.output))]
    assert len(late_us) > ROWS
    assert max(late_us[: ROWS + 1]) < EDGE["p99.9"], late_us
