"""How many edges a second a board can report without losing one, to a host that is late."""

from __future__ import annotations

import random
from dataclasses import replace

from rig.core.model.board import Input, Wiring
from rig.diagnostics.timing.bench import ProbeFactory, open_bench
from rig.diagnostics.timing.load import InputToggler
from rig.diagnostics.timing.reflexes import edges_of
from rig.diagnostics.timing.report_rows import Row, figure
from rig.diagnostics.timing.wiring import BEAMS, wired

AT_LEAST = 1_500
LATE_S = 0.004
RATES = (500, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250, 2_500, 2_750, 3_000, 3_500)
"""Of edges a second. A line of 500,000 baud carries 3,846 frames of an edge."""
FOR_US = 1_000_000
STAMP_WITHIN_US = 200
"""An edge further from its stamp than this is another edge."""


async def rate(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Raise the rate of random edges, on inputs that are not filtered, until one is not reported once and rightly."""
    reached = 0
    for per_s in RATES:
        if not await _all_heard(make_probe, chip, per_s, seed):
            break
        reached = per_s
    note = f"of {', '.join(map(str, RATES))} a second on {len(BEAMS)} inputs, {FOR_US / 1e6:g} s each"
    what = f"edges reported without loss, the host {LATE_S * 1000:g} ms late"
    return [figure(what, reached, "a second", at_least=AT_LEAST, note=note)]


def _unfiltered(wiring: Wiring) -> Wiring:
    # A lock-out or a confirmation would drop edges that the board did receive.
    channels = (
        replace(channel, debounce_us=0, confirm_on_us=0) if isinstance(channel, Input) else channel
        for channel in wiring.channels
    )
    return replace(wiring, channels=tuple(channels))


async def _all_heard(make_probe: ProbeFactory, chip: str, per_s: int, seed: int) -> bool:
    chance = random.Random(f"{seed}/rate/{per_s}")
    async with open_bench(make_probe, _unfiltered(wired(chip)), seed, late_s=LATE_S) as bench:
        toggling = InputToggler(bench, BEAMS, chance, 1e6 * len(BEAMS) / per_s)
        await bench.wait(FOR_US)
        toggling.stop()
        # The board may still have to repeat the last events.
        await bench.wait(200_000)
    edges = edges_of(bench)
    return all(
        len(edges[name]) == len(puts)
        and all(
            edge.level == level and abs(edge.t_us - at) <= STAMP_WITHIN_US
            for edge, (at, level) in zip(edges[name], puts, strict=True)
        )
        for name, puts in bench.inputs_driven.items()
    )
