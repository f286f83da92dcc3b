"""Touch to journal and command to frame, in a session before a real window that is touched 60 times a second."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options
from benchmarks.screen_session import FRAME_MS, run

TOUCHES, PER_S = 600, 60.0


def measure(options: Options) -> list[Measure]:
    """Run a session of ten seconds; the X server has no monitor, so that no time of a panel is in these."""
    with TemporaryDirectory() as folder:
        timed = run(TOUCHES, PER_S, Path(folder))
    note = f"{TOUCHES} touches at {PER_S:g}/s, {timed.frame_ms.count} changes of the picture"
    median_ms = timed.touch_ms.percentile(0.5)
    median_frames = timed.frame_ms.percentile(0.5) / FRAME_MS
    return [
        Measure("screen: touch to journal, median", (median_ms,), at_most=1, unit=" ms", note=note),
        Measure("screen: touch to journal, p99", (timed.touch_ms.percentile(0.99),), at_most=5, unit=" ms"),
        Measure("screen: command to painted frame, median", (median_frames,), at_most=2, unit=" frames"),
        Measure("screen: contacts that are not in the journal", (timed.lost,), at_most=0),
    ]
