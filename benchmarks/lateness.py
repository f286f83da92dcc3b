"""How late a loop is that is asked every two milliseconds; as a program, that of a process which does nothing else.

python -m benchmarks.lateness SECONDS      prints each lateness, in milliseconds
"""

from __future__ import annotations

import asyncio
import sys
from array import array
from collections.abc import Callable

PROBE_S = 0.002


async def probe(late_ms: array[float], every: Callable[[float], object] = lambda now_s: None) -> None:
    """Ask the running loop again and again how late it is, until cancelled."""
    loop = asyncio.get_running_loop()
    due_s = loop.time()
    while True:
        due_s = max(due_s + PROBE_S, loop.time())
        await asyncio.sleep(due_s - loop.time())
        late_ms.append((loop.time() - due_s) * 1e3)
        every(due_s)


def main(arguments: list[str]) -> None:
    """Probe a loop on which nothing else runs."""
    late_ms = array("d")

    async def idle() -> None:
        try:
            async with asyncio.timeout(float(arguments[0])):
                await probe(late_ms)
        except TimeoutError:
            print("\n".join(map(str, late_ms)))

    asyncio.run(idle())


if __name__ == "__main__":
    main(sys.argv[1:])
