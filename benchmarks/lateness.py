"""How late a loop is that is asked every two milliseconds; as a program, that of a process which does nothing else.

python -m benchmarks.lateness SECONDS      prints the median and the 99th percentile, in milliseconds
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
    """Counts values in bins of 10 µs up to a second: however many there are, it takes no more memory."""

    def __init__(self) -> None:
        self.count = 0
        self._bins = array("Q", bytes(8 * BINS))

    def add(self, ms: float) -> None:
        """Count a value."""
        self.count += 1
        self._bins[min(BINS - 1, max(0, int(ms / BIN_MS)))] += 1

    def percentile(self, share: float) -> float:
        """Return the value that so large a share of all does not exceed."""
        left = share * self.count
        for place, count in enumerate(self._bins):
            left -= count
            if left <= 0:
                return (place + 1) * BIN_MS
        return BINS * BIN_MS


async def probe(late_ms: Histogram, every: Callable[[float], object] = lambda now_s: None) -> None:
    """Ask the running loop again and again how late it is, until cancelled."""
    loop = asyncio.get_running_loop()
    due_s = loop.time()
    while True:
        due_s = max(due_s + PROBE_S, loop.time())
        await asyncio.sleep(due_s - loop.time())
        late_ms.add((loop.time() - due_s) * 1e3)
        every(due_s)


def main(arguments: list[str]) -> None:
    """Probe a loop on which nothing else runs."""
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
