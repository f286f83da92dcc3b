"""Lateness of an event loop, probed every 2 ms.

python -m benchmarks.loop_lateness SECONDS    probe an idle process; print median and 99th percentile in milliseconds
"""

from __future__ import annotations

import asyncio
import sys
from array import array
from collections.abc import Callable

PROBE_S = 0.002
BIN_MS = 0.01
BINS = 100_000


class Histogram:
    """Histogram of milliseconds in bins of 10 µs up to 1 s; its memory does not grow with the number of values."""

    def __init__(self) -> None:
        self.count = 0
        self._bins = array("Q", bytes(8 * BINS))

    def add(self, ms: float) -> None:
        """Add a value."""
        self.count += 1
        self._bins[min(BINS - 1, max(0, int(ms / BIN_MS)))] += 1

    def percentile(self, share: float) -> float:
        """Return the upper edge of the bin that holds this share of the values."""
        left = share * self.count
        for place, count in enumerate(self._bins):
            left -= count
            if left <= 0:
                return (place + 1) * BIN_MS
        return BINS * BIN_MS


async def probe(late_ms: Histogram, every: Callable[[float], object] = lambda now_s: None) -> None:
    """Record the lateness of the running loop every ``PROBE_S`` until canceled; ``every`` gets each due time."""
    loop = asyncio.get_running_loop()
    due_s = loop.time()
    while True:
        # After a long delay the next probe is from now: one stall must count once, not as a burst of late probes.
        due_s = max(due_s + PROBE_S, loop.time())
        await asyncio.sleep(due_s - loop.time())
        late_ms.add((loop.time() - due_s) * 1e3)
        every(due_s)


def main(arguments: list[str]) -> None:
    """Run a probe on an otherwise idle loop."""
    late_ms = Histogram()

    async def idle() -> None:
        try:
            async with asyncio.timeout(float(arguments[0])):
                await probe(late_ms)
        except TimeoutError:
            print(late_ms.percentile(0.5), late_ms.percentile(0.99))

    asyncio.run(idle())


if __name__ == "__main__":
    main(sys.argv[1:])
