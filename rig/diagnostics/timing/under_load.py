"""A busy board for a minute: reflexes, stamps and pulses all at once; its interrupts, and what memory it needed."""

from __future__ import annotations

import asyncio
import math
import random
from contextlib import suppress

from rig.boards.client import BoardListener
from rig.boards.pin_probe import InterruptsOff, Memory
from rig.core.journal.kinds import BatchDone, OutputDone
from rig.core.model.actions import Pulse
from rig.core.model.board import MAX_ON_US
from rig.diagnostics.latencies import latencies
from rig.diagnostics.timing.bench import ProbeFactory, TimingBench, open_bench
from rig.diagnostics.timing.load import BYTES_PER_S, LoadGenerator, Reflex
from rig.diagnostics.timing.reflexes import UNDER_TEST, count_fired, fired, known_edges
from rig.diagnostics.timing.report_rows import Row, figure, times, unmeasured
from rig.diagnostics.timing.wiring import BEAMS, wired

OTHERS = tuple(Reflex(group, beam) for group, beam in enumerate(BEAMS[2:], 3))
AVR_REFLEX = {"median": 300.0, "max": 2_000.0}
# On an AVR edges of the other beams delay a confirmation.
REFLEX = {"uno": AVR_REFLEX, "mega": AVR_REFLEX, "pico": {"median": 15.0, "p99.9": 30.0, "max": 2_000.0}}
STAMP = {"p99": 20.0, "max": 40.0}
PULSE = {"max": 150.0}
# The serial port holds three bytes of 20 us. Code that keeps interrupts off for longer polls the port and the pins
# itself, so the first bound may exceed 60 us. Measured at most: 60 us and 40 us without a poll on an Uno, 67 us and
# 44 us on a Mega.
INTERRUPTS_OFF_US, UNPOLLED_US = 100.0, 50.0
SHORTEST_US, USUAL_US = 1_000, 1_000_000
PATIENCE_S = 2.0
FULL = 10_000
"""So many reflexes are asked for, the longest of pulses is given."""


async def under_load(make_probe: ProbeFactory, chip: str, n: int, seed: int) -> list[Row]:
    """Run a board under load until the longest pulse has ended and ``n`` reflexes have fired.

    It stops at the latest after one and a half times the longest pulse.
    """
    # Another name of these draws would give other numbers than docs/reference/timing.md has.
    chance = random.Random(f"{seed}/soak")
    longest_us = max(USUAL_US, MAX_ON_US * min(n, FULL) // FULL)
    async with open_bench(make_probe, wired(chip), seed, heard=frozenset({"speaker.tone"})) as bench:
        bench.probe.measure_interrupts()
        busy = LoadGenerator(bench, tuple(UNDER_TEST.values()), OTHERS, chance)
        pulses = Pulses(bench, chance)
        until_us = bench.probe.now_us() + 1.5 * longest_us
        await pulses.give("right.light", longest_us)
        while count_fired(bench) < n and bench.probe.now_us() < until_us:
            await bench.wait(100_000)
        moved = busy.stop()
        await pulses.stop()
        await bench.wait(50_000)
    pairs, missing = fired(bench)
    stamps = [(0.0, abs(known_edge.edge.t_us - known_edge.at_us)) for known_edge in known_edges(bench)]
    told = f"{moved.armed:.1f} of 16 reflexes armed on average; {bench.losses()}"
    return [
        times("reflex, loaded", latencies("reflex, loaded", pairs), REFLEX[chip], missing=missing, note=told),
        figure("  bytes really moved to the board", moved.to_board, "B/s", at_least=BYTES_PER_S),
        figure("  bytes really moved to the host", moved.to_host, "B/s", at_least=BYTES_PER_S),
        times("stamp of an edge, loaded: error", latencies("stamp of an edge", stamps), STAMP),
        pulses.judged(longest_us),
        *interrupts(bench.probe.interrupts_off()),
        *memory(bench.probe.memory()),
    ]


class Pulses(BoardListener):
    """Gives pulses of all lengths on one output, and a very long one on another."""

    OUTPUT = "left.light"

    def __init__(self, bench: TimingBench, chance: random.Random) -> None:
        self._bench = bench
        self._random = chance
        self._asked: dict[str, list[int]] = {}
        self._ended: dict[str, asyncio.Event] = {}
        bench.client.listen(self)
        self._going = asyncio.get_running_loop().create_task(self._go_on())

    async def give(self, output: str, us: int) -> None:
        """Send one pulse, and wait until the board reports its end, or until it should have: its events may be lost."""
        self._asked.setdefault(output, []).append(us)
        ended = self._ended[output] = asyncio.Event()
        self._bench.order(Pulse(output, us))
        with suppress(TimeoutError):
            async with asyncio.timeout(us / 1e6 + PATIENCE_S):
                await ended.wait()
        # Also without the event, which a full board may have lost: `stop` must not wait for it.
        ended.set()

    async def stop(self) -> None:
        """Stop sending pulses, and wait for the end of the last usual one."""
        self._going.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(USUAL_US / 1e6 + PATIENCE_S):
                await self._ended[self.OUTPUT].wait()

    def judged(self, longest_us: int) -> Row:
        """Return the row that compares the lengths of the pulses with the ordered ones."""
        pairs: list[tuple[float, float]] = []
        missing = 0
        for output, asked in self._asked.items():
            changes = self._bench.changes(output)
            # The last pulse may not have ended, so the lists may differ in length.
            lasted = [off.t_us - on.t_us for on, off in zip(changes[::2], changes[1::2], strict=False)]
            pairs += [(0.0, abs(was - us)) for us, was in zip(asked, lasted, strict=False)]
            missing += len(asked) - len(lasted)
        name = f"pulse of {SHORTEST_US / 1000:g} ms to {longest_us / 1e6:g} s, loaded: error of its length"
        return times(name, latencies(name, pairs), PULSE, missing=missing)

    async def _go_on(self) -> None:
        while True:
            # Its cube: most pulses are short, so that a minute holds many of them.
            part = self._random.random()
            await self.give(self.OUTPUT, round(SHORTEST_US * math.exp(part**3 * math.log(USUAL_US / SHORTEST_US))))
            await self._bench.wait(2_000 + 2_000 * self._random.random())

    def on_done(self, done: BatchDone | OutputDone) -> None:
        """Record that a pulse has ended."""
        if isinstance(done, OutputDone) and done.output in self._ended:
            self._ended[done.output].set()


def interrupts(found: InterruptsOff | None) -> list[Row]:
    """Return the rows of the longest times with a chip's interrupts off; none where this cannot be measured."""
    if found is None:
        return []
    what = "interrupts off, at the longest"
    unpolled = "  of that without a poll of the pins"
    return [
        figure(what, found.longest_us, "us", at_most=INTERRUPTS_OFF_US, note=f"from {found.began}"),
        figure(unpolled, found.unpolled_us, "us", at_most=UNPOLLED_US, note=f"from {found.unpolled_began}"),
    ]


def memory(found: Memory | None) -> list[Row]:
    """Return the rows of a chip's memory use."""
    if found is None:
        return [unmeasured("flash, RAM and stack", "this board has no chip")]
    flash, ram = 100 * found.flash / found.flash_room, 100 * found.ram / found.ram_room
    return [
        figure("flash", flash, "%", at_most=88, note=f"{found.flash} of {found.flash_room} bytes"),
        figure("static RAM", ram, "%", at_most=88, note=f"{found.ram} of {found.ram_room} bytes"),
        figure("stack after that: memory never written to", found.untouched, "bytes", at_least=100),
    ]
