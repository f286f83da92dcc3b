"""A host that falls silent: how long after the lease every output is safe, whatever it was doing."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from rig.core.errors import WireError
from rig.core.model.actions import Arm, Load, Order, Pulse, Ramp, Set, Start, Tone, Train
from rig.diagnostics.timing.bench import ProbeFactory, open_bench
from rig.diagnostics.timing.report_rows import Row, figure
from rig.diagnostics.timing.wiring import wired

LEASE_US = 500_000
LATE_MS = 5.0
LONG_US = 900_000
"""Longer than the lease, and shorter than the limit of a valve."""
WATCHED_US = 200_000
PER_REFLEX = 1_000
"""One turn in every state for so many reflexes of the other rows."""

LIGHTS = ("left.light", "center.light", "right.light")

STATES: dict[str, Callable[[str], tuple[Order, ...]]] = {
    "on": lambda output: (Set(output, True),),
    "pulse": lambda output: (Pulse(output, LONG_US),),
    "train": lambda output: (Train(output, 3_000, 7_000, 1_000),),
    # At the expiry this output is off already: its next pulse must not come.
    "gap of a train": lambda output: (Train(output, 1_000, 400_000, 10),),
    "sequence": lambda output: (Load(0, ((0, Pulse(output, 50_000)), (60_000, Pulse(output, LONG_US)))), Start(0)),
    "reflex": lambda output: (Arm(1, None, (("left.beam", 1, Pulse(output, LONG_US)),)),),
}
SOUNDS: dict[str, Callable[[str], tuple[Order, ...]]] = {
    "tone": lambda output: (Tone(output, 3_000, LONG_US),),
    "ramp": lambda output: (Ramp(output, 1_000, 100, 50_000, 60_000, 100),),
}


async def silence(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Stop the host at random times in every state of every output; return the rows of the lease."""
    chance = random.Random(f"{seed}/silence")
    late_us: list[float] = []
    worst = ""
    for turn in range(max(1, n // PER_REFLEX)):
        for output, states in (
            *((name, STATES) for name in (*LIGHTS, "left.valve", "right.valve")),
            ("speaker.tone", SOUNDS),
        ):
            for state, orders in states.items():
                late = await _late_us(make_probe, chip, seed + turn, orders(output), chance)
                if not late_us or late > max(late_us):
                    worst = f"latest: {state} of {output}"
                late_us.append(late)
    what = "host silent: every output safe after the lease"
    return [figure(what, max(late_us) / 1000, "ms", at_most=LATE_MS, n=len(late_us), note=worst)]


async def _late_us(
    make_probe: ProbeFactory, chip: str, seed: int, orders: tuple[Order, ...], chance: random.Random
) -> float:
    wiring = replace(wired(chip), lease_s=LEASE_US / 1e6)
    async with open_bench(make_probe, wiring, seed) as bench:
        for order in orders:
            bench.order(order)
        await bench.wait(150_000 + 100_000 * chance.random())
        if isinstance(orders[0], Arm):
            bench.drive_input("left.beam", 1)
        await bench.wait(5_000)
        bench.line.mute = True
        ends_us = bench.last_write_us() + LEASE_US
        await bench.until(ends_us + WATCHED_US)
        # The close at the end needs the board's answer.
        bench.line.mute = False
        safe_us = bench.all_off_at_us()
    # A board that never switched an output on would otherwise meet the row.
    if not safe_us:
        raise WireError(f"the board did nothing when ordered: {'; '.join(map(str, orders))}")
    return safe_us - ends_us
