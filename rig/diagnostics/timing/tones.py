"""Tones: the frequency that is made, from every edge of the speaker's pin."""

from __future__ import annotations

from rig.boards.chips import CHIPS
from rig.core.model.actions import Tone
from rig.diagnostics.timing.bench import ProbeFactory, open_bench
from rig.diagnostics.timing.report_rows import Row, figure, unmeasured
from rig.diagnostics.timing.wiring import wired

HZ = (440, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 20_000)
TONE_US = 200_000
WHAT = "tone: error of its frequency"


async def tones(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Run tones of many frequencies; return the row that compares them with the ordered ones."""
    async with open_bench(make_probe, wired(chip), seed) as bench:
        played = []
        for hz in HZ:
            bench.order(Tone("speaker.tone", hz, TONE_US))
            since_us = bench.probe.now_us()
            await bench.wait(TONE_US + 20_000)
            played.append([change for change in bench.changes("speaker.tone") if change.t_us >= since_us])
    # The board in Python makes no waveform: its speaker's value is the frequency.
    if any(change.value > 1 for changes in played for change in changes):
        return [unmeasured(WHAT, "this board's speaker is told the frequency")]
    made, on_parts = [], []
    for changes in played:
        rises = [change.t_us for change in changes if change.value]
        falls = [change.t_us for change in changes if not change.value]
        # Over all periods: one half period is whole ticks, and the frequency is exact only on average.
        periods = len(rises) - 1
        made.append(1e6 * periods / (rises[-1] - rises[0]))
        on_us = sum(fall - rise for rise, fall in zip(rises[:periods], falls[:periods], strict=True))
        on_parts.append(on_us / (rises[-1] - rises[0]))
    worst = max(100 * abs(got / hz - 1) for hz, got in zip(HZ, made, strict=True))
    told = ", ".join(f"{hz}: {got:.1f}" for hz, got in zip(HZ, made, strict=True))
    shape = f"square, on {100 * min(on_parts):.1f} to {100 * max(on_parts):.1f} % of the time"
    note = f"{shape}; Hz asked and made: {told}"
    return [figure(WHAT, worst, "%", at_most=CHIPS[chip].tone_error_percent, n=len(HZ), note=note)]
