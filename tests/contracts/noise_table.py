"""How often signals break each law on the present firmware, as a table.

``python -m tests.contracts.noise_table uno 0 1000`` plays 1,000 random signals and as many pairs of edges of each kind.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict

from tests.contracts.noise import CAUSES, SHAPES, all_pairs, pairs_signal, random_signal
from tests.contracts.noise_bench import PORTS, PULSE_US
from tests.contracts.noise_laws import Law, judge

write = sys.stdout.write
DROP_US = PULSE_US - 1_000
"""An opening of at least this length is a whole drop."""


def main(kind: str, first: int, count: int) -> None:
    """Print by how many signals each law was broken, and by how many pairs of edges of each kind the first one."""
    random_signals(kind, first, count)
    draw = random.Random(first)
    for shape in SHAPES:
        for cause in CAUSES:
            fired, drops = pairs_that_fire(kind, shape, cause, count, draw)
            write(f"  {shape} at {cause}: {fired} of {count} fire, {drops} give a whole drop\n")


def random_signals(kind: str, first: int, count: int) -> None:
    """Print a line for each law: by how many signals it was broken, and the worst one."""
    began = time.monotonic()
    broken: defaultdict[Law, dict[str, float]] = defaultdict(dict)
    signals = (random_signal(seed, PORTS) for seed in range(first, first + count))
    for found in judge(kind, signals):
        for breach in found:
            sizes = broken[breach.law]
            sizes[breach.signal] = max(abs(breach.size), sizes.get(breach.signal, 0))
    per_s = count / (time.monotonic() - began)
    write(f"{kind}, signals {first} to {first + count - 1}: {per_s:.1f} signals per second\n")
    for law in Law:
        worst = max(broken[law], key=broken[law].__getitem__, default="")
        write(f"  {law}: {len(broken[law])} signals; worst {broken[law].get(worst, 0):.1f} ({worst})\n")
    drops = sum(size >= DROP_US for size in broken[Law.CONFIRMED].values())
    write(f"  signals that gave a whole drop without a confirmed level: {drops}\n")


def pairs_that_fire(kind: str, shape: str, cause: str, count: int, draw: random.Random) -> tuple[int, int]:
    """Return how many single pairs of edges fire a reflex, and how many of these give a whole drop."""
    signals = (pairs_signal(shape, cause, [pair]) for pair in draw.sample(all_pairs(), count))
    longest_us = [
        max(breach.size for breach in found if breach.law is Law.CONFIRMED)
        for found in judge(kind, signals)
        if any(breach.law is Law.CONFIRMED for breach in found)
    ]
    return len(longest_us), sum(us >= DROP_US for us in longest_us)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
