"""How long the lease, the panic input and all-off take to end all outputs while the inputs change all the time."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Pulse
from tests.contracts.noise import CYCLES_PER_MS, CYCLES_PER_US, Change, Signal, cycles, signal, square, telegraph
from tests.contracts.noise_bench import PORTS, NoiseBench

LEASE_MS, LEASE_LATE_MS = 60, 10
"""The lease may end so much later during a storm."""
PANIC_US = 100
ALL_OFF_MS, ALL_OFF_EVERY_MS = 20, 5
"""The longest time from the first all-off to its effect during a storm, and how often the host repeats it."""
INPUTS: Sequence[str] = [name for port in PORTS for name in port]
OF_ALL_PORTS: Sequence[str] = [*INPUTS, "third"]
STORMS = {
    "5 kHz on all ports": signal("5 kHz", *(square(name, 5_000, 120_000) for name in OF_ALL_PORTS)),
    "2 kHz on all ports": signal("2 kHz", *(square(name, 2_000, 120_000) for name in OF_ALL_PORTS)),
    "25 kHz": signal("25 kHz", square("left", 25_000, 120_000)),
    "38 kHz on all inputs": signal("38 kHz", *(square(name, 38_000, 120_000) for name in INPUTS)),
    "200 kHz on one port": signal("200 kHz", *(square(name, 200_000, 120_000) for name in PORTS[0])),
    "noise": signal("noise", *(telegraph(name, 40, 120_000, random.Random(name)) for name in INPUTS)),
}


def assert_the_lease_ends_all(bench: NoiseBench, storm: Signal) -> None:
    bench.is_silent = True
    began = bench.busy(storm, LEASE_MS)
    bench.run(2 * LEASE_MS * CYCLES_PER_MS)
    assert (bench.last_on() - began) / CYCLES_PER_MS <= LEASE_MS + LEASE_LATE_MS
    assert bench.resets == 0


def assert_a_panic_ends_all(bench: NoiseBench, storm: Signal, pressed_ms: float) -> None:
    press = [Change(cycles(1_000 * pressed_ms), "panic", 1), Change(cycles(1_000 * pressed_ms + 5_000), "panic", 0)]
    began = bench.busy(signal(storm.label, storm.changes, press))
    bench.run(150 * CYCLES_PER_MS)
    pressed_after = (bench.last_on() - began) / CYCLES_PER_US - 1_000 * pressed_ms
    assert pressed_after <= PANIC_US
    assert bench.resets == 0
    assert [message[0] for message in bench.answers].count(wire.PANIC.code) >= 1


def assert_all_off_ends_all(bench: NoiseBench, storm: Signal, said_ms: int) -> None:
    began = bench.busy(storm)
    bench.run(said_ms * CYCLES_PER_MS)
    bench.all_off(ALL_OFF_EVERY_MS, 10)
    bench.run(100 * CYCLES_PER_MS)
    assert (bench.last_on() - began) / CYCLES_PER_MS <= said_ms + ALL_OFF_MS
    assert bench.resets == 0


def edges_at_a_wrap(bench: NoiseBench, cycles_after: Iterable[int]) -> list[float]:
    """Return how many microseconds after its edge each reflex came; the edges lie around wraps of the timer."""
    late_us = []
    for after in cycles_after:
        bench.order(Arm(1, None, (("plain", 1, Pulse("light", 1_000)),)))
        zero, period = bench.chip.timer("1")
        edge = zero + period * ((bench.chip.cycle - zero) // period + 2) + after
        known = len(bench.levels)
        bench.play([Change(0, "plain", 1), Change(cycles(2_000), "plain", 0)], edge)
        bench.run(edge + cycles(10_000) - bench.chip.cycle)
        rises = [cycle for cycle, pin, level in bench.levels[known:] if pin == bench.pins["light"] and level]
        late_us.append((min(rises, default=bench.chip.cycle) - edge) / CYCLES_PER_US)
    return late_us
