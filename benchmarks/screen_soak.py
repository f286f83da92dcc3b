"""``make soak``: 60 touches per second for ten minutes in a real window; checks losses, memory and lateness."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure
from benchmarks.screen_session import Timed, run

TOUCHES, PER_S = 36_000, 60.0
MOST_GROWTH = 1.03


def measures(timed: Timed) -> list[Measure]:
    """Return the measures with their bounds."""
    late, (_, idle) = timed.late_ms.percentile(0.99), timed.idle_ms
    return [
        Measure("contacts missing in the journal", (timed.lost,), at_most=0),
        Measure("session's memory, end / start", (_growth(timed.session_mb),), at_most=MOST_GROWTH),
        Measure("window's memory, end / start", (_growth(timed.window_mb),), at_most=MOST_GROWTH),
        Measure("loop's lateness, p99, minus that of an idle process", (late - idle,), at_most=1, unit=" ms"),
    ]


def _said(sizes: list[float]) -> str:
    return f"{sizes[0]:.1f} to {sizes[-1]:.1f}"


def _growth(sizes: list[float]) -> float:
    """Return the last size divided by the third, which is after all imports and caches."""
    return sizes[-1] / sizes[min(2, len(sizes) - 1)]


def main(arguments: list[str]) -> int:
    """Run the soak test, with the number of touches if given; return 1 if a bound is exceeded."""
    touches = int(arguments[0]) if arguments else TOUCHES
    with TemporaryDirectory() as folder:
        timed = run(touches, PER_S, Path(folder))
    found = measures(timed)
    print(f"{touches} touches; memory (MB) {_said(timed.session_mb)}, window {_said(timed.window_mb)}")
    late, idle = timed.late_ms, " ".join(f"{ms:.2f}" for ms in timed.idle_ms)
    print(f"loop late by (ms, median and p99): {late.percentile(0.5):.2f} {late.percentile(0.99):.2f}; idle: {idle}")
    touch, frame = timed.touch_ms, timed.frame_ms.percentile(0.5)
    print(f"touch to journal (ms): {touch.percentile(0.5):.2f} {touch.percentile(0.99):.2f}; frame after {frame:.2f}")
    for measure in found:
        mark = "holds" if measure.holds else "DOES NOT HOLD"
        print(f"{measure.what}: {measure.measured}, must be {measure.must_be}: {mark}")
    return 0 if all(measure.holds for measure in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
